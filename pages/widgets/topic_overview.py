"""All topics: as cards by size, or as a graph of what they share; states where there are none."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import streamlit as st

from engine.export.harmless import plain
from pages.widgets import names
from pages.widgets.buttons import link_to
from pages.widgets.empty_state import empty_state, to_documents
from pages.widgets.frontend import component
from pages.widgets.services import library
from pages.widgets.texts import t

if TYPE_CHECKING:
    from engine.topics.known import Topic
    from engine.topics.library_topics import LibraryTopics

MOST_DRAWN = 40
# Of each topic so many of its strongest ties are drawn; all of them would hide each other.
MOST_TIES = 3
_cards = component("topic_cards", "<ul></ul>")
_graph = component("topic_graph", "<div class='frame'></div>")


def show() -> None:
    """Draw the topics with their controls."""
    topics = library().topics.all()
    _progress(library().topics)
    if not topics:
        _nothing_yet()
        return
    shared = [topic for topic in topics if len(topic.documents) > 1]
    told = "topics.summary" if shared else "topics.summary.none"
    st.caption(t(told, count=len(shared), documents=len(library().documents())))
    view, query = _controls()
    if view == "names":
        names.overview(query)
        return
    wanted = query.casefold()
    shown = [one for one in topics if wanted in f"{one.name}\n{one.description}".casefold()]
    if not shown:
        st.caption(t("topics.none_match"))
    elif view == "graph":
        graph(shown)
    else:
        cards(shown)


def _progress(topics: LibraryTopics) -> None:
    if topics.progress is not None:
        st.caption(f":material/progress_activity: {t('topics.telling')}")
    if topics.problem:
        st.caption(f":material/info: {t('topics.problem', reason=plain(topics.problem))}")


def _nothing_yet() -> None:
    documents = library().documents()
    text = "topics.empty.waiting" if documents else "topics.empty.text"
    with empty_state(t("topics.empty.title"), t(text)):
        if not documents:
            to_documents()


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
            link_to("topics", plain(topic.name), topic=topic.topic_id)


def _linked(topic: Topic) -> dict[str, Any]:
    return {"name": topic.name, "href": address_of(topic)}


def cards(topics: Sequence[Topic]) -> None:
    """Draw topics as cards, the largest first; a click opens one."""
    most = max(len(topic.documents) for topic in topics)
    rows = [
        _linked(one) | {"about": one.description, "size": size_of(one), "share": len(one.documents) / most}
        for one in topics[: names.MOST_CARDS]
    ]
    _cards({"rows": rows, "label": t("topics.title")}, "topics.cards")


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
        views = ["cards", "graph", *(["names"] if library().topics.names() else [])]
        view = st.radio(
            t("topics.view"), views, key="topics.view", horizontal=True, width="content",
            format_func=lambda name: t(f"topics.{name}"), label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
    return str(view or "cards"), str(query or "").strip()
