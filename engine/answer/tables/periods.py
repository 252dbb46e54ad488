"""Which period a question and a table are of: a title that names it, years that are parts of names and name none."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence

from engine.answer.tables.dated_names import undated
from engine.answer.tables.matching import plain, years_in
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import Row

_FEWEST_AGAIN = 2
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
# When something ends or began: "due 2031", "maturing through 2028", "series 2012".
_OF_NAME = re.compile(
    r"\b(?:due|matur\w+|expir\w+|callable|payable|issued|series|class|through|thru)\b[^,;?]{0,24}?(?:19|20)\d\d(?!\d)"
    r"(?:\s*(?:[-–,&]|to|and|through)\s*(?:19|20)\d\d)*"
    r"|(?<!\d)(?:19|20)\d\d\s+(?:(?:senior|convertible|secured|unsecured|term|subordinated)\s+)*(?:notes?|bonds?|debentures?|loans?|plan|program|act)\b",
    re.IGNORECASE,
)
_MONTH_ZH = re.compile(r"(?<!\d)(\d{1,2})月(?!\d)")
_MONTH_ZH_SAID = re.compile(r"(?<!\d)(?:\d{4}年)?\d{1,2}月份?的?")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
PERIOD = re.compile(
    rf"(?:\b(?:in|for|during|as\s+of|as\s+at|at|of|on)\s+)?(?:the\s+)?"
    rf"(?:(?:first|second|third|fourth|last)\s+(?:half|quarter|\w+\s+months)\s+(?:of\s+)?|"
    rf"(?:fiscal\s+|financial\s+)?(?:year|period|quarter|half[- ]year|months?)\s+(?:ended\s+|ending\s+|of\s+)?)?"
    rf"(?:the\s+)?"
    rf"(?:{_MONTH}(?:\s+\d{{1,2}},?)?(?:\s*(?:[-–—]|to)\s*{_MONTH}(?:\s+\d{{1,2}},?)?)?\s+)?(?<!\d)(?:19|20)\d\d(?!\d)"
    r"(?:\s*年(?:度|末|底)?)?(?:\s*\d{1,2}\s*月(?:\s*\d{1,2}\s*日)?)?(?:[上下]半年|第?[一二三四]季度)?的?",
    re.IGNORECASE,
)


_AT_MOMENT = re.compile(
    rf"\b(?:at|as (?:of|at)) (?:the )?(?:year[- ]?end|end|close|{_MONTH}\s+\d|\d\d? {_MONTH})|\bbalances?\b"
    r"|\bthe (?:end|close) of\b|(?:期|年)[末底]|余额",
    re.IGNORECASE,
)


def dates_no_row(name: str) -> bool:
    """True for a name whose years say when something is due or was issued, and not of when its figures are."""
    return bool(_OF_NAME.search(name))


def years_of_names(question: str, rows: Sequence[Row]) -> frozenset[str]:
    """Return the years that a question says only as part of the name of such a row ("the notes due 2031")."""
    said = {year for match in _OF_NAME.finditer(question) for year in _YEAR.findall(match[0])}
    known = {y for row in rows for match in _OF_NAME.finditer(row.name) for y in _YEAR.findall(match[0])}
    elsewhere = _YEAR.findall(_OF_NAME.sub(" ", question))
    return frozenset(said & known) - set(elsewhere)


def asks_of_moment(text: str) -> bool:
    """True for a question of what there was at the end of a period and not of what happened in it."""
    return bool(_AT_MOMENT.search(text))


def years_of_latest(rows: Sequence[Row]) -> dict[int, frozenset[str]]:
    """Return, by place, the years of rows that name none but stand above the same rows of an earlier year.

    Reports begin with the latest period: what stands above "2017 / Net income" as "Net income" is of 2018.
    """
    above: list[Row] = []
    for place, row in enumerate(rows):
        if not (years := years_in(row.name)):
            above.append(row)
            continue
        below = {plain(other.leaf) for other in rows[place:] if years_in(other.name) == years}
        again = sum(plain(other.leaf) in below for other in above)
        if len(above) < _FEWEST_AGAIN or len(years) > 1 or again < len(above) - 1:
            return {}
        latest = frozenset({str(int(max(years)) + 1)})
        return {other.index: latest for other in above}
    return {}


def years_of_flows(names: Mapping[int, str]) -> dict[int, frozenset[str]]:
    """Return, by place, the years of rows or columns that stand between an opening and a closing balance.

    ``names`` are theirs, by place and in order. What stands between "Balance at December 31, 2018" and "Balance at
    December 31, 2019", and names no year, happened in 2019.
    """
    found: dict[int, frozenset[str]] = {}
    leaves = {place: name.rsplit(" / ", 1)[-1] for place, name in names.items()}
    balances = [place for place, leaf in leaves.items() if years_in(leaf)]
    for start, end in itertools.pairwise(balances):
        years = years_in(leaves[end])
        if undated(leaves[start]) == undated(leaves[end]) and max(years_in(leaves[start])) <= max(years):
            between = (place for place in names if start < place < end and not years_in(names[place]))
            found |= dict.fromkeys(between, frozenset(years))
    return found


def asked_of(question: str, source: TableSource) -> str | None:
    """Return what a question asks of a table: without the period, where the table's title names it.

    None where the title, or the heading above a table without one, names other years only: the table is of another
    period. Two years are a range. A month may be named by the sheet. A
    table whose rows or columns have years is asked the whole question, as is one without a year in its title.
    """
    headers = [
        *(column.name for column in source.table.columns),
        *(row.name for row in source.table.rows),
    ]
    if any(_YEAR.search(header) or _MONTH_ZH.search(header) for header in headers):
        return question
    sheet = " ".join([source.table.caption, *source.path[-1:]])
    months, of_title = set(_MONTH_ZH.findall(question)), set(_MONTH_ZH.findall(sheet))
    if months and of_title:
        if not months & of_title:
            return None
        question = _MONTH_ZH_SAID.sub("", question) if len(months) == 1 else question
    asked = set(_YEAR.findall(question))
    titled = set(_YEAR.findall(source.table.caption)) or set(_YEAR.findall(" ".join(source.path[-1:])))
    if not asked or not titled:
        return question
    if not any(min(titled) <= year <= max(titled) for year in asked):
        return None
    return question if len(asked) > 1 or not asked & titled else " ".join(PERIOD.sub(" ", question).split())


def period_of(source: TableSource) -> str:
    """Return the period that a table's title names, as written; "" without one."""
    found = PERIOD.search(source.table.caption)
    return " ".join(found[0].split()) if found else ""
