from dataclasses import replace

from engine.parse.pdf_layout import Page
from engine.parse.pdf_packed import PackedColumn, pack_lines, unpack_lines
from engine.parse.pdf_text import Line, join_pieces


def line(text: str, x: float = 72.0) -> Line:
    return Line(text, 1, x, 100.0, x + 50, 112.0, 110.0, 10.0, 0.0, False, "Helvetica", 0)


def test_packed_lines_come_back_as_they_were_with_their_pieces():
    row = join_pieces([line("Sales"), replace(line("1,234", 300.0), bold=1.0)])
    assert unpack_lines(pack_lines([line("第一章"), row])) == [line("第一章"), row]


def test_a_packed_column_keeps_what_stands_between_its_lines():
    table = object()
    column = [line("above"), table, line("below"), table]
    assert PackedColumn(column).unpack() == column


def test_a_page_gives_its_text_whether_put_away_or_not():
    page = Page(1, (595.0, 842.0), [line("text")])
    page.pack()
    assert page.lines == []
    assert page.text() == [line("text")]
    page.take([])
    assert page.text() == []
