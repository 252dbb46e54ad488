"""Texts as sequences of units that can be compared, and how far these match names.

Units are base forms of words, single Chinese characters and numbers.

Headers, cell values and questions are cut the same way, so that a header or value is found in a question as a run of
units. Base forms come from simplemma (dictionary lookup) with Snowball stems for what it does not know.
"""

import math
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import simplemma
import Stemmer

from engine.enrich.cell_values import is_year

_CJK = "\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_PIECE = re.compile(
    rf"(?P<month>十?[一二]|[三四五六七八九十])(?=月)|(?P<cjk>[{_CJK}])|(?P<number>\d+(?:,\d{{3}})*(?:\.\d+)?)|(?P<word>(?:(?![{_CJK}\d_])\w)+)"
)
_MONTHS = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")
_CJK_ONLY = re.compile(rf"[{_CJK}]+")
_JOINED, _LONGEST = re.compile(r"(?<=[a-z])(?=[A-Z])"), 2000  # programs export "FinalScore"
# "FY19" is 2019.
_FISCAL, _SHORT_YEAR = frozenset({"fy", "cy"}), re.compile(r"[0-4]\d")


class Unit(NamedTuple):
    """One unit of a text: its comparable form, and the characters of the text that it stands for."""

    form: str
    start: int
    end: int

    @property
    def weight(self) -> float:
        """How much of a text's content a unit is worth: a number most, a single Chinese character half a word."""
        return 1.5 if self.form[0].isdigit() else 0.5 if is_cjk(self.form) else 1.0


@lru_cache(maxsize=1 << 15)
def units(text: str) -> tuple[Unit, ...]:
    """Return the units of a text in order; of a very long text only those of its beginning."""
    found = [Unit(_form(match), match.start(), match.end()) for match in _PIECE.finditer(text[:_LONGEST])]
    for place, unit in enumerate(found[1:], 1):
        if found[place - 1].form in _FISCAL and _SHORT_YEAR.fullmatch(unit.form):
            found[place] = unit._replace(form=f"20{unit.form}")
    return tuple(found)


def forms(text: str) -> tuple[str, ...]:
    """Return the comparable forms of a text's units, in order."""
    return tuple(unit.form for unit in units(text))


def _form(match: re.Match[str]) -> str:
    if match["month"]:
        return str(_MONTHS.index(match["month"]) + 1)
    if match["cjk"]:
        return match["cjk"]
    if match["number"]:
        number = unicodedata.normalize("NFKC", match["number"]).replace(",", "")
        return number.rstrip("0").rstrip(".") if "." in number else number
    return base_form(unicodedata.normalize("NFKC", match["word"]).casefold())


@lru_cache(maxsize=1 << 15)
def base_form(word: str) -> str:
    """Return the base form of a word in small letters."""
    if not word.isascii() or len(word) <= 2:
        return word
    stemmer = Stemmer.Stemmer("english")  # not thread-safe, cheap to make
    return str(stemmer.stemWord(simplemma.lemmatize(word, lang="en").casefold()))


@lru_cache(maxsize=1 << 14)
def is_cjk(form: str) -> bool:
    """True for a unit of Chinese, Japanese or Korean script."""
    return _CJK_ONLY.fullmatch(form) is not None


def header_forms(levels: Sequence[str], dated: bool) -> list[tuple[str, ...]]:
    """Return the units of a header's levels; years in them are for periods, which are linked for themselves."""
    found = [tuple(form for form in forms(_JOINED.sub(" ", one)) if not (dated and is_year(form))) for one in levels]
    return [level for level in found if level]


def contains(held: Sequence[str], run: Sequence[str]) -> bool:
    """True where a run of units stands in a text's units."""
    size = len(run)
    return any(tuple(held[i : i + size]) == tuple(run) for i in range(len(held) - size + 1))


def fullest(texts: dict[int, list[str]], size: int) -> tuple[dict[int, list[str]], float]:
    """Of values that hold a run of units, return those it says most of, and what share of them that is.

    The share is divided among several values: which of them is meant is not said.
    """
    lengths = {text: len(forms(text)) for one in texts.values() for text in one}
    shortest = min(lengths.values())
    kept = {c: [t for t in one if lengths[t] == shortest] for c, one in texts.items()}
    different = {text.casefold() for one in kept.values() for text in one}
    return {c: one for c, one in kept.items() if one}, size / shortest / max(1, len(different))


def apart(form: str, holding: int, size: int) -> float:
    """Return how far a unit sets a name apart from its siblings: little where all of them have it."""
    base = 0.5 if is_cjk(form) else 1.0
    return base * max(0.1, math.log((1 + size) / max(1, holding)) / math.log(1 + size)) if size > 1 else base


def runs(places: Sequence[int]) -> list[list[int]]:
    """Return runs of neighbouring places."""
    found: list[list[int]] = []
    for place in places:
        if found and found[-1][-1] == place - 1:
            found[-1].append(place)
        else:
            found.append([place])
    return found


def inner(run: Sequence[int], held: Sequence[str], most: int) -> list[tuple[int, int]]:
    """Return the stretches of a run of at most so many units, (first, end), the longest first.

    Single Chinese characters are none.
    """
    return [
        (start, start + size)
        for size in range(min(most, len(run)), 0, -1)
        for start in run[: len(run) - size + 1]
        if size > 1 or not is_cjk(held[start])
    ]
