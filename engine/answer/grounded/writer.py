"""Letting a model write: over the evidence of a question, streamed as it comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.answer.grounded.prompt import messages_for
from engine.answer.grounded.reply import Written, write
from engine.answer.trace import AnswerTrace
from engine.answer.understand import Question
from engine.config import LlmSettings
from engine.errors import BudgetSpentError, CancelledError, ContextExceededError, DropQAError
from engine.model import Evidence

if TYPE_CHECKING:
    from engine.answer.basis import Basis
    from engine.answer.tables.cite import Computed
    from engine.providers.llm import Llm


@dataclass(frozen=True, slots=True)
class Writer:
    """What models write of one question; the trace tells it as it comes."""

    question: Question
    history: Sequence[tuple[str, str]]
    settings: LlmSettings
    trace: AnswerTrace
    cancelled: Callable[[], bool] | None

    def written(self, llm: Llm, basis: Basis, computed: Sequence[Computed]) -> Written:
        """Return what the model writes over the evidence; why it fails is told in the warnings, too.

        Evidence that is too long for the model is sent once more, its better half: the marks count the same. Raises
        what the model fails by.
        """

        def over(evidence: Sequence[Evidence]) -> Written:
            return self.streamed(llm, messages_for(
                self.question.text, evidence, self.history, self.settings.system_prompt, computed,
                about_answer=self.question.aim == "conversation", language=self.settings.language,
            ))  # fmt: skip

        try:
            try:
                return over(basis.evidence)
            except ContextExceededError:
                return over(basis.evidence[: (len(basis.evidence) + 1) // 2])
        except (BudgetSpentError, CancelledError):
            raise
        except DropQAError as error:
            self.trace.warnings.append(self.trace.phrases.model_failed.format(reason=error))
            raise

    def streamed(self, llm: Llm, messages: Sequence[dict[str, Any]]) -> Written:
        """Tell what the model writes as it comes; what it thought is a step, and no part of that."""
        written = write(messages, llm, self.trace.tell, self.cancelled)
        if written.thought:
            self.trace.step("thought", written.thought)
        return written
