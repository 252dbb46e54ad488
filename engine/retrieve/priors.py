"""What speaks for a node beside its words: that the question asks for it (seed 002, 6.3).

A node gains when it is what the question names (its label, its quantity, its section) or of the kind that the question
speaks of (a picture, a table with the columns, units and operations asked for). An entry of the bibliography loses: its
title is about what is asked, but it does not answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.index.tokenize import tokens
from engine.model import Node
from engine.retrieve.intent import Intent
from engine.retrieve.named import Named
from storage.base import StoredNode

# Each view of what the question asks for, by how much it tells.
NAMED, COLUMN, ROLE, OPERATION = 1.0, 0.6, 0.5, 0.3
CITED_WORK = -2.0
_CAPABLE = {"table": frozenset({"COMPARE", "RANK", "TREND", "PERCENT", "SUM", "AVERAGE", "LOOKUP"})}


def intent_bonus(
    stored: StoredNode, intent: Intent, named: Sequence[Named], words: Mapping[str, float]
) -> tuple[float, list[str]]:
    """Return how far, 0..1, a node is what is asked for, and the reasons (``labels:Figure 1``, ``role:table``).

    An entry of the bibliography has -2 where no literature is asked for. ``words`` are the question's weighted terms.
    """
    node = stored.node
    reasons = [f"{one.kind}:{one.printed}" for one in named if stored.key in one.keys]
    bonus = NAMED if reasons else 0.0
    if node.role in intent.roles:
        reasons.append(f"role:{node.role}")
        bonus = max(bonus, ROLE)
    if intent.operations & _CAPABLE.get(node.role, frozenset()):
        columns = _columns_asked_for(node, words)
        if columns:
            reasons.append("table_schema:" + ",".join(columns))
            bonus = max(bonus, COLUMN)
        elif intent.roles & {node.role}:
            reasons += sorted(f"supports_{name}" for name in intent.operations)
            bonus = max(bonus, OPERATION)
    if not reasons and node.metadata.get("kind") == "reference" and not intent.literature:
        return CITED_WORK, ["cited_work"]
    return bonus, reasons


def _columns_asked_for(node: Node, words: Mapping[str, float]) -> list[str]:
    """The column names of a table of which the question has every word."""
    names = [str(column.get("name") or "") for column in node.metadata.get("columns") or [] if column]
    return [name for name in names[:50] if len(name) > 1 and words.keys() >= set(tokens(name))]
