"""Parts of a page that are drawn by themselves: Streamlit's fragments, which never lead back to a page that was left.

While ``st.switch_page`` is under way the browser still asks for parts of the page before, by their timers and by
what was just typed. Streamlit would run such a part as one of the old page, and the browser, told so, would show
nothing of the new one. A part therefore knows for which page it was made.

A part that learns that work has ended can have the whole page drawn anew, at a moment when nothing on it is in use: a
dialog that is open would be closed by it, and a click just made would be lost; only the browser knows of both.
"""

import functools
from collections.abc import Callable
from typing import ParamSpec

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.widgets.frontend import component
from pages.widgets.places import page_file

_PAGE = "fragments.page"
_WANTED = '<i class="dropqa-redraw" hidden></i>'
_idle_page = component("idle_page")
P = ParamSpec("P")


def note_page(page: str) -> None:
    """Remember which page this run draws; parts made from here on are parts of it."""
    st.session_state[_PAGE] = page


def fragment(draw: Callable[P, None], *, run_every: str | float | None = None) -> Callable[P, None]:
    """Return what draws a part of the page that is drawn again by itself, every ``run_every`` if that is given."""

    @functools.wraps(draw)
    def begin(*args: P.args, **kwargs: P.kwargs) -> None:
        page, parameters, made_for = str(st.session_state[_PAGE]), st.query_params.to_dict(), _page_of_run()

        @functools.wraps(draw)
        def part(*args: P.args, **kwargs: P.kwargs) -> None:
            if _page_of_run() != made_for:
                st.switch_page(page_file(page), query_params=parameters)
            draw(*args, **kwargs)

        st.fragment(part, run_every=run_every)(*args, **kwargs)

    return begin


def follow(ended: Callable[[], bool], draw: Callable[[], object], run_every: str) -> None:
    """Draw how far some work is, again every so often; the page is drawn anew once it has ``ended``."""

    def watch() -> None:
        if ended():
            st.rerun()
        draw()

    fragment(watch, run_every=run_every)()


def redrawing() -> None:
    """Have the browser draw the whole page anew once :func:`redraw` asks for it and the page is idle.

    Belongs outside the fragment that calls :func:`redraw`: what it triggers is then one run of the page, which a
    click that comes meanwhile joins. A fragment's ``st.rerun`` would throw the click away.
    """
    _idle_page({}, "idle_page", "idle")


def redraw() -> None:
    """Ask for the page to be drawn anew; stands until then, as long as each run of the fragment asks again."""
    st.html(_WANTED)


def _page_of_run() -> str:
    context = get_script_run_ctx()
    return context.page_script_hash if context else ""
