"""Answer a question from tables by rules: plan operators, run them, and say how the value came about.

Several plans may fit (over several tables, or two readings of one): the surest wins when it is clearly surer or
all agree; otherwise there is no answer here, and the caller quotes instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine.answer.phrases import phrases_for
from engine.answer.tables.after_the_last import in_words_of_rest
from engine.answer.tables.aggregates import AggregatePlanner
from engine.answer.tables.asked_amounts import in_words_of_amounts
from engine.answer.tables.chinese_cells import ChineseCellPlanner
from engine.answer.tables.columns_of_year import as_printed, in_one_year
from engine.answer.tables.compared_cells import compares, difference_of_two, is_only_one
from engine.answer.tables.counted_and_added import counted_and_added, without_worth
from engine.answer.tables.demonyms import with_countries
from engine.answer.tables.described_rows import DescribedRowPlanner
from engine.answer.tables.everyday_items import as_accountants_print
from engine.answer.tables.everyday_names import as_printed_names
from engine.answer.tables.explained_signs import ExplainedSignPlanner
from engine.answer.tables.finding import Finding, Step
from engine.answer.tables.its_figure import without_its_figure
from engine.answer.tables.known_ratios import compute, known_ratio
from engine.answer.tables.limit_columns import LimitColumnPlanner
from engine.answer.tables.limits import reads_part_of_year
from engine.answer.tables.linking import Linker
from engine.answer.tables.list_words import as_column_asked, in_words_of_list
from engine.answer.tables.list_words_abroad import in_language_of_list
from engine.answer.tables.measure_formulas import measures_in
from engine.answer.tables.named_by_value import NamedByValuePlanner, is_of_thing_asked, thing_of_other
from engine.answer.tables.named_cells import NamedCellPlanner
from engine.answer.tables.named_items import NamedItemPlanner
from engine.answer.tables.named_otherwise import named_otherwise
from engine.answer.tables.operands import does_all_that_is_asked
from engine.answer.tables.periods import asked_of, period_of, years_of_names
from engine.answer.tables.planned_figures import is_only_aimed_at
from engine.answer.tables.plausible import narrows, silent_names
from engine.answer.tables.quantity import SCALE_WORDS, SCALE_WORDS_ZH
from engine.answer.tables.question import Question
from engine.answer.tables.records import RecordPlanner
from engine.answer.tables.row_names import called_by
from engine.answer.tables.row_products import with_amounts
from engine.answer.tables.spelling import in_spelling_of
from engine.answer.tables.split_years import in_years_of_ends
from engine.answer.tables.stacked import stacked
from engine.answer.tables.statement_measures import measure_of_statements
from engine.answer.tables.statement_words import TAKEN_FROM
from engine.answer.tables.statements import StatementPlanner
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import CellRef
from engine.answer.tables.unknown_words import says_unknown
from engine.answer.tables.unnamed_attribute import attribute_unnamed
from engine.answer.tables.value_types import fits_type
from engine.answer.terms import content_terms, coverage
from engine.index.tokenize import tokens
from engine.structure.sentences import is_cjk

__all__ = ["TableAnswer", "TableSource", "answer_from_tables"]

_MOST_TABLES = 4
# What a part of a long table can answer by itself.
_LOCAL = frozenset({"lookup", "difference", "compare", "yes/no", "neighbour", "percent_change", "ratio"})
_CLEARLY = 0.08
# What is found in other words gives way to what another table says in the question's own.
_REWORDED, _CLEAR = 0.1, 0.6
# A table whose names hold so much less of the question than another's is not the one that is meant.
_TELLS_LESS = 0.1
_PARENT = re.compile(
    r"(?<!归属于)母公司(?!所有者|股东|普通股)|\bparent(?:[- ]company)?(?: only)?\b|\bcompany[- ]only\b",
    re.IGNORECASE,
)
_GROUP = re.compile(r"合并(?!日)|\bconsolidated\b|母公司(?:及|和|与)", re.IGNORECASE)
# A column that is called so says nothing of what a row tells.
_ANY_VALUE = re.compile(
    r"(?<=\w)[,，]\s*(?:values?|data|details?|specification|数值|取值|值|内容|参数|说明)$", re.IGNORECASE
)
# What a single thing costs is not scaled with the rest of its table.
_PRICE = re.compile(r"\bprice|\bper\b|单价|价格|每", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """An answer: its values, a sentence, the cells it rests on and the operators that were run.

    ``silent`` are names of the question that neither the table nor the text around it holds. ``of_parent`` says that
    the parent company's own statements tell it, though the question does not ask for these.
    """

    kind: str
    values: list[str]
    text: str
    cells: list[CellRef]
    steps: list[Step]
    confidence: float
    silent: list[str]
    of_parent: bool = False


def answer_from_tables(
    question: str, sources: Sequence[TableSource], others: Sequence[TableSource] = ()
) -> TableAnswer | None:
    """Return the answer that the tables clearly give, or None.

    Of tables that were found further down, and of ``others``, only what the question names in full is read.
    """
    question = without_its_figure(question)
    asked = Question(question)
    found: list[tuple[Finding, TableSource]] = []
    for place, source in _one_by_one([*sources, *others]):
        own = asked_of(question, source)
        if not source.table.cells or own is None:
            continue
        early = place < min(_MOST_TABLES, len(sources))
        finding = _read_from(own, source, asked, early)
        if finding is not None and (finding.kind in _LOCAL or not _is_part(source)):
            if own != question:
                finding = replace(finding, label=f"{finding.label}, {period_of(source)}")
            found.append((finding, source))
    found = [pair for pair in found if _tells_measures(question, *pair)]
    tables = [*sources, *others]
    found = [pair for pair in found if not thing_of_other(asked, *pair, tables)]
    found = [(finding, source) for finding, source in found if not is_only_aimed_at(asked, source, finding)]
    found = [pair for pair in found if does_all_that_is_asked(question, pair[0])]
    found = _that_tell_most(question, _of_the_accounts(question, found))
    if not found:
        if asked.kind in ("extreme_period", "count_periods", "trend"):
            return None  # of one year no ratio tells in which it was the highest
        return _known_ratio(asked, [*sources, *others])
    found.sort(key=lambda pair: -pair[0].confidence)
    near = [pair for pair in found if pair[0].confidence > found[0][0].confidence - _CLEARLY]
    best, source = next((pair for pair in near if not _is_taken_away(pair[0])), found[0])
    if any(_amounts(finding) != _amounts(best) for finding, _ in near):
        return None
    where = [condition for step in best.steps for condition in step.params.get("where") or []]
    silent = [name for name in silent_names(asked, source) if not reads_part_of_year(name, where)]
    if silent and any(not silent_names(asked, other) for other in [*sources, *others]):
        return None  # another table names what this one does not
    if narrows(asked, silent):
        return None
    text = f"{_tidy(_with_name(best, source))}: {_said(best, asked)}"
    return TableAnswer(
        best.kind, best.values, text, best.cells, best.steps, best.confidence, silent,
        _is_parents(source) and not _PARENT.search(question),
    )  # fmt: skip


def _read_from(question: str, source: TableSource, asked: Question, early: bool) -> Finding | None:
    """Return what one table tells; where it was not found ``early``, only what the question names in full."""
    if (meant := as_column_asked(question, source)) != question:
        return _read_as_written(meant, source, Question(meant), early)
    finding = _read_as_written(question, source, asked, early)
    for reword in (in_years_of_ends, as_accountants_print, with_countries, in_words_of_list):
        if finding is None and early and (other := reword(question, source)) != question:
            finding = _read_reworded(other, source, early)
            question = other
    return finding


def _read_reworded(question: str, source: TableSource, early: bool) -> Finding | None:
    """Return what a question in other words finds; it must be clear, and say nothing that the table does not know."""
    finding = _read_as_written(question, source, Question(question), early)
    if finding is None or finding.confidence < _CLEAR or says_unknown(question, source):
        return None
    return replace(finding, confidence=finding.confidence - _REWORDED)


def _read_as_written(question: str, source: TableSource, asked: Question, early: bool) -> Finding | None:
    compared = compares(question)
    finding = _planned(question, source, asked, early)
    if compared and (finding is None or is_only_one(finding)):
        return difference_of_two(asked, source, lambda part: _planned(part, source, Question(part), early))
    return finding


def _planned(question: str, source: TableSource, asked: Question, early: bool) -> Finding | None:
    """Return the finding of the first plan that fits; ``asked`` is the question as the reader wrote it."""
    worth, in_money = _worth(question, source)
    if in_money:
        return worth
    written = in_words_of_rest(as_printed_names(in_spelling_of(question, source), source), source)
    named = years_of_names(question, source.table.rows)
    here = asked if written == asked.text and not named else Question(written, named)
    if early and (told := ExplainedSignPlanner(source, here).plan()) is not None:
        return told
    planners = (NamedByValuePlanner, LimitColumnPlanner, NamedCellPlanner, AggregatePlanner, NamedItemPlanner)
    plans = [planner(source, here).plan for planner in planners]
    if early:
        plans = [ChineseCellPlanner(source, here).plan, *plans]
        plans += [StatementPlanner(Linker(source), here).plan, RecordPlanner(source, here).plan]
        plans.append(DescribedRowPlanner(source, here).plan)
        plans += _plans_in_one_year(here, source)
    return _first_that_fits(plans, asked, source)


def _first_that_fits(
    plans: Sequence[Callable[[], Finding | None]], asked: Question, source: TableSource
) -> Finding | None:
    made = (finding for plan in plans if (finding := plan()) is not None and fits_type(asked, finding))
    made = (finding for finding in made if all(value.strip() for value in finding.values))
    made = (finding for finding in made if not named_otherwise(asked, source, finding))
    made = (finding for finding in made if not attribute_unnamed(asked, source, finding))
    return next((finding for finding in made if is_of_thing_asked(asked, source, finding)), None)


def _worth(question: str, source: TableSource) -> tuple[Finding | None, bool]:
    """Return what the rows of a list come to by their quantities and unit prices, and whether that is asked for."""
    products = with_amounts(source, is_cjk(question))
    if products is None:
        return None, False
    listed = products.source
    question = in_language_of_list(question, source)
    if without_worth(question) is not None:
        both = counted_and_added(question, listed, products.column)
        return products.in_printed_cells(both) if both else None, True
    written = in_words_of_amounts(question, products)
    if not written:
        return None, written is not None
    here = Question(written)

    def one_row() -> Finding | None:
        looked_up = RecordPlanner(listed, here).plan()
        one = looked_up is not None and looked_up.kind == "lookup" and len(looked_up.values) == 1
        return looked_up if one else None

    found = _first_that_fits([AggregatePlanner(listed, here).plan, one_row], here, listed)
    return products.in_printed_cells(found) if found else None, True


def _plans_in_one_year(asked: Question, source: TableSource) -> list[Callable[[], Finding | None]]:
    """Return the plans over the list that a table with columns of several years is in one of them."""
    if (narrowed := in_one_year(asked, source)) is None:
        return []

    def whole(plan: Callable[[], Finding | None]) -> Callable[[], Finding | None]:
        return lambda: as_printed(found, source.table) if (found := plan()) is not None else None

    planners = (NamedCellPlanner, AggregatePlanner, RecordPlanner, DescribedRowPlanner)
    return [whole(planner(*narrowed).plan) for planner in planners]


def _one_by_one(sources: Sequence[TableSource]) -> list[tuple[int, TableSource]]:
    """Return the sources with their places; one whose header stands again further down as several."""
    return [
        (place, source if len(tables) == 1 else replace(source, node=node))
        for place, source in enumerate(sources)
        for tables in [stacked(source.table.node)]
        for node in tables
    ]


def _known_ratio(asked: Question, sources: Sequence[TableSource]) -> TableAnswer | None:
    ratio = known_ratio(asked.text)
    made = ratio and compute(asked.text, ratio, sources, lambda found: _of_the_accounts(asked.text, found))
    made = made or measure_of_statements(asked, sources)
    if made is None:
        return None
    text = f"{made.label}: {made.said}"
    return TableAnswer(made.kind, made.values, text, made.cells, made.steps, made.confidence, [])


def _tells_measures(question: str, finding: Finding, source: TableSource) -> bool:
    """False for an item of which the measure that is asked for is only made: operating income for operating margin."""
    words = " ".join([_words_of(finding, source), *source.announcements])
    told = [formulas for _, formulas in measures_in(words)]
    return all(formulas in told for _, formulas in measures_in(question))


def _is_taken_away(finding: Finding) -> bool:
    """True for a cell of a row "Less: interest income": elsewhere the same item stands without the sign."""
    return any(TAKEN_FROM.match(cell.row_header.rsplit(" / ", 1)[-1]) for cell in finding.cells)


def _amounts(finding: Finding) -> list[str]:
    """Return the values of a finding, without a sign where the item is taken away from others."""
    if not _is_taken_away(finding):
        return finding.values
    return [value.strip("-−–()（） ") for value in finding.values]


def _that_tell_most(
    question: str, found: Sequence[tuple[Finding, TableSource]]
) -> list[tuple[Finding, TableSource]]:
    """Of findings in several tables, keep those whose cells and titles hold most of the question."""
    wanted = content_terms(question)
    told = [coverage(wanted, set(tokens(_words_of(finding, source)))) for finding, source in found]
    most = max(told, default=0.0)
    return [pair for pair, share in zip(found, told, strict=True) if share > most - _TELLS_LESS]


def _words_of(finding: Finding, source: TableSource) -> str:
    headers = [header for cell in finding.cells for header in (cell.row_header, cell.column_header)]
    return " ".join([finding.label, *headers, source.table.caption, *source.path, source.title])


def _of_the_accounts(
    question: str, found: Sequence[tuple[Finding, TableSource]]
) -> list[tuple[Finding, TableSource]]:
    """Of a group's statements and those of the parent company alone, keep the ones that are meant.

    A company's figures are those of its group where the question does not ask for the parent's.
    """
    wanted = bool(_PARENT.search(question))
    kept = [(finding, source) for finding, source in found if _is_parents(source) == wanted]
    return kept or list(found)


def _is_parents(source: TableSource) -> bool:
    near = " ".join([*source.path[-2:], source.table.caption])
    return bool(_PARENT.search(near)) and not _GROUP.search(near)


def _is_part(source: TableSource) -> bool:
    """True for a part of a table that was too long for one node: it cannot be counted or ranked by itself."""
    part = source.node.metadata.get("part") or [1, 1]
    return int(part[1]) > 1


def _tidy(label: str) -> str:
    """Return a label without the marks between the levels of names."""
    return _ANY_VALUE.sub("", re.sub(r",?\s*/\s+|,\s*,", ", ", label).strip(" ,:"))


def _with_name(finding: Finding, source: TableSource) -> str:
    """Return a label with the name that people call its row by beside the row's number: "HY1003 王海燕"."""
    table, rows = source.table, {cell.row for cell in finding.cells}
    row = table.row(rows.pop()) if len(rows) == 1 else None
    if row is None or not row.name or not table.columns or not finding.label.startswith(row.name):
        return finding.label
    named = called_by(table, table.columns[0])
    name = table.text(row.index, named.index)
    if named.index == 0 or not name or name in finding.label:
        return finding.label
    return f"{row.name} {name}{finding.label.removeprefix(row.name)}"


def _said(finding: Finding, asked: Question) -> str:
    """Return the value for readers; the content of cells with the scale that their table states."""
    if finding.said:
        return finding.said
    text = "; ".join(finding.values)
    observation = finding.steps[0].observation
    if finding.kind != "lookup" or observation.scale == 1 or _PRICE.search(finding.label):
        return text
    words = SCALE_WORDS_ZH if asked.chinese else SCALE_WORDS
    measure = words.get(observation.scale)
    if measure is None:
        return text
    unit = observation.unit or ""
    if asked.chinese:
        measure += {"CNY": "元", "USD": "美元", "HKD": "港元"}.get(unit, unit)
    elif unit:
        measure += f"s of {unit}"
    else:
        measure += "s"
    return phrases_for(asked.text).in_scale.format(text=text, measure=measure)
