"""What is quoted for a place: its sentences alone, or with what they cannot be understood without.

That is the list that they announce or are an item of, the header above a row of a table, and the sentence before a
pronoun at their beginning: "She studied in Utrecht" says nothing without the one that names her.

Where nothing answers surely the places that come closest are quoted, each with what it stands among. The first ones are
worth the most: their paragraphs are quoted whole where that is not too long, since the sentence that answers is often
beside the one that speaks of what is asked. Those behind take less room.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from engine.answer.check.locate import touching
from engine.answer.evidence.features import Span
from engine.answer.evidence.judging import Judged
from engine.answer.evidence.units import answers_alone, is_short_line, same_section, stretches_of
from engine.answer.understand.language import language_of
from engine.answer.understand.question import Question
from engine.answer.understand.terms import pieces_covered, pieces_of, terms_with_forms
from engine.language import any_of, language_data
from engine.model import Evidence
from engine.retrieve.announced import announces
from engine.structure.sentences import Sentence, is_fragment, is_item

MOST_ITEMS = 15
# So many letters of a paragraph are quoted up to the words that announce a list, or before a pronoun.
_OPENING, _LEANS_ON = 200, 300
# A sentence is quoted with its neighbours in a paragraph: so many letters in all, of Chinese half as many.
_AROUND = 320
# A table, and a list, of so few letters and rows is read whole.
_SHORT, _ROWS = {"table": 1500, "list": 700}, 20
# So many letters of the short lines of a section are quoted around one of them.
_LINES = 400
# So many places come closest.
NEAREST = 5
# So many letters of a paragraph and of those next to it are quoted for the first places, the others; of Chinese half.
_ROOMS, _ROOM = (900, 600), 320
# A short table is quoted whole where it is one of so many first places or was found as early.
_WHOLE = 2
# Of a longer table so many rows are quoted beside the one found: those that hold most of the question, and so much.
_BEST_ROWS, _WORTH = 3, 0.1


@dataclass(frozen=True, slots=True)
class Quote:
    """A stretch to quote: ``evidence[index].text[start:end]``; ``item`` where it stands below what announces it."""

    index: int
    start: int
    end: int
    item: bool = False


def quotes_of(
    span: Span, evidence: Sequence[Evidence], whole: bool, exact: bool = True, room: int = _AROUND
) -> list[Quote]:
    """Return what to quote for a place, in the order of its text.

    A list is quoted ``whole`` where its items together are the answer, else the item with what announces it. What is
    no ``exact`` thing (a figure, a date) may be said by several sentences: those beside it in a paragraph, too, as many
    as have ``room``.
    """
    item = evidence[span.evidence]
    units = stretches_of(item.text, item.hit.role)
    held = touching(units, span.start, span.end)
    if not held:
        return [Quote(span.evidence, span.start, span.end)]
    first, last = held[0], held[-1]
    if item.hit.role == "table":
        header = [Quote(span.evidence, units[0].start, units[0].end)] if first > 0 else []
        rows = [Quote(span.evidence, units[i].start, units[i].end, first > 0) for i in range(first, last + 1)]
        return [*header, *rows]
    if announces(units[last].text):
        return [_opening(last, units, span.evidence), *_items_below(last, units, span.evidence, evidence)]
    above = _announcement(first, units, span.evidence, evidence)
    if above is not None:
        place, index = above
        lines = stretches_of(evidence[index].text, evidence[index].hit.role)
        opening = _opening(place, lines, index)
        if whole:
            return [opening, *_items_below(place, lines, index, evidence)]
        return [opening, Quote(span.evidence, span.start, span.end, True)]
    if whole and item.hit.role == "list":
        return [Quote(span.evidence, one.start, one.end) for one in units[:MOST_ITEMS]]
    quoted = Quote(span.evidence, _named_from(first, units, item), span.end)
    if exact:
        return [quoted]
    around = with_neighbours(quoted, evidence, room)
    ends = touching(units, around.start, around.end)[-1]
    return [
        around,
        *(_items_below(ends, units, span.evidence, evidence) if announces(units[ends].text) else ()),
    ]


def with_neighbours(quote: Quote, evidence: Sequence[Evidence], room: int = _AROUND) -> Quote:
    """Return a quotation with the sentences beside it in its paragraph: so many letters in all, of Chinese half."""
    item = evidence[quote.index]
    if item.hit.role != "paragraph":
        return quote
    units = stretches_of(item.text, item.hit.role)
    held = touching(units, quote.start, quote.end)
    if not held:
        return quote
    most = letters_within(item, room)
    first, last = held[0], held[-1]

    def joins(one: int, other: int) -> bool:
        if not 0 <= one < other < len(units):
            return False
        length = max(quote.end, units[max(other, last)].end) - min(quote.start, units[min(one, first)].start)
        return length <= most and "\n" not in item.text[units[one].end : units[other].start]

    while (before := joins(first - 1, first)) or joins(last, last + 1):
        first -= before
        last += joins(last, last + 1)
    start, end = min(quote.start, units[first].start), max(quote.end, units[last].end)
    return replace(quote, start=start, end=end)


def letters_within(item: Evidence, room: int) -> int:
    """Return how many letters of a text have room: of Chinese half as many."""
    return room // 2 if language_of(item.text) in ("zh", "ja") else room


def short_rows(index: int, evidence: Sequence[Evidence]) -> list[Quote]:
    """Return all rows of a table or list that a reader takes in at one glance; [] for longer ones and other texts."""
    item = evidence[index]
    role = item.hit.role
    if len(item.text) > _SHORT.get(role, 0):
        return []
    rows = stretches_of(item.text, role)
    if len(rows) > _ROWS:
        return []
    return [
        Quote(index, one.start, one.end, role == "table" and bool(place)) for place, one in enumerate(rows)
    ]


def short_lines(index: int, evidence: Sequence[Evidence], told: Collection[int] = ()) -> list[Quote]:
    """Return the short lines of a section around one of them, in reading order: of a form, a slide, a list of terms.

    [] for a text that is a sentence, longer, alone or of an announced list. Those ``told`` before are left out.
    """
    here = evidence[index]
    listed = here.announced is not None or announces(here.text)
    if not is_short_line(here) or not is_fragment(here.text) or listed:
        return []
    places = {
        other: item.position
        for other, item in enumerate(evidence)
        if is_short_line(item) and same_section(item, here) and item.hit.page == here.hit.page
        if other not in told
    }
    nearest = sorted(places, key=lambda other: (abs(places[other] - here.position), places[other]))
    letters = accumulate(len(evidence[other].text) for other in nearest)
    near = [other for other, so_far in zip(nearest, letters, strict=True) if so_far <= _LINES]
    chosen = sorted(near, key=lambda other: places[other])
    lines = [Quote(one, 0, len(evidence[one].text), bool(place)) for place, one in enumerate(chosen)]
    return lines if len(lines) > 1 else []


def _named_from(place: int, units: Sequence[Sentence], item: Evidence) -> int:
    """Return where a quotation begins that names what its first pronoun stands for."""
    first = place
    while (
        first > 0
        and item.hit.role == "paragraph"
        and _leans(units[first].text)
        and units[place].start - units[first - 1].start <= _LEANS_ON
        and "\n" not in item.text[units[first - 1].end : units[first].start]
    ):
        first -= 1
    return units[first].start


def _leans(text: str) -> bool:
    """True for a sentence that begins with a pronoun: it is about what stands before it."""
    language = language_data(language_of(text))
    pronouns = any_of(language.conversation["pronouns"], language.spaced)
    return pronouns.match(re.sub(r"^\W+", "", text)) is not None


def _announcement(
    place: int, units: Sequence[Sentence], index: int, evidence: Sequence[Evidence]
) -> tuple[int, int] | None:
    """Return the unit that announces the list which a unit is an item of, with its evidence; None where it is none."""
    here = evidence[index]
    for above in range(place - 1, -1, -1):
        if announces(units[above].text) and place in _listed_below(above, units, here):
            return above, index
    for other, item in enumerate(evidence):
        if here.announced is not None and item.hit.node_id == here.announced[0]:
            return len(stretches_of(item.text, item.hit.role)) - 1, other
    return None


def _listed_below(place: int, units: Sequence[Sentence], item: Evidence) -> list[int]:
    """Return the places of the items below a unit: up to one that is set out further, or numbered as the unit is."""
    own, found, inner = _numbering(units[place], item.text), list[int](), 0
    for below in range(place + 1, len(units)):
        depth, marker = numbering = _numbering(units[below], item.text)
        inner = inner if found else depth
        if numbering == own or depth < inner or not (marker or item.hit.role == "list"):
            break
        found.append(below)
    return found


def _numbering(unit: Sentence, text: str) -> tuple[int, str]:
    """Return by how many letters an item is set in, and how it is numbered: "(1)" for "(12)", 一、 for 三、."""
    depth = unit.start - (text.rfind("\n", 0, unit.start) + 1)
    if not is_item(unit.text):
        return depth, ""
    marker = re.match(r"[(（]?(?:\d+|[一二三四五六七八九十]+|[A-Za-z]|\W)[)）.．、]?", unit.text)
    plain = re.sub(r"\d+", "1", marker[0] if marker else "")
    return depth, re.sub(r"[A-Za-z]", "a", re.sub(r"[一二三四五六七八九十]+", "一", plain))


def _opening(place: int, units: Sequence[Sentence], index: int) -> Quote:
    """Return what announces a list with what stands before it in a short paragraph: "… Except:" needs that."""
    end, first = units[place].end, place
    while first > 0 and end - units[first - 1].start <= _OPENING and not is_item(units[first - 1].text):
        first -= 1
    return Quote(index, units[first].start, end)


def _items_below(
    place: int, units: Sequence[Sentence], index: int, evidence: Sequence[Evidence]
) -> list[Quote]:
    """Return the items that a unit announces: behind it in its text, or the pieces of evidence that say so."""
    below = _listed_below(place, units, evidence[index])
    items = [Quote(index, units[one].start, units[one].end, True) for one in below]
    if not items and place == len(units) - 1:
        node = evidence[index].hit.node_id
        ordered = sorted(
            (item.announced[1], other)
            for other, item in enumerate(evidence)
            if item.announced is not None and item.announced[0] == node
        )
        for _, other in ordered:
            text, role = evidence[other].text, evidence[other].hit.role
            listed = role in ("list", "table")
            lines = stretches_of(text, role) if listed else (Sentence(0, len(text), text),)
            items += [Quote(other, one.start, one.end, True) for one in lines]
    return items[:MOST_ITEMS]


def nearest(question: Question, judged: Judged, evidence: Sequence[Evidence]) -> list[list[Quote]]:
    """Return what to quote of the best places, no piece of evidence twice, with what it cannot be read without.

    Where no place may answer, these are the first sentences of the first evidence.
    """
    found: list[list[Quote]] = []
    used: set[int] = set()
    for span in judged.spans:
        if len(found) == NEAREST:
            break
        if span.evidence in used:
            continue
        quotes = _quotes(question, span, evidence, used, len(found))
        found.append([one for one in quotes if one.index not in used])
        used.update(one.index for one in quotes)
    for index, item in enumerate(evidence[:NEAREST]):
        if len(found) < NEAREST and index not in used:
            units = stretches_of(item.text, item.hit.role)
            full = next((one for one in units if answers_alone(one, item)), None)
            if full is not None:
                span = Span(index, full.start, full.end, full.start, full.end)
                found.append(quotes_of(span, evidence, whole=False, exact=False))
    return found


def _quotes(
    question: Question, span: Span, evidence: Sequence[Evidence], told: Collection[int], place: int
) -> list[Quote]:
    """Return what to quote of a place, which is the n-th; ``told`` is the evidence that those before it quote."""
    index, role = span.evidence, evidence[span.evidence].hit.role
    readable = min(place, index) < _WHOLE or role != "table"
    if readable and (whole := short_rows(index, evidence) or short_lines(index, evidence, told)):
        return whole
    if role == "table":
        return _best_rows(question.standalone, span, evidence)
    room = _ROOMS[place] if place < len(_ROOMS) else _ROOM
    quotes = quotes_of(span, evidence, False, False, room)
    return _with_next(quotes[0], evidence, told, room) if len(quotes) == 1 else quotes


def _best_rows(question: str, span: Span, evidence: Sequence[Evidence]) -> list[Quote]:
    """Return the header of a table and the rows that hold most of the question's words, before them that of a place."""
    index = span.evidence
    rows = stretches_of(evidence[index].text, "table")
    pieces = pieces_of(question)
    held = [pieces_covered(pieces, terms_with_forms(row.text)) for row in rows]
    own = [place for place in touching(rows, span.start, span.end) if place]
    best = sorted(range(1, len(rows)), key=lambda place: (-held[place], place not in own))[:_BEST_ROWS]
    chosen = [0, *(sorted(place for place in best if held[place] >= _WORTH) or own)]
    return [Quote(index, rows[place].start, rows[place].end, bool(place)) for place in chosen]


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
