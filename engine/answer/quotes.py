"""What is quoted for the sentences chosen: each alone, or with what it cannot be understood without.

That is the list that it announces or is an item of, and what stands before a pronoun at its beginning: "She studied
in Utrecht" says nothing without the sentence that names her.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.answer.candidates import Candidate
from engine.answer.check.locate import sentences_of
from engine.model import Evidence
from engine.retrieve.announced import announces
from engine.structure.sentences import Sentence, is_item

MOST_ITEMS = 15
# So many characters of a paragraph are quoted up to the words that announce a list.
OPENING = 200
# A sentence that begins so is about what stands before it, at most so many characters of which are quoted, too.
LEANS = re.compile(
    r"\W*(?:they|it|this|these|those|he|she|its|their|his|her|both|nobody|none)\b|[他她它]们?|其(?!他|它|中|余|实)|[该此这]",
    re.I,
)
_LEANS_ON = 300


@dataclass(frozen=True, slots=True)
class Quote:
    """A stretch to quote: ``evidence[index].text[start:end]``; ``item`` where it stands below what announces it."""

    index: int
    start: int
    end: int
    item: bool = False


def quotes_of(chosen: Sequence[Candidate], evidence: Sequence[Evidence]) -> list[Quote]:
    """Return what to quote, in the order of ``chosen``; a list follows the sentence that announces it.

    Of a long list the first :data:`MOST_ITEMS` items are quoted.
    """
    quotes: list[Quote] = []
    for candidate in chosen:
        for quote in _with_list(candidate, evidence):
            place = next((i for i, one in enumerate(quotes) if _joins(one, quote, evidence)), None)
            if place is None:
                quotes.append(quote)
            else:
                quotes[place] = replace(quotes[place], end=max(quotes[place].end, quote.end))
    return quotes


def _joins(one: Quote, other: Quote, evidence: Sequence[Evidence]) -> bool:
    """True when a quotation stands in another, or follows it in the same paragraph, so that both are read as one."""
    if one.index != other.index or not one.start <= other.start:
        return False
    if other.start < one.end:
        return True
    text = evidence[one.index].text
    prose = evidence[one.index].hit.role == "paragraph" and not one.item and not other.item
    return prose and not text[one.end : other.start].strip() and "\n" not in text[one.end : other.start]


def _with_list(candidate: Candidate, evidence: Sequence[Evidence]) -> Iterator[Quote]:
    index, sentence = candidate.evidence, candidate.sentence
    sentences = sentences_of(evidence[index].text, evidence[index].hit.role)
    place = next((i for i, one in enumerate(sentences) if one.start == sentence.start), None)
    before = _announcement(place, sentences, index, evidence)
    if before is not None:
        yield before
    if place is None or not announces(sentence.text) or before is not None:
        start = sentence.start if place is None or before else _named_from(place, sentences, evidence[index])
        yield Quote(index, start, sentence.end, before is not None)
        return
    yield _opening(place, sentences, index)
    whole = evidence[index].hit.role == "list"
    items = [Quote(index, one.start, one.end, True) for one in _items_after(place, sentences, whole)]
    if not items and place == len(sentences) - 1:
        items = [
            Quote(other, one.start, one.end, True)
            for other in _announced_by(evidence[index].hit.node_id, evidence)
            for one in _parts(evidence[other])
        ]
    yield from items[:MOST_ITEMS]


def _named_from(place: int, sentences: Sequence[Sentence], item: Evidence) -> int:
    """Return where a quotation begins that names what its sentence's first pronoun stands for."""
    first = place
    while (
        first > 0
        and item.hit.role == "paragraph"
        and LEANS.match(sentences[first].text)
        and sentences[place].start - sentences[first - 1].start <= _LEANS_ON
        and "\n" not in item.text[sentences[first - 1].end : sentences[first].start]
    ):
        first -= 1
    return sentences[first].start


def _announcement(
    place: int | None, sentences: Sequence[Sentence], index: int, evidence: Sequence[Evidence]
) -> Quote | None:
    """Return what announces the list that a sentence is an item of; None when it is none."""
    if place is None or not is_item(sentences[place].text):
        return None
    first = place
    while first > 0 and is_item(sentences[first].text):
        first -= 1
    if announces(sentences[first].text) and not is_item(sentences[first].text):
        return _opening(first, sentences, index)
    above = evidence[index].announced
    if above is None:
        return None
    for other, item in enumerate(evidence):
        if item.hit.node_id == above[0]:
            texts = sentences_of(item.text, item.hit.role)
            return _opening(len(texts) - 1, texts, other)
    return None


def _opening(place: int, sentences: Sequence[Sentence], index: int) -> Quote:
    """Return what announces a list with what stands before it in a short paragraph: "... Except:" needs that."""
    end = sentences[place].end
    first = place
    while (
        first > 0 and end - sentences[first - 1].start <= OPENING and not is_item(sentences[first - 1].text)
    ):
        first -= 1
    return Quote(index, sentences[first].start, end)


def _items_after(place: int, sentences: Sequence[Sentence], whole: bool) -> Iterator[Sentence]:
    """Return the items after a sentence; in a ``whole`` list every line is one, bullet or not."""
    for one in sentences[place + 1 :]:
        if not whole and not is_item(one.text):
            return
        yield one


def _parts(item: Evidence) -> Sequence[Sentence]:
    """Return the lines of a list; another item is one piece, however many sentences it has."""
    if item.hit.role == "list":
        return sentences_of(item.text, "list")
    return [Sentence(0, len(item.text), item.text)]


def _announced_by(node_id: str, evidence: Sequence[Evidence]) -> list[int]:
    """Return the evidence that is an item of the list a node announces, in the list's order."""
    places = [
        (item.announced[1], i)
        for i, item in enumerate(evidence)
        if item.announced is not None and item.announced[0] == node_id
    ]
    return [i for _, i in sorted(places)]
