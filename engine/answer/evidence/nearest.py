"""What is quoted where nothing answers surely: the places that come closest, each with what it stands among.

The first ones are worth the most: their paragraphs are quoted whole where that is not too long, since the sentence that
answers is often beside the one that speaks of what is asked. Those behind take less room.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.answer.check.locate import touching
from engine.answer.evidence.enumerations import Quote, letters_within, quotes_of, short_lines, short_rows
from engine.answer.evidence.features import Span
from engine.answer.evidence.judging import Judged
from engine.answer.evidence.units import answers_alone, is_foreign, same_section, stretches_of
from engine.answer.understand.exact import stands_in
from engine.answer.understand.terms import pieces_covered, pieces_of, terms_with_forms
from engine.model import Evidence
from engine.retrieve.beside import DATED_WITHIN, tells_date

if TYPE_CHECKING:
    from engine.answer.understand.question import Question

MOST = 5
# So many letters of a paragraph and of those next to it are quoted for the first places, the others; of Chinese half.
_ROOMS, _ROOM = (900, 600), 320
# A short table is quoted whole where it is one of so many first places or was found as early.
_WHOLE = 2
# Of a longer table so many rows are quoted beside the one found: those that hold most of the question, and so much.
_BEST_ROWS, _WORTH = 3, 0.1
# A place in another language than the question is quoted where it is so likely beside the best in the question's.
_FOREIGN = 0.5


def nearest(question: Question, judged: Judged, evidence: Sequence[Evidence]) -> list[list[Quote]]:
    """Return what to quote of the best places, no piece of evidence twice, with what it cannot be read without.

    Where no place may answer, these are the first sentences of the first evidence.
    """
    found: list[list[Quote]] = []
    used: set[int] = set()
    for span in _likely(question, judged, evidence):
        if len(found) == MOST:
            break
        if span.evidence in used:
            continue
        quotes = _quotes(question, span, evidence, used, len(found))
        dated = _dated(span.evidence, evidence, used) if question.expects == "date" else None
        if dated is not None and dated.index not in (one.index for one in quotes):
            quotes = [dated, *(replace(one, item=True) for one in quotes)]
        told = [one for one in quotes if one.index not in used]
        opened = next((one for one in found if one[0] == quotes[0] and len(quotes) > 1), None)
        used.update(one.index for one in quotes)
        if opened is None:
            found.append(told)
        else:  # items below the same words
            items = dict.fromkeys([*opened[1:], *quotes[1:]])
            opened[1:] = sorted(items, key=lambda one: (evidence[one.index].position, one.start))
    for index, item in enumerate(evidence[:MOST]):
        if len(found) < MOST and index not in used:
            units = stretches_of(item.text, item.hit.role)
            full = next((one for one in units if answers_alone(one, item)), None)
            if full is not None:
                span = Span(index, full.start, full.end, full.start, full.end)
                found.append(quotes_of(span, evidence, whole=False, exact=False))
    return found


def _likely(question: Question, judged: Judged, evidence: Sequence[Evidence]) -> Iterator[Span]:
    """Yield the places, the best first, without those in another language that are far less likely."""
    asked = question.standalone
    home = [one for one in judged.spans if not is_foreign(evidence[one.evidence].text, asked)]
    least = _FOREIGN * max((one.probability for one in home), default=0.0)
    for span in judged.spans:
        if span in home or span.probability >= least:
            yield span


def _quotes(
    question: Question, span: Span, evidence: Sequence[Evidence], told: Collection[int], place: int
) -> list[Quote]:
    """Return what to quote of a place, which is the n-th; ``told`` is the evidence that those before it quote."""
    index, role = span.evidence, evidence[span.evidence].hit.role
    readable = min(place, index) < _WHOLE or role != "table"
    if readable and (whole := short_rows(index, evidence) or short_lines(index, evidence, told)):
        return whole
    if role == "table":
        return _best_rows(question.standalone, _exact_row(question, span, evidence), evidence)
    room = _ROOMS[place] if place < len(_ROOMS) else _ROOM
    quotes = quotes_of(span, evidence, False, False, room)
    return _with_next(quotes[0], evidence, told, room) if len(quotes) == 1 else quotes


def _exact_row(question: Question, span: Span, evidence: Sequence[Evidence]) -> Span:
    """Return the row of a table that names the very things asked about, in place of another one of it."""
    if not question.numbered:
        return span
    for row in stretches_of(evidence[span.evidence].text, "table")[1:]:
        if all(stands_in(thing, row.text) for thing in question.numbered):
            return replace(span, start=row.start, end=row.end, answer_start=row.start, answer_end=row.end)
    return span


def _best_rows(question: str, span: Span, evidence: Sequence[Evidence]) -> list[Quote]:
    """Return the header of a table, the row of a place, and the rows that hold most of the question's words."""
    index = span.evidence
    rows = stretches_of(evidence[index].text, "table")
    pieces = pieces_of(question)
    held = [pieces_covered(pieces, terms_with_forms(row.text)) for row in rows]
    own = [place for place in touching(rows, span.start, span.end) if place]
    best = sorted(range(1, len(rows)), key=lambda place: -held[place])[:_BEST_ROWS]
    best = [place for place in best if held[place] >= _WORTH]
    chosen = [0, *sorted({*own, *best})]
    return [Quote(index, rows[place].start, rows[place].end, bool(place)) for place in chosen]


def _dated(place: int, evidence: Sequence[Evidence], told: Collection[int]) -> Quote | None:
    """Return the line with a date that a text stands below, None where there is none that is not told before."""
    here = evidence[place]
    above = [
        index
        for index, item in enumerate(evidence)
        if item.hit.document_id == here.hit.document_id and 0 < here.position - item.position <= DATED_WITHIN
        if index not in told and tells_date(item.text)
    ]
    nearest_above = max(above, key=lambda index: evidence[index].position, default=None)
    return None if nearest_above is None else Quote(nearest_above, 0, len(evidence[nearest_above].text))


def _with_next(quote: Quote, evidence: Sequence[Evidence], told: Collection[int], room: int) -> list[Quote]:
    """Return a quoted paragraph with those next to it in its section, in reading order: so many letters in all.

    Only what is among the evidence and not ``told`` before; what is quoted in part stands alone.
    """
    here = evidence[quote.index]
    if here.hit.role != "paragraph" or (quote.start, quote.end) != (0, len(here.text)):
        return [quote]
    beside = {
        item.position: index
        for index, item in enumerate(evidence)
        if item.hit.role == "paragraph" and same_section(item, here) and index not in told
        if any(map(str.isalpha, item.text))  # no page number, no tick of a chart
    }
    left = letters_within(here, room) - len(here.text)
    first = last = here.position
    while new := [place for place in (first - 1, last + 1) if place in beside]:
        fitting = next((place for place in reversed(new) if len(evidence[beside[place]].text) <= left), None)
        if fitting is None:
            break
        left -= len(evidence[beside[fitting]].text)
        first, last = min(first, fitting), max(last, fitting)
    around = [beside.get(place, quote.index) for place in range(first, last + 1)]
    return [Quote(index, 0, len(evidence[index].text), bool(n)) for n, index in enumerate(around)]
