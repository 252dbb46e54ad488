"""An answer without a model: the sentences of the evidence that answer best, word for word.

Each sentence of the evidence is scored by what it shares with the question (in words, and in meaning
where there is an embedder), by whether it holds the kind of thing asked for, by what a reader makes of it, and
by how well its node was found. One to four are chosen by maximal marginal relevance (Carbonell and Goldstein,
1998) and shown in the order of the documents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.answer.candidates import Candidate
from engine.answer.check.sources import Sources
from engine.answer.computations import states, wants_computed
from engine.answer.definitions import asked_bearer, asked_term, defines, names_bearer
from engine.answer.expected import KINDS_OF_THING, expected_of, offers
from engine.answer.hops import hops
from engine.answer.quotes import LEANS, Quote, quotes_of
from engine.answer.tabled import answering_rows, header_of, listed, only_names_rows, with_headers
from engine.answer.terms import content_terms, coverage
from engine.model import Citation, Evidence
from engine.retrieve.query import is_unspaced
from engine.structure.sentences import is_cjk

_MOST = 4
_MMR_LAMBDA = 0.72
# A further sentence must reach this share of the best one's score.
_WORTH_ADDING = 0.7
# In meaning Chinese ones lie nearer to each other, and what they add to the words covered tells little.
_WORTH_ADDING_CHINESE = 0.8
# What tells the outcome of a computation says less of what is computed from than the table does.
_TELLS_OUTCOME = 0.7
_TOO_LONG = 500
# What says no more than the question does, as a heading that was read as text, answers nothing.
_REPEATS = 0.4
_NUMBERED = re.compile(r"^\W*(?:[\divxlc]{1,4}[.)、]|[（(]?[一二三四五六七八九十]{1,3}[)）、.])\s*", re.I)
_BY_RANK = 0.15
# What a sentence gains that a reader finds the answer in.
_READ = 0.3
# How sure a reader must be of a sentence that is quoted for this alone.
_READ_TO_ANSWER = 0.5
# Where it is so sure of one, what stands elsewhere is quoted beside it only if it may answer, too.
_SURELY, _AS_WELL = 0.8, 0.05
# A sentence whose node was found with less than half of the best one's score loses up to this, the more, the less of
# the question it holds.
_FAR_BELOW = 0.5
# Beside a first passage in the question's language one in another seldom answers better.
_ABROAD = 0.75
_MARK_LIKE = re.compile(r"[\[【［](\d{1,6}(?:\s*[-–,，]\s*\d{1,6})*)[\]】］]")


class Quoted(NamedTuple):
    """The sentences of an answer, the best first; ``joined`` when its first two answer only together."""

    sentences: list[Candidate]
    joined: bool


class Quotation(NamedTuple):
    """What is quoted, in the order of the documents; not ``plain`` when its reader must put the answer together."""

    quotes: list[Quote]
    plain: bool


def quotation(question: str, found: Sequence[Candidate], evidence: Sequence[Evidence]) -> Quotation:
    """Return what answers best: sentences and rows, or a small table whole; nothing where no line answers."""
    chosen, joined = best_sentences(question, found, evidence)
    if chosen:
        return Quotation(quoted(chosen, evidence), not joined)
    if not found:
        return Quotation([], False)
    scores = score_candidates(question, found, evidence)
    index = found[int(scores.argmax())].evidence
    return Quotation(listed(question, index, evidence[index]), False)


def best_sentences(question: str, found: Sequence[Candidate], evidence: Sequence[Evidence]) -> Quoted:
    """Return the one to four sentences that answer best; none when none does.

    Two that answer together, the naming one first, go before those that are best alone.
    """
    if not found:
        return Quoted([], False)
    scores = score_candidates(question, found, evidence)
    kept = _that_answer(question, found, scores, evidence)
    if not kept:
        return Quoted([], False)
    found, scores = [found[i] for i in kept], scores[kept]
    single = _best_alone(question, found, scores)
    joined = hops(question, found, evidence, [float(score) for score in scores]) or ()
    chosen = list(dict.fromkeys([*joined, *single]))[:_MOST]
    return Quoted([found[i] for i in chosen], bool(joined))


def _that_answer(
    question: str, found: Sequence[Candidate], scores: np.ndarray, evidence: Sequence[Evidence]
) -> list[int]:
    """Return the indices of the sentences that may be quoted: prose, and the rows of tables that are asked for.

    Where a table comes nearest and none of its rows is asked for, others answer only what they cover as well as the
    table does; what is to be computed, only where they tell the outcome.
    """
    tables: dict[int, list[int]] = {}
    for i, one in enumerate(found):
        if header_of(evidence[one.evidence]):
            tables.setdefault(one.evidence, []).append(i)
    lines = {i for places in tables.values() for i in places}
    rows: set[int] = set()
    for index, places in tables.items():
        answering = answering_rows(question, evidence[index], [found[i].sentence.text for i in places])
        rows |= {places[i] for i in answering}
    top = int(scores.argmax())
    nearest = {i for i in lines if _node(found[i], evidence) == _node(found[top], evidence)}
    if not nearest or nearest & rows:
        return [i for i in range(len(found)) if i not in lines or i in rows]
    computed = wants_computed(question)
    least = found[top].context * (_TELLS_OUTCOME if computed else 1)
    kept = [i for i, one in enumerate(found) if (i not in lines or i in rows) and one.context >= least]
    return [i for i in kept if not computed or states(found[i].sentence.text, computed)]


def _node(candidate: Candidate, evidence: Sequence[Evidence]) -> str:
    return evidence[candidate.evidence].hit.node_id


def _best_alone(question: str, found: Sequence[Candidate], scores: np.ndarray) -> list[int]:
    """Return the indices of the sentences that answer best, chosen one by one, the best first.

    The one that a reader is surest of is among them where it is sure: it may share no word with the question.
    """
    wanted = content_terms(question)
    near = is_cjk(question) and any(one.cosine is not None for one in found)
    worth = _WORTH_ADDING_CHINESE if near else _WORTH_ADDING
    order = sorted(range(len(found)), key=lambda i: (-scores[i], i))
    chosen = [order[0]]
    # What is quoted beside the best in another language says as much.
    language = is_cjk(found[order[0]].sentence.text)
    covered = set(found[order[0]].terms)
    while len(chosen) < _MOST:
        rest = [
            i
            for i in order[:40]
            if i not in chosen
            and scores[i] >= worth * scores[order[0]]
            and (is_cjk(found[i].sentence.text) == language or found[i].context >= found[order[0]].context)
        ]
        if not rest:
            break
        best = max(rest, key=lambda i: _marginal(i, chosen, scores, found))
        if _likeness(found[best].terms, covered) > 0.8:
            break
        gain = coverage(wanted, covered | found[best].terms) - coverage(wanted, covered)
        if gain < 0.05 and len(chosen) >= 2 and not near:
            break
        chosen.append(best)
        covered |= found[best].terms
    surest = max(order, key=lambda i: found[i].read)
    if found[surest].read >= _READ_TO_ANSWER and surest not in chosen:
        chosen = [chosen[0], surest, *chosen[1:]][:_MOST]
    if found[surest].read < _SURELY or expected_of(question) == "list":
        return chosen
    place = found[surest].evidence
    return [i for i in chosen if found[i].evidence == place or found[i].read >= _AS_WELL]


def score_candidates(question: str, found: Sequence[Candidate], evidence: Sequence[Evidence]) -> np.ndarray:
    """Return each sentence's score for the question, higher is better, shape (len(found),)."""
    here = is_cjk(question)
    home = bool(evidence) and is_unspaced(evidence[0].text) == here
    best = max((evidence[one.evidence].hit.score for one in found), default=0.0)
    expected, term = expected_of(question), asked_term(question)
    role, asked = asked_bearer(question), frozenset(content_terms(question))
    cosines = [one.cosine for one in found if one.cosine is not None]
    low, high = min(cosines, default=0.0), max(cosines, default=0.0)
    places = {(one.evidence, one.position): one for one in found}
    scores = np.zeros(len(found))
    for i, candidate in enumerate(found):
        text, shared, cosine = candidate.sentence.text, candidate.shared, candidate.cosine
        share_of_context = 0.5
        # What announces a list, gives a reason or begins with a pronoun is about what stands around it.
        if (expected in ("list", "reason") and offers(text, question, expected)) or (
            shared and LEANS.match(text)
        ):
            before = places.get((candidate.evidence, candidate.position - 1))
            share_of_context = 1.0
            both = (cosine, before.cosine if before is not None else None)
            cosine = max((one for one in both if one is not None), default=None)
        elif candidate.role != "table" and expected in KINDS_OF_THING and offers(text, question, expected):
            # Beside what holds the question's words without the kind of thing it asks for stands what has it.
            beside = [places.get((candidate.evidence, candidate.position + step)) for step in (-1, 1)]
            if any(
                one and one.shared > shared and not offers(one.sentence.text, question, expected)
                for one in beside
            ):
                share_of_context = 1.0
        score = shared + share_of_context * (candidate.context - shared)
        if high > low:
            score += ((low if cosine is None else cosine) - low) / (high - low)
        score += _BY_RANK / (1 + candidate.evidence)
        if best > 0:
            far = max(0.0, 1 - 2 * evidence[candidate.evidence].hit.score / best)
            score -= _FAR_BELOW * far * (1 - candidate.context)
        if expected != "other" and offers(text, question, expected):
            score += 0.2
        if (term and defines(text, term)) or (role and names_bearer(text, role)):
            score += 0.3
        score += _READ * candidate.read
        if home and is_unspaced(evidence[candidate.evidence].text) != here:
            score *= _ABROAD
        scores[i] = score * _shape(text, candidate.role) * (_REPEATS if repeats(text, asked) else 1.0)
    return scores


def quoted(chosen: Sequence[Candidate], evidence: Sequence[Evidence]) -> list[Quote]:
    """Return what is quoted for the chosen sentences (the best first), in the order of the documents."""
    best = chosen[0].evidence
    ordered = sorted(chosen, key=lambda c: (best != c.evidence, c.evidence, c.position))
    return with_headers(quotes_of(ordered, evidence), evidence)


def write(quotes: Sequence[Quote], evidence: Sequence[Evidence], lead_in: str) -> tuple[str, list[Citation]]:
    """Return the answer's text, one quotation a line with its mark, and the citations."""
    sources = Sources(evidence)
    lines = []
    for quote in quotes:
        n = sources.add(quote.index, quote.start, quote.end)
        text = quotable(evidence[quote.index].text[quote.start : quote.end])
        lines.append(f"{'  ' * quote.item}- {text} [{n}]")
    return "\n".join([lead_in, "", *lines]), sources.citations


def offers_what_is_asked(question: str, quotes: Sequence[Quote], evidence: Sequence[Evidence]) -> bool:
    """True when a quotation holds the kind of thing (number, date, person …) that is asked for.

    Rows of a table hold it only where something over them is asked for.
    """
    if only_names_rows(question, quotes, evidence):
        return False
    expected = expected_of(question)
    if expected in ("list", "reason"):  # which may stand in prose, and be given without a word that says so
        return True
    return any(
        offers(evidence[quote.index].text[quote.start : quote.end], question, expected) for quote in quotes
    )


def quotable(sentence: str) -> str:
    """Return a quoted sentence on one line, its own reference marks turned into (1): ours are [1]."""
    line = re.sub(r"\s*\n\s*", lambda match: _join(sentence, match), sentence)
    line = re.sub(r"^(?:[-*•▪●○·‣]\s+)", "", line)
    return _MARK_LIKE.sub(r"(\1)", line)


def _join(sentence: str, match: re.Match[str]) -> str:
    before, after = sentence[match.start() - 1 : match.start()], sentence[match.end() : match.end() + 1]
    return "" if is_cjk(before) or is_cjk(after) else " "


def repeats(text: str, asked: frozenset[str]) -> bool:
    """True for a text that says no more than a question does (its terms), a number before it aside."""
    said = frozenset(content_terms(_NUMBERED.sub("", text)))
    return bool(said) and said <= asked and len(said) < len(asked)


def _shape(text: str, role: str) -> float:
    """Weigh down what is no answer: questions, scraps of prose, and walls of text."""
    if text.endswith(("?", "？")):
        return 0.5
    units = len(text) / 2 if is_cjk(text) else len(text.split())
    if units < 4 and role == "paragraph":
        return 0.6
    return 0.85 if len(text) > _TOO_LONG else 1.0


def _marginal(i: int, chosen: list[int], scores: np.ndarray, found: Sequence[Candidate]) -> float:
    nearest = max(_likeness(found[i].terms, found[j].terms) for j in chosen)
    return float(_MMR_LAMBDA * scores[i] / max(scores.max(), 1e-9) - (1 - _MMR_LAMBDA) * nearest)


def _likeness(a: frozenset[str] | set[str], b: frozenset[str] | set[str]) -> float:
    """Return the share of the smaller set that is in the other (0..1)."""
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0
