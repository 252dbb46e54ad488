from engine.model import Node
from pages.widgets.table_grid import Sheet


def table(node_id: str, cell: str, numbers: list[int], rows: list[list[str]], **facts: object) -> Node:
    return Node(
        node_id,
        "s",
        "table",
        text="…",
        page=1,
        cell=cell,
        metadata={"rows": rows, "row_numbers": numbers, **facts},
    )


LEFT = table("l", "Data!A2:B4", [2, 3, 4], [["Region", "Tons"], ["North", "5"], ["South", "7"]], header_rows=1)
RIGHT = table("r", "Data!D3:E4", [3, 4], [["x", "x"], ["1", "2"]],
              merged=[{"row": 0, "column": 0, "row_span": 1, "column_span": 2}])  # fmt: skip
LONE = Node("p", "s", "paragraph", text="In thousands", page=1, cell="Data!A1")


def drawn(sheet: Sheet, **options: object) -> list[list[str]]:
    return [[cell[0] for cell in row] for row in sheet.block(1, **options)["table"]["grid"]]


def test_tables_and_lone_texts_lie_at_their_addresses_in_one_grid():
    sheet = Sheet([LONE, LEFT, RIGHT])
    table = sheet.block(1)["table"]
    assert (table["letters"], table["numbers"]) == (["A", "B", "C", "D", "E"], [1, 2, 3, 4])
    assert drawn(sheet) == [
        ["In thousands", "", "", "", ""], ["Region", "Tons", "", "", ""], ["North", "5", "", "x"],
        ["South", "7", "", "1", "2"],
    ]  # fmt: skip
    assert table["grid"][2][3][1:3] == [1, 2]
    assert table["grid"][1][0][3:] == ["hp", "l"]


def test_the_active_table_and_its_cited_row_are_marked():
    grid = Sheet([LEFT, RIGHT]).block(1, active=LEFT, quote="South | 7")["table"]["grid"]
    assert [cell[0] for row in grid for cell in row if "m" in cell[3]] == ["South", "7"]
    assert all("a" in cell[3] for row in grid for cell in row if cell[4] == "l")


def test_a_long_sheet_comes_in_parts_and_each_node_is_in_the_part_that_shows_it():
    header = [["Year", "Tons"]]
    nodes = [
        table(f"t{start}", f"Data!A{start}:B{start + 199}", [1, *range(start, start + 199)],
              header + [[str(row), "5"] for row in range(start, start + 199)], header_rows=1)
        for start in range(2, 4000, 199)
    ]  # fmt: skip
    sheet = Sheet(nodes)
    assert sheet.parts > 5
    tables = [sheet.block(part)["table"] for part in range(1, sheet.parts + 1)]
    assert [row for table in tables for row in table["numbers"][table["head"] :]] == sheet.rows
    assert all(table["numbers"][0] == 1 and table["grid"][0][0][0] == "Year" for table in tables)
    last = nodes[-1]
    block = sheet.block(sheet.part_of(last), active=last)
    assert last.node_id in block["holds"]
    assert sheet.part_of(last, "Data!B4180") == sheet.parts
    assert any("a" in cell[3] for row in block["table"]["grid"] for cell in row)


def test_what_lies_on_no_cell_is_left_to_others():
    note = Node("n", "s", "paragraph", text="Check this", cell="Data!A1", metadata={"note": "comment"})
    sheet = Sheet([note, Node("i", "s", "image")])
    assert not sheet.rows and not sheet.has(note)
