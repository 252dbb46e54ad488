"""What the browser runs: each component is a Python file with a script and a style sheet of the same name.

They are constants of ours; whatever comes from documents or models reaches them as data, and they set it as
text. They need no build step and load nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).resolve().parent


def component(name: str, html: str) -> Any:
    """Declare the component ``name`` from ``name.js`` and, where there is one, ``name.css``."""
    style = _HERE / f"{name}.css"
    return st.components.v2.component(
        f"dropqa_{name}",
        html=f"{html}\n",
        css=style.read_text("utf-8") if style.exists() else None,
        js=(_HERE / "links.js").read_text("utf-8") + (_HERE / f"{name}.js").read_text("utf-8"),
    )
