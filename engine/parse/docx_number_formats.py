"""Numbers in the formats of Word's ``numFmt``: Latin, Roman, Chinese, Japanese, enclosed."""

from collections.abc import Callable
from string import ascii_lowercase, ascii_uppercase

_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_HAN = dict(enumerate("〇一二三四五六七八九", ord("0")))
_WIDE = dict(enumerate("０１２３４５６７８９", ord("0")))
_STEMS = "甲乙丙丁戊己庚辛壬癸"


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


def _letter(number: int, alphabet: str) -> str:
    # After the last letter Word doubles them: z, aa, bb.
    return _cycle(number, alphabet) * min(1 + (number - 1) // len(alphabet), 20)


def _cycle(number: int, alphabet: str) -> str:
    return alphabet[(number - 1) % len(alphabet)]


def _chinese(number: int, mode: str = "low") -> str:
    """Return 一百二十三 ("low") or 壹佰贰拾叁 ("up")."""
    import cn2an

    return str(cn2an.an2cn(number, mode))


def _circled(number: int) -> str:
    return chr(ord("①") + number - 1) if number <= 20 else f"({number})"


def _ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


_FORMATS: dict[str, Callable[[int], str]] = {
    "decimalZero": "{:02d}".format,
    "upperRoman": _roman,
    "lowerRoman": lambda n: _roman(n).lower(),
    "upperLetter": lambda n: _letter(n, ascii_uppercase),
    "lowerLetter": lambda n: _letter(n, ascii_lowercase),
    "ordinal": _ordinal,
    **dict.fromkeys(
        (f"{script}Counting{kind}" for script in ("chinese", "taiwanese") for kind in ("", "Thousand")), _chinese
    ),
    "japaneseCounting": lambda n: _chinese(n).replace("零", "").replace("一百", "百").replace("一千", "千"),
    **dict.fromkeys(("ideographDigital", "japaneseDigitalTenThousand"), lambda n: str(n).translate(_HAN)),
    "chineseLegalSimplified": lambda n: _chinese(n, "up"),
    "ideographLegalTraditional": lambda n: _chinese(n, "up").translate(str.maketrans("贰叁陆", "貳參陸")),
    "ideographTraditional": lambda n: _cycle(n, _STEMS),
    **dict.fromkeys(("decimalEnclosedCircle", "decimalEnclosedCircleChinese"), _circled),
    "decimalEnclosedParen": "({})".format,
    "decimalEnclosedFullstop": "{}.".format,
    **dict.fromkeys(("decimalFullWidth", "decimalFullWidth2"), lambda n: str(n).translate(_WIDE)),
}
