"""The folders that are followed, on the Documents page, and what is put away because its file is gone."""

import os
from functools import partial
from pathlib import Path

import streamlit as st

from engine.export.harmless import plain
from pages.widgets import access
from pages.widgets.buttons import button, show_problem, tried
from pages.widgets.services import library
from pages.widgets.setting_field import overriding
from pages.widgets.texts import day, said, t

_NEW, _PROBLEM = "folders.new", "folders.problem"


def show() -> None:
    """Draw the folders and what is put away; who is no owner sees neither."""
    if not access.manages():
        return
    followed = library().settings.watch.folders
    with st.expander(t("folders.title"), icon=":material/sync:", type="compact"):
        st.caption(t("folders.help"))
        changing = not library().settings.access.shared and not overriding("watch.folders", os.environ)
        for number, folder in enumerate(followed):
            _folder(folder, number, changing)
        if problem := library().watcher.problem:
            st.warning(said(problem), icon=":material/warning:")
        if changing:
            st.text_input(t("folders.add"), key=_NEW, on_change=_add, placeholder="/home/ann/reports")
            show_problem(_PROBLEM)
        else:
            st.caption(t("folders.fixed"))
        for document in library().archived():
            one = document.document_id
            with st.container(horizontal=True, vertical_alignment="center"):
                told = t("folders.away", day=day(document.archived or 0))
                st.markdown(f":material/archive: {plain(document.name)} · {told}")
                # By the rights of now, not of when the page was drawn.
                for label, name, change in (
                    ("folders.back", "back", lambda one=one: library().bring_back(one)),
                    ("documents.remove", "remove", lambda one=one: library().remove(one)),
                ):
                    button(t(label), f"folders.{name}.{one}", "", partial(tried, change, gone=True))


def _folder(folder: str, number: int, changing: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        missing = str(Path(folder).expanduser().resolve()) in library().watcher.found.missing
        told = f" · {t('folders.missing')}" if missing else ""
        st.markdown(f":material/folder: {plain(folder)}{told}")
        if changing:
            rest = [one for one in library().settings.watch.folders if one != folder]
            button(t("folders.leave"), f"folders.leave.{number}", "", _save, rest)


def _add() -> None:
    folder = st.session_state[_NEW].strip()
    if folder and _save([*library().settings.watch.folders, folder]):
        st.session_state[_NEW] = ""


def _save(folders: list[str]) -> bool:
    return tried(lambda: library().update_settings({"watch.folders": folders}), _PROBLEM)
