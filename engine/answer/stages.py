"""The one place that runs a stage of an answer and survives its failure."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from engine.errors import CancelledError, DropQAError

if TYPE_CHECKING:
    from engine.answer.trace import AnswerTrace

Made = TypeVar("Made")
_log = logging.getLogger(__name__)


def survived(
    name: str, make: Callable[[], Made], otherwise: Made, told: Callable[[str], None] = lambda reason: None
) -> Made:
    """Return what an optional step makes, ``otherwise`` where it fails unforeseen: ``told`` gets the kind of failure.

    Raises DropQAError as the step does.
    """
    try:
        return make()
    except DropQAError:
        raise
    except Exception as error:  # noqa: BLE001 a step that may be left out never takes the answer down
        _log.exception("The step %s failed.", name)
        told(type(error).__name__)
        return otherwise


class Stages:
    """Runs the stages of one answer; what fails is a line in its trace, and the next way is taken."""

    def __init__(self, trace: AnswerTrace) -> None:
        self._trace = trace

    def run(self, name: str, make: Callable[[], Made], otherwise: Made) -> Made:
        """Return what a stage makes, ``otherwise`` where it fails. Raises CancelledError alone.

        A failure that is foreseen (a model is down) is told with its reason; any other goes to the log, too.
        """

        def failed(reason: str) -> None:
            told = self._trace.phrases.step_failed.format(stage=name, reason=reason)
            self._trace.step("evaluation", told)

        try:
            with self._trace.timed(name):
                return survived(name, make, otherwise, failed)
        except CancelledError:
            raise
        except DropQAError as error:
            failed(str(error))
            return otherwise
