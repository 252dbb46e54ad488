"""A tree -> the same tree, richer, with the references between its nodes (seed 002, 5).

Pure and deterministic; runs in the parsing worker right after the tree is built.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from engine.config import SummarySettings
from engine.enrich.aliases import Synonyms, with_aliases
from engine.enrich.figures import enrich_figure
from engine.enrich.references import reference_edges
from engine.enrich.summary import DEFAULTS, summarized
from engine.enrich.tables import enrich_table
from engine.model import PROSE, Edge, Node, Tree, children_of

NEAR = 2
# Above this, about 2,500 pages, summaries and aliases would take minutes and nobody reads them.
MOST_LETTERS = 5_000_000
MOST_NOTES, LONGEST_NOTE = 4, 600
SAMPLED_ROWS = 400
TOO_LONG = "This document is very long: it has no summaries and its abbreviations are not resolved."
_NOTE = re.compile(
    r"\s*(?:\(?notes?\)?\s*[:：.\d]|sources?\s*[:：]|\*|†|‡|注\s*[:：\d(（]|资料来源|数据来源|来源\s*[:：]|说明\s*[:：]|\([a-z1-9]\)\s)",
    re.IGNORECASE,
)


def enrich(
    tree: Tree, synonyms: Synonyms | None = None, summary: SummarySettings = DEFAULTS
) -> tuple[Tree, list[Edge]]:
    """Return the tree with summaries, table and figure facts and aliases, and its ``ref`` edges.

    Ids, texts, titles and places of nodes stay as they are. ``synonyms`` are the shipped ones unless given, ``summary``
    says how many sentences summaries have.
    A tree with more than MOST_LETTERS letters gets table and figure facts only, and a warning that says so.
    """
    tree = replace(tree, nodes=_with_facts(tree))
    if sum(len(node.text) for node in tree.nodes) > MOST_LETTERS:
        return replace(tree, warnings=[*tree.warnings, TOO_LONG]), []
    references = reference_edges(tree)
    return with_aliases(summarized(tree, references, summary), synonyms), references


def _with_facts(tree: Tree) -> list[Node]:
    nodes = {node.node_id: node for node in tree.nodes}
    children = children_of(tree.nodes)
    samples = _samples(tree.nodes)

    def with_facts(node: Node) -> Node:
        if node.role == "table":
            siblings = children.get(node.parent_id, [])
            before, notes = _before(node, siblings, nodes), _notes(node, siblings)
            return enrich_table(node, before, notes, samples.get(node.node_id))
        return enrich_figure(node) if node.role == "image" else node

    return list(map(with_facts, tree.nodes))


def _samples(nodes: Sequence[Node]) -> dict[str, list[list[str]]]:
    """Return for each part of a table that was divided rows of all its parts, those of the header first."""
    samples: dict[str, list[list[str]]] = {}
    sample: list[list[str]] = []
    for node in nodes:
        if node.role != "table" or "part" not in node.metadata:
            continue
        part, parts = node.metadata["part"]
        rows = node.metadata["rows"]
        if part == 1:
            sample = rows[:SAMPLED_ROWS]
        else:
            sample += rows[node.metadata.get("header_rows", 0) :: 1 + len(rows) * parts // SAMPLED_ROWS]
        samples[node.node_id] = sample
    return samples


def _before(node: Node, siblings: list[Node], nodes: dict[str, Node]) -> list[str]:
    """Return the texts above a table that may state its unit, the nearest first, its section's title last."""
    at = _index(node, siblings)
    near = siblings[max(0, at - NEAR) : at][::-1]
    texts = [one.text for one in takewhile(lambda one: one.role in ("paragraph", "caption"), near)]
    parent = nodes.get(node.parent_id or "")
    return [*texts, parent.title] if parent else texts


def _notes(node: Node, siblings: list[Node]) -> list[str]:
    at = _index(node, siblings) + 1
    below = siblings[at : at + MOST_NOTES]
    return [one.text for one in takewhile(_is_note, below)]


def _is_note(node: Node) -> bool:
    return node.role in PROSE and len(node.text) <= LONGEST_NOTE and bool(_NOTE.match(node.text))


def _index(node: Node, siblings: list[Node]) -> int:
    # Positions count from 0 without gaps, except in trees that were made by hand.
    if node.position < len(siblings) and siblings[node.position].node_id == node.node_id:
        return node.position
    return next((index for index, sibling in enumerate(siblings) if sibling.node_id == node.node_id), 0)
