"""Numbers in front of headings and list items, in Chinese and English: their kind, values and place in the order.

Ranks follow what writers do: parts hold chapters, chapters hold sections; in Chinese 一、 holds （一） holds
1. holds （1）; in English I. holds A. holds 1. holds a).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

CHINESE = "零〇一二三四五六七八九十百千两壹贰叁肆伍陆柒捌玖拾"
NUMERALS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {
    char: value for value, char in enumerate("〇壹贰叁肆伍陆柒捌玖")
} | {"两": 2}  # fmt: skip
TENS = {"十": 10, "拾": 10, "百": 100, "千": 1000}
ROMANS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
SPELLED = {word: value for value, word in enumerate(
    "one two three four five six seven eight nine ten eleven twelve".split(), 1
)} | {word: value for value, word in enumerate("first second third fourth fifth".split(), 1)}  # fmt: skip
# Depths of Chinese parts; 条 (article) is the unit of text, not a heading by itself.
CHINESE_DEPTH = {"编": 1, "部": 1, "卷": 1, "篇": 1, "册": 1, "章": 2, "回": 2, "节": 3, "条": 5, "款": 6}
TRADITIONAL = {"編": "编", "節": "节", "條": "条"}
_RANKS = {
    "part": ("part", 1), "book": ("part", 1), "volume": ("part", 1), "编": ("part", 1), "部": ("part", 1),
    "卷": ("part", 1), "篇": ("part", 1), "册": ("part", 1), "chapter": ("chapter", 2), "lecture": ("chapter", 2),
    "appendix": ("chapter", 2), "annex": ("chapter", 2), "exhibit": ("chapter", 2), "schedule": ("chapter", 2),
    "章": ("chapter", 2), "回": ("chapter", 2), "section": ("section", 3), "article": ("section", 3),
    "节": ("section", 3), "条": ("article", 9), "款": ("article", 9),
}  # fmt: skip
_KIND_RANKS = {
    "roman": 4, "chinese": 5, "chinese_paren": 6, "letter": 6, "decimal": 7, "number": 7, "paren": 8, "circled": 9,
}  # fmt: skip
_OTHER_WORDS = "item|unit|lesson|title|note|kapitel|chapitre|annexe"
_WORDS = rf"part|book|volume|chapter|lecture|appendix|annex|exhibit|schedule|section|article|{_OTHER_WORDS}"
_COUNT = rf"[{CHINESE}\d]{{1,6}}"

# (kind, pattern, where): PRINTED patterns count only where something else tells that a line is a heading, PLAIN ones
# only where nothing does. The first that matches counts. Groups: ``n`` number, ``u`` unit, ``label`` the number with
# what belongs to it.
BOTH, PRINTED, PLAIN = "both", "printed", "plain"
PATTERNS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    (
        "chinese_unit",
        re.compile(
            rf"(?P<label>第\s*(?P<n>{_COUNT})\s*(?P<u>分?[编編篇章回节節条條款]|部分|[部卷册](?=[\s:：、]|$)))(?![{CHINESE}\d])\s*"
        ),
        BOTH,
    ),
    ("chinese_unit", re.compile(r"(?P<label>(?P<n>[上中下])(?P<u>编))(?=[\s:：、]|$)\s*"), PLAIN),
    (
        "word",
        re.compile(
            rf"(?P<label>(?P<u>{_WORDS})\s+(?P<n>\d{{1,3}}(?:\.\d{{1,3}})*[A-Z]?|[IVXLC]+|[A-Z]|{'|'.join(SPELLED)})\b)[.:]?\s*",
            re.IGNORECASE,
        ),
        BOTH,
    ),
    (
        "word",
        re.compile(
            r"(?P<label>(?P<u>附[录錄件])\s*(?P<n>[A-Z\d一二三四五六七八九十]{0,3})(?=[\s:：]|$))[:：]?\s*"
        ),
        BOTH,
    ),
    ("word", re.compile(r"(?P<label>(?P<u>§)+\s*(?P<n>\d+(?:\.\d+)*))[.:]?\s*"), PLAIN),
    (
        "decimal",
        re.compile(
            r"(?:§+\s*)?(?P<label>(?P<n>(?:\d{1,3}|[A-Z])(?:[.．]\d{1,3}){1,5}))[.．、]?(?![\d%])(?:\s+|(?=[^\W\d]))"
        ),
        PRINTED,
    ),
    (
        "decimal",
        re.compile(r"(?P<label>(?P<n>\d{1,3}(?:\.\d{1,3}){1,5}))\.?(?:\s+|(?=[^\W\d_a-zA-Z]))(?![%％])"),
        PLAIN,
    ),
    ("chinese", re.compile(rf"(?P<label>(?P<n>[{CHINESE}]{{1,4}}))[、.．]\s*"), BOTH),
    ("chinese_paren", re.compile(rf"(?P<label>[（(](?P<n>[{CHINESE}]{{1,4}})[）)])\s*"), BOTH),
    ("number", re.compile(r"(?P<label>(?P<n>\d{1,3}))(?:[.．](?!\d)|、)\s*"), BOTH),
    ("number", re.compile(r"(?P<label>(?P<n>\d{1,2}))\s+(?=[^\W\d_])"), BOTH),
    (
        "roman",
        re.compile(r"(?P<label>(?P<n>(?=[IVXLC])(?:X{0,3}(?:IX|IV|V?I{0,3})|[LC])))[.、]\s+"),
        BOTH,
    ),
    ("roman", re.compile(r"(?P<label>(?P<n>[IVXLC]{1,7}))[.)]\s+"), PRINTED),
    ("roman", re.compile(r"(?P<label>(?P<n>[IVX]{2,6}))\s+(?=[A-Z])"), PRINTED),
    ("letter", re.compile(r"(?P<label>(?P<n>[A-Z]))\.\s+(?=\S|$)"), BOTH),
    ("letter", re.compile(r"(?P<label>(?P<n>[A-Z]))(?:\)\s+(?=\S)|\s+(?=[A-Z][a-z]))"), PRINTED),
    ("paren", re.compile(r"(?P<label>[(（](?P<n>\d{1,3}|[a-zA-Z]|[ivx]{1,5})[)）])\s*"), BOTH),
    ("paren", re.compile(r"(?P<label>(?P<n>\d{1,3}|[a-z]|[ivx]{2,5})[)）])\s*"), BOTH),
    ("circled", re.compile(r"(?P<label>(?P<n>[①-⑳⑴-⒇⒈-⒛]))\s*"), BOTH),
)
# Most lines begin with a word; few words and letters can be numbers.
_LETTERED = re.compile(rf"(?:{_WORDS})\s|[A-Za-z]{{1,7}}[.)、\s]|[A-Z][.．]\d", re.IGNORECASE)
_READ = 64


@dataclass(frozen=True, slots=True)
class Numbering:
    """A number in front of a text: its ``kind`` (see PATTERNS), ``unit`` ("chapter" of "Chapter 3", "章") and
    ``values`` (``(2, 1)`` for "2.1"); ``text`` is the number as printed, ``label`` the same without what sets it off,
    ``rest`` what follows it."""

    kind: str
    values: tuple[int, ...]
    text: str
    unit: str
    label: str
    rest: str

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
        return len(self.values) if self.kind != "word" else 1

    @property
    def division(self) -> str:
        """What it counts: "part", "chapter", "section", "article" (条), "" for a number that does not say."""
        return _RANKS.get(self.unit[-1:] if self.kind == "chinese_unit" else self.unit, ("", 0))[0]

    @property
    def rank(self) -> int:
        """The place of its kind among all, 1 the outermost."""
        named = _RANKS.get(self.unit[-1:] if self.kind == "chinese_unit" else self.unit)
        return named[1] if named else _KIND_RANKS.get(self.kind, 2)

    @property
    def value(self) -> int | None:
        """The last of the values, None where it is none."""
        return self.values[-1] or None


def numbering_of(title: str) -> Numbering | None:
    """Return the number that a heading begins with, or None."""
    return _found(title, PLAIN)


def numbering(text: str) -> Numbering | None:
    """Return the number that any line begins with, or None: stricter than :func:`numbering_of`."""
    found = _found(text, PRINTED)
    return None if found and found.kind == "word" and not found.division else found


def without_number(title: str) -> str:
    """Return a heading without the number it begins with."""
    number = numbering_of(title)
    return title[len(number.text) :].lstrip(" .．、:：)-–—\t\u3000") if number else title


def _found(text: str, other: str) -> Numbering | None:
    head = text[:_READ]
    if head[:1].isascii() and head[:1].isalpha() and not _LETTERED.match(head):
        return None
    for kind, pattern, where in PATTERNS:
        if where != other and (match := pattern.match(head)):
            unit = _unit(kind, match.groupdict().get("u") or "")
            values = _values(match["n"]) if kind in ("decimal", "word") else (value_of(match["n"]),)
            return Numbering(kind, values, match[0].strip(), unit, match["label"], text[match.end() :])
    return None


def _unit(kind: str, unit: str) -> str:
    if kind == "chinese_unit":
        return "".join(TRADITIONAL.get(char, char) for char in unit).replace("部分", "部")
    return {"附录": "appendix", "附錄": "appendix", "附件": "appendix", "§": "section"}.get(
        unit, unit.casefold()
    )


def _values(text: str) -> tuple[int, ...]:
    return tuple(value_of(part) for part in re.split("[.．]", text))


def value_of(text: str) -> int:
    """Return the value of one number in digits, Chinese or Roman numerals, a word or a letter; 0 for none of these."""
    if text.isdecimal():
        return int(text)
    if text and all(char in NUMERALS or char in TENS for char in text):
        return _chinese_number(text)
    if text.isupper() and all(char in ROMANS for char in text) and (len(text) > 1 or text in "IVX"):
        digits = [ROMANS[char] for char in text]
        return sum(-a if a < b else a for a, b in zip(digits, [*digits[1:], 0], strict=True))
    if text.casefold() in SPELLED:
        return SPELLED[text.casefold()]
    for first in "①⑴⒈":
        if len(text) == 1 and 0 <= ord(text) - ord(first) < 20:
            return ord(text) - ord(first) + 1
    if text in ("上", "中", "下"):
        return "上中下".index(text) + 1
    return ord(text.upper()) - ord("A") + 1 if len(text) == 1 and text.isascii() and text.isalpha() else 0


def _chinese_number(text: str) -> int:
    if TENS.keys().isdisjoint(text):  # 二〇: digit by digit
        return int("".join(str(NUMERALS[char]) for char in text))
    total = digit = 0
    for char in text:
        unit = TENS.get(char)
        if unit is None:
            digit = NUMERALS[char]
        else:
            total += (digit or 1) * unit
            digit = 0
    return total + digit
