"""Whether a finding does all that the question says: else another computation or another row was meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from engine.answer.tables.converted import value_of
from engine.answer.tables.finding import Finding, Step
from engine.answer.tables.matching import features, plain, quarters_in
from engine.answer.tables.name_parts import LEFT_OUT
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.short_forms import without_asides
from engine.answer.tables.statement_words import CHANGED, PERCENT
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import TypedTable
from engine.answer.tables.word_families import alike
from engine.enrich.cell_values import parse_cell
from engine.enrich.units import Measure
from engine.index.tokenize import tokens
from engine.structure.sentences import is_cjk, sentences_of

# Words of periods and of computations, which a lookup over several years or a printed change accounts for.
_ACCOUNTED = frozenset({"between", "both", "over", "all", "least", "or"})
# "over 5" is a limit, "over the total" is none.
_FIGURE = re.compile(
    r"[$€£¥]\s?\d|\d[\d,.]*\s?(?:%|percent|thousand|million|billion|年|years|万|亿|元)|\d[.,]\d"
)
_RATE_ASKED = re.compile(
    r"\bwhat (?:is|was|are|were) (?:the |its |their )?(?:[\w'’-]+ ){0,4}?"
    r"(?:(?:tax|interest|growth|occupancy|retention|discount|churn|conversion) (?P<rate>rate)"
    r"|(?P<share>margin|yield))s?\b",
    re.IGNORECASE,
)
_WHOLE, _LAST_DAY = 100, 31
_COMPUTED = frozenset({"average", "sum", "difference", "ratio", "percent_change"})
# A participle or the like before a name tells one amount of the same thing from others.
_QUALIFIER = re.compile(r"\b(?:(?:un|non-?)[a-z]{3,}|[a-z]{3,}(?:ed|able|ible))\b", re.IGNORECASE)
_TOTAL = re.compile(r"\b(?:total|overall)\b", re.IGNORECASE)
_TWO = re.compile(r"\b(?P<a>[a-z][\w-]+) and (?=(?P<b>[a-z][\w-]+))", re.IGNORECASE)
_TOLD = ("lookup", "difference", "percent_change", "average", "sum")
_PLACED = frozenset({"over", "under", "above", "below"})
_WHICH_ASKED = re.compile(
    r"^\W*(?:in |at |on |for |of |from )?which\b"
    r"(?! (?:\w+ )?(?:number|amount|share|portion|fraction|proportion|percent|rank|position|place|round|week|season"
    r"|period|quarter|lap|day|time|age|size|chapter|volume|version|route|bus|flight|line|track|stage|game|episode))",
    re.IGNORECASE,
)
_NOUN_ASKED = re.compile(r"^\W*(?:in |at |on |for |of |from )?which (?P<noun>[a-z]+)\b", re.IGNORECASE)
_THING_ASKED = re.compile(
    r"\b(?:which|what) (?P<noun>[a-z]+) (?:did|does|do|was|were|is|are|has|had|have)\b", re.I
)
_NUMBER_ASKED = re.compile(r"\bhow (?:many|much|old|tall|far|heavy)\b|\bnumber of\b|多少|几个", re.IGNORECASE)
_UNIT_ASKED = re.compile(
    r"\bhow many (?P<unit>year|month|week|day|hour|minute|mile|kilometer|kilometre|gallon|ton)s?\b",
    re.IGNORECASE,
)
_YEAR_ASKED = re.compile(
    r"\b(?:what|which|in what|in which) (?:fiscal |financial |calendar )?years?\b|哪一?年", re.IGNORECASE
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
_RATIO_ASKED = re.compile(r"\bratios?\b", re.IGNORECASE)
_MEANING_ASKED = re.compile(
    r"^\W*what (?:is|are) (?P<what>(?!the\b|our\b|its\b|their\b)[^?]+)\?*$", re.IGNORECASE
)
# "Where did he finish" asks for a place in a ranking.
_WHERE_ASKED = re.compile(
    r"^\W*where\b(?:(?!.*\b(?:finish|rank|place|placed|come|end)\b)|(?=.*\b(?:took|takes?) place\b))",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"\W*\d+(?:st|nd|rd|th)\W*", re.IGNORECASE)
_DAYS = re.compile(r"\b(?:what|which) (?:day|month)\b", re.IGNORECASE)
_DATED = re.compile(r"\b(?:day|date|month|time|year|when)s?\b|日|月|年|时|期", re.IGNORECASE)
_MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|月", re.IGNORECASE)
_CHOICE = re.compile(r"\b(?:which|whose|or)\b|哪|还是|還是", re.IGNORECASE)
_CAPITALS = re.compile(r"(?<=[a-z,0-9] )[A-Z][\w&.-]*(?: [A-Z][\w&.-]*)*")
_PARTS = r"(?:segments?|divisions?|regions?|business(?:es)?|markets?|units?|zones?)"
_ENDS = (
    r"(?=\W*$|[,;]| (?:in|for|during|at|on|as|by|of|to|was|is|from|between|and|or|ha[sd]|have|were|are)\b)"
)
_LEFT_OUT = re.compile(
    r"\b(?:outside(?: of)?|excluding|other than|apart from|except(?: for)?|exclusive of)\s+(?:the )?(?P<what>[\w.&-]+)",
    re.IGNORECASE,
)
_SAYING_NOTHING = features("revenue revenues sales total income net")
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
        (_YEARS_COUNTED, _is_no_year), (_YEAR_ASKED, _is_year), (_TIME_ASKED, _is_time), (_PERSON_ASKED, _is_name),
        (_WHERE_ASKED, _is_place),
        (_WHICH_ASKED, _is_name), (_NAMES_ASKED, _is_name), (_NUMBER_ASKED, _has_digit),
    )  # fmt: skip
    check = next((holds for asked, holds in checks if asked.search(text)), None)
    if check is _is_name and _is_of_column_asked(text, finding):
        return True
    if check is _is_time and not _DAYS.search(text) and not _is_dated(finding):
        return False
    return check is None or all(check(value) for value in finding.values)


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
    return bool(words) and not _has_digit(value) and words <= set(tokens(question))


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


def _is_name(value: str) -> bool:
    return bool(re.search(r"[^\W\d_]", value)) and not value_of(value).numeric


def _is_place(value: str) -> bool:
    return _is_name(value) and not _ORDINAL.fullmatch(value)


def _has_digit(value: str) -> bool:
    return any(character.isdigit() for character in value)


def asks_meaning(question: Question, finding: Finding) -> bool:
    """True for "What is X?" of nothing but a row's own name: beside text, what it means is asked."""
    match = _MEANING_ASKED.match(question.plain)
    return match is not None and any(
        plain(match["what"]) == plain(without_asides(cell.row_header.rsplit(" / ", 1)[-1]))
        for cell in finding.cells
    )


def told_beside(question: Question, source: TableSource, finding: Finding) -> bool:
    """True when a sentence beside the table says what the question asks more fully than the names of the cell.

    One that says the cell's own figure confirms it.
    """
    if finding.kind not in _TOLD:
        return False
    held = features(" ".join(f"{c.row_header} {c.column_header}" for c in finding.cells)) | source.context
    asked = {f for f in question.names if f[0] not in "§#" and not is_asking(f)}
    left = asked - held - {f for f in asked if alike(f) & held}
    if not left:
        return False
    qualifiers = left & _qualifiers(question) - source.named - source.announced
    if qualifiers and any(qualifiers & (f := features(s)) and f & held for s in _sentences(source)):
        return True
    if finding.kind not in ("lookup", "difference") or len(finding.values) != 1:
        return False
    sentences = [s for s in _sentences(source) if _FIGURE.search(s)]
    own = finding.values[0].strip("$€£¥()% ")
    said = [found for s in sentences if left <= (found := features(s)) and own not in s]
    return any(len(asked & found) > len(asked & held) for found in said)


def silent_names(asked: Question, source: TableSource) -> list[str]:
    """Return the capitalised words of the question that stand nowhere in the table or around it."""
    known = source.known_features
    found = []
    for run in dict.fromkeys(_CAPITALS.findall(asked.plain)):
        # "United States" stands there as "US".
        if len(run.split()) > 1 and features(run) <= known:
            continue
        found += [word for word in run.split() if not features(word) & known]
    return [name for name in dict.fromkeys(found) if not all(map(is_asking, features(name)))]


def narrows(asked: Question, silent: Sequence[str]) -> bool:
    """True where one of these names says of which part the figure is to be: "in Japan", "the Retail segment"."""
    return any(
        re.search(rf"\bin (?:the )?{bare}{_ENDS}|\b{bare}['’]?s? {_PARTS}\b", asked.plain)
        for bare in map(re.escape, silent)
    )


def _qualifiers(question: Question) -> frozenset[str]:
    """Return the features of the words that say which of an item's amounts is meant: "unrecognized", "proposed"."""
    return frozenset(f for word in _QUALIFIER.findall(question.plain) for f in features(word))


def _sentences(source: TableSource) -> Iterator[str]:
    return (sentence for text in source.beside for sentence in sentences_of(text))


def plausible(
    question: Question, table: TypedTable, finding: Finding, around: frozenset[str] = frozenset()
) -> bool:
    """False when the question says more than was done: another computation, or another row by its full name.

    ``around`` are the features of what announces the table and of what it stands under.
    """
    names = plain(" ".join(f"{c.row_header} {c.column_header}" for c in finding.cells))
    if any(plain(word) not in names and not features(word) & around for word in question.mixed):
        return False
    if finding.kind == "lookup" and not _in_unit(question, finding, names):
        return False
    if finding.kind in _COMPUTED and any(plain(word) not in names for word in question.superlatives):
        return False
    if finding.kind == "lookup" and not _only_read(question, finding, names):
        return False
    if (
        finding.kind in ("lookup", "difference")
        and question.measure == "percent"
        and not _percent(finding, names)
    ):
        return False
    if (
        finding.kind == "lookup"
        and _RATIO_ASKED.search(question.plain)
        and not _told_as_ratio(finding, names)
    ):
        return False
    if finding.kind == "lookup" and _is_left_out(question, finding):
        return False
    rate = _RATE_ASKED.search(question.plain)
    told = (
        rate is None
        or bool(features(rate["rate"] or rate["share"]) & features(names))
        or _percent(finding, names)
    )
    if finding.kind == "lookup" and not told:
        return False  # an amount is no rate
    if finding.kind == "lookup" and _counts_rows(question, table):
        return False
    counted = question.measure == "count" and not question.counted & features(names)
    if finding.kind == "lookup" and counted and all(map(_is_money, finding.steps)):
        return False
    if _total_asked(question, table, finding, names):
        return False
    if finding.kind == "lookup" and len(finding.values) == 1 and _asks_two(question, table, names):
        return False
    if finding.kind == "lookup" and (
        _share_of_amounts(question, table, finding) or _of_other_column(question, table, finding)
    ):
        return False
    if question.respective and len(finding.values) < 2:
        return False
    asked = f" {plain(question.plain)} "
    texts = [plain(value) for value in finding.values if _is_name(value)]
    if finding.kind == "lookup" and any(f" {value} " in asked and value not in names for value in texts):
        return False  # what the question says itself is no answer
    leaves = [plain(cell.row_header.rsplit(" / ", 1)[-1]) for cell in finding.cells]
    if finding.kind == "lookup" and any(_made_of(leaf, asked) for leaf in leaves):
        return False
    held = features(names)
    read = {cell.row for cell in finding.cells}
    if _says_other_rows(table, asked, read):
        return False
    for row in table.rows:
        if read & {*table.sums.get(row.index, ())} or _is_whole(table, row.index, finding):
            continue  # the name of a sum, or of what is 100 %, tells what its parts are
        leaf = plain(row.leaf)
        told = any(not is_asking(f) and f not in question.years for f in features(leaf))
        if told and len(leaf) > 3 and _says(asked, leaf) and leaf not in names and not features(leaf) <= held:
            return False
    return True


def _is_left_out(question: Question, finding: Finding) -> bool:
    """True for a cell of just what the question leaves out: "outside the US", "excluding bitcoin"."""
    said = _LEFT_OUT.search(question.plain)
    left = features(said["what"]) if said else frozenset[str]()
    leaves = (
        features(without_asides(name.rsplit(" / ", 1)[-1]))
        for cell in finding.cells
        for name in (cell.row_header, cell.column_header)
    )
    held = any(LEFT_OUT.search(cell.row_header) for cell in finding.cells)
    return bool(left) and not held and any(own & left and own - _SAYING_NOTHING <= left for own in leaves)


def _counts_rows(question: Question, table: TypedTable) -> bool:
    """True for "how many parties" over a list of parties: no cell says how many rows there are that do something."""
    head = table.columns[0].name if table.header_columns == 1 else ""
    return bool(question.counted) and question.counted == features(head)


def _says_other_rows(table: TypedTable, asked: str, read: set[int]) -> bool:
    """True where a question says a text that stands in a column of texts, but in none of the rows that were read."""
    for column in table.value_columns:
        if column.dtype != "text":
            continue
        texts = {row.index: plain(table.text(row.index, column.index)) for row in table.rows}
        said = {
            text
            for text in texts.values()
            if len(text) > 2
            and parse_cell(text).dtype == "text"
            and _says(asked, text)
            and not all(map(is_asking, features(text)))
        }
        if said and not said & {texts.get(row, "") for row in read}:
            return True
    return False


def _says(asked: str, name: str) -> bool:
    """True where a question says a name: "non-vested" says no "vested"."""
    return (
        name in asked if is_cjk(name) else re.search(rf"(?<![\w-]){re.escape(name)}(?!\w)", asked) is not None
    )


def _in_unit(question: Question, finding: Finding, names: str) -> bool:
    """False where years, days or the like are asked for and neither the values nor their names say such."""
    match = _UNIT_ASKED.search(question.plain)
    unit = match["unit"].casefold() if match else ""
    observed = {step.observation.unit for step in finding.steps}
    return not unit or unit in observed or unit in f"{names} {' '.join(finding.values)}".casefold()


def _told_as_ratio(finding: Finding, names: str) -> bool:
    """True when what was read is a ratio by its name, or a percentage."""
    return bool(_RATIO_ASKED.search(names)) or _percent(finding, names)


def _is_money(step: Step) -> bool:
    return Measure(step.observation.unit).money


def _total_asked(question: Question, table: TypedTable, finding: Finding, names: str) -> bool:
    """True for a part of a sum that the question does not name in full, where it asks for a total."""
    if (
        finding.kind not in ("lookup", "difference", "percent_change")
        or not _TOTAL.search(question.plain)
        or _TOTAL.search(names)
    ):
        return False
    parts = {part for whole in table.sums.values() for part in whole} - table.sums.keys()
    named = (row for row in table.rows if row.index in {cell.row for cell in finding.cells} & parts)
    return any(not features(without_asides(row.leaf)) <= question.names for row in named)


def _asks_two(question: Question, table: TypedTable, names: str) -> bool:
    """True for "external and internal" where the names of the cell say the one and other names the other."""
    held = features(names)
    others = [features(name) for name in (*(r.name for r in table.rows), *(c.name for c in table.columns))]
    for match in _TWO.finditer(question.plain):
        first, second = features(match["a"]), features(match["b"])
        if any(
            own and own <= held and other and not other & held and any(other <= name for name in others)
            for own, other in ((first, second), (second, first))
        ):
            return True
    return False


def _share_of_amounts(question: Question, table: TypedTable, finding: Finding) -> bool:
    """True for percentages read from rows that hold amounts too, when no percentage was asked for."""
    if PERCENT.search(question.plain) or CHANGED.search(question.plain):
        return False
    read = {(cell.row, cell.column) for cell in finding.cells}
    heads = [features(without_asides(cell.column_header.rsplit(" / ", 1)[-1])) for cell in finding.cells]
    if all(own and own <= question.names and not all(map(is_asking, own)) for own in heads):
        return False  # the question names their column
    shares = [table.value(row, column).unit == "%" for row, column in read]
    others = [table.value(row, c.index) for row, _ in read for c in table.value_columns]
    return all(shares) and any(value.numeric and value.unit != "%" for value in others)


def _of_other_column(question: Question, table: TypedTable, finding: Finding) -> bool:
    """True where "which club" is asked, a column is called so, and the cells are of another one."""
    match = _THING_ASKED.search(question.plain)
    noun = features(match["noun"]) if match else frozenset[str]()
    named = {column.index for column in table.columns if noun and noun <= features(column.name)}
    return bool(named) and not any(
        cell.column in named or noun & features(f"{cell.row_header} {cell.column_header}")
        for cell in finding.cells
    )


def _made_of(name: str, asked: str) -> bool:
    """True when the question asks for a ratio that is made of an item: 管理费用率, "gross profit margin"."""
    return bool(name) and re.search(rf"{re.escape(name)}\s*(?:率|倍|(?:margin|rate)\b)", asked) is not None


def _is_whole(table: TypedTable, row: int, finding: Finding) -> bool:
    """True for the row that is 100 % where shares are read."""
    values = [table.value(row, cell.column) for cell in finding.cells]
    return any(value.unit == "%" and value.value == _WHOLE for value in values)


def _percent(finding: Finding, names: str) -> bool:
    """True when what was read is a percentage, or is called one."""
    return "percent" in names or "%" in names or all(step.observation.unit == "%" for step in finding.steps)


def _orders(word: str, asked: str) -> bool:
    """True for "over" or "below" before a number or a place in a list; "over the total" asks for neither."""
    beside = "right|just|directly|immediately|listed|ranked|placed"
    return re.search(rf"\b(?:{word} [$€£]?\d|(?:{beside}) {word}\b)", asked) is not None


def _only_read(question: Question, finding: Finding, names: str) -> bool:
    """True when the question asks for no more than the cells found, and for what they hold."""
    known = names.replace("high", "high highest").replace("low", "low lowest").split()
    words = [w for w in question.reasoned if plain(w) not in names and w.casefold() not in known]
    if question.kind in ("percent_change", "difference", "sum", "average") or len(question.years) > 1:
        words = [word for word in words if word.casefold() not in _ACCOUNTED]
    words = [w for w in words if w.casefold() not in _PLACED or _orders(w, question.plain)]
    if quarters_in(question.plain):
        words = [word for word in words if word.casefold() not in ("first", "last")]
    if words:
        return False
    return not question.amount or all(re.search(r"\d", value) for value in finding.values)
