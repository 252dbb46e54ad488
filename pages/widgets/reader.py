"""Reading a document: the place that an address names, contents, pages with boxes, the selected passage; correcting it.

The tree of contents has what is unfolded, and the passages of one section at a time, so that one of thousands of nodes
stays quick. Formats without pages, and pages without their picture, are read as text, reflowed. Everything a document
says is set as text, never as HTML or Markdown. Of what was read one corrects the title, what is a heading, the header
of a table; and takes it back.
"""

import base64
import io
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from engine.corrections import HIGHEST, LOWEST, MOST_ROWS
from engine.errors import DropQAError, NotFoundError, UnreadableFileError
from engine.export.harmless import plain
from engine.model import Correction, Document, Node, Version
from engine.model.documents import CorrectionKind
from engine.model.tree import DOUBTED
from engine.structure.corrections import lines_of, places_in
from engine.structure.section_kinds import LONGEST
from engine.topics.related import Reason, Related
from pages.widgets import access, buttons, conversation
from pages.widgets.buttons import carry_out, confirm, link_to, tell_next
from pages.widgets.document_list import format_of, passages
from pages.widgets.document_view import DocumentView, findings, page_kind
from pages.widgets.fragments import component
from pages.widgets.page_image import marks, page_bar, page_image, sharp, thumbnails
from pages.widgets.places import QUOTE_CHARACTERS, Place
from pages.widgets.selection import Selected, acts, do, row
from pages.widgets.services import document_view, library, owner, seen
from pages.widgets.table_grid import Sheet, block_of
from pages.widgets.texts import current, day, said, short, t

PICTURE_DPI, SHARP_DPI = 132, 240
CELL_CHARACTERS = 120
_OPENED = "reader.opened"
MOST_PICTURES, WIDEST = 24, 1000
# What the browser puts beside what a document says.
_SAID = (
    "speaker", "comment", "footnote", "endnote", "hidden", "generated", "chart", "picture", "rows_above", "rows_below",
    "table", "doubtful", "read",
)  # fmt: skip
_tree = component("node_tree", "<details open><summary></summary><div class='panel'></div></details>")
_reading = component(
    "reading", "<div class='panel' role='document' tabindex='0'><div class='text'></div></div>", "selection"
)
# Where a conversation is open the place stands next to it, opened from one of its answers.
BESIDE = (conversation.PARAMETER, conversation.SHARED, "turn")
# Moving on leaves behind what a citation named.
_PLAIN: dict[str, None] = {"quote": None, "cell": None, "part": None}
VERY_ALIKE = 0.6
SAID = 40


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
        document, version if version in known else document.version, node_id, _number(given.get("page")),
        given.get("quote", "")[:QUOTE_CHARACTERS], given.get("cell", "")[:CELL_CHARACTERS], _number(given.get("part")),
    )  # fmt: skip


def opened() -> tuple[str, ...]:
    """Return the documents (ids) that were opened in this session, the last first."""
    return st.session_state.get(_OPENED, ())


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 8 else None


def _go(target: Place, **changes: str | int | None) -> None:
    kept = {name: st.query_params[name] for name in BESIDE if name in st.query_params}
    st.query_params.from_dict(kept | target.parameters(**changes))


def header(here: Place, view: DocumentView, versions: Sequence[Version]) -> None:
    """Draw the way back, the name, what it is, its versions and what can be done with it."""
    document = here.document
    link_to("documents", t("shell.to_documents"), "folder_open")
    shown = next(item for item in versions if item.version == here.version)
    title, actions = st.columns([3, 2], vertical_alignment="center")
    with title.container(gap=None):
        st.title(plain(document.name), anchor=False)
        pages = t(f"documents.{page_kind(document.name)}", count=shown.pages) if shown.pages else ""
        count = passages(document) if shown.version == document.version else view.passages_in(view.root)
        facts = [pages, t("documents.nodes", count=count), t("document.indexed", date=day(shown.created_at))]
        st.caption(" · ".join(filter(None, [format_of(document), *facts])))
    with actions.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="small"):
        link_to("chat", t("document.ask"), "forum", about=document.document_id)
        st.download_button(
            t("document.download"), key="reader.download", icon=":material/download:", type="tertiary",
            data=library().original(document.document_id, here.version).read_bytes, file_name=document.name,
            mime="application/octet-stream", on_click="ignore",
        )  # fmt: skip
    newer(here, view)
    notes = [*map(said, shown.warnings), *findings(view)]
    if notes:
        with st.expander(t("document.warnings", count=len(notes)), type="compact", icon=":material/info:"):
            for note in notes:
                st.markdown(note)


def newer(here: Place, view: DocumentView) -> None:
    """Where an older version is read, say so, and lead to the same place in the current one, or to what differs."""
    document = here.document
    if here.version == document.version:
        return
    st.caption(f":material/update: {t('document.old', version=here.version, current=document.version)}")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if buttons.button(t("document.to_current"), "reader.current", "arrow_forward"):
            node = document_view(document.document_id, document.version).like(view.node(here.node_id))
            _go(replace(here, version=document.version), **_PLAIN, node=node.node_id if node else None, page=None)
            st.rerun()
        if not conversation.shared():
            pair = f"{here.version}..{document.version}"
            link_to("document", t("versions.compare"), "compare_arrows", doc=document.document_id, compare=pair)


def contents(here: Place, view: DocumentView) -> None:
    """Draw the tree; picking a node opens its page."""
    node = view.node(here.node_id)
    section, shown = view.section_of(node or view.root), view.shown_in_tree(node) if node else None
    data = {
        "rows": view.outline(), "section": section.node_id, "selected": shown.node_id if shown else None,
        "leaves": [
            [node_id, label if label or label is None else t(f"role.{role}"), role, page]
            for node_id, label, role, page in view.leaves(section, shown)
        ],
        "key": f"{view.tree.document_id}.{view.tree.version}", "label": t("document.contents"),
        "page": t(f"document.{view.kind}"), "untitled": t("document.untitled"),
    }  # fmt: skip
    picked = _tree(data, "node_tree", "picked").picked
    _open(picked if isinstance(picked, str) else None, here, view)


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
        if (sure := node.metadata.get("ocr_confidence")) is not None:  # of text recognition
            told = t("document.ocr.low" if sure < DOUBTED else "document.ocr", percent=int(100 * sure))
            st.caption(f":orange[:material/warning: {told}]" if sure < DOUBTED else told)
        row(here, node)
        of_passage(here, view, node)


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
            names = {"page": t("document.view.page"), "text": t("document.view.text")}
            as_text = st.radio(
                t("document.view"), list(names), format_func=names.__getitem__, key="reader.view", horizontal=True,
                label_visibility="collapsed", persist_state="session", width="content",
            ) == "text"  # fmt: skip
    if as_text:
        picked = _text(here, view, node, number)
    else:
        thumbnails(view, number, go)
        picked = _picture(here, view, node, number)
    if isinstance(picked, Selected):
        do(picked, here)
    else:
        _open(picked, here, view)


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
    shown = _pictures(view, nodes)
    blocks = [
        block_of(
            item, picture=shown.get(item.node_id, ""),
            quote=here.quote if item is node else "", cell=here.cell if item is node else "",
        )
        for item in nodes
    ]  # fmt: skip
    heading = 1 if blocks and blocks[0]["role"] == "section" else 0
    blocks[heading:heading] = sheet
    return _flow(blocks, here, view, node, number)


def _flow(
    blocks: list[dict[str, Any]], here: Place, view: DocumentView, node: Node | None, number: int
) -> str | Selected | None:
    data = {
        "blocks": blocks, "active": node.node_id if node else None,
        "linked": node is not None, "key": f"{here.document.document_id}.{here.version}.{number}.{here.part}",
        "quote": here.quote, "look": "text" if view.kind == "part" else view.kind, "acts": acts(),
        "sought": marks(view), "says": {key: t(f"reading.{key}") for key in _SAID},
        "label": t("document.text.label", name=here.document.name), "empty": t("document.no_text"),
    }  # fmt: skip
    return Selected.or_node(_reading(data, "reading", "picked", "act"))


def _pictures(view: DocumentView, nodes: Iterable[Node]) -> dict[str, str]:
    """Return the first pictures among some nodes as data addresses by node id, "" where one cannot be had."""
    wanted = [node for node in nodes if node.role == "image" and not node.metadata.get("whole_page")]
    return {one.node_id: _address(seen(), one.node_id, view.tree.version) for one in wanted[:MOST_PICTURES]}


@st.cache_data(show_spinner=False, max_entries=200)
def _address(seen: str, node_id: str, version: int) -> str:
    """Return a picture as a data address, at most ``WIDEST`` pixels wide; "" where it cannot be had."""
    from PIL import Image

    try:
        picture = Image.open(io.BytesIO(library().image(node_id, version))).convert("RGB")
    except DropQAError:
        return ""
    picture.thumbnail((WIDEST, 2 * WIDEST))
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=85)
    return "data:image/jpeg;base64," + base64.b64encode(buffer.getvalue()).decode()


def _sheet(here: Place, nodes: list[Node], node: Node | None) -> tuple[list[dict[str, Any]], list[Node]]:
    """Return a part of a sheet as a block and the nodes that lie on no cell; the parts can be turned."""
    sheet = Sheet(nodes)
    if not sheet.rows:
        return [], nodes
    part = here.part if here.part and here.part <= sheet.parts else sheet.part_of(node, here.cell)
    if sheet.parts > 1:
        shown = sheet.shown(part)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(t("document.rows", first=shown[0], last=shown[-1], count=sheet.rows[-1]), width="content")
            key = f"reader.part.{here.document.document_id}.{here.page}.{part}"

            def turned() -> None:
                if (to := st.session_state[key]) != part:  # also called where a page's turner is closed
                    _go(here, part=to, quote=None, cell=None)

            st.pagination(sheet.parts, default=part, key=key, width="stretch", on_change=turned)
    block = sheet.block(part, active=node, quote=here.quote, cell=here.cell, label=here.document.name)
    return [block], [item for item in nodes if not sheet.has(item)]


def _open(picked: str | None, here: Place, view: DocumentView) -> None:
    node = view.node(picked)
    if node is not None and picked != here.node_id:
        _go(here, node=node.node_id, page=view.page_of(node) if view.paged else None, **_PLAIN)
        st.rerun()


def related(document: Document) -> None:
    """Draw the documents related to one, where there are any."""
    found = _related(str(library().folder), library().topics.state, document.document_id)
    if not found:
        return
    label = f"{t('document.related')} · {len(found)}"
    with st.expander(label, icon=":material/hub:", key="reader.related"):
        for one in found:
            with st.container(gap=None):
                link_to("document", plain(one.name), doc=one.document_id)
                st.caption("  \n".join(plain(told(reason)) for reason in one.reasons))


def told(reason: Reason) -> str:
    """Return a reason in words."""
    if reason.kind == "alike":
        return t("related.alike.very" if reason.strength >= VERY_ALIKE else "related.alike")
    words = ("、" if current() == "zh" else ", ").join(reason.words)
    one = reason.kind == "topics" and len(reason.words) == 1
    return t("related.topics.one" if one else f"related.{reason.kind}", words=words)


@st.cache_data(show_spinner=False, max_entries=64)
def _related(folder: str, state: tuple[int, int], document_id: str) -> list[Related]:
    return library().topics.related(document_id)


def correctable(here: Place) -> bool:
    """Tell whether whoever is here may correct the version that is shown: the current one of a document of theirs."""
    current = here.version == here.document.version
    return current and not conversation.shared() and access.changeable()(here.document)


def of_document(here: Place, view: DocumentView) -> None:
    """Draw the button that opens the title and all corrections of a document."""
    made = len(library().corrections.of(here.document.document_id))
    label = t("correct.document.count", count=made) if made else t("correct.document")
    if buttons.button(label, "correct.document", "edit"):
        st.dialog(t("correct.document"))(_document)(view)


def _document(view: DocumentView) -> None:
    title = st.text_input(
        t("correct.title"), view.root.title, max_chars=LONGEST, key=f"correct.title.{view.root.node_id}"
    )
    confirm(t("correct.save"), "correct.save", lambda: _make(view, view.root, "title", text=title))
    document_id = view.tree.document_id
    waiting = {one.place for one in library().corrections.waiting(view.tree)}
    if waiting:
        st.caption(t("correct.waiting", count=len(waiting)))
    st.caption(t("correct.where"))
    for at, one in enumerate(library().corrections.of(document_id)):
        with st.container(horizontal=True, vertical_alignment="center", key=f"correct.one.{at}"):
            mark = ":material/hourglass_empty: " if one.place in waiting else ""
            st.markdown(mark + _told(one), width="stretch")
            if buttons.button(t("correct.back"), f"correct.back.{at}", "undo"):
                carry_out(partial(_take_back, document_id, one.place))


def _told(one: Correction) -> str:
    key = f"correct.is.{one.kind}" + (".text" if one.kind == "heading" and one.text else "")
    said, text = plain(short(one.said, SAID)), plain(short(one.text, SAID))
    return t(key, said=said, text=text, level=one.level, count=one.rows)


def of_passage(here: Place, view: DocumentView, node: Node) -> None:
    """Draw the button that corrects the passage that is selected, where there is something to correct."""
    if not correctable(here):
        return
    table = node.role == "table"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        printed = any(places_in([node])[node.node_id])
        if printed and buttons.button(t("correct.button"), "correct.passage", "edit"):
            draw = _table if table else partial(_heading, quote=here.quote)
            st.dialog(t("correct.table" if table else "correct.passage"))(draw)(view, node)
        # How it was found where its file does not state it, and what was corrected by hand.
        made = "generated" if node.metadata.get("generated") else str(node.metadata.get("found_by") or "")
        if found_by := "by_hand" if node.metadata.get("correction") else made:
            st.caption(t(f"correct.found.{found_by}"), width="content")


def _table(view: DocumentView, node: Node) -> None:
    now = min(int(node.metadata.get("header_rows") or 0), MOST_ROWS)
    rows = st.number_input(t("correct.rows"), 0, MOST_ROWS, now, key=f"correct.rows.{node.node_id}")
    confirm(t("correct.save"), "correct.save", lambda: _make(view, node, "header_rows", rows=rows))


def _heading(view: DocumentView, node: Node, quote: str = "") -> None:
    key, lines, line = f"correct.{node.node_id}", lines_of(node), 0
    if len(lines) > 1:  # none is meant before it is chosen, but one that is quoted here
        quoted, choose = (n for n, one in enumerate(lines) if quote and quote in one), t("correct.line.choose")
        chosen = st.selectbox(
            t("correct.line"), range(len(lines)), next(quoted, None), lines.__getitem__, key, placeholder=choose
        )
        if chosen is None:
            return
        line = chosen
    shown = lines[line] if len(lines[line]) <= LONGEST else ""
    text = st.text_input(t("correct.heading"), shown, LONGEST, f"{key}.text.{line}", help=t("correct.heading.help"))
    # What was missed is most often of the level of the heading before it.
    usual = min(max(view.section_of(node).level or HIGHEST, HIGHEST), LOWEST)
    level = st.number_input(t("correct.level"), HIGHEST, LOWEST, usual, key=f"{key}.level")
    is_one = node.role == "section"
    with st.container(horizontal=True, horizontal_alignment="right"):
        if is_one and buttons.button(t("correct.no_heading"), "correct.no_heading"):
            carry_out(lambda: _make(view, node, "text"))
        confirm(
            t("correct.save" if is_one else "correct.is_heading"), "correct.save",
            lambda: _make(view, node, "heading", text=text, level=level, line=line),
        )  # fmt: skip


def _make(view: DocumentView, node: Node, kind: CorrectionKind, **what: Any) -> None:
    document_id = view.tree.document_id
    library().corrections.make(document_id, kind, node.node_id, owner=owner(), **what)
    tell_next(t("correct.done"))
    if kind in ("heading", "text"):  # it is another node afterwards
        st.query_params.update(doc=document_id, page=str(view.page_of(node)))
        st.query_params.pop("node", None)


def _take_back(document_id: str, place: str) -> None:
    library().corrections.take_back(document_id, place, owner())
    tell_next(t("correct.done"))
