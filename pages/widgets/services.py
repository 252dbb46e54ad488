"""The one way from the pages to the Library, and what they read from it again and again."""

import os
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from engine.errors import NotFoundError
from engine.interfaces import identity
from engine.library import Library
from engine.overview.suggested import SuggestedQuestions
from engine.retrieve.query import is_unspaced
from engine.shared_library import shared_library
from engine.visited_library import Visitor, seen_by
from pages.widgets.deployment import streamlit_secrets
from pages.widgets.document_view import DocumentView
from pages.widgets.samples import QUESTIONS
from pages.widgets.texts import current, remember
from storage.base import StoredNode

MARK = str(Path(__file__).resolve().parents[2] / "static" / "mark.svg")
SUGGESTIONS = 4
_TOKEN = "owner.token"


def library() -> Library:
    """Return this process's Library as who is here sees it. Raises DropQAError (locked, bad settings …)."""
    whole = whole_library()
    return seen_by(whole, Visitor.of(user())) if whole.settings.access.named else whole


def user() -> Mapping[str, Any]:
    """Return who is here as a provider or a proxy says it; ``asgi.py`` has seen to it that it is a trusted one."""
    access = whole_library().settings.access
    return identity.user_of(st.context.headers, access) if access.proxy_user else st.user.to_dict()


def whole_library() -> Library:
    """Return this process's Library, whoever asks. Raises DropQAError."""
    return _open(os.environ.get("DROPQA_LIBRARY", ""))


@st.cache_resource(show_spinner=False)
def _open(folder: str) -> Library:
    return shared_library(folder, secrets=streamlit_secrets())


def owner() -> str:
    """Return whose conversations this session sees: those of who has signed in, else of the browser's cookie.

    ``asgi.py`` brings the cookie; where it does not run, the page keeps one itself (:func:`keep_owner`).
    """
    if library().settings.access.named:
        return identity.owner_of_user(str(user().get("iss")), str(user().get("sub")))
    token = st.context.cookies.get(identity.OWNER_COOKIE)
    if not identity.valid_token(token) and st.context.headers:
        token = st.session_state.setdefault(_TOKEN, identity.new_token())
    return identity.owner_of(token)


def keep_owner() -> None:
    """Have the browser remember whose conversations these are, where the server could not tell it."""
    if token := st.session_state.get(_TOKEN):
        remember(identity.OWNER_COOKIE, token)


def seen() -> str:
    """Return what is another for another library, or another part of it that somebody may read, as a cache key."""
    rights = library().rights
    return "\n".join([str(library().folder), *(sorted(rights.readable) if rights else "*")])


def generation() -> int:
    """Return the number of the library's last change, as a cache key."""
    return library().storage.snapshot().generation


def contents() -> Hashable:
    """Return what becomes another when documents, topics or suggested questions are others."""
    folder = str(library().folder)
    return _documents_shown(folder, generation()), library().topics.state[1], len(_suggested(seen()).get())


@st.cache_data(show_spinner=False, max_entries=4)
def _documents_shown(folder: str, at: int) -> int:
    return hash(tuple((document.document_id, document.version) for document in library().documents()))


def node(node_id: str) -> StoredNode | None:
    """Return a node by its id, None where it is gone."""
    try:
        return library().node(node_id)
    except NotFoundError:
        return None


def document_view(document_id: str, version: int) -> DocumentView:
    """Return a version's tree, laid out for the Document page. Raises NotFoundError."""
    return _document_view(str(library().folder), generation(), document_id, version)


@st.cache_resource(show_spinner=False, max_entries=8)
def _document_view(folder: str, at: int, document_id: str, version: int) -> DocumentView:
    return DocumentView(library().tree(document_id, version))


def suggestions() -> list[str]:
    """Return a few questions that the documents answer, in the reader's language first."""
    found = _suggested(seen()).get()
    chinese = current() == "zh"
    return sorted(found, key=lambda question: is_unspaced(question) != chinese)[:SUGGESTIONS]


@st.cache_resource(show_spinner=False, max_entries=8)
def _suggested(seen: str) -> SuggestedQuestions:
    return SuggestedQuestions(library(), QUESTIONS)
