"""Further endpoints by name, whose models conversations may choose: what is there, and a form for one more."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from engine.config import OwnModelSettings
from engine.errors import DropQAError
from engine.export.harmless import plain
from pages.widgets.buttons import button
from pages.widgets.endpoint_form import FIELDS, inputs, wrong_address
from pages.widgets.messages import said, tell_next
from pages.widgets.services import library
from pages.widgets.texts import t


def show() -> None:
    """Draw the endpoints and the form; a key that was saved is never shown."""
    for name, own in library().settings.endpoints.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f"**{plain(name)}** · {plain(own.api_base)} · {plain(own.model)}".rstrip(" ·"),
                width="stretch",
            )
            button(t("endpoints.remove"), f"endpoints.remove.{name}", "close", _remove, name)
    with st.form("endpoints.add", border=False, clear_on_submit=False):
        name = st.text_input(t("endpoints.name"), key="endpoints.name", placeholder="openrouter")
        entered, problem = inputs("endpoints", OwnModelSettings())
        if not st.form_submit_button(t("endpoints.add"), key="endpoints.add.submit", icon=":material/add:"):
            return
    base = entered["api_base"]
    wrong = wrong_address(base) if base else t("endpoint.address")
    if wrong := wrong or _save((name or "").strip().lower(), entered):
        problem.markdown(f":red[:material/error: {wrong}]")
    else:
        tell_next(t("settings.saved"))
        st.rerun()


def _remove(name: str) -> None:
    if told := _save(name, dict.fromkeys(FIELDS, "")):
        st.toast(told, icon=":material/error:")


def _save(name: str, values: Mapping[str, str]) -> str | None:
    """Keep an endpoint; without an address it is none any more. Return why it cannot be kept, if so."""
    try:
        library().update_settings({f"endpoints.{name}.{field}": value for field, value in values.items()})
    except DropQAError as error:
        return said(error)
    return None
