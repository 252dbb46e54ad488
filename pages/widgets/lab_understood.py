"""What a search understood of its question: the words and their weights, and what is asked for beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from engine.export.harmless import plain
from pages.widgets.texts import named, t

if TYPE_CHECKING:
    from engine.retrieve.inspect import Inspection

TERMS, WAYS = 60, 4


def show(_: object, inspection: Inspection) -> None:
    """Draw what was understood; what else was asked for makes no difference."""
    told = inspection.understood
    ranked = sorted(told["terms"], key=lambda item: -item[1])[:TERMS]
    st.markdown(f"**{t('lab.understood.terms')}**")
    st.markdown(" ".join(_badge(f"{term}  {weight:g}", "blue") for term, weight in ranked) or "–")
    if inspection.mode == "hybrid":
        st.caption(t("lab.understood.matched", percent=round(100 * inspection.matched)))
    rows = asked_for(told)
    if not rows:
        st.caption(t("lab.understood.plain"))
    for label, values in rows:
        st.markdown(f"**{label}** &nbsp; " + " ".join(_badge(value, "gray") for value in values))


def asked_for(told: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """Return what is asked for beside the words: a label and its values; nothing that is not there."""
    places = [
        t("lab.understood.named.n", printed=one["printed"], count=one["nodes"]) for one in told["named"]
    ]
    values: dict[str, list[str]] = {
        "translated": [f"{word}: {', '.join(ways[:WAYS])}" for word, ways, _ in told["translated"]],
        "formal": [f"{word}: {', '.join(said[:WAYS])}" for word, said in told["formal"]],
        "phrases": list(told["phrases"]),
        "labels": list(told["labels"]),
        "roles": [t(f"role.{role}") for role in told["roles"]],
        "operations": [named(f"lab.operation.{name}", name) for name in told["operations"]],
        "section": [told["section"]] if told["section"] else [],
        "named": places,
    }
    return [(t(f"lab.understood.{name}"), found) for name, found in values.items() if found]


def _badge(text: str, colour: str) -> str:
    return f":{colour}-badge[{plain(text)}]"
