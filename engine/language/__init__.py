"""What the engine knows of single languages, as data: one TOML file a language, read once.

Only words that build questions and sentences stand there (question words, pronouns, conjunctions, numerals), never
words of a subject.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent
CODES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Language:
    """The data of one language.

    ``asks`` and ``nouns`` are question words and the nouns behind them by the kind of thing asked for;
    ``conversation``, ``talk``, ``parts``, ``yes_no`` and ``values`` hold lists by their use, as the files explain.
    """

    code: str
    spaced: bool
    function_words: tuple[str, ...]
    function_characters: frozenset[str]
    asks: Mapping[str, tuple[str, ...]]
    nouns: Mapping[str, tuple[str, ...]]
    conversation: Mapping[str, tuple[str, ...]]
    talk: Mapping[str, tuple[str, ...]]
    parts: Mapping[str, tuple[str, ...]]
    yes_no: Mapping[str, tuple[str, ...]]
    numbers: tuple[str, ...]
    dates: tuple[str, ...]


@lru_cache(maxsize=32)
def any_of(words: tuple[str, ...], spaced: bool) -> re.Pattern[str]:
    """Return the pattern of any of these words, the longest first; whole words where a language is ``spaced``."""
    either = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"\b(?:{either})\b" if spaced else f"(?:{either})", re.IGNORECASE)


@cache
def _read(code: str) -> Language:
    data = patterns(code)

    def lists(name: str) -> dict[str, tuple[str, ...]]:
        return {kind: tuple(words) for kind, words in data.get(name, {}).items()}

    def words(text: str) -> tuple[str, ...]:
        return tuple(text.split()) if data["spaced"] else tuple(text.replace(" ", ""))

    values: dict[str, Any] = data["values"]
    return Language(
        data["code"], data["spaced"], tuple(data["function_words"].split()),
        frozenset(data.get("function_characters", "")), lists("asks"), lists("nouns"), lists("conversation"),
        lists("talk"), lists("parts"), lists("yes_no"), words(values["numbers"]), words(values["dates"]),
    )  # fmt: skip


def language_data(code: str) -> Language:
    """Return the data of a language by its ISO 639-1 code; English for one that has no file."""
    return _read(code if code in CODES else "en")


@cache
def cohort() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return (question, answering sentence) pairs by language, which tell what cosines of a model are worth."""
    return {code: tuple((pair[0], pair[1]) for pair in pairs) for code, pairs in patterns("cohort").items()}


def words_that_say_little(name: str) -> frozenset[str]:
    """Return one of the lists in ``words.toml`` by its name, such as "stop"."""
    return frozenset(patterns("words")[name].split())


@cache
def patterns(name: str) -> Mapping[str, Any]:
    """Return the file of this name in this folder: "documents", "intent", "labels", "statements" …"""
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text("utf-8"))


def compiled(words: str) -> re.Pattern[str]:
    """Return a pattern of such a file, which may go over several lines and counts in either case."""
    return re.compile(words.replace("\n", ""), re.IGNORECASE)


def composed(words: str, parts: Mapping[str, str]) -> str:
    """Return a pattern of such a file with each <name> in it replaced by the part of that name."""
    for name, part in parts.items():
        words = words.replace(f"<{name}>", part)
    return words.replace("\n", "")
