"""The newest question of a conversation comes into view when it is asked, and when the conversation is opened."""

from __future__ import annotations

from pages.widgets.frontend import component

_component = component("newest_question", "<span hidden></span>")


def bring_into_view(message_id: str, *, follows: bool) -> None:
    """Scroll the turn that this is drawn in to the top, once for each question.

    ``follows`` says whether turns stand before it; the first one is in view by itself.
    """
    _component(data={"id": message_id, "bring": follows}, key=f"newest_question.{message_id}")
