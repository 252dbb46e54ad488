"""What is quoted for a place: its sentences alone, or with what they cannot be understood without.

That is the list that they announce or are an item of, and the header above a row of a table.

Where nothing answers surely the places that come closest are quoted, each with what it stands among. The first ones are
worth the most: their paragraphs are quoted whole where that is not too long, since the sentence that answers is often
beside the one that speaks of what is asked. Those behind take less room.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, islice

from engine.answer.check.locate import touching
from engine.answer.evidence.features import Place, Span
from engine.answer.evidence.judging import Judged
from engine.answer.evidence.units import answers_alone, around, has_header, same_section, stretches_of
from engine.answer.understand.terms import pieces_of, terms_with_forms
from engine.model import Evidence
from engine.retrieve.window import announces
from engine.structure.sentences import Sentence, is_cjk, is_item

MOST_ITEMS = 15
# So many letters of a paragraph are quoted up to the words that announce a list.
_OPENING = 200
# A sentence is quoted with its neighbours in a paragraph: so many letters in all, of Chinese half as many.
_AROUND = 320
# A table, a list, and what a picture says, of so few letters and rows are read whole; a slide's list always.
_SHORT, _ROWS, SLIDES = {"table": 1500, "list": 700, "image": 700}, 20, (".pptx", ".pptm", ".ppsx", ".ppt", ".odp")
# So many come closest: like it in words or meaning, near the best, a sentence; all 17 that answer stay, of 26 others 9.
NEAREST, _SHARED, _HEIGHT, _BEHIND, _WORDS = 5, 0.15, 0.35, 0.08, 3
# So many letters of a paragraph or a line and of those beside it are quoted for the first places, the others.
_ROOMS, _ROOM = (900, 600), 320
# A word is rare that one in so many pieces of evidence says at most.
_RARE = 4
# A short table is quoted whole where it is one of so many first places or was found as early.
_WHOLE = 2


@dataclass(frozen=True, slots=True)
class Quote:
    """A stretch to quote: ``evidence[index].text[start:end]``; ``item`` where it stands below what announces it."""

    index: int
    start: int
    end: int
    item: bool = False


def quotes_of(
    span: Span, evidence: Sequence[Evidence], whole: bool, exact: bool = True, room: int = _AROUND, question: str = "",
) -> list[Quote]:  # fmt: skip
    """Return what to quote for a place, in the order of its text.

    A list is quoted ``whole`` where its items together are the answer, else the item with what announces it. What is
    no ``exact`` thing (a figure, a date) may be said by several sentences: those beside it, too, as many as have
    ``room``. One beside it that alone says a rare word of the ``question`` belongs to it: "On Sundays it is closed."
    """
    item, units = evidence[span.evidence], _units(span.evidence, evidence)
    held = touching(units, span.start, span.end)
    if not held:
        return [Quote(span.evidence, span.start, span.end)]
    first, last = held[0], held[-1]
    if item.hit.role == "table":
        header = [Quote(span.evidence, units[0].start, units[0].end)] if first > 0 and has_header(item) else []
        rows = [Quote(span.evidence, units[i].start, units[i].end, bool(header)) for i in range(first, last + 1)]
        return [*header, *rows]
    if announces(units[last].text):
        return [_opening(last, span.evidence, evidence), *_items_below(last, span.evidence, evidence)]
    if (above := _announcement(first, span.evidence, evidence)) is not None:
        alone = [Quote(span.evidence, span.start, span.end, True)]
        return [_opening(*above, evidence), *(_items_below(*above, evidence) if whole else alone)]
    if item.hit.role in ("list", "image") and (whole or item.hit.document.lower().endswith(SLIDES)):
        return [Quote(span.evidence, units[0].start, units[:MOST_ITEMS][-1].end)]
    if item.hit.role == "paragraph":
        if not exact:
            first, last = around(units, first, last, room // (1 + is_cjk(item.text)))
        first, last = _rest_of_asked(question, span.evidence, first, last, evidence)
    quoted = Quote(span.evidence, min(span.start, units[first].start), max(span.end, units[last].end))
    return [quoted, *(_items_below(last, span.evidence, evidence) if announces(units[last].text) else [])]


def _units(index: int, evidence: Sequence[Evidence]) -> tuple[Sentence, ...]:
    return stretches_of(evidence[index].text, evidence[index].hit.role)


def _rest_of_asked(question: str, index: int, first: int, last: int, evidence: Sequence[Evidence]) -> tuple[int, int]:
    """Return some sentences with those beside them that say a word of a question which they lack and few others say."""
    units, texts = _units(index, evidence), [terms_with_forms(item.text) for item in evidence]
    said = terms_with_forms(" ".join(unit.text for unit in units[first : last + 1]))
    rare = [
        piece
        for piece in pieces_of(question)
        if not piece.terms & said
        if sum(not piece.terms.isdisjoint(text) for text in texts) <= max(1, len(texts) // _RARE)
    ]

    def tells(place: int) -> bool:
        terms = terms_with_forms(units[place].text) if 0 <= place < len(units) else frozenset()
        return sum(piece.weight for piece in rare if piece.terms & terms) >= 1

    return first - tells(first - 1), last + tells(last + 1)


def _announcement(place: int, index: int, evidence: Sequence[Evidence]) -> tuple[int, int] | None:
    """Return the unit that announces the list which a unit is an item of, with its evidence; None where it is none."""
    here, units = evidence[index], _units(index, evidence)
    for above in range(place - 1, -1, -1):
        if announces(units[above].text) and place in _listed_below(above, units, here):
            return above, index
    nodes = [item.hit.node_id for item in evidence]
    if here.announced is None or here.announced[0] not in nodes:
        return None
    other = nodes.index(here.announced[0])
    return len(_units(other, evidence)) - 1, other


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


def _opening(place: int, index: int, evidence: Sequence[Evidence]) -> Quote:
    """Return what announces a list with what stands before it in a short paragraph: "… Except:" needs that."""
    units, first = _units(index, evidence), place
    end = units[place].end
    while first > 0 and end - units[first - 1].start <= _OPENING and not is_item(units[first - 1].text):
        first -= 1
    return Quote(index, units[first].start, end)


def _announced_by(node_id: str, evidence: Sequence[Evidence]) -> list[int]:
    """Return the places of the evidence that a node announces, in its order."""
    told = ((item.announced, place) for place, item in enumerate(evidence) if item.announced)
    return [place for _, place in sorted((number, place) for (above, number), place in told if above == node_id)]


def _items_below(place: int, index: int, evidence: Sequence[Evidence]) -> list[Quote]:
    """Return the items that a unit announces: behind it in its text, or the pieces of evidence that say so."""
    units, node = _units(index, evidence), evidence[index].hit.node_id
    below = _listed_below(place, units, evidence[index])
    items = [Quote(index, units[one].start, units[one].end, True) for one in below]
    if not items and place == len(units) - 1:
        for other in _announced_by(node, evidence):
            text, by_line = evidence[other].text, evidence[other].hit.role in ("list", "table")
            lines = _units(other, evidence) if by_line else (Sentence(0, len(text), text),)
            items += [Quote(other, one.start, one.end, True) for one in lines]
    return items[:MOST_ITEMS]


def nearest(judged: Judged, evidence: Sequence[Evidence], tables: int = 0) -> list[list[Quote]]:
    """Return what to quote of the best places, no piece of evidence twice, with what it cannot be read without.

    What is unlike the question or less than a sentence is not near; unjudged evidence is quoted from its beginning.
    The last so many ``tables`` of the evidence are rows that are quoted first.
    """
    found, used, end = list[list[Quote]](), set[int](), len(evidence) - tables
    rows = [Span(end + n, 0, len(one.text), 0, len(one.text)) for n, one in enumerate(evidence[end:])]
    texts = filter(partial(_is_near, judged), judged.spans) if judged.spans else _first_sentences(evidence[:end])
    for span in (*rows, *texts):
        if len(found) < NEAREST + tables and span.evidence not in used:
            quotes = [one for one in _quotes(span, evidence, used, len(found)) if one.index not in used]
            shown = {evidence[one.index].hit.node_id for one in quotes if evidence[one.index].hit.role == "table"}
            used.update([one.index for one in quotes], (i for i, x in enumerate(evidence) if x.hit.node_id in shown))
            told = " ".join(evidence[one.index].text[one.start : one.end] for one in quotes)
            said, row = [one for one in told.split() if "://" not in one], evidence[span.evidence].hit.role == "table"
            found += [quotes] * bool(said and (row or len(said) + sum(map(is_cjk, told)) / 2 >= _WORDS))
    return found


def _is_near(judged: Judged, span: Span) -> bool:
    like = not isinstance(span, Place) or span.shared >= _SHARED or (span.height or 0.0) >= _HEIGHT
    return like and span.probability >= _BEHIND * judged.probability


def _first_sentences(evidence: Sequence[Evidence]) -> Iterator[Span]:
    for index, item in enumerate(evidence[:NEAREST]):
        alone = (one for one in _units(index, evidence) if answers_alone(one, item))
        yield from (Span(index, one.start, one.end, one.start, one.end) for one in islice(alone, 1))


def _quotes(span: Span, evidence: Sequence[Evidence], told: Collection[int], place: int) -> list[Quote]:
    """Return what to quote of a place, which is the n-th; ``told`` is the evidence that those before it quote."""
    index, item, role = span.evidence, evidence[span.evidence], evidence[span.evidence].hit.role
    rows = _units(index, evidence)
    if len(item.text) <= _SHORT.get(role, 0) and len(rows) <= _ROWS and (role != "table" or min(place, index) < _WHOLE):
        places = [(one.start, one.end) for one in rows] if role == "table" else [(rows[0].start, rows[-1].end)]
        return [Quote(index, *stretch, bool(n)) for n, stretch in enumerate(places)]
    room = _ROOMS[place] if place < len(_ROOMS) else _ROOM
    quotes = quotes_of(span, evidence, False, False, room)
    return _with_section(quotes[0], evidence, told, room) if len(quotes) == 1 else quotes


def _with_section(quote: Quote, evidence: Sequence[Evidence], told: Collection[int], room: int) -> list[Quote]:
    """Return a paragraph or line quoted whole with those nearest to it in its section, in reading order.

    So many letters in all, on its page, and nothing ``told`` before; what is quoted in part stands alone.
    """
    here = evidence[quote.index]
    if (quote.start, quote.end) != (0, len(here.text)):
        return [quote]
    beside = [
        index
        for index, item in enumerate(evidence)
        if item.hit.role != "table" and same_section(item, here) and item.hit.page == here.hit.page
        if index not in (*told, quote.index) and any(map(str.isalpha, item.text))  # no page number
    ]
    beside.sort(key=lambda index: (abs(evidence[index].position - here.position), -evidence[index].position))
    letters = accumulate((len(evidence[index].text) for index in beside), initial=len(here.text))
    most = room // (1 + is_cjk(here.text))
    near = [index for index, so_far in zip([quote.index, *beside], letters, strict=True) if so_far <= most]
    chosen = sorted(near or [quote.index], key=lambda index: evidence[index].position)
    return [Quote(one, 0, len(evidence[one].text), bool(n)) for n, one in enumerate(chosen)]
