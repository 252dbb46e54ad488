"""Whether a finding does all that the question says: else another computation or another row was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from engine.answer.tables.finding import Finding, Step
from engine.answer.tables.matching import features, plain, quarters_in
from engine.answer.tables.name_parts import LEFT_OUT
from engine.answer.tables.other_parts import is_of_other_part
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.short_forms import without_asides
from engine.answer.tables.statement_words import CHANGED, PERCENT
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import TypedTable
from engine.answer.tables.value_types import is_name
from engine.answer.tables.word_families import alike, same_root
from engine.enrich.cell_values import parse_cell
from engine.enrich.units import Measure
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
_WHOLE = 100
_COMPUTED = frozenset({"average", "sum", "difference", "ratio", "percent_change"})
# A participle or the like before a name tells one amount of the same thing from others.
_QUALIFIER = re.compile(r"\b(?:(?:un|non-?)[a-z]{3,}|[a-z]{3,}(?:ed|able|ible))\b", re.IGNORECASE)
_TOTAL = re.compile(r"\b(?:total|overall)\b", re.IGNORECASE)
_TWO = re.compile(r"\b(?P<a>[a-z][\w-]+) and (?=(?P<b>[a-z][\w-]+))", re.IGNORECASE)
_TOLD = ("lookup", "difference", "percent_change", "average", "sum")
_PLACED = frozenset({"over", "under", "above", "below"})
_THING_ASKED = re.compile(
    r"\b(?:which|what) (?P<noun>[a-z]+) (?:did|does|do|was|were|is|are|has|had|have)\b", re.I
)
_UNIT_ASKED = re.compile(
    r"\bhow many (?P<unit>year|month|week|day|hour|minute|mile|kilometer|kilometre|gallon|ton)s?\b",
    re.IGNORECASE,
)
_RATIO_ASKED = re.compile(r"\bratios?\b", re.IGNORECASE)
_MEANING_ASKED = re.compile(
    r"^\W*what (?:is|are) (?P<what>(?!the\b|our\b|its\b|their\b)[^?]+)\?*$", re.IGNORECASE
)
_CAPITALS = re.compile(r"(?<=[a-z,0-9] )[A-Z][\w&.-]*(?: [A-Z][\w&.-]*)*")
_PARTS = r"(?:segments?|divisions?|regions?|business(?:es)?|markets?|units?|zones?)"
_ENDS = (
    r"(?=\W*$|[,;]| (?:alone|only|itself|in|for|during|at|on|as|by|of|to|was|is|from|between|and|or|ha[sd]|have|were"
    r"|are)\b)"
)
# Costs are no sales, though "cost" is a word of asking, too.
_COST_OF = re.compile(r"\bcosts? of (?:sales|revenues?|goods|products?|services?)\b", re.IGNORECASE)
_COST = re.compile(r"\b(?:costs?|expenses?)\b", re.IGNORECASE)
_DAY = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2},? (?:19|20)\d\d\b", re.IGNORECASE
)
_LEFT_OUT = re.compile(
    r"\b(?i:outside(?: of)?|excluding|other than|apart from|except(?: for)?|exclusive of)\s+(?:the )?"
    r"(?P<what>[A-Z][\w.&-]*(?: [A-Z][\w.&-]*)*|[\w.&-]+)"
)
_SAYING_NOTHING = features("revenue revenues sales total income net")


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
        found += [word for word in run.split() if not _stands(features(word), known)]
    return [name for name in dict.fromkeys(found) if not all(map(is_asking, features(name)))]


def _stands(word: frozenset[str], known: frozenset[str]) -> bool:
    """True where a word stands among the known ones, or another of its root: "Southern" beside "South"."""
    return bool(word & known) or any(same_root(a, b) for a in word for b in known)


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
    rows = {cell.row for cell in finding.cells}
    sums = [row.leaf for row in table.rows if rows & {*table.sums.get(row.index, ())}]
    names = plain(" ".join([names, *(name for name in sums if plain(name) in plain(question.plain))]))
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
    if is_of_other_part(question, table, finding, around):
        return False
    if _COST_OF.search(question.plain) and not _COST.search(names):
        return False
    if _is_of_other_day(question, finding):
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
    texts = [plain(value) for value in finding.values if is_name(value)]
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


def _is_of_other_day(question: Question, finding: Finding) -> bool:
    """True where the question names a day and the cells are of another day of that year."""
    asked = {day for match in _DAY.finditer(question.plain) if (day := parse_cell(match[0]).date)}
    told = {
        day
        for cell in finding.cells
        for name in (cell.row_header, cell.column_header)
        for level in name.split(" / ")
        if (match := _DAY.search(level)) and (day := parse_cell(match[0]).date)
    }
    years = {day[:4] for day in asked}
    return bool(asked and told) and not asked & told and any(day[:4] in years for day in told)


def _is_left_out(question: Question, finding: Finding) -> bool:
    """True for a cell of just what the question leaves out: "outside the US", "excluding bitcoin"."""
    said = _LEFT_OUT.search(question.plain)
    left = features(said["what"]) if said else frozenset[str]()
    leaves = (
        features(part)
        for cell in finding.cells
        for name in (cell.row_header, cell.column_header)
        for part in without_asides(name.rsplit(" / ", 1)[-1]).split(", ")
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
