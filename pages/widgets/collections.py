"""Collections on the pages: choosing one, making, renaming, deleting them, moving or dragging documents, who sees them.

And the folders that are followed, with what is put away because its file is gone.
"""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from engine.export.harmless import plain
from engine.model import Collection, Document
from pages.widgets import access
from pages.widgets.buttons import button, confirm, show_problem, tell_next, tried
from pages.widgets.services import library
from pages.widgets.setting_field import overriding
from pages.widgets.texts import day, said, t
from storage.collections import NONE as FREE

NONE = "-"
_KEY, _NEW, _PROBLEM = "documents.collection", "collections.new", "collections.problem"
_FOLDER, _FOLDER_PROBLEM = "folders.new", "folders.problem"


def choose(documents: Sequence[Document]) -> Callable[[Document], bool]:
    """Draw the choice of a collection, where there are any; return what tells whether a document passes."""
    names = _names()
    if len(names) < 2:
        return lambda _: True
    # Without counts: Streamlit forgets what is chosen once it is called something else.
    chosen = st.selectbox(
        t("collections.one"), list(names), index=None, key=_KEY, width=190, persist_state="session",
        placeholder=t("collections.all"), label_visibility="collapsed", format_func=names.__getitem__,
    )  # fmt: skip
    wanted = names[chosen] if chosen and chosen != NONE else ""
    return lambda one: chosen is None or one.collection == wanted


def _names(editable: bool = False) -> dict[str, str]:
    """Return the collections, and none of them, by id; or only where whoever is here may put documents."""
    names = {one.collection_id: one.name for one in library().collections.all()} | {NONE: t("collections.none")}
    if editable and (rights := library().rights):
        return {key: name for key, name in names.items() if (key if key != NONE else FREE) in rights.editable}
    return names


def shelves() -> list[dict[str, Any]]:
    """Return where documents can be dragged by whoever is here, nothing where there are not two such places."""
    names, now = _names(editable=True) if access.adds() else {}, st.session_state.get(_KEY)
    held = Counter(one.collection for one in library().documents())
    return [
        {"id": key, "name": name, "count": held["" if key == NONE else name], "current": key == now}
        for key, name in names.items() if len(names) > 1
    ]  # fmt: skip


def at_shelf(reported: Mapping[str, Any]) -> None:
    """Put documents where they were dropped; where it was only pressed, show what is there alone, or all again."""
    into = reported["into"]
    if reported["ids"]:
        tried(lambda: _put(reported["ids"], into))
    else:
        st.session_state[_KEY] = None if into == st.session_state.get(_KEY) else into


def _put(ids: Sequence[str], into: str) -> None:
    count = library().collections.move(ids, None if into == NONE else into)
    tell_next(t("collections.moved", count=count))


def current() -> Collection | None:
    """Return the collection that the list of documents shows alone, which new files come into."""
    chosen = st.session_state.get(_KEY)
    return next((one for one in library().collections.all() if one.collection_id == chosen), None)


def show() -> None:
    """Draw the collections, to be changed by whoever may."""
    if not access.manages():
        return
    with st.expander(t("collections.title"), icon=":material/folder_copy:", type="compact", key="collections.expander"):
        st.caption(t("collections.help"))
        for one in library().collections.all():
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f":material/folder: {plain(one.name)} · {one.documents}")
                for action, dialog in (("rename", _rename), ("delete", _delete)):
                    if button(t(f"collections.{action}"), f"collections.{action}.{one.collection_id}"):
                        st.dialog(t(f"collections.{action}.title"))(dialog)(one)
        form = st.form("collections.form", border=False)
        with form, st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input(t("collections.new"), key=_NEW, max_chars=100, width=320)
            st.form_submit_button(t("collections.create"), key="collections.create", on_click=_create)
        show_problem(_PROBLEM)


def move(documents: Sequence[Document]) -> None:
    """Draw the choice that puts documents into a collection, a new one if it is named, or into none."""
    names = _names(editable=True)
    target = st.selectbox(
        t("collections.move.to"), list(names), index=None, format_func=lambda key: names.get(key, key),
        placeholder=t("collections.move.type" if access.manages() else "collections.one"), key="collections.target",
        accept_new_options=access.manages(),
    )  # fmt: skip

    def moved() -> None:
        into = target if target in names else library().collections.create(target or "").collection_id
        _put([one.document_id for one in documents], into)

    confirm(t("collections.move"), "collections.move.confirm", moved, disabled=target is None)


def rights() -> None:
    """Draw who may read and change each collection."""
    st.caption(t("collections.rights.help"))
    if not library().settings.access.named:
        st.caption(t("collections.rights.alone"))
    for one in library().collections.all():
        st.markdown(f":material/folder: **{plain(one.name)}**")
        with st.container(horizontal=True):
            for who, names in (("readers", one.readers), ("editors", one.editors)):
                st.text_input(
                    t(f"collections.{who}"), value=", ".join(names), key=f"collections.{who}.{one.collection_id}",
                    placeholder=t("collections.who"), on_change=_share, args=(one.collection_id,),
                )  # fmt: skip
    show_problem(_PROBLEM)


def _share(collection_id: str) -> None:
    readers, editors = (
        st.session_state[f"collections.{who}.{collection_id}"].replace("，", ",").split(",")
        for who in ("readers", "editors")
    )
    tried(lambda: library().collections.share(collection_id, readers, editors), _PROBLEM)


def _create() -> None:
    name = st.session_state[_NEW].strip()
    if name and tried(lambda: library().collections.create(name), _PROBLEM):
        st.session_state[_NEW] = ""


def _rename(collection: Collection) -> None:
    name = st.text_input(
        t("collections.name"), value=collection.name, max_chars=100,
        key=f"collections.rename.name.{collection.collection_id}",
    )  # fmt: skip
    rename = partial(library().collections.rename, collection.collection_id, name)
    confirm(t("collections.rename"), "collections.rename.confirm", rename)


def _delete(collection: Collection) -> None:
    st.markdown(t("collections.delete.text", name=plain(collection.name), count=collection.documents))
    if collection.readers or collection.editors:
        st.warning(t("collections.delete.open"), icon=":material/lock_open:")
    delete = partial(library().collections.delete, collection.collection_id)
    confirm(t("collections.delete"), "collections.delete.confirm", delete)


def folders() -> None:
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
            st.text_input(t("folders.add"), key=_FOLDER, on_change=_add_folder, placeholder="/home/ann/reports")
            show_problem(_FOLDER_PROBLEM)
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
            button(t("folders.leave"), f"folders.leave.{number}", "", _save_folders, rest)


def _add_folder() -> None:
    folder = st.session_state[_FOLDER].strip()
    if folder and _save_folders([*library().settings.watch.folders, folder]):
        st.session_state[_FOLDER] = ""


def _save_folders(folders: list[str]) -> bool:
    return tried(lambda: library().update_settings({"watch.folders": folders}), _FOLDER_PROBLEM)
