"""Questions that a financial statement answers in other words: "Is the quick ratio improving?" is the balance sheet.

Margins, ratios, capital intensity, free cash flow are seldom printed. What they are made of is: under the names
of its rows, in one of the statements of a report (``engine/language``), which shares hardly a
word with the question. So where a question asks for such a measure, or names a statement, the tables that are it
are looked up by their rows.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.index.tokenize import query_terms
from engine.language import compiled, patterns
from engine.retrieve.named import Named
from engine.retrieve.query import Query, is_unspaced
from storage.base import Scope, Snapshot, StoredNode

KIND = "statement"
# So many of its rows must a table have, so many leave no doubt; and so many nodes are looked at for them.
LEAST_ROWS, CERTAIN_ROWS = 3, 6
MOST_READ = 60
# A report has its own and often its parent's; more than that are about parts of it.
MOST_OF_A_DOCUMENT = 2
_ROW_LETTERS = 160
_SUMMARY = re.compile("selected financial|摘要|主要会计", re.IGNORECASE)


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
    return compiled("|".join(patterns))


def _statement(told: dict[str, Any], measures: dict[str, list[str]]) -> Statement:
    asked = [*told["title"], *told["asked"], *(one for name in told["measures"] for one in measures[name])]
    rows = tuple(map(_any, told["rows"]))
    return Statement(told["name"], told["chinese"], _any(asked), _any(told["title"]), rows, told["words"].strip())


_DATA = patterns("financial_statements")
OF_A_PART = _any(_DATA["of_a_part"])
INCOME, BALANCE, CASH_FLOWS = STATEMENTS = tuple(_statement(told, _DATA["measures"]) for told in _DATA["statement"])


def statements_asked(question: str) -> list[Statement]:
    """Return the statements that a question names, or that what it asks for is made of."""
    return [one for one in STATEMENTS if one.asked.search(question)]


def look_up_statements(query: Query, snapshot: Snapshot, scopes: Sequence[Scope]) -> list[Named]:
    """Return the statements that the question asks for, of each of the scopes, with the tables that are it."""
    chinese = is_unspaced(query.text)
    found = [
        Named(KIND, one.chinese if chinese else one.name, statement_tables(one, snapshot, scope))
        for one in statements_asked(query.text)
        for scope in scopes
    ]
    return [one for one in found if one.keys]


def statement_tables(statement: Statement, snapshot: Snapshot, scope: Scope) -> tuple[int, ...]:
    """Return the keys of the tables in scope that are this statement, the surest first, few of each document."""
    hits = snapshot.sparse_search(query_terms(statement.words), MOST_READ, scope)
    tables = [one for one in snapshot.nodes([hit.key for hit in hits]) if one.node.role == "table"]
    counted = [(telling_rows(statement, one.node.text), one) for one in tables]
    sure = [(_titled(statement, one), count, one) for count, one in counted if count >= LEAST_ROWS]
    # A group's own statements stand before those of its parts and before summaries of quarters.
    sure.sort(key=lambda found: (not found[0], -min(found[1], CERTAIN_ROWS), found[2].key))
    taken: Counter[str] = Counter()
    keys = []
    for _, _, one in sure:
        taken[one.document_id] += 1
        if taken[one.document_id] <= MOST_OF_A_DOCUMENT:
            keys.append(one.key)
    return tuple(keys)


def telling_rows(statement: Statement, table: str) -> int:
    """Return how many of a statement's telling rows a table's text has, whose rows are lines."""
    names = [line.split("|", 1)[0].strip()[:_ROW_LETTERS] for line in table.splitlines()]
    return sum(any(row.match(name) for name in names) for row in statement.rows)


def _titled(statement: Statement, stored: StoredNode) -> bool:
    heading = "\n".join([*stored.path[-1:], stored.node.title, *stored.node.text.splitlines()[:2]])
    other = OF_A_PART.search(heading) or _SUMMARY.search(heading)
    return bool(statement.title.search(heading)) and not other
