"""How much a reader's certainty counts beside words and vectors.

Most where a question has no name or what is read is in another language: of everyday questions to contracts and
reports, those that are answered share fewer words with them than those that are not. Where more of the same document
was found, all of it is about the same, and words and vectors tell nothing beside a reader; what counts with it is
whether the passage lacks words of the question that others have (:mod:`engine.answer.contrast`). A reader raises
nothing where a name of the question stands nowhere: a passage on another village of the district reads like an answer.

The weights were fitted on the sets that :mod:`engine.answer.sufficiency` names and, among passages of one document, on
invented documents that the reader was not trained on (``benchmarks/reader_documents``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.answer.asked_names import names_in
from engine.answer.contrast import SaidOfOthers, said_of_others
from engine.model import Evidence
from engine.providers.logistic import log_odds, logistic

# (bias, the certainty without a reader, the reader's), both as log odds within bounds: for a question with a name, for
# one without, where more of the same document was found, and where what is read is in another language.
_NAMED = (-0.7, 0.65, 0.15)
_UNNAMED = (0.0, 0.2, 0.5)
_AMONG = (0.3, 0.0, 0.28)
_FOREIGN = (0.2, 0.45, 0.35)
_MOST_READ = 8.0
# The share of a question that what is read lacks and others on the subject have.
_SAID_OF_OTHERS = -1.2


class Place(NamedTuple):
    """Where something was read: in another language than the question, among other passages of its document?

    ``others`` is what of the question it lacks and other passages have.
    """

    foreign: bool
    among: bool
    others: SaidOfOthers


def place_of(
    question: str, items: Mapping[int, Evidence], home: Mapping[int, frozenset[str]], read: int
) -> Place:
    """Look at the evidence ``read`` among all that sentences were found in, both by their place there.

    ``home`` are the terms of what is in the question's language.
    """
    document = items[read].hit.document_id
    among = sum(item.hit.document_id == document for item in items.values()) > 1
    return Place(read not in home, among, said_of_others(question, home, read))


def with_reader(question: str, score: float, surest: float, place: Place, *, lacks_name: bool) -> float:
    """Return the certainty (0..1) that counts the reader's, too, ``surest`` being the log odds of what it is surest of.

    Where a name stands nowhere (``lacks_name``) only its doubt counts.
    """
    alone = _NAMED if names_in(question) else _UNNAMED
    bias, by_score, by_reader = _FOREIGN if place.foreign else _AMONG if place.among else alone
    read = max(-_MOST_READ, min(_MOST_READ, surest))
    value = bias + by_score * log_odds(score) + by_reader * read
    if place.foreign:
        return logistic(value)
    value += _SAID_OF_OTHERS * place.others.share * place.among
    return min(score, logistic(value)) if lacks_name else logistic(value)
