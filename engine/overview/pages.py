"""Pages, slides and cells asked for by number or address: "What is on page 3?", 第5张讲了什么, "What is in B4?"."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import PurePath

from engine.answer.check.marks import harmless
from engine.answer.phrases import Phrases
from engine.answer.tables.cells import CellRef, cell_of
from engine.index.views import LEAVES
from engine.model import Node, Tree
from engine.overview.named_place import NamedPlace
from engine.structure.numbering import CHINESE, SPELLED, value_of

PRESENTATIONS = frozenset({".pptx", ".pptm", ".ppsx", ".ppt", ".odp"})
_N = rf"[{CHINESE}\d]{{1,4}}"
_ORDINAL = "first|second|third|fourth|fifth"
_PLACE = re.compile(
    rf"\b(?P<what>page|slide)\s+(?:no\.?\s*|number\s+)?(?P<n>\d{{1,4}})\b(?!\s?[-–]\s?\d)"
    rf"|\bthe\s+(?P<ordinal>{_ORDINAL}|last)\s+(?P<of>page|slide)\b"
    rf"|(?P<han>第\s?{_N}\s?[张張](?:幻灯片|投影片|片子|PPT)?|幻灯片\s?第?\s?{_N}(?:\s?[页頁张張])?|第\s?{_N}\s?[页頁](?:的?幻灯片)?)"
    r"|(?P<end>最[后後]一[页頁张張](?:幻灯片)?)",
    re.IGNORECASE,
)
LAST = -1


@dataclass(frozen=True, slots=True)
class NamedPage(NamedPlace):
    """A page or slide by its number from 1, or the last."""

    number: int
    slide: bool

    def nodes(self, tree: Tree) -> list[Node]:
        """Return the titles and leaves on the page."""
        pages = {
            node.node_id: _pages(node) for node in tree.nodes if node.role == "section" or node.role in LEAVES
        }
        number = (
            max((max(one) for one in pages.values() if one), default=0)
            if self.number == LAST
            else self.number
        )
        return [
            node
            for node in tree.nodes
            if number in pages.get(node.node_id, ()) and (node.text or (node.title and node.page == number))
        ]

    def usual_in(self, tree: Tree) -> bool:
        """Slides are in presentations, pages in what is neither a presentation nor a workbook."""
        suffix = PurePath(tree.name).suffix.lower()
        return suffix in PRESENTATIONS if self.slide else suffix not in PRESENTATIONS | WORKBOOKS

    def missing(self, tree: Tree, phrases: Phrases) -> str:
        """Tell how many pages the document has, where it has fewer."""
        if not tree.pages or self.number <= tree.pages:
            return ""
        return phrases.no_such_page.format(name=harmless(tree.name), label=self.label, count=tree.pages)


def asked_page(question: str) -> NamedPage | None:
    """Return the one page or slide that a question names; None where it names none or several."""
    text = " ".join(unicodedata.normalize("NFKC", question).split())
    found = list(_PLACE.finditer(text))
    if len(found) != 1:
        return None
    match = found[0]
    ordinal = (match["ordinal"] or "").casefold()
    if match["n"]:
        number = int(match["n"])
    elif match["han"]:
        number = value_of(re.search(_N, match["han"])[0])  # type: ignore[index]  # the pattern holds one
    else:
        number = LAST if match["end"] or ordinal == "last" else SPELLED[ordinal]
    slide = (match["what"] or match["of"] or "").casefold() == "slide" or re.search("[张張片]", match[0])
    rest = f"{text[: match.start()]} {text[match.end() :]}"
    return NamedPage(match[0], rest, number, bool(slide)) if number else None


def _pages(node: Node) -> set[int]:
    """Return the pages that a node stands on, from 1."""
    spans = node.metadata.get("spans") or []
    return {int(page) for page in (node.page, *(span.get("page") for span in spans)) if page}


WORKBOOKS = frozenset({".xlsx", ".xlsm", ".xls", ".ods", ".csv", ".tsv"})
_CELL = re.compile(
    r"(?:(?:\bcells?\s*|单元格\s*)(?:(?P<sheet>[^\s!,?？]+)!)?|(?P<alone>[^\s!,?？]+)!)\$?(?P<cell>[A-Z]{1,3}\$?\d{1,7})\b"
    r"|(?P<before>(?<![A-Za-z\d])[A-Z]{1,3}\d{1,7})\s*(?:单元格|cell\b)",
    re.IGNORECASE,
)
_SHEET = re.compile(r"\b(?:work)?sheet\b(?!s)|\btab\b|工作表|表单|分表", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamedCells(NamedPlace):
    """A cell ("E5"), or with "" a sheet."""

    cell: str

    def nodes(self, tree: Tree) -> list[Node]:
        """Return the leaves of the sheet that the question names, or the tables that have the cell."""
        if PurePath(tree.name).suffix.lower() not in WORKBOOKS:
            return []
        named = self._sheets(tree)
        if not self.cell:
            return [
                node
                for sheet in named
                for node in tree.nodes
                if node.page == sheet.page and node.role in LEAVES and node.text
            ]
        pages = {sheet.page for sheet in named}
        return [
            node
            for node in tree.nodes
            if node.role == "table" and (not pages or node.page in pages) and self.cells(node)
        ]

    def words(self, tree: Tree) -> str:
        """Return the titles of the sheets that the question names."""
        return " ".join(sheet.title for sheet in self._sheets(tree))

    def cells(self, node: Node) -> list[CellRef]:
        """Return the cell of a table that is meant, where it has it."""
        if not self.cell or node.role != "table":
            return []
        rows = node.metadata.get("rows") or []
        refs = (
            cell_of(node, row, column)
            for row, cells in enumerate(rows)
            for column, text in enumerate(cells)
            if text
        )
        return [ref for ref in refs if ref.address and ref.address.rpartition("!")[2] == self.cell][:1]

    def _sheets(self, tree: Tree) -> list[Node]:
        said = self.rest.casefold().replace(tree.name.casefold(), " ")
        sheets = [node for node in tree.nodes if node.role == "section" and node.title and node.page]
        found = [
            node
            for node in sheets
            if re.search(rf"(?<![a-z\d]){re.escape(node.title.casefold())}(?![a-z\d])", said)
        ]
        return found[:1]


def asked_cells(question: str) -> NamedCells | None:
    """Return the one cell, or the sheet, that a question names; None where it names none, or several cells."""
    text = " ".join(unicodedata.normalize("NFKC", question).split())
    found = list(_CELL.finditer(text))
    if len(found) == 1:
        match = found[0]
        cell = (match["cell"] or match["before"]).replace("$", "").upper()
        sheet = match["sheet"] or match["alone"] or ""
        rest = _SHEET.sub(" ", f"{text[: match.start()]} {sheet} {text[match.end() :]}")
        return NamedCells(match[0], rest, cell)
    sheet_word = _SHEET.search(text)
    if found or sheet_word is None:
        return None
    return NamedCells(sheet_word[0], _SHEET.sub(" ", text), "")
