"""The frame around every page: navigation, logo, conversations, work in progress, language.

``guard()`` is the first line of every file in ``pages/``. Streamlit runs such a file without ``app.py`` when
its address is the first request after a start (until some session has called ``st.navigation``, it takes
``pages/`` for an automatic menu); the guard then runs the whole app, which runs the right page inside it.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from engine.errors import DropQAError, LibraryLockedError, NotFoundError
from pages.widgets import access, conversation, fragments, search_box, services, texts, uploads
from pages.widgets.buttons import button, link_to, tell
from pages.widgets.fragments import component
from pages.widgets.places import PAGES, page_file
from pages.widgets.texts import named, said, t, translate

STATIC = Path(__file__).resolve().parents[2] / "static"
STYLE = Path(__file__).with_name("page_style.css")
# A run draws in one thread from its first line to its last, while the next one of its session may have begun.
_running = threading.local()
_PAGES = {
    "dashboard": "home", "documents": "folder_open", "topics": "category", "chat": "forum", "reports": "edit_note",
    "retrieval_lab": "biotech", "evaluation": "fact_check", "settings": "tune", "document": "article",
}  # fmt: skip
# Reading is easier in a narrow column; lists and page pictures want the whole width.
_NARROW = {"chat", "reports", "settings"}
# These pages show the work in progress themselves.
_SHOW_WORK = {"documents", "dashboard"}
# On a narrow screen the menu lies over the page, and Streamlit leaves it open, at the next visit, too.
_narrow_menu = component("narrow_menu")
_look = component("look", "<button type='button'></button>")
# Work that ends in the background moves what stands below it.
_steady_press = component("steady_press")


def guard() -> None:
    """Make sure that the page runs inside the shell."""
    if not getattr(_running, "inside", False):
        main()
        st.stop()


def main() -> None:
    """Draw the frame and run the page that the address names."""
    _running.inside = True
    try:
        _main()
    finally:
        _running.inside = False


def _main() -> None:
    # Before the navigation: the icon of a page would become the tab's, fetched from a foreign server.
    st.set_page_config(page_title="DropQA", page_icon=str(STATIC / "mark.svg"))
    try:
        manages, problem = access.manages(), None
    except DropQAError as error:
        manages, problem = True, error
    start = st.Page(_start, title="DropQA", url_path="start", default=True, visibility="hidden")
    shared = conversation.shared()
    chosen = st.navigation([start, *_pages(manages)], position="hidden" if shared else "sidebar")
    fragments.note_page(chosen.url_path)
    st.set_page_config(
        page_title="DropQA" if chosen == start else f"{chosen.title} · DropQA",
        layout="centered" if chosen.url_path in _NARROW else "wide",
    )
    _dress()
    if problem is not None:
        _closed(problem)
        return
    if not access.admitted():
        access.show_login(chosen.url_path)
        _steady_press({}, "steady_press")
        return
    if shared and chosen.url_path == "chat":  # who was given a link to a conversation reads that and no more
        _run(chosen.run)
        return
    if question := st.session_state.pop(search_box.ASKED, None):
        conversation.ask_elsewhere(question)
    with st.sidebar:
        _sidebar(chosen.url_path)
    tell()
    _run(chosen.run)


def _pages(manages: bool) -> list[StreamlitPage]:
    """The pages in the order of the navigation; the settings are for who manages the library."""
    hidden = {"document"} if manages else {"document", "settings"}
    return [
        st.Page(
            page_file(name), title=t(f"nav.{name}"), icon=f":material/{icon}:", url_path=name,
            help=named(f"nav.{name}.help", "") or None, visibility="hidden" if name in hidden else "visible",
        )
        for name, icon in _PAGES.items()
    ]  # fmt: skip


def _dress() -> None:
    shade = "dark" if st.context.theme.type == "dark" else "light"
    st.html(f"<style>:root {{ color-scheme: {shade} }}</style>")
    st.html(STYLE)
    st.logo(STATIC / f"logo-{shade}.svg", size="large", icon_image=STATIC / "mark.svg")


def _sidebar(page: str) -> None:
    search_box.search_box()
    conversation.sidebar_list()
    if page not in _SHOW_WORK:
        suggests = page == "chat" and conversation.current() is None
        uploads.watch(uploads.draw_strip, services.contents() if suggests else None)
    with st.container(horizontal=True, vertical_alignment="center"):
        texts.switch()
        says = {name: t(f"look.{name}") for name in ("System", "Light", "Dark")}
        _look({"pages": PAGES, "says": says, "label": t("look.change")}, "look", width="content")
    translate()
    _narrow_menu({}, "narrow_menu")
    _steady_press({}, "steady_press")
    access.sign_out()
    services.keep_owner()
    access.forget_what_one_came_for()


def _start() -> None:
    """The bare address leads to where one wanted to go before signing in, else to the overview."""
    page, parameters = access.came_for() or ("dashboard", {})
    st.switch_page(page_file(page), query_params=parameters)


def _run(page: Callable[[], None]) -> None:
    try:
        page()
    except DropQAError as error:
        gone = isinstance(error, NotFoundError)
        title, icon = ("shell.not_found.title", "search_off") if gone else ("shell.failed.title", "error")
        with _told(error, t(title), icon):
            link_to("documents", t("shell.to_documents"), "arrow_back")


@contextmanager
def _told(error: DropQAError, title: str, icon: str) -> Iterator[None]:
    """Draw what went wrong in place of a page; what is drawn within stands below it."""
    with st.container(border=True, width=560):
        st.subheader(title, icon=f":material/{icon}:", anchor=False)
        st.markdown(said(error))
        yield


def _closed(error: DropQAError) -> None:
    """The library cannot be opened: say why, with nothing else on the page."""
    locked = isinstance(error, LibraryLockedError)
    title, icon = ("shell.locked.title", "lock") if locked else ("shell.broken.title", "error")
    with st.container(horizontal_alignment="center"), _told(error, t(title), icon):
        if locked:
            st.caption(t("shell.locked.help"))
        button(t("shell.retry"), "shell.retry", "refresh", type="primary")
