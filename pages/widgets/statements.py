"""What the check of an answer found, shown in its text: a sign, a word and the reason at each statement.

A statement that is supported shows its source; one that was computed, not verified or contradicted says so. Colour,
sign and word say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from engine.model import Citation, Statement
from pages.widgets.sanitize import plain
from pages.widgets.sources import address_of
from pages.widgets.texts import t

# Numbers from here on stand for statements among the marks of a text; no answer has so many sources.
FIRST = 500
_MOST = 400
_SIGNS = {
    "computed": ("green", ":material/calculate:", "statement.computed"),
    "unverified": ("orange", ":material/help:", "statement.unverified"),
    "contradicted": ("red", ":material/error:", "statement.contradicted"),
}


def with_signs(text: str, statements: Sequence[Statement]) -> str:
    """Return an answer's text with a mark of its own, from :data:`FIRST` on, behind each statement to be told."""
    for number, one in reversed(list(enumerate(statements[:_MOST]))):
        if not told(text, one):
            continue
        said = text[one.start : one.end].rstrip()
        at = one.start + len(said)
        if said.endswith("|"):  # the last cell of a table's row
            at -= 1
        text = f"{text[:at]} [{FIRST + number}]{text[at:]}"
    return text


def told(text: str, one: Statement) -> bool:
    """True for a statement that its text alone does not tell of: not supported, or supported without a mark."""
    if one.state != "supported":
        return True
    said = text[one.start : one.end + 1]
    return bool(one.sources) and not any(f"[{n}]" in said for n in one.sources)


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
