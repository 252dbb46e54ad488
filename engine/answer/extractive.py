"""An answer without a model: the sentences of the evidence that answer, word for word.

Three states (:mod:`engine.answer.evidence.judging`): answered, where the best place comes first, the words that answer
marked, and at most two more that carry part of the answer; closest, where nothing answers surely and the nearest
passages are quoted in full sentences; not found, said plainly with what was searched, the nearest still quoted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.answer.check.cells import BORDER
from engine.answer.check.marks import harmless
from engine.answer.check.sources import Sources
from engine.answer.evidence.calibration import calibration
from engine.answer.evidence.enumerations import Quote, quotes_of, short_lines, short_rows, with_neighbours
from engine.answer.evidence.features import name_missing
from engine.answer.evidence.judging import Judged, Span
from engine.answer.evidence.units import answers_alone, is_foreign, stretches_of, titles_of
from engine.answer.refusal import Searched, what_was_searched
from engine.answer.understand.exact import stands_in
from engine.answer.understand.kinds import MEASURED
from engine.answer.understand.language import is_chinese
from engine.index.tokenize import tokens
from engine.model import Answer, Evidence
from engine.structure.sentences import is_cjk

if TYPE_CHECKING:
    from engine.answer.phrases import Phrases
    from engine.answer.understand.question import Question

SURE = 0.8
MOST, NEAREST = 3, 5
# A further quotation is this sure beside the best; of a figure or a date only one as sure as it says another.
_BESIDE, _BESIDE_FIGURE = 0.6, 0.85
_ALIKE = 0.6
_MARK_LIKE = re.compile(r"[\[【［](\d{1,6}(?:\s*[-–,，]\s*\d{1,6})*)[\]】］]")
# What is marked is words of the sentence, not most of it.
_MOST_MARKED = 0.7


def quote(
    question: Question,
    judged: Judged,
    evidence: Sequence[Evidence],
    phrases: Phrases,
    *,
    mode: str = "hybrid",
    searched: Searched | None = None,
    lead_in: str = "",
) -> Answer:
    """Return what to answer from judged evidence, which is quoted word for word.

    ``mode`` and ``searched`` tell a refusal what was searched; ``lead_in`` stands above quotations that answer ("" for
    that of the phrases).
    """
    if judged.state != "answered":
        return _refused(question, judged, evidence, phrases, mode, searched)
    sources = Sources(evidence)
    spans = chosen(question, judged, evidence)
    lines = [lead_in or phrases.quoted, ""]
    written: set[tuple[int, int]] = set()
    whole, exact = question.expects in ("list", "manner", "reason"), question.expects in MEASURED
    for span in spans:
        quotes = quotes_of(span, evidence, whole, exact)
        new = [one for one in quotes if (one.index, one.start) not in written]
        written.update((one.index, one.start) for one in new)
        if not new:  # all of it came with an earlier place
            continue
        table = _as_table(new, evidence, sources, span)
        # A table stands apart from the list around it.
        lines += ["", *table, ""] if table else [_line(one, evidence, sources, span) for one in new]
    sure = judged.probability >= SURE and not judged.missing
    warnings = [phrases.missing_terms.format(terms=", ".join(judged.missing))] if judged.missing else []
    return Answer(
        "\n".join(lines), "direct", "high" if sure else "medium", True, sources.citations, warnings=warnings
    )


def chosen(question: Question, judged: Judged, evidence: Sequence[Evidence]) -> list[Span]:
    """Return the places to quote, the best first: at most two beside it, which tell something else that answers.

    One in the question's language goes before one that answers in another, and beside a place on the very thing that
    is asked about none on another thing of the kind is quoted.
    """
    least = calibration(True).answered
    chinese = is_chinese(question.standalone)
    likely = [span for span in judged.spans if span.probability >= least] or [judged.spans[0]]
    likely = [span for span in likely if not is_foreign(chinese, evidence[span.evidence].text)] or likely
    likely = [span for span in likely if _is_on(question, evidence[span.evidence])] or likely
    best, *others = likely
    beside = _BESIDE_FIGURE if question.expects in MEASURED else _BESIDE
    found = [best]
    for span in others:
        if len(found) == MOST or span.probability < beside * best.probability:
            break
        if all(_says_more(span, other, evidence) for other in found):
            found.append(span)
    return found


def _is_on(question: Question, item: Evidence) -> bool:
    """True where a text or what stands above it names the exact things of the question."""
    text = f"{titles_of(item)} {item.text}"
    return all(stands_in(thing, text) for thing in question.numbered) and not any(
        name_missing(name, text) for name in question.names
    )


def _says_more(span: Span, other: Span, evidence: Sequence[Evidence]) -> bool:
    """True where a place gives other words for an answer than another one, and is not the same place."""
    if span.evidence == other.evidence and span.start < other.end and other.start < span.end:
        return False
    text, beside = evidence[span.evidence].text, evidence[other.evidence].text
    for here, there in (
        (text[span.answer_start : span.answer_end], beside[other.answer_start : other.answer_end]),
        (text[span.start : span.end], beside[other.start : other.end]),
    ):
        words, others = frozenset(tokens(here)), frozenset(tokens(there))
        if words and others and len(words & others) / min(len(words), len(others)) >= _ALIKE:
            return False
    return True


def _line(one: Quote, evidence: Sequence[Evidence], sources: Sources, span: Span | None = None) -> str:
    n = sources.add(one.index, one.start, one.end)
    return f"{'  ' * one.item}- {_said(one, evidence, span)} [{n}]"


def _said(one: Quote, evidence: Sequence[Evidence], span: Span | None) -> str:
    """Return a quotation on one line, what answers in it in bold."""
    text = evidence[one.index].text
    said = quotable(text[one.start : one.end])
    if span and one.index == span.evidence and one.start <= span.answer_start and span.answer_end <= one.end:
        return _marked(said, quotable(text[span.answer_start : span.answer_end]))
    return said


def _marked(said: str, answer: str) -> str:
    """Return a quotation with the words that answer in bold, where they are a part of it."""
    plain = answer.strip()
    markable = bool(plain) and "*" not in said and BORDER not in plain and said.count(plain) == 1
    short = len(plain) <= _MOST_MARKED * len(said)
    return said.replace(plain, f"**{plain}**") if markable and short else said


def _refused(
    question: Question,
    judged: Judged,
    evidence: Sequence[Evidence],
    phrases: Phrases,
    mode: str,
    searched: Searched | None,
) -> Answer:
    """Say that nothing answers surely, with what was searched, and quote what comes nearest in full sentences."""
    sources = Sources(evidence)
    empty = searched is not None and not searched.documents
    lines = []
    if judged.missing:
        lines.append(phrases.of_others.format(numbers=", ".join(judged.missing)))
    if judged.state == "not_found":
        told = what_was_searched(mode, searched, phrases)
        lines = [phrases.empty_library if empty else phrases.not_found, *lines, told]
    nearest = _nearest(question, judged, evidence)
    if nearest:
        lines += ["", phrases.nearest] if lines else [phrases.nearest]
        lines.append("")
        for first, *rest in nearest:
            place = _place(first, evidence, phrases)
            if table := _as_table([first, *rest], evidence, sources):
                lines += ["", f"- {place}:", "", *table, ""]
                continue
            lines.append(f"- {place}: {_line(first, evidence, sources).lstrip('- ')}")
            lines += (_line(replace(one, item=True), evidence, sources) for one in rest)
    elif not empty:
        lines.append(phrases.nothing_near)
    return Answer("\n".join(lines), "direct", "low", False, sources.citations, state=judged.state)


def _nearest(question: Question, judged: Judged, evidence: Sequence[Evidence]) -> list[list[Quote]]:
    """Return what to quote of the best places, no piece of evidence twice, with what it cannot be read without.

    Where no place may answer, these are the first sentences of the first evidence.
    """
    found: list[list[Quote]] = []
    used: set[int] = set()
    for span in judged.spans:
        if len(found) < NEAREST and span.evidence not in used:
            whole = short_rows(span.evidence, evidence) or short_lines(span.evidence, evidence)
            quotes = whole or quotes_of(_exact_row(question, span, evidence), evidence, False, False)
            used.update(one.index for one in quotes)
            opened = next(
                (one for one in found if one[0] == quotes[0] and one[0].index != one[-1].index), None
            )
            if opened is None:
                found.append(quotes)
            else:  # items below the same words
                opened += quotes[1:]
                opened[1:] = sorted(opened[1:], key=lambda one: evidence[one.index].position)
    for index, item in enumerate(evidence[:NEAREST]):
        if len(found) < NEAREST and index not in used:
            units = stretches_of(item.text, item.hit.role)
            full = next((one for one in units if answers_alone(one, item)), None)
            if full is not None:
                found.append([with_neighbours(Quote(index, full.start, full.end), evidence)])
    return found


def _exact_row(question: Question, span: Span, evidence: Sequence[Evidence]) -> Span:
    """Return the row of a table that names the very things asked about, in place of another one of it."""
    item = evidence[span.evidence]
    if item.hit.role != "table" or not question.numbered:
        return span
    for row in stretches_of(item.text, "table")[1:]:
        if all(stands_in(thing, row.text) for thing in question.numbered):
            return replace(span, start=row.start, end=row.end, answer_start=row.start, answer_end=row.end)
    return span


def _as_table(
    quotes: Sequence[Quote], evidence: Sequence[Evidence], sources: Sources, span: Span | None = None
) -> list[str]:
    """Return rows of one table as a table in Markdown, each row with its source; [] where they are none.

    The first row is the header, which the rows below are read with and which is no source of its own.
    """
    rows = [[cell.strip() for cell in _said(one, evidence, span).split(BORDER.strip())] for one in quotes]
    if all(len(row) == len(rows[0]) + 1 for row in rows[1:]):
        rows[0] = ["", *rows[0]]  # nothing stands above the labels
    widths, places = {len(row) for row in rows}, {one.index for one in quotes}
    if len(rows) < 2 or len(places) > 1 or len(widths) > 1 or max(widths) < 2:
        return []
    if evidence[quotes[0].index].hit.role != "table":
        return []
    kept = [place for place in range(len(rows[0])) if any(row[place] for row in rows)]
    lines = [[row[place] for place in kept] for row in rows]
    for one, line in zip(quotes[1:], lines[1:], strict=True):
        line[-1] = f"{line[-1]} [{sources.add(one.index, one.start, one.end)}]".lstrip()
    return [f"| {' | '.join(line)} |" for line in (lines[0], ["---"] * len(kept), *lines[1:])]


def _place(one: Quote, evidence: Sequence[Evidence], phrases: Phrases) -> str:
    """Return where a quotation stands: document > section, page."""
    item = evidence[one.index]
    # A sheet is named by its section; that it is the n-th says nothing.
    page = item.hit.page if item.cell is None else None
    where = f", {phrases.page.format(page=page)}" if page else ""
    opens = bool(item.article) and item.text[one.start : one.end].startswith(item.article)
    name = item.hit.document.rsplit(".", 1)[0]
    path = [one for one in (item.hit.path if opens else item.path) if one != name]
    return harmless(" > ".join([item.hit.document, *path[-1:]])) + where


def quotable(sentence: str) -> str:
    """Return a quoted sentence on one line, its own reference marks turned into (1): ours are [1]."""
    line = re.sub(r"\s*\n\s*", lambda match: _join(sentence, match), sentence)
    line = re.sub(r"^(?:[-*•▪●○·‣]\s+)", "", line)
    return _MARK_LIKE.sub(r"(\1)", line)


def _join(sentence: str, match: re.Match[str]) -> str:
    before, after = sentence[match.start() - 1 : match.start()], sentence[match.end() : match.end() + 1]
    return "" if is_cjk(before) or is_cjk(after) else " "
