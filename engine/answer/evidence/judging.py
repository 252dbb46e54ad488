"""Whether evidence answers a question, where, and how surely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from engine.answer.check.locate import touching
from engine.answer.evidence.calibration import Calibration, baseline, calibration
from engine.answer.evidence.features import Place, Span, contrasts, features_of, is_exact, things_missing
from engine.answer.evidence.units import (
    MOST_WINDOWS,
    Unit,
    Window,
    answers_alone,
    beside,
    is_foreign,
    is_labelled,
    passage_of,
    stretches_of,
    titles_of,
    units_of,
    value_asked_for,
    windows_of,
)
from engine.answer.understand.exact import is_of_another
from engine.answer.understand.language import is_chinese, language_of
from engine.answer.understand.question import Question
from engine.errors import ProviderError
from engine.index.tokenize import tokens
from engine.retrieve.announced import announces
from engine.structure.sentences import Sentence, is_item

if TYPE_CHECKING:
    from engine.answer.similarity import SentenceSimilarity
    from engine.model import Evidence
    from engine.providers.reading import Reader, Reading

State = Literal["answered", "closest", "not_found"]
# So many units are embedded: those that share most with the question, and the first of the best evidence.
EMBEDDED = 8
# As sure (log odds) as a reader is of a plain sentence is what a label says that the question names.
_BY_LABEL = 8.0
_LESS = 0.001
# A place in another language than the question counts where it is so likely beside the best in the question's.
_FOREIGN = 0.5
# The reader's span stands for its window; two units of one window are one place.
_MOST_SPANS = 12


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
    question: Question,
    evidence: Sequence[Evidence],
    reader: Reader | None,
    similarity: SentenceSimilarity | None,
    windows: int = MOST_WINDOWS,
) -> Judged:
    """Judge evidence, the best first, for a question; so many ``windows`` of it are read.

    A reader or an embedding model that fails is done without.
    """
    places, read = places_of(question, evidence, reader, similarity, windows)
    missing = things_missing(question, evidence)
    if not places:
        return Judged((), 0.0, "not_found", missing)
    made = calibration(read)
    probabilities = made.probabilities(features_of(question, places, evidence))
    for number, place in enumerate(places):
        item = evidence[place.evidence]
        sentence, before = item.text[place.start : place.end], item.text[: place.start]
        # What is said of another thing of the kind comes close, and answers nothing.
        if is_of_another(question.numbered, sentence, before, titles_of(item)):
            probabilities[number] = min(probabilities[number], made.answered - _LESS)
    order = sorted(range(len(places)), key=lambda i: -probabilities[i])[:_MOST_SPANS]
    found = [replace(places[i], probability=round(float(probabilities[i]), 4)) for i in order]
    spans = at_home(question, found, evidence, made.answered)
    probability = spans[0].probability
    state = _state(probability, made, question, missing)
    best = evidence[spans[0].evidence]
    said = best.text[spans[0].start : spans[0].end]
    if state == "answered" and question.expects == "yes_no":
        state = "closest" if contrasts(question.standalone, said, titles_of(best)) else state
    asked = question.standalone
    home = [one for one in spans if not is_foreign(evidence[one.evidence].text, asked)]
    if state == "answered" and spans[0] not in home and not is_foreign(evidence[0].text, asked):
        # What comes nearest is in the question's language and says nothing clearly: a rule of another office may not
        # take its place.
        first = [one for one in home if one.evidence == 0]
        state, spans = "closest", (*first, *(one for one in spans if one not in first))
    return Judged(spans, probability, state, missing)


def at_home(
    question: Question, spans: Sequence[Span], evidence: Sequence[Evidence], answered: float
) -> tuple[Span, ...]:
    """Return the places without those in another language than the question beside one in its own.

    Beside one that answers (is ``answered`` likely) there is none of them, else none that is far less likely.
    """
    foreign = [one for one in spans if is_foreign(evidence[one.evidence].text, question.standalone)]
    best = max((one.probability for one in spans if one not in foreign), default=0.0)
    likely = [one for one in foreign if best < answered and one.probability >= _FOREIGN * best]
    return tuple(one for one in spans if one not in foreign or one in likely)


def _state(probability: float, made: Calibration, question: Question, missing: Sequence[str]) -> State:
    """Return the state; nothing answers a question on a year, an article or a room that is told of nowhere."""
    if probability >= made.answered and not any(is_exact(thing, question) for thing in missing):
        return "answered"
    return "closest" if probability >= made.closest else "not_found"


def places_of(
    question: Question,
    evidence: Sequence[Evidence],
    reader: Reader | None,
    similarity: SentenceSimilarity | None,
    most: int = MOST_WINDOWS,
) -> tuple[list[Place], bool]:
    """Return the places that may answer, and whether a reader read them: ``most`` windows of the evidence."""
    asked = question.standalone
    units = _embedded(asked, units_of(asked, evidence), evidence, similarity)
    windows = windows_of(units, evidence, most)
    sought = _Sought(asked, units, evidence, similarity)
    readings: Sequence[Reading] | None = None
    if reader is not None and windows:
        try:
            readings = reader.read(asked, [passage_of(window, evidence) for window in windows])
        except ProviderError:  # its weights are gone: words and vectors tell less, but something
            readings = None
    if readings is None:
        return [place for window in windows if (place := sought.unread(window)) is not None], False
    read = map(sought.read, windows, readings)
    return sought.with_pairs([place for place in read if place is not None], windows), True


def _embedded(
    asked: str, units: list[Unit], evidence: Sequence[Evidence], similarity: SentenceSimilarity | None
) -> list[Unit]:
    """Return the units with the cosines of those nearest in words and of the first of the best evidence."""
    if similarity is None or not units:
        return units
    near = [one.shared + 0.5 * one.context - 0.05 * one.evidence for one in units]
    order = sorted(range(len(units)), key=lambda i: -near[i])[:EMBEDDED]
    found = list(units)
    try:
        cosines = similarity(asked, [_in_its_form(units[i], evidence) for i in order])
    except ProviderError:  # the embedding model fails: go on by words
        return units
    for i, cosine in zip(order, cosines, strict=True):
        found[i] = replace(units[i], cosine=float(cosine))
    return found


def _in_its_form(unit: Unit, evidence: Sequence[Evidence]) -> str:
    """Return a unit's text, that of a line of a form with the lines beside it."""
    return "\n".join(filter(None, (beside(unit.evidence, evidence), unit.text)))


@dataclass(frozen=True, slots=True)
class _Sought:
    """The places of windows for what is asked, told by the units in them."""

    asked: str
    units: Sequence[Unit]
    evidence: Sequence[Evidence]
    similarity: SentenceSimilarity | None

    def read(self, window: Window, reading: Reading) -> Place | None:
        """Return the units that a reader's span stands in; None where they are no answer by themselves."""
        item = self.evidence[window.evidence]
        start, end = window.start + reading.start, window.start + reading.end
        stretches = stretches_of(item.text, item.hit.role)
        held = [stretches[i] for i in touching(stretches, start, max(end, start + 1))]
        alone = any(answers_alone(one, item) for one in held)
        if not held or not (alone or _announces(held[-1], window.evidence, self.evidence)):
            return None
        said = frozenset(tokens(item.text[start:end]))
        if is_labelled(held[0].text) and said and said <= frozenset(tokens(self.asked)):
            return None  # "Name: Ilse Kramer" tells nothing of what is asked about her
        first, last = held[0].start, held[-1].end
        beside = (u for u in self.units if u.evidence == window.evidence and u.start < last and u.end > first)
        shared = max((one.shared for one in beside), default=0.0)
        return self._place(window, (first, last), (start, end), reading.certainty, shared)

    def with_pairs(self, places: Sequence[Place], windows: Sequence[Window]) -> list[Place]:
        """Return the places with the labelled values asked for by their very label, which a reader overlooks."""
        found = {(place.evidence, place.start): place for place in places}
        for unit in self.units:
            value = value_asked_for(self.asked, unit, self.evidence)
            window = next((w for w in windows if _inside(unit, w)), None)
            if value is not None and window is not None:
                answer = unit.start + value[0], unit.start + value[1]
                place = self._place(window, (unit.start, unit.end), answer, _BY_LABEL, 1.0)
                found[unit.evidence, unit.start] = place
        return list(found.values())

    def unread(self, window: Window) -> Place | None:
        """Return the best unit of a window that nothing read as a place; None where none answers by itself."""
        item = self.evidence[window.evidence]
        inside = [one for one in self.units if _inside(one, window) and answers_alone(one, item)]
        if not inside:
            return None
        best = max(inside, key=lambda one: one.shared + 0.3 * one.context + (one.cosine or 0.0))
        whole = best.start, best.end
        return self._place(window, whole, whole, None, best.shared)

    def _place(
        self,
        window: Window,
        unit: tuple[int, int],
        answer: tuple[int, int],
        read: float | None,
        shared: float,
    ) -> Place:
        height = self._height(window)
        return Place(window.evidence, *unit, *answer, window=window, read=read, height=height, shared=shared)

    def _height(self, window: Window) -> float | None:
        cosines = [one.cosine for one in self.units if one.cosine is not None and _inside(one, window)]
        if not cosines or self.similarity is None:
            return None
        text_is_chinese = language_of(self.evidence[window.evidence].text) in ("zh", "ja")
        near = baseline(self.similarity.embedder, is_chinese(self.asked), text_is_chinese)
        return near.height(max(cosines))


def _inside(unit: Unit, window: Window) -> bool:
    return unit.evidence == window.evidence and window.start <= unit.start < window.end


def _announces(unit: Sentence, index: int, evidence: Sequence[Evidence]) -> bool:
    """True for what announces a list that follows it, in its text or as evidence of its own."""
    item = evidence[index]
    if not announces(unit.text):
        return False
    follows = is_item(item.text[unit.end :].lstrip()) or item.hit.role == "list"
    return follows or any(one.announced and one.announced[0] == item.hit.node_id for one in evidence)
