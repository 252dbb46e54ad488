"""An answer without a model: the sentences of the evidence that answer, word for word.

Three states (:mod:`engine.answer.evidence.judging`): answered, where the best place comes first, the words that answer
marked, and at most two more that carry part of the answer; closest, where nothing answers surely and the nearest
passages are quoted in full sentences; not found, said plainly with what was searched, the nearest still quoted.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.answer.check.locate import BORDER
from engine.answer.check.marks import harmless
from engine.answer.evidence.calibration import calibration
from engine.answer.evidence.features import Span
from engine.answer.evidence.judging import Judged
from engine.answer.evidence.quotes import Quote, nearest, quotes_of
from engine.answer.phrases import Phrases
from engine.answer.refusal import Searched, what_was_searched
from engine.answer.understand.kinds import MEASURED
from engine.answer.understand.question import Question
from engine.enrich.cell_places import called, grid_of
from engine.index.tokenize import tokens
from engine.model import Answer, Evidence
from engine.retrieve.sources import Sources
from engine.structure.sentences import is_cjk

SURE = 0.8
MOST = 3
# A further quotation is this sure beside the best; of a figure or a date only one as sure as it says another.
_BESIDE, _BESIDE_FIGURE = 0.6, 0.85
_ALIKE = 0.6
_MARK_LIKE = re.compile(r"[\[【［](\d{1,6}(?:\s*[-–,，]\s*\d{1,6})*)[\]】］]")
# What is marked is words of the sentence, not most of it.
_MOST_MARKED = 0.7
_BETWEEN_CELLS = " · "


def quote(
    question: Question, judged: Judged, evidence: Sequence[Evidence], phrases: Phrases, *, mode: str = "hybrid",
    searched: Searched | None = None, lead_in: str = "", rows: Sequence[Evidence] = (),
) -> Answer:  # fmt: skip
    """Return what to answer from judged evidence, which is quoted word for word.

    ``mode`` and ``searched`` tell a refusal what was searched; ``lead_in`` stands above quotations that answer ("" for
    that of the phrases). ``rows`` are those of tables that come closest where nothing answers.
    """
    if judged.state != "answered":
        return _refused(judged, evidence, phrases, mode, searched, rows)
    quoted = _Quoted(evidence)
    lines = [lead_in or phrases.quoted, ""]
    written: set[tuple[int, int]] = set()
    whole, exact = question.expects in ("list", "manner", "reason"), question.expects in MEASURED
    for span in _chosen(question, judged, evidence):
        quotes = quotes_of(span, evidence, whole, exact, question=question.standalone)
        new = [one for one in quotes if (one.index, one.start) not in written]
        written.update((one.index, one.start) for one in new)
        if not new:  # all of it came with an earlier place
            continue
        table = quoted.table(new, span)
        # A table stands apart from the list around it.
        lines += ["", *table, ""] if table else [quoted.line(one, span) for one in new]
    sure = judged.probability >= SURE and not (judged.missing or any(evidence[n].doubted for n, _ in written))
    warnings = [phrases.missing_terms.format(terms=", ".join(judged.missing))] if judged.missing else []
    text, sources = "\n".join(lines), quoted.sources.citations
    return Answer(text, "direct", "high" if sure else "medium", True, sources, warnings=warnings)


def _chosen(question: Question, judged: Judged, evidence: Sequence[Evidence]) -> list[Span]:
    """Return the places to quote, the best first: at most two beside it, which tell something else that answers."""
    best, *others = judged.spans
    beside = _BESIDE_FIGURE if question.expects in MEASURED else _BESIDE
    least = max(calibration(True).answered, beside * best.probability)
    found = [best]
    for span in others:
        likely = len(found) < MOST and span.probability >= least
        if likely and all(_says_more(span, other, evidence) for other in found):
            found.append(span)
    return found


def _says_more(span: Span, other: Span, evidence: Sequence[Evidence]) -> bool:
    """True where a place gives other words for an answer than another one, and is not the same place."""
    if span.evidence == other.evidence and span.start < other.end and other.start < span.end:
        return False
    text, beside = evidence[span.evidence].text, evidence[other.evidence].text
    words = frozenset(tokens(text[span.answer_start : span.answer_end]))
    others = frozenset(tokens(beside[other.answer_start : other.answer_end]))
    return len(words & others) < _ALIKE * max(1, min(len(words), len(others)))


def _refused(
    judged: Judged, evidence: Sequence[Evidence], phrases: Phrases, mode: str, searched: Searched | None,
    rows: Sequence[Evidence],
) -> Answer:  # fmt: skip
    """Say that nothing answers surely, with what was searched, and quote what comes nearest in full sentences."""
    evidence = [*evidence, *rows]
    quoted = _Quoted(evidence)
    empty = searched is not None and not searched.documents
    lines = [phrases.of_others.format(numbers=", ".join(judged.missing))] if judged.missing else []
    if judged.state == "not_found":
        said = phrases.empty_library if empty else phrases.not_found
        lines = [said, *lines, what_was_searched(mode, searched, phrases)]
    if places := nearest(judged, evidence, len(rows)):
        lines += [*([""] if lines else []), phrases.nearest, ""]
        before = ""
        for first, *rest in places:
            place = _place(first, evidence, phrases)
            if table := quoted.table([first, *rest]):
                told = f"- {phrases.at_place.format(place=place)}{harmless(called(evidence[first.index].table))}"
                lines += ["", told.rstrip(), "", *table, ""]
            else:
                line, at = quoted.line(first).replace("\n- ", "\n  - "), phrases.at_place.format(place=place)
                lines.append(line if place == before else f"- {at}{line.lstrip('- ')}")
                lines += (quoted.line(replace(one, item=True)) for one in rest)
            before = place
    elif not empty:
        lines.append(phrases.nothing_near)
    return Answer("\n".join(lines), "direct", "low", False, quoted.sources.citations, state=judged.state)


class _Quoted:
    """The quotations of one answer in Markdown, each with its source; of a ``span`` what answers is in bold."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self._evidence = evidence
        self.sources = Sources(evidence)

    def line(self, one: Quote, span: Span | None = None) -> str:
        """Return a quotation as an item of a list; of a table's row its cells, without the borders between them."""
        said = self._said(one, span)
        if self._evidence[one.index].hit.role in ("table", "image"):
            said = _BETWEEN_CELLS.join(filter(None, (cell.strip(" ") for cell in said.split(BORDER.strip()))))
        return f"{'  ' * one.item}- {said} [{self.sources.add(one.index, one.start, one.end)}]"

    def table(self, quotes: Sequence[Quote], span: Span | None = None) -> list[str]:
        """Return rows of one table as a table, each row's first cell with its source; [] where they are none.

        The header, which the rows below are read with, is no source of its own.
        """
        item, said = self._evidence[quotes[0].index], [self._said(one, span) for one in quotes]
        if item.hit.role != "table" or len({one.index for one in quotes}) > 1:
            return []
        header, *rows = grid_of(item.table, [item.text[one.start : one.end] for one in quotes], said)
        if not rows or len(header) < 2 or any(len(row) != len(header) for row in rows):
            return []
        kept = [place for place in range(len(header)) if header[place] or any(row[place] for row in rows)]
        lines = [[harmless(row[place]) for place in kept] for row in (header, *rows)]
        for one, line in zip(quotes[len(quotes) - len(rows) :], lines[1:], strict=True):
            line[0] = f"{line[0]} [{self.sources.add(one.index, one.start, one.end)}]".lstrip()
        return [f"| {' | '.join(line)} |" for line in (lines[0], ["---"] * len(kept), *lines[1:])]

    def _said(self, one: Quote, span: Span | None) -> str:
        """Return a quotation as :func:`quotable` does, the words that answer in bold where they are a part of it."""
        text = self._evidence[one.index].text
        said = quotable(text[one.start : one.end], self._evidence[one.index].hit.role)
        if span is None or one.index != span.evidence or "*" in said:
            return said
        # Markdown takes stars between a sign and a letter for stars: 发放**30%**的工资.
        answer = re.sub(r"^\W+|\W+$", "", quotable(text[span.answer_start : span.answer_end]))
        inside = one.start <= span.answer_start and span.answer_end <= one.end
        if not inside or not answer or BORDER in answer or said.count(answer) != 1:
            return said
        return said.replace(answer, f"**{answer}**") if len(answer) <= _MOST_MARKED * len(said) else said


def _place(one: Quote, evidence: Sequence[Evidence], phrases: Phrases) -> str:
    """Return where a quotation stands: document > section, page."""
    item = evidence[one.index]
    # A sheet is named by its section; that it is the n-th says nothing.
    page = item.hit.page if item.cell is None else None
    where = f", {phrases.page.format(page=page)}" if page else ""
    return harmless(" > ".join([item.hit.document, *item.path[-1:]])) + where


def quotable(sentence: str, role: str = "paragraph") -> str:
    """Return a quotation with its own reference marks turned into (1): ours are [1]; an item on each line of a list."""
    if role in ("list", "image"):
        return "\n- ".join(map(quotable, sentence.split("\n")))
    line = re.sub(r"\s*\n\s*", lambda match: _join(sentence, match), sentence)
    line = re.sub(r"^(?:[-*•▪●○·‣]\s+)", "", line)
    return _MARK_LIKE.sub(r"(\1)", line)


def _join(sentence: str, match: re.Match[str]) -> str:
    before, after = sentence[match.start() - 1 : match.start()], sentence[match.end() : match.end() + 1]
    return "" if is_cjk(before) or is_cjk(after) else " "
