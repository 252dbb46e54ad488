"""Which row of a statement has the most: "which segment had the highest revenue in 2023?".

The rows compared are the parts of one sum (:mod:`engine.answer.tables.sums`), so that no total and no row of another
kind is among them; where a table adds nothing up, all its rows when they are of one group. The column is the one that
the question names best. Where columns are what is asked for and a row is what they are compared by, the columns of one
period are; what the question leaves out ("other than Europe") is not among them.
"""

from __future__ import annotations

import re

from engine.answer.tables.finding import Finding, run, spec
from engine.answer.tables.linking import Linker
from engine.answer.tables.matching import features, quarters_in, years_in
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.references import CellPlace
from engine.answer.tables.statement_words import CHANGES
from engine.answer.tables.typed_table import Column, Row
from engine.answer.tables.word_families import alike

_WHICH = re.compile(
    r"\b(?:(?:which|what) (?!(?:\w+ )?(?:years?|quarters?|periods?|fy|months?)\b)(?P<noun>\w+(?: \w+){0,2}?)"
    r" (?:ha[sd]|have|is|was|were|are|did|contribut\w+|scor\w+|achiev\w+|show\w*"
    r"|receiv\w+|account\w+|ma[dk]es?|generat\w+|earn\w+|record\w+|saw|report\w+)"
    r"|(?:which|what) (?:is|was) the (?P<noun2>\w+) (?:that|which|with))\b[^?]*"
    r"\b(?:(?P<high>highest|largest|most|greatest|biggest)|(?P<low>lowest|smallest|least|fewest))\b"
    r"|哪一?[个家种项类](?P<noun_zh>[^的？?]*)[^？?]*最(?:(?P<high_zh>[高大多])|(?P<low_zh>[低小少]))"
    r"|最(?:(?P<high_zh2>[高大多])|(?P<low_zh2>[低小少]))的?(?:是|为)?哪一?[个家种项类]",
    re.IGNORECASE,
)
# Headers that say nothing of what the rows are.
_ANY = features("item items name names description 项目 名称 类别")
_VERBS = features(
    "score achieve show receive contribute account make generate earn record saw see report perform"
)
_FEWEST = 2
_SURE = 0.8
_LEFT_OUT = re.compile(
    r"\b(?:apart from|other than|except(?:ing)?(?: for)?|excluding|besides|outside(?: of)?|not counting)\s+"
    r"(?P<en>(?:(?!\b(?:ha[ds]|have|was|were|is|are|did|in|for|at|on)\b)[^?,])+)"
    r"|除了?(?P<zh>[^，,？?]+?)(?:以外|之外|外)",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\b(?:second|third|fourth|fifth|next)[ -]|第[二三四五]", re.IGNORECASE)
# A corner that says the period or the unit of the figures.
_OF_PERIOD = re.compile(
    r"\b(?:years?|months|weeks|quarters?|periods?) end(?:ed|ing)\b|^as (?:of|at)\b|^\W*(?:[$€£] ?)?(?:in )?"
    r"(?:thousands|millions|billions)\b|\bin (?:thousands|millions|billions)\b",
    re.IGNORECASE,
)
# What is left of the world is no country of it.
_REST = re.compile(
    r"(?:all )?(?:other|remaining) (?:countries|nations|foreign)|rest of|其[他它余]国家|其余", re.IGNORECASE
)
# Columns that are made of the others, or that take away what is counted twice.
_MADE_OF_OTHERS = re.compile(
    r"total|consolidated|eliminat|reconcil|adjust|合计|总计|合并|抵销|抵消", re.IGNORECASE
)


def extreme_item(linker: Linker, question: Question) -> Finding | None:
    """Return the row of the largest or smallest number that the question asks for, or None."""
    said = _LEFT_OUT.search(question.plain)
    match = _WHICH.search(" ".join(_LEFT_OUT.sub(" ", question.plain).split()))
    if match is None or question.threshold is not None or len(set(question.years)) > 1:
        return None
    if _PLACE.search(question.plain):
        return None
    left_out = features(said["en"] or said["zh"]) if said else frozenset[str]()
    low = any(match[name] for name in ("low", "low_zh", "low_zh2"))
    asked = match["noun"] or match["noun2"] or match["noun_zh"] or ""
    noun, column = features(asked), linker.column_of(question)
    if not _named_by(linker, asked) or column is None:
        return _extreme_column(linker, question, noun, left_out, low)
    rows = [row for row in _rows(linker, question) if not _REST.match(row.leaf)]
    if left_out:
        kept = [row for row in rows if not features(row.leaf) <= left_out]
        rows = kept if len(kept) < len(rows) else []
    # "Which zone" among "Zone North", "Zone South" and "Other businesses": the zones.
    grouped = any(noun & features(row.group) for row in rows)
    bearing = [row for row in rows if noun & features(row.leaf)] if not grouped else []
    rows = bearing if len(bearing) > 1 and not noun & _heads(linker) else rows
    if len(rows) < _FEWEST:
        return None
    cells = [CellPlace(linker.table, row.index, column) for row in rows]
    cells = [cell for cell in cells if cell.value.numeric]
    if len(cells) < max(_FEWEST, len(rows) - 1):
        return None
    step = run(linker.table, "MIN" if low else "MAX", cells=[spec(cell) for cell in cells])
    best = step.observation.cells
    if len(best) != 1:
        return None
    name = linker.table.row(best[0].row)
    if name is None or not name.leaf:
        return None
    head = run(linker.table, "READ_CELL", row=best[0].row, column=max(0, linker.table.header_columns - 1))
    return Finding(
        "superlative",
        [name.leaf],
        best[0].column_header,
        [step, head],
        _SURE,
        f"{name.leaf} ({best[0].text})",
        [*head.observation.cells, *best],
    )


def _extreme_column(
    linker: Linker, question: Question, noun: frozenset[str], left_out: frozenset[str], low: bool
) -> Finding | None:
    """Return the column whose cell is the largest or smallest of the one row that the question names in full."""
    table, heads = linker.table, _heads(linker)
    rows = [row for row in table.rows if row.leaf and linker.told(row.index, question)]
    longest = max((len(features(row.leaf)) for row in rows), default=0)
    rows = [row for row in rows if len(features(row.leaf)) == longest]
    if len(rows) != 1 or noun & heads or not table.header_rows or left_out - linker.known:
        return None
    other = question.names - noun - left_out - features(rows[0].name) - features(linker.source.title)
    if any(f[0] not in "§#" and not is_asking(f) and f not in linker.source.context for f in other - _VERBS):
        return None
    cells = [
        CellPlace(table, rows[0].index, column.index) for column in _compared(linker, question, left_out)
    ]
    if len(cells) < _FEWEST or not all(cell.value.numeric for cell in cells):
        return None
    if len({(cell.value.unit, cell.value.scale) for cell in cells}) > 1:
        return None
    step = run(table, "MIN" if low else "MAX", cells=[spec(cell) for cell in cells])
    best = step.observation.cells
    if len(best) != 1:
        return None
    name = best[0].column_header.rsplit(" / ", 1)[-1]
    return Finding("superlative", [name], rows[0].leaf, [step], _SURE, f"{name} ({best[0].text})", list(best))


def _compared(linker: Linker, question: Question, left_out: frozenset[str]) -> list[Column]:
    """Return the columns to compare, [] where they are periods or what is left out is none of them."""
    columns = [c for c in linker.table.value_columns if not _MADE_OF_OTHERS.search(c.name)]
    years = {year for column in columns for year in years_in(column.name)}
    if years:
        wanted = question.years or list(years)
        columns = [column for column in columns if wanted[0] in years_in(column.name)]
    leaves = {column.name.rsplit(" / ", 1)[-1] for column in columns}
    if (years and not question.years) or len(leaves) < len(columns):
        return []
    if any(years_in(leaf) or quarters_in(leaf) or CHANGES.search(leaf) for leaf in leaves):
        return []
    kept = [column for column in columns if not left_out or not features(column.name) <= left_out]
    return kept if not left_out or len(kept) < len(columns) else []


def _named_by(linker: Linker, noun: str) -> bool:
    """True when what is asked for may be what names the rows: their header says it, or says nothing."""
    own, asked = _heads(linker), features(noun)
    return linker.table.header_columns == 1 and (
        not own or bool(own & asked) or any(alike(f) & own for f in asked)
    )


def _heads(linker: Linker) -> frozenset[str]:
    """Return what the headers over the names of the rows say these are."""
    heads = [column.name for column in linker.table.columns[: linker.table.header_columns]]
    heads = [head for head in heads if not _OF_PERIOD.search(head)]
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
