"""A model's plan for a table question, read from its reply: names become places in a table.

Small models misspell names, cut them, put rows for columns, and fence their JSON: what can only mean one thing is taken
so. What names nothing in the table, or several things, is :class:`UnreadablePlanError` with a text for the model.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.answer.agent.protocol import read_arguments
from engine.answer.tables.matching import best_of, features, match_names, plain
from engine.answer.tables.question import Question
from engine.answer.tables.references import COMPARISONS, matching_rows
from engine.answer.tables.short_forms import ShortForms, without_asides
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import TypedTable
from engine.enrich.cell_values import NUMERIC, parse_cell

OPERATORS = (
    "LOOKUP", "COUNT", "SUM", "AVERAGE", "MIN", "MAX", "COMPARE", "DIFF", "DIVIDE", "PERCENT_CHANGE",
)  # fmt: skip
NOTHING = "NONE"
_OTHER_NAMES = {
    "FILTER": "LOOKUP", "READ_CELL": "LOOKUP", "READ": "LOOKUP", "MEAN": "AVERAGE", "AVG": "AVERAGE", "MINIMUM": "MIN",
    "MAXIMUM": "MAX", "TOTAL": "SUM", "DIFFERENCE": "DIFF", "SUBTRACT": "DIFF", "RATIO": "DIVIDE", "NO": NOTHING,
    "NULL": NOTHING, "": NOTHING,
}  # fmt: skip
_SIGNS = {
    "==": "=",
    "is": "=",
    "equals": "=",
    "<>": "!=",
    "≥": ">=",
    "≤": "<=",
    "like": "contains",
    "in": "contains",
}
# Which of the operators over two cells it is, the question says more surely than a small model.
_TAKE_TWO = frozenset({"COMPARE", "DIFF", "DIVIDE", "PERCENT_CHANGE"})
_OF_TWO = {"percent_change": "PERCENT_CHANGE", "ratio": "DIVIDE", "difference": "DIFF"}
# A year alone means its own column, not the one that tells how it differs.
_CHANGE = re.compile(r"\b(?:changes?|variance|increase|decrease|growth)\b|%|变动|增减|同比", re.IGNORECASE)
_CLOSE = 0.82
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_MOST = 24


class UnreadablePlanError(Exception):
    """A reply is no plan over these tables; the text says why, for the model to mend it."""


class UnknownNameError(UnreadablePlanError):
    """A plan names what the table does not have or has several times, or a limit that is none."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to compute: an operator, places of rows and columns in one table, and conditions as operators take them.

    ``by`` is the column that an extreme is looked for in. ``named`` is the plan in words, for the trace.
    """

    operator: str
    source: TableSource
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    by: int | None = None
    where: tuple[Mapping[str, Any], ...] = ()

    @property
    def table(self) -> TypedTable:
        """The table that is planned over."""
        return self.source.table

    @property
    def chosen(self) -> list[int]:
        """The rows that the plan means: those named, of these the ones that meet the conditions."""
        if not self.where:
            return list(self.rows) or [row.index for row in self.table.records]
        found = matching_rows(self.table, self.where, self.operator)
        return [row for row in found if row in self.rows] if self.rows else found

    @property
    def named(self) -> dict[str, Any]:
        """The plan by names: what of operator, rows, columns, by and where it holds."""
        header = [column.name or f"#{column.index + 1}" for column in self.table.columns]
        names = {row.index: row.name for row in self.table.rows}
        told = {
            "operator": self.operator,
            "rows": [names.get(row, "") for row in self.rows],
            "columns": [header[column] for column in self.columns],
            "by": None if self.by is None else header[self.by],
            "where": [f"{header[w['column']]} {w['is']} {w['value']}" for w in self.where],
        }
        return {key: value for key, value in told.items() if value}


def read_plan(reply: str, sources: Sequence[TableSource], question: Question) -> Plan | None:
    """Return the plan in a model's reply over the tables it was shown; None for "the tables do not tell".

    Raises UnreadablePlanError (UnknownNameError for names that are not there).
    """
    found = {str(key).casefold(): value for key, value in read_arguments(reply).items()}
    if "operator" not in found:
        raise UnreadablePlanError("The reply holds no plan: one JSON object with an operator is needed.")
    operator = re.sub(r"[\s-]+", "_", str(found["operator"] or "").strip().upper())
    operator = _OTHER_NAMES.get(operator, operator)
    if operator == NOTHING:
        return None
    if operator not in OPERATORS:
        raise UnreadablePlanError(f"There is no operator {operator[:40]}: use one of {', '.join(OPERATORS)}.")
    operator = _OF_TWO.get(question.kind, operator) if operator in _TAKE_TWO else operator
    return _Names(_source_of(found.get("table"), sources), operator, question).plan(found)


def _source_of(wanted: Any, sources: Sequence[TableSource]) -> TableSource:
    number = re.search(r"\d+", str(wanted if wanted is not None else 1))
    at = int(number[0]) if number else 1
    return sources[at - 1] if 1 <= at <= len(sources) else sources[0]


class _Names:
    """Finds the names of one plan in its table."""

    def __init__(self, source: TableSource, operator: str, question: Question) -> None:
        self._source, self._table = source, source.table
        self._operator, self._question = operator, question
        self._rows: list[int] = []
        self._columns: list[int] = []
        self._where: list[Mapping[str, Any]] = []

    def plan(self, found: Mapping[str, Any]) -> Plan:
        """Return the plan with its names as places; a name given as a row may be a column, and the other way round."""
        by = _listed(found.get("by"))[:1]
        for item in _conditions(found.get("where")):
            self._take_condition(*item)
        for name in _listed(found.get("rows")):
            self._take(name, "row")
        for name in _listed(found.get("columns")):
            self._take(name, "column")
        if self._operator not in ("MAX", "MIN"):
            if by and not self._columns:
                self._take(by[0], "column")
            by = []
        elif by and self._column_of(by[0]) is None and self._row_of(by[0]) is not None:
            self._take(by[0], "row")  # an extreme along a row
            by = []
        at = self._column_of(by[0]) if by else None
        if by and at is None:
            raise UnknownNameError(_no_such("column", by[0], [c.name for c in self._table.columns]))
        return Plan(
            self._operator, self._source, tuple(dict.fromkeys(self._rows)), tuple(dict.fromkeys(self._columns)),
            at, tuple({str(condition): condition for condition in self._where}.values()),
        )  # fmt: skip

    def _take(self, name: str, given: str) -> None:
        """Place a name as what it was given as, where it is one, else as the other. Raises UnreadablePlanError."""
        for kind in (given, "row" if given == "column" else "column"):
            if kind == "column" and (column := self._column_of(name)) is not None:
                self._columns.append(column)
                return
            if kind == "row" and (row := self._row_of(name)) is not None:
                if isinstance(row, int):
                    self._rows.append(row)
                else:
                    self._where.append(row)
                return
        if not self._of_the_whole(name):
            columns = [column.name for column in self._table.columns]
            raise UnknownNameError(
                _no_such(
                    given, name, columns if given == "column" else [row.name for row in self._table.rows]
                )
            )

    def _of_the_whole(self, name: str) -> bool:
        """True for what all of the table is of, as a company: it chooses nothing in it."""
        own = {f for f in features(name) if f[0] not in "§#"}
        return bool(own) and own <= self._source.context | self._question.proper

    def _column_of(self, name: str) -> int | None:
        found = _places(name, [(column.index, column.name) for column in self._table.columns])
        if len(found) > 1 and not _CHANGE.search(name):
            found = [at for at in found if not _CHANGE.search(self._table.columns[at].name)]
        if len(found) > 1 and self._operator not in ("LOOKUP", "COUNT"):
            found = [at for at in found if self._table.columns[at].dtype in NUMERIC]
        return found[0] if len(found) == 1 else None

    def _row_of(self, name: str) -> int | dict[str, Any] | None:
        """Return a row's place, or the condition that several rows meet which hold the name in one column."""
        rows = self._table.rows
        bare = plain(name)
        if self._table.header_columns:
            placed = _places(name, [(row.index, row.name) for row in rows])
            if placed:
                return placed[0] if len(placed) == 1 else None
        holding = {
            column.index: [row.index for row in rows if plain(self._table.text(row.index, column.index)) == bare]
            for column in self._table.columns
        }  # fmt: skip
        holding = {column: found for column, found in holding.items() if found}
        if len(holding) == 1:
            (column, found), = holding.items()  # fmt: skip
            return found[0] if len(found) == 1 else {"column": column, "is": "=", "value": name}
        if holding or self._table.header_columns:
            return None
        cells = [
            (row.index, self._table.text(row.index, c.index)) for row in rows for c in self._table.columns
        ]
        placed = _places(name, [cell for cell in cells if re.search(r"[^\W\d_]", cell[1])])
        return placed[0] if len(placed) == 1 else None

    def _take_condition(self, column: str, sign: str, value: Any) -> None:
        """Take a condition; one that only says what all of the table is of is none. Raises UnreadablePlanError."""
        try:
            self._where.append(self._condition(column, sign, value))
        except UnreadablePlanError:
            year = _YEAR.fullmatch(str(value).strip())
            of_all = str(value).strip() in self._source.context if year else self._of_the_whole(str(value))
            if not of_all or sign not in ("=", "contains"):
                raise

    def _condition(self, column: str, sign: str, value: Any) -> dict[str, Any]:
        at = self._column_of(column)
        if at is None:
            raise UnknownNameError(_no_such("column", column, [c.name for c in self._table.columns]))
        if sign not in COMPARISONS:
            raise UnknownNameError(f"There is no comparison {sign[:20]}: use one of {' '.join(COMPARISONS)}.")
        if sign in (">", ">=", "<", "<="):
            number = parse_cell(str(value))
            if number.value is None and number.date is None:
                raise UnknownNameError(f"The limit {str(value)[:40]} is no number.")
            limit = str(number.date)[:4] if number.value is None else str(number.value)
            return {"column": at, "is": sign, "value": limit}
        return self._held(at, sign, value)

    def _held(self, at: int, sign: str, value: Any) -> dict[str, Any]:
        """Return the condition that a cell says a value, in the column that holds it."""
        said = str(value).strip()
        others = [column.index for column in self._table.columns if column.index != at]
        exact = [column for column in (at, *others) if self._says(column, said, whole=True)]
        if exact and (exact[0] == at or len(exact) == 1):
            return {"column": exact[0], "is": "!=" if sign == "!=" else "=", "value": said}
        number = parse_cell(said)
        if self._table.columns[at].dtype in NUMERIC and number.value is not None:
            return {"column": at, "is": "!=" if sign == "!=" else "=", "value": float(number.value)}
        if sign != "!=":
            within = [column for column in (at, *others) if self._says(column, said, whole=False)]
            if within and (within[0] == at or len(within) == 1):
                return {"column": within[0], "is": "contains", "value": said}
        texts = dict.fromkeys(self._table.text(row.index, at) for row in self._table.rows)
        near = [] if _YEAR.fullmatch(said) else _nearest(said, list(texts))
        if len(near) != 1:
            raise UnknownNameError(_no_such("cell", said, list(texts)))
        return {"column": at, "is": "!=" if sign == "!=" else "=", "value": near[0]}

    def _says(self, column: int, said: str, whole: bool) -> bool:
        bare = plain(said)
        texts = (plain(self._table.text(row.index, column)) for row in self._table.rows)
        if whole or not bare:
            return any(text == bare for text in texts)
        word = re.compile(rf"(?<!\w){re.escape(bare)}(?!\w)")
        return any(word.search(text) for text in texts)


def _listed(value: Any) -> list[str]:
    """Return names given as a list, as one text, or not at all."""
    if value is None or isinstance(value, Mapping):
        return []
    items = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    return [
        text for item in items[:_MOST] if (text := str(item).strip()) and text.casefold() not in ("all", "*")
    ]


def _conditions(value: Any) -> list[tuple[str, str, Any]]:
    """Return conditions given as a list of objects, as one, or as pairs of column and value."""
    items = [value] if isinstance(value, Mapping) else value if isinstance(value, list) else []
    found: list[tuple[str, str, Any]] = []
    for item in items[:_MOST]:
        if not isinstance(item, Mapping):
            raise UnreadablePlanError('"where" needs conditions of column, is and value.')
        if "column" not in item:
            found += [(str(column), "=", one) for column, one in item.items()]
        elif item.get("value") not in (None, ""):
            sign = str(item.get("is") or "=").strip().casefold()
            found.append((str(item["column"]), _SIGNS.get(sign, sign), item["value"]))
    return found


def _places(name: str, named: Sequence[tuple[int, str]]) -> list[int]:
    """Return the places whose name is, starts as, or comes nearest to what was written: one where that is clear."""
    cut = name.rstrip("… .") if name.endswith(("…", "...")) else ""
    bare = plain(cut or name)
    if not bare:
        return []
    tests: tuple[Callable[[str], bool], ...] = (
        lambda own: plain(own) == bare,
        lambda own: plain(own.rsplit(" / ", 1)[-1]) == bare,
        lambda own: plain(without_asides(own.rsplit(" / ", 1)[-1])) == bare,
        lambda own: bare in map(plain, own.split(" / ")),
        lambda own: bool(cut) and plain(own).startswith(bare),
    )
    for same in tests:
        if found := [place for place, own in named if same(own)]:
            return list(dict.fromkeys(found))
    short = features(name)
    leaves = [(place, own.rsplit(" / ", 1)[-1]) for place, own in named]
    if short and (found := [place for place, leaf in leaves if short <= ShortForms([leaf]).of(leaf)]):
        return list(dict.fromkeys(found))
    best = best_of(match_names(name, [own for _, own in named]))
    near = [] if best else _nearest(name, [own for _, own in named])
    return list(
        dict.fromkeys(
            [named[match.index][0] for match in best] or [place for place, own in named if own in near]
        )
    )


def _nearest(name: str, names: Sequence[str]) -> list[str]:
    """Return the names that differ from what was written by few letters, the nearest only."""
    by_bare = {plain(own): own for own in names if own}
    found = difflib.get_close_matches(plain(name), list(by_bare), n=1, cutoff=_CLOSE)
    return [by_bare[bare] for bare in found]


def _no_such(kind: str, name: str, names: Sequence[str]) -> str:
    there = ", ".join(f"“{own[:60]}”" for own in dict.fromkeys(names) if own)
    return f"The table has no single {kind} “{name[:60]}”. It has: {there[:600]}."
