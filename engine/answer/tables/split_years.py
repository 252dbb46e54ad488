"""A fiscal year that ends in the next one: "2017/18" is the year to March 2018 of a table that names years so.

A question is written with the year in which the period ends where the table's columns name this one alone.
"""

from __future__ import annotations

import re

from engine.answer.tables.matching import years_in
from engine.answer.tables.table_source import TableSource

_SPLIT = re.compile(r"(?<!\d)(?P<century>19|20)(?P<first>\d\d)[/–-](?P<last>\d\d)(?!\d|[-–/]\d)")


def in_years_of_ends(question: str, source: TableSource) -> str:
    """Return a question with split years as the years in which they end, where only these stand in the columns."""
    names = [column.name for column in source.table.columns]
    told = {year for name in names for year in years_in(name)}

    def ending(match: re.Match[str]) -> str:
        first, last = match["century"] + match["first"], match["century"] + match["last"]
        follows = int(last) == int(first) + 1
        printed = any(match[0] in name for name in names)
        in_sequence = follows and not printed and last in told and len(told) > 1
        return last if in_sequence else match[0]

    return _SPLIT.sub(ending, question)
