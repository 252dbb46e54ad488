"""A document's tree, laid out for reading: what stands on a page, where, what the tree shows, what is not understood.

Formats with pages keep them. Text without pages is cut into parts of some thousand characters, at sections
where possible, so that a book-long file opens as quickly as a note. Pages and parts are 1-based.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from engine.enrich.cell_places import cell_of
from engine.model import BBox, Node, Tree, children_of, hull
from engine.versions.alignment import dice, key_of
from engine.versions.changes import tokens_of
from pages.widgets.table_grid import BLOCK_CHARACTERS
from pages.widgets.texts import short, t

PART_CHARACTERS = 12_000
LEAVES = 200
LABEL_CHARACTERS = 90
PAGES_NAMED = 12
_SAME_PLACE = 0.4
Share = tuple[float, float, float, float]
PageKind = Literal["page", "slide", "sheet", "part"]
SLIDES = (".pptx", ".ppt", ".odp")
SHEETS = (".xlsx", ".xlsm", ".xls", ".ods", ".csv", ".tsv")


def page_kind(name: str) -> PageKind:
    """Return what the pages of a document with this name are called."""
    name = name.lower()
    return "slide" if name.endswith(SLIDES) else "sheet" if name.endswith(SHEETS) else "page"


class DocumentView:
    """One version of a document, indexed by page. Immutable once made."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.root = tree.nodes[0]
        self._nodes = {node.node_id: node for node in tree.nodes}
        self._children = children_of(tree.nodes)
        self.sections = [node for node in tree.nodes if node.role == "section"]
        self.paged = bool(tree.pages)
        self.kind: PageKind = page_kind(tree.name) if self.paged else "part"
        self.has_pictures = tree.media_type == "application/pdf" or tree.media_type.startswith("image/")
        self._page_of: dict[str, int] = self._pages() if self.paged else self._parts()
        self.pages = tree.pages or max(self._page_of.values(), default=1)
        self._on_page = self._by_page()

    def node(self, node_id: str | None) -> Node | None:
        """Return a node, or None when the version does not have it."""
        return self._nodes.get(node_id or "")

    def page_of(self, node: Node) -> int:
        """Return the page or part on which a node begins."""
        return self._page_of.get(node.node_id, 1)

    def like(self, other: Node | None) -> Node | None:
        """Return the node that is most like one of another version; None where none says nearly the same."""
        wanted = _terms(other) if other else Counter[str]()
        same = [(dice(wanted, _terms(one)), one) for one in self.tree.nodes[1:] if other and one.role == other.role]
        share, found = max(same, key=lambda pair: pair[0], default=(0.0, None))
        return found if share >= _SAME_PLACE else None

    def path(self, node: Node) -> list[Node]:
        """Return the nodes above a node, outermost first, without the node and the root."""
        parent = self._nodes.get(node.parent_id or "")
        return [] if parent is None or parent is self.root else [*self.path(parent), parent]

    def shown_in_tree(self, node: Node) -> Node:
        """Return the node that the tree shows for this one: a caption is found under its table."""
        above = [parent for parent in self.path(node) if parent.role != "section"]
        return above[0] if above else node

    def section_of(self, node: Node) -> Node:
        """Return the node itself when it is a section (or the root), else the one that holds it."""
        if node.role in ("document", "section"):
            return node
        parent = self._nodes.get(node.parent_id or "", self.root)
        return self.section_of(parent)

    def places(self, page: int) -> list[tuple[Node, list[Share]]]:
        """Return the nodes with a box on a page and their boxes as shares (0..1) of its width and height."""
        found = [(node, self.shares(page, self.boxes(node, page))) for node in self._on_page.get(page, [])]
        return [(node, boxes) for node, boxes in found if boxes]

    def cited(self, node: Node, page: int, cells: Iterable[tuple[int, int]]) -> list[Share]:
        """Return where cells of a table (row, column; 0-based) stand on a page, as shares of it, a box for each row.

        Nothing where the edges of the table's cells are not known.
        """
        whole = {box for _, box in _spans(node)}
        rows: dict[int, list[BBox]] = {}
        for row, column in sorted(cells):
            ref = cell_of(node, row, column)
            if ref.page == page and ref.bbox is not None and ref.bbox not in whole:
                rows.setdefault(row, []).append(ref.bbox)
        return self.shares(page, map(hull, rows.values()))

    def boxes(self, node: Node, page: int) -> list[BBox]:
        """Return the boxes of a node on a page, in points."""
        return [box for on, box in _spans(node) if on == page]

    def shares(self, page: int, boxes: Iterable[BBox]) -> list[Share]:
        """Return boxes in points as shares (0..1) of a page; none where its size is not known."""
        if not 1 <= page <= len(self.tree.page_sizes):
            return []
        return [_share(box, *self.tree.page_sizes[page - 1]) for box in boxes]

    def on_page(self, page: int) -> list[Node]:
        """Return the nodes on a page or in a part, in reading order."""
        return self._on_page.get(page, [])

    def lines(self, page: int, node: Node) -> list[tuple[Share, str, float]]:
        """Return what text recognition read of a node on a page: boxes as shares, texts, confidence (0..1)."""
        lines = [line for line in node.metadata.get("ocr_lines") or [] if line["page"] == page]
        boxes = self.shares(page, [tuple(line["bbox"]) for line in lines])
        return [(box, line["text"], line["confidence"]) for box, line in zip(boxes, lines, strict=False)]

    def outline(self) -> list[list[Any]]:
        """Return the root and all sections as [id, title, index of the parent, page, has children]."""
        index = {self.root.node_id: 0}
        rows: list[list[Any]] = [[self.root.node_id, self.root.title or self.tree.name, -1, None, True]]
        for node in self.sections:
            index[node.node_id] = len(rows)
            parent = index.get(node.parent_id or "", 0)
            rows.append([node.node_id, node.title, parent, self._shown_page(node), node.node_id in self._children])
        return rows

    def leaves(self, section: Node, selected: Node | None) -> list[list[Any]]:
        """Return a section's children in order as [id, label, role, page].

        A label of None is a section, an empty one a node without words. Of many, those around the
        selected one are returned.
        """
        children = self._children.get(section.node_id, [])
        if len(children) > LEAVES:
            children = _some_of(children, selected)
        return [
            [one.node_id, None if one.role == "section" else _label(one), one.role, self._shown_page(one)]
            for one in children
        ]

    def passages_in(self, section: Node) -> int:
        """Return how many nodes below a section are not sections."""
        below = self._children.get(section.node_id, [])
        return sum((node.role != "section") + self.passages_in(node) for node in below)

    def _shown_page(self, node: Node) -> int | None:
        return self._page_of[node.node_id] if self.paged else None

    def _by_page(self) -> dict[int, list[Node]]:
        found: dict[int, list[Node]] = {}
        for node in self.tree.nodes[1:]:
            for page in sorted({self._page_of[node.node_id], *(page for page, _ in _spans(node))}):
                found.setdefault(page, []).append(node)
        return found

    def _pages(self) -> dict[str, int]:
        pages: dict[str, int] = {}
        last = 1
        for node in self.tree.nodes:
            last = pages[node.node_id] = min(max(node.page or last, 1), self.tree.pages or 1)
        return pages

    def _parts(self) -> dict[str, int]:
        parts: dict[str, int] = {}
        part, used = 1, 0
        for node in self.tree.nodes:
            size = min(len(node.text), BLOCK_CHARACTERS) + len(node.title)
            at_section = node.role == "section" and used > PART_CHARACTERS // 2
            if used and (used + size > PART_CHARACTERS or at_section):
                part, used = part + 1, 0
            parts[node.node_id] = part
            used += size
        return parts


def _some_of(children: Sequence[Node], selected: Node | None) -> list[Node]:
    """Return all sections among many children and the other ones around the selected one."""
    at = next((i for i, node in enumerate(children) if node is selected), 0)
    start = max(0, min(at - LEAVES // 2, len(children) - LEAVES))
    sections = [node for node in children if node.role == "section"]
    window = [node for node in children[start : start + LEAVES] if node.role != "section"]
    return sorted([*sections, *window], key=lambda node: node.position)


def _terms(node: Node) -> Counter[str]:
    return Counter(tokens_of(node.title + key_of(node)))


def _label(node: Node) -> str:
    text = node.title or node.text or str(node.metadata.get("caption") or "")
    return short(" ".join(text.split()), LABEL_CHARACTERS)


def _spans(node: Node) -> list[tuple[int, BBox]]:
    spans = [(span["page"], tuple(span["bbox"])) for span in node.metadata.get("spans") or [] if span.get("bbox")]
    if not spans and node.page is not None and node.bbox is not None:
        spans = [(node.page, node.bbox)]
    return spans


def _share(box: BBox, width: float, height: float) -> Share:
    pairs = zip(box, (width, height, width, height), strict=True)
    x0, y0, x1, y1 = (round(min(max(at / size, 0), 1), 4) for at, size in pairs)
    return x0, y0, x1, y1


def findings(view: DocumentView) -> list[str]:
    """Tell what of a document could not be understood: pages without text, tables without rows, made up headings."""
    told = []
    if bare := _pages_without_text(view):
        told.append(t("health.no_text", count=len(bare), pages=_named(bare)))
    tables = (node for node in view.tree.nodes[1:] if node.role == "table")
    if flat := [view.page_of(node) for node in tables if not node.metadata.get("rows")]:
        told.append(t("health.tables", count=len(flat), pages=_named(flat)))
    made = sum(bool(node.metadata.get("generated")) for node in view.sections)
    if made:
        told.append(t("health.headings", found=len(view.sections) - made, made=made))
    return told


def _pages_without_text(view: DocumentView) -> list[int]:
    if not view.paged or view.kind != "page":
        return []
    return [page for page in range(1, view.pages + 1) if not any(map(_says, view.on_page(page)))]


def _says(node: Node) -> bool:
    return any((node.metadata.get("rows"), node.metadata.get("ocr_text"), node.text.strip(), node.title.strip()))


def _named(pages: Sequence[int]) -> str:
    distinct = sorted(set(pages))
    return ", ".join(map(str, distinct[:PAGES_NAMED])) + (" …" if len(distinct) > PAGES_NAMED else "")
