"""A mail that is meant by what it says: "Who sent the mail about the trucks?", 关于空调的邮件抄送给了谁？

Who wrote to whom, and when, stands at a mail's head, what it is about in its text or subject. The head is quoted, as is
that of any document: title, author, date.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from engine.answer.check.marks import harmless
from engine.answer.check.sources import Sources
from engine.answer.events import OnEvent, Token
from engine.answer.evidence import TreeEvidence
from engine.answer.extractive import quotable
from engine.answer.phrases import Phrases
from engine.answer.understand.terms import pieces_covered, pieces_of, terms_with_forms
from engine.answer.understand.translated import translated_pieces
from engine.model import Answer, Document, Evidence, TraceStep, Tree

MAILS = (".eml", ".msg")
# Of the mails that say all of it, so many are told.
MOST_TOLD = 3


def mails_among(documents: Sequence[Document]) -> list[Document]:
    """Return the documents that are mails."""
    return [one for one in documents if PurePath(one.name).suffix.lower() in MAILS]


def mails_saying(term: str, trees: Sequence[Tree]) -> list[Tree]:
    """Return the first mails, of ``trees`` in their order, that hold every word of a term, in either language."""
    return [tree for tree in trees if _holds(term, _terms(tree))][:MOST_TOLD]


def _terms(tree: Tree) -> frozenset[str]:
    return terms_with_forms("\n".join([tree.name, *(f"{node.title}\n{node.text}" for node in tree.nodes)]))


def _holds(term: str, present: frozenset[str]) -> bool:
    return any(
        pieces and pieces_covered(pieces, present) >= 1.0
        for pieces in (pieces_of(term), translated_pieces(term))
    )


# The head of a document is so many short texts.
MOST_HEAD, LONGEST_HEAD = 5, 400
_PROSE = ("paragraph", "list", "caption")
# Below these lines of a mail its text begins.
_FIELDS = re.compile(r"(?:From|To|Date): ")


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


def quote_heads(trees: Sequence[Tree], phrases: Phrases, tell: OnEvent) -> Answer | None:
    """Return an answer that quotes the heads of documents, each under its name; None where none has one."""
    heads = [(tree.name, head) for tree in trees if (head := head_of(tree))]
    if not heads:
        return None
    sources = Sources([item for _, head in heads for item in head])
    parts: list[str] = []
    steps: list[TraceStep] = []
    index = 0
    for name, head in heads:
        lines = [phrases.at_the_head.format(name=harmless(name)), ""]
        for item in head:
            n = sources.add(index, 0, len(item.text)) if item.text else sources.add_title(index)
            lines.append(f"- {quotable(item.text or item.title)} [{n}]")
            index += 1
        parts.append("\n".join(lines))
        steps.append(
            TraceStep(
                len(steps),
                "action",
                phrases.step_head.format(name=name),
                "get_node_content",
                {"document": name},
            )
        )
    text = "\n\n".join(parts)
    tell(Token(text))
    for step in steps:
        tell(step)
    return Answer(
        text, "direct", "medium", True, sources.citations, reasoning_steps=len(steps), reasoning_trace=steps
    )
