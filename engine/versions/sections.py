"""A node tree as sections with the text that stands directly in them.

Sections are those whose heading is in the file: a generated one is made anew for every version, at other
places and under another name when a word of the document differs.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from engine.model import Node, Tree, section_path
from engine.structure.numbering import without_number
from engine.structure.terms import terms_of

_MOST_TEXT = 20_000


@dataclass(eq=False)
class Section:
    """A section, or the document itself; ``leaves`` are the nodes in it that are in none of its ``children``."""

    node: Node
    parent: Section | None
    path: list[str]
    leaves: list[Node] = field(default_factory=list)
    children: list[Section] = field(default_factory=list)

    @property
    def title(self) -> str:
        """The heading as the file has it, on one line."""
        return " ".join(str(self.node.metadata.get("original_title") or self.node.title).split())

    @cached_property
    def name(self) -> str:
        """The title without its number, case-folded; "" where it is only a number."""
        return without_number(self.title).casefold().strip()

    @cached_property
    def path_names(self) -> tuple[str, ...]:
        """The names of the sections that lead to it and its own; the title where there is no name."""
        above = self.parent.path_names if self.parent else ()
        return (*above, self.name or self.title.casefold()) if self.parent else ()

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys of its own leaves, without empty ones."""
        return tuple(key for leaf in self.leaves if (key := key_of(leaf)))

    @cached_property
    def content(self) -> tuple[object, ...]:
        """What tells it from others by its text: its own leaves, or where it has none, those below."""
        if self.keys or not self.children:
            return self.keys
        return ("below", *(child.content for child in self.children))

    @cached_property
    def terms(self) -> Counter[str]:
        """The terms of its own text."""
        return terms_of("\n".join(self.keys)[:_MOST_TEXT])


def sections_of(tree: Tree) -> list[Section]:
    """Return the document and its sections in reading order."""
    nodes = {node.node_id: node for node in tree.nodes}
    root = Section(tree.nodes[0], None, [])
    found = [root]
    holder: dict[str, Section] = {root.node.node_id: root}
    for node in tree.nodes[1:]:
        above = holder[node.node_id] = holder.get(node.parent_id or "", root)
        if node.role == "section" and node.metadata.get("generated"):
            continue
        if node.role == "section":
            section = Section(node, above, section_path(node.node_id, nodes))
            above.children.append(section)
            found.append(section)
            holder[node.node_id] = section
        else:
            above.leaves.append(node)
    return found


def key_of(leaf: Node) -> str:
    """Return what must be equal for two leaves to be the same; white space does not count."""
    text = " ".join(leaf.text.split())
    if leaf.role != "image":
        return text
    facts = [
        text,
        *(str(leaf.metadata.get(name) or "") for name in ("caption", "alt", "ocr_text", "width", "height")),
    ]
    return " ".join(" ".join(facts).split())


def dice(one: Counter[str], other: Counter[str]) -> float:
    """Return how many terms two texts share, 0 to 1 (Dice's coefficient of the bags)."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0
