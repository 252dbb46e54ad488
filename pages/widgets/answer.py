"""How an answer looks: its text with citation marks, the sources, badges, remarks and the folded trace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from engine.model import Answer, Citation, TraceStep
from pages.widgets.sanitize import plain, safe_markdown
from pages.widgets.sources import address_of, sources
from pages.widgets.texts import t

CONFIDENCE_COLOURS: dict[str, Any] = {"high": "green", "medium": "blue", "low": "gray"}


def show_answer(answer: Answer, key: str) -> None:
    """Draw a finished answer; ``key`` names it within the page."""
    if answer.reasoning_trace:
        show_trace(answer.reasoning_trace, answer.timings_ms.get("total", 0) / 1000)
    if not answer.answered:
        _not_answered(answer, key)
        return
    st.markdown(marked(answer.answer, answer.sources))
    if answer.sources:
        sources(answer.sources, label=t("answer.sources"), key=f"sources.{key}")
    _badges(answer)
    _warnings(answer.warnings)


def show_trace(steps: Sequence[TraceStep], seconds: float) -> None:
    """Draw the folded steps on the way to an answer."""
    label = t("answer.trace", steps=len(steps), seconds=f"{seconds:.1f}")
    with st.expander(label, type="compact"):
        for step in steps:
            show_step(step)


def show_step(step: TraceStep) -> None:
    """Draw one step."""
    with st.status(t(f"step.{step.type}"), type="step", state="complete"):
        st.markdown(safe_markdown(step.content))
        query = str((step.params or {}).get("query") or "")
        facts = [part for part in (step.tool, f"“{query}”" if query else "", step.result_summary) if part]
        if facts:
            st.caption(plain(" · ".join(facts)))


def marked(text: str, sources: Sequence[Citation]) -> str:
    """Return an answer's text as safe Markdown, its marks ``[n]`` linked to their places."""
    by_number = {source.n: source for source in sources}

    def mark(number: int) -> str:
        source = by_number.get(number)
        if source is None:
            return f"[{number}]"
        return f"[:blue-badge[{number}]]({address_of(source)})"

    return safe_markdown(text, mark)


def _badges(answer: Answer) -> None:
    with st.container(horizontal=True, gap="xsmall"):
        st.badge(
            t(f"answer.confidence.{answer.confidence}"),
            color=CONFIDENCE_COLOURS[answer.confidence],
            help=t("answer.confidence.help"),
        )
        for kind in (f"answer.engine.{answer.engine}", f"answer.mode.{answer.mode}"):
            st.badge(t(kind), color="gray", help=t(f"{kind}.help"))


def _warnings(warnings: Sequence[str]) -> None:
    if not warnings:
        return
    count = len(warnings)
    label = t("answer.warnings.one") if count == 1 else t("answer.warnings", count=count)
    with st.expander(label, type="compact", icon=":material/info:"):
        for warning in warnings:
            st.markdown(plain(warning))


def _not_answered(answer: Answer, key: str) -> None:
    with st.container(border=True):
        st.markdown(f"**:material/search_off: {t('answer.not_found')}**")
        st.markdown(marked(answer.answer, answer.sources))
        if answer.sources:
            sources(answer.sources, label=t("answer.nearest"), key=f"sources.{key}")
        st.caption(t("answer.not_found.help"))
    _warnings(answer.warnings)
