"""The one place that runs a stage of an answer and survives its failure."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from engine.errors import CancelledError, DropQAError

if TYPE_CHECKING:
    from engine.answer.phrases import Phrases
    from engine.answer.trace import AnswerTrace

Made = TypeVar("Made")
_log = logging.getLogger(__name__)


def survived(name: str, make: Callable[[], Made], otherwise: Made) -> Made:
    """Return what an optional step makes, ``otherwise`` where it fails unforeseen. Raises DropQAError as it does."""
    return _attempted(name, make, otherwise)[0]


def _attempted(name: str, make: Callable[[], Made], otherwise: Made) -> tuple[Made, str]:
    """Return what a step makes and "", or ``otherwise`` and the kind of its unforeseen failure, which is logged."""
    try:
        return make(), ""
    except DropQAError:
        raise
    except Exception as error:  # noqa: BLE001 a step that may be left out never takes the answer down
        _log.exception("The step %s failed.", name)
        return otherwise, type(error).__name__


class Stages:
    """Runs the stages of one answer; what fails is a line in its trace, and the next way is taken."""

    def __init__(self, trace: AnswerTrace, phrases: Phrases) -> None:
        self._trace, self._phrases = trace, phrases

    def run(self, name: str, make: Callable[[], Made], otherwise: Made) -> Made:
        """Return what a stage makes, ``otherwise`` where it fails. Raises CancelledError alone.

        A failure that is foreseen (a model is down) is told with its reason; any other goes to the log, too.
        """
        try:
            with self._trace.timed(name):
                made, reason = _attempted(name, make, otherwise)
        except CancelledError:
            raise
        except DropQAError as error:
            made, reason = otherwise, str(error)
        if not reason:
            return made
        self._trace.step("evaluation", self._phrases.step_failed.format(stage=name, reason=reason))
        return otherwise
