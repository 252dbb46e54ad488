"""What a question is limited to: collections, topics, documents, a version; chosen in a popover beside its field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import streamlit as st

from engine.export.harmless import plain
from engine.model import Document, Filters, Message
from pages.widgets.buttons import button
from pages.widgets.services import library
from pages.widgets.texts import short, t

_OF = "chat.scope.of"
_KEY = "scope."
_LISTS = ("documents", "topics", "collections")
NAME_CHARACTERS = 40
MOST_TOPICS = 300


def scope() -> Filters:
    """Return what the next question of this session is limited to."""
    documents, topics, collections = (tuple(st.session_state.get(_KEY + name) or ()) for name in _LISTS)
    version = st.session_state.get(f"{_KEY}version")
    return Filters(documents=documents, topics=topics, collections=collections, version=version)


def limit_to(filters: Filters) -> None:
    """Limit the next question of this session to something."""
    for name in _LISTS:
        st.session_state[_KEY + name] = list(getattr(filters, name))
    st.session_state[f"{_KEY}version"] = filters.version


def enter(conversation: str | None, about: str | None, messages: Sequence[Message]) -> None:
    """Take over, on coming to a conversation, what its last question was limited to, or what a link is about."""
    if st.session_state.get(_OF) == (conversation, about):
        return
    st.session_state[_OF] = (conversation, about)
    asked = [message.filters for message in messages if message.role == "user"]
    limit_to(Filters(documents=(about,)) if about else (asked and asked[-1]) or Filters())


def names_of(documents: Sequence[Document]) -> dict[str, str]:
    """Return the names of documents, topics and collections by their ids."""
    collected = {one.collection_id: one.name for one in library().collections.all()}
    named = {one.document_id: one.name for one in documents}
    return library().topics.known().names | collected | named


def choose(documents: Sequence[Document]) -> None:
    """Draw the popover; its label says what is chosen. What is gone meanwhile is not chosen any more."""
    names, known, now = names_of(documents), library().topics.known(), scope()
    topics, collected = known.by_id, {one.collection_id: one for one in library().collections.all()}
    within = [one for one in dict.fromkeys(known.ids.get(given, "") for given in now.topics) if one in topics]
    held = [one for one in now.collections if one in collected]
    members = {one.document_id for topic in within for one in topics[topic].documents}
    offered = {
        document.document_id: document
        for document in documents
        if (not within or document.document_id in members)
        and (not held or document.collection in [names[one] for one in held])
    }
    chosen = tuple(one for one in now.documents if one in offered)
    asked = [offered[one] for one in chosen] or offered.values()
    newest, several = max((one.version for one in asked), default=1), any(one.versions > 1 for one in asked)
    version = now.version if several and now.version and now.version <= newest else None
    limit_to(Filters(documents=chosen, topics=tuple(within), collections=tuple(held), version=version))
    icon = ":material/filter_list:" if now.empty else ":material/filter_alt:"
    with st.popover(label_of(scope(), names), type="tertiary", icon=icon):
        if collected:
            _some("collections", collected, lambda key: f"{names[key]} ({collected[key].documents})")
        if topics:
            large = [one for one, topic in topics.items() if len(topic.documents) > 1][:MOST_TOPICS]
            _some(
                "topics",
                dict.fromkeys([*large, *within]),
                lambda key: f"{names[key]} ({len(topics[key].documents)})",
            )
        _some("documents", offered, names.__getitem__)
        if several:
            st.selectbox(
                t("chat.scope.version"), [None, *range(newest, 0, -1)], key=f"{_KEY}version", persist_state="session",
                format_func=lambda number: (
                    t("chat.scope.version.n", version=number) if number else t("chat.scope.version.current")
                ),
                help=t("chat.scope.version.help"),
            )  # fmt: skip
        if not now.empty:
            label = t("chat.scope.clear")
            button(label, "scope.clear", "filter_list_off", limit_to, Filters())


def _some(name: str, options: Iterable[str], shown: Callable[[str], str]) -> None:
    """Draw the choice of some of the documents, topics or collections."""
    st.multiselect(
        t(f"chat.scope.{name}"), list(options), key=_KEY + name, format_func=shown, persist_state="session",
        placeholder=t(f"chat.scope.{name}.all"),
    )  # fmt: skip


def label_of(filters: Filters, names: Mapping[str, str]) -> str:
    """Return in a few words what a question is limited to; "All documents" where it is not.

    ``names`` are those of :func:`names_of`.
    """
    parts = []
    if held := [names[key] for key in filters.collections if key in names]:
        parts.append(_short(held))
    if topics := [names[key] for key in filters.topics if key in names]:
        parts.append(t("chat.scope.topic", name=_short(topics)))
    known = [names[key] for key in filters.documents if key in names]
    if len(known) == 1:
        parts.append(_short(known))
    elif known:
        parts.append(t("chat.scope.n", count=len(known)))
    elif not parts:
        parts.append(t("chat.scope.documents.all"))
    if filters.version:
        parts.append(t("chat.scope.version.n", version=filters.version))
    return " · ".join(parts)


def _short(names: Sequence[str]) -> str:
    return plain(short(", ".join(names), NAME_CHARACTERS))
