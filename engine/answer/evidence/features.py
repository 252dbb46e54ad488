"""What tells whether a place answers a question: few general figures, the same for every language and subject."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np
from rapidfuzz import fuzz, process

from engine.answer.evidence.units import MOST_EVIDENCE, Window, above_of, is_foreign, is_labelled, titles_of
from engine.answer.understand.exact import days_missing, numbers_its_kind, says_year, stands_in
from engine.answer.understand.kinds import holds_kind
from engine.answer.understand.language import is_chinese
from engine.answer.understand.question import Question
from engine.answer.understand.terms import pieces_covered, pieces_of, terms_with_forms, weight
from engine.index.tokenize import tokens
from engine.model import Evidence
from engine.retrieve.translation import chinese_words
from engine.structure.sentences import is_cjk

# Log odds of a reader count within these bounds.
_BOUND = 8.0
# A name of so many letters is known again by so near a spelling (0..100).
_LONG, _ALIKE = 5, 88.0
_WORD = re.compile(r"[^\W_\u3400-\u9fff]+(?:[-’'][^\W_]+)*")
_HAN = re.compile(r"[\u3400-\u9fff]+")
NAMES = (
    "bias", "read", "read_second", "meaning", "no_meaning", "sentence", "elsewhere", "nowhere",
    "things_missing", "kind_missing", "foreign", "foreign_read", "chinese", "rank", "short",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Span:
    """Whole units of ``evidence[evidence].text``, and the words in them that answer.

    ``probability`` (0..1, calibrated) says how likely this place answers the question.
    """

    evidence: int
    start: int
    end: int
    answer_start: int
    answer_end: int
    probability: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Place(Span):
    """A place that may answer, with the window that it was found in and what was measured there.

    ``read`` is the reader's certainty as log odds, None without a reader; ``height`` how near it is in meaning (see
    :mod:`engine.answer.evidence.calibration`), None where it was not embedded; ``shared`` the share of the question's
    words in the sentence itself.
    """

    window: Window
    read: float | None
    height: float | None
    shared: float


def features_of(question: Question, places: Sequence[Place], evidence: Sequence[Evidence]) -> np.ndarray:
    """Return the figures of each place, shape (len(places), len(NAMES))."""
    home = {
        index: terms_with_forms(item.text) | terms_with_forms(above_of(index, evidence))
        for index, item in enumerate(evidence[:MOST_EVIDENCE])
        if not is_foreign(item.text, question.standalone)
    }
    rows = np.zeros((len(places), len(NAMES)))
    for row, place in enumerate(places):
        others = [one.read for one in places if one.evidence != place.evidence and one.read is not None]
        rows[row] = _figures(question, place, max(others, default=-_BOUND), evidence, home)
    return rows


def _figures(
    question: Question, place: Place, second: float, evidence: Sequence[Evidence], home: Mapping[int, frozenset[str]],
) -> list[float]:  # fmt: skip
    """Return the figures of a place, in the order of :data:`NAMES`; ``home`` are the terms of its own language."""
    item, asked = evidence[place.evidence], question.standalone
    above = above_of(place.evidence, evidence)
    window = item.text[place.window.start : place.window.end]
    sentence = item.text[place.start : place.end]
    foreign = place.evidence not in home
    told = known = 1.0
    if (pieces := pieces_of(asked)) and not foreign:
        here = terms_with_forms(window) | terms_with_forms(above)
        told = pieces_covered(pieces, here)
        known = pieces_covered(pieces, here.union(*(home[one] for one in home if one != place.evidence)))
    read = _bounded(place.read)
    things = [stands_in(thing, f"{above} {window}") for thing in question.numbered]
    return [
        1.0, read, _bounded(second), place.height or 0.0, float(place.height is None), place.shared, known - told,
        1.0 - known, things.count(False) / max(1, len(things)),
        float(not holds_kind(question.expects, sentence, asked)), float(foreign), foreign * read,
        float(is_chinese(asked)), 1 / (1 + place.evidence),
        float(len(sentence) < (8 if is_cjk(sentence) else 25) and not is_labelled(sentence)),
    ]  # fmt: skip


def things_missing(question: Question, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Return the exact things of a question (numbered ones, years, days, names) that stand nowhere in the evidence.

    A thing whose kind the evidence does not number ("the third payment") may be told there in other words.
    """
    texts = [f"{item.hit.document} {titles_of(item)} {item.text}" for item in evidence]
    things = [
        thing.written
        for thing in question.numbered
        if any(numbers_its_kind(thing, text) for text in texts) and not any(stands_in(thing, text) for text in texts)
    ]
    years = [str(year) for year in question.years if not any(says_year(year, text) for text in texts)]
    years += days_missing(question.standalone, texts)
    home = [text for text in texts if not is_foreign(text, question.standalone)]
    names = [
        name
        for name in question.names
        # A name in Latin letters is written the same in a text of either language.
        if (held := texts if name.isascii() and is_chinese(question.standalone) else home)
        and all(name_missing(name, text) for text in held)
    ]
    kept = [*things, *(one for one in years if not any(one in other for other in (*things, *years) if one != other))]
    kept += [name for name in names if not any(one in name or name in one for one in kept)]
    return tuple(dict.fromkeys(kept))


@lru_cache(maxsize=1 << 12)
def name_missing(name: str, text: str) -> bool:
    """True where a text lacks a name: most of its words, in whatever form and near spelling: India, Indian."""
    words = [word for word in dict.fromkeys(tokens(name)) if len(word) > 1 or is_cjk(word)]
    held = terms_with_forms(text)
    alike = partial(process.extractOne, choices=held, scorer=fuzz.ratio, score_cutoff=_ALIKE)
    said = [word in held or (len(word) >= _LONG and word.isalpha() and alike(word)) for word in words]
    return bool(words) and sum(map(bool, said)) * 2 <= len(words)


def _bounded(certainty: float | None) -> float:
    return 0.0 if certainty is None else max(-_BOUND, min(_BOUND, certainty)) / 4


def contrasts(question: str, sentence: str, above: str, elsewhere: Sequence[Evidence] = ()) -> bool:
    """True where a word of the question's is qualified otherwise in a sentence, and its own qualifier is nowhere near.

    Such a sentence is about another thing of the kind: part-time employees, where full-time ones are asked about.
    ``above`` is what stands over it and may qualify it, too; a qualifier that stands ``elsewhere`` is no contrast.
    """
    held, asked = terms_with_forms(f"{above} {sentence}"), terms_with_forms(question)
    nouns = [_stems(noun) for other, noun in _qualified(sentence) if not _stems(other) <= asked]
    lost = [own for own, noun in _qualified(question) if _stems(noun) in nouns and not _stems(own) <= held]
    return any(all(name_missing(own, f"{titles_of(one)} {one.text}") for one in elsewhere) for own in lost)


def _qualified(text: str) -> list[tuple[str, str]]:
    """Return the words that tell something, each behind the one before it where that is no number."""
    words = [*pairwise(_WORD.findall(text.lower()))]
    for run in _HAN.findall(text):
        words += [pair for pair in pairwise(chinese_words(run)) if min(map(len, pair)) > 1 and "".join(pair) in run]
    return [(own, noun) for own, noun in words if _stems(own) and _stems(noun) and not own[0].isnumeric()]


def _stems(word: str) -> frozenset[str]:
    return frozenset(term for term in tokens(word) if weight(term) > (0.5 if is_cjk(word) else 0))
