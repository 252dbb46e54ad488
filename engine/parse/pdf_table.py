"""A table as it stands on a PDF page."""

from __future__ import annotations

from dataclasses import dataclass

from engine.parse.pdf_rules import Box


@dataclass(frozen=True, slots=True)
class Table:
    """A table on a page: its box and its rows of cell texts, all rows equally long."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    rows: list[list[str]]

    @property
    def bbox(self) -> Box:
        """The box as ``(x0, y0, x1, y1)``."""
        return (self.x0, self.y0, self.x1, self.y1)

    @property
    def text(self) -> str:
        """The rows as lines, cells separated by bars."""
        return "\n".join(" | ".join(row) for row in self.rows)


def without_empty(rows: list[list[str]]) -> list[list[str]]:
    """Return a table without rows and columns that hold nothing."""
    kept = [row for row in rows if any(row)]
    columns = [index for index in range(len(rows[0])) if any(row[index] for row in kept)]
    return [[row[index] for index in columns] for row in kept]
