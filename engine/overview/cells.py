"""Cells and sheets of a workbook that are asked for by name: "What is in cell E5?", Contacts 工作表里有什么."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import PurePath

from engine.answer.tables.cells import CellRef, cell_of
from engine.index.views import LEAVES
from engine.model import Node, Tree
from engine.overview.named_place import NamedPlace

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
