"""Reading beside asking: the place that a citation names, open next to the conversation, which stays where it is.

The address tells both, so that Back closes the pane and a link opens it. On a narrow screen it lies over the chat.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from engine.errors import NotFoundError
from engine.model import Answer, Citation, Message, Node
from pages.widgets import reader, sharing
from pages.widgets.cited_cells import spoken_of
from pages.widgets.fragments import fragment
from pages.widgets.frontend import component
from pages.widgets.places import document_address
from pages.widgets.question_set import pick_right
from pages.widgets.selection import asked_of, row
from pages.widgets.services import document_view
from pages.widgets.sources import address_of, place_of
from pages.widgets.texts import t

_FRAME = Path(__file__).with_name("beside_frame.css")
_bar = component("beside", "<nav><span class='about'></span><span class='turn'></span></nav>")


def show(messages: Sequence[Message]) -> None:
    """Draw the place that the address names, if it names one, with the way to the citations around it."""
    if not (st.query_params.get("doc") or st.query_params.get("node")):
        return
    st.html(_FRAME)
    with st.container(key="beside", gap="small"):
        fragment(_pane)(messages)


def _pane(messages: Sequence[Message]) -> None:
    try:
        here = reader.place()
        if here is None:
            return
        view = document_view(here.document.document_id, here.version)
    except NotFoundError:
        _bar(_words("", "") | {"links": {}, "count": ""}, "beside.bar")
        st.caption(t("beside.gone"))
        return
    cited, at = around(messages, here)
    node = view.node(here.node_id)
    section = " › ".join(above.title for above in view.path(node)[-1:]) if node else ""
    links = _ways(cited, at, here)
    count = t("beside.count", number=at + 1, count=len(cited)) if at >= 0 and len(cited) > 1 else ""
    _bar(_words(here.document.name, section) | {"links": links, "count": count}, "beside.bar")
    if node is None and here.node_id:
        st.caption(t("document.gone"))
    if not sharing.reading():
        pick_right(messages, here.node_id)
    row(here, node)
    reader.pages(_at_cells(messages, node, cited[at : at + 1], here), view)


def _at_cells(
    messages: Sequence[Message], node: Node | None, cited: Sequence[Citation], here: reader.Place
) -> reader.Place:
    """Return the place, of a row that is ``cited`` narrowed to the cells of which the answer speaks."""
    turn = st.query_params.get("turn")
    answer = _answer(messages, turn)
    if not (node and answer and cited and here.quote):
        return here
    return replace(here, cell=spoken_of(node, cited[0], answer, asked_of(messages, turn)) or here.cell)


def _ways(cited: Sequence[Citation], at: int, here: reader.Place) -> dict[str, str]:
    """Where the bar leads: to the document's page, and to the citations around this one."""
    around_it = {"previous": at - 1, "next": at + 1} if at >= 0 else {}
    links = {name: address_of(cited[to]) for name, to in around_it.items() if 0 <= to < len(cited)}
    return {"open": document_address(**here.parameters())} | links


def _words(name: str, section: str) -> dict[str, Any]:
    says = {key: t(f"beside.{key}") for key in ("close", "open", "previous", "next", "label")}
    return {"name": name, "section": section, "says": says}


def around(messages: Sequence[Message], here: reader.Place) -> tuple[list[Citation], int]:
    """Return the places that the answer cites which the address names, each once, and which of them this is (-1: none).

    Who has turned the page is still at the citation whose passage is selected.
    """
    answer = _answer(messages, st.query_params.get("turn"))
    cited = list({address_of(one): one for one in answer.sources}.values()) if answer else []
    same = [at for at, one in enumerate(cited) if one.node_id == here.node_id]
    exact = [
        at
        for at in same
        if place_of(cited[at]).get("quote", "") == here.quote and cited[at].cell == (here.cell or None)
    ]
    return cited, next(iter([*exact, *same]), -1)


def _answer(messages: Sequence[Message], turn: str | None) -> Answer | None:
    made = next((message.answer for message in messages if message.message_id == turn), None)
    return Answer.from_dict(made) if made else None
