"""Reading a document: the place that an address names, contents, pages with boxes, the selected passage."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from engine.errors import NotFoundError, UnreadableFileError
from engine.export.harmless import plain
from engine.model import Document, Node, Version
from pages.widgets import conversation, correcting, sharing
from pages.widgets.buttons import link_to
from pages.widgets.document_list import format_of, pages_of, passages, passages_of
from pages.widgets.document_view import DocumentView, findings
from pages.widgets.messages import said
from pages.widgets.node_block import LOW_CONFIDENCE, block_of
from pages.widgets.node_tree import node_tree
from pages.widgets.page_bar import page_bar, thumbnails
from pages.widgets.page_image import page_image, sharp
from pages.widgets.places import document_place
from pages.widgets.reading import pictures, reading
from pages.widgets.selection import Selected, do, row
from pages.widgets.services import library
from pages.widgets.sheet_grid import Sheet
from pages.widgets.texts import day, t

PICTURE_DPI, SHARP_DPI = 132, 240
QUOTE_CHARACTERS = 400
CELL_CHARACTERS = 120
_VIEW, _OPENED = "reader.view", "reader.opened"
# Where a conversation is open the place stands next to it, opened from one of its answers.
BESIDE = (conversation.PARAMETER, sharing.PARAMETER, "turn")
# Moving on leaves behind what a citation named.
_PLAIN: dict[str, None] = {"quote": None, "cell": None, "part": None}


@dataclass(frozen=True, slots=True)
class Place:
    """What an address names: ``?doc=&version=&node=&page=&part=&cell=&quote=``; all may lack but doc or node."""

    document: Document
    version: int
    node_id: str | None
    page: int | None
    quote: str
    cell: str = ""
    part: int | None = None

    def parameters(self, **changes: str | int | None) -> dict[str, str]:
        """Return the query parameters of this place with some of them changed; None leaves one out."""
        old = self.version != self.document.version
        values: dict[str, str | int | None] = {
            "doc": self.document.document_id, "version": self.version if old else None, "node": self.node_id,
            "page": self.page, "cell": self.cell, "quote": self.quote, "part": self.part,
        }  # fmt: skip
        return document_place(**values | changes)


def place() -> Place | None:
    """Return the place that the address names, or None when it names none. Raises NotFoundError."""
    given = st.query_params
    node_id = given.get("node") or None
    reference, stored = given.get("doc"), None
    if not reference:
        if node_id is None:
            return None
        stored = library().node(node_id)
        reference = stored.document_id
    version = stored.version if stored else _number(given.get("version"))
    document = library().document(reference)
    known = {item.version for item in library().versions(document.document_id)}
    st.session_state[_OPENED] = tuple(dict.fromkeys([document.document_id, *opened()]))
    return Place(
        document=document,
        version=version if version in known else document.version,
        node_id=node_id,
        page=_number(given.get("page")),
        quote=given.get("quote", "")[:QUOTE_CHARACTERS],
        cell=given.get("cell", "")[:CELL_CHARACTERS],
        part=_number(given.get("part")),
    )


def opened() -> tuple[str, ...]:
    """Return the documents (ids) that were opened in this session, the last first."""
    return st.session_state.get(_OPENED, ())


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 8 else None


def _go(target: Place, **changes: str | int | None) -> None:
    kept = {name: st.query_params[name] for name in BESIDE if name in st.query_params}
    st.query_params.from_dict(kept | target.parameters(**changes))


def _turn(here: Place, shown: int, part: int) -> None:
    if part != shown:  # also called where a page's turner is closed
        _go(here, part=part, quote=None, cell=None)


def header(here: Place, view: DocumentView, versions: Sequence[Version]) -> None:
    """Draw the way back, the name, what it is, its versions and what can be done with it."""
    document = here.document
    with st.container(horizontal=True, gap="small"):
        link_to("documents", t("shell.to_documents"), "folder_open")
    shown = next(item for item in versions if item.version == here.version)
    title, actions = st.columns([3, 2], vertical_alignment="center")
    with title.container(gap=None):
        st.title(plain(document.name), anchor=False)
        st.caption(_facts(document, view, shown))
    with actions.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="small"):
        link_to("chat", t("document.ask"), "forum", about=document.document_id)
        st.download_button(
            t("document.download"), key="reader.download", icon=":material/download:", type="tertiary",
            data=library().original(document.document_id, here.version).read_bytes, file_name=document.name,
            mime="application/octet-stream", on_click="ignore",
        )  # fmt: skip
    if here.version != document.version:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(
                f":material/history: {t('document.old', version=here.version, current=document.version)}",
                width="content",
            )
            link_to("document", t("document.to_current"), doc=document.document_id)
    notes = [*map(said, shown.warnings), *findings(view)]
    if notes:
        with st.expander(t("document.warnings", count=len(notes)), type="compact", icon=":material/info:"):
            for note in notes:
                st.markdown(note)


def _facts(document: Document, view: DocumentView, shown: Version) -> str:
    facts = [format_of(document)]
    if shown.pages:
        facts.append(pages_of(document.name, shown.pages))
    count = passages(document) if shown.version == document.version else view.passages_in(view.root)
    facts += [passages_of(count), t("document.indexed", date=day(shown.created_at))]
    return " · ".join(facts)


def contents(here: Place, view: DocumentView) -> None:
    """Draw the tree; picking a node opens its page."""
    _open(node_tree(view, view.node(here.node_id)), here, view)


def selected_passage(here: Place, view: DocumentView) -> None:
    """Draw what the selected node is, where it stands, and what can be done with it; its text is marked beside it."""
    node = view.node(here.node_id)
    if node is None:
        st.caption(t("document.gone") if here.node_id else t("document.passage.none"))
        return
    if node is view.root:
        return
    with st.container(border=True, gap="small", key="reader.passage"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(t(f"role.{node.role}"), color="gray")
            where = " › ".join(plain(_name(above)) for above in view.path(node))
            if where:
                st.caption(where, width="stretch")
        if node.role == "section":
            st.markdown(f"**{plain(_name(node))}**")
            st.caption(t("document.section.text", count=view.passages_in(node)))
        _recognised(node)
        row(here, node)
        correcting.of_passage(here, view, node)


def _recognised(node: Node) -> None:
    """Say how sure text recognition is of a passage that it has read."""
    confidence = node.metadata.get("ocr_confidence")
    if confidence is None:
        return
    percent = int(100 * confidence)
    if confidence < LOW_CONFIDENCE:
        st.caption(f":orange[:material/warning: {t('document.ocr.low', percent=percent)}]")
    else:
        st.caption(t("document.ocr", percent=percent))


def _name(node: Node) -> str:
    if node.role == "section":
        return node.title or t("document.untitled")
    return node.title or str(node.metadata.get("label") or t(f"role.{node.role}"))


def pages(here: Place, view: DocumentView) -> None:
    """Draw the page (or part of the text) that the place names, with the selected node marked."""
    node = view.node(here.node_id)
    number = here.page if here.page and here.page <= view.pages else view.page_of(node) if node else 1
    number = max(number, 1)
    as_text = not view.has_pictures

    def go(**changes: str | int | None) -> None:
        _go(here, **_PLAIN | changes)

    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="small"):
        page_bar(view, node, number, go)
        if view.has_pictures:
            as_text = _choose_view()
    if as_text:
        picked = _text(here, view, node, number)
    else:
        thumbnails(view, number, go)
        picked = _picture(here, view, node, number)
    if isinstance(picked, Selected):
        do(picked, here)
    else:
        _open(picked, here, view)


def _choose_view() -> bool:
    names = {"page": t("document.view.page"), "text": t("document.view.text")}
    chosen = st.radio(
        t("document.view"), list(names), format_func=names.__getitem__, key=_VIEW, horizontal=True,
        label_visibility="collapsed", persist_state="session", width="content",
    )  # fmt: skip
    return chosen == "text"


def _picture(here: Place, view: DocumentView, node: Node | None, number: int) -> str | Selected | None:
    dpi = SHARP_DPI if sharp() else PICTURE_DPI
    try:
        picture = library().page_image(here.document.document_id, number, version=here.version, dpi=dpi)
    except (NotFoundError, UnreadableFileError):
        st.caption(t("document.no_picture"))
        return _text(here, view, node, number)
    return page_image(picture, here, view, node, number)


def _text(here: Place, view: DocumentView, node: Node | None, number: int) -> str | Selected | None:
    nodes = [item for item in view.on_page(number) if not item.metadata.get("whole_page") or item is node]
    sheet, nodes = _sheet(here, nodes, node) if view.kind == "sheet" else ([], nodes)
    shown = pictures(view, nodes)
    blocks = [
        block_of(
            item, picture=shown.get(item.node_id, ""),
            quote=here.quote if item is node else "", cell=here.cell if item is node else "",
        )
        for item in nodes
    ]  # fmt: skip
    heading = 1 if blocks and blocks[0]["role"] == "section" else 0
    return reading([*blocks[:heading], *sheet, *blocks[heading:]], here, view, node, number)


def _sheet(here: Place, nodes: list[Node], node: Node | None) -> tuple[list[dict[str, Any]], list[Node]]:
    """Return a part of a sheet as a block and the nodes that lie on no cell; the parts can be turned."""
    sheet = Sheet(nodes)
    if not sheet.rows:
        return [], nodes
    part = here.part if here.part and here.part <= sheet.parts else sheet.part_of(node, here.cell)
    if sheet.parts > 1:
        first, last = sheet.bounds(part)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(t("document.rows", first=first, last=last, count=sheet.rows[-1]), width="content")
            key = f"reader.part.{here.document.document_id}.{here.page}.{part}"
            st.pagination(
                sheet.parts, default=part, key=key, width="stretch",
                on_change=lambda: _turn(here, part, st.session_state[key]),
            )  # fmt: skip
    block = sheet.block(part, active=node, quote=here.quote, cell=here.cell, label=here.document.name)
    return [block], [item for item in nodes if not sheet.has(item)]


def _open(picked: str | None, here: Place, view: DocumentView) -> None:
    node = view.node(picked)
    if node is not None and picked != here.node_id:
        _go(here, node=node.node_id, page=view.page_of(node) if view.paged else None, **_PLAIN)
        st.rerun()
