"""Measures of a company that its statements do not print, computed from their cells: quick ratio, capex, gross margin.

The items a measure is made of are read by what statements call them, all from one table, in the column of the year
that is asked for (without one the latest). "Is the margin improving?" is answered by two years beside each other.
All arithmetic is that of the operators, and every cell is cited. Where two tables of a document have all the items and
differ, as a group's and its subsidiary's do, nothing is told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from engine.answer.tables.finding import Finding, Step, run, spec
from engine.answer.tables.matching import plain, unaccented, years_in
from engine.answer.tables.measure_formulas import Formula, measures_in
from engine.answer.tables.named_items import only_asks, own_name
from engine.answer.tables.quantity import Quantity, as_percent, quantity_of, quotient, shown, written
from engine.answer.tables.question import Question
from engine.answer.tables.references import CellPlace
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import Column, TypedTable
from engine.enrich.cell_values import NUMERIC
from engine.errors import UsageError
from engine.retrieve.statement_kinds import OF_A_PART
from engine.structure.sentences import sentences_of

CONFIDENCE = 0.8
_DECIMALS = 2
_TREND = re.compile(
    r"\bimprov|\bdeclin|\bdeteriorat|\bchang|\bgr[eo]w|\bincreas|\bdecreas|\bcompare|\bconsistent|变化|改善|提高|下降|上升|恶化",
    re.IGNORECASE,
)
# What asks for more than a measure: of a part, of several in relation, for reasons, a definition of its own.
_OTHERWISE = re.compile(
    r"\b(?:segments?|regions?|why|drove|driv\w+|reasons?|per|average|defin\w+|unadjusted|adjusted|less)\b"
    r"|\b(?:conver|forecast)"
    r"|\b(?:expect|guidance|plan|quarter|q[1-4]|intensi)|\d{4}q[1-4]"
    r"|\bpercent(?:age)? of\b|\bas a (?:percent|share|ratio)"
    r"|为什么|原因|分部|分产品|平均|季度|预计|计划|占",
    re.IGNORECASE,
)
# A name: a word with a capital or with digits and letters; and what has them without being one.
_NAME = re.compile(r"\b(?=\w*[^\W\d_])(?:[A-Z]|\d+[A-Z])[\w&]*")
_NO_NAME = re.compile(
    r"^\W*\w+|['’]s\b|\b(?:FY|CY)?\s?(?:19|20)?\d\d\b|\b(?:USD|EUR|GBP|CNY|RMB|US|Inc|Corp|Ltd|Co|PLC|FY|I)\b"
    r"|\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Dec)\b"
)


def measure_of_statements(question: Question, sources: Sequence[TableSource]) -> Finding | None:
    """Return the measure that the question asks for, of each year it asks for, or None.

    ``sources`` come best first; the first document that has all items tells. Of several sentences the first that names
    a measure asks ("... Answer in millions. If it is no useful metric, explain why.").
    """
    asked = next((one for one in sentences_of(question.text) if measures_in(one)), question.text)
    measures = measures_in(asked)
    if len(measures) != 1 or _OTHERWISE.search(asked):
        return None
    (name, formulas), question = measures[0], Question(asked)
    by_document: dict[str, list[TableSource]] = {}
    for source in sources:
        by_document.setdefault(source.title, []).append(source)
    for tables in by_document.values():
        if not _is_about(question, name, tables):
            continue
        years = _years(question, tables)
        for formula in formulas:
            made = [_of_year(name, formula, year, tables, question.chinese) for year in years]
            told = [one for one in made if one is not None]
            if told and len(told) == len(made):
                return _beside(told)
        return None
    return None


def _is_about(question: Question, name: str, sources: Sequence[TableSource]) -> bool:
    """Tell whether all that the question names beside the measure stands over the tables: its company, above all.

    In English names are the words with a capital behind the first word; in Chinese whatever is not asking.
    """
    around = [
        sources[0].title,
        *(text for source in sources for text in [*source.path, source.table.caption]),
    ]
    left = question.text.replace(name, " ", 1)
    if question.chinese:
        return only_asks(_TREND.sub(" ", left), around)
    known = _letters(" ".join(around))
    words = _NAME.findall(_NO_NAME.sub(" ", left))
    return all(_letters(word) in known for word in words)


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", unaccented(text).casefold())


def _years(question: Question, sources: Sequence[TableSource]) -> list[str]:
    """The years to tell, the latest first: those asked for, with the year before where a change is asked for."""
    asked = sorted(dict.fromkeys(question.years), reverse=True)
    if not asked:
        printed = {
            year for source in sources for column in source.table.columns for year in years_in(column.name)
        }
        asked = sorted(printed, reverse=True)[:1]
    if len(asked) == 1 and _TREND.search(question.text):
        asked.append(str(int(asked[0]) - 1))
    return asked


def _of_year(
    name: str, formula: Formula, year: str, sources: Sequence[TableSource], chinese: bool
) -> Finding | None:
    """The measure of a year from the one table that has all its items; None where another one speaks against it."""
    own = [one for one in sources if not OF_A_PART.search(" ".join([*one.path[-1:], one.table.caption]))]
    having = [(one.table, _rows(formula, one.table)) for one in own or sources]
    whole = [(table, rows) for table, rows in having if len(rows) == len(formula.items)]
    dated = ((table, rows, _columns(table, year)) for table, rows in whole)
    chosen = next(((table, rows, of[0]) for table, rows, of in dated if len(of) == 1), None)
    if chosen is None:
        return None
    table, rows, column = chosen
    places = {key: CellPlace(table, row, column) for key, row in rows.items()}
    others = [(other, at) for other, at in having if other is not table and len(at) >= min(2, len(places))]
    if any(_differs(places, other, at, year) for other, at in others):
        return None
    try:
        step, number, derivation = _computed(formula, places)
    except UsageError:
        return None
    said = shown(number, chinese) + (f" ({derivation})" if derivation else "")
    value = written(number.value, _DECIMALS) + ("%" if number.unit == "%" else "")
    cells = [place.ref for place in places.values()]
    return Finding("ratio", [value], f"{name[:1].upper()}{name[1:]}, {year}", [step], CONFIDENCE, said, cells)


def _differs(places: Mapping[str, CellPlace], table: TypedTable, rows: Mapping[str, int], year: str) -> bool:
    """Tell whether another table has other amounts of the items: in the year, or in any column if none says a year.

    Such tables are those of a group and of its subsidiary, and one cannot tell which is meant.
    """
    columns = _columns(table, year) or ([] if _columns(table) else [c.index for c in _numeric(table)])
    return bool(columns) and any(
        _amount(places[key]) not in {_amount(CellPlace(table, row, column)) for column in columns}
        for key, row in rows.items()
    )


def _numeric(table: TypedTable) -> list[Column]:
    return [column for column in table.value_columns if column.dtype in NUMERIC]


def _columns(table: TypedTable, year: str = "") -> list[int]:
    """The columns of numbers of a year; without one those that say any."""
    said = [(column.index, years_in(column.name)) for column in _numeric(table)]
    return [index for index, years in said if (years == {year} if year else years)]


def _amount(place: CellPlace) -> Decimal:
    return abs(place.value.value or Decimal(0)) * place.value.scale


def _rows(formula: Formula, table: TypedTable) -> dict[str, int]:
    """The rows of a formula's items that a table has, each under the first of its names."""
    rows = {key: _row(names, table) for key, names in formula.items.items()}
    return {key: row for key, row in rows.items() if row is not None}


def _row(names: Sequence[str], table: TypedTable) -> int | None:
    for name in names:
        for row in table.rows:
            own = own_name(row)
            if name in (own, plain(row.leaf), own.rstrip("0123456789 ")) and _has_numbers(table, row.index):
                return row.index
    return None


def _has_numbers(table: TypedTable, row: int) -> bool:
    return any(table.value(row, column.index).numeric for column in table.value_columns)


def _computed(formula: Formula, places: Mapping[str, CellPlace]) -> tuple[Step, Quantity, str]:
    """The operator that was run, the number, and how it came about ("" for a cell as it is)."""
    part, less, whole = (places.get(key) for key in ("part", "less", "whole"))
    assert part is not None
    if less is not None:
        pair = [spec(part), spec(less)]
        outflow = (less.value.value or 0) < 0
        step = (
            run(part.table, "SUM", cells=pair) if outflow else run(part.table, "DIFF", a=pair[0], b=pair[1])
        )
    elif whole is not None:
        step = run(part.table, "DIVIDE", a=spec(part), b=spec(whole), percent=formula.percent)
    else:
        step = run(part.table, "LOOKUP", row=part.row, column=part.column)
    number, derivation = step.observation.number, step.observation.derivation
    if step.observation.status != "ok" or number is None:
        raise UsageError(step.observation.text)
    if len(places) == 1 and number.value < 0:  # printed in brackets as what was paid
        number = -number
    if less is not None and whole is not None:
        over = quantity_of(whole.value)
        if over is None:
            raise UsageError(f"{whole.text} is not a number.")
        number = quotient(number, over)
        number = as_percent(number) if formula.percent else number
        difference = derivation.rsplit(" = ", 1)[0]
        derivation = f"({difference}) ÷ {written(over.value)} = {written(number.value, _DECIMALS)}"
    if formula.rest:
        number = replace(number, value=100 - number.value)
        derivation = f"100% − {derivation.rsplit(' = ', 1)[0]}"
    return step, number, derivation


def _beside(findings: Sequence[Finding]) -> Finding:
    """Several years of a measure as one answer."""
    first = findings[0]
    if len(findings) == 1:
        return first
    said = "; ".join([first.said, *(f"{one.label.rsplit(', ', 1)[1]}: {one.said}" for one in findings[1:])])
    return replace(
        first, values=[value for one in findings for value in one.values], said=said,
        steps=[step for one in findings for step in one.steps],
        cells=list(dict.fromkeys(cell for one in findings for cell in one.cells)),
    )  # fmt: skip
