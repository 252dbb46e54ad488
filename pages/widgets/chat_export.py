"""A conversation, or one answer of it, as a file to keep: text to read, and tables."""

import re
from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from engine.export import paper
from engine.export.report_file import WORD, file_name
from engine.interfaces.render import outside_told
from engine.model import Answer, Citation, Conversation, Message
from pages.widgets.document_view import page_kind
from pages.widgets.frontend import private_file
from pages.widgets.texts import t


def dialog(conversation: Conversation, messages: Sequence[Message], what: str) -> None:
    """Open the choice of a format; ``what`` says what is exported."""

    @st.dialog(t("chat.export.title"))
    def opened() -> None:
        st.caption(what)
        name = file_name(_title(conversation, messages)) or "conversation"
        tables = paper.tables_as_csv("\n\n".join(one.text for one in messages if one.role != "user"))
        made: dict[str, tuple[str, Callable[[], str | bytes]]] = {
            "md": ("text/markdown", partial(as_markdown, conversation, messages)),
            "docx": (WORD, lambda: paper.as_docx(*with_notes(conversation, messages))),
            "pdf": ("application/pdf", lambda: paper.as_pdf(*with_notes(conversation, messages), t("answer.sources"))),
            "csv": ("text/csv", lambda: tables),
        }  # fmt: skip
        for kind, (mime, make) in made.items():
            if kind != "csv" or tables:
                told = f"export.{'markdown' if kind == 'md' else kind}"
                private_file(t(f"chat.{told}"), make, f"{name}.{kind}", mime, key=told)
                if kind == "md":
                    st.caption(t(f"chat.{told}.help"))

    opened()


def as_markdown(conversation: Conversation, messages: Sequence[Message]) -> str:
    """Return questions, answers and their sources as Markdown."""
    return _written(conversation, messages, answer_text)


def with_notes(conversation: Conversation, messages: Sequence[Message]) -> tuple[str, dict[int, str]]:
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

    return _written(conversation, messages, noted), notes


def _written(conversation: Conversation, messages: Sequence[Message], told: Callable[[Message], str]) -> str:
    title = _title(conversation, messages)
    parts = [f"# {title}"]
    for message in messages:
        if message.role != "user":
            parts.append(told(message))
        elif " ".join(message.text.split()) != title:  # a single question is the title
            parts.append("\n".join(f"> {line}" for line in message.text.splitlines()))
    return "\n\n".join(parts) + "\n"


def _title(conversation: Conversation, messages: Sequence[Message]) -> str:
    """Return the question of a single answer, else what the conversation is called."""
    asked = [message.text for message in messages if message.role == "user"]
    return " ".join((asked[0] if len(asked) == 1 else conversation.title).split())


def answer_text(message: Message) -> str:
    """Return an answer with its sources as plain Markdown, to copy or keep."""
    if not message.answer:
        return message.text
    answer = Answer.from_dict(message.answer)
    lines = [answer.answer]
    if answer.sources:
        lines += ["", *(f"[{source.n}] {_source(source)}  " for source in answer.sources)]
    if told := outside_told(message.answer):
        lines += ["", told]
    return "\n".join(lines)


def _source(source: Citation) -> str:
    place = [source.document, t("chat.scope.version.n", version=source.version), source.section]
    if source.page:
        place.append(t(f"answer.{page_kind(source.document)}", page=source.page))
    if source.cell:
        place.append(source.cell)
    quote = " ".join(source.snippet.split())
    return f"{', '.join(part for part in place if part)}: “{quote}”"
