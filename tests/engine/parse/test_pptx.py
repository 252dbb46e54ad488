import io
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pptx
import pytest
from PIL import Image
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches, Pt

from engine.config import ParsingSettings
from engine.errors import UnreadableFileError
from engine.parse.detect import detect
from engine.parse.dispatch import parse_file
from engine.parse.pptx import parse_pptx

TITLE_ONLY, TITLE_AND_CONTENT, BLANK = 5, 1, 6


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "talk.pptx"


@pytest.fixture
def deck():
    return pptx.Presentation()


def slide_of(deck, layout: int, title: str = ""):
    slide = deck.slides.add_slide(deck.slide_layouts[layout])
    if title:
        slide.shapes.title.text = title
    return slide


def box(slide, text: str, x: float, y: float, width: float = 2, height: float = 0.5):
    shape = slide.shapes.add_textbox(Inches(x), Inches(y), Inches(width), Inches(height))
    shape.text_frame.text = text
    return shape


def read(deck, target):
    deck.save(str(target))
    return parse_pptx(target, target.name)


def test_a_slide_is_a_section_with_its_number_as_page(deck, target):
    for number in (1, 2):
        slide_of(deck, TITLE_AND_CONTENT, f"Slide about {number}").placeholders[1].text = f"Point {number}"
    parsed = read(deck, target)
    assert [(b.kind, b.text, b.page) for b in parsed.blocks] == [
        ("heading", "Slide about 1", 1), ("list_item", "Point 1", 1),
        ("heading", "Slide about 2", 2), ("list_item", "Point 2", 2),
    ]  # fmt: skip
    assert (parsed.pages, parsed.title) == (2, "Slide about 1")


def test_a_slide_without_a_title_is_named_by_its_number(deck, target):
    box(slide_of(deck, BLANK), "Just text", 1, 1)
    heading, text = read(deck, target).blocks
    assert (heading.text, heading.metadata) == ("Slide 1", {"generated": True, "title_generated": True})
    assert text.text == "Just text"


def sized(slide, text: str, size: int, y: float):
    shape = box(slide, text, 1, y, 6)
    for paragraph in shape.text_frame.paragraphs:
        paragraph.font.size = Pt(size)
    return shape


@pytest.mark.parametrize("kicker", ["", "Part 2"])
def test_the_largest_line_in_the_upper_half_of_a_slide_without_a_title_is_its_title(deck, target, kicker):
    slide = slide_of(deck, BLANK)
    sized(slide, "Costs fell in every region.\nThe north led.", 20, 3)
    sized(slide, "Where costs fell", 32, 1)
    if kicker:
        sized(slide, kicker, 14, 0.2)
    heading = read(deck, target).blocks[0]
    assert (heading.kind, heading.text, heading.metadata) == ("heading", "Where costs fell", {})


def test_of_lines_of_one_size_the_topmost_is_the_title_of_a_slide(deck, target):
    slide = slide_of(deck, BLANK)
    for text, y in (("Strengths", 3), ("SWOT analysis", 0.3), ("Threats", 5)):
        sized(slide, text, 28, y)
    assert [b.text for b in read(deck, target).blocks] == ["SWOT analysis", "Strengths", "Threats"]


@pytest.mark.parametrize(
    ("text", "y"),
    [
        ("The first goal is the last one.", 1),
        ("int main() {\nreturn 0;", 1),
        ("Photograph: the north", 6),
        ("42 %", 1),
    ],
)
def test_a_large_sentence_code_a_line_at_the_foot_and_a_number_are_no_title(deck, target, text, y):
    sized(slide_of(deck, BLANK), text, 32, y)
    assert read(deck, target).blocks[0].metadata["generated"]


def test_words_in_a_figure_are_no_title_of_a_slide(deck, target):
    figure = slide_of(deck, BLANK).shapes.add_shape(1, Inches(1), Inches(1), Inches(3), Inches(1))
    figure.text_frame.text = "Converter"
    figure.text_frame.paragraphs[0].font.size = Pt(40)
    assert read(deck, target).blocks[0].metadata["generated"]


def test_items_keep_their_levels(deck, target):
    frame = slide_of(deck, TITLE_AND_CONTENT, "T").placeholders[1].text_frame
    frame.text = "One"
    for text, level in (("Inner", 1), ("Two", 0)):
        paragraph = frame.add_paragraph()
        paragraph.text, paragraph.level = text, level
    items = read(deck, target).blocks[1:]
    assert [(b.kind, b.level, b.text) for b in items] == [
        ("list_item", 1, "One"), ("list_item", 2, "Inner"), ("list_item", 1, "Two"),
    ]  # fmt: skip


def test_shapes_are_read_in_the_order_that_screen_readers_take(deck, target):
    slide = slide_of(deck, BLANK)
    for text, x, y in (("head", 1, 0.5), ("left", 1, 2), ("right", 5, 2), ("foot", 1, 6)):
        box(slide, text, x, y, 3, 1.2)
    assert [b.text for b in read(deck, target).blocks[1:]] == ["head", "left", "right", "foot"]


def test_tables_keep_merged_cells_and_their_header(deck, target):
    slide = slide_of(deck, TITLE_ONLY, "T")
    table = slide.shapes.add_table(3, 3, Inches(1), Inches(2), Inches(6), Inches(2)).table
    for row in range(3):
        for column in range(3):
            table.cell(row, column).text = f"{row}{column}"
    table.cell(0, 1).text = "wide"
    table.cell(0, 2).text = ""
    table.cell(0, 1).merge(table.cell(0, 2))
    block = read(deck, target).blocks[1]
    assert block.metadata["rows"] == [["00", "wide", "wide"], ["10", "11", "12"], ["20", "21", "22"]]
    assert block.metadata["merged"] == [{"row": 0, "column": 1, "row_span": 1, "column_span": 2}]
    assert (block.page, block.metadata["header_rows"]) == (1, 1)


def test_a_chart_is_a_table_of_its_data(deck, target):
    data = CategoryChartData()
    data.categories = ["2023", "2024"]
    data.add_series("Sales", (10, 12.5))
    slide = slide_of(deck, TITLE_ONLY, "Growth")
    chart = slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(2), Inches(6), Inches(4), data
    ).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Sales by year"
    parsed = read(deck, target)
    assert detect(target, "x") == "pptx"  # whatever is embedded in it
    _, caption, table = parsed.blocks
    assert (caption.kind, caption.text) == ("caption", "Sales by year")
    assert table.metadata["rows"] == [["", "Sales"], ["2023", "10"], ["2024", "12.5"]]


def test_speaker_notes_are_marked(deck, target):
    slide_of(deck, TITLE_ONLY, "T").notes_slide.notes_text_frame.text = "Say hello first."
    note = read(deck, target).blocks[-1]
    assert (note.kind, note.text, note.page, note.metadata) == (
        "paragraph",
        "Say hello first.",
        1,
        {"note": "speaker"},
    )


def test_pictures_have_their_alternative_text(deck, target):
    data = io.BytesIO()
    Image.new("RGB", (20, 20), "red").save(data, "PNG")
    picture = slide_of(deck, TITLE_ONLY, "T").shapes.add_picture(data, Inches(1), Inches(2))
    picture._element.nvPicPr.cNvPr.set("descr", "A red square")
    block = read(deck, target).blocks[-1]
    assert (block.kind, block.text, block.metadata["alt"]) == ("image", "A red square", "A red square")
    assert block.metadata["source"].startswith("ppt/media/")


def test_shapes_in_groups_are_read_where_they_stand(deck, target):
    slide = slide_of(deck, BLANK)
    group = slide.shapes.add_group_shape()
    inner = group.shapes.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1))
    inner.text_frame.text = "in the group"
    box(slide, "behind it", 1, 5)
    assert [b.text for b in read(deck, target).blocks[1:]] == ["in the group", "behind it"]


def test_hidden_slides_are_told(deck, target):
    slide_of(deck, TITLE_ONLY, "Backup")._element.set("show", "0")
    parsed = read(deck, target)
    assert parsed.blocks[0].metadata == {"hidden": True}
    assert parsed.warnings == ["Slide 1 is hidden in PowerPoint; it was read."]


def test_numbers_of_items_are_counted(deck, target):
    frame = box(slide_of(deck, BLANK), "first", 1, 1).text_frame
    frame.add_paragraph().text = "second"
    for paragraph in frame.paragraphs:
        properties = paragraph._p.get_or_add_pPr()
        properties.append(properties.makeelement(
            "{http://schemas.openxmlformats.org/drawingml/2006/main}buAutoNum", {"type": "arabicParenR"}
        ))  # fmt: skip
    assert [b.text for b in read(deck, target).blocks[1:]] == ["1) first", "2) second"]


def rewritten(target: Path, part: str, change) -> None:
    with ZipFile(target) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts[part] = change(parts[part])
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def test_a_damaged_slide_costs_only_itself(deck, target):
    for number in (1, 2):
        slide_of(deck, TITLE_ONLY, f"Title {number}")
    deck.save(str(target))
    rewritten(target, "ppt/slides/slide1.xml", lambda _: b"\x00 not XML")
    parsed = parse_pptx(target, "t.pptx")
    assert [b.text for b in parsed.blocks] == ["Title 2"]
    assert parsed.warnings == ["Slide 1 is missing or damaged."]


def test_an_entity_bomb_in_a_slide_is_refused(deck, target):
    slide_of(deck, TITLE_ONLY, "Title")
    deck.save(str(target))
    rewritten(
        target,
        "ppt/slides/slide1.xml",
        lambda data: b'<!DOCTYPE x [<!ENTITY a "aaaa">]>' + data[data.index(b"<p:sld") :],
    )
    with pytest.raises(UnreadableFileError, match="entities"):
        parse_pptx(target, "t.pptx")


def test_groups_nested_without_end_do_no_harm(deck, target):
    slide_of(deck, TITLE_ONLY, "Title")
    deck.save(str(target))
    rewritten(
        target,
        "ppt/slides/slide1.xml",
        lambda data: data.replace(b"</p:spTree>", b"<p:grpSp>" * 3000 + b"</p:grpSp>" * 3000 + b"</p:spTree>"),
    )
    parse_pptx(target, "t.pptx")


def test_a_presentation_without_its_main_part_is_told(deck, target):
    slide_of(deck, TITLE_ONLY, "Title")
    deck.save(str(target))
    rewritten(target, "ppt/presentation.xml", lambda _: b"")
    with pytest.raises(UnreadableFileError, match="readable presentation"):
        parse_file(target, "t.pptx", ParsingSettings())


def test_a_presentation_with_spoiled_bytes_is_damaged_or_read(deck, target):
    for number in range(5):
        slide_of(deck, TITLE_AND_CONTENT, f"Title {number}").placeholders[1].text = "Point"
    deck.save(str(target))
    whole = target.read_bytes()
    for at in range(300, len(whole) - 30, len(whole) // 15):
        target.write_bytes(whole[:at] + bytes((whole[at] ^ 0xFF,)) + whole[at + 1 :])
        try:
            parse_file(target, "t.pptx", ParsingSettings())
        except UnreadableFileError as error:
            assert "Error" not in str(error)
