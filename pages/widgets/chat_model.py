"""Which model answers in a conversation, and how it is to answer; chosen beside the question's field."""

from __future__ import annotations

import streamlit as st

from engine.errors import ProviderError
from pages.widgets.services import library
from pages.widgets.texts import t

_LONGEST = 2000
_KEPT_S = 300


def chosen(conversation: str | None) -> tuple[str, str]:
    """Return the model ("" for the one that is set up) and the instructions of a conversation, None for a new one."""
    kept: tuple[str, str] = st.session_state.get(_key(conversation), ("", ""))
    return kept


def carry(conversation: str) -> None:
    """Let a new conversation keep what was chosen before it was begun."""
    st.session_state[_key(conversation)] = st.session_state.pop(_key(None), ("", ""))


def choose(conversation: str | None) -> None:
    """Draw the popover where a model is set up."""
    llm = library().settings.llm
    if not llm.configured:
        return
    model, instructions = chosen(conversation)
    usual = llm.model or t("chat.model.usual")
    with st.popover(model or usual, type="tertiary", icon=":material/smart_toy:", help=t("chat.model.help")):
        names = ["", *dict.fromkeys([*_models(llm.api_base), *([model] if model else [])])]
        picked = st.selectbox(
            t("chat.model.label"), names, index=names.index(model), key=f"{_key(conversation)}.model",
            format_func=lambda name: name or usual,
        )  # fmt: skip
        told = st.text_area(
            t("chat.model.instructions"), instructions, key=f"{_key(conversation)}.instructions", max_chars=_LONGEST,
            placeholder=t("chat.model.instructions.example"),
        )  # fmt: skip
    if (picked, told) != (model, instructions):
        st.session_state[_key(conversation)] = (picked, told)
        st.rerun()


def _key(conversation: str | None) -> str:
    return f"chat.model.{conversation or ''}"


@st.cache_data(show_spinner=False, max_entries=8, ttl=_KEPT_S)
def _models(address: str) -> list[str]:
    """Return the models that the endpoint lists; none where it cannot be reached."""
    llm = library().llm
    try:
        return llm.models() if llm else []
    except ProviderError:
        return []
