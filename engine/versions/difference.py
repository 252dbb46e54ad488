"""What differs between two versions of a document, section by section.

Sections are aligned first (``alignment``), then the passages of each pair (``passages``). A text that has left
one section and stands word for word in another has moved: it is neither removed nor added.
"""

from __future__ import annotations

from collections import defaultdict

from engine.model import Node, Tree
from engine.versions.alignment import Pairs, aligned, moved
from engine.versions.changes import Change, Difference
from engine.versions.passages import compared, passages_of
from engine.versions.sections import Section, key_of, sections_of

# A text of fewer letters may stand in two places by chance.
_TELLING = 12
_BEGINNING = 200


def difference(before: Tree, after: Tree) -> Difference:
    """Return how the tree of a newer version differs from that of an older one (in whichever order they came)."""
    return _Comparison(before, after).run()


class _Comparison:
    def __init__(self, before: Tree, after: Tree) -> None:
        self._before, self._after = before, after
        self._old, self._new = sections_of(before), sections_of(after)
        self._pairs: Pairs = aligned(self._old, self._new)
        self._found: dict[Section, list[tuple[Node | None, Node | None]]] = defaultdict(list)
        self._gone: list[tuple[Section, Node]] = []
        self._come: list[tuple[Section, Node]] = []

    def run(self) -> Difference:
        for one, other in self._pairs.items():
            self._compare(one, other)
        matched = set(self._pairs.values())
        removed = [section for section in self._old if section not in self._pairs]
        added = [section for section in self._new if section not in matched]
        self._gone += [(section, leaf) for section in removed for leaf in section.leaves if key_of(leaf)]
        self._come += [(section, leaf) for section in added for leaf in section.leaves if key_of(leaf)]
        texts = self._moved_texts()
        for section, leaf in self._gone:
            self._found[section].append((leaf, None))
        for section, leaf in self._come:
            self._found[section].append((None, leaf))
        old_of = {other: one for one, other in self._pairs.items()}
        titles = [(one, other) for one, other in self._pairs.items() if _retitled(one, other)]
        order = {section: number for number, section in enumerate(self._new)}
        titles.sort(key=lambda pair: order[pair[1]])
        return Difference(
            self._after.document_id, self._after.name, self._before.version, self._after.version,
            added=[self._whole(section, new=True) for section in added],
            removed=[self._whole(section, new=False) for section in removed],
            changed=[change for section in self._new for change in self._changed(old_of.get(section), section)],
            moved=[*self._moved_sections(order), *texts],
            renamed=[_renamed(*pair) for pair in titles if pair[0].name != pair[1].name],
            renumbered=[_renamed(*pair) for pair in titles if pair[0].name == pair[1].name],
        )  # fmt: skip

    def _compare(self, one: Section, other: Section) -> None:
        if one.keys == other.keys:
            return
        for before, after in compared(one.leaves, other.leaves):
            if before is not None and after is not None:
                self._found[other].append((before, after))
            elif before is not None:
                self._gone.append((one, before))
            elif after is not None:
                self._come.append((other, after))

    def _moved_texts(self) -> list[Change]:
        """Take out of what is gone and come the texts that are both, and return them."""
        gone: dict[str, list[tuple[Section, Node]]] = defaultdict(list)
        for section, leaf in self._gone:
            if len(key_of(leaf)) >= _TELLING:
                gone[key_of(leaf)].append((section, leaf))
        changes = []
        left: set[str] = set()
        come = []
        for section, leaf in self._come:
            from_where = gone.get(key_of(leaf))
            if not from_where:
                come.append((section, leaf))
                continue
            source, original = from_where.pop(0)
            left.add(original.node_id)
            before, after = " > ".join(source.path), " > ".join(section.path)
            text = leaf.text[:_BEGINNING]
            changes.append(Change(section.path, before, after, original.node_id, leaf.node_id, text=text))
        self._come = come
        self._gone = [(section, leaf) for section, leaf in self._gone if leaf.node_id not in left]
        return changes

    def _moved_sections(self, order: dict[Section, int]) -> list[Change]:
        found = [(one, self._pairs[one]) for one in moved(self._old, self._pairs)]
        found.sort(key=lambda pair: order[pair[1]])
        return [
            Change(
                other.path, " > ".join(one.path), " > ".join(other.path), one.node.node_id, other.node.node_id
            )
            for one, other in found
        ]

    def _changed(self, one: Section | None, other: Section) -> list[Change]:
        """Return what changed in a section, one change at most."""
        if one is None:
            return []
        pairs = [*self._found.get(one, ()), *self._found.get(other, ())]
        order = {leaf.node_id: number for number, leaf in enumerate([*one.leaves, *other.leaves])}
        pairs.sort(key=lambda pair: order[(pair[1] or pair[0]).node_id] if pair[1] or pair[0] else 0)
        told = [passage for pair in pairs for passage in passages_of(*pair)]
        if not told:
            return []
        before = "\n".join(one.before for one in told if one.before)
        after = "\n".join(one.after for one in told if one.after)
        return [Change(other.path, before, after, one.node.node_id, other.node.node_id, told)]

    def _whole(self, section: Section, *, new: bool) -> Change:
        passages = [passage for pair in self._found.get(section, ()) for passage in passages_of(*pair)]
        text = "\n".join([section.title, *(passage.after if new else passage.before for passage in passages)])
        node, before, after = section.node.node_id, "" if new else text, text if new else ""
        return Change(section.path, before, after, None if new else node, node if new else None, passages)


def _retitled(one: Section, other: Section) -> bool:
    if one.title == other.title:
        return False
    # A document whose title is that of a section has it from there; what happened to it is told there.
    return one.parent is not None or not (_named_by_section(one) or _named_by_section(other))


def _named_by_section(root: Section) -> bool:
    return any(child.title == root.title for child in root.children)


def _renamed(one: Section, other: Section) -> Change:
    return Change(other.path, one.title, other.title, one.node.node_id, other.node.node_id)
