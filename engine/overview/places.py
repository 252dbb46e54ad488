"""Places in documents that a question names: an article, a chapter, a table, a page, a slide, a sheet, a cell, a title.

Each tells which nodes stand there. What bears a number or label is told by :mod:`engine.enrich.references`.
"""

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import PurePath
from typing import ClassVar

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
class Place(ABC):
    """A place: ``printed`` is it as written, ``rest`` what stands beside it."""

    printed: str
    rest: str
    # Whether it is quoted from several documents where none is named.
    several: ClassVar[bool] = True

    @property
    def is_shown(self) -> bool:
        """True for a figure, a table, an equation: what is shown rather than said."""
        return False

    @abstractmethod
    def nodes(self, tree: Tree) -> list[Node]:
        """Return the nodes that stand there, in reading order; none where the document has no such place."""

    def usual_in(self, tree: Tree) -> bool:
        """Tell whether the document is of the kind that has such places: slides are in presentations."""
        return True

    def names_in(self, tree: Tree) -> list[str]:
        """Return what of the document may be said to name the place, beside its label: the titles of sheets."""
        return []

    def cells(self, node: Node) -> list[CellRef]:
        """Return the cells of a table that are meant; none where all of it is."""
        return []


@dataclass(frozen=True, slots=True)
class Labelled(Place):
    """What bears a number or label: of "chapter 2, section 1" (``labels``) the last, ``number`` of an article."""

    labels: tuple[Label, ...]
    number: tuple[int, ...] | None
    paragraph: int | None

    @property
    def is_shown(self) -> bool:
        """True where the label is that of what is shown."""
        return self.labels[-1].kind in _SHOWN

    def nodes(self, tree: Tree) -> list[Node]:
        """Return the leaves of an article, a paragraph of it or a section, a table or figure with its caption."""
        children = children_of(tree.nodes)
        for article in articles_of(children) if len(self.labels) == 1 else ():
            if article.number == self.number:
                return _paragraph([article.opening, *article.rest], self.paragraph)
        node = self._bearer(tree)
        if node is None:
            return []
        if node.role == "section":
            return _paragraph(list(_below(node, children)), self.paragraph)
        return _with_captions(node, children)

    def usual_in(self, tree: Tree) -> bool:
        """Tell whether the document writes the label in the question's language: 图1, not "Figure 1"."""
        node = self._bearer(tree)
        if node is None:
            return True
        written = str(node.metadata.get("label") or node.metadata.get("caption") or node.title or node.text)
        return is_cjk(written) == is_cjk(self.printed)

    def _bearer(self, tree: Tree) -> Node | None:
        labels, node = Labels(tree), tree.nodes[0]
        for label in self.labels:
            if (found := labels.find(label, node)) is None:
                return None
            node = labels.nodes[found]
        return node


@dataclass(frozen=True, slots=True)
class Page(Place):
    """A page or slide by its number from 1, or the last."""

    number: int
    slide: bool
    several = False

    def nodes(self, tree: Tree) -> list[Node]:
        """Return the titles and leaves on the page."""
        pages = {node.node_id: _pages(node) for node in tree.nodes[1:]}
        number = max(chain.from_iterable(pages.values()), default=0) if self.number == LAST else self.number
        on_it = [node for node in tree.nodes[1:] if number in pages[node.node_id]]
        return [node for node in on_it if node.text or (node.title and node.page == number)]

    def usual_in(self, tree: Tree) -> bool:
        """Slides are in presentations, pages in what is neither a presentation nor a workbook."""
        suffix = PurePath(tree.name).suffix.lower()
        return suffix in PRESENTATIONS if self.slide else suffix not in PRESENTATIONS | WORKBOOKS


@dataclass(frozen=True, slots=True)
class Cells(Place):
    """A cell of a workbook ("E5"), of the sheet that ``rest`` names."""

    cell: str
    several = False

    def nodes(self, tree: Tree) -> list[Node]:
        """Return the tables that have the cell, on the sheet that is named."""
        if PurePath(tree.name).suffix.lower() not in WORKBOOKS:
            return []
        said = spaced(self.rest.replace(tree.name, " "))
        word = r"(?<![a-z\d])%s(?![a-z\d])"
        pages = {one.page for one in _sheets(tree) if re.search(word % re.escape(spaced(one.title)), said)}
        return [one for one in tree.nodes if (not pages or one.page in pages) and self.cells(one)]

    def names_in(self, tree: Tree) -> list[str]:
        """Return the titles of the sheets."""
        return [sheet.title for sheet in _sheets(tree)]

    def cells(self, node: Node) -> list[CellRef]:
        """Return the cell of a table that is meant, where it has it."""
        if node.role != "table":
            return []
        rows = enumerate(node.metadata.get("rows") or [])
        refs = (cell_of(node, row, column) for row, cells in rows for column, text in enumerate(cells) if text)
        return [ref for ref in refs if ref.address and ref.address.rpartition("!")[2] == self.cell][:1]


@dataclass(frozen=True, slots=True)
class Titled(Place):
    """The sections with a title, with or without its number."""

    def nodes(self, tree: Tree) -> list[Node]:
        """Return the leaves of the sections that are titled so."""
        children = children_of(tree.nodes)
        wanted = _as_titles(self.printed) - {""}
        titled = (node for node in tree.nodes if node.role == "section" and wanted & _as_titles(node.title))
        return [leaf for node in titled for leaf in _below(node, children)]


def place_in(text: str) -> Place | None:
    """Return the one place that a text names; None where it names none or several."""
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    return _labelled(plain) or _page(plain) or _cells(plain)


def _labelled(text: str) -> Labelled | None:
    found = references_in(text, elsewhere=True)
    kinds = [one.label.kind for one in found]
    if not found or len(set(kinds)) != len(kinds):
        return None
    start, last = found[0].start, found[-1]
    after = _AFTER_ARTICLE.match(text, last.end)
    assert after is not None  # it may be empty
    number = article_number(text[last.start : last.end] + (after["after"] or ""))
    paragraph = value_of(after["paragraph"]) if after["paragraph"] else None
    printed, rest = text[start : after.end()], f"{text[:start]} {text[after.end() :]}"
    return Labelled(printed, rest, tuple(one.label for one in found), number, paragraph)


def _page(text: str) -> Page | None:
    found = list(_PAGE.finditer(text))
    if len(found) != 1:
        return None
    match = found[0]
    ordinal = (match["ordinal"] or "").casefold()
    if match["end"] or ordinal == "last":
        number = LAST
    else:
        number = SPELLED[ordinal] if ordinal else value_of(match["n"] or match["han"])
    rest = f"{text[: match.start()]} {text[match.end() :]}"
    return Page(match[0], rest, number, bool(_SLIDE.search(match[0]))) if number else None


def _cells(text: str) -> Cells | None:
    found = list(_CELL.finditer(text))
    if len(found) != 1:
        return None
    match = found[0]
    cell = (match["cell"] or match["before"]).replace("$", "").upper()
    sheet = match["sheet"] or match["alone"] or ""
    rest = _SHEET.sub(" ", f"{text[: match.start()]} {sheet} {text[match.end() :]}")
    return Cells(match[0], rest, cell)


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
