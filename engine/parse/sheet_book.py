"""The sheets of a spreadsheet as sections of one document, whatever its format."""

from engine.errors import LimitExceededError
from engine.model import Block, ParsedFile
from engine.parse.limits import check_blocks
from engine.parse.sheet_regions import MAX_CELLS, Sheet, region_blocks, regions_of

MAX_ROW, MAX_COLUMN = 1_048_576, 16_384
MAX_CELL_TEXT = 32_767
MAX_MERGES = 20_000


class SheetBook:
    """Gathers the blocks of sheets in their order; pages are sheets."""

    def __init__(self, name: str) -> None:
        self.warnings: list[str] = []
        self._sheets = 0
        self._blocks: list[Block] = []
        self._name = name
        self._cells = 0

    def begin(self, title: str, hidden: bool, unshowable: bool = False) -> Sheet:
        """Count a sheet and return it, empty."""
        self._sheets += 1
        title = " ".join(title.split()) or f"Sheet {self._sheets}"
        return Sheet(title=title, page=self._sheets, hidden=hidden, unshowable=unshowable)

    def count(self, cells: int) -> None:
        """Count filled cells. Raises LimitExceededError for more than fit."""
        self._cells += cells
        if self._cells > MAX_CELLS:
            raise LimitExceededError(
                f"{self._name} has more than {MAX_CELLS:,} filled cells. Split it into smaller workbooks and add those."
            )

    def end(self, sheet: Sheet) -> None:
        """Add the sheet that was begun last; an empty one is no section. Raises LimitExceededError for too much.

        One that only a program can show ("very hidden") is where add-ins keep their data: nobody could look up what
        is quoted from it, and it is left out.
        """
        sheet.spread_merges()
        found = [block for region in regions_of(sheet.rows) for block in region_blocks(sheet, region, self._name)]
        found += sheet.beside
        for what, count in sheet.not_read.items():
            many = f"{count} {what}s that were" if count > 1 else f"a {what} that was"
            self.warnings.append(f"Sheet “{sheet.title}” has {many} not read.")
        if sheet.unshowable:
            self.warnings.append(
                f"Sheet “{sheet.title}” cannot be shown in a spreadsheet program (an add-in hid it); it was left out."
            )
            return
        if sheet.hidden:
            self.warnings.append(f"Sheet “{sheet.title}” is hidden in the workbook; it was read.")
        if found:
            facts = {"hidden": True} if sheet.hidden else {}
            self._blocks += [Block("heading", sheet.title, sheet.page, level=1, metadata=facts), *found]
            check_blocks(len(self._blocks), self._name)

    def parsed(self, media_type: str, title: str) -> ParsedFile:
        """Return the document."""
        return ParsedFile(media_type, self._blocks, title=title, pages=self._sheets, warnings=self.warnings)
