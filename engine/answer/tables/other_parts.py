"""A cell of another part than the question names: of a sibling column group, or of the whole.

"For the domestic plans" is not told by the cell under "International" because the one under "Domestic" is empty, and
"how much of the receivables was over a year old" not by all receivables.
"""

from __future__ import annotations

import re

from engine.answer.tables.finding import Finding
from engine.answer.tables.matching import features
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.statement_words import TOTAL
from engine.answer.tables.typed_table import TypedTable
from engine.answer.tables.word_families import alike, same_root

_PART_OF = re.compile(
    r"\bhow (?:much|many) of (?:the |its |their |our |all )?(?P<whole>[^?]+?) "
    r"(?:was|were|is|are|came|comes?|went|stems?|stemmed|related|fell|falls?) (?P<part>[^?]+)",
    re.IGNORECASE,
)

_KIND_OF = re.compile(
    r"(?<![\w'’-])(?P<kind>[a-z]{4,}) (?:revenues?|sales|costs?|expenses?|income|profits?|assets|liabilities|debt)\b"
)
_TOTAL = features("total")
_PLAIN = frozenset(
    "total other overall average further whole entire same combined annual yearly company group".split()
)


def is_of_other_part(question: Question, table: TypedTable, finding: Finding, around: frozenset[str]) -> bool:
    """True where the cells of a finding are of another part than the one that the question names."""
    return (
        _of_sibling_group(question, table, finding)
        or _of_whole(question, finding, around)
        or _of_total_of_other(question, table, finding, around)
    )


def _of_sibling_group(question: Question, table: TypedTable, finding: Finding) -> bool:
    """True where the question names the group of a sibling column and says nothing of the cell's own group."""
    for cell in finding.cells:
        *groups, leaf = cell.column_header.split(" / ")
        own = features(" ".join(groups))
        row = features(cell.row_header)
        for column in table.value_columns if groups else []:
            *others, other_leaf = column.name.split(" / ")
            other = features(" ".join(others))
            if column.index == cell.column or leaf != other_leaf or not others:
                continue
            told = {f for f in (other - own) & question.names if not is_asking(f)} - row
            if told and not (own - other) & question.names:
                return True
    return False


def _of_total_of_other(
    question: Question, table: TypedTable, finding: Finding, around: frozenset[str]
) -> bool:
    """True for "hardware revenue" where a total was read and nothing in or above the table says hardware."""
    rows = [row for row in table.rows if row.index in {cell.row for cell in finding.cells}]
    # A mere "Total" is of what its table is about.
    if not rows or not all(
        (row.total or TOTAL.match(row.leaf)) and features(row.leaf) > _TOTAL for row in rows
    ):
        return False
    cells = (features(cell) for row in table.cells for cell in row)
    known = around.union(*cells)
    for match in _KIND_OF.finditer(question.plain):
        own = {f for f in features(match["kind"]) if f[0] not in "§#"}
        if own and not any(
            is_asking(f) or f in known or alike(f) & known or any(same_root(f, other) for other in known)
            for f in own
        ):
            return match["kind"].casefold() not in _PLAIN and not match["kind"].endswith(("ed", "ing", "ly"))
    return False


def _of_whole(question: Question, finding: Finding, around: frozenset[str]) -> bool:
    """True for "how much of X was Y" where nothing of Y stands in the names of the cells."""
    match = _PART_OF.search(question.plain)
    if match is None or finding.kind != "lookup":
        return False
    part = {f for f in question.features_of(match["part"]) if f[0] not in "§#" and not is_asking(f)}
    names = (f"{c.row_header} {c.column_header}" for c in finding.cells)
    held = features(" ".join(names))
    told = (
        f for f in part if f in held | around or alike(f) & held or any(same_root(f, other) for other in held)
    )
    return bool(part) and next(told, None) is None
