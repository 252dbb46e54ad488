"""What a page shows where there is nothing yet: the mark, what is missing, and the way on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from engine.export.harmless import plain
from pages.widgets.buttons import button, link_to
from pages.widgets.services import suggestions
from pages.widgets.texts import t


@contextmanager
def empty_state(title: str, text: str, *, heads_page: bool = False) -> Iterator[None]:
    """Draw a title (the page's if it ``heads_page``) and a text in the middle; what is drawn within stands below."""
    with st.container(horizontal_alignment="center", gap="small"):
        st.space("medium")
        st.markdown("![](app/static/hero.svg)", width="content")
        head = st.title if heads_page else st.subheader
        head(title, anchor=False, text_alignment="center")
        st.caption(text, text_alignment="center", width=560)
        yield


def questions_to_begin_with(key: str, ask: Callable[[str], object]) -> None:
    """Draw a few questions that the documents answer; ``ask`` gets the one that is pressed."""
    with st.grid(2, min_column_width=260, gap="small"):
        for number, question in enumerate(suggestions()):
            if button(plain(question), f"{key}.{number}", type="secondary", width="stretch", wrap=True):
                ask(question)
                st.rerun()


def to_documents() -> None:
    """Draw the way to the page where documents are added."""
    link_to("documents", t("chat.empty.add"), "upload_file")
