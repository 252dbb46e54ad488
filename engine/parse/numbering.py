"""Numbers in front of headings and list items, in Chinese and English.

Ranks follow what writers do: parts hold chapters, chapters hold sections; in Chinese 一、 holds （一） holds
1. holds （1）; in English I. holds A. holds 1. holds a).
"""

from __future__ import annotations

import re
from typing import NamedTuple

_HAN = "〇零一二三四五六七八九十百千两壹贰叁肆伍陆柒捌玖拾"
_ROMAN = r"(?=[IVXLC])(?:X{0,3}(?:IX|IV|V?I{0,3})|[LC])"
_WORDS = "ONE|TWO|THREE|FOUR|FIVE|SIX|SEVEN|EIGHT|NINE|TEN|ELEVEN|TWELVE|FIRST|SECOND|THIRD|FOURTH|FIFTH"
_LABEL = rf"(?:\d{{1,3}}(?:\.\d{{1,3}})*|{_ROMAN}|[A-Z]|{_WORDS})\b"

# (kind, rank, pattern); the pattern's group is the label. The first that matches counts.
_KINDS: tuple[tuple[str, int, re.Pattern[str]], ...] = (
    ("part", 1, re.compile(rf"(第\s*[{_HAN}\d]{{1,6}}\s*(?:[编編部卷篇册]|部分)|[上中下]编)(?=[\s:：、]|$)\s*")),
    ("part", 1, re.compile(rf"((?:PART|BOOK|VOLUME)\s+{_LABEL})[.:]?\s*", re.I)),
    ("chapter", 2, re.compile(rf"(第\s*[{_HAN}\d]{{1,6}}\s*[章回])\s*")),
    ("chapter", 2, re.compile(rf"((?:CHAPTER|LECTURE)\s+{_LABEL})[.:]?\s*", re.I)),
    ("chapter", 2, re.compile(r"((?:APPENDIX|ANNEX|EXHIBIT|SCHEDULE)\s+(?:[A-Z]|\d{1,2})\b)[.:]?\s*", re.I)),
    ("chapter", 2, re.compile(r"(附[录錄件]\s*[A-Z\d一二三四五六七八九十]{0,3}(?=[\s:：]|$))[:：]?\s*")),
    ("section", 3, re.compile(rf"(第\s*[{_HAN}\d]{{1,6}}\s*[节節])\s*")),
    ("section", 3, re.compile(rf"((?:SECTION|ARTICLE)\s+{_LABEL}|§+\s*\d+(?:\.\d+)*)[.:]?\s*", re.I)),
    ("article", 9, re.compile(rf"(第\s*[{_HAN}\d]{{1,6}}\s*[条條款])\s*")),
    ("decimal", 7, re.compile(r"(\d{1,3}(?:\.\d{1,3}){1,5})\.?(?:\s+|(?=[^\W\d_a-zA-Z]))(?![%％])")),
    ("roman", 4, re.compile(rf"({_ROMAN})[.、]\s+")),
    ("han", 5, re.compile(rf"([{_HAN}]{{1,4}})[、．.]\s*")),
    ("han_paren", 6, re.compile(rf"([(（][{_HAN}]{{1,4}}[)）])\s*")),
    ("decimal", 7, re.compile(r"(\d{1,3})(?:[.．](?!\d)|、)\s*")),
    ("bare", 7, re.compile(r"(\d{1,2})\s+(?=[^\W\d_])")),
    ("letter", 6, re.compile(r"([A-Z])\.\s+")),
    ("paren", 8, re.compile(r"([(（](?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[)）])\s*")),
    ("paren", 8, re.compile(r"((?:\d{1,3}|[a-z]|[ivx]{2,5})[)）])\s*")),
    ("circled", 9, re.compile(r"([①-⑳⑴-⒇⒈-⒛])\s*")),
)  # fmt: skip
_BULLET = re.compile(r"([•●▪■◦○□▶➢➤✓✔❖◆◇★※‣⁃·∙]|[-*+–—](?=\s))\s*(?=\S)")
_MARKERS = frozenset({"decimal", "paren", "circled", "han", "han_paren"})
# Most lines begin with a word; few words and letters can be numbers.
_LETTERED = re.compile(
    r"(?:part|book|volume|chapter|lecture|appendix|annex|exhibit|schedule|section|article)\s|[A-Za-z]{1,7}[.)、]",
    re.I,
)
_HAN_DIGITS = {c: i for i, c in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "十": 10}
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


class Numbering(NamedTuple):
    """A number in front of a text: its kind, its label as it stands there, the rest of the text.

    ``rank`` orders kinds from the outermost; ``depth`` is the number of parts of a label such as 1.2.3.
    """

    kind: str
    label: str
    rest: str
    rank: int
    depth: int

    @property
    def value(self) -> int | None:
        """The last part of the label as a number, None where it is none."""
        return _number(self.label)


def numbering(text: str) -> Numbering | None:
    """Return the number that a heading or list item begins with, if it does."""
    head = text[:64]
    if head[:1].isascii() and head[:1].isalpha() and not _LETTERED.match(head):
        return None
    for kind, rank, pattern in _KINDS:
        if match := pattern.match(head):
            label = match[1]
            depth = label.count(".") + 1 if kind in {"decimal", "bare"} else 1
            return Numbering("decimal" if kind == "bare" else kind, label, text[match.end() :], rank, depth)
    return None


class Marker(NamedTuple):
    """What a list item begins with, as it stands there, and the text after it."""

    label: str
    rest: str
    ordered: bool


def bullet(text: str) -> Marker | None:
    """Return the bullet that a line begins with, if it does."""
    match = _BULLET.match(text)
    return Marker(match[1], text[match.end() :], False) if match else None


def list_marker(text: str) -> Marker | None:
    """Return the bullet or number that makes a line a list item, if it has one."""
    if marker := bullet(text):
        return marker
    found = numbering(text)
    if found is None or found.kind not in _MARKERS or found.depth > 1 or not found.rest:
        return None
    if text[len(found.label)] not in ".、)）．" and found.kind == "decimal":
        return None
    return Marker(text[: len(text) - len(found.rest)].strip(), found.rest, True)


def _number(label: str) -> int | None:
    digits = re.findall(r"\d+", label)
    if digits:
        return int(digits[-1])
    bare = label.strip("()（）. ")
    if han := [c for c in bare if c in _HAN_DIGITS]:
        return _han_number(han)
    last = bare.split()[-1] if bare.split() else ""
    if last and all(c in _ROMAN_DIGITS for c in last):
        values = [_ROMAN_DIGITS[c] for c in last]
        return sum(-v if v < max(values[i:]) else v for i, v in enumerate(values))
    if len(last) == 1 and last.isascii() and last.isalpha():
        return ord(last.lower()) - 96
    if last and "①" <= last <= "⑳":
        return ord(last) - ord("①") + 1
    return None


def _han_number(digits: list[str]) -> int:
    total, pending = 0, 0
    for c in digits:
        if c == "十":
            total, pending = total + (pending or 1) * 10, 0
        else:
            pending = pending * 10 + _HAN_DIGITS[c] if pending else _HAN_DIGITS[c]
    return total + pending
