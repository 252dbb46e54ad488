"""How far a question is looked into: as it needs, by one search, in rounds; or that a report is wanted.

Chosen beside the question's field.
"""

from __future__ import annotations

import streamlit as st

from engine.answer.answerer import PATHS
from pages.widgets.services import library
from pages.widgets.texts import t

_PATH = "chat.path"
_ICONS = {"auto": "route", "direct": "bolt", "agent": "manage_search", "report": "edit_note"}
_REPORT = "report"


def path() -> str:
    """Return the path of the next question of this session: auto, direct or agent."""
    chosen = st.session_state.get(_PATH)
    return chosen if chosen in PATHS else "auto"


def wants_report() -> bool:
    """True where what is typed next is what a report is to be about; the choice holds for one."""
    return st.session_state.get(_PATH) == _REPORT and not library().rights


def begin_anew() -> None:
    """Go back to looking as far as a question needs."""
    st.session_state.pop(_PATH, None)


def choose() -> None:
    """Draw the popover; its label says what is chosen."""
    offered = PATHS if library().rights else (*PATHS, _REPORT)  # a report draws on everything
    now = _REPORT if wants_report() else path()
    with st.popover(t(f"chat.path.{now}"), type="tertiary", icon=f":material/{_ICONS[now]}:"):
        picked = st.radio(
            t("chat.path.label"), offered, index=offered.index(now), key=f"chat.path.{now}",
            format_func=lambda name: t(f"chat.path.{name}"),
            captions=[t(f"chat.path.{name}.help") for name in offered],
        )  # fmt: skip
    if picked != now:
        st.session_state[_PATH] = picked
        st.rerun()
