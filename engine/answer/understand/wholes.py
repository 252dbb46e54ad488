"""Questions about documents as wholes: what one is about, which mention something, what changed between two versions.

They are known by example sentences (``engine/language/wholes.toml``): a question is of the kind of the sentence that
says most of the same words in the same order. What no sentence of that kind says is the question's own subject; where
the kind takes none, the question is another one.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path, PurePath
from typing import NamedTuple

import simplemma

import engine.language
from engine.language import language_data
from engine.structure.numbering import CHINESE

NAMED = "{}"
QUOTES = "\"'“”‘’「」『』《》〈〉"
_SUBJECT = "_"
# So much of what a question and an example say must be the same; words that only build sentences count a little.
ALIKE, BUILDING = 0.5, 0.3
_PIECE = r"\{\}|[^\W_]*[a-z][^\W_]*(?:-[a-z]+)*|\d[\d.,]*|[㐀-鿿]|_"
_HAN = re.compile(r"[㐀-鿿]$")
_POSSESSIVE = re.compile(r"['’]s\b", re.IGNORECASE)
_FILE = Path(engine.language.__file__).with_name("wholes.toml")


class Piece(NamedTuple):
    """A word in its base form, or a character of a script without spaces, and where it stands."""

    said: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Whole:
    """What is asked of documents: ``kind`` is the name of the examples, ``subject`` what the question adds to them."""

    kind: str
    subject: str
    alike: float


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    examples: tuple[dict[object, float], ...]
    with_subject: tuple[bool, ...]
    told: frozenset[object]
    """What its examples say."""
    said: frozenset[object] = frozenset()
    """What those of all kinds with the same name before the point say."""


def whole_asked(text: str, kinds: Sequence[str], *, unknown_names: bool = False) -> Whole | None:
    """Return which of the kinds a question is of, and its subject; None for another question.

    What the question names must stand there as :data:`NAMED`; with ``unknown_names`` what it adds may be a name, too.
    """
    pieces = pieces_of(text)
    best, other = Whole("other", "", ALIKE), _kinds()["other"].told
    for kind in (*(_kinds()[name] for name in kinds), _kinds()["other"]):
        own = _own(pieces, kind)
        span = (own[0], own[-1] + 1) if own else None
        left = [one.said for one in pieces]
        if span is not None:
            left[span[0] : span[1]] = [_SUBJECT]
        grams = _grams(left)
        renamed = _grams([NAMED if one == _SUBJECT else one for one in left]) if unknown_names else grams
        # What takes a subject is told by a word of its own: "mention", not "which documents are".
        telling = [one for one in left if one != _SUBJECT and one not in other]
        for example, takes in zip(kind.examples, kind.with_subject, strict=True):
            if takes != (span is not None) and (takes or not unknown_names):
                continue
            if span is not None and not any(one in example for one in telling):
                continue
            if (alike := _alike(grams if takes else renamed, example)) > best.alike:
                subject = text[pieces[span[0]].start : pieces[span[1] - 1].end] if span else ""
                best = Whole(kind.name, subject, alike)
    return None if best.kind == "other" else best


def names_put(text: str, names: Sequence[str]) -> tuple[str, list[str]]:
    """Return a text with :data:`NAMED` for each file's name in it, with or without its ending, and these names."""
    found: list[str] = []
    plain = spaced(text)
    for name in sorted(names, key=len, reverse=True):
        for form in dict.fromkeys((name, PurePath(name).stem)):
            if len(form) > 1 and spaced(form) in plain and (pattern := _naming(form)).search(text):
                text, plain = pattern.sub(f" {NAMED} ", text), spaced(pattern.sub(" ", text))
                found.append(name)
                break
    return text, found


@lru_cache(maxsize=4096)
def _naming(form: str) -> re.Pattern[str]:
    words = r"[\s_-]+".join(re.escape(word) for word in re.split(r"[\s_-]+", form) if word)
    return re.compile(rf"(?<![a-z0-9])[“\"《‘]?{words}[”\"》’]?(?![a-z0-9])", re.IGNORECASE)


def spaced(text: str) -> str:
    """Return a text in lower case whose words are parted by one space, as names of files are not, without quotes."""
    return " ".join(re.sub(rf"[_\-\s{QUOTES}]+", " ", unicodedata.normalize("NFKC", text).casefold()).split())


def added_to(text: str, kind: str) -> str:
    """Return the words of a question that no example of a kind says, each as it stands."""
    pieces = pieces_of(text)
    told, at = "", -1
    for place in _own(pieces, _kinds()[kind]):
        one = pieces[place]
        told += text[one.start : one.end] if one.start == at else f" {text[one.start : one.end]}"
        at = one.end
    return told.strip()


def kinds_said(text: str, kinds: Sequence[str]) -> list[str]:
    """Return the kinds of which a question says what the examples of that kind alone say."""
    grams = set(_grams([one.said for one in pieces_of(text)]))
    told = {name: {gram for gram in _kinds()[name].told if _carries(gram)} for name in kinds}
    others = {name: set().union(*(told[other] for other in kinds if other != name)) for name in kinds}
    return [name for name in kinds if grams & (told[name] - others[name])]


def _carries(gram: object) -> bool:
    """True for a word, or a pair, that says something by itself, as one character does not."""
    said = gram if isinstance(gram, tuple) else (gram,)
    return not any(one in _building() or one == _SUBJECT for one in said) and not (
        len(said) == 1 and _HAN.match(said[0])
    )


def speaks_of(text: str, words: str) -> bool:
    """Tell whether a text has one of the words in a list of the file: "documents", "sections", "passages"."""
    said = {_lemma(word) for word in re.findall(r"[a-z-]+", text.lower())}
    return any(word in (said if word.isascii() else text) for word in _file()[f"words.{words}"])


def pieces_of(text: str) -> list[Piece]:
    """Return the pieces of a text in order."""
    plain = unicodedata.normalize("NFKC", text)
    text = _POSSESSIVE.sub("  ", plain if len(plain) == len(text) else text)
    found = (Piece(_base(match[0].lower()), *match.span()) for match in _pattern().finditer(text))
    return [one for one in found if one.said not in _file()["words.said"]]


def _base(word: str) -> str:
    base = _lemma(word) if word.isascii() and word.isalpha() else word
    return NAMED if base in _file()["words.documents"] else base


@lru_cache(maxsize=1 << 13)
def _lemma(word: str) -> str:
    return str(simplemma.lemmatize(word, lang="en")).lower()


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    words = (*_file()["words.documents"], *_file()["words.said"])
    called = sorted((word for word in words if not word.isascii()), key=len, reverse=True)
    return re.compile(f"{'|'.join(called)}|{_PIECE}", re.IGNORECASE)


def _grams(said: Sequence[str]) -> dict[object, float]:
    """Return the pieces and the pairs of neighbours with what they weigh; "{} and {} of {}" is one thing named."""
    kept: list[str] = []
    for one in said:
        if one == NAMED and NAMED in kept:
            last = len(kept) - kept[::-1].index(NAMED)
            if all(between in _building() for between in kept[last:]):
                del kept[last:]
                continue
        kept.append(one)
    grams: dict[object, float] = {one: _weight(one) for one in kept}
    grams |= {pair: (_weight(pair[0]) + _weight(pair[1])) / 4 for pair in pairwise(kept)}
    return grams


@lru_cache(maxsize=1 << 12)
def _weight(said: str) -> float:
    return BUILDING if said in _building() or said == _SUBJECT else 1.0


@lru_cache(maxsize=1)
def _building() -> frozenset[str]:
    english, chinese = language_data("en"), language_data("zh")
    words = (one.said for word in english.function_words for one in pieces_of(word))
    return frozenset((*words, *chinese.function_characters, *CHINESE, NAMED))


def _alike(one: dict[object, float], other: dict[object, float]) -> float:
    shared = sum(weight for gram, weight in one.items() if gram in other)
    return 2 * shared / max(sum(one.values()) + sum(other.values()), 1e-9)


def _own(pieces: Sequence[Piece], kind: _Kind) -> list[int]:
    """Return the places of what a question says besides all that the examples of a kind do.

    A character counts with one of its neighbours: 约 of 违约金 is not that of 约定.
    """
    said = [one.said for one in pieces]
    own = []
    for place, one in enumerate(said):
        if one in _building():
            continue
        around = pairwise(said[max(0, place - 1) : place + 2]) if _HAN.match(one) else [one]
        if not any(gram in kind.said for gram in around):
            own.append(place)
    return own


def _of_examples(name: str, examples: Sequence[str]) -> _Kind:
    said = [[one.said for one in pieces_of(example)] for example in examples]
    grams = tuple(map(_grams, said))
    return _Kind(
        name, grams, tuple(_SUBJECT in one for one in said), frozenset(gram for one in grams for gram in one)
    )


@lru_cache(maxsize=1)
def _file() -> dict[str, list[str]]:
    data = tomllib.loads(_FILE.read_text("utf-8"))
    flat = {name: told for name, told in data.items() if isinstance(told, list)}
    nested = {group: kinds for group, kinds in data.items() if group not in flat}
    return flat | {f"{group}.{name}": told for group, kinds in nested.items() for name, told in kinds.items()}


@lru_cache(maxsize=1)
def _kinds() -> dict[str, _Kind]:
    kinds = {
        name: _of_examples(name, told) for name, told in _file().items() if not name.startswith("words.")
    }
    said: dict[str, frozenset[object]] = {}
    for name, kind in kinds.items():
        said[name.partition(".")[0]] = said.get(name.partition(".")[0], frozenset()) | kind.told
    return {name: replace(kind, said=said[name.partition(".")[0]]) for name, kind in kinds.items()}
