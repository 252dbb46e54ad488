"""The words of questions over statements: two items, a part and its whole, columns of changes and of totals."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.answer.tables.matching import quarters_in, years_in
from engine.answer.tables.references import CellPlace
from engine.answer.tables.short_forms import without_asides
from engine.enrich.cell_values import parse_cell

PAIR = re.compile(
    r"\bbetween (?P<a>.+?) and (?P<b>.+?)(?=$|\?| on | (?:in|for|as at|as of|at|during) (?:the )?(?:fiscal "
    r"|year )?(?:\w+ )?(?:\d\d?, )?(?:19|20)\d\d| respectively)"
    r"|\bratio(?: \([^()]*\))? of (?P<a2>.+?) (?:to|over|against|and(?!.* to )) (?P<b2>.+?)"
    r"(?=$|\?| (?:in|for|as at|as of|at|during) (?:the )?(?:19|20)\d\d)"
    r"|(?:sum|total|average|combined total) of (?P<a3>.+?) and (?P<b3>.+?)(?=$|\?| (?:in|for|as at"
    r"|as of|at|during) (?:the )?(?:19|20)\d\d)"
    r"|\b(?:did|do|does|were|was|are|is) (?:the )?(?P<a5>[^?]+?) and (?:the )?(?P<b5>[^?]+?) (?:\w+ ){1,3}?"
    r"(?:together|combined|between them|in all)\b"
    r"|(?P<a4>[^，。？]+?)(?:与|和|及|同|比)(?P<b4>[^，。？]+?)(?:之比|的比率|的比值|相差|之差|的差额|的差|之和|的总和|的合计|合计|一共|总共)",
    re.IGNORECASE,
)
EACH_OF = re.compile(
    r"\b(?:of|from|for|the) (?:the )?(?P<a>(?:(?!\b(?:of|from|for|the)\b)[^?,])+?),? and (?P<b>[^?]+?)"
    r"(?=$|\?|,? respectively| (?:in|for|as at|as of|at|on|during) (?:the )?(?:fiscal |year )?(?:\w+ )?"
    r"(?:\d\d?, )?(?:19|20)\d\d)|(?P<a_zh>[^，。？的]+?)[与和及](?P<b_zh>[^，。？的]+?)(?:的[^，。？]*)?(?:分别|各)",
    re.IGNORECASE,
)
PART = re.compile(
    r"(?:percent(?:age)?|proportion|share|fraction)s? of (?P<whole>.+?) (?:is|was|are|were|does|did|do"
    r"|has|have|comes? from|came from|consists? of|represented by)(?: (?:made up|generated|derived) (?:of|from|by))?"
    r" (?P<part>.+?)(?=$|\?)"
    r"|(?:percent(?:age)?|proportion|share|fraction|ratio) (?:constitution of|of|does|did|is|was|are"
    r"|were|do) (?P<part2>.+?)(?: (?:expressed|shown|contribute|form))? (?:as an? (?:percent(?:age)?|proportion|share"
    r"|ratio) of|out of|over|to|in|of|from|among|against|relative to|compared to|constitute|represent|account for"
    r"|make up)"
    r" (?:the )?(?P<whole2>total .+?|.+?)(?=$|\?)"
    r"|(?:what (?:is|was|are|were) )?(?P<part3>[^?]+?) as an? (?:percent(?:age)?|proportion|share"
    r"|ratio) of (?P<whole3>[^?]+)"
    r"|(?P<part5>[^?]+?)['’]s? (?:percent(?:age)? )?(?:share|proportion|percentage|portion) of (?P<whole5>[^?]+)"
    r"|how much of (?:the )?(?P<whole6>[^?,]+?),? (?:as an? (?:percent(?:age)?|share)|in percent),? "
    r"(?:did|does|do|was|is|were|are) (?P<part6>[^?]+?)"
    r"(?: (?:represent|make up|account for|contribute|constitute)|(?=\?|$))"
    r"|(?P<part4>[^，。？]+?)(?:占|在)(?P<whole4>[^，。？]+?)(?:的|中的?)?(?:比例|比重|百分之|百分比|多少|几成|占比)",
    re.IGNORECASE,
)
TOTAL = re.compile(
    r"(?:grand )?totals?(?: (?:company|group|operations))?|consolidated(?: .{0,24})?|all|合计|总计|合并",
    re.IGNORECASE,
)
PERCENT = re.compile(
    r"%|percent|per cent|proportion|share of|margin|rate\b|\bload factor|\boccupancy|比例|占比|率|百分",
    re.IGNORECASE,
)
CHANGED = re.compile(
    r"\b(?:change|increas|decreas|growth|grow|grew|declin|rise|rose|fall|fell|drop|reduc|improv"
    r"|(?:go|went|gone) (?:up|down))"
    r"|变动|变化|增加|减少|增长|下降|上升",
    re.IGNORECASE,
)
CHANGES = re.compile(r"chang|varian|growth|increase|decrease|chg|变动|增减|同比|增长", re.IGNORECASE)

_IN_BRACKETS = re.compile(r"\([^()]*\)")
_SHARES = re.compile(
    r"%|\bper ?cent(?:age)? (?:change|increase|decrease|growth|variance|chg)|百分比", re.IGNORECASE
)
# "Increase from 2017" is the change of 2018.
_SINCE = re.compile(r"\b(?:from|over|versus|vs\.?|against|compared (?:to|with)|since)\b|较|比", re.IGNORECASE)
RATIO_WORDS = re.compile(r"\b(?:ratio|proportion of)\b(?!.*\bpercent)|之比|比率|倍|times", re.IGNORECASE)
PRIOR = re.compile(
    r"previous|prior|last year|year.over.year|year before|preceding|上年|去年|同比|上一年|yoy", re.IGNORECASE
)
# "Less: current portion" is taken from the row above it.
TAKEN_FROM = re.compile(r"\s*(?:less|减|減)\s*[:：]\s*", re.IGNORECASE)
# What is printed in brackets because it is taken away: its amount is meant, not the sign.
TAKEN_AWAY = re.compile(
    r"\b(?:expenses?|costs?|loss(?:es)?|charges?|(?:re)?payments?|(?:re)?purchases?|acquisitions?|expenditures?|depreciation|amorti[sz]ation|allowances?|provisions?|impairments?)\b"
    r"|费用|成本|损失|支出|折旧|摊销|减值",
    re.IGNORECASE,
)
# A change of percentages as tables print it: "(6) pts".
IN_POINTS = re.compile(
    r"\(?[-−+]?\d[\d.,]*\)?\s*(?:pts?|pp|ppts?|points|percentage points)\.?", re.IGNORECASE
)
POINTS = re.compile(r"\babsolute|percentage points?|in (?:the )?percentage of|百分点", re.IGNORECASE)
SUMMED = re.compile(
    r"\bsum\b|\bcombined\b|\baltogether\b|\badd|\bbetween\b|\bfrom\b|之和|总和|合计", re.IGNORECASE
)


def tells_share(place: CellPlace) -> bool:
    """True for a percentage, by its sign or by the name of its column ("Percent change")."""
    header = _IN_BRACKETS.sub(" ", place.ref.column_header)
    return place.value.unit == "%" or bool(_SHARES.search(header))


def taken_away(places: Sequence[CellPlace]) -> bool:
    """True for an expense or a loss that the table prints as negative numbers."""
    amounts = [place.value.amount for place in places]
    named = all(
        TAKEN_AWAY.search(without_asides(place.ref.row_header.rsplit(" / ", 1)[-1])) for place in places
    )
    return named and all(amount is not None and amount < 0 for amount in amounts)


def is_total(place: CellPlace) -> bool:
    """True for a cell of a total's row or column."""
    row = place.table.row(place.row)
    column = place.ref.column_header.rsplit(" / ", 1)[-1].strip()
    return bool(row and row.total) or bool(TOTAL.fullmatch(column))


def is_period(name: str) -> bool:
    """True for a name that says a year or a quarter."""
    return bool(years_in(name) or re.search(r"\b(?:FY|Q[1-4])\b", name))


def years_of_change(name: str) -> set[str]:
    """Return the years that a column of changes is of: the one it names, and the next where that is its base."""
    years = years_in(name)
    if len(years) == 1 and _SINCE.search(name):
        years |= {str(int(year) + 1) for year in years}
    return years


def when(place: CellPlace) -> str:
    """Return when a cell is of, in an order that can be compared: "2019-Q2", "2019-04-27", "" where it is not said."""
    ref = place.ref
    for name in (ref.column_header, ref.row_header):
        leaf = without_asides(name.rsplit(" / ", 1)[-1])
        if date := parse_cell(leaf).date:
            return date
        if quarters := quarters_in(leaf):
            return f"{max(years_in(name), default='')}-Q{min(quarters)[2:]}"
    return ""
