"""Correcting what was read of a document: its title, what is a heading, the header of a table; and taking it back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from engine.corrections import HIGHEST, LOWEST, MOST_ROWS
from engine.export.harmless import plain
from engine.model import Correction, Node
from engine.structure.titles import LONGEST
from pages.widgets import access, buttons, sharing
from pages.widgets.document_view import DocumentView
from pages.widgets.job_strip import JOBS_SHOWN, active
from pages.widgets.messages import carry_out, tell_next
from pages.widgets.services import library, owner
from pages.widgets.texts import short, t

if TYPE_CHECKING:
    from pages.widgets.reader import Place

ROLES = ("section", "paragraph", "caption", "list", "table")
SAID = 80


def offered(here: Place) -> bool:
    """Tell whether whoever is here may correct the version that is shown: the current one of a document of theirs."""
    current = here.version == here.document.version
    return current and not sharing.reading() and access.changeable()(here.document)


def of_document(here: Place, view: DocumentView) -> None:
    """Draw the button that opens the title and all corrections of a document."""
    made = len(library().corrections.of(here.document.document_id))
    label = t("correct.document.count", count=made) if made else t("correct.document")
    if buttons.button(label, "correct.document", "edit"):
        st.dialog(t("correct.document"))(_document)(here, view)


def _document(here: Place, view: DocumentView) -> None:
    document_id = here.document.document_id
    title = st.text_input(
        t("correct.title"), view.root.title, max_chars=LONGEST, key=f"correct.title.{document_id}.{view.root.title}"
    )  # fmt: skip
    _save("title", partial(library().corrections.make, document_id, "title", text=title, owner=owner()))
    made = library().corrections.of(document_id)
    if not made:
        return
    st.markdown(f"**{t('correct.made')}**")
    waiting = {one.place for one in library().corrections.waiting(view.tree)}
    if waiting:
        st.caption(t("correct.applied" if _at_work(document_id) else "correct.waiting", count=len(waiting)))
    for at, one in enumerate(made):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            mark = ":material/hourglass_empty: " if one.place in waiting else ""
            st.markdown(mark + _told(one), width="stretch")
            if buttons.button(t("correct.back"), f"correct.back.{at}", "undo", help=_told(one)):
                _take_back(document_id, one.place)


def _at_work(document_id: str) -> bool:
    jobs = active(library().jobs(limit=JOBS_SHOWN))
    return any((job.kind, job.document_id) == ("ingest", document_id) for job in jobs)


def _told(one: Correction) -> str:
    """Return what a correction says."""
    said, text = plain(short(one.said, SAID)), plain(short(one.text, SAID))
    renamed = "correct.is.heading.text" if one.text else "correct.is.heading"
    key = renamed if one.kind == "heading" else f"correct.is.{one.kind}"
    return t(key, said=said, text=text, level=one.level, count=one.rows)


def of_passage(here: Place, node: Node) -> None:
    """Draw the button that corrects the passage that is selected, where it stands in the document by itself."""
    if node.role not in ROLES or node.metadata.get("generated"):
        return
    corrected = bool(node.metadata.get("correction"))
    if corrected:
        st.caption(f":material/edit: {t('correct.by_hand')}")
    if buttons.button(t("correct.button"), "correct.passage", "edit"):
        st.dialog(t(f"correct.{'table' if node.role == 'table' else 'passage'}"))(_passage)(here, node)


def _passage(here: Place, node: Node) -> None:
    document_id = here.document.document_id
    make = partial(library().corrections.make, document_id, node_id=node.node_id, owner=owner())
    key = f"correct.{node.node_id}"
    if node.role == "table":
        rows, most = int(node.metadata.get("header_rows") or 0), len(node.metadata.get("rows") or ())
        most = max(0, min(MOST_ROWS, most - 1))
        rows = st.number_input(t("correct.rows"), 0, most, min(rows, most), key=f"{key}.rows")
        _save("table", partial(make, "header_rows", rows=rows))
    else:
        _heading(node, key, make)
    if place := node.metadata.get("correction"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.caption(t("correct.by_hand"), width="stretch")
            if buttons.button(t("correct.back"), "correct.back", "undo"):
                _take_back(document_id, place)


def _heading(node: Node, key: str, make: Callable[..., None]) -> None:
    said, line = node.title or node.text, 0
    if node.role == "list":
        lines = node.text.split("\n")
        line = st.selectbox(
            t("correct.line"), range(len(lines)), format_func=lambda n: short(lines[n].strip(), SAID), key=f"{key}.line"
        )  # fmt: skip
        said = lines[line].strip()
    fits = len(said) <= LONGEST
    text = st.text_input(
        t("correct.heading"), said if fits else "", max_chars=LONGEST, key=f"{key}.text.{line}",
        help=t("correct.heading.help"),
    )  # fmt: skip
    level = st.number_input(
        t("correct.level"), HIGHEST, LOWEST, min(max(node.level or 1, HIGHEST), LOWEST), key=f"{key}.level"
    )
    with st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        if node.role == "section" and buttons.button(t("correct.no_heading"), "correct.no_heading"):
            carry_out(lambda: _done(partial(make, "text")))
        label = "correct.save" if node.role == "section" else "correct.is_heading"
        if buttons.button(t(label), "correct.save.heading", type="primary"):
            carry_out(lambda: _done(partial(make, "heading", text=text, level=level, line=line)))


def _save(name: str, act: Callable[[], None]) -> None:
    with st.container(horizontal_alignment="right"):
        if buttons.button(t("correct.save"), f"correct.save.{name}", type="primary"):
            carry_out(lambda: _done(act))


def _take_back(document_id: str, place: str) -> None:
    carry_out(lambda: _done(partial(library().corrections.take_back, document_id, place, owner())))


def _done(act: Callable[[], None]) -> None:
    """Correct, or take back, and say what happens now."""
    act()
    tell_next(t("correct.done"))
