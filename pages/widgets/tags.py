"""Tags on documents, and filters of the list of documents kept under a name, each user's own."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from engine.errors import StorageError
from engine.export.harmless import plain
from engine.labels import LONGEST
from engine.model import Document
from pages.widgets import access, buttons
from pages.widgets.buttons import confirm, tried
from pages.widgets.services import library, owner
from pages.widgets.texts import said, t

KEY = "documents.tag"
# The controls of the list that a filter is made of.
CONTROLS = [f"documents.{name}" for name in ("query", "format", "folder", "collection", "tag")]
_NAME = "filters.name"


def of_documents(documents: Sequence[Document]) -> dict[str, list[str]]:
    """Return the tags of these documents, by id; none where they cannot be read."""
    try:
        known = library().labels.tags()
    except StorageError as error:
        st.caption(f":material/error: {said(error)}")
        return {}
    return {one.document_id: known[one.document_id] for one in documents if one.document_id in known}


def counted(documents: Sequence[Document]) -> dict[str, int]:
    """Return all tags of these documents with how many have each, by name."""
    return dict(sorted(Counter(tag for tags in of_documents(documents).values() for tag in tags).items()))


def choose(documents: Sequence[Document]) -> Callable[[Document], bool]:
    """Draw the choice of a tag, where there are any; return what tells whether a document passes."""
    counts = counted(documents)
    if not counts:
        return lambda _: True
    chosen = st.selectbox(
        t("tags.one"), list(counts), index=None, key=KEY, width=170, persist_state="session",
        placeholder=t("tags.all"), label_visibility="collapsed", format_func=lambda tag: f"{tag} ({counts[tag]})",
    )  # fmt: skip
    tagged = of_documents(documents)
    return lambda one: chosen is None or chosen in tagged.get(one.document_id, ())


def edit(documents: Sequence[Document]) -> None:
    """Open the dialog that puts tags on documents and takes them off."""
    st.dialog(t("tags.title", count=len(documents)))(_edit)(documents)


def _edit(documents: Sequence[Document]) -> None:
    ids, tagged = [one.document_id for one in documents], of_documents(documents)
    have = [set(tagged.get(one, ())) for one in ids]
    shared = sorted(set.intersection(*have), key=str.casefold)
    known = dict.fromkeys([*shared, *counted(library().documents())])
    if len(ids) > 1 and set.union(*have) - set(shared):
        st.caption(t("tags.shared"))
    chosen = st.multiselect(
        t("tags.label"), list(known), shared, accept_new_options=True, key="tags.chosen",
        placeholder=t("tags.type"),
    )  # fmt: skip
    save = partial(library().labels.tag, ids, chosen, [one for one in shared if one not in chosen])
    confirm(t("tags.save"), "tags.save.confirm", save)


def button(document: Document) -> None:
    """Draw the button that shows a document's tags and opens them to be changed."""
    tagged = of_documents([document]).get(document.document_id, [])
    label = plain(" ".join(f"#{tag}" for tag in tagged)) or t("tags.edit")
    if buttons.button(label, "tags.edit", "sell", help=t("tags.title.one")):
        edit([document])


def filters() -> None:
    """Draw the menu of filters that are kept, and the field that keeps what is chosen now."""
    if access.read_only():
        return
    kept = library().labels.filters(owner())
    now = {key: str(chosen) for key in CONTROLS if (chosen := st.session_state.get(key))}
    with st.popover(t("filters.title"), icon=":material/filter_alt:", type="tertiary", key="filters"):
        for name, chosen in kept.items():
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                icon, drop = "check" if chosen == now else "filter_list", t("filters.drop", name=plain(name))
                buttons.button(plain(name), f"filters.use.{name}", icon, _use, chosen)
                buttons.button("", f"filters.drop.{name}", "close", _keep, name, None, help=drop)
        if now in kept.values():
            return
        if not now:
            st.caption(t("filters.none"))
            return
        st.text_input(t("filters.name"), key=_NAME, max_chars=LONGEST)
        st.button(t("filters.keep"), key="filters.keep", on_click=lambda: _keep(st.session_state[_NAME], now))


def _use(chosen: dict[str, str]) -> None:
    for key in CONTROLS:
        st.session_state[key] = chosen.get(key, "" if key == "documents.query" else None)
    st.session_state.pop("documents.page", None)


def _keep(name: str, chosen: dict[str, str] | None) -> None:
    tried(lambda: library().labels.keep_filter(owner(), name, chosen))
    if chosen is not None:
        st.session_state[_NAME] = ""
