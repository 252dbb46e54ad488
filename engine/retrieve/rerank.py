"""Look at the best nodes' texts and put them in their final order.

What the indexes cannot see and the texts show:

- *Words together.* The share of the question's words in two neighbouring sentences (with the titles
  above) is added to the words' evidence.
- *The other language.* A text in another language than the question shares no words with it, however
  well it answers. So it is given what the best match by words leaves open: nothing when that one holds
  all the question's words, nearly as much as a full match when it holds few.
- *Phrases.* Nodes with all that stood in quotation marks come first.
- *Sections.* A section that was found stands for its leaves: where one of them was found too, it takes the
  section's place, else the section stays. Nobody sees a section and its own paragraphs side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.config import FusionSettings
from engine.retrieve.fusion import Fused, trust_in_words
from engine.retrieve.query import Query, fold, is_unspaced
from engine.retrieve.snippet import Passage
from storage.base import StoredNode

# Worth of the words together, as a share of that of the sparse score.
TOGETHER = 2 / 3


@dataclass
class Candidate:
    """A node on its way to becoming a hit."""

    fused: Fused
    stored: StoredNode
    passage: Passage
    score: float
    why: list[str] = field(default_factory=list)


def candidates(fused: Sequence[Fused], nodes: Sequence[StoredNode], query: Query) -> list[Candidate]:
    """Join scores and nodes; a node that is gone is left out."""
    by_key = {node.key: node for node in nodes}
    weights = dict(query.terms)
    return [
        Candidate(one, by_key[one.key], _passage(by_key[one.key], weights), one.score)
        for one in fused
        if one.key in by_key
    ]


def rerank(
    found: Sequence[Candidate], query: Query, settings: FusionSettings, head: int, matched: float = 1.0
) -> list[Candidate]:
    """Return the candidates (best first) in their final order; the texts of the first ``head`` are read.

    ``head`` 0 leaves the words out, as a search by meaning alone asks for; ``matched`` is the share of the
    question that the best hits by words hold.
    """
    top = found[:head]
    together = settings.bm25f * TOGETHER * trust_in_words(matched)
    for one in top:
        one.score += together * one.passage.evidence
    _make_up_for_language(top, query, settings, matched)
    ranked = _fold_sections(sorted(found, key=_order))
    if query.phrases:
        ranked.sort(key=lambda one: not _holds_phrases(one, query))
    return ranked


def _passage(stored: StoredNode, weights: dict[str, float]) -> Passage:
    node = stored.node
    above = [*stored.path, node.title] if node.text else stored.path
    return Passage(node.text or node.title, "\n".join(above), weights)


def _make_up_for_language(
    top: Sequence[Candidate], query: Query, settings: FusionSettings, matched: float
) -> None:
    here = is_unspaced(query.text)
    foreign = [one for one in top if is_unspaced(one.passage.text) != here]
    if len(foreign) == len(top):
        return
    share = settings.bm25f * trust_in_words(matched) * (1 - matched) * (1 + TOGETHER * matched)
    for one in foreign:
        one.score += share
        one.why.append("other language")


def _fold_sections(ranked: Sequence[Candidate]) -> list[Candidate]:
    best_leaf: dict[str, Candidate] = {}
    for one in ranked:
        if one.stored.node.role not in ("section", "document") and one.stored.node.parent_id:
            best_leaf.setdefault(one.stored.node.parent_id, one)
    kept = []
    for one in ranked:
        leaf = best_leaf.get(one.stored.node.node_id)
        if leaf is None:
            kept.append(one)
        elif leaf.score < one.score:
            leaf.score = one.score
            leaf.why.append("section")
    return sorted(kept, key=_order)


def _order(one: Candidate) -> tuple[float, int]:
    return -one.score, one.fused.key


def _holds_phrases(one: Candidate, query: Query) -> bool:
    text = fold("\n".join([*one.stored.path, one.stored.node.title, one.stored.node.text]))
    return all(phrase in text for phrase in query.phrases)
