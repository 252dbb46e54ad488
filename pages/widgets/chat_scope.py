"""What a question is limited to: collections, topics, documents, a version; chosen in a popover beside its field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from engine.export.harmless import plain
from engine.model import Document, Filters, Message
from pages.widgets import tags
from pages.widgets.services import library
from pages.widgets.texts import short, t

_SCOPE = "chat.scope"
_OF = "chat.scope.of"
NAME_CHARACTERS = 40
MOST_TOPICS = 300


def scope() -> Filters:
    """Return what the next question of this session is limited to."""
    chosen = st.session_state.get(_SCOPE)
    return chosen if isinstance(chosen, Filters) else Filters()


def enter(conversation: str | None, about: str | None, messages: Sequence[Message]) -> None:
    """Take over, on coming to a conversation, what its last question was limited to, or what a link is about."""
    if st.session_state.get(_OF) == (conversation, about):
        return
    st.session_state[_OF] = (conversation, about)
    asked = [message.filters for message in messages if message.role == "user"]
    st.session_state[_SCOPE] = Filters(documents=(about,)) if about else (asked and asked[-1]) or Filters()


def names_of(documents: Sequence[Document]) -> dict[str, str]:
    """Return the names of documents, topics and collections by their ids."""
    collected = {one.collection_id: one.name for one in library().collections.all()}
    named = {one.document_id: one.name for one in documents}
    return library().topics.known().names | collected | named


def choose(documents: Sequence[Document]) -> None:
    """Draw the popover; its label says what is chosen."""
    names, known, now = names_of(documents), library().topics.known(), scope()
    topics = known.by_id
    within = tuple(dict.fromkeys(one for given in now.topics if (one := known.ids.get(given, "")) in topics))
    members = {one.document_id for topic in within for one in topics[topic].documents}
    held = tuple(one for one in now.collections if one in names)
    offered = [
        document
        for document in documents
        if (not within or document.document_id in members)
        and (not held or document.collection in [names[one] for one in held])
    ]
    chosen = tuple(one.document_id for one in offered if one.document_id in now.documents)
    shown = Filters(documents=chosen, topics=within, version=now.version, collections=held)
    with st.popover(
        label_of(shown, names), type="tertiary",
        icon=":material/filter_list:" if now.empty else ":material/filter_alt:",
    ):  # fmt: skip
        collected = list(_collections(held))
        asked = list(_topics(within)) if topics else []
        picked = st.multiselect(
            t("chat.scope.label"), [one.document_id for one in offered], default=chosen,
            format_func=lambda key: names[key], placeholder=t("chat.scope.all"),
            key=f"scope.{','.join((*held, *within, *chosen))}",
        )  # fmt: skip
        picked = [*picked, *_tagged(offered, picked)]
        version = _version([d for d in offered if not picked or d.document_id in picked], now.version)
        if not now.empty and st.button(
            t("chat.scope.clear"), type="tertiary", icon=":material/filter_list_off:"
        ):
            collected, asked, picked, version = [], [], [], None
    wanted = Filters(
        documents=tuple(picked), topics=tuple(asked), version=version, collections=tuple(collected)
    )
    if wanted != now:
        st.session_state[_SCOPE] = wanted
        st.rerun()


def _collections(chosen: Sequence[str]) -> Sequence[str]:
    """Draw the choice of collections, where there are any."""
    known = {one.collection_id: one for one in library().collections.all()}
    if not known:
        return []
    return st.multiselect(
        t("collections.title"), list(known), default=list(chosen),
        format_func=lambda key: f"{known[key].name} ({known[key].documents})", placeholder=t("collections.all"),
        key=f"scope.collections.{','.join(chosen)}",
    )  # fmt: skip


def _topics(chosen: Sequence[str]) -> Sequence[str]:
    """Draw the choice of topics: those of several documents, the largest first, and what is chosen."""
    topics = library().topics.known().by_id
    large = [one for one, topic in topics.items() if len(topic.documents) > 1 and one not in chosen]
    return st.multiselect(
        t("chat.scope.topics"), [*chosen, *large[:MOST_TOPICS]], default=list(chosen),
        format_func=lambda key: f"{topics[key].name} ({len(topics[key].documents)})",
        placeholder=t("chat.scope.topics.all"), key=f"scope.topics.{','.join(chosen)}",
    )  # fmt: skip


def _tagged(offered: Sequence[Document], picked: Sequence[str]) -> Sequence[str]:
    """Draw the tags of the documents that can be chosen; return the documents of the one that is picked."""
    counts = tags.counted(offered)
    if not counts:
        return []
    tag = st.selectbox(
        t("chat.scope.tag"), list(counts), index=None, format_func=lambda one: f"{one} ({counts[one]})",
        placeholder=t("chat.scope.tag.choose"), key=f"scope.tag.{','.join(picked)}",
    )  # fmt: skip
    return [one for one, has in tags.of_documents(offered).items() if tag in has and one not in picked]


def _version(documents: Sequence[Document], now: int | None) -> int | None:
    """Draw the choice of a version where any document has more than one."""
    newest = max((document.version for document in documents), default=1)
    if max((document.versions for document in documents), default=1) < 2:
        return None
    return st.selectbox(
        t("chat.scope.version"), [None, *range(newest, 0, -1)], index=newest - now + 1 if now and now <= newest else 0,
        format_func=lambda number: (
            t("chat.scope.version.n", version=number) if number else t("chat.scope.version.current")
        ),
        help=t("chat.scope.version.help"), key=f"scope.version.{now}.{newest}",
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
        parts.append(t("chat.scope.all"))
    if filters.version:
        parts.append(t("chat.scope.version.n", version=filters.version))
    return " · ".join(parts)


def _short(names: Sequence[str]) -> str:
    return plain(short(", ".join(names), NAME_CHARACTERS))
