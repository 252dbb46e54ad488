"""The small buttons under a question or an answer: copy, ask again, good, bad, export."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages.widgets.frontend import component
from pages.widgets.texts import t

_component = component(
    "turn_actions", "<div class='bar' role='group'></div><span class='told' role='status'></span>"
)


def turn_actions(
    names: Sequence[str],
    on_action: Callable[[str], None],
    *,
    label: str,
    key: str,
    text: str,
    pressed: str = "",
) -> None:
    """Draw buttons by name; ``on_action`` gets the one that was pressed, before the page is drawn anew.

    ``text`` is what "copy" copies, in the browser; ``pressed`` is the button that shows as being on.
    """
    buttons = [
        {
            "name": name,
            "label": t(f"turn.{name}"),
            "pressed": name == pressed,
            "toggle": name in ("up", "down"),
        }
        for name in names
    ]
    data = {"buttons": buttons, "text": text, "copied": t("turn.copied"), "label": label}

    def acted() -> None:
        action = st.session_state[key].action
        if action in names:
            on_action(action)

    _component(data=data, key=key, on_action_change=acted)
