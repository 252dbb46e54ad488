"""Correcting what was read of a document: its title, what is a heading, the header of a table; and taking it back."""

from functools import partial
from typing import Any

import streamlit as st

from engine.corrections import HIGHEST, LOWEST, MOST_ROWS
from engine.export.harmless import plain
from engine.model import Correction, Node
from engine.model.documents import CorrectionKind
from engine.structure.corrections import lines_of, places_in
from engine.structure.titles import LONGEST
from pages.widgets import access, buttons, sharing
from pages.widgets.buttons import carry_out, confirm, tell_next
from pages.widgets.document_view import DocumentView
from pages.widgets.places import Place
from pages.widgets.services import library, owner
from pages.widgets.texts import short, t

SAID = 40


def offered(here: Place) -> bool:
    """Tell whether whoever is here may correct the version that is shown: the current one of a document of theirs."""
    current = here.version == here.document.version
    return current and not sharing.reading() and access.changeable()(here.document)


def of_document(here: Place, view: DocumentView) -> None:
    """Draw the button that opens the title and all corrections of a document."""
    made = len(library().corrections.of(here.document.document_id))
    label = t("correct.document.count", count=made) if made else t("correct.document")
    if buttons.button(label, "correct.document", "edit"):
        st.dialog(t("correct.document"))(_document)(view)


def _document(view: DocumentView) -> None:
    title = st.text_input(
        t("correct.title"), view.root.title, max_chars=LONGEST, key=f"correct.title.{view.root.node_id}"
    )
    confirm(t("correct.save"), "correct.save", lambda: _make(view, view.root, "title", text=title))
    document_id = view.tree.document_id
    waiting = {one.place for one in library().corrections.waiting(view.tree)}
    if waiting:
        st.caption(t("correct.waiting", count=len(waiting)))
    st.caption(t("correct.where"))
    for at, one in enumerate(library().corrections.of(document_id)):
        with st.container(horizontal=True, vertical_alignment="center", key=f"correct.one.{at}"):
            mark = ":material/hourglass_empty: " if one.place in waiting else ""
            st.markdown(mark + _told(one), width="stretch")
            if buttons.button(t("correct.back"), f"correct.back.{at}", "undo"):
                carry_out(partial(_take_back, document_id, one.place))


def _told(one: Correction) -> str:
    """Return what a correction says."""
    key = f"correct.is.{one.kind}" + (".text" if one.kind == "heading" and one.text else "")
    said, text = plain(short(one.said, SAID)), plain(short(one.text, SAID))
    return t(key, said=said, text=text, level=one.level, count=one.rows)


def of_passage(here: Place, view: DocumentView, node: Node) -> None:
    """Draw the button that corrects the passage that is selected, where there is something to correct."""
    if not offered(here):
        return
    table = node.role == "table"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        printed = any(places_in([node])[node.node_id])
        if printed and buttons.button(t("correct.button"), "correct.passage", "edit"):
            draw = _table if table else _heading
            st.dialog(t("correct.table" if table else "correct.passage"))(draw)(view, node)
        # How it was found where its file does not state it, and what was corrected by hand.
        made = "generated" if node.metadata.get("generated") else str(node.metadata.get("found_by") or "")
        if found_by := "by_hand" if node.metadata.get("correction") else made:
            st.caption(t(f"correct.found.{found_by}"), width="content")


def _table(view: DocumentView, node: Node) -> None:
    now = min(int(node.metadata.get("header_rows") or 0), MOST_ROWS)
    rows = st.number_input(t("correct.rows"), 0, MOST_ROWS, now, key=f"correct.rows.{node.node_id}")
    confirm(t("correct.save"), "correct.save", lambda: _make(view, node, "header_rows", rows=rows))


def _heading(view: DocumentView, node: Node) -> None:
    key, lines, line = f"correct.{node.node_id}", lines_of(node), 0
    if len(lines) > 1:
        line = st.selectbox(t("correct.line"), range(len(lines)), format_func=lines.__getitem__, key=key)
    shown = lines[line] if len(lines[line]) <= LONGEST else ""
    text = st.text_input(t("correct.heading"), shown, LONGEST, f"{key}.text.{line}", help=t("correct.heading.help"))
    # What was missed is most often of the level of the heading before it.
    usual = min(max(view.section_of(node).level or HIGHEST, HIGHEST), LOWEST)
    level = st.number_input(t("correct.level"), HIGHEST, LOWEST, usual, key=f"{key}.level")
    is_one = node.role == "section"
    with st.container(horizontal=True, horizontal_alignment="right"):
        if is_one and buttons.button(t("correct.no_heading"), "correct.no_heading"):
            carry_out(lambda: _make(view, node, "text"))
        confirm(
            t("correct.save" if is_one else "correct.is_heading"), "correct.save",
            lambda: _make(view, node, "heading", text=text, level=level, line=line),
        )  # fmt: skip


def _make(view: DocumentView, node: Node, kind: CorrectionKind, **what: Any) -> None:
    document_id = view.tree.document_id
    library().corrections.make(document_id, kind, node.node_id, owner=owner(), **what)
    tell_next(t("correct.done"))
    if kind in ("heading", "text"):  # it is another node afterwards
        st.query_params.update(doc=document_id, page=str(view.page_of(node)))
        st.query_params.pop("node", None)


def _take_back(document_id: str, place: str) -> None:
    library().corrections.take_back(document_id, place, owner())
    tell_next(t("correct.done"))
