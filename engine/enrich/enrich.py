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
    around = {node.node_id: (group, at) for group in children_of(tree.nodes).values() for at, node in enumerate(group)}
    samples = _samples(tree.nodes)

    def with_facts(node: Node) -> Node:
        if node.role == "table":
            siblings, at = around[node.node_id]
            before = _before(siblings[max(0, at - NEAR) : at], nodes.get(node.parent_id or ""))
            notes = [one.text for one in takewhile(_is_note, siblings[at + 1 : at + 1 + MOST_NOTES])]
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


def _before(near: Sequence[Node], parent: Node | None) -> list[str]:
    """Return the texts above a table that may state its unit, the nearest first, its section's title last."""
    texts = [one.text for one in takewhile(lambda one: one.role in ("paragraph", "caption"), reversed(near))]
    return [*texts, parent.title] if parent else texts


def _is_note(node: Node) -> bool:
    return node.role in PROSE and len(node.text) <= LONGEST_NOTE and bool(_NOTE.match(node.text))
