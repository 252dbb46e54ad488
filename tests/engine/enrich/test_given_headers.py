"""Headers of which a format marks fewer rows than there are."""

from engine.enrich.table_shape import shape_of

BODY = [
    ["Revenues", "573", "515", "460"],
    ["Cost of revenues", "176", "162", "155"],
    ["Gross profit", "397", "353", "305"],
]


def test_years_below_a_marked_row_that_spans_them_are_part_of_the_header():
    rows = [
        ["", "Year ended June 30,", "Year ended June 30,", "Year ended June 30,"],
        ["", "2021", "2020", "2019"],
    ]
    assert shape_of(rows + BODY, given_header_rows=1).header_rows == 2


def test_names_below_a_marked_row_that_leaves_columns_unnamed_are_part_of_the_header():
    rows = [["", "June 30,", "", ""], ["($ in millions)", "2021", "2020", "2019"]]
    assert shape_of(rows + BODY, given_header_rows=1).header_rows == 2


def test_a_header_merged_downwards_in_front_goes_on_below_the_marked_row():
    rows = [
        ["Lake", "Place", "Water at the end of", "Water at the end of"],
        ["Lake", "Place", "2022", "2023"],
        ["Upper", "Linden", "9,120", "10,480"],
        ["Lower", "Birken", "2,210", "1,930"],
        ["Third", "Eichen", "7,005", "8,211"],
    ]
    assert shape_of(rows, given_header_rows=1).header_rows == 2


def test_a_row_of_years_below_a_whole_header_is_no_part_of_it():
    rows = [
        ["", "Linz", "Graz", "Wels"],
        ["Opened", "1987", "2003", "2016"],
        ["Employees", "640", "310", "145"],
        ["Output", "48,200", "21,700", "9,850"],
    ]
    assert shape_of(rows, given_header_rows=1).header_rows == 1
