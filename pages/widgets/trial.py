"""Settings to try: a form for what decides a search, kept for the session and saved only when asked to."""

from collections.abc import Mapping
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.config import Settings
from engine.settings_sources import with_changes
from pages.widgets import access
from pages.widgets.buttons import button, carry_out, tell_next
from pages.widgets.services import library
from pages.widgets.setting_field import entry, value_of
from pages.widgets.texts import t

_CHANGES = "trial.changes"
# What can be tried, below its headings.
TRIED = {
    "trial.weights": (
        "retrieval.fusion.dense", "retrieval.fusion.bm25f", "retrieval.fusion.together",
        "retrieval.fusion.tree_prior", "retrieval.fusion.intent_bonus", "retrieval.fusion.statement",
        "retrieval.fusion.reading",
    ),
    "lab.stage.expand": (
        "retrieval.expansion.parent", "retrieval.expansion.siblings", "retrieval.expansion.children",
        "retrieval.expansion.same_page",
    ),
    "trial.recall": (
        "retrieval.k_dense", "retrieval.k_sparse", "retrieval.k_rerank", "retrieval.k_read", "retrieval.top_k",
        "retrieval.window", "retrieval.translate", "retrieval.formal_words", "rerank.enabled",
    ),
}  # fmt: skip


def changes() -> dict[str, Any]:
    """Return what is tried: dotted names to values, only those that differ from the settings in force."""
    return dict(st.session_state.get(_CHANGES) or {})


def tried() -> Settings | None:
    """Return the settings that are tried, None when none are."""
    changed = changes()
    return with_changes(library().settings, changed) if changed else None


def state() -> None:
    """Draw one line that says that other settings are tried, if they are."""
    if count := len(changes()):
        st.badge(t("trial.on", count=count), color="blue", icon=":material/science:")


def beside() -> DeltaGenerator:
    """Draw the form in a column of its own where it is switched on, and return where the page goes on."""
    if not st.session_state.get("lab.settings"):
        return st.container()
    side, main = st.columns([4, 9], gap="medium")
    with side:
        form()
    return main


def form() -> None:
    """Draw the form with its buttons."""
    settings = tried() or library().settings
    # The fields take up new values only under new names.
    stamp = str(sorted(changes().items()))
    st.subheader(t("trial.title"), anchor=False)
    st.caption(t("trial.help"))
    with st.form("trial", border=False):
        entered: dict[str, Any] = {}
        for heading, names in TRIED.items():
            st.markdown(f"**{t(heading)}**")
            with st.grid(2, min_column_width=160, gap="small"):
                for name in names:
                    entered[name] = entry(name, value_of(settings, name), f"trial.{name}.{stamp}")
        submitted = st.form_submit_button(t("trial.try"), type="primary", width="stretch")
    if submitted:
        _try(entered)
    if changes():
        decide("stretch")


def decide(width: Literal["content", "stretch"] = "content") -> None:
    """Draw the buttons that make what is tried the settings in force, and that forget it."""
    suffix = ".compared" if width == "content" else ""
    with st.container(horizontal=width == "content", gap="small"):
        if access.manages():
            button(t("trial.use"), f"trial.use{suffix}", "check", _use, type="secondary", width=width)
        button(t("trial.reset"), f"trial.reset{suffix}", "", _reset, width=width)


def _try(entered: Mapping[str, Any]) -> None:
    settings = library().settings
    now = {name: value_of(settings, name) for name in entered}
    # What has the digits that its field shows is not another value.
    seen = {name: round(value, 2) if isinstance(value, float) else value for name, value in now.items()}
    changed = {n: value for n, value in entered.items() if value is not None and seen[n] != value != now[n]}

    def take() -> None:
        with_changes(settings, changed)
        st.session_state[_CHANGES] = changed

    carry_out(take)


def _use() -> None:
    library().update_settings(changes())
    _reset()
    tell_next(t("trial.used"))


def _reset() -> None:
    st.session_state.pop(_CHANGES, None)
