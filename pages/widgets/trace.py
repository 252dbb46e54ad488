"""The steps on the way to an answer: as they come, and folded afterwards."""

import re
from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.export.harmless import plain, safe_markdown
from engine.model import TraceStep
from pages.widgets.services import node
from pages.widgets.texts import named, short, t

PARAMETER_CHARACTERS = 160
NODE_ID = re.compile(r"n[0-9a-f]{14}")
_ID_MARK = re.compile(rf"\[{NODE_ID.pattern}(?:-\d+)?\]")


def show_trace(steps: Sequence[TraceStep], seconds: float) -> DeltaGenerator:
    """Draw the folded steps on the way to an answer, and return where more can be drawn below them."""
    took = f"{seconds:.1f}" if seconds >= 0.1 else "< 0.1"
    folded = st.expander(t("answer.trace", count=len(steps), seconds=took), type="compact")
    with folded:
        for step in steps:
            show_step(step)
    return folded


def show_step(step: TraceStep) -> None:
    """Draw one step."""
    with st.status(label_of(step), type="step", state="complete", expanded=True):
        if step.content != step.tool:  # a tool's bare name says nothing beside the label
            st.markdown(safe_markdown(step.content))
        facts = [f"{name}: {value}" for name, value in parameters(step)]
        facts += [found] if (found := result_of(step)) else []
        if facts:
            st.caption(plain(" · ".join(facts)))


def label_of(step: TraceStep) -> str:
    """Return what a step did, in a few words: the use of a tool, or a kind of thought."""
    if step.type == "action" and step.tool:
        key = "tool.table" if step.tool.isupper() else f"tool.{step.tool}"  # operators are in capitals
        return named(key, t("step.tool", tool=plain(step.tool.replace("_", " "))))
    return t(f"step.{step.type}")


def result_of(step: TraceStep) -> str:
    """Return what a step found, without ids and without what its own words say already."""
    found = _ID_MARK.sub("", step.result_summary or "").removeprefix(step.content)
    return " ".join(found.split())


def parameters(step: TraceStep) -> list[tuple[str, str]]:
    """Return what a tool was given as (name, text) pairs in words; of thoughts, whose words say it, nothing.

    What was left open or is switched off is left out, and what the step's own words say already. The whole of it,
    plans and ids included, is in the exports.
    """
    given = []
    for name, value in (step.params or {}).items() if step.type == "action" else ():
        text = _in_words(value)
        if text and text not in step.content:
            given.append((named(f"param.{name}", name.replace("_", " ")), text))
    return given


def _in_words(value: object) -> str:
    """Return a value as a reader understands it; "" for what is empty or built for programs."""
    if isinstance(value, bool):
        return t("param.yes") if value else ""
    if isinstance(value, list | tuple):
        text = ", ".join(filter(None, map(_in_words, value)))
    elif isinstance(value, int | float):
        text = f"{value:g}"
    elif isinstance(value, str):
        text = _place(value) if NODE_ID.fullmatch(value) else value.strip()
    else:
        return ""
    return short(text, PARAMETER_CHARACTERS + 1)


def _place(node_id: str) -> str:
    """Return where a node stands in place of its id."""
    if (stored := node(node_id)) is None:
        return t("param.gone")
    return " › ".join(dict.fromkeys([stored.document, *stored.path]))
