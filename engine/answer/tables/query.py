"""The small algebra in which questions are asked of a relation (seed 002, 7.1; seed 003, 6.2).

A query names columns by their place and rows by conditions. It is what the parser (:mod:`engine.answer.tables.parse`)
and a connected model (:mod:`engine.answer.tables.plan`) write, and what :mod:`engine.answer.tables.run` runs. Planners,
agents and people call its operations by the operators' names, with parameters as JSON schemas describe them. Why one is
refused is said in English and Chinese: the algebra does not know the question's language.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

from engine.answer.phrases import CHINESE, ENGLISH
from engine.errors import UsageError

Operation = Literal[
    "lookup", "filter", "count", "distinct", "sum", "average", "min", "max", "rank",
    "compare", "diff", "divide", "percent_change", "share", "trend",
]  # fmt: skip
Aggregate = Literal["sum", "average", "count"]
Period = Literal["", "month", "quarter", "year"]
Comparison = Literal["=", "!=", "<", "<=", ">", ">=", "between", "contains"]
OPERATIONS: tuple[str, ...] = get_args(Operation)
PERIODS: tuple[str, ...] = get_args(Period)[1:]
COMPARISONS: tuple[str, ...] = get_args(Comparison)
AGGREGATES: frozenset[str] = frozenset(get_args(Aggregate))
TELLING = frozenset({"lookup", "filter", "distinct"})
TWO_SIDED = frozenset({"diff", "divide", "percent_change", "compare"})
# Stands for the names of rows and of the groups they stand in.
LABEL = -1


@dataclass(frozen=True, slots=True)
class Condition:
    """What rows must fulfil: one of ``columns`` (:data:`LABEL` for the rows' names) compares so with one of ``values``.

    Numbers are compared with their scale multiplied in; dates by their ISO form, "2023" holding all days of the year.
    The one value "" is an empty cell. ``other`` is the column that takes the values' place: a row's own cells compare.
    """

    columns: tuple[int, ...]
    comparison: Comparison
    values: tuple[str, ...] = ()
    other: int | None = None

    @property
    def used(self) -> tuple[int, ...]:
        """All columns that the condition looks at."""
        return self.columns if self.other is None else (*self.columns, self.other)


@dataclass(frozen=True, slots=True)
class Operand:
    """One side of a two-sided operation: the cells of a column in the rows that fulfil the conditions, added up."""

    column: int
    where: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """One question to one relation.

    ``columns`` are what is looked up or computed with; ``told`` the columns that name what was found (empty: the
    rows' labels); ``by`` groups, dates by their ``period``; ``descending`` and ``limit`` are for ranks; ``operands``
    are the two sides of a comparison, difference, ratio or change (the first is the earlier or the one taken from).
    What stands in ``minus`` is taken from each of the columns, row by row.
    """

    operation: Operation
    columns: tuple[int, ...] = ()
    where: tuple[Condition, ...] = ()
    told: tuple[int, ...] = ()
    by: int | None = None
    aggregate: Aggregate = "sum"
    descending: bool = True
    limit: int = 0
    operands: tuple[Operand, ...] = ()
    period: Period = ""
    minus: int | None = None


@dataclass(frozen=True, slots=True)
class Operator:
    """One operator: the operation of the algebra that it is, its JSON schema, and what it does in a line."""

    name: str
    parameters: Mapping[str, Any]
    description: str
    description_zh: str

    @property
    def operation(self) -> str:
        """The operation of the algebra."""
        return self.name.casefold()


def _operator(name: str, parameters: Sequence[str]) -> Operator:
    forms = _TOLD["properties"]
    properties = {one: forms[forms[one]] if isinstance(forms[one], str) else forms[one] for one in parameters}
    described = (phrases.operators[name.casefold()] for phrases in (ENGLISH, CHINESE))
    return Operator(name, MappingProxyType({"type": "object", "properties": properties, "required": []}), *described)


# What operators take stands in a file: the form of each parameter, where it is a name that of another one.
_TOLD: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
OPERATORS: Mapping[str, Operator] = MappingProxyType(
    {name: _operator(name, ["table", *parameters]) for name, parameters in _TOLD["operators"].items()}
)


class RefusedOperationError(UsageError):
    """A query that cannot be run; its text is English, :meth:`said` has it in either language."""

    def __init__(self, reason: str, **values: object) -> None:
        """``reason`` names what is said, ``values`` are filled in."""
        self._reason, self._values = reason, values
        super().__init__(self.said("en"))

    def said(self, language: str) -> str:
        """Return what is wrong in Chinese for "zh", else in English."""
        phrases = CHINESE if language == "zh" else ENGLISH
        kind = str(self._values.get("kind"))
        values = {**self._values, "kind": phrases.table_names.get(kind, kind)}
        return phrases.table_refusals[self._reason].format(**values)
