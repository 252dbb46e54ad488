"""How far a question is looked into: as it needs, by one search, or in rounds; chosen beside the question's field."""

from __future__ import annotations

import streamlit as st

from engine.answer.answerer import PATHS
from pages.widgets.texts import t

_PATH = "chat.path"
_ICONS = {"auto": ":material/route:", "direct": ":material/bolt:", "agent": ":material/manage_search:"}


def path() -> str:
    """Return the path of the next question of this session: auto, direct or agent."""
    chosen = st.session_state.get(_PATH)
    return chosen if chosen in PATHS else "auto"


def choose() -> None:
    """Draw the popover; its label says what is chosen."""
    now = path()
    with st.popover(t(f"chat.path.{now}"), type="tertiary", icon=_ICONS[now]):
        picked = st.radio(
            t("chat.path.label"), PATHS, index=PATHS.index(now), key=f"chat.path.{now}",
            format_func=lambda name: t(f"chat.path.{name}"),
            captions=[t(f"chat.path.{name}.help") for name in PATHS],
        )  # fmt: skip
    if picked != now:
        st.session_state[_PATH] = picked
        st.rerun()
