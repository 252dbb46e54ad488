"""The small algebra in which questions are asked of a relation (seed 002, 7.1; seed 003, 6.2).

A query names columns by their place and rows by conditions. It is what the parser (:mod:`engine.answer.tables.parse`)
and a connected model (:mod:`engine.answer.tables.plan`) write, and what :mod:`engine.answer.tables.run` runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Operation = Literal[
    "lookup", "filter", "count", "distinct", "sum", "average", "min", "max", "rank",
    "compare", "diff", "divide", "percent_change", "share", "trend",
]  # fmt: skip
Aggregate = Literal["sum", "average", "count", "min", "max"]
Period = Literal["", "month", "quarter", "year"]
Comparison = Literal["=", "!=", "<", "<=", ">", ">=", "between", "contains"]
OPERATIONS: tuple[str, ...] = get_args(Operation)
PERIODS: tuple[str, ...] = get_args(Period)[1:]
COMPARISONS: tuple[str, ...] = get_args(Comparison)
AGGREGATES = frozenset({"sum", "average", "min", "max", "count"})
TWO_SIDED = frozenset({"diff", "divide", "percent_change", "compare"})
# Stands for the names of rows and of the groups they stand in.
LABEL = -1


@dataclass(frozen=True, slots=True)
class Condition:
    """What rows must fulfil: one of ``columns`` (:data:`LABEL` for the rows' names) compares so with one of ``values``.

    Numbers are compared with their scale multiplied in; dates by their ISO form, "2023" holding all days of the year.
    """

    columns: tuple[int, ...]
    comparison: Comparison
    values: tuple[str, ...]


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
