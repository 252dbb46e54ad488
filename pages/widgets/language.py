"""The language of the interface: the browser's at first, then the one chosen, remembered in a cookie."""

from typing import Literal

import streamlit as st

from pages.widgets.buttons import button
from pages.widgets.frontend import component

Language = Literal["en", "zh"]
COOKIE = "dropqa_language"
YEAR_AND_MORE = 34_560_000
_CHOSEN = "language.chosen"
_NAMES: dict[Language, str] = {"en": "English", "zh": "中文"}

# A script run cannot set a cookie; the page itself can.
_cookie = component("language")


def current() -> Language:
    """Return the language of this session."""
    chosen = st.session_state.get(_CHOSEN) or st.context.cookies.get(COOKIE)
    if chosen not in _NAMES:
        chosen = str(st.context.locale or "").lower()[:2]
    return "zh" if chosen == "zh" else "en"


def switch() -> None:
    """Draw the button that changes to the other language."""
    other: Language = "en" if current() == "zh" else "zh"
    button(_NAMES[other], "language.switch", "translate", st.session_state.update, {_CHOSEN: other})
    if chosen := st.session_state.get(_CHOSEN):
        remember(COOKIE, chosen)


def remember(name: str, value: str, seconds: int = YEAR_AND_MORE) -> None:
    """Have the browser keep a cookie for so long; ``value`` holds only letters, digits and ``%.-_``."""
    _cookie({"name": name, "value": value, "seconds": seconds}, f"remember.{name}")
