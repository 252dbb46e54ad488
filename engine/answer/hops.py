"""Two sentences that answer together: one names what the other's passage is about.

A question of two hops ("how many rooms has the hotel in which the club stood?") is answered by no sentence
alone. Sentences of two passages are joined when the first names the title of the second's passage; the two
that hold most of the question together, where that is more than any one holds, are the hops.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.answer.agent.names import agreement, names_of, titles_of
from engine.answer.candidates import Candidate
from engine.answer.expected import expected_of, offers
from engine.answer.terms import content_terms, coverage
from engine.model import Evidence

# What counts beside the share of the question held: the sentences' own worth, an offer of what is asked, the link.
_WORTH, _OFFER, _LINK = 0.5, 0.2, 0.1
_AGREES = 0.5
# So many of the best sentences are looked at, and the first one of every passage.
_LOOKED_AT = 24


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
    wanted, expected = content_terms(question), expected_of(question)
    titles = [titles_of(item.hit.document, item.hit.path, item.title) for item in evidence]
    held = {i: found[i].terms.union(*titles[found[i].evidence]) for i in chosen}
    offered = {i: expected != "other" and offers(found[i].sentence.text, question, expected) for i in chosen}

    def worth(*sentences: int) -> float:
        own = sum(scores[i] for i in sentences) / len(sentences) / best
        together = coverage(wanted, frozenset().union(*(held[i] for i in sentences)))
        return together + _WORTH * own + _OFFER * any(offered[i] for i in sentences)

    alone = max(worth(i) for i in chosen)
    pair, reached = None, alone
    for first in chosen:
        here = titles[found[first].evidence]
        names = [one.terms for one in names_of(found[first].sentence.text) if one.terms not in here]
        for second in chosen:
            there = [title for title in titles[found[second].evidence] if title not in here]
            link = max((agreement(name, title) for name in names for title in there), default=0.0)
            if link >= _AGREES and worth(first, second) + _LINK * link > reached:
                pair, reached = (first, second), worth(first, second) + _LINK * link
    return pair
