"""A table's text as values beside what they are of: the label of their row and the headings above, unit and scale."""

from collections import defaultdict
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from engine.answer.check.locate import BORDER
from engine.answer.check.reading import Stated, Text, read
from engine.enrich.cell_values import CellValue
from engine.enrich.tables import enrich_table, read_cell
from engine.enrich.text_values import Amount, base_of
from engine.model import Node

_MOST_ROWS = 2000
# Cells are so far apart that the words of one do not belong to another.
_APART = 100.0


def is_table(text: str) -> bool:
    """True for the text of a table: most of its lines have cells."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > 1 and sum(BORDER in line for line in lines) * 2 > len(lines)


@lru_cache(maxsize=256)
def read_table(text: str, caption: str = "", columns: tuple[str, ...] = ()) -> Text:
    """Read a table's text: every value of a cell stands beside the words of its row and its heading.

    ``caption`` may tell the unit, too, and ``columns`` are the headings where these are known: those that span columns
    do not stand above them in the text.
    """
    lines = text.splitlines()[:_MOST_ROWS]
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    width = max(map(len, rows), default=0)
    rows = [[*row, *[""] * (width - len(row))] for row in rows]
    table = Node("", None, "table", metadata={"rows": rows, "caption": caption})
    facts = enrich_table(table, [caption]).metadata
    told = [str(column["name"]) for column in facts.get("columns") or []]
    headings = columns if len(columns) == width else told
    named, above = facts.get("header_columns") or 0, facts.get("header_rows") or 0
    values: list[Stated] = []
    places: defaultdict[str, list[float]] = defaultdict(list)
    for line, row in enumerate(rows[above:], above):
        label = read(" ".join(cell for n, cell in enumerate(row) if n < named or not read(cell).values)).words
        for column, cell in enumerate(row):
            found = [one for one in read(cell).values if column >= named or one.when]
            typed = read_cell(facts, line, column)
            at = _APART * (line * width + column)
            values += [replace(_measured(one, typed), at=at) for one in found]
            for key in {key for word in (*label, *read(headings[column]).words) for key in word.keys if found}:
                places[key].append(at)
    return Text((), tuple(values), {key: tuple(at) for key, at in places.items()})


def _measured(value: Stated, typed: CellValue) -> Stated:
    """Return a cell's value in the unit and scale that its headings name, where it has none of its own."""
    amount = value.amount
    if value.when and typed.unit and typed.value is not None:  # in a column of money 1990 is no year
        amount = Amount(typed.value)
        value = replace(value, when=None, amount=amount)
    if amount is None or amount.unit is not None or amount.scale != 1:
        return value
    below = typed.value is not None and typed.value < 0 < amount.value  # in brackets
    unit, factor = base_of(typed.unit)
    scale = factor * typed.scale
    number = amount.value * scale * (-1 if below else 1)
    return replace(value, amount=Amount(number, unit, amount.step * scale, Decimal(scale), amount.rounded))
