"""The numbers that Word shows in front of headings and list items, computed as Word computes them.

Instances (num) share an abstract numbering and its counters. A level starts at its start value, a deeper level starts
again after a higher one, and an instance with a start override starts again where it is first used. Numbers are written
in the formats of ``numFmt``: Latin, Roman, Chinese, Japanese, enclosed.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple

from engine.parse.ooxml import MC, W, integer, is_on, value

LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_HAN = dict(enumerate("〇一二三四五六七八九", ord("0")))
_WIDE = dict(enumerate("０１２３４５６７８９", ord("0")))
_STEMS = "甲乙丙丁戊己庚辛壬癸"


class Label(NamedTuple):
    """What stands in front of a paragraph: its text ("1.1", "第一章", "•"), its level from 0."""

    text: str
    level: int
    ordered: bool
    gap: str


@dataclass
class _Level:
    start: int = 1
    form: str = "decimal"
    pattern: str = ""
    restart: int | None = None
    legal: bool = False
    style: str | None = None
    gap: str = " "


@dataclass
class _Instance:
    """``counters`` are those of all instances of one abstract numbering."""

    counters: list[int | None]
    levels: defaultdict[int, _Level] = field(default_factory=lambda: defaultdict(_Level))
    overrides: dict[int, int] = field(default_factory=dict)
    started: set[int] = field(default_factory=set)


class Numberings:
    """All numberings of a document, with their counters."""

    def __init__(self, root: Any | None) -> None:
        self._instances: dict[str, _Instance] = {}
        if root is None:
            return
        elements = {item.get(f"{W}abstractNumId"): item for item in root.iterchildren(f"{W}abstractNum")}
        linked = {value(item.find(f"{W}styleLink")): key for key, item in elements.items()}
        counters: defaultdict[str, list[int | None]] = defaultdict(lambda: [None] * LEVELS)
        for num in root.iterchildren(f"{W}num"):
            key = value(num.find(f"{W}abstractNumId")) or ""
            if (abstract := elements.get(key)) is not None:
                source = elements.get(linked.get(value(abstract.find(f"{W}numStyleLink")) or ""))
                instance = _instance(num, abstract if source is None else source, counters[key])
                self._instances[num.get(f"{W}numId", "")] = instance

    def label(self, num_id: str | None, level: int | None, style_id: str = "") -> Label | None:
        """Count one paragraph and return its label; None when the numbering does not exist ("0": none)."""
        instance = self._instances.get(num_id or "")
        if instance is None:
            return None
        if level is None:
            level = next((n for n, item in instance.levels.items() if item.style == style_id), 0)
        level = min(max(level, 0), LEVELS - 1)
        self._count(instance, level)
        definition = instance.levels[level]
        if definition.form == "bullet":
            return Label("•", level, False, " ")

        def shown(match: re.Match[str]) -> str:
            place = int(match[1]) - 1
            item = instance.levels[place]
            number = instance.counters[place]
            form = "decimal" if definition.legal and item.form != "none" else item.form
            return formatted(item.start if number is None else number, form)

        text = _PLACE.sub(shown, definition.pattern).strip()
        return Label(text, level, True, definition.gap) if text or definition.form != "none" else None

    @staticmethod
    def _count(instance: _Instance, level: int) -> None:
        counters = instance.counters
        override, number = instance.overrides.get(level), counters[level]
        usual = instance.levels[level].start if number is None else number + 1
        counters[level] = usual if override is None or level in instance.started else override
        instance.started.add(level)
        for higher in range(level):
            if counters[higher] is None:
                counters[higher] = instance.levels[higher].start
        for deeper in range(level + 1, LEVELS):
            restart = instance.levels[deeper].restart
            if restart is None or level < restart:
                counters[deeper] = None


def _instance(num: Any, abstract: Any, counters: list[int | None]) -> _Instance:
    instance = _Instance(counters)
    for item in (abstract, *num.iterchildren(f"{W}lvlOverride")):
        for definition in item.iterchildren(f"{W}lvl"):
            number = integer(item.get(f"{W}ilvl") or definition.get(f"{W}ilvl"))
            instance.levels[number] = _level(definition)
        for start in item.iterchildren(f"{W}startOverride"):
            instance.overrides[integer(item.get(f"{W}ilvl"))] = integer(value(start), 1)
    return instance


def _level(lvl: Any) -> _Level:
    restart = value(lvl.find(f"{W}lvlRestart"))
    newer = f"{MC}AlternateContent/{MC}Choice/{W}numFmt"
    return _Level(
        start=integer(value(lvl.find(f"{W}start")), 0),
        form=value(lvl.find(f"{W}numFmt")) or value(lvl.find(newer)) or "decimal",
        pattern=value(lvl.find(f"{W}lvlText")) or "",
        restart=integer(restart) if restart is not None else None,
        legal=is_on(lvl.find(f"{W}isLgl")),
        style=value(lvl.find(f"{W}pStyle")),
        gap="" if value(lvl.find(f"{W}suff")) == "nothing" else " ",
    )


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
