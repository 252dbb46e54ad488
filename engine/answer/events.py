"""What the engine tells while an answer is being made; :class:`engine.model.TraceStep` is told too."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.model import TraceStep, Value


@dataclass(frozen=True, slots=True)
class Token(Value):
    """The next piece of the answer's text.

    The streamed text is a preview: marks in it are numbered as the model was given the evidence. The
    checked text, with its sources, is in the Answer.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Discard(Value):
    """What was streamed so far is void (the model failed); another answer follows."""

    reason: str


Event = Token | Discard | TraceStep
OnEvent = Callable[[Event], None]
