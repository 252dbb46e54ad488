"""Which row of a statement has the most: "which segment had the highest revenue in 2023?".

The rows compared are the parts of one sum (:mod:`engine.answer.tables.sums`), so that no total and no row of another
kind is among them; where a table adds nothing up, all its rows when they are of one group. The column is the one that
the question names best.
"""

from __future__ import annotations

import re

from engine.answer.tables.finding import Finding, run, spec
from engine.answer.tables.linking import Linker
from engine.answer.tables.matching import features, years_in
from engine.answer.tables.question import Question
from engine.answer.tables.references import CellPlace
from engine.answer.tables.typed_table import Row
from engine.answer.tables.word_families import alike

_WHICH = re.compile(
    r"\b(?:(?:which|what) (?!(?:\w+ )?(?:years?|quarters?|periods?|fy|months?)\b)(?P<noun>\w+(?: \w+){0,2}?)"
    r" (?:ha[sd]|have|is|was|were|are|did|contribut\w+|account\w+|ma[dk]es?|generat\w+|earn\w+|record\w+|saw|report\w+)"
    r"|(?:which|what) (?:is|was) the (?P<noun2>\w+) (?:that|which|with))\b[^?]*"
    r"\b(?:(?P<high>highest|largest|most|greatest|biggest)|(?P<low>lowest|smallest|least|fewest))\b"
    r"|哪一?[个家种项类](?P<noun_zh>[^的？?]*)[^？?]*最(?:(?P<high_zh>[高大多])|(?P<low_zh>[低小少]))"
    r"|最(?:(?P<high_zh2>[高大多])|(?P<low_zh2>[低小少]))的?(?:是|为)?哪一?[个家种项类]",
    re.IGNORECASE,
)
# Headers that say nothing of what the rows are.
_ANY = features("item items name names description 项目 名称 类别")
_FEWEST = 2
_SURE = 0.8


def extreme_item(linker: Linker, question: Question) -> Finding | None:
    """Return the row of the largest or smallest number that the question asks for, or None."""
    match = _WHICH.search(question.plain)
    if match is None or question.threshold is not None or len(set(question.years)) > 1:
        return None
    if not _named_by(linker, match["noun"] or match["noun2"] or match["noun_zh"] or ""):
        return None
    noun = features(match["noun"] or match["noun2"] or match["noun_zh"] or "")
    rows, column = _rows(linker, question), linker.column_of(question)
    # "Which zone" among "Zone North", "Zone South" and "Other businesses": the zones.
    bearing = [row for row in rows if noun & features(row.leaf)]
    rows = bearing if len(bearing) > 1 and not noun & _heads(linker) else rows
    if column is None or len(rows) < _FEWEST:
        return None
    cells = [CellPlace(linker.table, row.index, column) for row in rows]
    cells = [cell for cell in cells if cell.value.numeric]
    if len(cells) < max(_FEWEST, len(rows) - 1):
        return None
    low = any(match[name] for name in ("low", "low_zh", "low_zh2"))
    step = run(linker.table, "MIN" if low else "MAX", cells=[spec(cell) for cell in cells])
    best = step.observation.cells
    if len(best) != 1:
        return None
    name = linker.table.row(best[0].row)
    if name is None or not name.leaf:
        return None
    head = run(linker.table, "READ_CELL", row=best[0].row, column=max(0, linker.table.header_columns - 1))
    said = f"{name.leaf} ({best[0].text})"
    return Finding(
        "superlative",
        [name.leaf],
        best[0].column_header,
        [step, head],
        _SURE,
        said,
        [*head.observation.cells, *best],
    )


def _named_by(linker: Linker, noun: str) -> bool:
    """True when what is asked for may be what names the rows: their header says it, or says nothing."""
    own, asked = _heads(linker), features(noun)
    return linker.table.header_columns == 1 and (
        not own or bool(own & asked) or any(alike(f) & own for f in asked)
    )


def _heads(linker: Linker) -> frozenset[str]:
    """Return what the headers over the names of the rows say these are."""
    heads = [column.name for column in linker.table.columns[: linker.table.header_columns]]
    return frozenset(f for f in features(" ".join(heads)) - _ANY if not years_in(f))


def _rows(linker: Linker, question: Question) -> list[Row]:
    """Return the rows to compare: the parts of the sum that the question names, or of the only or last one."""
    table = linker.table
    if not table.sums:
        rows = [row for row in table.rows if row.leaf]
        return (
            rows
            if len({row.name.rpartition(" / ")[0] for row in rows}) == 1
            and not any(row.total for row in rows)
            else []
        )
    whole = [total for total in table.sums if linker.told(total, question)] or list(table.sums)
    if len(whole) > 1:
        return []
    return [row for row in table.rows if row.index in table.sums[whole[0]]]
