"""What a question is limited to: documents and their version, chosen in a popover beside the question's field."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from engine.model import Document, Filters, Message
from pages.widgets.sanitize import plain
from pages.widgets.texts import t

_SCOPE = "chat.scope"
_OF = "chat.scope.of"
NAME_CHARACTERS = 40


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


def choose(documents: Sequence[Document]) -> None:
    """Draw the popover; its label says what is chosen."""
    names = {document.document_id: document.name for document in documents}
    now = scope()
    chosen = tuple(key for key in now.documents if key in names)
    with st.popover(
        label_of(Filters(documents=chosen, version=now.version), names), type="tertiary",
        icon=":material/filter_list:" if now.empty else ":material/filter_alt:",
    ):  # fmt: skip
        picked = st.multiselect(
            t("chat.scope.label"), list(names), default=chosen, format_func=lambda key: names[key],
            placeholder=t("chat.scope.all"), key=f"scope.{','.join(chosen)}",
        )  # fmt: skip
        version = _version([d for d in documents if not picked or d.document_id in picked], now.version)
        if not now.empty and st.button(
            t("chat.scope.clear"), type="tertiary", icon=":material/filter_list_off:"
        ):
            picked, version = [], None
    wanted = Filters(documents=tuple(picked), version=version)
    if wanted != now:
        st.session_state[_SCOPE] = wanted
        st.rerun()


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


def label_of(filters: Filters, names: dict[str, str]) -> str:
    """Return in a few words what a question is limited to; "All documents" where it is not."""
    known = [names[key] for key in filters.documents if key in names]
    label = t("chat.scope.all")
    if len(known) == 1:
        short = known[0] if len(known[0]) <= NAME_CHARACTERS else known[0][: NAME_CHARACTERS - 1] + "…"
        label = plain(short)
    elif known:
        label = t("chat.scope.n", count=len(known))
    return f"{label} · {t('chat.scope.version.n', version=filters.version)}" if filters.version else label
