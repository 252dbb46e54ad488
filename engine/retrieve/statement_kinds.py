"""The three statements of a report, by what asks for them and the rows that they have (``engine/language``)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import engine.language

_FILE = Path(engine.language.__file__).with_name("financial_statements.toml")


@dataclass(frozen=True, slots=True)
class Statement:
    """A kind of statement.

    ``name`` and ``chinese`` are what it is called; ``asked`` finds in a question that it is named, or a measure that
    is made of it; ``title`` is what stands above it; ``rows`` match the names of its telling rows; ``words`` are
    those to look for it by.
    """

    name: str
    chinese: str
    asked: re.Pattern[str]
    title: re.Pattern[str]
    rows: tuple[re.Pattern[str], ...]
    words: str


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


def _statement(told: dict[str, Any], measures: dict[str, list[str]]) -> Statement:
    asked = [*told["title"], *told["asked"], *(one for name in told["measures"] for one in measures[name])]
    rows = tuple(map(_any, told["rows"]))
    return Statement(
        told["name"], told["chinese"], _any(asked), _any(told["title"]), rows, told["words"].strip()
    )


_DATA = tomllib.loads(_FILE.read_text("utf-8"))
OF_A_PART = _any(_DATA["of_a_part"])
INCOME, BALANCE, CASH_FLOWS = STATEMENTS = tuple(
    _statement(told, _DATA["measures"]) for told in _DATA["statement"]
)
