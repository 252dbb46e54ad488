"""An answer streamed from a language model over numbered evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.answer.grounded.reply import visible
from engine.errors import CancelledError

if TYPE_CHECKING:
    from engine.providers.llm import Llm


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote, as it came. ``stopped`` when the user ended it; ``finish`` as the endpoint says."""

    text: str
    finish: str
    stopped: bool = False


def write(
    messages: Sequence[dict[str, Any]],
    llm: Llm,
    *,
    on_text: Callable[[str], None] | None = None,
    on_thinking: Callable[[str], None] | None = None,
    on_void: Callable[[], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Written:
    """Let the model answer what the messages ask and return its reply, unchecked.

    ``on_text`` gets the readable pieces as they come, ``on_thinking`` what is thought; ``on_void`` is called where what
    ``on_text`` got turns out to have been thought. Raises ProviderError.
    """
    reply = llm.stream(list(messages), cancelled=cancelled)
    received: list[str] = []

    def recorded() -> Iterator[str]:
        for piece in reply:
            received.append(piece)
            yield piece

    pieces = recorded()
    try:
        for piece in visible(pieces, on_thinking, on_void):
            if on_text is not None:
                on_text(piece)
        for _ in pieces:  # what is not shown, a wrapped reply say, is still read to its end
            pass
    except CancelledError:
        return Written("".join(received), "stopped", stopped=True)
    return Written("".join(received), reply.finish)
