"""Letting a model write: over the evidence of a question, streamed as it comes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.answer.agent.tools import Desk
from engine.answer.basis import Basis
from engine.answer.grounded.prompt import messages_for
from engine.answer.grounded.reply import Written, write
from engine.answer.tables.cite import Computed
from engine.answer.trace import AnswerTrace
from engine.answer.understand import Question
from engine.config import LlmSettings
from engine.errors import BudgetSpentError, CancelledError, ContextExceededError, DropQAError, ProviderError
from engine.model import Evidence
from engine.providers.llm import Llm
from engine.retrieve.pictures import pictures_needed

Pictures = Sequence[tuple[int, bytes]]


@dataclass(frozen=True, slots=True)
class Writer:
    """What models write of one question; the trace tells it as it comes."""

    question: Question
    history: Sequence[tuple[str, str]]
    settings: LlmSettings
    trace: AnswerTrace
    cancelled: Callable[[], bool] | None

    def pictures(self, llm: Llm, evidence: Sequence[Evidence], best: Sequence[Evidence], desk: Desk | None) -> Pictures:
        """Return the pictures that the question needs, with the numbers of their evidence, for a model that sees.

        ``best`` is the evidence, the best first.
        """
        if desk is None or not best:
            return ()
        chosen = pictures_needed(self.question.standalone, evidence, best[0], desk.storage)
        read, phrases = [], self.trace.phrases
        for one in chosen if chosen and llm.sees(self.cancelled) else ():
            told, name = phrases.step_picture, f"{one.hit.document}, {one.label}"
            try:
                read.append((one.n, one.read(desk.storage)))
            except DropQAError as error:
                told, name = phrases.step_no_picture, f"{name}: {error}"
            self.trace.step("action", told.format(name=name, n=one.n))
        return read

    def written(self, llm: Llm, basis: Basis, computed: Sequence[Computed], pictures: Pictures = ()) -> Written:
        """Return what the model writes over the evidence; why it fails is told in the warnings, too.

        Evidence that is too long for the model is sent once more, its better half: the marks count the same; so is
        all of it without ``pictures`` where it takes none. Raises what the model fails by.
        """

        def over(evidence: Sequence[Evidence], pictures: Pictures = ()) -> Written:
            return self.streamed(llm, messages_for(
                self.question.text, evidence, self.history, self.settings.system_prompt, computed,
                about_answer=self.question.aim == "conversation", language=self.settings.language,
                pictures=pictures,
            ))  # fmt: skip

        try:
            try:
                return over(basis.evidence, pictures)
            except ContextExceededError:
                return over(basis.evidence[: (len(basis.evidence) + 1) // 2])
            except ProviderError as error:
                if not pictures or llm.sees():
                    raise
                self.trace.step("evaluation", self.trace.phrases.step_no_picture.format(name=error))
                return over(basis.evidence)
        except DropQAError as error:
            if not isinstance(error, BudgetSpentError | CancelledError):
                self.trace.warnings.append(self.trace.phrases.model_failed.format(reason=error))
            raise

    def streamed(self, llm: Llm, messages: Sequence[dict[str, Any]]) -> Written:
        """Tell what the model writes as it comes; what it thought is a step, and no part of that."""
        written = write(messages, llm, self.trace.tell, self.cancelled)
        if written.thought:
            self.trace.step("thought", written.thought)
        return written
