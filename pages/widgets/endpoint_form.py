"""The form of an endpoint beside the language model: vision, embeddings, reranking, a model for a kind of work.

Like the model's own: a saved key is never shown, stays with its address, and is forgotten with it. What is left empty
for a kind of work is that of the language model.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

import streamlit as st

from engine.config import LlmSettings, OwnModelSettings
from engine.errors import DropQAError
from engine.model import Check
from pages.widgets.messages import said
from pages.widgets.services import library
from pages.widgets.setting_field import value_of
from pages.widgets.texts import t


def show(section: str, *, tested: bool = False) -> None:
    """Draw address, key and model of ``section``; with ``tested`` a button asks the endpoint for one word."""
    saved = value_of(library().settings, section)
    llm = library().settings.llm
    inherits = isinstance(saved, OwnModelSettings)
    no_key = t("endpoint.inherited" if inherits and not saved.api_base else "settings.key.none")
    with st.form(f"endpoint.{section}", border=False):
        base = st.text_input(
            t("settings.base"), saved.api_base, key=f"{section}.base.{saved.api_base}",
            placeholder=t("endpoint.inherited") if inherits else "http://localhost:11434/v1",
        )  # fmt: skip
        problem = st.empty()
        with st.grid(2, min_column_width=230, gap="small"):
            key = st.text_input(
                t("settings.key"), "", type="password", autocomplete="new-password", key=f"{section}.key",
                placeholder=t("settings.key.saved") if saved.api_key else no_key,
            )  # fmt: skip
            name = st.text_input(
                t("settings.name"), saved.model, key=f"{section}.model.{saved.model}",
                placeholder=t("endpoint.inherited") if inherits else "",
            )  # fmt: skip
        with st.container(horizontal=True):
            save = st.form_submit_button(t("settings.save"), key=f"{section}.save")
            test = tested and st.form_submit_button(
                t("settings.test"), icon=":material/network_check:", key=f"{section}.test"
            )
            own = saved.api_base or (inherits and saved.model)
            forget = own and st.form_submit_button(
                t("endpoint.forget"), type="tertiary", key=f"{section}.forget"
            )
    base, key, name = (base or "").strip(), (key or "").strip(), (name or "").strip()
    kept = saved.api_key if base == saved.api_base else ""
    entered = {"api_base": base, "api_key": key or kept, "model": name}
    if forget:
        store(section, saved, dict.fromkeys(("api_base", "api_key", *(["model"] if inherits else [])), ""))
    elif (save or test) and (wrong := wrong_address(base)):
        problem.markdown(f":red[:material/error: {wrong}]")
    elif test:
        tried = OwnModelSettings(**entered).inheriting(llm) if inherits else LlmSettings(**entered)
        try:
            with st.spinner(t("settings.testing")):
                check = library().check_model(tried)
        except DropQAError as error:
            st.error(said(error))
            return
        tell(check)
    elif save:
        store(section, saved, entered)


def tell(check: Check) -> None:
    """Draw what came of asking an endpoint for a word."""
    if check.ok:
        st.success(said(check.detail), icon=":material/check_circle:")
    else:
        st.warning(f"{said(check.detail)}  \n{said(check.fix)}", icon=":material/error:")


def wrong_address(base: str) -> str | None:
    """Return what is wrong with an endpoint's address; an empty one stands for none and is right."""
    if not base:
        return None
    try:
        parts = urlsplit(base)
        right = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        right = False
    return None if right else t("endpoint.address")


def store(section: str, saved: LlmSettings | OwnModelSettings, entered: Mapping[str, str]) -> None:
    """Save what differs, so that a key from the environment is never written to the disk.

    Another address takes no key over by itself, so one that was typed with it is saved also where it is the old one.
    """
    moved = entered["api_base"] != saved.api_base
    changed = {what: v for what, v in entered.items() if v != getattr(saved, what) or (moved and v)}
    try:
        library().update_settings({f"{section}.{what}": v for what, v in changed.items()})
    except DropQAError as error:
        st.error(said(error))
        return
    st.session_state["setting.saved"] = True
    st.rerun()
