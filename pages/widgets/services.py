"""The one way from the pages to the Library, and what they read from it again and again."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from engine.settings_sources import ALIASES
from pages.widgets import owner as owners
from pages.widgets.document_view import DocumentView
from pages.widgets.language import current, remember
from pages.widgets.samples import questions
from pages.widgets.secrets import streamlit_secrets
from pages.widgets.texts import text

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from engine.library import Library

MARK = str(Path(__file__).resolve().parents[2] / "static" / "mark.svg")
SUGGESTIONS = 4
_TOKEN = "owner.token"
_DOCUMENTS_FOR_SUGGESTIONS = 4
_CHINESE = re.compile("[\u4e00-\u9fff]")
# Titles that say nothing about a document's subject.
_COMMONPLACE = re.compile(
    r"(table of )?contents|references|bibliography|appendix.*|index|introduction|abstract|preface|foreword|"
    r"acknowledge?ments?|conclusions?|summary|overview|general|notes?|footnotes|目录|参考文献|附录.*|附则|总则|前言|"
    r"引言|摘要|绪论|序言?|致谢|结论|总结|说明|第.{1,5}[章节条编部]",
    re.IGNORECASE,
)


def library() -> Library:
    """Return this process's Library. Raises DropQAError (locked by another process, bad settings …)."""
    return _open(os.environ.get("DROPQA_LIBRARY", ""))


@st.cache_resource(show_spinner=False)
def _open(folder: str) -> Library:
    from engine.shared_library import shared_library

    return shared_library(folder, secrets=streamlit_secrets())


def owner() -> str:
    """Return whose conversations this session sees: those of who has signed in, else of the browser's cookie.

    ``asgi.py`` brings the cookie; where it does not run, the page keeps one itself (:func:`keep_owner`).
    """
    if library().settings.access.oidc:
        return owners.owner_of_user(str(st.user.get("iss")), str(st.user.get("sub")))
    token = st.context.cookies.get(owners.COOKIE)
    if not owners.valid_token(token) and st.context.headers:
        token = st.session_state.setdefault(_TOKEN, owners.new_token())
    return owners.owner_of(token)


def keep_owner() -> None:
    """Have the browser remember whose conversations these are, where the server could not tell it."""
    if token := st.session_state.get(_TOKEN):
        remember(owners.COOKIE, token)


def generation() -> int:
    """Return the number of the library's last change, as a cache key."""
    return library().storage.snapshot().generation


def contents() -> Hashable:
    """Return what becomes another when documents or topics are added, changed or removed."""
    documents = [(document.document_id, document.version) for document in library().documents()]
    return hash(tuple(documents)), len(documents), library().topics.state[1]


def document_view(document_id: str, version: int) -> DocumentView:
    """Return a version's tree, laid out for the Document page. Raises NotFoundError."""
    return _document_view(str(library().folder), generation(), document_id, version)


@st.cache_resource(show_spinner=False, max_entries=8)
def _document_view(folder: str, at: int, document_id: str, version: int) -> DocumentView:
    return DocumentView(library().tree(document_id, version))


def suggestions() -> list[str]:
    """Return a few questions that the documents should be able to answer."""
    names = {document.name for document in library().documents()}
    if asked := questions(names, chinese=current() == "zh"):
        return asked[:SUGGESTIONS]
    titles = _section_titles(str(library().folder), generation())
    forms = ("chat.suggest.1", "chat.suggest.2")
    return [
        text(forms[number % 2], "zh" if _CHINESE.search(title) else "en", title=title)
        for number, title in enumerate(titles)
    ]


@st.cache_data(show_spinner=False, max_entries=16)
def _section_titles(folder: str, at: int) -> list[str]:
    """Take a telling section title from each of the last documents in turn."""
    candidates = []
    for document in library().documents()[:_DOCUMENTS_FOR_SUGGESTIONS]:
        sections = _document_view(folder, at, document.document_id, document.version).sections
        titles = [node.title.strip() for node in sections if (node.level or 1) <= 3 or node.depth <= 3]
        candidates.append([title for title in dict.fromkeys(titles) if _telling(title)])
    chosen: list[str] = []
    for turn in range(SUGGESTIONS):
        chosen += [titles[turn] for titles in candidates if turn < len(titles) and titles[turn] not in chosen]
    return chosen[:SUGGESTIONS]


def _telling(title: str) -> bool:
    bare = re.sub(r"^[\d.\s、()（）§]+", "", title)
    wide = sum(1 for character in bare if character > "\u2e7f")
    shouted = bare.isupper() and len(bare) > 12
    long_enough = 3 <= wide <= 28 if wide else 8 <= len(bare) <= 56
    digits = sum(1 for character in bare if character.isdigit())
    return long_enough and not shouted and digits <= 4 and not _COMMONPLACE.fullmatch(bare.strip(" :：."))


def overriding_variables(environ: Mapping[str, str]) -> list[str]:
    """Return the environment variables that decide the language model whatever is saved."""
    names = {name for name, setting in ALIASES.items() if setting.startswith("llm.")}
    names |= {f"DROPQA_LLM__{key}" for key in ("API_BASE", "API_KEY", "MODEL")}
    return sorted(name for name in names if environ.get(name))
