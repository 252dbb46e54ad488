"""The Retrieval lab's hits as a text that other agents read, with a model's key facts and summaries where it is set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from engine.export.harmless import plain
from engine.model import SearchResult
from pages.widgets.services import generation, library
from pages.widgets.texts import t

if TYPE_CHECKING:
    from engine.retrieve.inspect import Inspection
    from pages.widgets.lab import Asked

_KEY = "lab.text.made"


def show(here: Asked, inspection: Inspection) -> None:
    """Draw the text; a model's words are asked for once a search."""
    made = _made(here, inspection)
    on = library().settings.rerank.enable_summary
    st.caption(t("lab.text.summarised") if on else t("lab.text.plain"))
    for note in made.notes[len(inspection.notes) :]:
        st.warning(plain(note), icon=":material/warning:")
    st.code(made.text, language=None, wrap_lines=True)


def _made(here: Asked, inspection: Inspection) -> SearchResult:
    settings = library().settings
    model = settings.found_summary_llm.api_base, settings.found_summary_llm.model
    key = (
        here.question, here.mode, here.documents, generation(), repr(settings.rerank), model,
        repr(inspection.hits),
    )  # fmt: skip
    kept: tuple[Any, SearchResult] | None = st.session_state.get(_KEY)
    if kept is None or kept[0] != key:
        found = SearchResult(here.question, here.mode, inspection.hits, {}, notes=inspection.notes)
        with st.spinner(t("lab.text.running")):
            kept = key, library().finder.enhanced(found, always_as_text=True)
        st.session_state[_KEY] = kept
    return kept[1]
