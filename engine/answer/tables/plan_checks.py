"""Whether a model's plan is one for the question: its operator, its names, and what it leaves unsaid.

A small model chooses plausible names for any question. So a plan counts only where the operator does what the question
asks, the question says the names (in its words, their like, or short forms), and nothing that the question says is
left over: a condition that the plan does not have makes another answer.
"""

from __future__ import annotations

import re

from engine.answer.tables.finding import Finding
from engine.answer.tables.matching import features, plain, years_in
from engine.answer.tables.plan_reading import Plan
from engine.answer.tables.plan_running import RefusedPlanError, numeric_columns
from engine.answer.tables.plan_words import meets, names_are_said, said_in, unsaid, values_are_said
from engine.answer.tables.plausible import plausible, told_beside
from engine.answer.tables.question import YES_NO, Question, is_asking
from engine.answer.tables.record_words import (
    BEYOND,
    COUNT,
    FIRST,
    IDLE,
    LESS,
    LIMITS,
    MAX,
    MEASURES,
    MIN,
    MORE,
    NEIGHBOUR,
    OF_TIME,
    SUM,
    SUPERLATIVE,
    WANTED,
    is_measure,
)
from engine.answer.tables.typed_table import TypedTable
from engine.answer.tables.value_types import fits_type
from engine.enrich.cell_values import NUMERIC

_MOST_SURE = 0.75
ENOUGH = 0.5
# A cell that is only read rests on its names alone.
_ENOUGH_READ = 0.6
_RANKED = features("rank ranking position place pos finish standing number no")
_LOW_IS_BEST = re.compile(r"\b(?:best|top|highest|first|fastest)\b|最[高好快]", re.IGNORECASE)
_OLD_LOW = re.compile(r"old|earl|最[早老]", re.IGNORECASE)
_ASKED_FOR: dict[str, frozenset[str]] = {
    "percent_change": frozenset({"PERCENT_CHANGE"}),
    "ratio": frozenset({"DIVIDE"}),
    "average": frozenset({"AVERAGE"}),
    "difference": frozenset({"DIFF"}),
    "sum": frozenset({"SUM"}),
    "extreme_period": frozenset({"MAX", "MIN"}),
    "count_periods": frozenset({"COUNT"}),
    "trend": frozenset(),
}
# What is counted is named by the first words behind "how many".
_NOUN = 2
_NUMBER_NEXT = re.compile(r"\s*(?:\w+ ){0,2}[$€£¥]?\d")
_SPAN_OF_TIME = re.compile(r"\bhow many (?P<unit>year|month|week|day|hour|minute)s?\b", re.IGNORECASE)
_PERCENT_OF = re.compile(
    r"\b(?:percent(?:age)?s?|proportions?|shares?)\b(?: of)?|百分比|占比|比例", re.IGNORECASE
)
_MORE_OF = re.compile(rf"{MORE.pattern}|{LESS.pattern}", re.IGNORECASE)
_SAID_IN_NAME = {
    "percent_change": re.compile(r"%|percent|change|growth", re.IGNORECASE),
    "ratio": re.compile(r"%|percent|ratio|share|proportion|占|率", re.IGNORECASE),
    "average": re.compile(r"average|mean|平均|均", re.IGNORECASE),
    "difference": re.compile(r"change|difference|increase|decrease|variance|变动|增减|差", re.IGNORECASE),
    "sum": re.compile(r"total|sum|合计|总", re.IGNORECASE),
}


def checked(plan: Plan, finding: Finding, question: Question) -> float:
    """Return how sure the finding of a plan is (0..1), at least :data:`ENOUGH`. Raises RefusedPlanError."""
    for check in (_operator_fits, _extreme_fits, names_are_said, values_are_said, _result_fits):
        if reason := check(plan, finding, question):
            raise RefusedPlanError(reason)
    left = unsaid(plan, finding, question)
    sure = _MOST_SURE - sum(left.values())
    if sure < (_ENOUGH_READ if finding.kind == "lookup" else ENOUGH):
        raise RefusedPlanError(f"The plan leaves out: {', '.join(left)}.")
    return sure


def _operator_fits(plan: Plan, finding: Finding, question: Question) -> str:
    """Return why the operator is not what the question asks for; "" where it is."""
    operator, kind = plan.operator, _kind(finding, question)
    text = LIMITS.sub(" ", question.plain)
    reads = finding.kind == "lookup"
    operator = "LOOKUP" if reads else operator
    names = " ".join(f"{cell.row_header} {cell.column_header}" for cell in finding.cells)
    if question.prose or YES_NO.search(question.plain) or asks_neighbour(question, plan.table):
        return "The question asks for more than a table's operators tell."
    counts = COUNT.search(text) is not None
    if operator == "DIFF" and _PERCENT_OF.search(text) and not _all_percent(finding):
        return "A difference of amounts is no percentage."
    if (
        operator == "COUNT"
        and (of_time := _SPAN_OF_TIME.search(text))
        and not _has_column(plan.table, of_time["unit"])
    ):
        return "A span of time is no number of rows."
    if kind in _ASKED_FOR and kind != "lookup":
        allowed = set(_ASKED_FOR[kind])
        told = kind in _SAID_IN_NAME and _SAID_IN_NAME[kind].search(names) is not None
        if reads and (told or (kind == "ratio" and _all_percent(finding))):
            return ""
        if kind == "sum" and counts:
            allowed.add("COUNT")
        if kind == "percent_change" and _all_percent(finding):
            allowed.add("DIFF")
        if kind == "difference" and SUPERLATIVE.search(text) is None and not _two_read(finding):
            return "A difference needs two cells."
        return "" if operator in allowed else f"{operator} is not what is asked for ({kind})."
    extreme = SUPERLATIVE.search(text) is not None or _compares(question)
    if operator in ("MAX", "MIN", "COMPARE"):
        first = FIRST.search(text) is not None
        return "" if extreme or first else "No extreme is asked for."
    if operator == "COUNT":
        return "" if counts else "Nothing is to be counted."
    if operator in ("SUM", "AVERAGE"):
        added = SUM.search(text) or (operator == "SUM" and counts)
        return "" if operator == "SUM" and added else f"{operator} is not what is asked for."
    if operator in ("DIFF", "DIVIDE", "PERCENT_CHANGE"):
        return f"{operator} is not what is asked for."
    superlative = SUPERLATIVE.search(text) or (None if BEYOND.search(text) else _MORE_OF.search(text))
    if (superlative and plain(superlative[0]) not in plain(names)) or (
        FIRST.search(text) and not _said_first(names, finding)
    ):
        return "An extreme is asked for."
    return ""


def asks_neighbour(question: Question, table: TypedTable) -> bool:
    """True for "the game after Rome"; "after 2004" is a limit, "income before tax" a name of the table."""
    names = " ".join(
        [*(row.name for row in table.rows), *(column.name for column in table.columns)]
    ).casefold()
    return any(
        match[0].casefold() not in names and not _NUMBER_NEXT.match(question.plain, match.end())
        for match in NEIGHBOUR.finditer(question.plain)
    )


def _has_column(table: TypedTable, name: str) -> bool:
    """True when a column, or the rows' first one, is called by a name."""
    return any(features(name) & features(column.name) for column in table.columns)


def _kind(finding: Finding, question: Question) -> str:
    """Return what is to be done; of percentages, what is to be done with them: "the change in the percentage of"."""
    if question.kind in ("ratio", "percent_change") and _all_percent(finding):
        of_shares = Question(_PERCENT_OF.sub(" ", question.plain)).kind
        return of_shares if of_shares != "lookup" else question.kind
    return question.kind


def _compares(question: Question) -> bool:
    return question.compares and BEYOND.search(question.plain) is None


def _said_first(names: str, finding: Finding) -> bool:
    """True when what was read is the first or last by its name, or by its number."""
    told = re.search(r"\b(?:first|last|final|1st)\b|第一|最后", names, re.IGNORECASE) is not None
    return told or all(cell.row_header.split(" / ")[0].strip() == "1" for cell in finding.cells)


def _two_read(finding: Finding) -> bool:
    return len({(cell.row, cell.column) for cell in finding.cells}) == 2


def _all_percent(finding: Finding) -> bool:
    return all(
        cell.text.strip().endswith("%") or "%" in cell.column_header + cell.row_header
        for cell in finding.cells
    )


def _extreme_fits(plan: Plan, finding: Finding, question: Question) -> str:
    """Return why the largest or smallest is not the one that the question's word means."""
    if plan.operator not in ("MAX", "MIN"):
        return ""
    text = LIMITS.sub(" ", question.plain)
    cell = finding.steps[0].observation.cells[0]
    column = plan.table.columns[cell.column]
    word = next((m[0] for m in (SUPERLATIVE.search(text), FIRST.search(text)) if m), "")
    low = LESS.search(text) is not None or re.search(rf"\b(?:{MIN})\b", text, re.IGNORECASE) is not None
    high = (
        re.search(rf"\b(?:{MAX}|more|higher|larger|greater|longer|later)\b", text, re.IGNORECASE) is not None
    )
    dated = column.dtype in ("date",) or bool(
        features(column.name) & features("year date founded built born")
    )
    if OF_TIME.search(word) or FIRST.fullmatch(word.strip()):
        if features(column.name) & features("age"):
            low, high = bool(re.search("young", word)), not re.search("young", word)
        elif dated:
            first = FIRST.search(word)
            low = bool(_OLD_LOW.search(word)) or bool(first and first["first"].casefold() == "first")
            high = not low
        else:
            return f"“{word.strip()}” is asked of a column that tells no time."
    elif features(column.name) & _RANKED and _LOW_IS_BEST.search(word):
        low, high = True, False
    if low == high:
        return "It is not clear which extreme is asked for."
    if not finding.steps[1:] or cell.text not in finding.values:
        wanted = WANTED.search(text)
        noun = features(" ".join(text[wanted.end() :].split()[:2])) if wanted else frozenset()
        if {f for f in features(column.name) if not is_asking(f)} & noun:
            return f"“{column.name}” is what is asked for, not what is largest."
    hinted = {hint for stem, hints in MEASURES.items() if word.casefold().startswith(stem) for hint in hints}
    said = said_in(column.name, question) or any(features(hint) & features(column.name) for hint in hinted)
    years = years_in(column.name) & set(question.years)
    if not said and not years and not _of_row_named(plan, question) and len(numeric_columns(plan)) > 1:
        return f"The question does not speak of “{column.name}”."
    return "" if (plan.operator == "MIN") == low else "The other extreme is asked for."


def _of_row_named(plan: Plan, question: Question) -> bool:
    return len(plan.rows) == 1 and bool(said_in(plan.named["rows"][0], question))


def _result_fits(plan: Plan, finding: Finding, question: Question) -> str:
    """Return why the result is not what is asked for."""
    if not finding.values or not all(value.strip() for value in finding.values):
        return "The cells are empty."
    if _is_part(plan) and plan.operator not in ("LOOKUP", "DIFF"):
        return "The table is a part of a longer one."
    if not fits_type(question, finding):
        return "The result is not of the kind that is asked for."
    if plan.operator == "COUNT" and (reason := _counts_else(plan, question)):
        return reason
    if plan.source.beside and finding.kind == "lookup" and told_beside(question, plan.source, finding):
        return "The text beside the table says more."
    if finding.kind == "lookup" and not plan.where and not plausible(question, plan.table, finding):
        return "The question says more than the plan does."
    if question.respective and len(finding.values) < 2:
        return "Several values are asked for."
    asked = f" {plain(question.plain)} "
    if any(f" {plain(value)} " in asked for value in finding.values if re.search(r"[^\W\d_]", value)):
        return "" if finding.kind == "compare" else "The question says the result itself."
    return ""


def _is_part(plan: Plan) -> bool:
    part = plan.source.node.metadata.get("part") or [1, 1]
    return int(part[1]) > 1


def _counts_else(plan: Plan, question: Question) -> str:
    """Return what is to be counted where it is not rows: a column holds its numbers, or it is a measure."""
    match = COUNT.search(question.plain)
    behind = question.plain[match.end() :] if match else ""
    noun = " ".join(behind.split()[:_NOUN])
    own = {f for f in features(noun) if not is_asking(f)}
    conditions = {w["column"] for w in plan.where}
    held = [c for c in plan.table.columns if c.dtype in NUMERIC and c.index not in conditions]
    if any(own & features(c.name) for c in held) or (is_measure(noun) and not plan.where):
        return f"“{noun.strip()}” are numbers of a column."
    if not plan.where:
        rows = plan.table.columns[0].name
        known = plan.source.context | features(rows) | IDLE
        if not own or not all(meets(f, known) for f in own):
            return "Without a condition all rows are counted."
    return ""
