from pathlib import Path
from zipfile import ZipFile

import pytest
from odf_files import NAMES, cell, h, odf_file, p, row, table

from engine.config import ParsingSettings
from engine.errors import EncryptedFileError, UnreadableFileError
from engine.model import Block, ParsedFile
from engine.parse.dispatch import parse_file
from engine.structure.heading_levels import with_headings

NUMBERS = (
    '<text:list-style style:name="N">'
    '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
    '<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/>'
    "</text:list-style>"
    '<text:list-style style:name="B">'
    '<text:list-level-style-bullet text:level="1" text:bullet-char="•"/></text:list-style>'
)


@pytest.fixture
def blocks(tmp_path: Path):
    def read(body: str, **more: str) -> list[Block]:
        path = odf_file(tmp_path / "a.odt", "text", body, **more)
        return parse_file(path, "a.odt", ParsingSettings()).blocks

    return read


def items(*texts: str) -> str:
    return "".join(f"<text:list-item>{text}</text:list-item>" for text in texts)


def test_headings_have_their_outline_levels_below_the_title(blocks):
    styles = '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>'
    found = blocks(p("The Book", "P1") + h("One", 1) + p("Text.") + h("Two", 2), automatic=styles)
    assert [(b.text, b.level) for b in found if b.kind == "heading"] == [
        ("The Book", 1),
        ("One", 2),
        ("Two", 3),
    ]


def test_lists_are_counted_and_nested(blocks):
    inner = f"<text:list>{items(p('deep'), p('deeper'))}</text:list>"
    body = f'<text:list text:style-name="N">{items(p("one") + inner, p("two"))}</text:list>'
    found = blocks(body, automatic=NUMBERS)
    assert [(b.text, b.level) for b in found] == [
        ("1. one", 1),
        ("a. deep", 2),
        ("b. deeper", 2),
        ("2. two", 1),
    ]


def test_a_continued_list_goes_on_counting(blocks):
    body = (
        f'<text:list text:style-name="N">{items(p("one"))}</text:list>{p("between")}'
        f'<text:list text:style-name="N" text:continue-numbering="true">{items(p("two"))}</text:list>'
    )
    assert [b.text for b in blocks(body, automatic=NUMBERS)] == ["1. one", "between", "2. two"]


def test_bullets_are_no_part_of_the_text(blocks):
    found = blocks(f'<text:list text:style-name="B">{items(p("point"))}</text:list>', automatic=NUMBERS)
    assert (found[0].kind, found[0].text) == ("list_item", "point")


def test_tables_keep_spans_and_header_rows(blocks):
    body = table(
        f"<table:table-header-rows>{row(cell(p('Wide'), number_columns_spanned=2), '<table:covered-table-cell/>')}"
        "</table:table-header-rows>",
        row(cell(p("a")), cell(p("b"), p("c"))),
    )
    found = blocks(body)[0]
    assert found.metadata["rows"] == [["Wide", "Wide"], ["a", "b\nc"]]
    assert found.metadata["header_rows"] == 1
    assert found.metadata["merged"] == [{"row": 0, "column": 0, "row_span": 1, "column_span": 2}]


def test_footnotes_follow_their_paragraph(blocks):
    note = (
        '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>'
        f"<text:note-body>{p('The note.')}</text:note-body></text:note>"
    )
    found = blocks(p(f"Said so{note} here.") + p("Next."))
    assert [b.text for b in found] == ["Said so here.", "The note.", "Next."]
    assert found[1].metadata == {"note": "footnote", "number": "1"}


def test_pictures_come_with_their_descriptions(blocks):
    frame = (
        '<draw:frame svg:width="2.54cm" svg:height="1in"><draw:image xlink:href="Pictures/a.png"/>'
        "<svg:title>A duck</svg:title></draw:frame>"
    )
    found = blocks(p("See") + p(frame))
    assert [(b.kind, b.text) for b in found] == [("paragraph", "See"), ("image", "A duck")]
    assert found[1].metadata["source"] == "Pictures/a.png"


def test_words_in_drawn_shapes_follow_their_paragraph(blocks):
    shape = f"<draw:custom-shape>{p('Drawn')}</draw:custom-shape>"
    assert [b.text for b in blocks(p(f"See {shape}") + p("Next."))] == ["See", "Drawn", "Next."]


def test_the_data_of_a_chart_is_a_table(blocks):
    chart = (
        f'<office:document-content {NAMES} xmlns:chart="urn:oasis:names:tc:opendocument:xmlns:chart:1.0">'
        "<office:body><office:chart><chart:chart>"
        + table(
            f"<table:table-header-rows>{row(cell(p('Year')), cell(p('Sum')))}</table:table-header-rows>",
            f"<table:table-rows>{row(cell(p('2024')), cell(p('7')))}</table:table-rows>",
        )
        + "</chart:chart></office:chart></office:body></office:document-content>"
    )
    frame = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'
    found = blocks(p(f"See {frame}"), **{"Object 1__content_dot_xml": chart})
    assert found[-1].metadata["rows"] == [["Year", "Sum"], ["2024", "7"]]


def test_contents_and_deleted_text_are_left_out(blocks):
    body = (
        f"<text:tracked-changes><text:changed-region>{p('gone')}</text:changed-region></text:tracked-changes>"
        f"<text:table-of-content><text:index-body>{p('One 1')}</text:index-body></text:table-of-content>"
        f"<text:section>{h('One', 1)}</text:section>"
    )
    assert [b.text for b in blocks(body)] == ["One"]


def test_a_formula_stands_where_it_is_shown(blocks):
    frame = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'
    math = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac></math>'
    found = blocks(p(f"Here {frame} stands.") + p(frame), **{"Object 1__content_dot_xml": math})
    assert [b.text for b in found] == [r"Here $$\frac{a}{b^{2}}$$ stands.", r"$$\frac{a}{b^{2}}$$"]


def test_a_formula_with_a_document_type_is_read(blocks):
    frame = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'
    kind = '<!DOCTYPE math:math PUBLIC "-//OpenOffice.org//DTD Modified W3C MathML 1.01//EN" "math.dtd">'
    math = f'{kind}<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>F</mi><mo>=</mo><mi>m</mi></math>'
    found = blocks(p(f"Load: {frame}"), **{"Object 1__content_dot_xml": math})
    assert [b.text for b in found] == ["Load: F = m"]


def test_headers_and_footers_of_pages_come_last(blocks):
    master = f"<style:master-page><style:header>{p('Order no. 4711')}</style:header></style:master-page>"
    found = blocks(p("Body."), styles=master)
    assert [(b.text, b.metadata.get("running")) for b in found] == [
        ("Body.", None),
        ("Order no. 4711", "header"),
    ]


def test_without_heading_styles_bold_lines_that_come_again_are_headings(blocks):
    bold = (
        '<style:style style:name="P1" style:family="paragraph"><style:text-properties fo:font-weight="bold" '
        'fo:font-size="16pt"/></style:style>'
    )
    prose = p("This is a paragraph of plain prose that goes on for a while. " * 3)
    found = blocks("".join(p(f"Part {n}", "P1") + prose for n in ("one", "two", "three")), automatic=bold)
    heads = with_headings(ParsedFile("text", found))
    assert [b.text for b in heads if b.kind == "heading"] == ["Part one", "Part two", "Part three"]


def test_a_locked_text_asks_for_its_protection_to_go(tmp_path):
    locked = {"META-INF__manifest_dot_xml": "<manifest><encryption-data/></manifest>"}
    path = odf_file(tmp_path / "a.odt", "text", "", **locked)
    with pytest.raises(EncryptedFileError, match="password"):
        parse_file(path, "a.odt", ParsingSettings())


def test_entities_are_refused(tmp_path):
    path = tmp_path / "a.odt"
    with ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr(
            "content.xml",
            f'<!DOCTYPE x [<!ENTITY a "b">]><office:document-content {NAMES}><office:body>&a;</office:body>'
            "</office:document-content>",
        )
    with pytest.raises(UnreadableFileError, match="entities"):
        parse_file(path, "a.odt", ParsingSettings())


@pytest.mark.parametrize("words", ["Gate B is shut.", "乙门关闭。"])
def test_what_stands_in_a_text_box_is_read_once(blocks, words):
    frame = f"<draw:frame><draw:text-box>{p(words)}</draw:text-box></draw:frame>"
    for body in (f"<text:p>Before.{frame}</text:p>", p("Before.") + frame):
        assert [block.text for block in blocks(body + p("After."))] == ["Before.", words, "After."]
