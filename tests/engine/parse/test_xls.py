from pathlib import Path

import pytest

from engine.errors import UnreadableFileError
from engine.parse.xls import parse_xls

# From the test data of docling (MIT licence).
DUCKS = Path(__file__).with_name("ducks.xls")


def test_a_sheet_is_a_section_and_its_tables_have_addresses():
    found = parse_xls(DUCKS, "ducks.xls")
    assert [(b.kind, b.page, b.cell) for b in found.blocks] == [
        ("heading", 1, None),
        ("paragraph", 1, "'Duck Observations'!B2"),
        ("table", 1, "'Duck Observations'!B4:C10"),
    ]
    assert found.blocks[2].metadata["rows"][1] == ["2019", "120"]
    assert found.pages == 1


@pytest.mark.parametrize("length", [600, 3000, 24_000])
def test_a_damaged_workbook_is_told(tmp_path, length):
    path = tmp_path / "a.xls"
    path.write_bytes(DUCKS.read_bytes()[:length])
    with pytest.raises(UnreadableFileError, match="damaged"):
        parse_xls(path, "a.xls")
