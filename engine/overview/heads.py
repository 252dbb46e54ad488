"""What stands at the head of documents, before the first section of their text: title, authors, sender, date."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.answer.check.marks import harmless
from engine.answer.check.sources import Sources
from engine.answer.events import OnEvent, Token
from engine.answer.evidence import TreeEvidence
from engine.answer.extractive import quotable
from engine.answer.phrases import Phrases
from engine.model import Answer, Evidence, TraceStep, Tree

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
