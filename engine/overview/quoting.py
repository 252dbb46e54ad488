"""Quotations of what stands at a place, and at the head of a document, word for word."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.answer.check.marks import harmless
from engine.answer.check.sources import Sources
from engine.answer.events import OnEvent, Token
from engine.answer.extractive import quotable
from engine.answer.phrases import Phrases
from engine.answer.tables.cite import cite_cell
from engine.model import Answer, Evidence, Node, TraceStep, Tree
from engine.overview.places import Place
from engine.retrieve.tree_evidence import TreeEvidence

# So many leaves of each document are quoted, and so many lines of a list or table.
MOST_LEAVES, MOST_LINES = 40, 12
# The head of a document is so many short texts.
MOST_HEAD, LONGEST_HEAD = 5, 400
_PROSE = ("paragraph", "list", "caption")
# Below these lines of a mail its text begins.
_FIELDS = re.compile(r"(?:From|To|Date): ")


def quote_place(
    place: Place, found: Sequence[tuple[Tree, Sequence[Node]]], phrases: Phrases, tell: OnEvent
) -> Answer:
    """Quote what stands at a place in some documents, each under its name where there are several."""
    found = [(tree, nodes[:MOST_LEAVES]) for tree, nodes in found]
    evidence = evidence_of(found)
    sources = Sources(evidence)
    lines, index = [phrases.quoted_words], 0
    for tree, nodes in found:
        lines += ["", *([f"{harmless(tree.name)}:", ""] if len(found) > 1 else [])]
        for node in nodes:
            lines += _lines(place, node, sources, evidence[index], index, phrases)
            index += 1
    names = [tree.name for tree, _ in found]
    said = phrases.step_place.format(label=place.printed, names=", ".join(names))
    return told(lines, _read(said, documents=names), sources, tell)


def quote_head(tree: Tree, phrases: Phrases, tell: OnEvent) -> Answer | None:
    """Quote the head of a document; None where it begins with something else."""
    head = head_of(tree)
    if not head:
        return None
    sources = Sources(head)
    lines = [phrases.at_the_head.format(name=harmless(tree.name)), ""]
    for index, item in enumerate(head):
        lines.append(f"- {quotable(item.text or item.title)} [{sources.add(index, 0, len(item.text))}]")
    step = _read(phrases.step_head.format(name=tree.name), document=tree.name)
    return told(lines, step, sources, tell)


def _read(said: str, **what: object) -> TraceStep:
    return TraceStep(0, "action", said, "get_node_content", what)


def head_of(tree: Tree) -> list[Evidence]:
    """Return the nodes at the head of a document as evidence; none where it begins with something else."""
    make = TreeEvidence(tree)
    head: list[Evidence] = []
    for node in tree.nodes[1:]:
        # A mail's subject is its first section's title; a second section begins the text.
        if node.role == "section" and head:
            break
        if node.title or (node.text and node.role in _PROSE and len(node.text) <= LONGEST_HEAD):
            head.append(make.of(node))
        if len(head) == MOST_HEAD or _FIELDS.match(node.text):
            break
    return head


def evidence_of(found: Sequence[tuple[Tree, Sequence[Node]]]) -> list[Evidence]:
    """Return nodes of some documents as evidence."""
    made: list[Evidence] = []
    for tree, nodes in found:
        make = TreeEvidence(tree)
        made += [make.of(node) for node in nodes]
    return made


def told(lines: Sequence[str], step: TraceStep, sources: Sources, tell: OnEvent) -> Answer:
    """Return lines as an answer that one step found, both told to whoever listens."""
    text = "\n".join(lines)
    tell(step)
    tell(Token(text))
    return Answer(text, "direct", "high", True, sources.citations, reasoning_steps=1, reasoning_trace=[step])


def _lines(
    place: Place, node: Node, sources: Sources, item: Evidence, index: int, phrases: Phrases
) -> list[str]:
    """Return the lines of an answer for one node: its cells, its title, or its text, line by line where it has rows."""
    if cells := place.cells(node):
        cited = ((cell, cite_cell(cell, item)) for cell in cells)
        numbered = [(cell, sources.add_cell(citation)) for cell, citation in cited if citation is not None]
        return [
            f"- {cell.address} ({', '.join(filter(None, (cell.row_header, cell.column_header)))}): {cell.text} [{n}]"
            for cell, n in numbered
        ]
    if not item.text:
        return [f"- {quotable(item.title)} [{sources.add(index, 0, 0)}]"] if item.title else []
    stretches = [(0, len(item.text))]
    if item.hit.role in ("list", "table"):
        stretches = [match.span() for match in re.finditer(r"\S[^\n]*", item.text)]
    lines = [
        f"- {quotable(item.text[start:end])} [{sources.add(index, start, end)}]"
        for start, end in stretches[:MOST_LINES]
    ]
    if len(stretches) > MOST_LINES:
        lines.append(phrases.more_lines.format(count=len(stretches) - MOST_LINES))
    return lines
