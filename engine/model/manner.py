"""How a question is to be answered where that differs from the settings: what a conversation has chosen."""

from dataclasses import dataclass
from typing import Literal

from engine.model.values import Value

Style = Literal["", "short", "full", "table"]


@dataclass(frozen=True, slots=True)
class Manner(Value):
    """Which model answers, and how; what is empty or None is as it is set up.

    ``endpoint`` is the name of one of ``[endpoints]``, ``model`` one that it lists. ``language`` is that of the answer,
    by its English name; "" is the question's. ``instructions`` are a person's own words.
    """

    endpoint: str = ""
    model: str = ""
    temperature: float | None = None
    language: str = ""
    style: Style = ""
    instructions: str = ""
