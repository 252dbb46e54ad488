"""Summaries by a language model, bottom-up (seed 003, 5.2.2): texts -> section -> document.

A section's summary is made of its own texts and the summaries of its subsections. Only nodes that are long
enough to deserve one are sent; where there is none, the extractive summary stays.
"""

from collections.abc import Iterator, Sequence

from engine.enrich.asking import Asking, OnShare, instruction
from engine.model import Node, Tree, children_of
from engine.providers.cancelling import Cancelled
from engine.providers.llm import Llm, estimate_tokens

# Changed whenever a prompt or what is sent with it changes: earlier replies no longer count.
PROMPT_VERSION = "1"
LEAST_TOKENS = 150
MOST_TOKENS = 3000
MOST_SUMMARIES = 200
SECTION_TOKENS, DOCUMENT_TOKENS = 200, 300
LONGEST_TABLE = 600
_CONTENT = ("paragraph", "list", "code", "table", "image", "equation")


def summaries_by_model(
    tree: Tree, llm: Llm, asking: Asking, on_progress: OnShare, cancelled: Cancelled
) -> dict[str, str]:
    """Return the model's summaries by node id, of the root and of sections; failures are left out.

    ``on_progress`` gets the share done. Raises CancelledError; failures are counted in ``asking``.
    """
    made: dict[str, str] = {}
    children = children_of(tree.nodes)
    chosen = {node.node_id for node in _deserving(tree, children)}
    for done, node in enumerate((node for node in reversed(tree.nodes) if node.node_id in chosen), 1):
        below = children.get(node.node_id, [])
        if len(below) == 1 and below[0].node_id in made:
            made[node.node_id] = made[below[0].node_id]  # it only wraps that one
            continue
        text = _fitted(list(_parts(node, children, made)))
        whole = node.role == "document"
        tokens = DOCUMENT_TOKENS if whole else SECTION_TOKENS
        system = instruction("summary", text).replace("{sentences}", "two or three" if whole else "one or two")
        user = f"Title: {node.title}\n<text>\n{text}\n</text>"
        if reply := asking.complete(llm, f"summary {PROMPT_VERSION}", system, user, tokens, cancelled):
            made[node.node_id] = reply
        on_progress(done / len(chosen))
    return made


def _deserving(tree: Tree, children: dict[str | None, list[Node]]) -> list[Node]:
    """Return the sections that hold enough to be summarised, and the root: the upper ones if they are many."""
    held: dict[str, int] = {}
    for node in reversed(tree.nodes):
        own = estimate_tokens(_content(node)) if node.role in _CONTENT else 0
        held[node.node_id] = own + sum(held[child.node_id] for child in children.get(node.node_id, []))
    coarse = sorted((n for n in tree.nodes if n.role in ("section", "document")), key=lambda node: node.depth)
    return [node for node in coarse if held[node.node_id] >= LEAST_TOKENS][:MOST_SUMMARIES]


def _parts(node: Node, children: dict[str | None, list[Node]], made: dict[str, str]) -> Iterator[str]:
    """Yield what a node's summary is made of: texts, and the summaries of subsections that have one."""
    for child in children.get(node.node_id, []):
        if child.role != "section":
            if content := _content(child):
                yield content
        elif summary := made.get(child.node_id):
            yield f"- {child.title}: {summary}"
        else:
            yield child.title
            yield from _parts(child, children, made)


def _content(node: Node) -> str:
    if node.role == "table":
        caption = str(node.metadata.get("caption") or "")
        return "\n".join(part for part in (caption, node.text[:LONGEST_TABLE]) if part)
    if node.role == "image":
        return str(node.metadata.get("description") or "")
    return node.text


def _fitted(parts: Sequence[str]) -> str:
    """Return the parts as one text of at most MOST_TOKENS: the start of each when that is too much."""
    sizes = [estimate_tokens(part) for part in parts]
    if sum(sizes) <= MOST_TOKENS:
        return "\n".join(parts)
    share = MOST_TOKENS / sum(sizes)
    return "\n".join(filter(None, (part[: int(len(part) * share)] for part in parts)))
