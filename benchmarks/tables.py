"""How well tables are read from Office files, web pages and PDF, cell by cell, against reference tables.

    python benchmarks/tables.py DATA_FOLDER [--only WORD] [--misses]

DATA_FOLDER holds ``docling_gt`` with its reference JSON. A cell counts when its row, column, row and column span
and its words agree; numbers and dates agree when their values do, as references hold the stored values. Tables of
a file are paired so that most cells agree. Left out are tables of one cell, charts, and tables inside cells, whose
words the outer cell holds. F1 is over all cells of a file, the figure of a format the mean over its files.

As the references hold no PDF, their tables are drawn as PDF as well (``pdf grid``, ``pdf open sides``: with rules;
``pdf booktabs``: three rules only), one table a file, and read back.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from drawn_tables import STYLES, Drawn, Style, draw

from engine.config import ParsingSettings
from engine.model import Block
from engine.parse.dispatch import parse_file

SUFFIXES = {"docx": "docx", "xlsx": "xls?", "pptx": "pptx", "html": "html", "csv": "csv"}


@dataclass(frozen=True)
class Cell:
    """A cell of a table, 0-based."""

    row: int
    column: int
    row_span: int
    column_span: int
    text: str


Table = frozenset[Cell]


def words(text: str) -> str:
    """Return what must agree: letters and digits; numbers and dates by value."""
    text = text.strip().replace("π", r"\pi").replace("±", r"\pm")
    date = re.match(r"(\d{4}-\d\d-\d\d)[T ]0?0:00(:00)?$", text)
    if date:
        text = date[1]
    try:
        return f"{float(text.replace(',', '').rstrip('%')):.10g}"
    except ValueError:
        bare = re.sub(r"[\W_]+", "", text).casefold()
        return bare or text


def reference_tables(path: Path) -> Iterator[Table]:
    """Yield the tables of a reference, leaving out empty cells, charts and tables in cells of tables."""
    for cells in reference_cells(path):
        yield frozenset(Cell(r, c, high, wide, words(text)) for r, c, high, wide, text in cells)


def reference_cells(path: Path) -> Iterator[list[Drawn]]:
    """Yield the cells of each table of a reference: row, column, row span, column span, text."""
    data = json.loads(path.read_text("utf-8"))
    for table in data["tables"]:
        if table["label"] == "table" and not _inside(data, table, ("#/pictures", "#/tables")):
            yield [
                (
                    c["start_row_offset_idx"],
                    c["start_col_offset_idx"],
                    c["row_span"],
                    c["col_span"],
                    c["text"],
                )
                for c in table["data"]["table_cells"]
                if c["text"].strip()
            ]


def _inside(data: dict[str, Any], item: dict[str, Any], kinds: tuple[str, ...]) -> bool:
    while reference := item.get("parent", {}).get("$ref"):
        if reference.startswith(kinds):
            return True
        _, group, *number = reference.split("/")
        item = data[group][int(number[0])] if number else {}
    return False


def our_table(block: Block) -> Table:
    """Return the cells of a table block, merged ones once, leaving out empty ones."""
    facts: dict[str, Any] = block.metadata
    spans = {(m["row"], m["column"]): (m["row_span"], m["column_span"]) for m in facts.get("merged", ())}
    covered = {
        (row + y, column + x)
        for (row, column), (high, wide) in spans.items()
        for y in range(high)
        for x in range(wide)
        if x or y
    }
    return frozenset(
        Cell(row, column, *spans.get((row, column), (1, 1)), words(text))
        for row, cells in enumerate(facts["rows"])
        for column, text in enumerate(cells)
        if text.strip() and (row, column) not in covered
    )


def score(gold: list[Table], ours: list[Table], misses: bool) -> tuple[int, int, int]:
    """Return how many cells agree, are in the reference, are ours; tables paired from the best pair down."""
    pairs = sorted(((len(g & o), i, j) for i, g in enumerate(gold) for j, o in enumerate(ours) if g & o), reverse=True)
    agreeing, used_gold, used_ours = 0, set(), set()
    for common, i, j in pairs:
        if i not in used_gold and j not in used_ours:
            used_gold.add(i)
            used_ours.add(j)
            agreeing += common
            if misses:
                for cell in sorted(gold[i] - ours[j], key=str)[:8]:
                    print("      missed", cell)
                for cell in sorted(ours[j] - gold[i], key=str)[:8]:
                    print("      extra ", cell)
    if misses:
        for i, table in enumerate(gold):
            if i not in used_gold:
                print("      no table for", sorted(table, key=str)[:4])
        for j, table in enumerate(ours):
            if j not in used_ours:
                print("      not in the reference", sorted(table, key=str)[:4])
    return agreeing, sum(map(len, gold)), sum(map(len, ours))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    for kind in SUFFIXES:
        results: list[float] = []
        for path in sorted((options.data / "docling_gt" / kind).glob("*.*")):
            reference = path.parent / "gt" / f"{path.name}.json"
            if not reference.exists() or options.only not in f"{kind} {path.name}":
                continue
            gold = [table for table in reference_tables(reference) if len(table) > 1]
            blocks = parse_file(path, path.name, ParsingSettings()).blocks
            ours = [our_table(b) for b in blocks if b.kind == "table" and "chart" not in b.metadata]
            ours = [table for table in ours if len(table) > 1]
            if not gold and not ours:
                continue
            agreeing, many, found = score(gold, ours, options.misses)
            results.append(2 * agreeing / (many + found))
            print(f"{kind:5} {path.name[:44]:44} cells {many:5} found {found:5} F1 {results[-1]:.3f}")
        if results:
            print(f"{kind:5} mean F1 {mean(results):.3f} over {len(results)} files")
    for style in STYLES:
        results = [
            drawn_score(name, cells, style, options.misses)
            for name, cells in drawable(options.data / "docling_gt")
            if options.only in f"pdf {style} {name}"
        ]
        if results:
            print(f"pdf {style} mean F1 {mean(results):.3f} over {len(results)} tables")


def drawable(folder: Path) -> Iterator[tuple[str, list[Drawn]]]:
    """Yield (name, cells) of the reference tables that fit on a page: up to 60 rows and 14 columns."""
    seen: set[str] = set()
    for reference in sorted(folder.glob("*/gt/*.json")):
        for number, cells in enumerate(reference_cells(reference)):
            rows, columns = {cell[0] for cell in cells}, {cell[1] for cell in cells}
            small = 2 <= len(rows) <= 60 and 2 <= len(columns) <= 14 and len(cells) >= 4
            if small and max(len(cell[4]) for cell in cells) < 400 and repr(cells) not in seen:
                seen.add(repr(cells))
                yield f"{reference.stem} {number}", cells


def drawn_score(name: str, cells: list[Drawn], style: Style, misses: bool) -> float:
    """Draw a table, read it back and return the F1 of its cells."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "table.pdf")
        draw(path, cells, style)
        blocks = parse_file(path, path.name, ParsingSettings()).blocks
    gold = [frozenset(Cell(r, c, high, wide, words(text)) for r, c, high, wide, text in cells)]
    ours = [our_table(block) for block in blocks if block.kind == "table"]
    agreeing, many, found = score(gold, ours, misses)
    result = 2 * agreeing / (many + found)
    print(f"pdf {style:10} {name[:44]:44} cells {many:5} found {found:5} F1 {result:.3f}")
    return result


if __name__ == "__main__":
    main()
