"""The steps on the way to an answer: as they come, folded afterwards, and one by one in a replay."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.model import TraceStep
from pages.widgets.sanitize import plain, safe_markdown
from pages.widgets.texts import t

PARAMETER_CHARACTERS = 160
_STEP = "replay.at"


def show_trace(steps: Sequence[TraceStep], seconds: float) -> DeltaGenerator:
    """Draw the folded steps on the way to an answer, and return where more can be drawn below them."""
    label = t("answer.trace", steps=len(steps), seconds=f"{seconds:.1f}" if seconds >= 0.1 else "< 0.1")
    folded = st.expander(label, type="compact")
    with folded:
        for step in steps:
            show_step(step)
    return folded


def show_step(step: TraceStep) -> None:
    """Draw one step."""
    with st.status(label_of(step), type="step", state="complete", expanded=True):
        st.markdown(safe_markdown(step.content))
        given = [f"{name}: {value}" for name, value in parameters(step.params)]
        facts = [part for part in (step.tool, *given, step.result_summary) if part]
        if facts:
            st.caption(plain(" · ".join(facts)))


def label_of(step: TraceStep) -> str:
    """Return what a step did, in a few words: a search, the use of another tool, or a kind of thought."""
    if step.type == "action" and step.tool and "search" not in step.tool.lower():
        return t("step.tool", tool=plain(step.tool))
    return t(f"step.{step.type}")


def parameters(params: dict[str, Any] | None) -> list[tuple[str, str]]:
    """Return what a tool was given as (name, text) pairs; what was left open is left out."""
    given = []
    for name, value in (params or {}).items():
        if value in (None, "", [], {}):
            continue
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        if len(text) > PARAMETER_CHARACTERS:
            text = text[:PARAMETER_CHARACTERS].rstrip() + "…"
        given.append((name, text))
    return given


def replay(steps: Sequence[TraceStep]) -> None:
    """Open a dialog that goes through the steps one by one."""
    st.session_state[_STEP] = 0

    @st.dialog(t("replay.title"), width="medium")
    def dialog() -> None:
        at = min(st.session_state.get(_STEP, 0), len(steps) - 1)
        st.progress((at + 1) / len(steps), text=t("replay.step", number=at + 1, count=len(steps)))
        with st.container(border=True, gap="small"):
            _whole_step(steps[at])
        with st.container(horizontal=True, horizontal_alignment="distribute"):
            st.button(
                t("replay.previous"), key="replay.previous", disabled=at == 0, on_click=_go, args=(at - 1,),
                shortcut="Left",
            )  # fmt: skip
            st.button(
                t("replay.next"), key="replay.next", disabled=at == len(steps) - 1, on_click=_go, args=(at + 1,),
                type="primary", shortcut="Right",
            )  # fmt: skip

    dialog()


def _go(at: int) -> None:
    st.session_state[_STEP] = at


def _whole_step(step: TraceStep) -> None:
    st.markdown(f"**{label_of(step)}**")
    st.markdown(safe_markdown(step.content))
    if given := parameters(step.params):
        st.caption(t("step.params"))
        for name, value in given:
            st.markdown(f"`{name}`  {plain(value)}")
    if step.result_summary:
        st.caption(t("step.result"))
        st.markdown(plain(step.result_summary))
