"""The sheets of a spreadsheet as sections of one document, whatever its format."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import LimitExceededError
from engine.model import Block, ParsedFile
from engine.parse.limits import check_blocks
from engine.parse.sheet_regions import MAX_CELLS

MAX_ROW, MAX_COLUMN = 1_048_576, 16_384
MAX_CELL_TEXT = 32_767
MAX_MERGES = 20_000


class SheetBook:
    """Gathers the blocks of sheets in their order; pages are sheets."""

    def __init__(self, name: str) -> None:
        self.warnings: list[str] = []
        self.sheets = 0
        self._blocks: list[Block] = []
        self._name = name
        self._cells = 0

    def begin(self, title: str) -> str:
        """Count a sheet and return what it is called."""
        self.sheets += 1
        return " ".join(title.split()) or f"Sheet {self.sheets}"

    def count(self, cells: int) -> None:
        """Count filled cells. Raises LimitExceededError for more than fit."""
        self._cells += cells
        if self._cells > MAX_CELLS:
            raise LimitExceededError(
                f"{self._name} has more than {MAX_CELLS:,} filled cells. "
                "Split it into smaller workbooks and add those."
            )

    def end(self, title: str, found: Sequence[Block], hidden: bool, *, unshowable: bool = False) -> None:
        """Add the sheet that was begun last; an empty one is no section.

        One that only a program can show ("very hidden") is where add-ins keep their data: nobody could look up what
        is quoted from it, and it is left out.
        """
        if unshowable:
            self.warnings.append(
                f"Sheet “{title}” cannot be shown in a spreadsheet program (an add-in hid it); it was left out."
            )
            return
        if hidden:
            self.warnings.append(f"Sheet “{title}” is hidden in the workbook; it was read.")
        if found:
            facts = {"hidden": True} if hidden else {}
            self._blocks += [Block("heading", title, self.sheets, level=1, metadata=facts), *found]
            check_blocks(len(self._blocks), self._name)

    def parsed(self, media_type: str, title: str) -> ParsedFile:
        """Return the document."""
        return ParsedFile(media_type, self._blocks, title=title, pages=self.sheets, warnings=self.warnings)
