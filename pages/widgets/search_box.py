"""The search box of every page: documents, topics, sections and passages as one types; Ctrl K opens it.

It is a dialog of the browser's own, so that it works over any page; only what is found comes from here. Two more
keys work everywhere: Ctrl K (or ⌘ K) searches, Alt A goes to the field that asks.
"""

import re
from typing import Any

import streamlit as st

from engine.errors import DropQAError
from engine.model import Filters
from pages.widgets.document_list import format_of, sign_of
from pages.widgets.fragments import component, fragment
from pages.widgets.places import document_address
from pages.widgets.services import library
from pages.widgets.texts import around, t
from pages.widgets.topic_overview import address_of, size_of

DOCUMENTS, TOPICS, SECTIONS, PASSAGES = 5, 4, 6, 5
SECTIONS_READ = 60
LONGEST_QUERY = 200
LONGEST_SNIPPET = 2000
ASKED = "search.asked"

_component = component(
    "search_box",
    "<button type='button' class='open'></button>"
    "<dialog><form method='dialog'><input type='search' autocomplete='off' spellcheck='false' role='combobox' "
    "aria-expanded='true' aria-controls='found' aria-autocomplete='list' /><button class='close'></button></form>"
    "<div class='found' id='found' role='listbox'></div><p class='state' role='status'></p></dialog>",
)


@fragment
def search_box() -> None:
    """Draw the button and, once it is opened, what was found for the words typed so far."""
    state = st.session_state.get("search_box") or {}
    query = str(state.get("query") or "")[:LONGEST_QUERY].strip()
    says = {name: t(f"search.{name}") for name in ("open", "placeholder", "start", "results", "close")}
    says["ask"] = t("search.ask")  # its hole is filled in the browser, as one types
    data = {"query": query, "groups": found(query), "says": says, "none": t("search.none", query=query)}
    result = _component(data, "search_box", "query", "asked")
    if isinstance(result.asked, str) and result.asked.strip():
        st.session_state[ASKED] = result.asked
        st.rerun()


def found(query: str) -> list[dict[str, Any]]:
    """Return groups of what the words find, each ``{"label", "rows"}``; a row has title, detail, address and sign."""
    if not query.strip():
        return []
    groups = {
        "documents": _documents(query), "topics": _topics(query), "sections": _sections(query),
        "passages": _passages(query),
    }  # fmt: skip
    return [{"label": t(f"search.{name}"), "rows": rows} for name, rows in groups.items() if rows]


def _documents(query: str) -> list[dict[str, str]]:
    words = query.casefold().split()
    matching = [one for one in library().documents() if all(word in one.name.casefold() for word in words)]
    matching.sort(key=lambda one: not one.name.casefold().startswith(words[0]))
    return [
        _row(one.name, format_of(one), sign_of(one), document_address(doc=one.document_id))
        for one in matching[:DOCUMENTS]
    ]


def _topics(query: str) -> list[dict[str, str]]:
    wanted = " ".join(query.casefold().split())
    matching = [topic for topic in library().topics.all() if wanted in topic.name.casefold()]
    matching.sort(key=lambda topic: (-len(topic.documents), len(topic.name)))
    return [_row(topic.name, size_of(topic), "#", address_of(topic)) for topic in matching[:TOPICS]]


def _sections(query: str) -> list[dict[str, str]]:
    wanted = re.compile(re.escape(" ".join(query.split())), re.IGNORECASE)
    snapshot = library().storage.snapshot()
    scope = snapshot.scope(Filters(roles=("section",)))
    keys = snapshot.keyword_search(lambda text: wanted.search(text) is not None, SECTIONS_READ, scope)
    stored = snapshot.nodes(keys)
    stored.sort(key=lambda item: (not wanted.match(item.node.title), len(item.node.title)))
    above = (" › ".join([one.document, *one.path[:-1]]) for one in stored)
    return [
        _row(one.node.title, place, "§", document_address(node=one.node.node_id))
        for one, place in zip(stored[:SECTIONS], above, strict=False)
    ]


def _passages(query: str) -> list[dict[str, str]]:
    try:
        hits = library().search(query, mode="fulltext", top_k=PASSAGES).hits
    except DropQAError:
        return []
    return [
        _row(around(hit.snippet, query, LONGEST_SNIPPET), " › ".join([hit.document, *hit.path]), "¶",
             document_address(doc=hit.document_id, node=hit.node_id, page=hit.page))
        for hit in hits
        if hit.role != "section"
    ]  # fmt: skip


def _row(title: str, detail: str, sign: str, address: str) -> dict[str, str]:
    return {"title": title, "detail": detail, "sign": sign, "href": address}
