"""How uploads are indexed: the choice beside the drop zone, and what it costs before it starts."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from engine.config import Strategy
from engine.enrich.index_texts import Estimate
from engine.errors import UnreadableFileError
from engine.index.strategies import BY_MODEL, STRATEGIES, WITHOUT_MODEL_NOTHING
from engine.ingest import Source
from engine.parse.filename import clean_name
from pages.widgets import setting_costs
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


def costs(strategy: Strategy | None) -> bool:
    """Tell whether uploads ask a language model."""
    settings = library().settings
    return settings.indexing_llm.configured and (strategy or settings.indexing.strategy) in BY_MODEL


def confirm(sources: Sequence[Source], start: Callable[[], None], leave: Callable[[], None]) -> None:
    """Tell what indexing some files asks of the model, and start it or leave it."""

    @st.dialog(t("strategy.cost.title"), on_dismiss=leave)
    def dialog() -> None:
        budget = library().settings.indexing
        with st.spinner(t("strategy.cost.counting")):
            told = _estimate(sources)
        figures = (told.calls, told.prompt_tokens, told.completion_tokens)
        calls, sent, replied = (f"{figure:,}" for figure in figures)
        st.markdown(t("strategy.cost", calls=calls, sent=sent, replied=replied))
        money = setting_costs.cost_of(
            library().settings.indexing_llm, told.prompt_tokens, told.completion_tokens
        )
        if money is not None:
            st.markdown(t("strategy.cost.money", cost=setting_costs.told(money)))
        st.caption(t("strategy.cost.budget", calls=f"{budget.max_calls:,}", tokens=f"{budget.max_tokens:,}"))
        with st.container(horizontal=True, horizontal_alignment="right"):
            if st.button(t("documents.cancel"), key="strategy.cancel"):
                leave()
                st.rerun()
            if st.button(t("strategy.start"), key="strategy.start", type="primary"):
                start()
                st.rerun()

    dialog()


def _estimate(sources: Sequence[Source]) -> Estimate:
    settings = library().settings
    total = Estimate(sources[0].strategy or settings.indexing.strategy)
    with tempfile.TemporaryDirectory() as folder:
        for number, source in enumerate(sources):
            strategy = source.strategy or settings.indexing.strategy
            path = Path(folder) / f"{number}{Path(clean_name(source.name)).suffix}"
            path.write_bytes(source.data if isinstance(source.data, bytes) else source.data.read_bytes())
            try:
                total += library().estimate(path, strategy)
            except UnreadableFileError:
                continue  # it costs nothing, and is told when it is added
    return total
