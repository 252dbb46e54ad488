"""All topics: as cards by size, a cloud, or a graph of what they share; and one: its documents, a summary, changes."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any
from urllib.parse import quote

import streamlit as st

from engine.export.harmless import plain
from engine.topics.known import Topic
from engine.topics.library_topics import LibraryTopics
from pages.widgets import access, names, summarizing
from pages.widgets.buttons import button, confirm, link_to, tell_next, there
from pages.widgets.empty_state import empty_state, to_documents
from pages.widgets.fragments import component
from pages.widgets.places import document_address
from pages.widgets.services import library
from pages.widgets.texts import short, t

MOST_CARDS, LINK_CHARACTERS = 400, 40
MOST_DRAWN, MOST_MEMBERS = 40, 200
# Of each topic so many of its strongest ties are drawn; all of them would hide each other.
MOST_TIES = 3
_cards = component("topic_cards", "<ul></ul>")
_graph = component("topic_graph", "<div class='frame'></div>")
_members = component("topic_members", "<ul></ul>")
ACTIONS = {"rename": "edit", "merge": "merge", "split": "call_split", "delete": "delete"}


def show() -> None:
    """Draw the topic that the address names, else all of them with their controls."""
    reference = st.query_params.get("topic", "")
    if reference and (topic := there(partial(library().topics.get, reference), t("topics.gone"))):
        _topic(topic)
    elif name := st.query_params.get("name", ""):
        names.show(name)
    else:
        st.title(t("topics.title"), anchor=False)
        _all()


def _all() -> None:
    topics = library().topics.all()
    _progress(library().topics)
    if not topics:
        documents = library().documents()
        with empty_state(t("topics.empty.title"), t("topics.empty.waiting" if documents else "topics.empty.text")):
            if not documents:
                to_documents()
        return
    shared = [topic for topic in topics if len(topic.documents) > 1]
    told = "topics.summary" if shared else "topics.summary.none"
    st.caption(t(told, count=len(shared), documents=len(library().documents())))
    view, query = _controls()
    if view == "names":
        names.overview(query)
        return
    wanted = query.casefold()
    named = [one for one in topics if wanted in f"{one.name}\n{one.description}".casefold()]
    shown = named if wanted else library().topics.known().browsed
    if not shown:
        st.caption(t("topics.none_match"))
    elif view == "graph":
        graph(shown)
    else:
        cards(shown, cloud=view == "cloud")


def _progress(topics: LibraryTopics) -> None:
    if topics.progress is not None:
        st.caption(f":material/progress_activity: {t('topics.telling')}")
    if topics.problem:
        st.caption(f":material/info: {t('topics.problem', reason=plain(topics.problem))}")


def address_of(topic: Topic) -> str:
    """Return the address of a topic, relative to any page."""
    return f"topics?topic={quote(topic.topic_id, safe='')}"


def size_of(topic: Topic) -> str:
    """Return how many documents a topic has, in words."""
    return t("topics.documents", count=len(topic.documents))


def links(topics: Sequence[Topic], key: str, label: str = "") -> None:
    """Draw topics as a row of links to their pages, after a label if there is one."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=key):
        if label:
            st.caption(label, width="content")
        for topic in topics:
            link_to("topics", plain(short(topic.name, LINK_CHARACTERS)), topic=topic.topic_id)


def _linked(topic: Topic) -> dict[str, Any]:
    return {"name": topic.name, "href": address_of(topic)}


def cards(topics: Sequence[Topic], cloud: bool = False) -> None:
    """Draw topics as cards, the largest first, or as a cloud of names; a click opens one.

    A card has a sentence on its topic and the document that says it, else what else its documents tell of.
    """
    most = max(len(topic.documents) for topic in topics)
    names = {one.document_id: one.name for one in library().documents()}
    said = {} if cloud else library().topics.described(topics[:MOST_CARDS])
    rows = []
    for one in topics[:MOST_CARDS]:
        sentence, source = said.get(one.topic_id, (one.description, ""))
        share = len(one.documents) / most if most > 1 else 0
        told = {"about": sentence, "from": names.get(source, ""), "size": size_of(one), "share": share}
        rows.append(_linked(one) | told)
    _cards({"rows": rows, "label": t("topics.title"), "cloud": cloud}, "topics.cards")


def graph(topics: Sequence[Topic]) -> None:
    """Draw the largest topics and which of them share documents."""
    drawn = topics[:MOST_DRAWN]
    members = {topic.topic_id: {one.document_id for one in topic.documents} for topic in drawn}
    nodes = [_linked(one) | {"id": one.topic_id, "size": len(one.documents), "told": size_of(one)} for one in drawn]
    names = {one.topic_id: one.name for one in drawn}
    edges: list[dict[str, Any]] = [
        {
            "from": one, "to": other, "count": count,
            "told": t("topics.shared", one=names[one], other=names[other], count=count),
        }
        for one, other, count in ties(members)
    ]  # fmt: skip
    _graph({"nodes": nodes, "edges": edges, "label": t("topics.graph.label")}, "topics.graph")
    if len(topics) > MOST_DRAWN:
        st.caption(t("topics.graph.most", count=MOST_DRAWN))


def ties(members: Mapping[str, Collection[str]]) -> list[tuple[str, str, int]]:
    """Return which topics share documents and how many: of each the strongest ties, by the part of the smaller one."""
    shared = {(one, other): len(set(members[one]) & set(members[other])) for one, other in combinations(members, 2)}
    found: set[tuple[str, str]] = set()
    for topic in members:
        own = [pair for pair, count in shared.items() if count and topic in pair]
        own.sort(key=lambda pair: (-shared[pair] / min(len(members[one]) for one in pair), pair))
        found.update(own[:MOST_TIES])
    return [(one, other, shared[one, other]) for one, other in sorted(found)]


def _controls() -> tuple[str, str]:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        query = st.text_input(
            t("topics.find"), key="topics.query", type="search", live=True, placeholder=t("topics.find"),
            label_visibility="collapsed",
        )  # fmt: skip
        # Streamlit's segmented control has too little contrast in the dark.
        views = ["cards", "cloud", "graph", *(["names"] if library().topics.names() else [])]
        view = st.radio(
            t("topics.view"), views, key="topics.view", horizontal=True, width="content",
            format_func=lambda name: t(f"topics.{name}"), label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
    return str(view or "cards"), str(query or "").strip()


def _topic(topic: Topic) -> None:
    link_to("topics", t("topics.all"), "arrow_back")
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title(plain(topic.name), anchor=False, width="content")
        if access.manages():
            _actions(topic)
    if topic.description:
        st.caption(plain(topic.description))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.subheader(f"{t('topics.members')} · {size_of(topic)}", anchor=False)
        names = {document.document_id: document.name for document in library().documents()}
        rows: list[dict[str, Any]] = [
            {
                "name": names[one.document_id], "href": document_address(doc=one.document_id),
                "share": one.confidence, "told": f"{one.confidence:.0%}",
            }
            for one in topic.documents[:MOST_MEMBERS]
            if one.document_id in names
        ]  # fmt: skip
        says = {"label": t("topics.members"), "confidence": t("topics.confidence")}
        _members({"rows": rows} | says, "topics.members")
    with right, st.container(border=True):
        st.subheader(t("topics.summary.title"), anchor=False)
        of = ("topic", topic.topic_id, len(topic.documents))
        st.caption(t("topics.summarize.help"))
        asked = button(t("topics.summarize"), "topics.summarize", "summarize", type="secondary")
        if asked or summarizing.is_made(of):
            summarizing.draw(of, lambda follow: library().topics.summary(topic.topic_id, on_event=follow))


def _actions(topic: Topic) -> None:
    dialogs = (_rename, _merge, _split, _delete)
    with st.container(horizontal=True, gap="xsmall", width="content"):
        for (action, icon), dialog in zip(ACTIONS.items(), dialogs, strict=True):
            disabled = action == "split" and len(topic.documents) < 2
            if button(t(f"topics.{action}"), f"topics.{action}", icon, disabled=disabled):
                st.dialog(t(f"topics.{action}"))(dialog)(topic)


def _rename(topic: Topic) -> None:
    st.caption(t("topics.rename.text"))
    name = st.text_input(t("topics.name"), value=topic.name, max_chars=60, key=f"topics.rename.{topic.topic_id}")
    _finish("rename", lambda: library().topics.rename(topic.topic_id, name))


def _merge(topic: Topic) -> None:
    st.caption(t("topics.merge.text"))
    others = {one.topic_id: one for one in library().topics.all() if one.topic_id != topic.topic_id}
    chosen = st.selectbox(
        t("topics.merge.other", name=plain(topic.name)), list(others), index=None,
        format_func=lambda one: f"{others[one].name} ({len(others[one].documents)})",
        key=f"topics.merge.{topic.topic_id}",
    )  # fmt: skip
    _finish("merge", lambda: library().topics.merge(topic.topic_id, chosen or ""), ready=bool(chosen))


def _split(topic: Topic) -> None:
    st.caption(t("topics.split.text"))
    names = {document.document_id: document.name for document in library().documents()}
    members = [one.document_id for one in topic.documents if one.document_id in names]
    chosen = st.multiselect(
        t("topics.split.documents"), members, format_func=lambda one: names[one],
        key=f"topics.split.documents.{topic.topic_id}",
    )  # fmt: skip
    name = st.text_input(t("topics.split.name"), max_chars=60, key=f"topics.split.name.{topic.topic_id}")
    _finish("split", lambda: library().topics.split(topic.topic_id, name, chosen), ready=bool(chosen))


def _delete(topic: Topic) -> None:
    st.markdown(t("topics.delete.text", name=plain(topic.name)))
    _finish("delete", lambda: library().topics.delete(topic.topic_id))


def _finish(action: str, change: Callable[[], Topic], ready: bool = True) -> None:
    """Draw the button that does it; the page then shows what came of it."""

    def done() -> None:
        changed = change()
        tell_next(t("topics.done", name=plain(changed.name)))
        st.query_params.from_dict({} if action == "delete" else {"topic": changed.topic_id})

    confirm(t(f"topics.{action}"), f"topics.{action}.do", done, ACTIONS[action], disabled=not ready)
