"""Is the evidence right: the page, the box on it, the table's cell, its unit (seed 002, section 9).

A check applies where the set has what it needs: a box where an answer stands word for word in a node of the
gold page, a cell where a table of that page has a cell of an answer's value, a unit where the answer says one.
It passes when one of the first :data:`FIRST` hits shows it.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.enrich.cell_values import CellValue, parse_cell
from engine.enrich.tables import read_cell
from engine.model import Hit, Node

FIRST = 5
CHECKS = ("page", "box", "cell", "unit")


@dataclass(frozen=True, slots=True)
class Gold:
    """What a question's evidence is: its pages as passage ids, the nodes on them, and the answers."""

    passages: frozenset[str]
    nodes: Sequence[Node]
    answers: Sequence[str]


def check(gold: Gold, hits: Sequence[Hit], passage_of: Callable[[Hit], str | None]) -> dict[str, bool]:
    """Return the checks that apply, by name, with what came of each."""
    right = {hit.node_id for hit in hits[:FIRST] if passage_of(hit) in gold.passages}
    found = {"page": bool(right)}
    if holders := {node.node_id for node in gold.nodes if node.bbox and holds_answer(node, gold.answers)}:
        found["box"] = bool(right & holders)
    return found | _of_cells(gold, right)


def _of_cells(gold: Gold, right: set[str]) -> dict[str, bool]:
    cells = {node.node_id: own for node in gold.nodes if (own := list(_cells(node, gold.answers)))}
    if not cells:
        return {}
    seen = {cell.unit for node_id in right & cells.keys() for cell in cells[node_id]}
    units = {parse_cell(answer).unit for answer in gold.answers} - {None}
    return {"cell": bool(seen)} | ({"unit": bool(seen & units)} if seen and units else {})


def role_of(gold: Gold) -> str | None:
    """Return where the answer stands: "table", "image", else "text"; None where no node holds it word for word."""
    roles = {
        node.role
        for node in gold.nodes
        if holds_answer(node, gold.answers) or (node.role == "table" and any(_cells(node, gold.answers)))
    }
    roles -= {"section", "document"}
    return next((role for role in ("table", "image") if role in roles), "text") if roles else None


def shares(checks: Iterable[Mapping[str, bool]]) -> dict[str, dict[str, float]]:
    """Return for each check its share of passes and the number of questions it applied to."""
    listed = list(checks)
    told = {}
    for name in CHECKS:
        outcomes = [one[name] for one in listed if name in one]
        if outcomes:
            told[name] = {"share": round(sum(outcomes) / len(outcomes), 4), "queries": len(outcomes)}
    return told


def holds_answer(node: Node, answers: Sequence[str]) -> bool:
    """Tell whether an answer stands in a node's text, apart from case, width and spaces."""
    text = _plain(node.text)
    return any(_plain(answer) in text for answer in answers if answer.strip())


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _cells(node: Node, answers: Sequence[str]) -> Iterable[CellValue]:
    wanted = [value for value in map(parse_cell, answers) if value.value is not None]
    if not wanted:
        return
    for row, cells in enumerate(node.metadata.get("rows") or []):
        for column in range(len(cells)):
            cell = read_cell(node.metadata, row, column)
            if cell.value is not None and any(_agree(cell, answer) for answer in wanted):
                yield cell


def _agree(cell: CellValue, answer: CellValue) -> bool:
    """True for equal numbers, as printed or with their scales: an answer may be given in the table's millions."""
    assert cell.value is not None and answer.value is not None
    return cell.value == answer.value or cell.value * cell.scale == answer.value * answer.scale
