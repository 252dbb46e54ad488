"""The columns that a question asks of without naming them: 罗城二高订了多少册 of 数量, "worth" of a value.

The reader that ships is asked: a row is put before it a cell at a time, under its header, and the cell that it takes
for the answer is of the column that is meant. It chooses among columns of one kind, which is easier than to say whether
a text answers at all: its certainties are held against each other only.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.answer.tables.links import LinkedRelation, Links
from engine.answer.tables.query import LABEL
from engine.answer.tables.relation import Relation
from engine.errors import ProviderError
from engine.providers.reading import Passage, Reader

# Columns further behind the best (in log odds) are not meant, and of those nearer only so many may be.
_BEHIND, _MOST_MEANT = 5.0, 3
_MOST_COLUMNS, _LONGEST_CELL = 24, 200


def columns_meant(
    links: Links, linked: LinkedRelation, among: Sequence[int], reader: Reader | None
) -> list[int]:
    """Return the columns, of those given, whose cells the reader takes for the answer, the likeliest first.

    Nothing is returned without a reader, or where its weights are missing.
    """
    relation = linked.relation
    named = next((row for row in range(len(relation.rows)) if _is_named(relation, row, links)), 0)
    cells = [(column, text) for column in among[:_MOST_COLUMNS] if (text := _cell(relation, named, column))]
    if reader is None or not cells:
        return []
    if len(cells) == 1:
        return [cells[0][0]]
    title = " > ".join(linked.context)
    passages = [Passage(title, f"{relation.columns[c].levels[-1]}: {text}") for c, text in cells]
    try:
        read = reader.read(links.question, passages)
    except ProviderError:
        return []
    order = sorted(range(len(cells)), key=lambda i: -read[i].certainty)
    least = read[order[0]].certainty - _BEHIND
    return [cells[i][0] for i in order[:_MOST_MEANT] if read[i].certainty >= least]


def _cell(relation: Relation, row: int, column: int) -> str:
    """Return what a column says of a row, or of the first one that it says anything of."""
    told = relation.text(row, column) or next((text for text in relation.texts(column) if text), "")
    return told[:_LONGEST_CELL]


def _is_named(relation: Relation, row: int, links: Links) -> bool:
    """True for a row that all values of the question are of."""
    return bool(links.values) and all(
        any(_said(relation, row, column) & set(texts) for column, texts in one.texts.items())
        for one in links.values
    )


def _said(relation: Relation, row: int, column: int) -> set[str]:
    return set(relation.rows[row].label) if column == LABEL else {relation.text(row, column)}
