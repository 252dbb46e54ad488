"""What a model is shown to plan a table question: the tables in few words, and the question behind them.

Small models read slowly and lose the thread in long tables: of these only the rows that share words with the question
are shown, then the first ones, in the order of the table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.answer.grounded.prompt import prompt
from engine.answer.tables.matching import features
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import Row, TypedTable

_LONGEST_CELL, _LONGEST_NAME = 24, 60
_MOST_COLUMNS = 14
# Characters of rows over all tables: about 350 tokens, some six seconds of a small model on two cores.
_ROOM = 1000
_FEWEST_ROWS = 3


def messages_for(question: Question, sources: Sequence[TableSource]) -> list[dict[str, str]]:
    """Return the chat messages that ask for one plan over the tables, numbered from 1 in their order."""
    room = _ROOM // max(1, len(sources))
    shown = "\n\n".join(told(n, source, question, room) for n, source in enumerate(sources, 1))
    return [
        {"role": "system", "content": prompt("table_plan")},
        {"role": "user", "content": f"{shown}\n\nQuestion: {' '.join(question.plain.split())}"},
    ]


def told(number: int, source: TableSource, question: Question, room: int) -> str:
    """Return one table: its caption, the names of its columns, and rows that fit into ``room`` characters."""
    table = source.table
    caption = " ".join(part for part in (table.label, table.caption) if part) or _place(source)
    columns = table.columns[:_MOST_COLUMNS]
    lines = [f"Table {number} ({_cut(caption, 2 * _LONGEST_NAME)})"]
    lines.append(" | ".join(_cut(column.name, _LONGEST_NAME) for column in columns))
    chosen = _rows_shown(table, question, room)
    lines += [_line(table, row) for row in chosen]
    if left := len(table.rows) - len(chosen):
        lines.append(f"… {left} more rows")
    return "\n".join(lines)


def _place(source: TableSource) -> str:
    return " / ".join(part for part in (source.title, *source.path[-1:]) if part)


def _rows_shown(table: TypedTable, question: Question, room: int) -> list[Row]:
    """Return the rows to show, in the order of the table: those the question speaks of go before others."""
    wanted = {f for f in question.names | set(question.years) if not is_asking(f)}

    def shared(row: Row) -> int:
        held = features(row.name).union(*(features(table.text(row.index, c.index)) for c in table.columns))
        return len(wanted & held)

    order = sorted(table.rows, key=lambda row: (-shared(row), row.index))
    chosen: list[Row] = []
    for row in order:
        room -= len(_line(table, row)) + 1
        if room < 0 and len(chosen) >= _FEWEST_ROWS:
            break
        chosen.append(row)
    return sorted(chosen, key=lambda row: row.index)


def _line(table: TypedTable, row: Row) -> str:
    cells = [table.text(row.index, column.index) for column in table.columns[:_MOST_COLUMNS]]
    if table.header_columns == 1:
        # The name with the groups above it is what tells rows apart.
        cells = [_cut(row.name, _LONGEST_NAME), *cells[1:]]
    return " | ".join(
        _cut(cell, _LONGEST_NAME if at < table.header_columns else _LONGEST_CELL)
        for at, cell in enumerate(cells)
    )


def _cut(text: str, longest: int) -> str:
    """Return a name on one line, without what would read as another table or question, and not too long."""
    text = re.sub(r"\s*\|\s*", "/", " ".join(text.split()))
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
