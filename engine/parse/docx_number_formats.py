"""Numbers in the formats of Word's ``numFmt``: Latin, Roman, Chinese, Japanese, Korean, enclosed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

_HAN = "〇一二三四五六七八九"
_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_STEMS = "甲乙丙丁戊己庚辛壬癸"
_GANADA = "가나다라마바사아자차카타파하"
_AIUEO = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"


def formatted(number: int, form: str) -> str:
    """Return the number as Word shows it; an unknown format gives decimal digits."""
    write = _FORMATS.get(form)
    if form in {"none", "bullet"}:
        return ""
    return write(number) if write and number > 0 else str(number)


def _roman(number: int) -> str:
    text = ""
    for worth, letters in _ROMAN:
        text += letters * min(number // worth, 20)
        number %= worth
    return text


def _letters(alphabet: str) -> Callable[[int], str]:
    # After the last letter Word doubles them: z, aa, bb.
    return lambda n: alphabet[(n - 1) % len(alphabet)] * min(1 + (n - 1) // len(alphabet), 20)


def _cycle(alphabet: str) -> Callable[[int], str]:
    return lambda n: alphabet[(n - 1) % len(alphabet)]


def _digits(digits: str) -> Callable[[int], str]:
    return lambda n: "".join(digits[int(c)] for c in str(n))


def _chinese(mode: Literal["low", "up"]) -> Callable[[int], str]:
    """Return the writer of 一百二十三 ("low"), of 壹佰贰拾叁 ("up")."""

    def write(number: int) -> str:
        import cn2an

        return str(cn2an.an2cn(number, mode))

    return write


def _enclosed(first: int, last: int, otherwise: str) -> Callable[[int], str]:
    return lambda n: chr(first + n - 1) if n <= last else otherwise.format(n)


def _ordinal(number: int) -> str:
    if 10 <= number % 100 <= 20:
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def _japanese(number: int) -> str:
    return _chinese("low")(number).replace("零", "").replace("一百", "百").replace("一千", "千")


def _legal_traditional(number: int) -> str:
    return _chinese("up")(number).translate(str.maketrans("贰叁陆", "貳參陸"))


_FORMATS: dict[str, Callable[[int], str]] = {
    "decimalZero": lambda n: f"{n:02d}",
    "upperRoman": _roman,
    "lowerRoman": lambda n: _roman(n).lower(),
    "upperLetter": _letters("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    "lowerLetter": _letters("abcdefghijklmnopqrstuvwxyz"),
    "ordinal": _ordinal,
    **dict.fromkeys(
        (f"{script}Counting{kind}" for script in ("chinese", "taiwanese") for kind in ("", "Thousand")),
        _chinese("low"),
    ),
    "japaneseCounting": _japanese,
    "ideographDigital": _digits(_HAN),
    "japaneseDigitalTenThousand": _digits(_HAN),
    "chineseLegalSimplified": _chinese("up"),
    "ideographLegalTraditional": _legal_traditional,
    "ideographTraditional": _cycle(_STEMS),
    "ganada": _cycle(_GANADA),
    "aiueo": _cycle(_AIUEO),
    "aiueoFullWidth": _cycle(_AIUEO),
    "decimalEnclosedCircle": _enclosed(0x2460, 20, "({})"),
    "decimalEnclosedCircleChinese": _enclosed(0x2460, 20, "({})"),
    "ideographEnclosedCircle": _enclosed(0x3220, 10, "({})"),
    "decimalEnclosedParen": _enclosed(0x2474, 20, "({})"),
    "decimalEnclosedFullstop": _enclosed(0x2488, 20, "{}."),
    "decimalFullWidth": lambda n: str(n).translate({48 + d: 0xFF10 + d for d in range(10)}),
    "decimalFullWidth2": lambda n: str(n).translate({48 + d: 0xFF10 + d for d in range(10)}),
}
