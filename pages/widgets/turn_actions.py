"""The small buttons under a question or an answer: copy, ask again, good, bad, export."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from engine.model import Message
from pages.widgets.frontend import component
from pages.widgets.texts import t

_component = component(
    "turn_actions", "<div class='bar' role='group'></div><span class='told' role='status'></span>"
)


def turn_actions(
    message: Message,
    names: Sequence[str],
    act: Callable[[Message, str], None],
    *,
    label: str,
    text: str,
    pressed: str = "",
) -> None:
    """Draw a message's buttons by name; ``act`` gets the one that was pressed, before the page is drawn anew.

    ``text`` is what "copy" copies, in the browser; ``pressed`` is the button that shows as being on.
    """
    key = f"turn.{message.message_id}"
    toggles = ("up", "down")
    buttons = [
        {"name": one, "label": t(f"turn.{one}"), "pressed": one == pressed, "toggle": one in toggles}
        for one in names
    ]
    data = {"buttons": buttons, "text": text, "copied": t("turn.copied"), "label": label}

    def acted() -> None:
        if (action := st.session_state[key].action) in names:
            act(message, action)

    _component(data, key, on_action_change=acted)
