"""A file that is a user's own, to keep: it reaches only this page, never an address that others could ask for."""

import base64
from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.widgets.frontend import component

_component = component("private_file", "<button type='button'></button>")


def private_file(label: str, make: Callable[[], str | bytes], name: str, mime: str, *, key: str) -> None:
    """Draw a button that makes a file called ``name`` once it is pressed and has the browser save it.

    Streamlit's own download would keep the file at an address that anybody who learns of it can read.
    """
    asked = f"{key}.asked"
    content = b""
    if st.session_state.pop(asked, False):
        made = make()
        content = made.encode() if isinstance(made, str) else made
    sent = base64.b64encode(content).decode()
    data = {"label": label, "name": name, "mime": mime, "content": sent}
    ask = partial(st.session_state.update, {asked: True})
    _component(data, key, width="content", on_wanted_change=ask)
