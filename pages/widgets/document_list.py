"""The list of documents: search, filter by format, folder, tag …, sort, open; what is done with one or several of them.

Tags on documents, and filters of the list that are kept under a name, are each user's own.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

import streamlit as st

from engine.errors import StorageError
from engine.export.harmless import plain
from engine.ingest import Source
from engine.labels import LONGEST
from engine.model import Document
from pages.widgets import access, collections, summarizing, uploads
from pages.widgets.buttons import button, confirm, tell_next, tried
from pages.widgets.document_view import page_kind
from pages.widgets.fragments import component
from pages.widgets.places import document_address
from pages.widgets.services import library, owner
from pages.widgets.texts import day, named, said, t

PER_PAGE = 25
NAMED = 8
SORTS = ("updated", "name", "size")
# The other one, "updated", is the order in which they come.
_ORDER: dict[str, Callable[[Document], Any]] = {
    "name": lambda document: document.name.casefold(),
    "size": lambda document: (document.pages or 0, document.nodes),
}
_component = component("document_list", "<nav hidden></nav><ul></ul><div class='bulk' hidden></div>")
_TAG = "documents.tag"
# The controls of the list that a filter is made of.
_FILTERED = [f"documents.{name}" for name in ("query", "format", "folder", "collection", "tag")]
_NAME, _OPEN = "filters.name", "filters"


def format_of(document: Document) -> str:
    """Return a document's format as people call it."""
    return named(f"format.{document.media_type}", document.media_type.rpartition("/")[2].upper())


def sign_of(document: Document) -> str:
    """Return a few letters for a document's format, such as "PDF" or "XLSX": the end of its name."""
    return (PurePath(document.name).suffix[1:] or format_of(document))[:4].upper()


def passages(document: Document) -> int:
    """Return how many of a document's nodes a search can find."""
    return document.retrievable or document.nodes


def show(documents: Sequence[Document]) -> None:
    """Draw the list with its controls."""
    chosen = _controls(documents) if len(documents) > 1 else list(documents)
    if not chosen:
        st.caption(t("documents.none_match"))
    pages = -(-len(chosen) // PER_PAGE)
    number = min(st.session_state.get("documents.page", 1), pages)
    rows(chosen[(number - 1) * PER_PAGE : number * PER_PAGE], among=chosen)
    if pages > 1:
        with st.container(horizontal_alignment="center"):
            st.pagination(pages, key="documents.page")


def _controls(documents: Sequence[Document]) -> list[Document]:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        query = st.text_input(
            t("documents.search"), key="documents.query", type="search", live=True, bind="query-params",
            placeholder=t("documents.search"), label_visibility="collapsed",
        )  # fmt: skip
        formats = {kind: format_of(one) for kind, one in {one.media_type: one for one in documents}.items()}
        kinds, folders = sorted(set(formats.values())), folders_of(documents)
        kind = _choice("documents.format", kinds) if len(kinds) > 1 else None
        of_kind = {one for one, name in formats.items() if kind in (None, name)}
        folder = _choice("documents.in_folder", folders, key="documents.folder") if folders else None
        in_collection = collections.choose(documents)
        tagged = _choose_tag(documents)
        sort = st.selectbox(
            t("documents.sort"), SORTS, key="documents.sort", format_func=lambda key: t(f"documents.sort.{key}"),
            label_visibility="collapsed", width=170, persist_state="session",
        )  # fmt: skip
        _filters()
    found = [one for one in documents if in_collection(one) and tagged(one) and one.media_type in of_kind]
    found = _with_words(found, query or "", folder)
    return sorted(found, key=_ORDER[sort], reverse=sort == "size") if sort in _ORDER else found


def _with_words(documents: Sequence[Document], query: str, folder: str | None) -> list[Document]:
    """Return the documents, of a folder if any, that have all words of a query in their name or path."""
    words, below = query.casefold().split(), f"{folder}/" if folder else ""
    within = [one for one in documents if one.name.startswith(below)]
    return [one for one in within if all(word in f"{one.name}\n{one.path}".casefold() for word in words)]


def _choice(name: str, options: Sequence[str], key: str = "") -> str | None:
    """Draw a choice that the address keeps; ``name`` is that of its text, and its key where it has no other."""
    return st.selectbox(
        t(name), options, index=None, key=key or name, width=170, bind="query-params",
        placeholder=t(f"{name}.all"), label_visibility="collapsed",
    )  # fmt: skip


def folders_of(documents: Sequence[Document]) -> list[str]:
    """Return the folders, those above others first, that names of documents tell of: "law/civil/code.md" of two."""
    folders = set()
    for document in documents:
        parts = document.name.split("/")[:-1]
        folders |= {"/".join(parts[: end + 1]) for end in range(len(parts))}
    return sorted(folders)


def prepared(document: Document) -> float:
    """Return the share of a document, 0 to 1, that is as findable as it will be."""
    if document.embedded >= document.retrievable or not library().settings.embedding.enabled:
        return 1.0
    return document.embedded / document.retrievable


def being_read() -> dict[str, float]:
    """Return the documents, by id, whose pictures still wait for text recognition, with the share that is read."""
    waiting = uploads.active(library().jobs(limit=uploads.JOBS_SHOWN))
    return {job.document_id: job.progress for job in waiting if job.kind == "ocr"}


def rows(documents: Sequence[Document], key: str = "document_list", among: Sequence[Document] | None = None) -> None:
    """Draw documents, each with what can be done with it; several ``among`` more are chosen, dragged to collections."""
    change, reading, tagged = access.changeable(), being_read(), tags_of(documents)
    ids = [document.document_id for document in among or () if change(document)]
    data = {
        "rows": [
            _row(document, reading, tagged.get(document.document_id, ())) | {"change": change(document)}
            for document in documents
        ],
        "label": t("documents.title"), "ask": t("documents.ask"), "remove": t("documents.remove"),
        "ids": ids if len(ids) > 1 else [], "shelves": [] if among is None else collections.shelves(),
        "shelf": t("collections.title"), "drag": t("collections.drag"),
        "select": {
            name: t(f"documents.select.{name}", count="{count}")
            for name in ("one", "some", "all", "none", "summarize", "reindex", "remove")
        } | {"move": t("collections.move"), "tag": t("tags.edit")},
    }  # fmt: skip
    dropped = {"on_shelf_change": lambda: collections.at_shelf(st.session_state[key].shelf)}
    drawn = _component(data, key, "remove", "bulk", **dropped)
    if isinstance(drawn.remove, str):
        confirm_removal([library().document(drawn.remove)])
    elif drawn.bulk:
        _act(str(drawn.bulk["action"]), drawn.bulk["ids"], among or ())


def _row(document: Document, reading: Mapping[str, float], tagged: Sequence[str] = ()) -> dict[str, Any]:
    share = prepared(document)
    status = t("documents.ready") if share >= 1 else t("documents.embedding", percent=int(100 * share))
    if document.document_id in reading:
        share = min(reading[document.document_id], 0.99)
        status = t("documents.reading", percent=int(100 * share))
    return {
        "id": document.document_id, "name": document.name, "sign": sign_of(document),
        "facts": _facts(document, tagged), "share": share, "href": document_address(doc=document.document_id),
        "ask": f"chat?about={quote(document.document_id)}", "status": status,
    }  # fmt: skip


def _facts(document: Document, tagged: Sequence[str] = ()) -> str:
    strategy = "" if document.strategy == "recursive" else t(f"set.indexing.strategy.{document.strategy}")
    facts = [
        format_of(document),
        document.pages and t(f"documents.{page_kind(document.name)}", count=document.pages),
        t("documents.nodes", count=passages(document)),
        document.versions > 1 and t("documents.versions", count=document.versions),
        document.warnings and t("documents.warnings", count=len(document.warnings)),
        strategy and t("strategy.indexed", name=strategy),
        document.collection,
        document.path.rpartition("/")[0],
        day(document.updated_at).replace(" ", "\u00a0"),  # never broken over two lines
        *(f"#{tag}" for tag in tagged),
    ]
    return " · ".join(str(one) for one in facts if one)


def _act(action: str, ids: Sequence[str], documents: Sequence[Document]) -> None:
    wanted = set(ids)
    chosen = [document for document in documents if document.document_id in wanted]
    does: dict[str, Callable[[Sequence[Document]], object]] = {
        "remove": confirm_removal, "reindex": _read_again, "tag": edit_tags, "summarize": summarizing.of_documents,
        "move": st.dialog(t("collections.move.title", count=len(chosen)))(collections.move),
    }  # fmt: skip
    if chosen and action in does:
        does[action](chosen)


def _read_again(documents: Sequence[Document]) -> None:
    """Queue the current files; each keeps what it has until it has been read anew."""

    def queue(document: Document) -> None:
        original = library().original(document.document_id)
        library().enqueue(Source(document.name, original, again=True), owner())

    queued = sum(tried(partial(queue, document)) for document in documents)
    st.toast(t("documents.reindex.queued", count=queued), icon=":material/check:")


def confirm_removal(documents: Sequence[Document]) -> None:
    """Open the dialog that asks before documents are removed."""
    title = "documents.remove.title" if len(documents) == 1 else "documents.remove.many.title"
    st.dialog(t(title, count=len(documents)))(_removal)(documents)


def _removal(documents: Sequence[Document]) -> None:
    if len(documents) == 1:
        [one] = documents
        kind = "documents.remove.versions" if one.versions > 1 else "documents.remove.text"
        st.markdown(t(kind, name=plain(one.name), versions=one.versions))
    else:
        names = "  \n".join(plain(document.name) for document in documents[:NAMED])
        st.markdown(names + ("  \n…" if len(documents) > NAMED else ""))
        st.caption(t("documents.remove.many.text"))

    def remove() -> None:
        for document in documents:
            if tried(partial(library().remove, document.document_id), gone=True):
                tell_next(t("documents.removed", name=plain(document.name)))

    confirm(t("documents.remove"), "remove.confirm", remove, "delete")


def tags_of(documents: Sequence[Document]) -> dict[str, list[str]]:
    """Return the tags of these documents, by id; none where they cannot be read."""
    try:
        known = library().labels.tags()
    except StorageError as error:
        st.caption(f":material/error: {said(error)}")
        return {}
    return {one.document_id: known[one.document_id] for one in documents if one.document_id in known}


def _counted(documents: Sequence[Document]) -> dict[str, int]:
    """Return all tags of these documents with how many have each, by name."""
    return dict(sorted(Counter(tag for tags in tags_of(documents).values() for tag in tags).items()))


def _choose_tag(documents: Sequence[Document]) -> Callable[[Document], bool]:
    """Draw the choice of a tag, where there are any; return what tells whether a document passes."""
    counts = _counted(documents)
    if not counts:
        return lambda _: True
    chosen = st.selectbox(
        t("tags.one"), list(counts), index=None, key=_TAG, width=170, persist_state="session",
        placeholder=t("tags.all"), label_visibility="collapsed", format_func=lambda tag: f"{tag} ({counts[tag]})",
    )  # fmt: skip
    tagged = tags_of(documents)
    return lambda one: chosen is None or chosen in tagged.get(one.document_id, ())


def edit_tags(documents: Sequence[Document]) -> None:
    """Open the dialog that puts tags on documents and takes them off."""
    st.dialog(t("tags.title", count=len(documents)))(_edit_tags)(documents)


def _edit_tags(documents: Sequence[Document]) -> None:
    ids, tagged = [one.document_id for one in documents], tags_of(documents)
    have = [set(tagged.get(one, ())) for one in ids]
    shared = sorted(set.intersection(*have), key=str.casefold)
    known = dict.fromkeys([*shared, *_counted(library().documents())])
    if len(ids) > 1 and set.union(*have) - set(shared):
        st.caption(t("tags.shared"))
    chosen = st.multiselect(
        t("tags.label"), list(known), shared, accept_new_options=True, key="tags.chosen",
        placeholder=t("tags.type"),
    )  # fmt: skip
    save = partial(library().labels.tag, ids, chosen, [one for one in shared if one not in chosen])
    confirm(t("tags.save"), "tags.save.confirm", save)


def tag_button(document: Document) -> None:
    """Draw the button that shows a document's tags and opens them to be changed."""
    tagged = tags_of([document]).get(document.document_id, [])
    label = plain(" ".join(f"#{tag}" for tag in tagged)) or t("tags.edit")
    if button(label, "tags.edit", "sell", help=t("tags.title.one")):
        edit_tags([document])


def _filters() -> None:
    """Draw the menu of filters that are kept, and the field that keeps what is chosen now."""
    if access.read_only():
        return
    kept = library().labels.filters(owner())
    now = {key: str(chosen) for key in _FILTERED if (chosen := st.session_state.get(key))}
    with st.popover(t("filters.title"), icon=":material/filter_alt:", type="tertiary", key=_OPEN, on_change="rerun"):
        for name, chosen in kept.items():
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                icon, drop = "check" if chosen == now else "filter_list", t("filters.drop", name=plain(name))
                button(plain(name), f"filters.use.{name}", icon, _use_filter, chosen)
                button("", f"filters.drop.{name}", "close", _keep_filter, name, None, help=drop)
        if now in kept.values():
            return
        if not now:
            st.caption(t("filters.none"))
            return
        st.text_input(t("filters.name"), key=_NAME, max_chars=LONGEST)
        st.button(t("filters.keep"), key="filters.keep", on_click=lambda: _keep_filter(st.session_state[_NAME], now))


def _use_filter(chosen: dict[str, str]) -> None:
    for key in _FILTERED:
        st.session_state[key] = chosen.get(key, "" if key == "documents.query" else None)
    st.session_state.pop("documents.page", None)
    st.session_state[_OPEN] = False


def _keep_filter(name: str, chosen: dict[str, str] | None) -> None:
    tried(lambda: library().labels.keep_filter(owner(), name, chosen))
    if chosen is not None:
        st.session_state[_NAME] = ""
