"""What texts say of names, by a language model: who or what, in which relation, to whom or what (seed 003, 10).

A relation counts only where the passage holds its value, and the passage or a title above it what it is said of. It
goes into the node's metadata and stands beside what tables and forms say by themselves (:mod:`engine.topics.entities`).
"""

import re

from engine.enrich.asking import Asking, OnShare, instruction
from engine.enrich.index_texts import Passages
from engine.model import Tree
from engine.providers.cancelling import Cancelled
from engine.providers.llm import Llm, estimate_tokens
from engine.structure.terms import fold, length_of

# Changed whenever what is sent changes: earlier replies no longer count.
PROMPT_VERSION = "1"
TOKENS = 400
MOST, LONGEST_LABEL, LONGEST_VALUE = 12, 24, 60
Relation = tuple[str, str, str]
_BETWEEN, _PARTS = re.compile(r"[;；\n]"), re.compile(r"\s*[|｜]\s*")
_EDGES = " \"'“”‘’「」()（）[].。-*"


def relations_by_model(
    tree: Tree, llm: Llm, asking: Asking, on_progress: OnShare, cancelled: Cancelled
) -> dict[str, list[Relation]]:
    """Return by node id what its text says of names; tables tell it by themselves, and doubtful readings nothing.

    ``on_progress`` gets the share done. Raises CancelledError; failures are counted in ``asking``.
    """
    passages, made = Passages(tree), dict[str, list[Relation]]()
    asked = [node for node in passages.nodes if node.role in ("paragraph", "list") and not node.doubtful]
    for done, node in enumerate(asked, 1):
        system, message = instruction("relations", node.text), passages.message("questions", node, "")
        reply = asking.complete(
            llm, f"relations {PROMPT_VERSION}", system, message, TOKENS, cancelled,
            tokens=estimate_tokens(system) + estimate_tokens(message) + TOKENS,
        )  # fmt: skip
        if found := relations_in(reply or "", message, node.text):
            made[node.node_id] = found
        on_progress(done / len(asked))
    return made


def relations_in(reply: str, told: str, text: str) -> list[Relation]:
    """Return the relations of a reply whose subject stands in what the model was told, and the value in the text."""
    lines = ([part.strip(_EDGES) for part in _PARTS.split(line)] for line in _BETWEEN.split(reply))
    known, held = fold(told), fold(text)
    found: dict[Relation, None] = {}
    for line in lines:
        if len(line) == 3 and all(line) and fold(line[0]) in known and fold(line[2]) in held:
            subject, label, value = line
            if subject != value and length_of(label) <= LONGEST_LABEL and length_of(value) <= LONGEST_VALUE:
                found[subject, label, value] = None
    return list(found)[:MOST]
