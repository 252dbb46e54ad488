"""What differs between two versions of a document, section by section, and in these passage by passage.

Sections are aligned first (``alignment``), then the paragraphs, lists, pictures and rows of tables of each pair.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import product
from typing import Literal, TypeVar

from engine.enrich.cell_places import CellRef, cell_of
from engine.model import Node, Role, Tree
from engine.structure.terms import terms_of
from engine.versions.alignment import Section, aligned, dice, key_of, moved, sections_of
from engine.versions.changes import CellChange, Change, Difference, Passage, PassageKind, changed_words


def difference(before: Tree, after: Tree) -> Difference:
    """Return how the tree of a newer version differs from that of an older one (in whichever order they came)."""
    old, new = sections_of(before), sections_of(after)
    pairs = aligned(old, new)
    old_of = {other: one for one, other in pairs.items()}
    kept = [(old_of[other], other) for other in new if other in old_of]
    elsewhere = moved(old, pairs)
    return Difference(
        after.document_id, after.name, before.version, after.version,
        added=[_whole(one, is_new=True) for one in new if one not in old_of],
        removed=[_whole(one, is_new=False) for one in old if one not in pairs],
        changed=[change for pair in kept for change in _changed(*pair)],
        moved=[_change(a, b, " > ".join(a.path), " > ".join(b.path)) for a, b in kept if a in elsewhere],
        renamed=_retitled(kept, by_number=False), renumbered=_retitled(kept, by_number=True),
    )  # fmt: skip


def _changed(one: Section, other: Section) -> list[Change]:
    """Return what changed in a section: one change at most, but for each passage under no heading one."""
    differing = compared(one.leaves, other.leaves) if one.keys != other.keys else ()
    told = [passage for pair in differing for passage in passages_of(*pair)]
    groups = [told] if one.parent and told else [[passage] for passage in told]
    return [_change(one, other, _joined(p.before for p in own), _joined(p.after for p in own), own) for own in groups]


def _whole(section: Section, *, is_new: bool) -> Change:
    leaves = [leaf for leaf in section.leaves if key_of(leaf)]
    pairs = [(None, leaf) if is_new else (leaf, None) for leaf in leaves]
    passages = [passage for pair in pairs for passage in passages_of(*pair)]
    text = "\n".join([section.title, *(passage.after or passage.before for passage in passages)])
    node = section.node.node_id
    if is_new:
        return Change(section.path, "", text, None, node, passages)
    return Change(section.path, text, "", node, None, passages)


def _change(one: Section, other: Section, before: str, after: str, passages: Sequence[Passage] = ()) -> Change:
    """Return what became of a section, ``one``, that is in both versions."""
    return Change(other.path, before, after, one.node.node_id, other.node.node_id, list(passages))


def _retitled(pairs: Iterable[tuple[Section, Section]], *, by_number: bool) -> list[Change]:
    """Return the sections whose titles are others: only by their number, or by their words."""
    # A document whose title is that of a section has it from there; what happened to it is told there.
    own = (pair for pair in pairs if pair[0].parent or all(r.title != one.title for r in pair for one in r.children))
    return [_change(a, b, a.title, b.title) for a, b in own if a.title != b.title and (a.name == b.name) == by_number]


_Item = TypeVar("_Item")
_ENOUGH, _ENOUGH_ALONE = 0.5, 0.2
# In a gap of more pairs than this, items are paired in order.
_MOST_PAIRS = 10_000


def compared(old: Sequence[Node], new: Sequence[Node]) -> Iterator[tuple[Node | None, Node | None]]:
    """Yield the leaves of a section that differ in two versions, None where one lacks it.

    What was only cut elsewhere into paragraphs is the same.
    """
    old, new = [leaf for leaf in old if key_of(leaf)], [leaf for leaf in new if key_of(leaf)]
    for before, after in _gaps([key_of(leaf) for leaf in old], [key_of(leaf) for leaf in new]):
        gone, come = old[before], new[after]
        if _bare(gone) == _bare(come):
            continue
        alone = len(gone) == len(come) == 1
        yield from _paired(gone, come, _leaf_likeness, _ENOUGH_ALONE if alone else _ENOUGH)


def passages_of(before: Node | None, after: Node | None) -> list[Passage]:
    """Return what differs between a leaf and what it has become, by rows and lines; None: it is not there."""
    if before is not None and after is not None and (rows := list(_rows(before, after))):
        return rows
    return [_passage(before, after, _shown(before), _shown(after), (after or before or _NOBODY).role)]


def _rows(before: Node, after: Node) -> Iterator[Passage]:
    old, new = _rows_of(before), _rows_of(after)
    role: Role | Literal["row"] = "row" if after.role == "table" else after.role
    if (before.role == "table") != (role == "row") or (role != "row" and min(len(old), len(new)) < 2):
        return
    for gone, come in _gaps([cells for cells, *_ in old], [cells for cells, *_ in new]):
        for one, other in _paired(old[gone], new[come], _row_likeness, _ENOUGH):
            cells = _cells(before, after, one, other) if role == "row" else ()
            old_line, new_line = (row[1] if row else "" for row in (one, other))
            yield _passage(before, after, old_line, new_line, role, cells)


def _cells(before: Node, after: Node, one: "_Row | None", other: "_Row | None") -> Iterator[CellChange]:
    """Yield the cells of a row that differ, or all of a row that only one version has."""
    for i, j in _columns(before, after):
        old, new = _cell(before, one, i), _cell(after, other, j)
        texts = old.text if old else "", new.text if new else ""
        if (told := new or old) and texts[0] != texts[1]:
            yield CellChange(told.address or "", told.row_header, told.column_header, *texts)


def _cell(leaf: Node, row: "_Row | None", column: int | None) -> CellRef | None:
    """Return a cell of a row, with its address if it has one in a sheet; None for what is merged into another."""
    if row is None or column is None or not _begins(leaf, row[2], column):
        return None
    found = cell_of(leaf, row[2], column)
    return found if leaf.metadata.get("sheet") else replace(found, address="")


def _columns(before: Node, after: Node) -> list[tuple[int | None, int | None]]:
    """Return which columns of two tables are one: by their names where each has one of its own, else by place."""
    old, new = _column_names(before), _column_names(after)
    if not old or not new:
        widths = (max(map(len, leaf.metadata["rows"]), default=0) for leaf in (before, after))
        old, new = (list(map(str, range(width))) for width in widths)
    gone: list[tuple[int | None, int | None]] = [(i, None) for i, name in enumerate(old) if name not in new]
    return [*gone, *((old.index(name) if name in old else None, j) for j, name in enumerate(new))]


def _column_names(leaf: Node) -> list[str]:
    """Return the names of a table's columns; none where a column has none or shares one."""
    names = [str(one.get("name") or "") for one in leaf.columns]
    return names if all(names) and len({*names}) == len(names) else []


def _begins(leaf: Node, row: int, column: int) -> bool:
    """Tell whether a cell is the first of those that are merged into one, or none of such."""
    merged = ((row - one["row"], column - one["column"], one) for one in leaf.metadata.get("merged") or [])
    return not any(
        0 <= down < one["row_span"] and 0 <= right < one["column_span"] and (down or right)
        for down, right, one in merged
    )


_NOBODY = Node("", None, "paragraph")


def _passage(
    before: Node | None, after: Node | None, old: str, new: str, role: Role | Literal["row"],
    cells: Iterable[CellChange] = (),
) -> Passage:  # fmt: skip
    """Return what became of a text; a node is named only where it holds some of it."""
    kind: PassageKind = "added" if not old else "removed" if not new else "changed"
    return Passage(
        kind, role, old, new, before.node_id if before and old else None, after.node_id if after and new else None,
        changed_words(old, new), list(cells),
    )  # fmt: skip


def _shown(leaf: Node | None) -> str:
    if leaf is None:
        return ""
    return leaf.text or str(leaf.metadata.get("caption") or leaf.metadata.get("alt") or key_of(leaf))


_Row = tuple[tuple[str, ...], str, int]


def _rows_of(leaf: Node) -> list[_Row]:
    """Return each row's cells, the row as it stands in the table's text, and its place; of another leaf its lines."""
    lines = leaf.text.split("\n")
    if leaf.role != "table":
        return [((" ".join(line.split()),), line.strip(), n) for n, line in enumerate(lines) if line.strip()]
    rows = [tuple(" ".join(str(cell or "").split()) for cell in row) for row in leaf.metadata.get("rows") or []]
    if len(lines) != len(rows):
        lines = [" | ".join(row) for row in rows]
    return [(row, line, n) for n, (row, line) in enumerate(zip(rows, lines, strict=True)) if any(row)]


def _row_likeness(one: _Row, other: _Row) -> float:
    cells, others = one[0], other[0]
    same = sum(bool(a) and a == b for a, b in zip(cells, others, strict=False)) / max(len(cells), len(others))
    named = 0.5 if cells[0] and cells[0] == others[0] else 0.0
    return max(named + same / 2, same or dice(terms_of(one[1]), terms_of(other[1])))


def _leaf_likeness(one: Node, other: Node) -> float:
    if (one.role == "table") != (other.role == "table") or (one.role == "image") != (other.role == "image"):
        return 0.0
    texts = dice(terms_of(key_of(one)), terms_of(key_of(other)))
    if one.role == "table":
        headers = [_rows_of(leaf)[:1] for leaf in (one, other)]
        return max(texts, 0.6 if headers[0] and headers[0] == headers[1] else 0.0)
    return texts


def _gaps(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[tuple[slice, slice]]:
    """Yield where two sequences differ, between the stretches that they share."""
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield slice(i1, i2), slice(j1, j2)


def _paired(
    old: Sequence[_Item], new: Sequence[_Item], score: Callable[[_Item, _Item], float], enough: float
) -> Iterator[tuple[_Item | None, _Item | None]]:
    """Yield the items of a gap, the most alike together, in the order of the newer ones; removed ones first."""
    pairing: Callable[..., Iterable[tuple[int, int]]] = zip if len(old) * len(new) > _MOST_PAIRS else product
    scores = [(score(old[i], new[j]), i, j) for i, j in pairing(range(len(old)), range(len(new)))]
    partner: dict[int, _Item] = {}
    left = dict(enumerate(old))
    for value, i, j in sorted(scores, key=lambda item: (-item[0], abs(item[1] - item[2]), item[1])):
        if value >= enough and j not in partner and i in left:
            partner[j] = left.pop(i)
    yield from ((item, None) for item in left.values())
    yield from ((partner.get(j), item) for j, item in enumerate(new))


def _joined(texts: Iterable[str]) -> str:
    return "\n".join(filter(None, texts))


def _bare(leaves: Sequence[Node]) -> str:
    return "".join("".join(key_of(leaf).split()) for leaf in leaves)
