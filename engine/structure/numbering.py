"""Section numbers at the start of a heading: what kind they are and how deep they go."""

from __future__ import annotations

import re
from dataclasses import dataclass

CHINESE = "零〇一二三四五六七八九十百千两"
NUMERALS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
ROMANS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
# Chinese parts from the widest to the narrowest; 条 (article) is the unit of text, not a heading by itself.
CHINESE_UNITS = "编部篇章节条款"
CHINESE_DEPTH = {"编": 1, "部": 1, "篇": 1, "章": 2, "节": 3, "条": 5, "款": 6}
WORDS = (
    r"chapter|part|section|article|appendix|annex|item|schedule|exhibit|book|volume|unit|lesson|title|note|"
    r"kapitel|chapitre|annexe"
)

PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("chinese_unit", re.compile(rf"^第\s*([{CHINESE}\d]+)\s*(分?[{CHINESE_UNITS}]|部分)(?![{CHINESE}\d])")),
    (
        "word",
        re.compile(
            rf"^({WORDS})\s+(\d{{1,3}}[A-Za-z]?|[IVXLC]+|[A-Z])(?:\b[.:]?|(?=[:.\s—–-]))", re.IGNORECASE
        ),
    ),
    (
        "decimal",
        re.compile(r"^(?:§+\s*)?((?:\d{1,3}|[A-Z])(?:[.．]\d{1,3}){1,5})[.．、]?(?![\d%])(?:\s|(?=[^\W\d]))"),
    ),
    ("chinese", re.compile(rf"^([{CHINESE}]{{1,4}})[、.．]\s*")),
    ("chinese_paren", re.compile(rf"^[（(]([{CHINESE}]{{1,4}})[）)]\s*")),
    ("number", re.compile(r"^(\d{1,3})[.．、](?!\d)\s*|^(\d{1,2})\s+(?=[^\W\d_])")),
    ("roman", re.compile(r"^([IVXLC]{1,7})[.)]\s+|^([IVX]{2,6})\s+(?=[A-Z])")),
    ("letter", re.compile(r"^([A-Z])[.)]\s+(?=\S)|^([A-Z])\s+(?=[A-Z][a-z])")),
    ("paren", re.compile(r"^[(（](\d{1,3}|[a-zA-Z]|[ivx]{2,5})[)）]\s*")),
)


@dataclass(frozen=True, slots=True)
class Numbering:
    """A heading's number: its ``kind`` (see PATTERNS), the ``unit`` word of "Chapter 3" or "第三章", the
    ``values`` (``(2, 1)`` for "2.1") and ``text``, the number as printed."""

    kind: str
    values: tuple[int, ...]
    text: str
    unit: str = ""

    @property
    def family(self) -> str:
        """Headings of one family at one depth are siblings: "decimal" numbers and plain ones are one family."""
        if self.kind in ("decimal", "number"):
            return "decimal"
        return f"{self.kind}:{self.unit}" if self.unit else self.kind

    @property
    def depth(self) -> int:
        """The depth that the number itself states, 1 for "2.", 3 for "2.1.4"; 1 where it states none."""
        if self.kind == "chinese_unit":
            return CHINESE_DEPTH.get(self.unit[-1], 1)
        return len(self.values)


def numbering_of(title: str) -> Numbering | None:
    """Return the number that a heading begins with, or None."""
    for kind, pattern in PATTERNS:
        match = pattern.match(title)
        if not match:
            continue
        groups = [group for group in match.groups() if group]
        text = match[0].strip()
        if kind == "chinese_unit":
            return Numbering(kind, (_number(groups[0]),), text, groups[1].replace("部分", "部"))
        if kind == "word":
            return Numbering(kind, (_number(groups[1]),), text, groups[0].casefold())
        if kind == "decimal":
            return Numbering(kind, tuple(_number(part) for part in re.split("[.．]", groups[0])), text)
        return Numbering(kind, (_number(groups[0]),), text)
    return None


def without_number(title: str) -> str:
    """Return a heading without the number it begins with."""
    number = numbering_of(title)
    return title[len(number.text) :].lstrip(" .．、:：)-–—\t\u3000") if number else title


def _number(text: str) -> int:
    if text.isdigit():
        return int(text)
    if all(char in NUMERALS or char in "十百千" for char in text):
        return _chinese_number(text)
    if text.isupper() and all(char in ROMANS for char in text) and (len(text) > 1 or text in "IVX"):
        digits = [ROMANS[char] for char in text]
        return sum(-a if a < b else a for a, b in zip(digits, [*digits[1:], 0], strict=True))
    return ord(text[0].upper()) - ord("A") + 1 if len(text) == 1 and text.isalpha() else 0


def _chinese_number(text: str) -> int:
    total = digit = 0
    for char in text:
        unit = {"十": 10, "百": 100, "千": 1000}.get(char)
        if unit is None:
            digit = NUMERALS[char]
        else:
            total += (digit or 1) * unit
            digit = 0
    return total + digit
