"""The limits that a question sets for numbers and dates: "over 100", "between 5 and 10", "in March 2024", 超过8000,
"in Q3"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from engine.answer.tables.record_words import measured
from engine.answer.tables.typed_table import Column
from engine.enrich.cell_values import parse_cell

if TYPE_CHECKING:
    from engine.answer.tables.linked_question import LinkedQuestion, Marked

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = rf"(?<!\w)(?:{'|'.join(f'{name[:3]}(?:{name[3:]})?' for name in _MONTHS)})(?!\w)\.?"
_DATE = (
    rf"(?:{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH},? \d{{4}}"
    rf"|{_MONTH}(?: of| in|,)? \d{{4}}|{_MONTH}(?!\w)"
    r"|\d{4}-\d\d(?:-\d\d)?(?!\d)|\d{4}年(?:\d{1,2}月(?:\d{1,2}[日号]|份)?)?|(?<!\d)\d{1,2}月份?"
    r"|(?<![\d,.$])(?:19|20)\d\d(?![\d,.]\d|\d))"
)
_NUMBER = r"(?:[$€£¥]\s?)?\d[\d,]*(?:\.\d+)?(?:\s?(?:%|k\b|thousand\b|million\b|billion\b|万|千|亿))?"
_SIGNS = {
    ">": r"(?:more|greater|higher|larger|bigger|later|longer|older|taller|heavier|deeper|wider|farther) than"
    r"|over|above|exceed(?:s|ing|ed)?|after"
    r"|超过|大于|高于|多于|晚于",
    ">=": r"at least|no (?:less|fewer) than|not less than|since|starting (?:in|from)|至少|不少于|不低于|不小于",
    "<": r"(?:less|fewer|lower|smaller|earlier|shorter|younger|lighter) than|under|below|before|prior to"
    r"|低于|小于|少于|不足|不到|早于",
    "<=": r"at most|no (?:more|later) than|not more than|up to|until|至多|不超过|不多于|不高于",
    "=": r"exactly|equal to|equals?|=|等于|恰好",
}
_BEHIND = {
    ">": r"以后|之后",
    "<": r"以前|之前",
    ">=": r"以上| or (?:more|above|later)",
    "<=": r"以下|以内| or (?:less|fewer|below)",
}
_SIGN = "|".join(f"(?:{words})" for words in _SIGNS.values())
_SUFFIX = "|".join(f"(?:{words})" for words in _BEHIND.values())
_COLUMN = r"‹[md]\d+›"
_LINK = r"\s*(?:that )?(?:is |was |were |are |of |on |in |at )?(?:a |an )?(?:is |was )?"
_SCALES = {"k": 3, "thousand": 3, "million": 6, "billion": 9, "千": 3, "万": 4, "亿": 8}
_BETWEEN = re.compile(
    rf"(?:(?P<column>{_COLUMN})(?P<link>{_LINK}|[在于为是]))?(?:\bbetween |\bfrom |从|介于)?"
    rf"(?P<x>{_DATE}|{_NUMBER})(?: and | to |到|至|-|–)(?P<y>{_DATE}|{_NUMBER})(?:之间)?(?:的?(?P<behind>{_COLUMN}))?"
)
_LIMIT = re.compile(
    rf"(?:(?P<column>{_COLUMN})(?P<link>{_LINK}|[在于为是]))?"
    rf"(?:(?<!\w)(?P<sign>{_SIGN})\s*(?:the (?:year )?)?)?"
    r"(?:\b(?:in|on|during|for|of|from)(?: the)?(?: year| month of)? |在|于)?"
    rf"(?P<x>{_DATE}|{_NUMBER})(?P<suffix>{_SUFFIX})?(?:\s?[元块分])?(?:\s?(?:in |of |的)?(?P<behind>{_COLUMN}))?"
)
_BOTH_ENDS = re.compile(r"between|from|从|介于|之间|到|至")
# "More than 2000" is no year, "after 2000" is one.
_OF_TIME = re.compile(
    r"after|before|since|until|prior|later|earlier|older|younger|starting|no later|晚于|早于"
)
_EQUAL = re.compile(r"\b(?:is|was|of|are)\b|[为是]")
_WHOLE_YEAR = re.compile(r"(?:19|20)\d\d年?")
_QUARTER = re.compile(
    r"(?:\b(?:in|for|during|of|from) )?(?:\bthe )?(?:"
    r"(?P<year>\d{4})(?:年|[ /-]?)第?(?P<a>q[1-4](?!\w)|[一二三四1-4]季度?)"
    r"|(?:\b(?P<b>q[1-4]|(?:first|second|third|fourth|1st|2nd|3rd|4th) quarter)\b|第?(?P<c>[一二三四1-4])季度)"
    r"(?:(?:,| of|/|-)? ?(?P<behind>\d{4})(?!\d))?"
    r"|(?P<only>\b(?:last|this|past|whole|the) quarter\b|[上本这]个?季度))份?"
)
_MONTH_OF_YEAR = re.compile(r"\d{4}-\d\d")
_NUMBERED_QUARTER = re.compile(r"(?P<one>1|一|first)|(?P<two>2|二|second)|(?P<three>3|三|third)|4|四|fourth")
_ONLY_MONTH = re.compile(rf"(?P<en>{_MONTH})|(?P<zh>\d{{1,2}})月份?")


def reads_part_of_year(name: str, where: Sequence[Mapping[str, Any]]) -> bool:
    """True for the name of a month or quarter that conditions on rows hold dates against."""
    said = _ONLY_MONTH.fullmatch(name.casefold()) or _QUARTER.fullmatch(name.casefold())
    return bool(said) and any(_MONTH_OF_YEAR.match(str(condition["value"])) for condition in where)


def find_limits(made: Marked, linked: LinkedQuestion) -> None:
    """Put the limits of a marked question into marks; where one is of no single column, it has failed."""
    text = made.text

    def marked(match: re.Match[str], *limits: tuple[str, str]) -> str:
        found = [_condition(linked, match, sign, said, text) for sign, said in limits]
        made.failed |= None in found
        used = {condition["column"] for condition in found if condition}
        named = [mark for mark in (match["column"], match["behind"]) if mark and int(mark[2:-1]) not in used]
        return f" {' '.join([*named[:1], *(made.mark(one) for one in found if one), *named[1:]])} "

    def between(match: re.Match[str]) -> str:
        if not _BOTH_ENDS.search(match[0]):
            return match[0]
        return marked(match, (">=", match["x"]), ("<=", match["y"]))

    def limit(match: re.Match[str]) -> str:
        sign = _sign_of(match)
        return marked(match, (sign, match["x"])) if sign else match[0]

    made.text = text = _quarters_marked(made, linked)
    made.text = _outside_marks(_LIMIT, limit, _outside_marks(_BETWEEN, between, text))


def _quarters_marked(made: Marked, linked: LinkedQuestion) -> str:
    """Return the text with marks for its quarters, where the list has one column of days that they can be of."""
    column = _only([column for column in linked.dates if column.dtype == "date"])
    days = linked.days(column) if column else []
    if column is None or not days or any(len(day) < len("2024-01") for day in days):
        return made.text
    there = {(day[:4], (int(day[5:7]) + 2) // 3) for day in days}

    def quarter(match: re.Match[str]) -> str:
        said = match["year"] or match["behind"]
        years = {said} if said else {year for year, _ in there}
        if match["only"]:  # of a list of one quarter it is that one
            chosen = there if len(there) == 1 else set[tuple[str, int]]()
        else:
            number = _number_of_quarter(match["a"] or match["b"] or match["c"])
            chosen = {(year, number) for year in years}
        if len(chosen) != 1:
            return match[0]
        ((year, number),) = chosen
        first, last = f"{year}-{3 * number - 2:02}", f"{year}-{3 * number:02}"
        ends = ((">=", first), ("<=", last))
        marks = (made.mark({"column": column.index, "is": sign, "value": month}) for sign, month in ends)
        return f" {' '.join(marks)} "

    return _QUARTER.sub(quarter, made.text)


def _number_of_quarter(said: str) -> int:
    match = _NUMBERED_QUARTER.search(said)
    return ("one", "two", "three", None).index(match.lastgroup if match else None) + 1


def _outside_marks(pattern: re.Pattern[str], change: Callable[[re.Match[str]], str], text: str) -> str:
    """Substitute, but not what stands within a mark."""
    return pattern.sub(
        lambda m: m[0] if text[m.start("x") - 2 : m.start("x")].startswith("‹") else change(m), text
    )


def _sign_of(match: re.Match[str]) -> str:
    """Return the comparison that a limit makes, "" where the number is none."""
    if match["suffix"]:
        return next(sign for sign, words in _BEHIND.items() if re.fullmatch(words, match["suffix"]))
    if match["sign"]:
        return next(sign for sign, words in _SIGNS.items() if re.fullmatch(words, match["sign"]))
    if re.fullmatch(_DATE, match["x"]):
        return "="
    return "=" if match["column"] and _EQUAL.search(match["link"] or "") else ""


def _condition(
    linked: LinkedQuestion, match: re.Match[str], sign: str, said: str, text: str
) -> dict[str, Any] | None:
    """Return the condition for a limit; None when no column, or more than one, could be meant."""
    named = [int(mark[2:-1]) for mark in (match["column"], match["behind"]) if mark]
    columns = [linked.column(place) for place in named]
    dated = re.fullmatch(_DATE, said) is not None
    if said.isdigit():  # a year, or an amount
        word = match.groupdict().get("sign") or ""
        equal = any(c in linked.measures for c in columns) and _EQUAL.search(match["link"] or "")
        amount = equal or (word and not _OF_TIME.match(word))
        dated = dated and (not amount or any(column in linked.dates for column in columns))
    if dated:
        mentioned = [column for column in linked.dates if f"‹d{column.index}›" in text]
        column = _only([c for c in columns if c in linked.dates] or mentioned or linked.dates)
        value: int | float | str | None = _iso(said, linked, column) if column else None
    else:
        column = _only(
            [c for c in columns if c in linked.measures]
            or _by_unit(said, match.groupdict().get("sign") or "", text, linked)
        )
        value = _amount(said)
    if column is None or value is None:
        return None
    return {"column": column.index, "is": sign, "value": value}


def _by_unit(said: str, word: str, text: str, linked: LinkedQuestion) -> list[Column]:
    """Return the columns that a number without a name could be of; ``word`` compares it: "higher than"."""
    if (cued := linked.cued(text)) is not None:
        return [cued[0]]
    if compared := measured(word, linked.measures):
        return compared[:1]
    kind = "percent" if "%" in said else "currency" if re.match(r"[$€£¥]", said) else ""
    return [column for column in linked.measures if not kind or column.dtype == kind]


def _only(columns: list[Column]) -> Column | None:
    return columns[0] if len(columns) == 1 else None


def _amount(said: str) -> int | float | None:
    digits = re.search(r"\d[\d,]*(?:\.\d+)?", said)
    if digits is None:
        return None
    scale = _SCALES.get(said[digits.end() :].strip(), 0)
    number = Decimal(digits[0].replace(",", "")) * 10**scale
    return int(number) if number == number.to_integral_value() else float(number)


def _iso(said: str, linked: LinkedQuestion, column: Column) -> int | str | None:
    """Return a year, or a month or day as ISO 8601. A month alone is that of the only year that there is."""
    if _WHOLE_YEAR.fullmatch(said):
        return int(said[:4])
    if (match := _ONLY_MONTH.fullmatch(said)) is not None:
        month = int(match["zh"]) if match["zh"] else [m[:3] for m in _MONTHS].index(match["en"][:3]) + 1
        years = {date[:4] for date in linked.days(column)}
        return f"{years.pop()}-{month:02}" if len(years) == 1 and month <= len(_MONTHS) else None
    bare = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b| of| in|(?<=月)份", "", said).replace("号", "日")
    return parse_cell(bare).date
