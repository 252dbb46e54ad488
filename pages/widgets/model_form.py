"""The language model: whether there is one, its form, and what else may be found on this machine."""

import os

import streamlit as st

from engine.config import LlmSettings
from engine.export.harmless import plain
from engine.providers.local_models import LocalServer, local_servers, ollama_context
from pages.widgets import access, endpoint_form
from pages.widgets.buttons import button
from pages.widgets.services import library
from pages.widgets.setting_field import overriding
from pages.widgets.texts import t

_FOUND, _SHORT = "settings.local.found", "settings.local.short"


def show() -> None:
    """Draw the form and the model servers of this machine, once they have been looked for."""
    saved = library().settings.llm
    st.caption(t("settings.model.help"))
    _state(saved)
    if tested := endpoint_form.show("llm", tested=True):
        works = tested.work.found is not None and tested.work.found.ok
        if tested.new and works:
            st.session_state[_SHORT] = _short_context(tested.endpoint)
        elif tested.new:
            _search()
        tested.new = False
        if works and (short := st.session_state.get(_SHORT)):
            st.warning(short, icon=":material/warning:")
    if button(t("local.search"), "local.search", "search"):
        _search()
    _offer(saved)


def _state(saved: LlmSettings) -> None:
    if saved.configured:
        model = plain(saved.model) or t("settings.model.first")
        st.badge(t("settings.model.on", model=model), color="green", icon=":material/check:")
    else:
        st.badge(t("settings.model.off"), color="gray")
    if names := sorted(v for one in endpoint_form.FIELDS for v in overriding(f"llm.{one}", os.environ)):
        st.caption(f":material/info: {t('settings.overridden', names=plain(', '.join(names)))}")


def _search() -> None:
    """Look for model servers on this machine; the page shows them from then on."""
    with st.spinner(t("local.searching")):
        st.session_state[_FOUND] = local_servers()


def _offer(saved: LlmSettings) -> None:
    """Draw what was found, each server with its models, one of which can take the place of what is saved."""
    found: list[LocalServer] | None = st.session_state.get(_FOUND)
    if found is None:
        return
    if not found:
        st.caption(f":material/info: {t('local.none')}")
    for number, server in enumerate(found):
        with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
            _server(number, server, saved)


def offer_running() -> None:
    """Draw the model servers that run on this machine, where no model is set up and whoever is here may choose one."""
    saved = library().settings.llm
    if saved.configured or not access.manages():
        return
    if running := [server for server in _running() if server.models]:
        st.caption(f":material/memory: {t('local.offer')}")
    for number, server in enumerate(running):
        with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small", width=560):
            _server(number, server, saved)


@st.cache_data(ttl=20, show_spinner=False)
def _running() -> list[LocalServer]:
    """Return what answers at once on this machine; what takes longer is found by the button in Settings."""
    return local_servers(seconds=0.3)


def _server(number: int, server: LocalServer, saved: LlmSettings) -> None:
    st.markdown(f"**{server.program}** · {plain(server.api_base)}", width="stretch")
    model: str | None = ""
    if server.models:
        model = st.selectbox(
            t("settings.name"), server.models, key=f"local.model.{number}", width=220, label_visibility="collapsed"
        )  # fmt: skip
    else:
        st.caption(t("local.locked" if server.locked else "local.no_model"), width="content")
    usable = server.locked or bool(server.models)
    if usable and st.button(t("local.use"), key=f"local.use.{number}", type="primary"):
        st.session_state.pop(_FOUND, None)
        # A key saved for another address does not go along.
        key = saved.api_key if server.api_base == saved.api_base else ""
        entered = {"api_base": server.api_base, "api_key": key, "model": model or ""}
        endpoint_form.store("llm", saved, entered)


def _short_context(tried: LlmSettings) -> str:
    """Tell where Ollama has loaded a model with less room than a question with its evidence takes; else ""."""
    settings = library().settings
    context = ollama_context(tried.api_base, tried.model) if tried.api_base and tried.model else None
    needed = settings.agent.tools.max_context_tokens + settings.llm.max_tokens
    if context is None or context >= needed:
        return ""
    return t("local.short_context", context=f"{context:,}", needed=f"{needed:,}", tokens=needed)
