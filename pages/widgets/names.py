"""Names that tables and forms make known, as cards, and what is said of one, each with its place."""

from string import ascii_uppercase
from urllib.parse import quote

import streamlit as st

from engine.export.harmless import plain
from engine.topics.entities import MOST_NAMES, SEVERAL, SHORT_FORM, Statement
from engine.topics.names import fold
from pages.widgets.buttons import link_to
from pages.widgets.fragments import component
from pages.widgets.places import document_address
from pages.widgets.services import library
from pages.widgets.texts import t

MOST_CARDS = 400
_cards = component("topic_cards", "<ul></ul>")


def overview(query: str) -> None:
    """Draw the names that hold a query; where none does, what is said of the query as a name."""
    found = library().topics.names(query)
    if not found:
        _said(query)
        return
    several = [one for one in found if query or max(one.documents, one.places) >= SEVERAL]
    st.caption(t("names.summary" if several else "names.summary.none", count=len(several)))
    if len(several) == len(found) or st.toggle(t("names.every", count=len(found)), key="names.every"):
        several = found
    rows = [
        {
            "name": one.name, "href": f"topics?name={quote(one.name, safe='')}",
            "size": f"{t('names.statements', count=one.statements)} · {t('topics.documents', count=one.documents)}",
        }
        for one in several[:MOST_CARDS]
    ]  # fmt: skip
    if len(found) >= MOST_NAMES:
        told = [t("difference.shown", count=MOST_CARDS)] if len(several) > MOST_CARDS else []
        st.caption(" ".join([*told, t("names.part", count=MOST_NAMES)]))
    _cards({"rows": rows, "label": t("topics.names")}, "names.cards")


def show(name: str) -> None:
    """Draw what is said of a name."""
    link_to("topics", t("names.all"), "arrow_back")
    st.title(plain(name), anchor=False)
    _said(name)


def _said(name: str) -> None:
    said = library().topics.said_of(name)[:MOST_CARDS]
    st.caption(t("names.said" if said else "names.none", name=plain(name)))
    # What one row says of it stands together.
    found: dict[tuple[str, ...], list[Statement]] = {}
    for one in said:
        row = one.cell.rpartition("!")[2].lstrip(ascii_uppercase) or one.label
        found.setdefault((one.node_id, fold(one.subject), row), []).append(one)
    rows = [
        {
            "name": " · ".join(_in_words(one, fold(name) == fold(one.subject)) for one in row),
            "size": " · ".join(filter(None, (row[0].document, row[0].by))),
            "href": document_address(
                doc=row[0].document_id, node=row[0].node_id, cell=";".join(one.cell for one in row)
            ),
        }
        for row in found.values()
    ]  # fmt: skip
    _cards({"rows": rows, "label": name}, "names.said")


def _in_words(one: Statement, of_subject: bool) -> str:
    """Return a statement of its subject, or of its value, in words."""
    label = t("names.short_form") if one.label == SHORT_FORM else one.label
    if of_subject:
        return f"{label}: {one.value}"
    return t("names.of", label=label, subject=one.subject) if one.subject else label
