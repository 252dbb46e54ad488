"""Indexing strategies (seed 004, 3.2): what of a node is matched. What is shown and cited is always the node.

recursive      the text under its titles, as the structure cut it
semantic       and each stretch of a long text between two shifts of its topic
hierarchical   and each few sentences of a long text (children, which lead to their parent)
sliding        after a summary in the light of the one before it; without a model, after one of the text before it
contextual     after what places it in the whole; without a model, that is the titles, as in recursive
questions      and the questions that it answers

What a model made for a node stands in its metadata under "indexed" (``engine.enrich.by_model``).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, get_args

from engine.config import SemanticChunkingSettings, Settings, Strategy
from engine.enrich.by_model import ASKED, gist
from engine.index.views import DENSE_LETTERS, View, cut, views
from engine.index.views import gist as summary_of
from engine.model import LEAVES, Document, Node, Tree, Version
from engine.structure.cohesion import cuts, depths, similarities
from engine.structure.sentences import sentences_of
from engine.structure.sequences import runs
from engine.structure.terms import length_of
from storage.base import IndexRecord

STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
COARSE = frozenset({"document", "section", "table", "image"})
# Those for which a language model is asked, and those that are nothing without one.
BY_MODEL: frozenset[Strategy] = frozenset(ASKED)
WITHOUT_MODEL_NOTHING: frozenset[Strategy] = frozenset({"questions"})
# In Latin letters; the text itself must have the most of what the embedding model reads.
CONTEXT_LETTERS = 450
# A vector of a long text says a little of everything in it; that of two or three of its sentences says one thing. They
# lead back to their node, which is what is found, shown and cited.
MOST_CHILDREN = 16
_BY_LINE = ("table", "list", "code")


def records(tree: Tree, settings: Settings, strategy: Strategy = "recursive") -> list[IndexRecord]:
    """Return the index records of a tree's retrievable nodes, in reading order."""
    weights = settings.retrieval.fields
    made = [view.record(weights) for view in strategy_views(tree, settings, strategy)]
    return [record for record in made if record.tokens or record.dense_text]


def strategy_views(tree: Tree, settings: Settings, strategy: Strategy) -> Iterator[View]:
    """Return the views of a tree's retrievable nodes as a strategy has them, in reading order."""
    made = views(tree) if strategy == "recursive" else _changed(tree, settings, strategy)
    if settings.indexing.dense_text == "passage":
        return made
    return (view if view.node.role in LEAVES - COARSE else _summarized(view) for view in made)


def _summarized(view: View) -> View:
    return replace(view, index_text=(summary_of(view.node) or None) if view.index_text else None)


def strategy_of(stored: Document | Version) -> Strategy:
    """Return how a version is indexed; one that a newer DropQA named otherwise counts as recursive."""
    return stored.strategy if stored.strategy in STRATEGIES else "recursive"


def _changed(tree: Tree, settings: Settings, strategy: Strategy) -> Iterator[View]:
    """The views of a tree, those of its leaves as a strategy other than recursive has them."""
    before: Node | None = None
    for view in views(tree):
        if view.index_text is None or view.node.role not in LEAVES:
            yield view
            continue
        if strategy == "hierarchical":
            yield _with_parts(view, children(view.node, settings.indexing.chunk_size))
        elif strategy == "semantic":
            yield _with_parts(view, topics(view.node, settings.parsing.semantic_chunking))
        elif strategy == "questions":
            yield _with_parts(view, _by_model(view.node, strategy).get("questions") or [], titled=False)
        else:
            yield _after(view, view.index_text, _context(view.node, strategy, before))
        before = view.node


def _by_model(node: Node, strategy: Strategy) -> dict[str, Any]:
    """Return what a model has made for a node and a strategy."""
    made = node.metadata.get("indexed") or {}
    return made if made.get("strategy") == strategy else {}


def _context(node: Node, strategy: Strategy, before: Node | None) -> str:
    context: str = _by_model(node, strategy).get("context") or ""
    # The summary of the section instead was measured: it makes its passages too much alike to be told apart.
    if not context and strategy == "sliding" and before and before.parent_id == node.parent_id:
        return gist(before)
    return context


def _with_parts(view: View, parts: list[str], titled: bool = True) -> View:
    above = f"{view.above}\n" if titled and view.above else ""
    return replace(view, parts=tuple(cut(above + part, DENSE_LETTERS) for part in parts))


def _after(view: View, text: str, context: str) -> View:
    """Put a context between the titles and the text."""
    if not context:
        return view
    own = text.removeprefix(view.above).lstrip("\n")
    joined = "\n".join(part for part in (view.above, cut(context, CONTEXT_LETTERS), own) if part)
    return replace(view, index_text=cut(joined, DENSE_LETTERS))


def children(node: Node, chunk_size: float) -> list[str]:
    """Return stretches of a node's text of about equal size, whole sentences or lines each; none of a short one.

    ``chunk_size`` is in Chinese characters; a letter of another script counts two fifths.
    The rows of a table come under its first line.
    """
    pieces = _pieces(node)
    lengths = [length_of(piece) for piece in pieces]
    size = max(chunk_size, sum(lengths) / (MOST_CHILDREN - 1))
    places = range(len(pieces))
    parts = runs(places, lambda run, at: sum(lengths[n] for n in run) + lengths[at] / 2 <= size)
    return _stretches(node, pieces, [part[0] for part in parts])


def topics(node: Node, settings: SemanticChunkingSettings) -> list[str]:
    """Return the stretches of a node's text between shifts of its topic; none where it has one topic."""
    pieces = _pieces(node)
    if node.role in _BY_LINE or len(pieces) < 2:
        return []
    lengths = [length_of(piece) for piece in pieces]
    depth = depths(similarities(pieces, lengths, float(settings.min_chunk_size)))
    least, most = float(settings.min_chunk_size), float(settings.max_chunk_size)
    return _stretches(node, pieces, [0, *cuts(depth, lengths, least, most, frozenset())])


def _pieces(node: Node) -> list[str]:
    if node.role in _BY_LINE:
        return [line for line in node.text.splitlines(keepends=True) if line.strip()]
    return [sentence for sentence in sentences_of(node.text) if sentence.strip()]


def _stretches(node: Node, pieces: Sequence[str], starts: Sequence[int]) -> list[str]:
    if len(starts) < 2:
        return []
    ends = [*starts[1:], len(pieces)]
    made = ["".join(pieces[start:end]).strip() for start, end in zip(starts, ends, strict=True)]
    if node.role == "table":
        return [made[0], *(f"{pieces[0].strip()}\n{rows}" for rows in made[1:])]
    return made
