"""Children of a node: stretches of its text, each embedded by itself (seed 004, 3.2 A and B.3).

A vector of a long text says a little of everything in it; that of two or three of its sentences says one thing.
The children lead back to their node, which is what is found, shown and cited.
"""

from collections.abc import Sequence

from engine.config import SemanticChunkingSettings
from engine.model import Node
from engine.structure.cohesion import cuts, depths, similarities
from engine.structure.sentences import sentences_of
from engine.structure.terms import length_of

MOST_CHILDREN = 16
_BY_LINE = ("table", "list", "code")


def children(node: Node, chunk_size: float) -> list[str]:
    """Return stretches of a node's text of about equal size, whole sentences or lines each; none of a short one.

    ``chunk_size`` is in Chinese characters; a letter of another script counts two fifths.
    The rows of a table come under its first line.
    """
    pieces = _pieces(node)
    lengths = [length_of(piece) for piece in pieces]
    size = max(chunk_size, sum(lengths) / (MOST_CHILDREN - 1))
    starts, length = [0], 0.0
    for at, own in enumerate(lengths):
        if length and length + own / 2 > size:
            starts.append(at)
            length = 0.0
        length += own
    return _stretches(node, pieces, starts)


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
