"""Cells as citations, each leading to the row of its table, word for word, and computed values with theirs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from engine.answer.check.locate import find_folded
from engine.answer.check.reading import read
from engine.answer.check.values import Amount, agrees
from engine.answer.tables.cells import CellRef, lines_of, range_address
from engine.answer.tables.relation import Relation
from engine.model import Citation, Evidence, Hit
from engine.retrieve.pack import header_line
from engine.retrieve.tree_evidence import evidence_of

MOST_CITED = 8
_LONGEST = 400
# A number of so many digits may stand for one that it is rounded from.
_ROUNDED_FROM = 3
# A table's text, and where the line of a row stands in it.
_Place = tuple[str, tuple[int, int] | None]


def cite(cells: Sequence[tuple[int, int]], relation: Relation, hit: Hit) -> list[Citation]:
    """Return citations for cells (row, column) of a relation, not numbered yet (``n`` is 0).

    At most :data:`MOST_CITED`: of more cells the last citation is the block from the first to the last one. ``hit``
    says which document and version the table is of.
    """
    places = [(row, relation.ref(row, column)) for row, column in cells[:MOST_CITED]]
    if len(cells) > MOST_CITED:
        columns = [column for _, column in cells]
        first = relation.ref(min(cells)[0], min(columns))
        last = relation.ref(max(cells)[0], max(columns))
        block = replace(last, address=range_address(str(first.address), str(last.address)))
        places[MOST_CITED - 1 :] = [(max(cells)[0], block)]
    made = [_citation(ref, _text_at(row, relation), hit) for row, ref in places]
    return [one for place, one in enumerate(made) if one is not None and one not in made[:place]]


def lines_of_list(
    text: str, parts: Sequence[Sequence[tuple[int, int]]], cited: Sequence[Citation], relation: Relation
) -> list[int]:
    """Return behind which line of a list each citation's mark stands: the item whose cell it is of, else the last.

    ``parts`` are the cells of the items, in order; one more item may tell how many there are besides. Returns [] where
    the text has no item for each part.
    """
    items = [place for place, line in enumerate(text.split("\n")) if line.startswith("- ")]
    if len(parts) < 2 or len(items) - len(parts) not in (0, 1):
        return []
    at: dict[tuple[str, str | None], int] = {}
    for item, cells in zip(items, parts, strict=False):
        for ref in (relation.ref(*cell) for cell in cells):
            at.setdefault((ref.node_id, ref.address), item)
    return [at.get((one.node_id, one.cell), items[-1]) for one in cited]


def cite_cell(cell: CellRef, item: Evidence) -> Citation | None:
    """Return the citation of one cell of a piece of evidence, None where its text does not hold it."""
    assert item.table is not None
    return _citation(cell, (item.table.text, lines_of(item.table).get(cell.row)), item.hit)


def rows_as_evidence(
    cells: Sequence[tuple[int, int]], relation: Relation, hit: Hit, known: Sequence[Evidence]
) -> list[Evidence]:
    """Return the rows of cells (row, column) under their header, some at most, that the ``known`` evidence lacks."""
    lines: dict[int, list[str]] = {}
    for row in list(dict.fromkeys(row for row, _ in cells))[:MOST_CITED]:
        text, at = _text_at(row, relation)
        line, part = text[slice(*at)] if at else "", relation.rows[row].node
        node_id = relation.nodes[part].node_id
        if line and not any(line in item.text for item in known if item.hit.node_id == node_id):
            lines.setdefault(part, []).append(line)
    found = []
    for part, told in lines.items():
        node = relation.nodes[part]
        of_node = replace(hit, node_id=node.node_id, role=node.role, page=node.page, bbox=node.bbox)
        text = "\n".join(filter(None, (header_line(node), *dict.fromkeys(told))))
        found.append(evidence_of(of_node, node, text))
    return found


def _text_at(row: int, relation: Relation) -> _Place:
    return relation.nodes[relation.rows[row].node].text, relation.line(row)


def _citation(cell: CellRef, place: _Place, hit: Hit) -> Citation | None:
    """Cite the line of a table's text that holds a cell, the cell alone where the line is long; None without one."""
    text, at = place
    line = text[slice(*at)] if at else ""
    held = cell.text in " ".join(line.split()) and (len(line) <= _LONGEST or cell.text not in line)
    snippet = line if held else cell.text if cell.text in text else ""
    if not snippet:
        return None
    return Citation(
        0, hit.document_id, hit.document, hit.version, " > ".join(hit.path), cell.node_id, cell.page, cell.bbox,
        cell.address, snippet, round(min(1.0, max(0.0, hit.score)), 4),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Computed:
    """What was computed: its values as written, a sentence about it, and a citation for every cell.

    The citations are not numbered yet (``n`` is 0); each snippet stands word for word in its table's text. ``lines``
    are the lines of the text that their marks stand behind, one a citation (empty: behind the last).
    """

    values: list[str]
    text: str
    citations: list[Citation] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    found: bool = False  # the values are cells that were looked up

    @property
    def behind(self) -> list[int]:
        """The line of the text that each citation's mark stands behind."""
        return self.lines or [self.text.count("\n")] * len(self.citations)

    def marked(self, first: int = 1) -> str:
        """Return the text with a mark for every citation, numbered from ``first``."""
        marks: dict[int, str] = {}
        for n, line in enumerate(self.behind, first):
            marks[line] = marks.get(line, " ") + f"[{n}]"
        return "\n".join(line + marks.get(place, "") for place, line in enumerate(self.text.split("\n")))

    @property
    def is_read(self) -> bool:
        """True where the values were looked up, not computed: each is a cell of the one row that is cited, say."""
        rows = [set(row.split(" | ")) for row in {cell.snippet for cell in self.citations}]
        return self.found or (len(rows) == 1 and rows[0].issuperset(self.values))

    def stated_in(self, text: str, of: Callable[[Iterable[bool]], bool] = all) -> bool:
        """True when a text states ``of`` the values all or any, in the same digits, rounded, or with a scale."""
        return bool(self.values) and of(_stated(value, text) for value in self.values)


def _stated(value: str, text: str) -> bool:
    wanted = _numbers(value)
    if not wanted:
        return bool(value.strip()) and bool(find_folded(value, text))
    said = _numbers(text)
    return any(
        agrees(one, other) and (one.value == other.value or digits >= _ROUNDED_FROM)
        for one, digits in said
        for other, _ in wanted
    )


def _numbers(text: str) -> list[tuple[Amount, int]]:
    """Return the amounts of a text, each with how many digits it is written in; a bare year may be one, too."""
    found = []
    for one in read(text).values:
        digits = sum(map(str.isdigit, one.text))
        if one.amount is not None:
            found.append((one.amount, digits))
        elif one.when is not None and one.text.isdecimal():
            found.append((Amount(Decimal(one.text), None, Decimal(1), Decimal(1), False), digits))
    return found
