"""The form of an endpoint: the language model, vision, embeddings, reranking, a model for a kind of work; further ones.

A saved key never goes back to the browser, and it is only ever sent to the address that it was saved with: a new
address needs its key again, so that nobody can have the key sent to a server of theirs. It is forgotten with its
address. What is left empty for a kind of work is that of the language model. What else may be found on this machine is
offered.
"""

import os
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from urllib.parse import urlsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.config import EndpointSettings, LlmSettings, OwnModelSettings
from engine.export.harmless import plain
from engine.model import Check
from engine.providers.local_models import LocalServer, local_servers, ollama_context
from pages.widgets import access
from pages.widgets.background import Background
from pages.widgets.buttons import button, carry_out, tell_next
from pages.widgets.fragments import follow
from pages.widgets.services import library
from pages.widgets.setting_field import overriding, value_of
from pages.widgets.texts import said, t

_FOUND, _SHORT = "settings.local.found", "settings.local.short"
Endpoint = LlmSettings | OwnModelSettings
FIELDS = ("api_base", "api_key", "model")
_NAMED, _TEST = "endpoints.", "endpoint.test."
# So long, in seconds, a page waits for a test; then it goes on, and the test beside it.
_WAIT_S = 1
_EXAMPLE, _EXAMPLES = "http://localhost:11434/v1", {"web_search": "http://localhost:8888"}


def language_model() -> None:
    """Draw the form and the model servers of this machine, once they have been looked for."""
    saved = library().settings.llm
    st.caption(t("settings.model.help"))
    _state(saved)
    if tested := show("llm", tested=True):
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
    if names := sorted(v for one in FIELDS for v in overriding(f"llm.{one}", os.environ)):
        st.caption(f":material/info: {t('settings.overridden', names=plain(', '.join(names)))}")


def _search() -> None:
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
        st.caption(f":material/memory: {t('local.offer')}", text_alignment="center")
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
        store("llm", saved, entered)


def _short_context(tried: LlmSettings) -> str:
    """Tell where Ollama has loaded a model with less room than a question with its evidence takes; else ""."""
    settings = library().settings
    context = ollama_context(tried.api_base, tried.model) if tried.api_base and tried.model else None
    needed = settings.agent.tools.max_context_tokens + settings.llm.max_tokens
    if context is None or context >= needed:
        return ""
    return t("local.short_context", context=f"{context:,}", needed=f"{needed:,}", tokens=needed)


@dataclass
class Tested:
    """An endpoint that is asked for a word, beside the page; what came of it is ``new`` as long as a page says so."""

    entered: Mapping[str, str]
    endpoint: LlmSettings
    work: Background[Check]
    new: bool = True


def show(section: str, *, tested: bool = False) -> Tested | None:
    """Draw address, key and model of ``section`` and do what the buttons say.

    With ``tested`` one of them asks the endpoint for a word, in the background; what came of it is drawn and returned,
    until something else is saved or asked.
    """
    settings = library().settings
    saved: Endpoint
    if section.startswith(_NAMED):  # of a name that is new, nothing is saved
        saved = settings.endpoints.get(section.removeprefix(_NAMED), OwnModelSettings())
    else:
        saved = value_of(settings, section)
    with st.form(f"endpoint.{section}", border=False):
        entered, problem = _inputs(section, saved)
        with st.container(horizontal=True):
            pressed = _pressed(section, saved, tested=tested)
    if pressed == "forget":
        entered = dict.fromkeys(entered, "")
    elif pressed and (wrong := wrong_address(entered["api_base"], needed=section.startswith(_NAMED))):
        problem.markdown(f":red[:material/error: {wrong}]")
        pressed = ""
    if pressed == "test":
        _begin(section, saved, entered)
    elif pressed:
        if (test := st.session_state.get(_TEST + section)) and test.entered != entered:
            del st.session_state[_TEST + section]
        store(section, saved, entered)
    return _outcome(section, wait=pressed == "test") if tested else None


def _pressed(section: str, saved: Endpoint, *, tested: bool) -> str:
    """Draw the buttons; return which was pressed, "save", "test" or "forget", or "" for none."""
    main = section == "llm"
    own = saved.api_base or (isinstance(saved, OwnModelSettings) and saved.model)
    pressed = {
        "save": st.form_submit_button(
            t("settings.save"), key=f"{section}.save", type="primary" if main else "secondary"
        ),
        "test": tested and st.form_submit_button(
            t("settings.test"), icon=":material/network_check:", key=f"{section}.test"
        ),
        "forget": own and st.form_submit_button(
            t("settings.forget" if main else "endpoint.forget"), type="tertiary", key=f"{section}.forget",
            help=t("settings.forget.help") if main else None,
        ),
    }  # fmt: skip
    return next((name for name, down in pressed.items() if down), "")


def named() -> None:
    """Draw the further endpoints by name, whose models conversations may choose, and the form for one more."""
    known = library().settings.endpoints
    for name in known:
        with st.expander(plain(name), type="compact"):
            show(_NAMED + name, tested=True)
    new = st.text_input(t("endpoints.add"), key="endpoints.name", placeholder="openrouter")
    if (name := (new or "").strip().lower()) and name not in known:
        show(_NAMED + name, tested=True)


def _inputs(section: str, saved: Endpoint) -> tuple[dict[str, str], DeltaGenerator]:
    """Draw the fields; return what is meant by what stands in them, and where to tell what is wrong with it."""
    hints = _hints(section, saved)
    base = st.text_input(
        t("settings.base"), saved.api_base, key=f"{section}.base.{saved.api_base}", placeholder=hints["api_base"],
    )  # fmt: skip
    problem = st.empty()
    with st.grid(2, min_column_width=230, gap="small"):
        key = st.text_input(
            t("settings.key"), "", type="password", autocomplete="new-password", key=f"{section}.key",
            placeholder=hints["api_key"],
        )  # fmt: skip
        base = (base or "").strip()
        kept = saved.api_key if base == saved.api_base else ""
        entered = {"api_base": base, "api_key": (key or "").strip() or kept}
        if isinstance(saved, EndpointSettings):
            model = st.text_input(
                t("settings.name"), saved.model, key=f"{section}.model.{saved.model}", placeholder=hints["model"],
            )  # fmt: skip
            entered["model"] = model.strip()
    return entered, problem


def _hints(section: str, saved: Endpoint) -> dict[str, str]:
    inherits = isinstance(saved, OwnModelSettings) and not section.startswith(_NAMED)
    example = t("settings.base.placeholder") if section == "llm" else _EXAMPLES.get(section, _EXAMPLE)
    no_key = t("endpoint.inherited" if inherits and not saved.api_base else "settings.key.none")
    return {
        "api_base": t("endpoint.inherited") if inherits else example,
        "api_key": t("settings.key.saved") if saved.api_key else no_key,
        "model": t("endpoint.inherited" if inherits else "settings.name.placeholder"),
    }


def _begin(section: str, saved: Endpoint, entered: Mapping[str, str]) -> None:
    if saved.api_key and not entered["api_key"]:
        st.caption(f":material/info: {t('settings.key.again')}")
    asked = library()
    if section == "llm":
        tried = asked.settings.llm.model_copy(update=entered)
    elif isinstance(saved, OwnModelSettings):
        tried = OwnModelSettings(**entered).inheriting(asked.settings.llm)
    else:
        tried = LlmSettings(**entered)
    st.session_state[_TEST + section] = Tested(entered, tried, Background(lambda _: asked.check_model(tried)))


def _outcome(section: str, *, wait: bool) -> Tested | None:
    """Draw how far a test is; ``wait`` a moment for its end, which mostly comes soon."""
    test: Tested | None = st.session_state.get(_TEST + section)
    if test is None:
        return None
    with st.spinner(t("settings.testing")) if wait else nullcontext():
        ended = test.work.ended(_WAIT_S if wait else 0)
    if not ended:
        follow(test.work.ended, lambda: st.caption(f":shimmer[{t('settings.testing')}]"), "0.5s")
        return None
    check = test.work.found
    if check is None:
        st.error(said(test.work.problem))
        return None
    if check.ok:
        st.success(said(check.detail), icon=":material/check_circle:")
    else:
        st.warning(f"{said(check.detail)}  \n{said(check.fix)}", icon=":material/error:")
    return test


def wrong_address(base: str, *, needed: bool = False) -> str | None:
    """Return what is wrong with an endpoint's address; an empty one stands for none, right where none is ``needed``."""
    if not base and not needed:
        return None
    try:
        parts = urlsplit(base)
        right = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        right = False
    return None if right else t("endpoint.address")


def store(section: str, saved: Endpoint, entered: Mapping[str, str]) -> None:
    """Save what differs, so that a key from the environment is never written to the disk.

    Another address takes no key over by itself, so one that was typed with it is saved also where it is the old one.
    """
    moved = entered["api_base"] != saved.api_base
    changed = {what: v for what, v in entered.items() if v != getattr(saved, what) or (moved and v)}

    def save() -> None:
        library().update_settings({f"{section}.{what}": v for what, v in changed.items()})
        tell_next(t("settings.saved"))

    carry_out(save)
