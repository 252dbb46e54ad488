"""Reading beside asking: the place that a citation names, open next to the conversation, which stays where it is.

The address tells both, so that Back closes the pane and a link opens it. On a narrow screen it lies over the chat. Of
cited rows those cells are marked of which the answer speaks: they hold what it says, or are of the column asked for.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from engine.answer.understand.terms import content_terms, coverage
from engine.errors import NotFoundError
from engine.index.tokenize import tokens
from engine.model import Answer, Citation, Message, Node
from pages.widgets import conversation, reader
from pages.widgets.answer import address_of, place_of
from pages.widgets.fragments import component, fragment
from pages.widgets.places import Place, document_address
from pages.widgets.question_set import pick_right
from pages.widgets.selection import asked_of, row
from pages.widgets.services import document_view
from pages.widgets.table_grid import addresses_of, cited_in, header_of, rows_of
from pages.widgets.texts import t

_FRAME = Path(__file__).with_name("beside_frame.css")
_bar = component("beside", "<nav><span class='about'></span><span class='turn'></span></nav>")
# A column is asked for where so much of its name stands in the question.
_NAMED = 0.5
# A row of fewer cells is seen at one glance, whatever is said of it.
_FEW = 4
_MARKS = re.compile(r"\[W?\d+\]")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")


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
    reader.newer(here, view)
    if node is None and here.node_id:
        st.caption(t("document.gone"))
    if not conversation.shared():
        pick_right(messages, here.node_id)
    row(here, node, found=at >= 0)
    reader.pages(_at_cells(messages, node, cited[at : at + 1], here), view)


def _at_cells(messages: Sequence[Message], node: Node | None, cited: Sequence[Citation], here: Place) -> Place:
    """Return the place, of a row that is ``cited`` narrowed to the cells of which the answer speaks."""
    turn = st.query_params.get("turn")
    answer = _answer(messages, turn)
    if not (node and answer and cited and here.quote):
        return here
    return replace(here, cell=spoken_of(node, cited[0], answer, asked_of(messages, turn)) or here.cell)


def _ways(cited: Sequence[Citation], at: int, here: Place) -> dict[str, str]:
    """Where the bar leads: to the document's page, and to the citations around this one."""
    around_it = {"previous": at - 1, "next": at + 1} if at >= 0 else {}
    links = {name: address_of(cited[to]) for name, to in around_it.items() if 0 <= to < len(cited)}
    return {"open": document_address(**here.parameters())} | links


def _words(name: str, section: str) -> dict[str, Any]:
    says = {key: t(f"beside.{key}") for key in ("close", "open", "previous", "next", "label")}
    return {"name": name, "section": section, "says": says}


def around(messages: Sequence[Message], here: Place) -> tuple[list[Citation], int]:
    """Return the places that the answer cites which the address names, each once, and which of them this is (-1: none).

    Who has turned the page is still at the citation whose passage is selected.
    """
    answer = _answer(messages, st.query_params.get("turn"))
    cited = list({address_of(one): one for one in answer.sources}.values()) if answer else []
    same = [at for at, one in enumerate(cited) if one.node_id == here.node_id]
    marked = {at: place_of(cited[at]) for at in same}
    exact = [at for at in same if [marked[at].get(key, "") for key in ("quote", "cell")] == [here.quote, here.cell]]
    return cited, next(iter([*exact, *same]), -1)


def _answer(messages: Sequence[Message], turn: str | None) -> Answer | None:
    made = next((message.answer for message in messages if message.message_id == turn), None)
    return Answer.from_dict(made) if made else None


def spoken_of(node: Node, cited: Citation, answer: Answer, question: str) -> str:
    """Return the addresses of those cells of the rows that a citation names which its answer speaks of.

    "" where the citation names one cell, or nothing tells its cells apart.
    """
    cells = cited_in(node, quote=cited.snippet, cell=cited.cell or "") if node.role == "table" else set()
    if len(cells) < 2:
        return ""
    said, found = _said(answer, cited.n), {}
    rows = sorted({row for row, _ in cells})
    for number in rows:
        texts = [" ".join(text.split()) * ((number, at) in cells) for at, text in enumerate(rows_of(node)[number])]
        held = _holding(texts, said)
        if len(rows) == 1 and not held:
            asked = _told_of(node, question)
            held = [n for n, share in enumerate(asked) if share == max(asked) >= _NAMED]
        if number >= header_of(node) and held:
            found[number] = _one_of_each(node, held, texts, f"{question}\n{said}")
    # Of a block the rows that are told by name, where some are: the same number may stand in others.
    named = [row for row in found if _stands_in(" ".join(rows_of(node)[row][0].split()), said)]
    return addresses_of(node, [(row, column) for row in named or found for column in found[row]])


def _one_of_each(node: Node, columns: Sequence[int], texts: Sequence[str], told: str) -> list[int]:
    """Return columns without what only names the row, and of those with the same text the one whose name is told."""
    first, shares = max(1, int(node.metadata.get("header_columns") or 0)), _told_of(node, told)
    best: dict[str, int] = {}
    for column in [column for column in columns if column >= first] or columns:
        best[texts[column]] = max(best.get(texts[column], column), column, key=shares.__getitem__)
    return sorted(best.values())


def _told_of(node: Node, text: str) -> list[float]:
    """Return which share of each column's name stands in a text."""
    head, terms = rows_of(node)[: max(1, header_of(node))], frozenset(tokens(text))
    return [coverage(content_terms(" ".join(dict.fromkeys(one))), terms) for one in zip(*head, strict=True)]


def _said(answer: Answer, number: int) -> str:
    """Return what an answer says with a source: its statements, else the lines with its mark."""
    stated = [answer.answer[one.start : one.end] for one in answer.statements if number in one.sources]
    lines = [line for line in answer.answer.splitlines() if f"[{number}]" in line]
    return _THOUSANDS.sub("", _MARKS.sub("", "\n".join(stated or lines)))  # "[1]" states no 1


def _holding(texts: Sequence[str], said: str) -> list[int]:
    """Return the columns whose text stands in what is said; none where most do, as in a row that is quoted whole."""
    held = [column for column, text in enumerate(texts) if text and _stands_in(text, said)]
    long = [column for column in held if len(texts[column]) > 1]
    return (long or held) if 2 * len(held) <= len(texts) or len(texts) < _FEW else []


def _stands_in(text: str, said: str) -> bool:
    bare = re.escape(_THOUSANDS.sub("", text))
    return bare != "" and re.search(rf"(?<![A-Za-z0-9.]){bare}(?![A-Za-z0-9]|\.\d)", said) is not None
