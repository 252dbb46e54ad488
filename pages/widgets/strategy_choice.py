"""How uploads are indexed: the choice beside the drop zone."""

from __future__ import annotations

import streamlit as st

from engine.config import Strategy
from engine.index.strategies import STRATEGIES, WITHOUT_MODEL_NOTHING
from pages.widgets.services import library
from pages.widgets.texts import t

_CHOSEN = "uploads.strategy"


def name_of(strategy: str) -> str:
    """Return what a strategy is called."""
    return t(f"strategy.{strategy}")


def choose() -> None:
    """Draw the choice; what cannot be had without a model is named with the reason."""
    settings = library().settings
    missing = (
        []
        if settings.indexing_llm.configured
        else [one for one in STRATEGIES if one in WITHOUT_MODEL_NOTHING]
    )
    with st.popover(t("strategy.options"), icon=":material/account_tree:", type="tertiary"):
        chosen = st.selectbox(
            t("strategy.choose"), [one for one in STRATEGIES if one not in missing], index=None, key=_CHOSEN,
            format_func=name_of, placeholder=t("strategy.default", name=name_of(settings.indexing.strategy)),
        )  # fmt: skip
        st.caption(t(f"strategy.{chosen or settings.indexing.strategy}.help"))
        for one in missing:
            st.caption(f":material/lock: {t('strategy.needs_model', name=name_of(one))}")


def chosen() -> Strategy | None:
    """Return the strategy that was chosen; None for that of the settings."""
    found: Strategy | None = st.session_state.get(_CHOSEN)
    return found
