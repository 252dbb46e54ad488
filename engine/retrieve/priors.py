"""What speaks for a node beside its words: good neighbours, and what the question asks for (seed 002, 6.3).

- *Tree prior.* A node gains from other good nodes near it: in its section, above or below it, on its page or
  on the next one. One lucky match stands alone, an answer stands among its kind.
- *Intent.* A node gains when it is what the question names (its label, its quantity, its section) or of the
  kind that the question speaks of (a picture, a table with the columns, units and operations asked for). An entry of
  the bibliography loses: its title is about what is asked, but it does not answer.

Both are 0..1 and weigh 0.10 each by default.
"""

from collections.abc import Iterator, Mapping, Sequence

from engine.index.tokenize import tokens
from engine.model import Node
from engine.retrieve.named import Named
from engine.retrieve.query import Intent
from storage.base import StoredNode

# Of its section a node is one among many.
SAME_SECTION, KIN, SAME_PAGE, NEXT_PAGE = 0.5, 0.4, 0.25, 0.12
# Each view of what the question asks for, by how much it tells.
NAMED, COLUMN, ROLE, OPERATION = 1.0, 0.6, 0.5, 0.3
CITED_WORK = -2.0


def tree_priors(nodes: Sequence[StoredNode], strengths: Sequence[float]) -> list[float]:
    """Return for each node, best first, how near the best other one is, by that one's strength; all 0..1."""
    others = list(zip(nodes, strengths, strict=True))
    return [
        max((strength * _nearness(one, other) for other, strength in others if other is not one), default=0.0)
        for one in nodes
    ]


def intent_bonus(
    stored: StoredNode, intent: Intent, named: Sequence[Named], words: Mapping[str, float]
) -> tuple[float, list[str]]:
    """Return how far, 0..1, a node is what is asked for, and the reasons (``labels:Figure 1``, ``role:table``).

    An entry of the bibliography has -2 where no literature is asked for. ``words`` are the question's weighted terms.
    """
    node = stored.node
    found = [(NAMED, f"{one.kind}:{one.printed}") for one in named if stored.key in one.keys]
    found += _of_kind(node, intent, words)
    if not found and node.metadata.get("kind") == "reference" and not intent.literature:
        return CITED_WORK, ["cited_work"]
    return max((bonus for bonus, _ in found), default=0.0), [reason for _, reason in found]


def _of_kind(node: Node, intent: Intent, words: Mapping[str, float]) -> Iterator[tuple[float, str]]:
    """What a node gains for its role or type of chart, a table for columns asked for or else operations, and why."""
    if node.role in intent.roles:
        yield ROLE, f"role:{node.role}"
    if intent.chart_type and node.metadata.get("chart_type") == intent.chart_type:
        yield COLUMN, f"chart_type:{intent.chart_type}"
    if node.role != "table" or not intent.operations:
        return
    if columns := _columns_asked_for(node, words):
        yield COLUMN, "table_schema:" + ",".join(columns)
    elif "table" in intent.roles:
        yield from ((OPERATION, f"supports_{name}") for name in sorted(intent.operations))


def _nearness(one: StoredNode, other: StoredNode) -> float:
    if one.document_id != other.document_id or one.version != other.version:
        return 0.0
    a, b = one.node, other.node
    if a.parent_id == b.node_id or b.parent_id == a.node_id:
        return KIN
    if a.parent_id is not None and a.parent_id == b.parent_id and one.path:
        return SAME_SECTION
    if a.page is not None and b.page is not None:
        return {0: SAME_PAGE, 1: NEXT_PAGE}.get(abs(a.page - b.page), 0.0)
    return 0.0


def _columns_asked_for(node: Node, words: Mapping[str, float]) -> list[str]:
    """The column names of a table of which the question has every word."""
    names = [str(column.get("name") or "") for column in node.columns]
    return [name for name in names[:50] if len(name) > 1 and words.keys() >= set(tokens(name))]
