"""The few looks of Streamlit's own parts that its theme leaves no choice in; every other colour is the theme's."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import streamlit as st

_STYLE = Path(__file__).with_suffix(".css").read_text("utf-8")
# A ring is told from the page at 3 to 1, text at 4.5 to 1.
_COLOURS = {
    "light": {"ring": "#868d9c", "accent": "#2c4fd0", "veil": "rgba(23, 26, 35, .45)"},
    "dark": {"ring": "#6b7488", "accent": "#93abff", "veil": "rgba(0, 0, 0, .5)"},
}


def apply(shade: Literal["light", "dark"]) -> None:
    """Have the page look as it should in a theme."""
    named = "; ".join(f"--{name}: {colour}" for name, colour in _COLOURS[shade].items())
    st.html(f"<style>:root {{ {named} }}\n{_STYLE}</style>")
