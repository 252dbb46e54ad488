"""What a question is limited to: collections, topics, documents, a version; chosen in a popover beside its field."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from engine.export.harmless import plain
from engine.model import Document, Filters, Message
from engine.topics.known import KnownTopics
from pages.widgets.buttons import button
from pages.widgets.services import library
from pages.widgets.texts import short, t

_OF, _CHOSEN, _OPEN, _ROUND = (f"chat.scope.{name}" for name in ("of", "chosen", "open", "round"))
NAME_CHARACTERS = 40
MOST_TOPICS = 300


def scope() -> Filters:
    """Return what the next question of this session is limited to."""
    chosen: Filters = st.session_state.get(_CHOSEN, Filters())
    return chosen


def limit_to(filters: Filters) -> None:
    """Limit the next question of this session to something; the fields, which nobody may see, are drawn anew for it.

    Else they would bring back what was chosen in them before.
    """
    if filters != scope():
        st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
    st.session_state[_CHOSEN] = filters


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
    names, known, collected = names_of(documents), library().topics.known(), library().collections.all()
    before, sizes = scope(), {one.collection_id: one.documents for one in collected}
    now, offered, newest = _there(before, documents, known, {key: names[key] for key in sizes})
    limit_to(now)
    icon = ":material/filter_list:" if before.empty else ":material/filter_alt:"
    # Under another label it would be another one, which is closed.
    st.session_state[_OPEN] = bool(st.session_state.get(_OPEN))
    with st.popover(label_of(now, names), type="tertiary", icon=icon, key=_OPEN, on_change="rerun"):
        if sizes:
            _some("collections", sizes, lambda key: f"{names[key]} ({sizes[key]})")
        if known.by_id:  # those of several documents, and those that are chosen
            held = {key: len(topic.documents) for key, topic in known.by_id.items()}
            large = [key for key, size in held.items() if size > 1][:MOST_TOPICS]
            _some("topics", dict.fromkeys([*large, *now.topics]), lambda key: f"{names[key]} ({held[key]})")
        _some("documents", offered, names.__getitem__)
        if newest:
            _version(newest)
        if not before.empty:
            button(t("chat.scope.done"), "scope.done", "check", _close)
    if not now.empty:
        button(t("chat.scope.documents.all"), "scope.clear", "close", limit_to, Filters(), help=t("chat.scope.clear"))


def _close() -> None:
    """Close the popover: what it lies over is wanted next."""
    st.session_state[_OPEN] = False


def chips(message_id: str, asked: Sequence[str]) -> None:
    """Draw the topics (names) that a question was about and those that are chosen, to be switched on and off."""
    known = library().topics.known()
    about = [topic.topic_id for topic in known.browsed if topic.name in asked]
    chosen = [one for one in scope().topics if one in known.by_id]
    key = f"chips.{message_id}"

    def choose() -> None:
        limit_to(replace(scope(), topics=tuple(st.session_state[key])))

    if offered := list(dict.fromkeys([*about, *chosen])):
        st.session_state[key] = chosen
        st.pills(
            t("chat.topics"), offered, selection_mode="multi", format_func=lambda one: plain(known.names[one]),
            key=key, on_change=choose,
        )  # fmt: skip


def _there(
    now: Filters, documents: Sequence[Document], known: KnownTopics, collections: Mapping[str, str]
) -> tuple[Filters, dict[str, Document], int]:
    """Return what of a scope is still there, the documents that may be chosen within it, by id, and the newest version.

    Topics are told by what they are called now; the version is 0 where no document has several.
    """
    topics = tuple(one for one in dict.fromkeys(map(known.ids.get, now.topics)) if one in known.by_id)
    held = tuple(one for one in now.collections if one in collections)
    within = {one.document_id for topic in topics for one in known.by_id[topic].documents}
    names = {collections[one] for one in held}
    offered = {
        one.document_id: one
        for one in documents
        if (not topics or one.document_id in within) and (not names or one.collection in names)
    }
    chosen = tuple(one for one in now.documents if one in offered)
    asked = [offered[one] for one in chosen] or list(offered.values())
    newest = max(one.version for one in asked) if any(one.versions > 1 for one in asked) else 0
    version = now.version if now.version and now.version <= newest else None
    left = replace(now, documents=chosen, topics=topics, collections=held, version=version)
    return left, offered, newest


def _version(newest: int) -> None:
    numbers = [None, *range(newest, 0, -1)]
    st.selectbox(
        t("chat.scope.version"), numbers, numbers.index(scope().version), key=_field("version"),
        format_func=lambda number: (
            t("chat.scope.version.n", version=number) if number else t("chat.scope.version.current")
        ),
        help=t("chat.scope.version.help"), placeholder=t("chat.scope.version.current"), on_change=_take,
        args=("version",),
    )  # fmt: skip


def _some(name: str, options: Iterable[str], shown: Callable[[str], str]) -> None:
    st.multiselect(
        t(f"chat.scope.{name}"), list(options), list(getattr(scope(), name)), key=_field(name), format_func=shown,
        placeholder=t(f"chat.scope.{name}.all"), on_change=_take, args=(name,),
    )  # fmt: skip


def _field(name: str) -> str:
    return f"scope.{name}.{st.session_state.get(_ROUND, 0)}"


def _take(name: str) -> None:
    """Take over what was just chosen; documents are chosen several at once, of all else one is enough."""
    chosen = st.session_state[_field(name)]
    taken: dict[str, Any] = {name: tuple(chosen) if isinstance(chosen, list) else chosen}
    st.session_state[_CHOSEN] = replace(scope(), **taken)
    st.session_state[_OPEN] = name == "documents"


def label_of(filters: Filters, names: Mapping[str, str], written: Callable[[str], str] = plain) -> str:
    """Return in a few words what a question is limited to; "All documents" where it is not.

    ``names`` are those of :func:`names_of`; they stand there as ``written``.
    """
    held, topics, known = (
        [names[key] for key in keys if key in names]
        for keys in (filters.collections, filters.topics, filters.documents)
    )
    told = [written(short(", ".join(some), NAME_CHARACTERS)) for some in (held, topics, known)]
    topic = t("chat.scope.topic", name=told[1]) if topics else ""
    several = t("chat.scope.n", count=len(known)) if len(known) > 1 else told[2]
    version = t("chat.scope.version.n", version=filters.version) if filters.version else ""
    parts = [told[0], topic, several] if held or topics or known else [t("chat.scope.documents.all")]
    return " · ".join(filter(None, [*parts, version]))
