"""The words by which questions ask for operators and conditions: data, one file for all languages."""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from engine.answer.tables.lexis import base_form
from engine.retrieve.translation import in_simplified

_FILE = Path(__file__).parents[2] / "language" / "tables.toml"
# A change is told as a difference, or in percent where a share is asked for ("by what percentage did it rise").
CHANGES = frozenset({"change", "rise", "fall"})
_MARK = re.compile(r"[\s:：*·•\-–—]+|[(（][^()（）]*[)）]\s*$")


@dataclass(frozen=True, slots=True)
class Cue:
    """A phrase of a question that asks for something: ``kind`` is what, ``start`` and ``end`` are its characters."""

    kind: str
    start: int
    end: int


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text("utf-8"))


@lru_cache(maxsize=16)
def _pattern(section: str) -> tuple[re.Pattern[str], dict[str, tuple[str, ...]]]:
    """Return the pattern of all phrases of a section, the longest first, and what each may mean."""
    meanings: dict[str, list[str]] = {}
    for told in _data()[section].values():
        kinds = told if isinstance(told, dict) else {section: told}
        for kind, phrases in kinds.items():
            for phrase in phrases:
                meanings.setdefault(phrase, []).append(kind)
    pattern = "|".join(map(_bounded, sorted(meanings, key=len, reverse=True)))
    return re.compile(pattern, re.IGNORECASE), {phrase: tuple(kinds) for phrase, kinds in meanings.items()}


def _bounded(phrase: str) -> str:
    escaped = re.escape(phrase).replace(r"\ ", r"\s+")
    begins = "" if phrase.startswith("n'") else r"(?<![^\W\d_])"  # "n't" ends a word
    return rf"{begins}{escaped}(?![^\W\d_])" if phrase.isascii() else escaped


@lru_cache(maxsize=1024)  # the same question is held against many tables
def cues(text: str, section: str) -> tuple[Cue, ...]:
    """Return the phrases of a section ("operations", "comparisons", "asking" …) in a text, the longest first."""
    pattern, meanings = _pattern(section)
    found: list[Cue] = []
    for match in pattern.finditer(text if text.isascii() else in_simplified(text)):
        key = re.sub(r"\s+", " ", match[0].casefold())
        found += [Cue(kind, match.start(), match.end()) for kind in meanings.get(key, ())]
    return tuple(found)


@lru_cache(maxsize=1)
def asking_forms() -> frozenset[str]:
    """Return the base forms of the single words that carry a question and name nothing."""
    return frozenset(base_form(word) for word in _data()["asking"]["en"] if word.isalpha())


@lru_cache(maxsize=1)
def number_words() -> dict[str, int]:
    """Return the words for two to ten with their numbers."""
    return {"两": 2} | {one: n for words in _data()["number_words"].values() for n, one in enumerate(words, 2)}


@lru_cache(maxsize=1)
def truth_words() -> dict[str, bool]:
    """Return what the cells of a column of yes and no say, in small letters."""
    return {text: said == "yes" for said, texts in _data()["truth"].items() for text in texts}


def is_total_word(text: str) -> bool:
    """True for a word that asks for a sum as well as it names a row: "total", 合计."""
    return any(text.strip().casefold() in words for words in _data()["total"].values())


def is_total(text: str) -> bool:
    """True for the name of a row that adds up others: a total word alone, or one at its begin or end."""
    plain, told = _MARK.sub(" ", text).strip().casefold(), _data()["total"]
    words = plain.split()
    if words and len(words) <= 6 and {words[0], words[-1]} & {"total", "totals", "subtotal", "sub-total"}:
        return True
    return plain in told["en"] or any(plain.startswith(word) or plain.endswith(word) for word in told["zh"])
