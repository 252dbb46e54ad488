"""Pictures of PDF pages."""

import struct

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen import canvas

from engine.errors import NotFoundError, UnreadableFileError
from engine.page_image import render_page, small_picture, text_on_page, words_on_page


def size(png: bytes) -> tuple[int, int]:
    return struct.unpack(">II", png[16:24])


def test_a_page_is_rendered_at_the_asked_resolution(make_pdf):
    path = make_pdf([[(12, "First")], [(12, "Second")]])
    width, height = size(render_page(path, 2, 72))
    assert abs(width - 595) <= 1
    assert abs(height - 842) <= 1


def test_a_page_that_is_not_there_is_told(make_pdf):
    with pytest.raises(NotFoundError, match="no page 3"):
        render_page(make_pdf([[(12, "First")], [(12, "Second")]]), 3, 72)


def test_a_broken_file_is_told(tmp_path):
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 but no more")
    with pytest.raises(UnreadableFileError):
        render_page(tmp_path / "broken.pdf", 1, 72)


def test_a_huge_page_is_rendered_smaller(make_pdf):
    width, height = size(render_page(make_pdf([[(12, "First")]]), 1, 2000))
    assert width * height < 13_000_000


def test_words_are_found_on_a_page_over_its_lines_whatever_the_breaks(make_pdf):
    path = make_pdf([[(12, "The tower was built of red gran-"), (12, "ite by forty masons.")]])
    (first, second) = words_on_page(path, 1, "red granite by forty")
    assert first[0] > second[0] and first[3] <= second[1] + 2
    assert words_on_page(path, 1, "blue granite") == ()
    assert words_on_page(path, 7, "red granite") == words_on_page(path, 1, " - ") == ()


def test_letters_that_stand_apart_on_a_line_are_one_box(tmp_path):
    """As in justified Chinese, of which a reader wants the sentence marked and not each sign."""
    sheet = canvas.Canvas(str(tmp_path / "apart.pdf"), pagesize=(595, 842))
    for at, sign in enumerate("The tower was built of granite"):
        sheet.drawString(72 + 14 * at, 700, sign)
    sheet.drawString(72, 680, "by forty masons.")
    sheet.save()
    boxes = words_on_page(tmp_path / "apart.pdf", 1, "tower was built of granite by forty")
    assert len(boxes) == 2
    assert boxes[0][2] - boxes[0][0] > 14 * 20 and boxes[0][3] <= boxes[1][1] + 2


def test_of_several_places_the_one_in_the_cited_passage_is_taken(make_pdf):
    path = make_pdf([[(12, "forty masons"), (12, "and again forty masons")]])
    (upper,) = words_on_page(path, 1, "forty masons")
    (again,) = words_on_page(path, 1, "forty masons", ((upper[0], upper[3] + 1, 595.0, 842.0),))
    assert again[1] > upper[1]


def test_words_are_sought_in_no_broken_file(tmp_path):
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 but no more")
    assert words_on_page(tmp_path / "broken.pdf", 1, "red") == ()
    assert text_on_page(tmp_path / "broken.pdf", 1) == ()


def test_the_text_of_a_page_is_told_line_by_line_where_it_stands(make_pdf):
    path = make_pdf([[(12, "The tower was built of red gran-"), (12, "ite by forty masons.")]])
    (upper, first), (lower, second) = text_on_page(path, 1)
    assert (first, second) == ("The tower was built of red gran-", "ite by forty masons.")
    assert upper[3] <= lower[1] + 2 and upper[0] == lower[0]
    assert text_on_page(path, 2) == ()


def test_a_row_with_wide_gaps_is_told_cell_by_cell(tmp_path):
    sheet = canvas.Canvas(str(tmp_path / "row.pdf"), pagesize=A4)
    for x, cell in ((72, "Net sales"), (300, "1,536"), (400, "1,819")):
        sheet.drawString(x, 700, cell)
    sheet.save()
    assert [text for _, text in text_on_page(tmp_path / "row.pdf", 1)] == ["Net sales ", "1,536 ", "1,819"]


def test_a_thumbnail_is_small(make_pdf):
    assert len(small_picture(make_pdf([[(12, "First")]]), "application/pdf", 1)) < 10_000
