"""What the browser runs: each component is a script, and a style sheet of the same name.

They are constants of ours; whatever comes from documents or models reaches them as data, and they set it as
text. They need no build step and load nothing.
"""

import base64
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).resolve().parent
# What every script may use.
_SHARED = ("elements", "links")


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


_private_file = component("private_file", "<button type='button'></button>")


def private_file(label: str, make: Callable[[], str | bytes], name: str, mime: str, *, key: str) -> None:
    """Draw a button that makes a file called ``name`` once it is pressed and has the browser save it.

    It is a user's own and reaches only this page: Streamlit's own download would keep it at an address that anybody who
    learns of it can read.
    """
    asked = f"{key}.asked"
    content = b""
    if st.session_state.pop(asked, False):
        made = make()
        content = made.encode() if isinstance(made, str) else made
    sent = base64.b64encode(content).decode()
    data = {"label": label, "name": name, "mime": mime, "content": sent}
    ask = partial(st.session_state.update, {asked: True})
    _private_file(data, key, width="content", on_wanted_change=ask)
