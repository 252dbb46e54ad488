"""What the check of an answer found, shown in its text: a sign, a word and the reason at each statement.

A statement that is supported shows its source; one that was computed, not verified or contradicted says so. Colour,
sign and word say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from engine.export.harmless import plain
from engine.model import Citation, Statement
from pages.widgets.sources import address_of
from pages.widgets.texts import t

_SIGNS = {
    "computed": ("green", ":material/calculate:", "statement.computed"),
    "unverified": ("orange", ":material/help:", "statement.unverified"),
    "contradicted": ("red", ":material/error:", "statement.contradicted"),
}


def sign(statement: Statement, by_number: dict[int, Citation], mark: Callable[[int], str]) -> str:
    """Return the Markdown that tells of a statement: its source, or a badge with the reason on hover."""
    if statement.state == "supported":
        return mark(statement.sources[0])
    colour, icon, word = _SIGNS[statement.state]
    badge = f":{colour}-badge[{icon} {t(word)}]"
    source = next((by_number[n] for n in statement.sources if n in by_number), None)
    reason = statement.reason.replace("\\", "").replace('"', "”").replace("\n", " ")
    return f'[{badge}]({address_of(source) if source else "#"} "{reason}")'


def show_contradicted(statements: Sequence[Statement]) -> None:
    """Draw both quotations of every statement that its source contradicts."""
    for one in statements:
        if one.state != "contradicted":
            continue
        with st.container(border=True, gap="xxsmall"):
            st.markdown(f":red-badge[:material/error: {t('statement.contradicted')}] {plain(one.reason)}")
            for label, quote in zip(("statement.says", "statement.place_says"), one.quotes, strict=False):
                st.caption(f"{t(label)} “{plain(quote)}”")
