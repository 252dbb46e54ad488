"""The numbers and bullets of OpenDocument lists and headings, counted as the program shows them."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from engine.parse.docx_number_formats import formatted
from engine.parse.odf_package import ListLevel

_FORMS = {
    "1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman",
    "①, ②, ③, ...": "decimalEnclosedCircle",
    "一, 二, 三, ...": "chineseCounting", "壹, 贰, 叁, ...": "chineseLegalSimplified",
    "壹, 貳, 參, ...": "ideographLegalTraditional", "甲, 乙, 丙, ...": "ideographTraditional",
    "子, 丑, 寅, ...": "ideographZodiac", "ア, イ, ウ, ...": "aiueoFullWidth", "イ, ロ, ハ, ...": "irohaFullWidth",
    "가, 나, 다, ...": "ganada",
}  # fmt: skip


class Label(NamedTuple):
    """What stands before an item: its number or bullet ("" for none), and whether it is counted."""

    text: str
    ordered: bool


class Counter:
    """Counts the items of one list, level by level (from 1)."""

    def __init__(self, levels: dict[int, ListLevel]) -> None:
        self._levels = levels
        self._counts: defaultdict[int, int] = defaultdict(int)

    def next(self, level: int, start: int | None = None) -> Label:
        """Count an item of a level and return its label; ``start`` sets the number."""
        style = self._levels.get(level) or ListLevel(bullet="•")
        for deeper in [other for other in self._counts if other > level]:
            del self._counts[deeper]
        for above in range(1, level):
            # A level that was passed over counts as if it had an item.
            shallower = self._levels.get(above)
            if above not in self._counts and shallower is not None and shallower.form:
                self._counts[above] = shallower.start
        if start is not None:
            self._counts[level] = start
        else:
            self._counts[level] = self._counts[level] + 1 if level in self._counts else style.start
        if style.bullet:
            return Label("•", False)
        if not style.form:
            return Label(f"{style.prefix}{style.suffix}".strip(), False)
        shown = range(level - max(style.shown_levels, 1) + 1, level + 1)
        number = ".".join(text for n in shown if (text := self._shown(n)))
        return Label(f"{style.prefix}{number}{style.suffix}".strip(), True)

    def _shown(self, level: int) -> str:
        style = self._levels.get(level)
        if style is None or not style.form:
            return ""
        return formatted(self._counts.get(level, style.start), _FORMS.get(style.form, "decimal"))
