"""Conversations: the list in the sidebar, asking (anew, or something else), renaming, exporting, deleting and sharing.

A conversation, or one answer of it, is exported as a file to keep: text to read, and tables. It is shared by a link for
others to read, until that is taken back.
"""

import contextlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from urllib.parse import quote

import streamlit as st

from engine.errors import NotFoundError
from engine.export import paper
from engine.export.harmless import literal, plain, safe_markdown
from engine.export.report_file import WORD, file_name
from engine.interfaces.render import outside_told
from engine.interfaces.shared_links import shared_links
from engine.library import Library
from engine.model import Answer, Citation, Conversation, Filters, Manner, Message
from pages.widgets import access, chat_model, setting_field
from pages.widgets import answer as answers
from pages.widgets.background import Answering
from pages.widgets.buttons import ask_to_delete, button, tell, tried
from pages.widgets.chat_scope import label_of, limit_to, names_of, scope
from pages.widgets.document_view import page_kind
from pages.widgets.fragments import component, private_file
from pages.widgets.places import page_file
from pages.widgets.services import MARK, library, owner
from pages.widgets.texts import moment, short, t

PARAMETER = "conversation"
LISTED = 100
TITLE_CHARACTERS = 60
HISTORY_MESSAGES = 6
# The answers that are being made, by the ids of their messages.
UNDER_WAY: dict[str, Answering] = {}
_list = component("conversation", "<a class='new'></a><div class='head'></div><ul></ul>")
SHARED = "shared"


def current() -> str | None:
    """Return the id of the conversation that the address names."""
    return st.query_params.get(PARAMETER) or None


def sidebar_list() -> None:
    """Draw the link to a new conversation and the list of the owner's conversations."""
    here = current()
    rows = [
        {
            "title": item.title or t("chat.new"),
            "href": f"chat?{PARAMETER}={quote(item.conversation_id)}",
            "current": item.conversation_id == here,
        }
        for item in library().conversations.list(owner(), LISTED)
    ]
    data = {"rows": rows, "label": t("chat.conversations"), "fresh": t("chat.new"), "address": "chat"}
    _list(data, "conversation_list")


@dataclass(frozen=True, slots=True)
class _Session:
    """What asking needs of the session, read before anything is stored: reading it may end the run."""

    library: Library = field(default_factory=library)
    owner: str = field(default_factory=owner)
    path: str = field(default_factory=chat_model.path)
    manner: Manner = field(default_factory=lambda: chat_model.chosen(current()))


def ask(question: str) -> None:
    """Store a question in the current conversation (or a new one) and begin to answer it."""
    question = question.strip()
    if not question:
        return
    session, conversation_id, filters = _Session(), current(), scope()
    conversations = session.library.conversations
    earlier: Sequence[Message] = []
    if conversation_id is not None:
        try:
            earlier = conversations.get(session.owner, conversation_id)[1]
        except NotFoundError:
            conversation_id = None
    if conversation_id is None:
        conversation_id = conversations.create(session.owner, _title(question)).conversation_id
        chat_model.carry(conversation_id)
    _ask(session, conversation_id, question, filters, earlier)
    st.query_params.pop("about", None)
    st.query_params[PARAMETER] = conversation_id


def ask_elsewhere(question: str) -> None:
    """Ask in a new conversation, from any page, and go there."""
    st.query_params.clear()
    limit_to(Filters())  # what another conversation is limited to is not seen here
    ask(question)
    st.switch_page(page_file("chat"), query_params=dict(st.query_params))


def ask_anew(message: Message, text: str = "", path: str = "") -> None:
    """Make an answer anew (by another ``path``), or ask ``text`` in place of a question; all that follows goes.

    An answer that is being made there ends.
    """
    session = _Session(path=path or chat_model.path())
    conversations = session.library.conversations
    messages = conversations.get(session.owner, message.conversation_id)[1]
    at = next((at for at, one in enumerate(messages) if one.message_id == message.message_id), 0)
    earlier = messages[:at]
    for later in messages[at:]:
        if answering := UNDER_WAY.get(later.message_id):
            answering.cancel()
    with contextlib.suppress(NotFoundError):  # another tab was quicker
        conversations.cut(session.owner, message.message_id)
    if text:
        _ask(session, message.conversation_id, text, message.filters or Filters(), earlier)
        if not earlier:
            conversations.rename(session.owner, message.conversation_id, _title(text))
    elif earlier:
        asked = earlier[-1]
        _begin(session, message.conversation_id, asked.text, asked.filters or Filters(), earlier[:-1])


def _ask(session: _Session, conversation_id: str, question: str, filters: Filters, earlier: Sequence[Message]) -> None:
    asked = None if filters.empty else filters
    session.library.conversations.append(session.owner, conversation_id, "user", question, filters=asked)
    _begin(session, conversation_id, question, filters, earlier)


def _begin(
    session: _Session, conversation_id: str, question: str, filters: Filters, earlier: Sequence[Message]
) -> None:
    conversations = session.library.conversations
    message = conversations.append(session.owner, conversation_id, "assistant", "", state="running")
    answering = UNDER_WAY[message.message_id] = Answering(
        session.library, session.owner, message.message_id, question, filters=filters, path=session.path,
        history=[(m.role, m.text) for m in earlier if m.state == "done"][-HISTORY_MESSAGES:],
        manner=session.manner, on_end=lambda: UNDER_WAY.pop(message.message_id, None),
    )  # fmt: skip
    answering.start()


def actions(conversation: Conversation, messages: Sequence[Message]) -> None:
    """Draw the menu of a conversation: rename, export, delete, share."""
    chosen = {
        f":material/edit: {t('chat.rename')}": lambda: st.dialog(t("chat.rename"))(_rename)(conversation),
        f":material/download: {t('chat.export')}": lambda: export(
            conversation, messages, t("chat.export.conversation")
        ),
        f":material/delete: {t('chat.delete')}": lambda: ask_to_delete(
            "chat", conversation.title, lambda: library().conversations.delete(owner(), conversation.conversation_id)
        ),
        f":material/link: {t('share.menu')}": lambda: st.dialog(t("share.title"))(share)(conversation),
    }
    picked = st.menu_button(
        t("chat.actions"), list(chosen), key="chat.actions", type="tertiary", icon=":material/more_horiz:"
    )
    if picked:
        chosen[picked]()


def _rename(conversation: Conversation) -> None:
    with st.form("chat.rename", border=False):
        title = st.text_input(t("chat.rename.label"), conversation.title, max_chars=200)
        if st.form_submit_button(t("chat.save"), type="primary") and (title or "").strip():
            library().conversations.rename(owner(), conversation.conversation_id, str(title).strip())
            st.rerun()


def _title(question: str) -> str:
    return short(" ".join(question.split()), TITLE_CHARACTERS + 1)


def shared() -> bool:
    """Tell whether the address is such a link."""
    return bool(st.query_params.get(SHARED))


def share(conversation: Conversation, *answer: str) -> None:
    """Draw the link of a conversation, or of one ``answer`` by its id, with the buttons that make it and take it back.

    Where sharing is off, say who turns it on and where; who may does it here.
    """
    tell()
    if not library().settings.access.shared_links:
        st.markdown(t("share.off.owner" if access.manages() else "share.off"))
        if access.manages():
            setting_field.field("access.shared_links")
        return
    links, mine = shared_links(library().folder), (owner(), conversation.conversation_id, *answer)
    st.caption(t("share.text.answer" if answer else "share.text"))
    if (secret := links.of(*mine)) is None:
        button(t("share.begin"), "share.begin", "", tried, partial(links.begin, *mine), type="primary")
        return
    address = (st.context.url or "").partition("?")[0]
    st.code(f"{address}?{SHARED}={secret}", language=None, wrap_lines=True)
    st.caption(t("share.embed"))
    button(t("share.end"), "share.end", "link_off", tried, partial(links.end, *mine), type="secondary")


def opened() -> tuple[Conversation, Sequence[Message]] | None:
    """Return the conversation that the address shares, or one answer of it; where there is none, say so: None."""
    on = library().settings.access.shared_links
    if on and (found := shared_links(library().folder).find(st.query_params[SHARED])):
        with contextlib.suppress(NotFoundError):  # deleted since it was shared
            if part := _part(*library().conversations.get(*found[:2]), *found[2:]):
                return part
    st.subheader(t("share.gone"), icon=":material/link_off:", anchor=False)
    st.caption(t("share.gone.text"))
    return None


def _part(
    talk: Conversation, messages: Sequence[Message], message_id: str = ""
) -> tuple[Conversation, Sequence[Message]] | None:
    """Return all of a conversation, or an answer with its question, but no title or steps: they tell of other turns."""
    if not message_id:
        return talk, messages
    for asked, given in pairwise(messages):
        if given.message_id == message_id:
            answer = given.answer and given.answer | {"reasoning_trace": []}
            return replace(talk, title=t("share.answer")), [asked, replace(given, answer=answer)]
    return None


def withheld(message: Message) -> bool:
    """Tell whether an answer of somebody else may tell of documents that who is here may not read.

    One without sources may speak of all that its asker could see.
    """
    sources = (message.answer or {}).get("sources")
    return message.state == "withheld" or (library().rights is not None and not sources)


def show_shared(talk: Conversation, messages: Sequence[Message]) -> None:
    """Draw a shared conversation, to be read and no more."""
    st.subheader(plain(talk.title), anchor=False)
    for message in messages:
        if message.role == "user":
            with st.chat_message("user", avatar=":material/person:"):
                st.markdown(answers.as_typed(message.text))
            continue
        with st.chat_message("assistant", avatar=MARK):
            if withheld(message):
                st.caption(f":material/lock: {t('answer.withheld')}")
            elif message.answer:
                answers.show_answer(Answer.from_dict(message.answer), message.message_id)
            else:
                st.markdown(safe_markdown(message.text) if message.state == "done" else t("answer.interrupted"))


def export(conversation: Conversation, messages: Sequence[Message], what: str) -> None:
    """Open the choice of a format; ``what`` says what is exported."""

    @st.dialog(t("chat.export.title"))
    def opened() -> None:
        st.caption(what)
        name = file_name(_named(conversation, messages), messages[-1].created_at, "conversation")
        told = conversation, messages, names_of(library().documents())
        tables = paper.tables_as_csv("\n\n".join(one.text for one in messages if one.role != "user"))
        made: dict[str, tuple[str, Callable[[], str | bytes]]] = {
            "md": ("text/markdown", partial(as_markdown, *told)),
            "docx": (WORD, lambda: paper.as_docx(*with_notes(*told))),
            "pdf": ("application/pdf", lambda: paper.as_pdf(*with_notes(*told), t("answer.sources"))),
            "csv": ("text/csv", lambda: tables),
        }  # fmt: skip
        for kind, (mime, make) in made.items():
            if kind != "csv" or tables:
                key = f"export.{'markdown' if kind == 'md' else kind}"
                private_file(t(f"chat.{key}"), make, f"{name}.{kind}", mime, key=key)
                if kind == "md":
                    st.caption(t(f"chat.{key}.help"))

    opened()


def as_markdown(conversation: Conversation, messages: Sequence[Message], names: Mapping[str, str]) -> str:
    """Return questions, answers and their sources as Markdown; ``names`` are those of what questions are limited to."""
    return _written(conversation, messages, names, answer_text)


def with_notes(
    conversation: Conversation, messages: Sequence[Message], names: Mapping[str, str]
) -> tuple[str, dict[int, str]]:
    """Return questions and answers as Markdown, their marks numbered on, and the note of each mark: its source."""
    notes: dict[int, str] = {}

    def noted(message: Message) -> str:
        if not message.answer:
            return message.text
        answer = Answer.from_dict(message.answer)
        numbers = {str(source.n): len(notes) + at for at, source in enumerate(answer.sources, 1)}
        notes.update({numbers[str(source.n)]: _source(source) for source in answer.sources})
        text = re.sub(r"\[(\d+)\]", lambda mark: f"[{numbers.get(mark[1], mark[1])}]", answer.answer)
        return "\n\n".join(filter(None, (text, outside_told(message.answer))))

    return _written(conversation, messages, names, noted), notes


def _written(
    conversation: Conversation, messages: Sequence[Message], names: Mapping[str, str], told: Callable[[Message], str]
) -> str:
    title = _named(conversation, messages)
    parts = [f"# {title}"]
    for message in messages:
        if message.role != "user":
            parts.append(told(message))
            continue
        if " ".join(message.text.split()) != title:  # a single question is the title
            parts.append("\n".join(f"> {line}" for line in message.text.splitlines()))
        within = label_of(message.filters or Filters(), names, literal)
        parts.append(f"*{moment(message.created_at)} · {within}*")
    return "\n\n".join(parts) + "\n"


def _named(conversation: Conversation, messages: Sequence[Message]) -> str:
    """Return the question of a single answer, else what the conversation is called."""
    asked = [message.text for message in messages if message.role == "user"]
    return " ".join((asked[0] if len(asked) == 1 else conversation.title).split())


def answer_text(message: Message) -> str:
    """Return an answer with its sources as plain Markdown, to copy or keep."""
    if not message.answer:
        return message.text
    answer = Answer.from_dict(message.answer)
    sources = "\n".join(f"[{source.n}] {_source(source)}  " for source in answer.sources)
    return "\n\n".join(filter(None, [answer.answer, sources, outside_told(message.answer)]))


def _source(source: Citation) -> str:
    version = t("chat.scope.version.n", version=source.version)
    page = t(f"answer.{page_kind(source.document)}", page=source.page) if source.page else ""
    place = ", ".join(filter(None, [source.document, version, source.section, page, source.cell]))
    return f"{place}: “{' '.join(source.snippet.split())}”"
