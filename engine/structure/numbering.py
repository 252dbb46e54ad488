"""Numbers and bullets before headings and list items, in Chinese and English: kind, values, place in the order.

Parts hold chapters hold sections; in Chinese 一、 holds （一） holds 1. holds （1）; in English I. holds A. holds 1.
Numbers are written in digits, in Chinese numerals and in English words, with their hundreds, thousands and millions.
"""

import math
import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from engine.structure.sequences import grouped

CHINESE = "零〇一二三四五六七八九十百千两壹贰叁肆伍陆柒捌玖拾"
ROMANS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
SPELLED = {word: value for value, word in enumerate(
    "one two three four five six seven eight nine ten eleven twelve".split(), 1
)} | {word: value for value, word in enumerate("first second third fourth fifth".split(), 1)}  # fmt: skip
# Depths of Chinese parts; 条 (article) is the unit of text, not a heading by itself.
CHINESE_DEPTH = {"编": 1, "部": 1, "卷": 1, "篇": 1, "册": 1, "章": 2, "回": 2, "节": 3, "条": 4, "款": 5}
TRADITIONAL = {"編": "编", "節": "节", "條": "条"}
# The order in which print nests kinds of numbers, smaller is higher; decimal numbers state their depth themselves.
_WORD_ORDER = {
    "book": -9, "volume": -9, "part": -8, "title": -7, "chapter": -7, "lecture": -7, "unit": -7, "lesson": -7,
    "item": -7, "appendix": -7, "annex": -7, "schedule": -7, "exhibit": -7, "section": -6, "article": -6, "note": -5,
}  # fmt: skip
_KIND_ORDER = {"chinese": -4, "roman": -4, "chinese_paren": -3, "letter": -3, "paren": 9, "circled": 10}
_OTHER_WORDS = "item|unit|lesson|title|note|kapitel|chapitre|annexe"
_DIVISIONS = "part book volume chapter lecture appendix annex exhibit schedule section article".split()
_WORDS = rf"{'|'.join(_DIVISIONS)}|{_OTHER_WORDS}"
_COUNT = rf"[{CHINESE}\d]{{1,6}}"

# (kind, pattern): the first that matches counts. Groups: ``n`` number, ``u`` unit, ``label`` the number with what
# belongs to it.
PATTERNS = [
    (kind, re.compile(pattern))
    for kind, pattern in (
        (
            "chinese_unit",
            rf"(?P<label>第\s*(?P<n>{_COUNT})\s*(?P<u>分?[编編篇章回节節条條款]|部分|[部卷册](?=[\s:：、]|$)))"
            rf"(?![{CHINESE}\d])\s*",
        ),
        (
            "word",
            rf"(?i)(?P<label>(?P<u>{_WORDS})\s+"
            rf"(?P<n>\d{{1,3}}(?:\.\d{{1,3}})*[A-Z]?|[IVXLC]+|[A-Z]|{'|'.join(SPELLED)})\b)[.:]?\s*",
        ),
        ("word", r"(?P<label>(?P<u>附[录錄件])\s*(?P<n>[A-Z\d一二三四五六七八九十]{0,3})(?=[\s:：]|$))[:：]?\s*"),
        ("word", r"(?P<label>(?P<u>§)+\s*(?P<n>\d+(?:\.\d+)*))[.:]?\s*"),
        (
            "decimal",
            r"(?:§+\s*)?(?P<label>(?P<n>(?:\d{1,3}|[A-Z])(?:[.．]\d{1,3}){1,5}))[.．、]?(?![\d%])"
            r"(?:\s+|(?=[^\W\d]))",
        ),
        ("chinese", rf"(?P<label>(?P<n>[{CHINESE}]{{1,4}}))[、.．]\s*"),
        ("chinese_paren", rf"(?P<label>[（(](?P<n>[{CHINESE}]{{1,4}})[）)])\s*"),
        ("number", r"(?P<label>(?P<n>\d{1,3}))(?:[.．](?!\d)|、)\s*"),
        ("number", r"(?P<label>(?P<n>\d{1,2}))\s+(?=[^\W\d_])"),
        ("roman", r"(?P<label>(?P<n>(?=[IVXLC])(?:X{0,3}(?:IX|IV|V?I{0,3})|[LC])))[.、]\s+"),
        ("roman", r"(?P<label>(?P<n>[IVXLC]{1,7}))[.)]\s+"),
        ("roman", r"(?P<label>(?P<n>[IVX]{2,6}))\s+(?=[A-Z])"),
        ("letter", r"(?P<label>(?P<n>[A-Z]))\.\s+(?=\S|$)"),
        ("letter", r"(?P<label>(?P<n>[A-Z]))(?:\)\s+(?=\S)|\s+(?=[A-Z][a-z]))"),
        ("paren", r"(?P<label>[(（](?P<n>\d{1,3}|[a-zA-Z]|[ivx]{1,5})[)）])\s*"),
        ("paren", r"(?P<label>(?P<n>\d{1,3}|[a-z]|[ivx]{2,5})[)）])\s*"),
        ("circled", r"(?P<label>(?P<n>[①-⑳⑴-⒇⒈-⒛]))\s*"),
    )
]
# Most lines begin with a word; few words and letters can be numbers.
_LETTERED = re.compile(rf"(?:{_WORDS})\s|[A-Za-z]{{1,7}}[.)、\s]|[A-Z][.．]\d", re.IGNORECASE)
_COUNTED = re.compile(r"(?P<label>(?P<u>[^\W\d_]+)\s?(?P<n>\d{1,3})(?P<end>[^\W\d_])?)(?=[\s:：.(（]|$)[:：.]?\s*")
_READ = 64
_BULLET = re.compile(r"([•●▪■◦○□▶➢➤✓✔❖◆◇★※‣⁃·∙]|[-*+–—](?=\s))\s*(?=\S)")
_MARKERS = frozenset({"decimal", "number", "paren", "circled", "chinese", "chinese_paren"})
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = dict(zip((*_ONES, *_TENS), (*range(20), *range(20, 100, 10)), strict=True))
# "One month" is said of any; from two on a number is meant.
NUMBER_WORDS = rf"(?:(?:{'|'.join(_TENS)})(?:[-\s](?:{'|'.join(_ONES[1:10])}))?|{'|'.join(_ONES[2:])})"
_POWERS = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_LARGE = {word: 10**power for word, power in _POWERS.items()} | {"dozen": 12}
LARGE_WORDS = "|".join(_LARGE)
_SIMPLE = str.maketrans("〇○两兩萬億點", "零零二二万亿点")
# 百人 are a hundred.
_BARE = re.compile("(?<![零一二三四五六七八九])(?=[百千])")


class Numbering(NamedTuple):
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
    def divides(self) -> bool:
        """Whether it counts the parts, chapters or sections of a text, not its articles (条)."""
        if self.kind == "chinese_unit":
            return self.unit[-1] not in "条款"
        return self.kind == "word" and self.unit in _DIVISIONS

    @property
    def order(self) -> tuple[int, int]:
        """Where its kind stands among the others (smaller is higher), and its decimal depth."""
        if self.kind == "chinese_unit":
            return (CHINESE_DEPTH.get(self.unit[-1], 5) - 10, 0)
        if self.kind == "word":
            return (_WORD_ORDER.get(self.unit, -6), 0)
        return (0, self.depth) if self.family == "decimal" else (_KIND_ORDER[self.kind], 0)

    @property
    def value(self) -> int | None:
        """The last of the values, None where it is none."""
        return self.values[-1] or None


def numbering_of(text: str) -> Numbering | None:
    """Return the number that a heading or an item begins with, or None."""
    head = text[:_READ]
    if head[:1].isascii() and head[:1].isalpha() and not _LETTERED.match(head):
        return None
    for kind, pattern in PATTERNS:
        if match := pattern.match(head):
            unit = _unit(kind, match.groupdict().get("u") or "")
            parts = re.split("[.．]", match["n"]) if kind in ("decimal", "word") else [match["n"]]
            values = tuple(map(value_of, parts))
            return Numbering(kind, values, match[0].strip(), unit, match["label"], text[match.end() :])
    return None


def counted_by_word(text: str) -> Numbering | None:
    """Return a word and the number after it that a text begins with ("Pasal 3", 제3조), else None."""
    if not (match := _COUNTED.match(text[:_READ])):
        return None
    unit = f"{match['u']}{match['end'] or ''}".casefold()
    return Numbering("word", (int(match["n"]),), match[0].strip(), unit, match["label"], text[match.end() :])


def by_series(numbers: Sequence[Numbering | None]) -> dict[tuple[str, str, tuple[int, ...]], list[tuple[int, int]]]:
    """Return index and value of numbers by what those that count on have in common: 2.1 and 2.2, 一、 and 二、."""
    told = ((index, number, number.value) for index, number in enumerate(numbers) if number)
    return grouped(((one.kind, one.unit, one.values[:-1]), (index, value)) for index, one, value in told if value)


def without_number(title: str) -> str:
    """Return a heading without the number it begins with."""
    number = numbering_of(title)
    return title[len(number.text) :].lstrip(" .．、:：)-–—\t\u3000") if number else title


def _unit(kind: str, unit: str) -> str:
    if kind == "chinese_unit":
        return "".join(TRADITIONAL.get(char, char) for char in unit).replace("部分", "部")
    return {"附录": "appendix", "附錄": "appendix", "附件": "appendix", "§": "section"}.get(unit, unit.casefold())


def value_of(text: str) -> int:
    """Return the value of one number in digits, Chinese or Roman numerals, a word or a letter; 0 for none of these."""
    if text.isdecimal():
        return int(text)
    if text and all(char in CHINESE for char in text):
        return int(number_of(text) or 0)
    if text.isupper() and all(char in ROMANS for char in text) and (len(text) > 1 or text in "IVX"):
        digits = [ROMANS[char] for char in text]
        return sum(-a if a < b else a for a, b in zip(digits, [*digits[1:], 0], strict=True))
    if text.casefold() in SPELLED:
        return SPELLED[text.casefold()]
    if len(text) == 1 and text.isascii() and text.isalpha():
        return ord(text.upper()) - ord("A") + 1
    return int(unicodedata.numeric(text, 0)) if len(text) == 1 else 0  # ①, ⑴, ⒈


class Marker(NamedTuple):
    """The number that a list item begins with, as it stands there, "" for a bullet, and the text after it."""

    label: str
    rest: str


def bullet(text: str) -> Marker | None:
    """Return the bullet that a line begins with, if it does."""
    match = _BULLET.match(text)
    return Marker("", text[match.end() :]) if match else None


def list_marker(text: str) -> Marker | None:
    """Return the bullet or number that makes a line a list item, if it has one."""
    if marker := bullet(text):
        return marker
    found = numbering_of(text)
    if found is None or found.kind not in _MARKERS or found.depth > 1 or not found.rest:
        return None
    if text[len(found.label)] not in ".、)）．" and found.family == "decimal":
        return None
    return Marker(text[: len(text) - len(found.rest)].strip(), found.rest)


def number_of(text: str) -> Decimal | None:
    """Return the value of a written number; None for what is none."""
    plain = text.replace(",", "").casefold()
    if re.fullmatch(r"\d+(?:\.\d+)?", plain):
        return Decimal(plain)
    words = re.split(r"[-\s]", plain)
    small = [word for word in words if word not in _LARGE]
    if small and all(word in _VALUES for word in small):
        return Decimal(sum(map(_VALUES.__getitem__, small)) * math.prod(_LARGE.get(word, 1) for word in words))
    import cn2an  # takes long to load, and most commands read no number

    try:
        return Decimal(str(cn2an.cn2an(_BARE.sub("一", plain.translate(_SIMPLE)), "smart")))
    except (ValueError, KeyError):  # 一亿〇亿 is no number, which the library tells by its own failure
        return None
