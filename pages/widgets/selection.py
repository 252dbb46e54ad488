"""What can be done with words selected in a document: ask about them, find similar ones, why were they not found."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, Self

import streamlit as st

from engine.errors import DropQAError, NotFoundError
from engine.model import Citation, Message, Node
from pages.widgets import conversation
from pages.widgets.answer import sources
from pages.widgets.buttons import button
from pages.widgets.fragments import component
from pages.widgets.places import Place, page_file
from pages.widgets.services import library, owner
from pages.widgets.texts import said, t

ACTS = {"ask": "forum", "similar": "join_inner", "why": "search_off"}
MOST_CHARACTERS = 600
SIMILAR = 8
_ASKED = "selection.asked"
_field = component("asked_words")


@dataclass(frozen=True, slots=True)
class Selected:
    """What a reader wants of words: one of ``ACTS``, the words, and the node in which they stand, if in one."""

    act: str
    words: str
    node_id: str | None

    @classmethod
    def or_node(cls, result: Any) -> Self | str | None:
        """Return what a component of a page reports: what is wanted of words, or the id of the node that was picked."""
        given = result.act
        if isinstance(given, dict) and given.get("act") in ACTS:
            words, node = str(given.get("words") or "")[:MOST_CHARACTERS], given.get("node")
            return cls(given["act"], words, node if isinstance(node, str) else None)
        return result.picked if isinstance(result.picked, str) else None


def acts() -> dict[str, str] | None:
    """Return what the browser calls the acts; None where who reads may not ask."""
    if conversation.shared():
        return None
    why = {"why": t("selection.why.either")} if st.query_params.get("turn") else {}
    return {name: t(f"selection.{name}") for name in (*ACTS, "label")} | why


def row(here: Place, node: Node | None, *, found: bool = False) -> None:
    """Draw the acts for the passage that is selected, for the keyboard as for the mouse; ``found`` it was asked for."""
    if node is None or not node.text.strip() or conversation.shared():
        return
    words = here.quote or " ".join(node.text.split())[:MOST_CHARACTERS]
    with st.container(horizontal=True, gap="xsmall", key="selection"):
        for name, icon in ACTS.items():
            told = "selection.why.found" if found and name == "why" else f"selection.{name}"
            if button(t(told), f"selection.{name}", icon):
                do(Selected(name, words, node.node_id), here)


def do(selected: Selected, here: Place) -> None:
    """Do what is wanted of words; leaves this run where another page or field is next."""
    node_id = selected.node_id or here.node_id
    if selected.act == "similar":
        st.dialog(t("selection.similar"), width="large")(partial(_similar, selected.words, node_id))()
    elif selected.act == "why":
        wanted = {"q": _question(), "node": node_id or "", "view": "why"}
        st.switch_page(
            page_file("retrieval_lab"), query_params={name: value for name, value in wanted.items() if value}
        )
    else:
        asked = st.session_state.get(_ASKED, (0, ""))[0]
        st.session_state[_ASKED] = (asked + 1, t("selection.quoted", words=selected.words))
        if conversation.current():
            st.rerun()
        st.switch_page(page_file("chat"), query_params={"about": here.document.document_id})


def fill_field() -> None:
    """Have the browser write the words that are asked about into the field that asks, once."""
    if asked := st.session_state.get(_ASKED):
        _field({"id": asked[0], "words": asked[1]}, "asked_words")


def _similar(words: str, node_id: str | None) -> None:
    """Draw the passages that say something like some words, without the one in which they stand."""
    mode = "semantic" if library().embedder else "hybrid"
    try:
        hits = library().search(words, mode=mode, top_k=SIMILAR + 1, read=False).hits
    except DropQAError as error:
        st.caption(said(error))
        return
    near = [
        Citation(
            number, hit.document_id, hit.document, hit.version, " > ".join(hit.path), hit.node_id, hit.page, hit.bbox,
            None, hit.snippet, hit.score,
        )
        for number, hit in enumerate((hit for hit in hits if hit.node_id != node_id), 1)
    ]  # fmt: skip
    if not near:
        st.caption(t("selection.similar.none"))
        return
    turn = st.query_params.get("turn", "")
    sources(near[:SIMILAR], label=t("selection.similar.found"), turn=turn, key="similar")


def _question() -> str:
    """Return the question from whose answer one reads here; empty where there is none."""
    with suppress(NotFoundError):
        if came_from := conversation.current():
            return asked_of(library().conversations.get(owner(), came_from)[1], st.query_params.get("turn"))
    return ""


def asked_of(messages: Sequence[Message], turn: str | None) -> str:
    """Return the question that the answer ``turn`` answers; else the last one; empty where there is none."""
    questions = {answer.message_id: one.text for one, answer in pairwise(messages) if one.role == "user"}
    return questions.get(turn or "", next(reversed(questions.values()), ""))
