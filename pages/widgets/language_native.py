"""What Streamlit itself writes on the page (its uploader, its fields, the names of its buttons), in Chinese, too.

Streamlit has no other languages of its own; the page itself changes these words, and only in Streamlit's parts. It
also gives toasts the name that readers of the screen hear.
"""

from __future__ import annotations

from pages.widgets.frontend import component
from pages.widgets.language import current
from pages.widgets.texts import SAID_BY_STREAMLIT, read_texts

_component = component("language_native")


def translate() -> None:
    """Have the page say in the session's language what Streamlit says in English, and name its own language."""
    chinese = current() == "zh"
    said = read_texts(SAID_BY_STREAMLIT) if chinese else {"texts": {}, "patterns": {}}
    data = {
        "language": "zh-CN" if chinese else "en",
        "texts": said["texts"],
        "patterns": [list(pair) for pair in said["patterns"].items()],
    }
    _component(data, "language.native")
