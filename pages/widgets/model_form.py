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
from pages.widgets import local_models
from pages.widgets.endpoint_form import store, tell, wrong_address
from pages.widgets.messages import said
from pages.widgets.sanitize import plain
from pages.widgets.services import library, overriding_variables
from pages.widgets.texts import t

_FIELDS = ("api_base", "api_key", "model")


def show() -> None:
    """Draw the form and do what its buttons say."""
    saved = library().settings.llm
    st.caption(t("settings.model.help"))
    _state(saved)
    with st.form("settings.model", border=False):
        base = st.text_input(t("settings.base"), saved.api_base, placeholder=t("settings.base.placeholder"))
        problem = st.empty()
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
        store("llm", saved, dict.fromkeys(_FIELDS, ""))
    elif (save or test) and (wrong := wrong_address(entered.api_base)):
        problem.markdown(f":red[:material/error: {wrong}]")
    elif save or test:
        if saved.api_key and not entered.api_key and entered.api_base != saved.api_base:
            st.caption(f":material/info: {t('settings.key.again')}")
        if test:
            try:
                _try(entered)
            except DropQAError as error:
                st.error(said(error))
        else:
            _save(saved, entered)
    local_models.button()
    # A key saved for another address does not go along.
    local_models.offer(lambda one: _save(saved, _entered(saved, one["api_base"], "", one["model"])))


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


def _save(saved: LlmSettings, entered: LlmSettings) -> None:
    store("llm", saved, {name: getattr(entered, name) for name in _FIELDS})


def _try(entered: LlmSettings) -> None:
    """Ask the model for a word and tell what came of it; where none answers, look for one on this machine."""
    with st.spinner(t("settings.testing")):
        check = library().check_model(entered)
    tell(check)
    if check.ok:
        local_models.warn_of_short_context(entered)
    else:
        local_models.search()
