"""Is the question answerable from the evidence?

Few things are looked at, each of which can be told to the user:

- *words*: the share of the question's pieces in the best node (text, title, section, document name);
- *meaning*: the height of the best sentence between unrelated and answering ones
  (:mod:`engine.answer.calibration`);
- *names*: the share of the question's names that stand nowhere in the evidence;
- *numbers*: whether a number or year of the question stands nowhere in the evidence.

A logistic function joins them. Its weights were fitted on question-answering sets in Chinese and
English, each question asked once with its passage in the library and once without
(``benchmarks/refusals.py``). Evidence in another language than the question shares no words, so it is
judged by meaning alone. What this cannot tell is a passage on the very subject that merely lacks the
detail asked for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.answer.calibration import baseline
from engine.answer.candidates import Candidate
from engine.answer.numbers import number_forms, written_numbers
from engine.answer.similarity import SentenceSimilarity
from engine.answer.terms import Piece, content_terms, pieces_covered, pieces_of
from engine.index.tokenize import tokens
from engine.model import Evidence
from engine.structure.sentences import is_cjk

# (bias, words, names, numbers, meaning); without vectors; and (bias, meaning, gap) for another language.
_WEIGHTS = (-7.9, 6.5, -3.5, -2.5, 5.1)
_WEIGHTS_BY_WORDS = (-5.2, 9.2, -2.5, -2.0)
_WEIGHTS_BY_MEANING = (-3.9, 2.8, 3.6)
# In Chinese shared characters show less; there it also counts how far the best sentence leaves the sixth behind.
_CHINESE_BIAS, _CHINESE_LEAD = -0.1, 2.0
_SIXTH = 5
_ENOUGH = 0.5
_NODES = 6
_BEST_NODES = 3
_NAME = re.compile(r"[A-Za-z][A-Za-z.'’&-]*[A-Za-z]|[A-Za-z]")
_MOST_MISSING = 5


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """The verdict: ``score`` is the certainty (0..1) that the evidence answers the question.

    ``missing`` names words of the question that stand nowhere in the evidence.
    """

    score: float
    sufficient: bool
    missing: list[str] = field(default_factory=list)


def assess(
    question: str,
    evidence: Sequence[Evidence],
    found: Sequence[Candidate],
    similarity: SentenceSimilarity | None = None,
) -> Sufficiency:
    """Judge the evidence by its sentences. Raises ProviderError as the embedder does."""
    if not found:
        return Sufficiency(0.0, False)
    chinese = is_cjk(question)
    same = [c for c in found if is_cjk(evidence[c.evidence].text) == chinese]
    other = [c for c in found if is_cjk(evidence[c.evidence].text) != chinese]
    score = _by_words(question, evidence, same, similarity) if same else 0.0
    if other and similarity is not None:
        score = max(score, _by_meaning(question, evidence, other, similarity))
    return Sufficiency(round(score, 3), score >= _ENOUGH, _missing(question, evidence) if same else [])


def _by_words(
    question: str,
    evidence: Sequence[Evidence],
    found: Sequence[Candidate],
    similarity: SentenceSimilarity | None,
) -> float:
    """Return the certainty for evidence in the question's language."""
    items = [evidence[index] for index in dict.fromkeys(c.evidence for c in found)]
    nodes = [terms_of(item) for item in items[:_NODES]]
    everything = frozenset().union(*nodes)
    pieces = pieces_of(question)
    words = max(pieces_covered(pieces, node) for node in nodes[:_BEST_NODES])
    names = names_in(question)
    no_names = sum(not term & everything for term in names) / len(names) if names else 0.0
    no_numbers = float(bool(_missing_numbers(question, items)))
    meaning = _meaning(question, found, evidence, similarity)
    bias, by_words, by_names, by_numbers = _WEIGHTS_BY_WORDS if meaning is None else _WEIGHTS[:4]
    height = 0.0 if meaning is None else _WEIGHTS[4] * meaning
    if meaning is not None and similarity is not None and is_cjk(question):
        bias += _CHINESE_BIAS + _CHINESE_LEAD * _lead(found, similarity)
    return _logistic(bias + by_words * words + by_names * no_names + by_numbers * no_numbers + height)


def _by_meaning(
    question: str, evidence: Sequence[Evidence], found: Sequence[Candidate], similarity: SentenceSimilarity
) -> float:
    """Return the certainty for evidence in another language."""
    meaning = _meaning(question, found, evidence, similarity)
    if meaning is None:
        return 0.0
    heights = sorted(c.cosine for c in found if c.cosine is not None)
    base = baseline(similarity.embedder, is_cjk(question), is_cjk(evidence[found[0].evidence].text))
    gap = meaning - base.height(heights[len(heights) // 2])
    bias, by_meaning, by_gap = _WEIGHTS_BY_MEANING
    missing = _WEIGHTS[3] if _missing_numbers(question, [evidence[c.evidence] for c in found]) else 0.0
    return _logistic(bias + by_meaning * meaning + by_gap * gap + missing)


def _meaning(
    question: str,
    found: Sequence[Candidate],
    evidence: Sequence[Evidence],
    similarity: SentenceSimilarity | None,
) -> float | None:
    """Return the height of the best sentence between unrelated and answering ones; None without vectors."""
    best = max((c for c in found if c.cosine is not None), key=lambda c: c.cosine or 0.0, default=None)
    if best is None or best.cosine is None or similarity is None:
        return None
    base = baseline(similarity.embedder, is_cjk(question), is_cjk(evidence[best.evidence].text))
    return base.height(best.cosine)


def _lead(found: Sequence[Candidate], similarity: SentenceSimilarity) -> float:
    """Return how far the best Chinese sentence stands above the sixth (or last) one, in heights."""
    cosines = sorted((c.cosine for c in found if c.cosine is not None), reverse=True)
    base = baseline(similarity.embedder, True, True)
    return base.height(cosines[0]) - base.height(cosines[min(_SIXTH, len(cosines) - 1)])


def terms_of(item: Evidence) -> frozenset[str]:
    """Return the terms of a node with its title, its sections and its document's name."""
    return frozenset(tokens(" ".join([item.text, item.title, *item.hit.path, item.hit.document])))


def names_in(question: str) -> list[frozenset[str]]:
    """Return the terms of each name: words with a capital inside a sentence, Latin words among Chinese."""
    chinese = is_cjk(question)
    names = []
    for match in _NAME.finditer(question):
        starts = (
            not question[: match.start()].strip(" \"'“‘(") or question[: match.start()].rstrip()[-1:] in ".?!"
        )
        if chinese or (match[0][0].isupper() and not starts):
            terms = frozenset(content_terms(match[0]))
            if terms:
                names.append(terms)
    return names


def _missing_numbers(question: str, items: Sequence[Evidence]) -> list[str]:
    asked = written_numbers(question)
    if not asked:
        return []
    present: set[str] = set()
    for item in items:
        present |= number_forms(" ".join([item.text, item.title, *item.hit.path, item.hit.document]))
    return [written for written, normal in asked if normal not in present]


def _missing(question: str, evidence: Sequence[Evidence]) -> list[str]:
    """Return the words (or runs of Chinese characters) of the question that no evidence has."""
    everything = frozenset().union(*(terms_of(item) for item in evidence))
    missing: list[str] = []
    run = ""
    for piece in [*pieces_of(question), Piece("", 0.0, frozenset())]:
        absent = bool(piece.terms) and not piece.terms & everything
        if absent and is_cjk(piece.text):
            run += piece.text
            continue
        if len(run) > 1:
            missing.append(run)
        run = ""
        if absent:
            missing.append(piece.text.strip("?,.;:!？，。；：！\"'()"))
    return list(dict.fromkeys(missing))[:_MOST_MISSING]


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, value))))
