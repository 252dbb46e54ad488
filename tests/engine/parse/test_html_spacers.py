"""Tables of web pages whose columns and cells only space them out."""

from engine.parse.html import parse_html

FILING = """<table>
<tr><td></td><td></td><td colspan=3></td><td></td><td colspan=3></td></tr>
<tr><td></td><td></td><td colspan=7>Years ended May 31,</td></tr>
<tr><td></td><td></td><td colspan=3>2025</td><td></td><td colspan=3>2024</td></tr>
<tr><td>Sales</td><td></td><td>$</td><td>1,000</td><td></td><td></td><td>$</td><td>900</td><td></td></tr>
<tr><td>Loss</td><td></td><td></td><td>(20</td><td>)</td><td></td><td></td><td>(1</td><td>)</td></tr>
<tr><td>Margin</td><td></td><td></td><td>12.5</td><td>%</td><td></td><td></td><td>&mdash;</td><td></td></tr>
</table>"""


def rows_of(page: str) -> list[list[str]]:
    (block,) = (block for block in parse_html(page.encode(), "filing.htm").blocks if block.kind == "table")
    return block.metadata["rows"]


def test_spacers_go_and_signs_stand_with_their_figures():
    assert rows_of(FILING) == [
        ["", "Years ended May 31,", "Years ended May 31,"],
        ["", "2025", "2024"],
        ["Sales", "$1,000", "$900"],
        ["Loss", "(20)", "(1)"],
        ["Margin", "12.5%", "—"],
    ]


def test_an_empty_column_stays_where_a_row_fills_all_columns():
    page = "<table><tr><td>Name<td>Tick<td>Date</tr><tr><td>Ann<td><td>May</tr><tr><td>Bo<td><td></tr></table>"
    assert rows_of(page) == [["Name", "Tick", "Date"], ["Ann", "", "May"], ["Bo", "", ""]]


def test_a_table_with_a_stated_head_is_left_as_it_is():
    page = "<table><tr><th>Name<th colspan=2>Price</tr><tr><td>Ann<td>$<td>5</tr></table>"
    assert rows_of(page)[1] == ["Ann", "$", "5"]


def test_a_label_set_in_by_an_empty_cell_stands_in_the_column_of_labels():
    page = "<table><tr><td colspan=2>Assets<td></tr><tr><td><td>Cash<td>5</tr><tr><td colspan=2>Total<td>5</tr></table>"
    assert rows_of(page) == [["Assets", ""], ["Cash", "5"], ["Total", "5"]]
