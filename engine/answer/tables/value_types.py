"""Whether values are of the kind that a question asks for: a year, a time, a person, a place, a number, or a name."""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.answer.tables.converted import value_of
from engine.answer.tables.finding import Finding
from engine.answer.tables.matching import features
from engine.answer.tables.question import Question
from engine.answer.tables.short_forms import without_asides
from engine.enrich.cell_values import parse_cell
from engine.index.tokenize import tokens

_WHICH_ASKED = re.compile(
    r"^\W*(?:in |at |on |for |of |from )?which\b"
    r"(?! (?:\w+ )?(?:number|amount|share|portion|fraction|proportion|percent|rank|position|place|round|week|season"
    r"|period|quarter|lap|day|time|age|size|chapter|volume|version|route|bus|flight|line|track|stage|game|episode))",
    re.IGNORECASE,
)
_NOUN_ASKED = re.compile(r"^\W*(?:in |at |on |for |of |from )?which (?P<noun>[a-z]+)\b", re.IGNORECASE)
_NUMBER_ASKED = re.compile(r"\bhow (?:many|much|old|tall|far|heavy)\b|\bnumber of\b|多少|几个", re.IGNORECASE)
_YEAR_ASKED = re.compile(
    r"\b(?:what|which|in what|in which) (?:of the )?(?:two |three |four |five )?"
    r"(?:fiscal |financial |calendar )?years?\b|哪一?年",
    re.IGNORECASE,
)
_YEARS_COUNTED = re.compile(r"\b(?:how many|number of) years\b", re.IGNORECASE)
_TIME_ASKED = re.compile(r"\bwhen\b|\b(?:what|which) (?:date|day|month)\b|什么时候|何时", re.IGNORECASE)
_PERSON_ASKED = re.compile(r"^\W*who\b|\bwhose\b|^谁", re.IGNORECASE)
_WHICH_OF = re.compile(
    r"\b(?:which|what|who)\b.*\b(?:most|least|fewest|highest|lowest|more|less|fewer) number of\b",
    re.IGNORECASE,
)
# What brings something about is no number: "What limits the growth of …?", 什么导致了……
_CAUSE_ASKED = re.compile(
    r"^\W*what (?:factors?|reasons?|causes?|risks?)\b(?!-)|^\W*what (?:drove|led|made|kept|held|brought|"
    r"(?!(?:is|was|does|has)\b)[a-z]+(?:s|ed)) (?:to )?(?:the|its|their|this|these|our|an?)\b"
    r"|(?:什么|哪些因素|哪些原因|何种原因)(?:限制|影响|导致|推动|造成|阻碍|驱动|引起)|(?:原因|因素)(?:是|有)?(?:什么|哪些)",
    re.IGNORECASE,
)
_NAMES_ASKED = re.compile(
    r"\bwhat (?:are|were) (?:the )?(?:\w+ )?(?:countries|regions|segments|companies|currencies"
    r"|types|kinds|categories|components|items|names)\b|哪些(?:国家|地区|公司|币种|种类|类别|项目)",
    re.IGNORECASE,
)
# "Where did he finish" asks for a place in a ranking.
_WHERE_ASKED = re.compile(
    r"^\W*where\b(?:(?!.*\b(?:finish|rank|place|placed|come|end)\b)|(?=.*\b(?:took|takes?) place\b))",
    re.IGNORECASE,
)
_PLACE_ASKED = re.compile(
    r"^\W*where (?:did|does|do|was|were) (?!.*\b(?:took|takes?|taken) place\b).*\b(?:finish|rank|place)(?:ed|d)?\b",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"\W*\d+(?:st|nd|rd|th)\W*", re.IGNORECASE)
_HOW_FAR = re.compile(r"\bhow (?:high|far|tall|long|deep|wide|heavy|fast)\b", re.IGNORECASE)
_YEAR_COLUMN = re.compile(r"years?|seasons?|dates?", re.IGNORECASE)
_WORK_COLUMN = re.compile(
    r"(?:films?|movies?|songs?|albums?|singles?|episodes?|shows?|series|years?)", re.IGNORECASE
)
_LAST_DAY = 31
_DAYS = re.compile(r"\b(?:what|which) (?:day|month)\b", re.IGNORECASE)
_DATED = re.compile(r"\b(?:day|date|month|time|year|when)s?\b|日|月|年|时|期", re.IGNORECASE)
_MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|月", re.IGNORECASE)
_CHOICE = re.compile(r"\b(?:which|whose|or)\b|哪|还是|還是", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20|21)\d\d(?!\d)")


def fits_type(question: Question, finding: Finding) -> bool:
    """False when the values are not of the kind asked for: a year, a time, a person, a number, or a cause.

    Nor does a cell that holds nothing but words of the question answer it, where it gives no choice.
    """
    text = question.plain
    if _CAUSE_ASKED.search(question.text):
        return False
    if finding.kind in ("yes/no", "trend") or _WHICH_OF.search(text):
        return True
    if (
        finding.kind == "lookup"
        and finding.values
        and not _CHOICE.search(question.text)
        and all(_is_echo(value, question.text) for value in finding.values)
    ):
        return False
    checks: tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...] = (
        (_YEARS_COUNTED, _is_no_year), (_YEAR_ASKED, _is_year), (_TIME_ASKED, _is_time), (_PERSON_ASKED, _is_person),
        (_PLACE_ASKED, _has_digit), (_WHERE_ASKED, _is_place),
        (_WHICH_ASKED, is_name), (_NAMES_ASKED, is_name), (_NUMBER_ASKED, _has_digit),
    )  # fmt: skip
    check = next((holds for asked, holds in checks if asked.search(text)), None)
    if check is _is_person and _is_of_works(finding):
        return False
    if check is is_name and _is_of_column_asked(text, finding):
        return True
    if _HOW_FAR.search(text) and any(_YEAR_COLUMN.fullmatch(cell.column_header) for cell in finding.cells):
        return False
    if check is _is_time and not _DAYS.search(text) and not _is_dated(finding):
        return False
    return check is None or all(check(value) for value in finding.values)


def _is_of_works(finding: Finding) -> bool:
    """True for cells of a column of works or years: no person stands there."""
    told = [cell for cell in finding.cells if cell.text in finding.values]
    return bool(told) and all(_WORK_COLUMN.fullmatch(cell.column_header) for cell in told)


def _is_dated(finding: Finding) -> bool:
    """False for bare small numbers of columns and rows that are not called by a day: ranks answer no "when"."""
    told = [cell for cell in finding.cells if cell.text in finding.values]
    bare = [cell for cell in told if parse_cell(cell.text).dtype == "number" and not _YEAR.search(cell.text)]
    return not told or not bare or any(_DATED.search(f"{c.row_header} {c.column_header}") for c in bare)


def _is_of_column_asked(text: str, finding: Finding) -> bool:
    """True for cells of the column that is called what the question asks for: "in which lane" asks for a number."""
    noun = _NOUN_ASKED.match(text)
    asked = features(noun["noun"]) if noun else frozenset[str]()
    heads = [
        features(without_asides(cell.column_header.rsplit(" / ", 1)[-1]))
        for cell in finding.cells
        if cell.text in finding.values
    ]
    return bool(asked and heads) and all(asked == head for head in heads)


def asks_name(question: Question) -> bool:
    """True for "which", "who" and the like, which no number answers."""
    text = question.plain
    if _YEAR_ASKED.search(text) or _TIME_ASKED.search(text) or _WHICH_OF.search(text):
        return False
    return any(asked.search(text) for asked in (_PERSON_ASKED, _WHICH_ASKED, _NAMES_ASKED))


def _is_echo(value: str, question: str) -> bool:
    words = set(tokens(value))
    return bool(words) and re.search(r"[^\W\d_]", value) is not None and words <= set(tokens(question))


def _is_year(value: str) -> bool:
    return bool(_YEAR.search(value) or parse_cell(value).date)


def _is_no_year(value: str) -> bool:
    return _has_digit(value) and not _is_year(value)


def _is_time(value: str) -> bool:
    """True for a date, a time, a year, or a number so small that it may be a day."""
    cell = parse_cell(value)
    day = cell.dtype == "number" and cell.value is not None and 0 < cell.value <= _LAST_DAY
    dated = (
        cell.date or _MONTH.search(value) or _YEAR.search(value) or (not cell.numeric and _has_digit(value))
    )
    return bool(day or dated)


def is_name(value: str) -> bool:
    """True for a text with letters that is no number."""
    return bool(re.search(r"[^\W\d_]", value)) and not value_of(value).numeric


def _is_person(value: str) -> bool:
    return is_name(value) and not parse_cell(value).date


def _is_place(value: str) -> bool:
    return is_name(value) and not _ORDINAL.fullmatch(value)


def _has_digit(value: str) -> bool:
    return any(character.isdigit() for character in value)
