"""The form for the language model: address, key, model, a test, save, remove.

The saved key never goes back to the browser, and it is only ever sent to the address that it was saved
with: a new address needs its key again, so that nobody can have the key sent to a server of theirs. The same
holds for keys of kinds of work that use this address.
"""

from __future__ import annotations

import os

import streamlit as st

from engine.config import LlmSettings
from engine.errors import DropQAError
from engine.model import Check
from pages.widgets.messages import said
from pages.widgets.sanitize import plain
from pages.widgets.services import library, overriding_variables
from pages.widgets.texts import t

_SAVED = "settings.saved"


def show() -> None:
    """Draw the form and do what its buttons say."""
    saved = library().settings.llm
    st.caption(t("settings.model.help"))
    _state(saved)
    with st.form("settings.model", border=False):
        base = st.text_input(
            t("settings.base"), saved.api_base, placeholder=t("settings.base.placeholder"), type="url"
        )
        left, right = st.columns(2)
        key = left.text_input(
            t("settings.key"), "", type="password", autocomplete="new-password",
            placeholder=t("settings.key.saved") if saved.api_key else t("settings.key.none"),
        )  # fmt: skip
        name = right.text_input(t("settings.name"), saved.model, placeholder=t("settings.name.placeholder"))
        with st.container(horizontal=True):
            save = st.form_submit_button(t("settings.save"), type="primary")
            test = st.form_submit_button(t("settings.test"), icon=":material/network_check:")
            forget = saved.configured and st.form_submit_button(
                t("settings.forget"), type="tertiary", help=t("settings.forget.help")
            )
    entered = _entered(saved, (base or "").strip(), (key or "").strip(), (name or "").strip())
    if forget:
        _store({"llm.api_base": "", "llm.api_key": "", "llm.model": ""})
    elif save or test:
        if saved.api_key and not entered.api_key and entered.api_base != saved.api_base:
            st.caption(f":material/info: {t('settings.key.again')}")
        if test:
            try:
                with st.spinner(t("settings.testing")):
                    _tell(library().check_model(entered))
            except DropQAError as error:
                st.error(said(error))
        else:
            _store(_changes(saved, entered) | _keys_of_the_old_address(saved, entered))
    if st.session_state.pop(_SAVED, False):
        st.toast(t("settings.saved"), icon=":material/check:")


def _state(saved: LlmSettings) -> None:
    if saved.configured:
        model = plain(saved.model) or t("settings.model.first")
        st.badge(t("settings.model.on", model=model), color="green", icon=":material/check:")
    else:
        st.badge(t("settings.model.off"), color="gray")
    if names := overriding_variables(os.environ):
        st.caption(f":material/info: {t('settings.overridden', names=plain(', '.join(names)))}")


def _entered(saved: LlmSettings, base: str, key: str, name: str) -> LlmSettings:
    kept = saved.api_key if base == saved.api_base else ""
    return saved.model_copy(update={"api_base": base, "api_key": key or kept, "model": name})


def _changes(saved: LlmSettings, entered: LlmSettings) -> dict[str, str]:
    """Return only what differs, so that a key from the environment is never written to the disk."""
    fields = ("api_base", "api_key", "model")
    return {
        f"llm.{name}": getattr(entered, name)
        for name in fields
        if getattr(entered, name) != getattr(saved, name)
    }


def _keys_of_the_old_address(saved: LlmSettings, entered: LlmSettings) -> dict[str, str]:
    """Return what forgets the keys that kinds of work without an address of their own would take to a new one."""
    settings = library().settings
    own = {"indexing": settings.indexing, "summary": settings.summary}
    return {
        f"{section}.api_key": ""
        for section, endpoint in own.items()
        if entered.api_base != saved.api_base and endpoint.api_key and not endpoint.api_base
    }


def _store(changes: dict[str, str]) -> None:
    try:
        library().update_settings(changes)
    except DropQAError as error:
        st.error(said(error))
        return
    st.session_state[_SAVED] = True
    st.rerun()


def _tell(check: Check) -> None:
    if check.ok:
        st.success(said(check.detail), icon=":material/check_circle:")
    else:
        st.warning(f"{said(check.detail)}  \n{said(check.fix)}", icon=":material/error:")
