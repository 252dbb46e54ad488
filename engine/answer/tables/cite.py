"""Cells as citations, each leading to the row of its table, word for word, and computed values with theirs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from engine.answer.check.reading import read
from engine.answer.tables.relation import Relation
from engine.enrich.cell_places import CellRef, addresses_of, lines_of, range_address
from engine.enrich.text_values import Amount, agrees
from engine.model import Citation, Evidence, Hit
from engine.retrieve.pack import header_line
from engine.retrieve.tree_evidence import evidence_of
from engine.structure.terms import find_folded

MOST_CITED = 8
# More cells that one number was computed from are one citation beside a sentence; of so many each is named.
_FEW, _MOST_TOGETHER = 3, 200
_LONGEST = 400
# A number of so many digits may stand for one that it is rounded from.
_ROUNDED_FROM = 3
# A table's text, and where the line of a row stands in it.
_Place = tuple[str, tuple[int, int] | None]


def cite(cells: Sequence[tuple[int, int]], relation: Relation, hit: Hit, most: int = MOST_CITED) -> list[Citation]:
    """Return citations for cells (row, column) of a relation, not numbered yet (``n`` is 0).

    So many at ``most``: of more cells the last citation is of them all, where rows between them are left out one by
    one, else as the block from the first to the last. ``hit`` says which document and version the table is of.
    """
    places = [(row, relation.ref(row, column)) for row, column in cells[:most]]
    if len(cells) > most:
        places[most - 1 :] = [_together(sorted(cells), relation)]
    made = [_citation(ref, _text_at(row, relation), hit) for row, ref in places]
    return [one for place, one in enumerate(made) if one is not None and one not in made[:place]]


def _together(cells: Sequence[tuple[int, int]], relation: Relation) -> tuple[int, CellRef]:
    rows, columns = [row for row, _ in cells], [column for _, column in cells]
    if len(set(rows)) <= rows[-1] - rows[0] and len(cells) <= _MOST_TOGETHER:
        refs = [relation.ref(*cell) for cell in cells]
        return rows[0], replace(refs[0], address=addresses_of([str(ref.address) for ref in refs]))
    first, last = relation.ref(rows[0], min(columns)), relation.ref(rows[-1], max(columns))
    return rows[-1], replace(last, address=range_address(str(first.address), str(last.address)))


def cite_cell(cell: CellRef, item: Evidence) -> Citation | None:
    """Return the citation of one cell of a piece of evidence, None where its text does not hold it."""
    assert item.table is not None
    return _citation(cell, (item.table.text, lines_of(item.table).get(cell.row)), item.hit)


def rows_as_evidence(
    cells: Sequence[tuple[int, int]], relation: Relation, hit: Hit, known: Sequence[Evidence], most: int = MOST_CITED
) -> list[Evidence]:
    """Return the rows of cells (row, column) under their header, some at most, that the ``known`` evidence lacks."""
    lines: dict[int, list[str]] = {}
    for row in list(dict.fromkeys(row for row, _ in cells))[:most]:
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

    The citations are not numbered yet (``n`` is 0); each snippet stands word for word in its table's text. Of a list
    ``lines`` are those of the text that their marks stand behind, one a citation (empty: behind the last), and ``told``
    what each is of: what a line is called, and its value.
    """

    values: list[str]
    text: str
    citations: list[Citation] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    found: bool = False  # the values are cells that were looked up
    told: list[tuple[str, str]] = field(default_factory=list)

    @property
    def placed(self) -> str:
        """The text with the addresses of its cells, where these are a few of a sheet."""
        cells = [one.cell.rpartition("!")[2] for one in self.citations if one.cell and "!" in one.cell]
        return f"{self.text} (cell {', '.join(cells)})" if 0 < len(cells) < MOST_CITED else self.text

    def cells_of(self, text: str, by_name: bool) -> list[Citation]:
        """Return the citations of what a text states: of a list of each value, of what was computed their block.

        Lines of a list whose value the text leaves out are known ``by_name``, where that is allowed; a cell is known by
        its address.
        """
        codes = {one.code.upper() for one in read(text).values if one.code}
        if placed := [one for one in self.citations if codes & {str(one.cell).rpartition("!")[2]}]:
            return placed
        if self.told:
            return self._of_lines(text, by_name)
        whole = self.citations if self.stated_in(text) else []
        return whole if len(whole) <= _FEW or self.found else [_block(whole)]

    def _of_lines(self, text: str, by_name: bool) -> list[Citation]:
        named = [bool(name and find_folded(name, text)) for name, _ in self.told]
        stated = [
            said != "" and (one or not name) and _stated(said, text)
            for one, (name, said) in zip(named, self.told, strict=True)
        ]
        wanted = stated if any(stated) or not by_name else named
        return [cell for cell, one in zip(self.citations, wanted, strict=True) if one]

    def marked(self, first: int = 1) -> str:
        """Return the text with a mark for every citation, numbered from ``first``."""
        marks: dict[int, str] = {}
        behind = self.lines or [self.text.count("\n")] * len(self.citations)
        for n, line in enumerate(behind, first):
            marks[line] = marks.get(line, " ") + f"[{n}]"
        return "\n".join(line + marks.get(place, "") for place, line in enumerate(self.text.split("\n")))

    @property
    def is_read(self) -> bool:
        """True where the values were looked up, not computed: each is a cell of its row, or of the one cited."""
        if self.told:
            lines = zip(self.told, self.citations, strict=True)
            return self.found or all(said in ("", *cell.snippet.split(" | ")) for (_, said), cell in lines)
        rows = [set(row.split(" | ")) for row in {cell.snippet for cell in self.citations}]
        return self.found or (len(rows) == 1 and rows[0].issuperset(self.values))

    def stated_in(self, text: str, of: Callable[[Iterable[bool]], bool] = all) -> bool:
        """True when a text states ``of`` the values all or any, in the same digits, rounded, or with a scale."""
        values = [*self.values, *(said for _, said in self.told if said and of is not all)]
        return bool(values) and of(_stated(value, text, self.text) for value in values)


def _block(cells: Sequence[Citation]) -> Citation:
    """Return the last of some citations with the addresses of all; of many cells it has those already."""
    if len(cells) >= MOST_CITED and {":", ";"} & set(str(cells[-1].cell)):
        return cells[-1]
    return replace(cells[-1], cell=addresses_of([str(one.cell) for one in cells]))


def _stated(value: str, text: str, told: str = "") -> bool:
    """True where a text states a value: bare as it is written, or in the unit and scale in which it is ``told``."""
    bare = [one for one, _ in _numbers(value)]
    wanted = [*bare, *(one for one, _ in _numbers(told) if [one.value / one.scale] == [a.value for a in bare])]
    if not wanted:
        return bool(value.strip()) and bool(find_folded(value, text))

    def says(one: Amount, digits: int) -> bool:
        written = one.unit is None and one.scale == 1 and any(one.value * a.scale == a.value for a in wanted)
        return written or any(agrees(one, a) and (one.value == a.value or digits >= _ROUNDED_FROM) for a in wanted)

    return any(says(one, digits) for one, digits in _numbers(text))


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
