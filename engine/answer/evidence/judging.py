"""Whether evidence answers a question, where, and how surely."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from engine.answer.check.compare import rather_of
from engine.answer.evidence.calibration import Calibration, baseline, calibration
from engine.answer.evidence.features import Place, Span, contrasts, features_of, things_missing
from engine.answer.evidence.units import (
    MOST_WINDOWS,
    Unit,
    Window,
    answers_alone,
    beside,
    is_foreign,
    passage_of,
    titles_of,
    units_of,
    windows_of,
)
from engine.answer.understand.exact import dates_in, is_of_another, numbered_in
from engine.answer.understand.language import is_chinese, language_of
from engine.answer.understand.question import Question
from engine.errors import ProviderError
from engine.retrieve.window import announces
from engine.structure.sentences import is_item

if TYPE_CHECKING:
    from engine.model import Evidence
    from engine.providers.reading import Reader, Reading
    from engine.providers.similarity import SentenceSimilarity

State = Literal["answered", "closest", "not_found"]
# So many places are embedded: those that the reader is surest of, or that share most with the question.
EMBEDDED = 8
_LESS = 0.001
# So many of the likeliest places are held against the others.
_RIVALS = 3


@dataclass(frozen=True, slots=True)
class Judged:
    """The places that may answer, the best first, and what they come to.

    ``missing`` are the exact things of the question that stand nowhere in the evidence.
    """

    spans: tuple[Span, ...]
    probability: float
    state: State
    missing: tuple[str, ...]


NOTHING_JUDGED = Judged((), 0.0, "not_found", ())


def judge(
    question: Question, evidence: Sequence[Evidence], reader: Reader | None, similarity: SentenceSimilarity | None,
    windows: int = MOST_WINDOWS,
) -> Judged:  # fmt: skip
    """Judge evidence, the best first, for a question; so many ``windows`` of it are read.

    A reader or an embedding model that fails is done without.
    """
    places, read = places_of(question, evidence, reader, similarity, windows)
    missing = things_missing(question, evidence)
    if not places:
        return Judged((), 0.0, "not_found", missing)
    made = calibration(read)
    likely = made.probabilities(features_of(question, places, evidence))
    asked = question.standalone
    foreign = [is_foreign(evidence[place.evidence].text, asked) for place in places]
    home = [p for p, other in zip(likely, foreign, strict=True) if not other]
    at_home = any(p >= made.answered for p in home) or not is_foreign(evidence[0].text, asked)
    nearest = max(home, default=1.0)
    things = numbered_in(asked, years=True)
    for number, place in enumerate(places):
        item = evidence[place.evidence]
        # What is said of another thing of the kind comes close, and answers nothing.
        if is_of_another(things, item.text[place.start : place.end], titles_of(item)):
            likely[number] = min(likely[number], made.answered - _LESS)
        # A rule of another office stands behind what the question's own language tells, where that was found first.
        if foreign[number] and at_home:
            likely[number] = min(likely[number], made.answered - _LESS, nearest - _LESS)
    _by_subject(asked, places, evidence, likely, made.answered - _LESS)
    order = sorted(range(len(places)), key=lambda i: -likely[i])
    spans = tuple(replace(places[i], probability=round(float(likely[i]), 4)) for i in order)
    return Judged(spans, spans[0].probability, _state(spans[0], made, question, evidence, missing), missing)


def _by_subject(
    asked: str, places: Sequence[Place], evidence: Sequence[Evidence], likely: np.ndarray, most: float
) -> None:
    """Let a place that is of what is asked about stand before one much like it that is of something else.

    Both tell as surely; the other one answers nothing, whatever it says of Party B.
    """
    said = [
        [item.hit.document, *item.path, item.text[one.start : one.end]]
        for one, item in ((one, evidence[one.evidence]) for one in places)
    ]
    for one in sorted(range(len(places)), key=lambda i: -likely[i])[:_RIVALS]:
        rivals = (other for other in range(len(places)) if rather_of(asked, said[one], said[other]))
        if (better := next(rivals, one)) != one:
            likely[better] = max(likely[better], likely[one])
            likely[one] = min(likely[one], most)


def _state(
    best: Span, made: Calibration, question: Question, evidence: Sequence[Evidence], missing: Sequence[str]
) -> State:
    """Return the state; nothing answers a question on a day, a year, an article or a room that is told of nowhere."""
    if best.probability < made.closest:
        return "not_found"
    item = evidence[best.evidence]
    said = item.text[best.start : best.end]
    other = contrasts(question.standalone, said, titles_of(item), () if question.expects == "yes_no" else evidence)
    exact = {one.written for one in question.numbered}.union(map(str, question.years), dates_in(question.standalone))
    return "closest" if other or exact & set(missing) or best.probability < made.answered else "answered"


def places_of(
    question: Question, evidence: Sequence[Evidence], reader: Reader | None, similarity: SentenceSimilarity | None,
    most: int = MOST_WINDOWS,
) -> tuple[list[Place], bool]:  # fmt: skip
    """Return the places that may answer, and whether a reader read them: ``most`` windows of the evidence."""
    asked = question.standalone
    units = units_of(asked, evidence)
    windows = windows_of(units, evidence, most)
    readings: Sequence[Reading | None] = [None] * len(windows)
    if reader is not None and windows:
        with suppress(ProviderError):  # its weights are gone: words and vectors tell less, but something
            readings = reader.read(asked, [passage_of(window, evidence) for window in windows])
    told = (_place(asked, window, units, evidence, reading) for window, reading in zip(windows, readings, strict=True))
    places = [place for place in told if place is not None]
    if similarity is not None:
        with suppress(ProviderError):  # the embedding model fails: go on by words
            places = _with_heights(asked, places, evidence, similarity)
    return places, any(reading is not None for reading in readings)


def _with_heights(
    asked: str, places: Sequence[Place], evidence: Sequence[Evidence], similarity: SentenceSimilarity
) -> list[Place]:
    """Return the places, the likeliest with how near they are in meaning, lines of a form with those beside them."""
    likely = sorted(places, key=lambda place: -((place.read or 0.0) + place.shared))[:EMBEDDED]
    texts = [evidence[one.evidence].text for one in likely]
    said = [
        f"{beside(one.evidence, evidence)}\n{text[one.start : one.end]}".strip()
        for one, text in zip(likely, texts, strict=True)
    ]
    heights = {}
    for place, text, cosine in zip(likely, texts, similarity(asked, said), strict=True):
        near = baseline(similarity.embedder, is_chinese(asked), language_of(text) in ("zh", "ja"))
        heights[place] = near.height(float(cosine))
    return [replace(place, height=heights.get(place)) for place in places]


def _place(
    asked: str, window: Window, units: Sequence[Unit], evidence: Sequence[Evidence], reading: Reading | None
) -> Place | None:
    """Return the units that a reader's span stands in, else the best one; None where these answer nothing alone."""
    inside = [u for u in units if u.evidence == window.evidence and window.start <= u.start < window.end]
    alone = [one for one in inside if answers_alone(one, evidence[window.evidence])]
    if reading is None:
        held = [max(alone, key=lambda one: one.shared + 0.3 * one.context)] if alone else []
        answer = None
    else:
        start, end = answer = window.start + reading.start, window.start + reading.end
        held = [one for one in inside if one.start < max(end, start + 1) and one.end > start]
    # Of a paragraph on both parties the one on that which is asked about.
    rather = (one for one in alone if held and rather_of(asked, [held[0].text], [one.text]))
    if answer and (better := next(rather, None)) and better not in held:
        held, answer = [better], None
    if not held or not (any(one in alone for one in held) or _announces(held[-1], evidence)):
        return None
    first, last = held[0].start, held[-1].end
    return Place(
        window.evidence, first, last, *(answer or (first, last)), window=window, height=None,
        read=None if reading is None else reading.certainty, shared=max(one.shared for one in held),
    )  # fmt: skip


def _announces(unit: Unit, evidence: Sequence[Evidence]) -> bool:
    """True for what announces a list that follows it, in its text or as evidence of its own."""
    item = evidence[unit.evidence]
    follows = is_item(item.text[unit.end :].lstrip()) or item.hit.role == "list"
    apart = any(one.announced and one.announced[0] == item.hit.node_id for one in evidence)
    return announces(unit.text) and (follows or apart)
