"""A question that describes what it asks about, made ready to be answered: what it asks once that is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from engine.answer.descriptions import descriptions
from engine.answer.phrases import Phrases
from engine.answer.similarity import SentenceSimilarity
from engine.answer.trace import AnswerTrace
from engine.model import Evidence

if TYPE_CHECKING:
    from engine.answer.agent.resolving import Hop, Named
    from engine.answer.agent.tools import Desk
    from engine.providers.reading import Reader


class Stage(NamedTuple):
    """What is asked then, the evidence for it, and the hops that led there."""

    asked: str
    evidence: list[Evidence]
    hops: tuple[Hop, ...]


@dataclass(frozen=True, slots=True)
class Described:
    """One question; without a ``reader`` or a ``desk`` nothing that it describes is looked up."""

    question: str
    desk: Desk | None
    reader: Reader | None
    similarity: SentenceSimilarity | None
    phrases: Phrases
    trace: AnswerTrace
    cancelled: Callable[[], bool] | None = None
    rounds: int | None = None

    def __bool__(self) -> bool:
        """True for a question that describes something without naming it: one search may find only half."""
        return bool(descriptions(self.question))

    def with_evidence(self, evidence: list[Evidence]) -> Stage | None:
        """Return what is asked in the end, with the passages of all hops and the evidence there was.

        None where it describes nothing that is found. Raises CancelledError.
        """
        found = self._named()
        if found is None or self.desk is None:
            return None
        from engine.answer.agent.resolving import passages_of

        self._tell(found)
        return Stage(found.asked, passages_of(found, self.desk, evidence), found.hops)

    def stages(self) -> Iterator[Stage]:
        """Yield what is asked with everything named, then with one description less, each with what is found for it.

        Only passages that speak of what was named last count. Raises CancelledError.
        """
        found = self._named()
        while found is not None and found.hops and self.desk is not None:
            from engine.answer.agent.resolving import found_for, speaking_of

            self._tell(found)
            evidence = speaking_of(found.hops[-1].name, found_for(found.asked, self.desk))
            yield Stage(found.asked, evidence, found.hops)
            found = found.before

    def _named(self) -> Named | None:
        from engine.answer.agent.resolving import named

        if self.desk is None or self.reader is None or not self:
            return None
        with self.trace.timed("agent"):
            return named(
                self.question, self.desk, self.reader, self.similarity, self.phrases, self.trace.step,
                self.cancelled, self.rounds,
            )  # fmt: skip

    def _tell(self, found: Named) -> None:
        self.trace.step("thought", self.phrases.asked_then.format(question=found.asked))
