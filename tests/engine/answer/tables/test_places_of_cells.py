"""Where a cell stands on its page, in a table on one page and in one that goes on over the next."""

from made_tables import typed

ROWS = [["Item", "2024"], ["Fuel", "12"], ["Wages", "20"], ["Rent", "7"]]
BOX = (50, 700, 150, 740)


def spans(**more):
    return [
        {"page": 1, "row": 0, "chars": 30, "bbox": [50, 700, 150, 760], **more.get("first", {})},
        {"page": 2, "row": 3, "chars": 8, "bbox": [50, 40, 150, 60], **more.get("second", {})},
    ]


def placed(row, **metadata):
    table = typed(ROWS, page=1, bbox=BOX, metadata={"row_pages": [1, 1, 1, 2], **metadata})
    ref = table.ref(row, 1)
    return ref.page, ref.bbox


def test_a_cell_of_a_table_over_two_pages_has_its_own_box_on_its_own_page():
    edges = {
        "first": {"edges": {"x": [50, 100, 150], "y": [700, 720, 740, 760]}},
        "second": {"edges": {"x": [50, 100, 150], "y": [40, 60]}},
    }
    assert placed(1, spans=spans(**edges)) == (1, (100, 720, 150, 740))
    assert placed(3, spans=spans(**edges)) == (2, (100, 40, 150, 60))


def test_without_edges_it_has_the_box_of_the_part_that_it_stands_in():
    assert placed(3, spans=spans()) == (2, (50, 40, 150, 60))
    assert placed(1, spans=spans()) == (1, (50, 700, 150, 760))


def test_on_one_page_it_has_its_own_box_or_its_table_s():
    edges = {"x": [50, 100, 150], "y": [700, 710, 720, 730, 740]}
    assert placed(1, row_pages=[1] * 4, edges=edges) == (1, (100, 710, 150, 720))
    assert placed(1, row_pages=[1] * 4) == (1, BOX)
