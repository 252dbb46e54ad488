"""What a model's plan and a question say of each other: names the question speaks of, and words left over.

Words count as the same where they are alike or of one stem (:mod:`engine.answer.tables.word_families`), or where one is
the short form of the other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.answer.tables.finding import Finding
from engine.answer.tables.linking import Linker
from engine.answer.tables.matching import features, plain, years_in
from engine.answer.tables.plan_reading import Plan
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.record_words import BEYOND, EVENTS, GENERIC, HARD, IDLE
from engine.answer.tables.short_forms import ShortForms, without_asides
from engine.answer.tables.word_families import alike, same_root
from engine.enrich.cell_values import NUMERIC
from engine.index.tokenize import tokens
from engine.structure.sentences import is_cjk

# What one word of the question costs that nothing accounts for, one that hardly tells anything apart, and a condition.
_UNSAID, _LIGHT, _HARD = 0.12, 0.03, 0.5
# A cell that the question's words mean so much more clearly than the planned one.
_CLEARER = 0.12
_LONGEST_DATE = 60
_LIMIT_WORDS = frozenset("before after since until between".split())
_OTHER_WORDS = frozenset("other except besides without not never".split())
_TASK = features("calculate compute determine find tell according based respectively 计算 求")
_LIMITS = (">", ">=", "<", "<=")
_LIMITED = re.compile(
    r"\b(?:than|over|under|above|below|after|before|since|until|between|exceed\w*|beyond|up to|at (?:least|most)|from"
    r"|or (?:more|less|fewer|later|earlier|higher|lower|older|younger))\b"
    r"|超过|大于|高于|多于|低于|小于|少于|不足|不到|至少|最多|以[上下前后]|之[前后间]",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|no|none|non|never|without)\b|n['’]t\b|[不未无無没]", re.IGNORECASE)
_SPAN = re.compile(r"\b(?:from|between)\b|从|[-–~至到]|\bto\b", re.IGNORECASE)


def names_are_said(plan: Plan, finding: Finding, question: Question) -> str:
    """Return a row or column of the plan that the question does not speak of, or speaks of another than."""
    table, years = plan.table, set(question.years)
    whole = len(plan.rows) > 1 and len(plan.rows) >= len(table.records)
    for index in plan.rows if not whole else ():
        row = table.row(index)
        name = row.name if row else ""
        if said_in(name, question):
            continue
        others = _said_by_a_cell(plan, index, question)
        if others is None:
            return f"The question does not speak of “{name}”."
        if left := [table.row(other) for other in others if other not in plan.rows]:
            return f"The plan leaves out “{left[0].name if left[0] else ''}”."
    if plan.operator in ("LOOKUP", "DIFF", "PERCENT_CHANGE", "DIVIDE", "SUM", "AVERAGE"):
        for index in plan.columns:
            name = table.columns[index].name
            if years_in(name) and years and not years_in(name) & years and len(years) == 1:
                return f"“{name}” is of another year."
            if years_in(name) and not years and len(plan.columns) == 1 and _several_years(plan):
                return f"The question does not say which year; “{name}” is one."
            if years_in(name) and plan.operator in ("SUM", "AVERAGE") and not plan.rows and not plan.where:
                return f"The items of “{name}” are of different kinds."
            if not years_in(name) and not _column_meant(plan, index, question):
                return f"The question does not speak of “{name}”."
    if plan.operator in ("SUM", "AVERAGE") and (year := _year_between(plan, question)):
        return f"The plan leaves out {year}."
    if finding.kind == "lookup" and len(finding.cells) == 1 and not plan.where:
        return _clearer(plan, finding, question)
    return ""


def _said_by_a_cell(plan: Plan, index: int, question: Question) -> list[int] | None:
    """Return the rows that the question means by a cell of this row ("the private schools"); None for none."""
    table = plan.table
    for column in table.columns:
        text = table.text(index, column.index)
        if column.dtype not in NUMERIC and said_in(text, question):
            return [
                row.index
                for row in table.records
                if plain(table.text(row.index, column.index)) == plain(text)
            ]
    return None


def _several_years(plan: Plan) -> bool:
    return len({year for column in plan.table.columns for year in years_in(column.name)}) > 1


def _year_between(plan: Plan, question: Question) -> str:
    """Return a year of the table's columns that the question's span holds and the plan does not; "" for none."""
    if len(question.years) != 2 or not _SPAN.search(question.plain):
        return ""
    first, last = sorted(question.years)
    taken = {year for index in plan.columns for year in years_in(plan.table.columns[index].name)}
    there = {year for column in plan.table.columns for year in years_in(column.name) if first < year < last}
    return min(there - taken, default="") if taken else ""


def _column_meant(plan: Plan, index: int, question: Question) -> bool:
    """True for a column that the question names, one of the kind it asks for, or the only one it may mean."""
    column, table = plan.table.columns[index], plan.table
    if not column.name or said_in(column.name, question):
        return True
    if index < table.header_columns or column.dtype not in NUMERIC:
        return plan.operator == "LOOKUP"  # the kind of its values is checked
    same = [c for c in table.value_columns if c.dtype in NUMERIC]
    return len(same) == 1


def _clearer(plan: Plan, finding: Finding, question: Question) -> str:
    """Return the cell that the question's words mean more clearly than the one that was read."""
    (cell,) = finding.cells
    year = question.years[0] if len(question.years) == 1 else None
    linker = Linker(plan.source)
    fits = linker.fits(question, question.names, year if linker.years.dated else None)
    own = next(
        (fit.score for fit in fits if (fit.place.row, fit.place.column) == (cell.row, cell.column)), None
    )
    if fits and (own is None or fits[0].score > own + _CLEARER) and fits[0].place.row != cell.row:
        return f"“{fits[0].place.ref.row_header}” fits the question better."
    return ""


def values_are_said(plan: Plan, finding: Finding, question: Question) -> str:
    """Return a condition's value that the question does not say."""
    asked = f" {plain(question.plain)} "
    for condition in plan.where:
        value = str(condition["value"])
        if condition["is"] in _LIMITS and not _LIMITED.search(question.plain):
            return f"The question sets no limit such as {condition['is']} {value}."
        bare = plain(value.removesuffix(".0"))
        if re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", asked.replace(",", "")):
            continue
        if _NOT.search(value) and not _NOT.search(question.plain):
            return f"“{value}” is the contrary of what the question says."
        told = frozenset(f for f in features(value) if f[0] not in "§#")
        known = _said(question)
        if not told or not (all(meets(f, known) for f in told) or _only_so(plan, condition, told & known)):
            return f"The question does not say “{value}”."
    return ""


def _only_so(plan: Plan, condition: Mapping[str, Any], said: frozenset[str]) -> bool:
    """True when what the question says of a value ("Lind") is said of no other value of its column."""
    at, value = condition["column"], plain(str(condition["value"]))
    texts = {plain(plan.table.text(row.index, at)) for row in plan.table.rows}
    return bool(said) and {text for text in texts if features(text) & said} == {value}


def unsaid(plan: Plan, finding: Finding, question: Question) -> dict[str, float]:
    """Return the words of the question that neither plan nor table account for, with what they cost."""
    names = [cell.row_header for cell in finding.cells] + [cell.column_header for cell in finding.cells]
    names += [str(w["value"]) for w in plan.where]
    names += [plan.table.columns[w["column"]].name for w in plan.where]
    names += [
        plan.table.columns[c].name for c in (*plan.columns, *([plan.by] if plan.by is not None else []))
    ]
    for row in plan.rows:
        names += plan.table.cells[row]
    forms = ShortForms([*(row.name for row in plan.table.rows), *(c.name for c in plan.table.columns)])
    # A value such as "1st" alone would be read as a quarter.
    values = frozenset(token for w in plan.where for token in tokens(str(w["value"])))
    told = forms.both_ways(frozenset().union(*map(features, names), values))
    headers = frozenset().union(*(features(column.name) for column in plan.table.columns), frozenset())
    around = plan.source.context | plan.source.announced | headers
    letters = frozenset("".join(names))
    left: dict[str, float] = {}
    for feature in sorted(features(question.plain)):
        if (
            feature[0] in "§#"
            or feature in IDLE | GENERIC | _TASK
            or is_asking(feature)
            or meets(feature, told)
        ):
            continue
        if is_cjk(feature) and letters.issuperset(feature):
            continue
        if feature in question.years:
            left[feature] = _HARD if _dated(plan) else _LIGHT
            continue
        light = bool({feature, *alike(feature)} & (around | EVENTS))
        light = light or (feature in question.proper and finding.kind == "lookup")
        left[feature] = _LIGHT if light else _UNSAID
    for word in HARD.findall(question.plain):
        if not _accounts(plan, word.casefold()) and not features(word) & told:
            left[word] = _HARD
    if BEYOND.search(question.plain) and not any(w["is"] in _LIMITS for w in plan.where):
        left["than"] = _HARD
    return left


def _dated(plan: Plan) -> bool:
    """True when the table tells years: one that the question names chooses among them."""
    texts = [c.name for c in plan.table.columns] + [
        plan.table.text(row.index, c.index) for row in plan.table.rows for c in plan.table.columns
    ]
    return any(years_in(text) for text in texts if len(text) < _LONGEST_DATE)


def _accounts(plan: Plan, word: str) -> bool:
    """True when the plan does what a small word asks for: a limit, an exception, a difference of two."""
    signs = {w["is"] for w in plan.where}
    if word in _LIMIT_WORDS:
        return bool(signs & {*_LIMITS}) or (
            word == "between"
            and plan.operator in ("DIFF", "PERCENT_CHANGE", "COMPARE", "DIVIDE", "AVERAGE", "SUM")
        )
    if word in _OTHER_WORDS:
        return "!=" in signs
    return word in ("only", "both") and (bool(plan.where) or len(plan.rows) > 1)


def said_in(name: str, question: Question) -> bool:
    """True when the question speaks of a name: a telling word of it, its like, its short form, its year."""
    leaf = without_asides(name.rsplit(" / ", 1)[-1])
    known = _said(question)
    own = {f for f in features(name) if f[0] not in "#"}
    telling = {f for f in own if not is_asking(f)} or own
    if years_in(leaf) & set(question.years) or ShortForms([name]).of(leaf) & known:
        return True
    return any(meets(feature, known) for feature in telling)


def _said(question: Question) -> frozenset[str]:
    return features(question.plain)


def meets(feature: str, known: frozenset[str]) -> bool:
    """True when a word is among others, or its like, or one of the same stem."""
    return (
        feature in known or bool(alike(feature) & known) or any(same_root(feature, other) for other in known)
    )
