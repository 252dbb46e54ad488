"""Drawing the page anew when work behind it has ended, at a moment when nothing on it is in use.

A dialog that is open would be closed by it, and a click just made would be lost; only the browser knows of both.
"""

from __future__ import annotations

import streamlit as st

from pages.widgets.frontend import component

_component = component("idle_page")
_WANTED = '<i class="dropqa-redraw" hidden></i>'


def redrawing() -> None:
    """Have the browser draw the whole page anew once :func:`redraw` asks for it and the page is idle.

    Belongs outside the fragment that calls :func:`redraw`: what it triggers is then one run of the page, which a
    click that comes meanwhile joins. A fragment's ``st.rerun`` would throw the click away.
    """
    _component({}, "idle_page", "idle")


def redraw() -> None:
    """Ask for the page to be drawn anew; stands until then, as long as each run of the fragment asks again."""
    st.html(_WANTED)
