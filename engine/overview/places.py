"""Places in documents that a question names: an article, a chapter, a table, a page, a slide, a sheet, a cell, a title.

Each tells which nodes stand there. What bears a number or label is told by :mod:`engine.enrich.references`.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import PurePath

from engine.enrich.cell_places import CellRef, cell_of
from engine.enrich.labels import Label
from engine.enrich.references import Labels, references_in
from engine.language import compiled, patterns
from engine.model import LEAVES, Node, Tree, children_of
from engine.overview.asked import spaced
from engine.structure.articles import article_number, articles_of
from engine.structure.numbering import CHINESE, SPELLED, value_of, without_number
from engine.structure.sentences import is_cjk

PRESENTATIONS = frozenset({".pptx", ".pptm", ".ppsx", ".ppt", ".odp"})
WORKBOOKS = frozenset({".xlsx", ".xlsm", ".xls", ".ods", ".csv", ".tsv"})
LAST = -1
_SHOWN = {*"figure table chart scheme exhibit box algorithm listing plate map equation".split()}
_SHOWN |= {"attached table", "attached figure"}
_AFTER_ARTICLE, _ITEM, _PAGE, _SLIDE, _CELL, _SHEET = (
    compiled(patterns("places")[name].replace("{numerals}", CHINESE))
    for name in ("after_article", "item", "page", "slide", "cell", "sheet")
)


@dataclass(frozen=True, slots=True)
class Place:
    """A place: ``printed`` is it as written, ``rest`` what stands beside it.

    ``nodes`` gives those that stand there, in reading order; none where the document has no such place. ``usual_in``
    tells whether the document is of the kind that has such places: slides are in presentations. ``names_in`` gives what
    of it may be said to name the place, beside its label, ``cells`` the cells of a table that are meant; none where all
    of it is. ``is_shown`` is true for a figure, a table, an equation: what is shown rather than said. With ``several``
    it is quoted from several documents where none is named.
    """

    printed: str
    rest: str
    nodes: Callable[[Tree], list[Node]]
    usual_in: Callable[[Tree], bool] = lambda tree: True
    names_in: Callable[[Tree], list[str]] = lambda tree: []
    cells: Callable[[Node], list[CellRef]] = lambda node: []
    is_shown: bool = False
    several: bool = True


def titled(title: str) -> Place:
    """Return the place of the sections with a title, with or without its number."""

    def nodes(tree: Tree) -> list[Node]:
        children = children_of(tree.nodes)
        wanted = _as_titles(title) - {""}
        found = (node for node in tree.nodes if node.role == "section" and wanted & _as_titles(node.title))
        return [leaf for node in found for leaf in _below(node, children)]

    return Place(title, "", nodes)


def place_in(text: str) -> Place | None:
    """Return the one place that a text names; None where it names none or several."""
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    return _labelled(plain) or _page(plain) or _cells(plain)


def _labelled(text: str) -> Place | None:
    """Return what bears a number or label: of "chapter 2, section 1" the last."""
    found = references_in(text, elsewhere=True)
    labels = [one.label for one in found]
    if not found or len({one.kind for one in labels}) != len(labels):
        return None
    start, last = found[0].start, found[-1]
    after = _AFTER_ARTICLE.match(text, last.end)
    assert after is not None  # it may be empty
    number = article_number(text[last.start : last.end] + (after["after"] or ""))
    paragraph = value_of(after["paragraph"]) if after["paragraph"] else None
    printed, rest = text[start : after.end()], f"{text[:start]} {text[after.end() :]}"

    def nodes(tree: Tree) -> list[Node]:
        """The leaves of an article, a paragraph of it or a section, a table or figure with its caption."""
        children = children_of(tree.nodes)
        for article in articles_of(children) if len(labels) == 1 else ():
            if article.number == number:
                return _paragraph([article.opening, *article.rest], paragraph)
        node = _bearer(labels, tree)
        if node is None:
            return []
        if node.role == "section":
            return _paragraph(list(_below(node, children)), paragraph)
        return _with_captions(node, children)

    def in_its_language(tree: Tree) -> bool:
        """Whether the document writes the label as the question does: 图1, not "Figure 1"."""
        if (node := _bearer(labels, tree)) is None:
            return True
        written = str(node.metadata.get("label") or node.metadata.get("caption") or node.title or node.text)
        return is_cjk(written) == is_cjk(printed)

    return Place(printed, rest, nodes, in_its_language, is_shown=labels[-1].kind in _SHOWN)


def _bearer(labels: Sequence[Label], tree: Tree) -> Node | None:
    known, node = Labels(tree), tree.nodes[0]
    for label in labels:
        if (found := known.find(label, node)) is None:
            return None
        node = known.nodes[found]
    return node


def _page(text: str) -> Place | None:
    """Return a page or slide by its number from 1, or the last."""
    found = list(_PAGE.finditer(text))
    if len(found) != 1:
        return None
    match = found[0]
    ordinal = (match["ordinal"] or "").casefold()
    if match["end"] or ordinal == "last":
        number: int | None = LAST
    else:
        number = SPELLED[ordinal] if ordinal else value_of(match["n"] or match["han"])
    slide = _SLIDE.search(match[0])

    def nodes(tree: Tree) -> list[Node]:
        pages = {node.node_id: _pages(node) for node in tree.nodes[1:]}
        page = max(chain.from_iterable(pages.values()), default=0) if number == LAST else number
        on_it = [node for node in tree.nodes[1:] if page in pages[node.node_id]]
        return [node for node in on_it if node.text or (node.title and node.page == page)]

    def usual_in(tree: Tree) -> bool:
        """Slides are in presentations, pages in what is neither a presentation nor a workbook."""
        suffix = PurePath(tree.name).suffix.lower()
        return suffix in PRESENTATIONS if slide else suffix not in PRESENTATIONS | WORKBOOKS

    rest = f"{text[: match.start()]} {text[match.end() :]}"
    return Place(match[0], rest, nodes, usual_in, several=False) if number else None


def _cells(text: str) -> Place | None:
    """Return a cell of a workbook ("E5"), of the sheet that is named."""
    found = list(_CELL.finditer(text))
    if len(found) != 1:
        return None
    match = found[0]
    cell = (match["cell"] or match["before"]).replace("$", "").upper()
    sheet = match["sheet"] or match["alone"] or ""
    rest = _SHEET.sub(" ", f"{text[: match.start()]} {sheet} {text[match.end() :]}")

    def cells(node: Node) -> list[CellRef]:
        rows = enumerate(node.metadata.get("rows") or [] if node.role == "table" else [])
        refs = (cell_of(node, row, column) for row, cells in rows for column, text in enumerate(cells) if text)
        return [ref for ref in refs if ref.address and ref.address.rpartition("!")[2] == cell][:1]

    def nodes(tree: Tree) -> list[Node]:
        if PurePath(tree.name).suffix.lower() not in WORKBOOKS:
            return []
        said = spaced(rest.replace(tree.name, " "))
        word = r"(?<![a-z\d])%s(?![a-z\d])"
        pages = {one.page for one in _sheets(tree) if re.search(word % re.escape(spaced(one.title)), said)}
        return [one for one in tree.nodes if (not pages or one.page in pages) and cells(one)]

    def sheets(tree: Tree) -> list[str]:
        return [one.title for one in _sheets(tree)]

    return Place(match[0], rest, nodes, names_in=sheets, cells=cells, several=False)


def _as_titles(text: str) -> set[str]:
    return {spaced(text), spaced(without_number(text))}


def _sheets(tree: Tree) -> list[Node]:
    return [node for node in tree.nodes if node.role == "section" and node.title and node.page]


def _with_captions(node: Node, children: Mapping[str | None, Sequence[Node]]) -> list[Node]:
    """Return the captions of a table or figure, and itself where it has a text that these do not say."""
    captions = [one for one in children.get(node.node_id, []) if one.role == "caption"]
    told = " ".join(node.text.split())
    own = told and not any(told in " ".join(one.text.split()) for one in captions)
    return [*captions, *([node] if own and node.role in LEAVES else [])]


def _below(node: Node, children: Mapping[str | None, Sequence[Node]]) -> Iterator[Node]:
    for child in children.get(node.node_id, []):
        if child.role in LEAVES and child.text:
            yield child
        yield from _below(child, children)


def _paragraph(leaves: list[Node], number: int | None) -> list[Node]:
    """Return the leaves of a paragraph by its number from 1; items, （一） or a list, belong to the one before them."""
    if number is None:
        return leaves
    begins = [i for i, leaf in enumerate(leaves) if leaf.role == "paragraph" and not _ITEM.match(leaf.text)]
    if number > len(begins):
        return []
    return leaves[begins[number - 1] : (*begins, len(leaves))[number]]


def _pages(node: Node) -> set[int]:
    spans = node.metadata.get("spans") or []
    return {int(page) for page in (node.page, *(span.get("page") for span in spans)) if page}
