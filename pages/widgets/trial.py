"""Settings to try: a form for what decides a search, kept for the session and saved only when asked to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.config import Settings
from engine.settings_sources import with_changes
from pages.widgets import access
from pages.widgets.buttons import button
from pages.widgets.messages import carry_out, tell_next
from pages.widgets.services import library
from pages.widgets.setting_field import info_of, limits_of, value_of
from pages.widgets.texts import t

_CHANGES = "trial.changes"
_METHOD = "retrieval.fusion.method"
METHODS = ("weighted", "rrf")
WEIGHTS = (
    "fusion.dense", "fusion.bm25f", "fusion.together", "fusion.tree_prior", "fusion.intent_bonus",
    "fusion.statement", "fusion.reading",
)  # fmt: skip
WALK = ("expansion.parent", "expansion.siblings", "expansion.children", "expansion.same_page")
RECALL = ("k_dense", "k_sparse", "k_rerank", "k_read", "top_k", "window")
TOGGLES = ("translate", "formal_words", "feedback")
LARGEST = 1000
STEP = 0.05


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
        entered = _fields(settings, stamp)
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


def _fields(settings: Settings, stamp: str) -> dict[str, Any]:
    entered: dict[str, Any] = {}
    st.markdown(f"**{t('trial.weights')}**")
    entered[_METHOD] = st.selectbox(
        t("trial.fusion.method"), METHODS, METHODS.index(value_of(settings, _METHOD)),
        format_func=lambda method: t(f"trial.method.{method}"), key=f"trial.method.{stamp}",
    )  # fmt: skip
    for heading, names in ((None, WEIGHTS), ("trial.walk", WALK), ("trial.recall", RECALL)):
        if heading:
            st.markdown(f"**{t(heading)}**")
        with st.grid(2, min_column_width=120, gap="small"):
            for name in names:
                entered[f"retrieval.{name}"] = _number(settings, name, stamp)
    for name in TOGGLES:
        given = value_of(settings, f"retrieval.{name}")
        entered[f"retrieval.{name}"] = st.toggle(t(f"trial.{name}"), given, key=f"trial.{name}.{stamp}")
    entered["rerank.enabled"] = st.toggle(
        t("trial.rerank"), settings.rerank.enabled, key=f"trial.rerank.{stamp}", help=t("trial.rerank.help")
    )
    return entered


def _number(settings: Settings, name: str, stamp: str) -> float | int:
    value = value_of(settings, f"retrieval.{name}")
    low, high = bounds(name)
    share = isinstance(value, float)
    given = st.number_input(
        t(f"trial.{name}"), low, high, min(max(value, low), high), step=STEP if share else 1,
        format="%.2f" if share else "%d", key=f"trial.{name}.{stamp}",
    )  # fmt: skip
    # A value that has more digits than the field shows stays what it was.
    return value if given is None or _same(round(value, 2), given) else given


def bounds(name: str) -> tuple[Any, Any]:
    """Return the least and the greatest value of a setting below ``retrieval``; fields without an end stop at 1000."""
    info = info_of(f"retrieval.{name}")
    number: Any = info.annotation
    limits = limits_of(info)
    return number(limits.get("ge", 0)), number(limits.get("le", LARGEST))


def _same(one: Any, other: Any) -> bool:
    return abs(one - other) < 1e-6 if isinstance(one, float) else bool(one == other)


def _try(entered: Mapping[str, Any]) -> None:
    settings = library().settings
    changed = {name: value for name, value in entered.items() if not _same(value_of(settings, name), value)}

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
