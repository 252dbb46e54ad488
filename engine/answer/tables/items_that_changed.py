"""Which items of a statement rose or fell between two periods, and how many: "which segments grew from 2018 to 2019".

All rows are held against each other in the two columns; totals are left out. The items must be called as the question
says, by the name of the rows, of what they stand under, or as items at large.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.answer.tables.finding import Finding, run
from engine.answer.tables.matching import features, years_in
from engine.answer.tables.quantity import quantity_of
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import Row
from engine.answer.tables.word_families import alike
from engine.errors import UsageError

_UP = r"grew|rose|increased|climbed|improved|went up|gained|go up|grow|rise|increase"
_DOWN = (
    r"fell|declined|decreased|dropped|shrank|went down|came down|go down|fall|decline|decrease|drop|shrink"
)
_ASKED = re.compile(
    r"^\W*(?P<ask>which|what|how many)(?: of the| of its| of their)? (?P<noun>[a-z][a-z -]*?)"
    rf"(?: (?:did|have|had))? (?:(?P<up>{_UP})|(?P<down>{_DOWN})"
    r"|(?:were|was|are|is) (?:(?P<higher>higher|larger|bigger|greater|more)|(?P<lower>lower|smaller|less)))\b"
    r"(?P<rest>[^?]*)",
    re.IGNORECASE,
)
_ASKED_ZH = re.compile(
    r"^(?P<rest>[^，。？?]*?)(?P<ask>哪[些几]|多少|几)(?:[个种类]|项(?!目))?(?P<noun>[^，。？?]{1,8}?)[^，。？?]{0,8}?"
    r"(?:(?P<up>增加|增长|上升|提高)|(?P<down>减少|下降|降低|下滑))了?"
)
_BEFORE = re.compile(
    r"\b(?:a|the|one) year (?:before|earlier)\b|\b(?:the )?(?:previous|prior|preceding) year\b|上年|去年",
    re.IGNORECASE,
)
_LIMIT = re.compile(r"\d+(?:\.\d+)? ?%|\bmore than\b (?!in\b|at\b|a\b|the\b)|\bpercent\b|百分", re.IGNORECASE)
_ITEMS = features(
    "items lines categories kinds types components segments regions parts positions item line 项目 项"
)
_FEWEST = 2
_SURE = 0.85


def items_that_changed(question: Question, source: TableSource) -> Finding | None:
    """Return the items of a statement that rose or fell between the two periods which the question names."""
    match = _ASKED.match(question.plain) or _ASKED_ZH.match(question.plain)
    if match is None or _LIMIT.search(question.plain):
        return None
    groups = match.groupdict()
    counted = match["ask"].casefold() in ("how many", "多少", "几")
    if not counted and not (match["noun"].rstrip().endswith("s") or match["ask"].startswith("哪")):
        return None  # "which segment grew" is of one
    columns = _columns(question, source)
    if columns is None:
        return None
    rows = _rows_called(match["noun"], source)
    rising = bool(groups.get("up") or groups.get("higher"))
    try:
        return _held(rows, columns, rising, counted, source)
    except UsageError:
        return None


def _columns(question: Question, source: TableSource) -> tuple[int, int] | None:
    """Return the columns of the earlier and the later period; None where they are not one each."""
    years = sorted(set(question.years))
    if len(years) == 1 and _BEFORE.search(question.plain):
        years = [str(int(years[0]) - 1), *years]
    if not years and _BEFORE.search(question.plain):
        years = sorted({year for c in source.table.value_columns for year in years_in(c.name)})
    if len(years) != _FEWEST:
        return None
    found = []
    for year in years:
        dated = [c for c in source.table.value_columns if years_in(c.name) == {year} and c.unit != "%"]
        # Of two days of one year that at its end is the year's.
        dated = [c for c in dated if len(dated) == 1 or re.search(r"\bdec", c.name, re.IGNORECASE)]
        if len(dated) != 1:
            return None
        found.append(dated[0].index)
    return found[0], found[1]


def _rows_called(noun: str, source: TableSource) -> list[Row]:
    """Return the rows that the question's noun means: those of this name, or all where it says what they are."""
    asked = {f for f in features(noun) if not is_asking(f)}
    rows = [row for row in source.table.records if row.name]
    if asked and not asked & _ITEMS:
        near = asked | frozenset().union(*map(alike, asked))
        called = [row for row in rows if asked & features(row.name)]
        around = source.context | source.announced
        if not near & around and len(called) < _FEWEST:
            return []
        if not near & around:
            return called
    sums = set(source.table.sums)
    return [row for row in rows if row.index not in sums]


def _held(
    rows: Sequence[Row], columns: tuple[int, int], rising: bool, counted: bool, source: TableSource
) -> Finding | None:
    table, told, steps = source.table, [], []
    for row in rows:
        old, new = (quantity_of(table.value(row.index, column)) for column in columns)
        if old is None or new is None or old.unit == "%":
            continue
        places = [{"row": row.index, "column": column} for column in columns]
        steps.append(run(table, "COMPARE", a=places[1], b=places[0]))
        if (new.amount > old.amount) if rising else (new.amount < old.amount):
            told.append(row)
    if len(steps) < _FEWEST or not told:
        return None
    names = [row.leaf for row in told]
    cells = list(dict.fromkeys(cell for step in steps for cell in step.observation.cells))
    label = " → ".join(table.columns[column].name.rsplit(" / ", 1)[-1] for column in columns)
    if counted:
        said = f"{len(names)} ({', '.join(names)})"
        return Finding("count", [str(len(names))], label, steps, _SURE, said, cells)
    return Finding("items", names, label, steps, _SURE, "; ".join(names), cells)
