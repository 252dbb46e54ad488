"""Further endpoints by name, whose models conversations may choose: what is there, and a form for one more."""

from __future__ import annotations

import streamlit as st

from engine.errors import DropQAError
from pages.widgets.endpoint_form import wrong_address
from pages.widgets.messages import said
from pages.widgets.sanitize import plain
from pages.widgets.services import library
from pages.widgets.texts import t

_FIELDS = ("api_base", "api_key", "model")


def show() -> None:
    """Draw the endpoints and the form; a key that was saved is never shown."""
    for name, own in library().settings.endpoints.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f"**{plain(name)}** · {plain(own.api_base)} · {plain(own.model)}".rstrip(" ·"),
                width="stretch",
            )
            st.button(
                t("endpoints.remove"), key=f"endpoints.remove.{name}", type="tertiary", icon=":material/close:",
                on_click=_remove, args=(name,),
            )  # fmt: skip
    with st.form("endpoints.add", border=False, clear_on_submit=False):
        with st.grid(2, min_column_width=230, gap="small"):
            name = st.text_input(t("endpoints.name"), key="endpoints.name", placeholder="openrouter")
            base = st.text_input(
                t("settings.base"), key="endpoints.base", placeholder="http://localhost:1234/v1"
            )
            key = st.text_input(
                t("settings.key"), key="endpoints.key", type="password", autocomplete="new-password",
                placeholder=t("settings.key.none"),
            )  # fmt: skip
            model = st.text_input(
                t("settings.name"), key="endpoints.model", placeholder=t("settings.name.placeholder")
            )
        problem = st.empty()
        if not st.form_submit_button(t("endpoints.add"), key="endpoints.add.submit", icon=":material/add:"):
            return
    name, base = (name or "").strip().lower(), (base or "").strip()
    if wrong := (None if base else t("endpoint.address")) or wrong_address(base):
        problem.markdown(f":red[:material/error: {wrong}]")
    elif (told := _save(name, base, (key or "").strip(), (model or "").strip())) is not None:
        problem.markdown(f":red[:material/error: {told}]")
    else:
        st.session_state["setting.saved"] = True
        st.rerun()


def _remove(name: str) -> None:
    if told := _save(name, "", "", ""):
        st.toast(told, icon=":material/error:")


def _save(name: str, *values: str) -> str | None:
    """Keep an endpoint; without an address it is none any more. Return why it cannot be kept, if so."""
    try:
        library().update_settings(
            {f"endpoints.{name}.{field}": value for field, value in zip(_FIELDS, values, strict=True)}
        )
    except DropQAError as error:
        return said(error)
    return None
