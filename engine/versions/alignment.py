"""The sections of two versions, and which of the older one is which of the newer.

Sections are those whose heading is in the file: a generated one is made anew for every version, at other
places and under another name when a word of the document differs.

They are paired like the nodes of two trees in change detection (Chawathe et al., "Change detection in
hierarchically structured information", SIGMOD 1996): what is equal first, then what is most alike, each only
once. Text counts more than the heading and the heading more than its number, so that a section keeps its
identity when it is renamed, renumbered or moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from rapidfuzz.distance import LCSseq

from engine.model import Node, Tree, section_path
from engine.structure.numbering import without_number
from engine.structure.sequences import grouped
from engine.structure.terms import terms_of
from engine.versions.changes import likeness

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
    def content(self) -> tuple[str, ...]:
        """What tells it from others by its text: the keys of its own leaves, or where it has none, of those below."""
        return self.keys or tuple(key for child in self.children for key in child.content)

    @cached_property
    def terms(self) -> Counter[str]:
        """The terms of that text."""
        return terms_of("\n".join(self.content)[:_MOST_TEXT])


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
    facts = [text, *(str(leaf.metadata.get(name) or "") for name in ("caption", "alt", "ocr_text", "width", "height"))]
    return " ".join(" ".join(facts).split())


def dice(one: Counter[str], other: Counter[str]) -> float:
    """Return how many terms two texts share, 0 to 1 (Dice's coefficient of the bags)."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


Pairs = dict[Section, Section]
# Text of so many letters is rarely there twice by chance.
TELLING = 20
# All pairs of what is left are compared up to so many; beyond that only those with the same name.
_MOST_PAIRS = 40_000
_SAME_TEXT, _LIKE_TEXT, _LITTLE_TEXT, _LIKE_TITLE = 0.6, 0.3, 0.15, 0.5


def aligned(old: Sequence[Section], new: Sequence[Section]) -> Pairs:
    """Return the sections of ``old`` with those of ``new`` that they have become; the roots come first."""
    pairs: Pairs = {old[0]: new[0]}
    taken: set[Section] = {new[0]}
    same_place = partial(_equal, key=lambda section: (section.path_names, section.content))
    same_text = partial(
        _equal, key=lambda section: section.content if sum(map(len, section.content)) >= TELLING else None
    )
    for found in (same_place, same_text, _alike):
        free = [s for s in old if s not in pairs], [s for s in new if s not in taken]
        for one, other in found(*free):
            if one not in pairs and other not in taken:
                pairs[one] = other
                taken.add(other)
    return pairs


def moved(old: Sequence[Section], pairs: Pairs) -> set[Section]:
    """Return the sections of ``old`` that stand elsewhere now: below another section, or in another order.

    Of sections that changed their order, as few as possible are said to have moved (longest increasing
    subsequence). What moved along with the section above it has not moved.
    """
    found: set[Section] = set()
    for section in old:
        below = [child for child in section.children if child in pairs]
        siblings = pairs[section].children if section in pairs else []
        place = {child: number for number, child in enumerate(siblings)}
        here = [child for child in below if pairs[child] in place]
        found |= set(below).difference(here)
        places = [place[pairs[child]] for child in here]
        found |= {here[one.src_pos] for one in LCSseq.editops(places, sorted(places)) if one.tag == "delete"}
    return found


def _equal(
    old: Sequence[Section], new: Sequence[Section], key: Callable[[Section], Hashable | None]
) -> Iterable[tuple[Section, Section]]:
    """Pair the sections with the same key, where it is there as often in each version."""
    ones, others = (grouped((key(section), section) for section in side) for side in (old, new))
    for value, own in ones.items():
        if value is not None and len(own) == len(others.get(value, ())):
            yield from zip(own, others[value], strict=True)


def _alike(old: Sequence[Section], new: Sequence[Section]) -> Iterable[tuple[Section, Section]]:
    """Return the pairs that are alike enough, the most alike first."""
    everything = len(old) * len(new) <= _MOST_PAIRS
    by_name = grouped((section.name, section) for section in new)
    scored = [
        (score, one, other)
        for one in old
        for other in (new if everything else by_name.get(one.name, ()))
        if (score := _score(one, other)) > 0
    ]
    return [(one, other) for _, one, other in sorted(scored, key=lambda item: -item[0])]


def _score(one: Section, other: Section) -> float:
    """Return how alike two sections are; 0 where they are not the same section."""
    text = 1.0 if one.content == other.content != () else dice(one.terms, other.terms)
    # A section at the same place is the same, whatever became of its text.
    here = bool(one.name) and one.path_names == other.path_names
    beside = one.path_names[:-1] == other.path_names[:-1]
    title = 1.0 if one.name == other.name else likeness(one.name, other.name)
    if here or text >= _least_text(one, title, beside, bare=not (one.content and other.content)):
        return here + 0.6 * text + 0.3 * title + 0.1 * beside + 0.01 * (one.title == other.title)
    return 0.0


def _least_text(section: Section, title: float, beside: bool, bare: bool) -> float:
    """Return how alike the texts of two sections must be: the less, the more alike their titles and places are.

    ``title`` is how alike their titles are, ``bare`` says that one has no text.
    """
    if section.name and title == 1.0:
        return 0.0 if beside or bare else _LITTLE_TEXT
    if title >= _LIKE_TITLE:
        return 0.0 if beside and bare else _LIKE_TEXT
    return _SAME_TEXT
