"""Parts of a page: those that are drawn by themselves, and those that the browser draws by a script of ours.

The first are Streamlit's fragments, which never lead back to a page that was left. While ``st.switch_page`` is under
way the browser still asks for parts of the page before, by their timers and by what was just typed. Streamlit would run
such a part as one of the old page, and the browser, told so, would show nothing of the new one. A part therefore knows
for which page it was made. A part that learns that work has ended can have the whole page drawn anew, at a moment when
nothing on it is in use: a dialog that is open would be closed by it, and a click just made would be lost; only the
browser knows of both.

The scripts and style sheets are constants of ours; whatever comes from documents or models reaches them as data, and
they set it as text. They need no build step and load nothing.
"""

import base64
import functools
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.widgets.places import page_file

_PAGE = "fragments.page"
_WANTED = '<i class="dropqa-redraw" hidden></i>'
P = ParamSpec("P")
_HERE = Path(__file__).resolve().parent
# What every script may use.
_SHARED = ("elements", "links")


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


def component(name: str, html: str = "<span hidden></span>", *uses: str) -> Callable[..., Any]:
    """Declare the component ``name`` from ``name.js`` and, where there is one, ``name.css``; it ``uses`` others' files.

    The function that comes back mounts it with ``data``, a ``key``, the names of what the browser reports (its
    result has each as an attribute), and whatever else Streamlit takes.
    """
    styles = [path for part in (*uses, name) if (path := _HERE / f"{part}.css").exists()]
    declared = st.components.v2.component(
        f"dropqa_{name}",
        html=f"{html}\n",
        css="".join(path.read_text("utf-8") for path in styles) or None,
        js="".join((_HERE / f"{part}.js").read_text("utf-8") for part in (*_SHARED, *uses, name)),
    )

    def mount(data: Mapping[str, Any], key: str, *reports: str, **more: Any) -> Any:
        # In lists, but not in tuples, Streamlit looks for data frames and loads pandas for that (1.6 s, 80 MB).
        plain = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
        reported: dict[str, Any] = {f"on_{name}_change": lambda: None for name in reports}
        return declared(data=plain, key=key, **reported, **more)

    return mount


_idle_page = component("idle_page")
_private_file = component("private_file", "<button type='button'></button>")


def private_file(label: str, make: Callable[[], str | bytes], name: str, mime: str, *, key: str) -> None:
    """Draw a button that makes a file called ``name`` once it is pressed and has the browser save it.

    It is a user's own and reaches only this page: Streamlit's own download would keep it at an address that anybody who
    learns of it can read.
    """
    made = make() if st.session_state.pop(f"{key}.asked", False) else b""
    content = base64.b64encode(made.encode() if isinstance(made, str) else made).decode()
    data = {"label": label, "name": name, "mime": mime, "content": content}
    ask = partial(st.session_state.update, {f"{key}.asked": True})
    _private_file(data, key, width="content", on_wanted_change=ask)
