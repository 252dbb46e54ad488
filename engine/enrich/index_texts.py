"""What a language model adds to the index of a document, passage by passage (seed 004, 3.2).

It never changes what is shown or cited: it stands in a node's metadata under "indexed", from which the
indexing strategy makes the texts that are matched. A passage for which there is none is indexed as without a model.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.config import Strategy
from engine.enrich.asking import Asking, instruction
from engine.enrich.contexts import Passages, gist
from engine.model import Node, Tree
from engine.providers.llm import estimate_tokens

if TYPE_CHECKING:
    from engine.providers.llm import Llm

# Changed whenever what is sent changes: earlier replies no longer count.
PROMPT_VERSION = "1"
# The prompt of each strategy that asks a model, and the most tokens of a reply.
ASKED: dict[Strategy, tuple[str, int]] = {
    "sliding": ("passage_summary", 150),
    "contextual": ("passage_context", 150),
    "questions": ("passage_questions", 250),
}
MOST_QUESTIONS = 5
LONGEST_QUESTION = 300
_QUESTION = re.compile(r"[^?？]+[?？]")
_NUMBERING = re.compile(r"^\W*(?:\d{1,2}[.)、．:：]\s*)?")


def needs_summaries(tree: Tree, strategy: Strategy) -> bool:
    """Tell whether the summaries of document and sections are wanted first: those of a long document."""
    return strategy == "contextual" and not Passages(tree).short


def index_texts_by_model(
    tree: Tree,
    strategy: Strategy,
    llm: Llm,
    asking: Asking,
    on_progress: Callable[[float], None],
    cancelled: Callable[[], bool],
) -> dict[str, dict[str, Any]]:
    """Return by node id what the model made for the index: a "context" or "questions"; failures are left out.

    ``on_progress`` gets the share done. Raises CancelledError; failures are counted in ``asking``.
    """
    passages = Passages(tree)
    made: dict[str, dict[str, Any]] = {}
    before = ""
    for done, node in enumerate(passages.nodes, 1):
        system, message = _request(strategy, node, passages, before)
        most = ASKED[strategy][1]
        reply = asking.complete(
            llm, f"{strategy} {PROMPT_VERSION}", system, message, most, cancelled,
            tokens=estimate_tokens(system) + estimate_tokens(message) + most,
        )  # fmt: skip
        before = reply or gist(node)
        if what := _what(strategy, reply):
            made[node.node_id] = {"strategy": strategy, "method": asking.how} | what
        on_progress(done / len(passages.nodes))
    return made


def _what(strategy: Strategy, reply: str | None) -> dict[str, Any]:
    if not reply:
        return {}
    if strategy == "questions":
        questions = questions_in(reply)
        return {"questions": questions} if questions else {}
    return {"context": reply}


def _request(strategy: Strategy, node: Node, passages: Passages, before: str) -> tuple[str, str]:
    if strategy == "contextual":
        message = passages.contextual(node)
    elif strategy == "sliding":
        message = passages.sliding(node, before)
    else:
        message = passages.titled(node)
    return instruction(ASKED[strategy][0], node.text), message


def questions_in(reply: str) -> list[str]:
    """Return the questions of a reply, without numbering; text behind the last question mark is none."""
    found = (_NUMBERING.sub("", question).strip() for question in _QUESTION.findall(reply))
    unique = dict.fromkeys(question for question in found if 4 < len(question) <= LONGEST_QUESTION)
    return list(unique)[:MOST_QUESTIONS]
