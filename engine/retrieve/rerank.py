"""Look at the best nodes' texts and put them in their final order.

What the indexes cannot see and the texts show:

- *Words together.* The share of the question's words in two neighbouring sentences (with the titles
  above) is added to the words' evidence.
- *The other language.* A text in another language than the question shares no words with it, however
  well it answers. So it is given a part of what the best match by words leaves open: nothing when that one holds
  all the question's words, most when it holds few. Not all of it: a question in everyday words finds few of them
  in its own language either.
- *Priors.* Good neighbours and what the question asks for (:mod:`engine.retrieve.priors`).
- *Statements.* What a measure is made of stands in a financial statement
  (:mod:`engine.retrieve.financial_statements`), in other words than the question's.
- *Labels.* A figure, a table or an article that is named, of a document that is clear, comes first.
- *Phrases.* Nodes with all that stood in quotation marks come first.
- *Sections.* A section that was found stands for its leaves: where one of them was found too, it takes the
  section's place, else the section stays. Nobody sees a section and its own paragraphs side by side.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from engine.config import FusionSettings
from engine.retrieve import financial_statements
from engine.retrieve.expand import Step
from engine.retrieve.fusion import Fused, Term, trust_in_words
from engine.retrieve.named import LABELS, Named, holds_phrase
from engine.retrieve.priors import intent_bonus, tree_priors
from engine.retrieve.query import Query, is_unspaced
from engine.retrieve.snippet import Passage, Sought
from storage.base import StoredNode

# A statement that answers in other words than the question's, or the bearer of a label, comes so much above the best.
ABOVE_BEST = 0.1
# In libraries of both languages, this part of what words leave open finds everyday questions' texts in their own
# language (.63 to .79 among ten, unread) and loses little in the other.
TO_THE_OTHER_LANGUAGE = 0.3


@dataclass
class Candidate:
    """A node on its way to becoming a hit.

    ``together``, ``tree_prior``, ``intent`` and ``judged`` (by a reranking model) are 0..1, None where they were
    not looked at; ``parts`` is what each term (:data:`engine.retrieve.fusion.TERMS`) added to the score.
    """

    fused: Fused
    stored: StoredNode
    passage: Passage
    score: float
    together: float | None = None
    tree_prior: float | None = None
    intent: float | None = None
    judged: float | None = None
    parts: dict[str, float] = field(default_factory=dict)
    why: list[str] = field(default_factory=list)

    def add(self, part: Term, value: float) -> None:
        """Add to the score, and remember for what."""
        if value:
            self.parts[part] = self.parts.get(part, 0.0) + value
            self.score += value


def candidates(fused: Sequence[Fused], nodes: Sequence[StoredNode], query: Query) -> list[Candidate]:
    """Join scores and nodes; a node that is gone is left out."""
    by_key = {node.key: node for node in nodes}
    own = Sought(query.terms)
    other = Sought([*query.terms, *query.translated])
    here = is_unspaced(query.text)
    found = []
    for one in fused:
        if stored := by_key.get(one.key):
            parts = {"meaning": one.by_meaning, "words": one.by_words, "document": one.by_document}
            passage = _passage(stored, here, own, other)
            found.append(Candidate(one, stored, passage, one.score, parts=parts))
    return found


def rerank(
    found: Sequence[Candidate], query: Query, settings: FusionSettings, head: int, *, matched: float = 1.0,
    named: Sequence[Named] = (), steps: Sequence[Step] = (),
) -> list[Candidate]:  # fmt: skip
    """Return the candidates (best first) in their final order; the texts of the first ``head`` are read.

    ``head`` 0 leaves the words out, as a search by meaning alone asks for; ``matched`` is the share of the
    question that the best hits by words hold; ``named`` is what the question names, and ``steps`` are the
    ways over the graph: whatever they bring is looked at, too.
    """
    by_name = {key for one in named for key in one.keys}
    brought = {step.key: step for step in steps}
    wanted = by_name | brought.keys()
    top = [one for rank, one in enumerate(found) if rank < head or (head and one.fused.key in wanted)]
    together = settings.bm25f * settings.together * trust_in_words(matched)
    for one in top:
        one.together = round(one.passage.evidence, 4)
        one.add("together", together * one.passage.evidence)
    _make_up_for_language(top, query, settings, matched)
    _add_priors(sorted(top, key=_order), query, settings, named)
    _favour_statements(top, settings, named)
    _put_labels_first(top, named)
    _tell_ways(top, brought)
    ranked = _fold_sections(sorted(found, key=_order), by_name)
    # Where nothing is quoted, all hold it.
    return sorted(ranked, key=lambda one: not all(holds_phrase(one.stored, phrase) for phrase in query.phrases))


def within_one(ranked: Sequence[Candidate]) -> None:
    """Scale scores and their parts so that none is above 1; the order stays."""
    best = max((one.score for one in ranked), default=0.0)
    for one in ranked if best > 1 else ():
        one.score /= best
        one.parts = {term: value / best for term, value in one.parts.items()}


def keep_named(ranked: Sequence[Candidate], named: Sequence[Named], depth: int) -> list[Candidate]:
    """Return the ranking with the best bearer of each named thing among the first ``depth``, at the end if need be."""
    by_key = {one.fused.key: one for one in ranked}
    order = [*by_key]
    bearers = {next(filter(one.keys.__contains__, order), None) for one in named}
    others = [key for key in order[:depth] if key not in bearers]
    late = [key for key in order[depth:] if key in bearers][: len(others)]
    give_way = others[len(others) - len(late) :]
    first = [key for key in order[:depth] if key not in give_way]
    return [by_key[key] for key in dict.fromkeys([*first, *late, *order])]


def _add_priors(top: Sequence[Candidate], query: Query, settings: FusionSettings, named: Sequence[Named]) -> None:
    if not top:
        return
    best, last = top[0].score, top[-1].score
    strengths = [(one.score - last) / (best - last) if best > last else 1.0 for one in top]
    words = dict(query.terms)
    for one, prior in zip(top, tree_priors([one.stored for one in top], strengths), strict=True):
        one.intent, reasons = intent_bonus(one.stored, query.intent, named, words)
        one.tree_prior = round(prior, 4)
        one.add("tree_prior", settings.tree_prior * prior)
        one.add("intent", settings.intent_bonus * one.intent)
        one.why += reasons
        if prior > 0.25:
            one.why.append("same_section")


def _passage(stored: StoredNode, here: bool, own: Sought, translated: Sought) -> Passage:
    """A node's text with the words that are looked for in it: with their translations in another language only."""
    node = stored.node
    above = [*stored.path, node.title] if node.text else stored.path
    text = node.text or node.title
    return Passage(text, "\n".join(above), own if is_unspaced(text) == here else translated)


def _make_up_for_language(top: Sequence[Candidate], query: Query, settings: FusionSettings, matched: float) -> None:
    here = is_unspaced(query.text)
    foreign = [one for one in top if is_unspaced(one.passage.text) != here]
    if len(foreign) == len(top):
        return
    share = TO_THE_OTHER_LANGUAGE * settings.bm25f * trust_in_words(matched) * (1 - matched)
    share *= 1 + settings.together * matched
    for one in foreign:
        one.add("words", share)
        one.why.append("other language")


def _tell_ways(top: Sequence[Candidate], brought: Mapping[int, Step]) -> None:
    """Give as a reason the way over the graph by which alone a node was found."""
    for one in top:
        step = brought.get(one.fused.key)
        if step and one.fused.dense_rank is None and one.fused.sparse_rank is None:
            one.why.append(f"{step.kind}:{step.origin}")


def _favour_statements(top: Sequence[Candidate], settings: FusionSettings, named: Sequence[Named]) -> None:
    """Lift the surest table of each statement above the best of its document, another one half as far."""
    by_key = {one.fused.key: one for one in top}
    best: dict[str, float] = {}
    for one in top:
        best[one.stored.document_id] = max(one.score, best.get(one.stored.document_id, one.score))
    for statement in (one for one in named if one.kind == financial_statements.KIND):
        told: set[str] = set()
        for one in (by_key[key] for key in statement.keys if key in by_key):
            document = one.stored.document_id
            share = settings.statement / (2 if document in told else 1)
            told.add(document)
            one.add("statement", max(0.0, share * (best[document] + ABOVE_BEST - one.score)))


def _put_labels_first(top: Sequence[Candidate], named: Sequence[Named]) -> None:
    """Lift the best bearer of each label above all else, where it is clear of which document; the first label most."""
    by_key = {one.fused.key: one for one in top}
    for label in reversed([one for one in named if one.kind == LABELS]):
        bearers = [by_key[key] for key in label.meant if key in by_key]
        if bearers:
            first = min(bearers, key=lambda one: (one.stored.node.role == "caption", _order(one)))
            highest = max(one.score for one in top)
            first.add("intent", max(0.0, highest + ABOVE_BEST - first.score))


def _fold_sections(ranked: Sequence[Candidate], wanted: Collection[int]) -> list[Candidate]:
    """Let the best leaf stand for its section, and a table for its caption, with the better score of the two.

    ``wanted`` sections stay: the question asks for them by name.
    """
    stand_ins = _stand_ins(ranked)
    kept = []
    for one in ranked:
        node = one.stored.node
        instead, of = stand_ins.get(node.node_id, (None, ""))
        if instead is None or node.role == "table" or one.fused.key in wanted:
            kept.append(one)
        elif instead.score < one.score:
            instead.score, instead.parts = one.score, dict(one.parts)
            instead.why.append(of)
    return sorted(kept, key=_order)


def _stand_ins(ranked: Sequence[Candidate]) -> dict[str, tuple[Candidate, str]]:
    """What takes a node's place, by its id, and what that node is: the best leaf a section's, a table its caption's."""
    tables: dict[str | None, Candidate] = {
        one.stored.node.node_id: one for one in ranked if one.stored.node.role == "table"
    }
    found: dict[str, tuple[Candidate, str]] = {}
    for one in ranked:
        node = one.stored.node
        if node.role not in ("section", "document") and node.parent_id:
            found.setdefault(node.parent_id, (one, "section"))
    for node in (one.stored.node for one in ranked):
        if node.role == "caption" and (table := tables.get(node.parent_id)):
            found[node.node_id] = table, "caption"
    return found


def _order(one: Candidate) -> tuple[float, int]:
    return -one.score, one.fused.key
