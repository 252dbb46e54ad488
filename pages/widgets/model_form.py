"""The language model: whether there is one, its form, and what else may be found on this machine."""

from __future__ import annotations

import os
from collections.abc import Mapping

import streamlit as st

from engine.config import LlmSettings
from engine.export.harmless import plain
from pages.widgets import endpoint_form, local_models
from pages.widgets.services import library, overriding_variables
from pages.widgets.texts import t


def show() -> None:
    """Draw the form and the model servers of this machine, once they have been looked for."""
    saved = library().settings.llm
    st.caption(t("settings.model.help"))
    _state(saved)
    if tested := endpoint_form.show("llm", tested=True):
        if tested.check.ok:
            local_models.warn_of_short_context(tested.endpoint)
        else:
            local_models.search()
    local_models.button()

    def use(found: Mapping[str, str]) -> None:  # a key saved for another address does not go along
        key = saved.api_key if found["api_base"] == saved.api_base else ""
        endpoint_form.store("llm", saved, {**found, "api_key": key})

    local_models.offer(use)


def _state(saved: LlmSettings) -> None:
    if saved.configured:
        model = plain(saved.model) or t("settings.model.first")
        st.badge(t("settings.model.on", model=model), color="green", icon=":material/check:")
    else:
        st.badge(t("settings.model.off"), color="gray")
    if names := overriding_variables(os.environ):
        st.caption(f":material/info: {t('settings.overridden', names=plain(', '.join(names)))}")
