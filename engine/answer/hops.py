"""Two sentences that answer together: one names what the other speaks of.

A question of two hops ("how many rooms has the hotel in which the club stood?", "where was the author of … born?",
这家公司的总经理是哪里人？) is answered by no sentence alone. Two are joined where the first names what the second's
passage is titled by or begins with, or where both stand in one passage on something that the question only describes
("the company that owns …"); the two that hold most of the question together, where that is more than any one holds,
are the hops.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.answer.agent.names import Name, agreement, names_of, titles_of
from engine.answer.candidates import Candidate
from engine.answer.expected import expected_of, offers
from engine.answer.terms import content_terms, coverage
from engine.model import Evidence
from engine.structure.sentences import is_cjk

# What counts beside the share of the question held: the sentences' own worth, an offer of what is asked, the link.
_WORTH, _OFFER, _LINK = 0.5, 0.2, 0.1
_AGREES = 0.5
# A name that the second sentence begins with links as surely as a title; one passage on both, half as much.
_BEGINS, _BESIDE = 1.0, 0.5
# Two that no title joins hold at least so much more of the question than one of them; in one passage, more.
_MORE, _MORE_BESIDE = 0.05, 0.12
# So many of the best sentences are looked at, and the first one of every passage.
_LOOKED_AT = 24
# 哪里人 is told by where somebody was born or what place he is a man of; no word of the question stands there.
_ORIGIN_ASKED = re.compile(r"哪[里裡儿兒]的?人|籍[贯貫]")
_ORIGIN_TOLD = re.compile(r"出?生[于於在]|籍[贯貫]|是[\u3400-\u9fff]{2,8}人(?![\u3400-\u9fff])")
_ORIGIN = "~origin"
_SURNAME_AND_NAME = re.compile(r"[\u3400-\u9fff]{2,4}")
_SHORTEST_BEGINNING = 3


@dataclass(frozen=True, slots=True)
class _Side:
    """A sentence as one side of a pair: what it holds with its titles, its names that the question lacks, its offer."""

    text: str
    evidence: int
    held: frozenset[str]
    titles: tuple[frozenset[str], ...]
    names: tuple[Name, ...]
    offers: bool


def hops(
    question: str, found: Sequence[Candidate], evidence: Sequence[Evidence], scores: Sequence[float]
) -> tuple[int, int] | None:
    """Return the indices in ``found`` of the naming and the named passage's sentence; None when one is enough.

    ``scores`` say how well each sentence answers by itself, the higher the better.
    """
    best = max(scores, default=0.0)
    if best <= 0:
        return None
    firsts = [i for i, one in enumerate(found) if one.position == 0]
    chosen = sorted({*firsts, *sorted(range(len(found)), key=lambda i: -scores[i])[:_LOOKED_AT]})
    wanted = content_terms(question) | ({_ORIGIN: 1.0} if _ORIGIN_ASKED.search(question) else {})
    sides = {i: _side(question, found[i], evidence) for i in chosen}

    def worth(*sentences: int) -> float:
        own = sum(scores[i] for i in sentences) / len(sentences) / best
        return held(*sentences) + _WORTH * own + _OFFER * sides[sentences[-1]].offers

    def held(*sentences: int) -> float:
        return coverage(wanted, frozenset().union(*(sides[i].held for i in sentences)))

    pair, reached = None, max(worth(i) for i in chosen)
    for first in chosen:
        for second in chosen:
            if first == second:
                continue
            named = _named(sides[first], sides[second])
            link = named or _beside(question, sides[first], sides[second])
            more = 0.0 if named else _MORE_BESIDE if link == _BESIDE else _MORE
            if not link or held(first, second) < max(held(first), held(second)) + more:
                continue
            if worth(first, second) + _LINK * link > reached:
                pair, reached = (first, second), worth(first, second) + _LINK * link
    return pair


def _side(question: str, candidate: Candidate, evidence: Sequence[Evidence]) -> _Side:
    item, text = evidence[candidate.evidence], candidate.sentence.text
    titles = titles_of(item.hit.document, item.hit.path, item.title)
    names = tuple(one for one in names_of(text) if one.terms not in titles)
    expected = expected_of(question)
    origin = bool(_ORIGIN_ASKED.search(question) and _ORIGIN_TOLD.search(text))
    offered = origin or (expected != "other" and offers(text, question, expected))
    held = candidate.terms.union({_ORIGIN} if origin else (), *titles)
    return _Side(text, candidate.evidence, held, titles, names, offered)


def _named(first: _Side, second: _Side) -> float:
    """Return how surely the first sentence names what the second one's passage is about, 0 where it does not."""
    there = [title for title in second.titles if title not in first.titles]
    link = max((agreement(name.terms, title) for name in first.names for title in there), default=0.0)
    return link if link >= _AGREES else 0.0


def _beside(question: str, first: _Side, second: _Side) -> float:
    """Return how surely both speak of one thing that the question does not name, 0 where they do not."""
    beginning = _beginning(second.text)
    if beginning and beginning in first.text and beginning not in question:
        return _BEGINS
    title = second.titles[-1] if second.titles else frozenset()
    described = first.evidence == second.evidence and title and not title <= set(content_terms(question))
    return _BESIDE if described and any(name.printed in question for name in first.names) else 0.0


def _beginning(text: str) -> str:
    """Return the name that a sentence begins with, "" where it begins with none."""
    if not is_cjk(text):
        return next(
            (name.printed for name in names_of(text) if name.position == 0 and " " in name.printed), ""
        )
    match = _SURNAME_AND_NAME.match(text)
    if match is None or not offers(match[0][:3], "", "person"):
        return ""
    return match[0][:_SHORTEST_BEGINNING] if len(match[0]) >= _SHORTEST_BEGINNING else match[0]
