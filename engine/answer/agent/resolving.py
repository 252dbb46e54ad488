"""Questions of several hops, one description after the other: what it describes is looked up and takes its place.

"Where was the wife of the founder of Kestrel Motors born?" asks for the founder first, then for the wife of the one
who is found, then where she was born. What a description stands for is what the reader reads in the passages found
for it, where it is sure and it is a name. Nothing is guessed: a description that no passage tells stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.answer.agent.names import names_of
from engine.answer.candidates import TO_QUOTE, candidates
from engine.answer.check.locate import sentences_of
from engine.answer.descriptions import descriptions, questions_for
from engine.answer.readings import AnswerSpan, read
from engine.answer.sufficiency import terms_of
from engine.answer.tables.from_evidence import answer_from_evidence
from engine.answer.terms import content_terms, coverage
from engine.errors import CancelledError, ProviderError, UsageError
from engine.model import Evidence
from engine.retrieve.pack import pack
from engine.structure.sentences import Sentence, is_cjk

if TYPE_CHECKING:
    from engine.answer.agent.loop import OnStep
    from engine.answer.agent.tools import Desk
    from engine.answer.phrases import Phrases
    from engine.answer.similarity import SentenceSimilarity
    from engine.providers.reading import Reader

# So sure (log odds) the reader must be of what is described.
_SURE = 3.0
# So much of the name in a description the passage must have.
_SPOKEN_OF, _SPOKEN_OF_CHINESE = 0.6, 0.4
_PASSAGES = 8
# So many of the best passages for what is asked once the description is named.
LAST_HOP = 3
# Lookups of one question: where a description leads nowhere the next outer one is tried.
_MOST_LOOKUPS = 8
_NUMBER = re.compile(r"\d{2,}")
_BEFORE = re.compile(r"(?:[A-Z][\w.&'’-]*[^\S\n]+|\d+[^\S\n]+)+$")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_ARTICLE = re.compile(r"^(?:The|the|A|a|An|an)\s+")
_WORD = r"[A-Z0-9][\w.&'’-]*"
_ALL_A_NAME = re.compile(rf"(?:[Tt]he\s+)?{_WORD}(?:,?\s+(?:(?:of|the|de|la|and|&)\s+)*{_WORD})+")
_AFTER = re.compile(r"(?:[^\S\n]+[A-Z][\w.&'’-]*)+")


@dataclass(frozen=True, slots=True)
class Hop:
    """What a description stands for: a ``name``, by the letters ``start`` to ``end`` of a passage."""

    description: str
    name: str
    passage: Evidence
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Named:
    """A question whose descriptions are replaced by names (``asked``), and the hops that told them, in their order.

    ``before`` is the same with the last description as it was.
    """

    asked: str
    hops: tuple[Hop, ...] = ()
    before: Named | None = None

    @property
    def passages(self) -> list[Evidence]:
        """The passages of the hops, each once."""
        return list({hop.passage.hit.node_id: hop.passage for hop in self.hops}.values())


@dataclass(slots=True)
class _Lookups:
    """The lookups of one question: each is made once, and so many of them at most."""

    desk: Desk
    reader: Reader
    similarity: SentenceSimilarity | None
    most: int
    told: Callable[[str, Hop | None], None]
    cancelled: Callable[[], bool]
    made: dict[str, Hop | None] = field(default_factory=dict)

    def hop(self, asked: str, question: str) -> Hop | None:
        if self.cancelled():
            raise CancelledError("Stopped.")
        if asked not in self.made and len(self.made) < _MOST_LOOKUPS:
            self.made[asked] = self._looked_up(asked, question)
            self.told(asked, self.made[asked])
        return self.made.get(asked)

    def _looked_up(self, asked: str, question: str) -> Hop | None:
        evidence = speaking_of(asked, found_for(asked, self.desk))
        for asks in questions_for(asked):
            try:
                found = candidates(asks, evidence, self.similarity, TO_QUOTE)
                spans = read(asks, evidence, found, self.reader)
            except ProviderError:
                return None
            for span in sorted(spans, key=lambda one: -one.certainty):
                passage = evidence[span.evidence]
                name = _name(passage.text, span)
                if span.certainty >= _SURE and name and name not in question:
                    sentences = sentences_of(passage.text, passage.hit.role)
                    return _hop(asked, name, passage, span.start, sentences)
            if hop := _from_table(asked, asks, question, evidence):
                return hop
        return None


def named(
    question: str,
    desk: Desk,
    reader: Reader,
    similarity: SentenceSimilarity | None,
    phrases: Phrases,
    on_step: OnStep | None = None,
    cancelled: Callable[[], bool] | None = None,
    rounds: int | None = None,
) -> Named | None:
    """Return a question with what it describes named; None where it describes nothing that is found.

    At most so many descriptions as the agent has ``rounds`` (None: as set up) are named. Raises CancelledError.
    """

    def told(asked: str, hop: Hop | None) -> None:
        if on_step is not None:
            unknown = phrases.description_unknown.format(description=asked)
            summary = phrases.description_is.format(description=asked, name=hop.name) if hop else unknown
            on_step("thought", phrases.agent_describes.format(description=asked), None, None, None)
            searched = phrases.step_search.format(query=asked)
            on_step("action", searched, "hybrid_search", {"query": asked}, summary)

    most = rounds or desk.settings.agent.max_iterations
    lookups = _Lookups(desk, reader, similarity, most, told, cancelled or (lambda: False))
    made = _named(Named(question), lookups)
    return made if made.hops else None


def passages_of(found: Named, desk: Desk, evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the passages of the hops, the best for what is asked then, and the evidence there was; each once."""
    last = speaking_of(found.hops[-1].name, found_for(found.asked, desk))[:LAST_HOP]
    return list({item.hit.node_id: item for item in (*found.passages, *last, *evidence)}.values())


def found_for(question: str, desk: Desk) -> list[Evidence]:
    """Return the best passages for a question, packed as evidence."""
    try:
        hits = desk.search(question, mode="hybrid", top_k=_PASSAGES).hits
    except UsageError:
        return []
    settings = desk.settings
    return pack(
        hits, desk.storage, settings.agent.tools.max_context_tokens, question, settings.retrieval.window
    )


def _named(so_far: Named, lookups: _Lookups) -> Named:
    """Return the question with the most descriptions named that can be."""
    best = so_far
    for one in descriptions(so_far.asked) if len(so_far.hops) < lookups.most else ():
        if hop := lookups.hop(one.asked, so_far.asked):
            further = Named(one.replaced(so_far.asked, hop.name), (*so_far.hops, hop), so_far)
            best = max(best, _named(further, lookups), key=lambda made: (len(made.hops), -len(made.asked)))
            if not descriptions(best.asked):
                break
    return best


def speaking_of(what: str, evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the passages that have, with the titles over them, what is meant: its name and each number in it.

    Another film's director is not meant, nor the same team's of another year.
    """
    chinese = is_cjk(what)
    named = what.rpartition("的")[0] if chinese else " ".join(name.printed for name in names_of(what))
    wanted, numbers = content_terms(named or what), set(_NUMBER.findall(what))
    least = _SPOKEN_OF_CHINESE if chinese else _SPOKEN_OF
    there = [(item, terms_of(item)) for item in evidence]
    return [item for item, terms in there if coverage(wanted, terms) >= least and numbers <= terms]


def _name(text: str, span: AnswerSpan) -> str:
    """Return the name that was read, whole: all that answers where it is one, else the last one in it."""
    answer = text[span.start : span.end].strip(" .,;:")
    if _ALL_A_NAME.fullmatch(answer):
        return _ARTICLE.sub("", answer)
    names = names_of(answer)
    if not names:
        return ""
    name = max(names, key=lambda one: (one.position + len(one.printed), len(one.printed))).printed
    if is_cjk(name):
        return name
    at = span.start + text[span.start : span.end].rfind(name)
    before = _BEFORE.search(text[:at]) if span.start == at else None
    after = _AFTER.match(text[at + len(name) :])
    whole = f"{before[0] if before else ''}{name}{after[0] if after else ''}"
    return _ARTICLE.sub("", whole.rstrip(" .,"))


def _from_table(asked: str, asks: str, question: str, evidence: Sequence[Evidence]) -> Hop | None:
    """Return what a cell gives as the name: one cell, looked up by operators."""
    made = answer_from_evidence(asks, evidence)
    if made is None or made.answer.kind != "lookup" or len(made.answer.values) != 1:
        return None
    name = made.answer.values[0].strip()
    if not _LETTERS.search(name) or name in question:
        return None
    for citation in made.citations:
        passage = next((item for item in evidence if item.hit.node_id == citation.node_id), None)
        if passage is not None and name in citation.snippet and citation.snippet in passage.text:
            lines = sentences_of(passage.text, passage.hit.role)
            return _hop(asked, name, passage, passage.text.index(citation.snippet), lines)
    return None


def _hop(asked: str, name: str, passage: Evidence, at: int, sentences: Sequence[Sentence]) -> Hop:
    """Return the hop that quotes the sentence or row in which the letter ``at`` stands."""
    found = next((one for one in sentences if one.start <= at < one.end), None)
    start, end = (found.start, found.end) if found else (at, at + len(name))
    return Hop(asked, name, passage, start, end)
