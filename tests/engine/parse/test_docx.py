from pathlib import Path
from zipfile import ZipFile

import docx
import pytest
from word_files import (
    NAMESPACES,
    cell,
    level,
    numbering,
    paragraph,
    relationships,
    style,
    table,
    word_file,
)

from engine.errors import UnreadableFileError
from engine.model import Block
from engine.parse.docx import parse_docx
from engine.structure.heading_levels import with_headings


def blocks_of(path: Path) -> list[Block]:
    return parse_docx(path, path.name).blocks


def shown(path: Path) -> list[tuple[str, int | None, str]]:
    return [(block.kind, block.level, block.text) for block in blocks_of(path)]


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "file.docx"


def test_a_document_written_by_python_docx_keeps_its_order_and_levels(target):
    document = docx.Document()
    document.add_heading("Report", 0)
    document.add_heading("First", 1)
    document.add_paragraph("Body text.")
    document.add_paragraph("one", style="List Bullet")
    document.add_paragraph("two", style="List Number")
    document.add_heading("Deeper", 2)
    document.add_paragraph("Quote", style="Quote")
    document.save(str(target))
    assert shown(target) == [
        ("heading", 1, "Report"),
        ("heading", 2, "First"),
        ("paragraph", None, "Body text."),
        ("list_item", 1, "one"),
        ("list_item", 1, "1. two"),
        ("heading", 3, "Deeper"),
        ("paragraph", None, "Quote"),
    ]


def test_the_title_style_names_the_document(target):
    document = docx.Document()
    document.add_heading("Annual Report", 0)
    document.save(str(target))
    assert parse_docx(target, "x").title == "Annual Report"


def test_a_title_in_the_properties_counts_only_when_the_text_bears_it_out(target):
    document = docx.Document()
    document.core_properties.title = "Untitled template"
    document.add_paragraph("Some text")
    document.save(str(target))
    assert parse_docx(target, "x").title == ""


@pytest.mark.parametrize("name", ["heading 2", "标题 2", "標題 2", "Überschrift 2", "Titre 2", "見出し 2", "Título 2"])
def test_heading_styles_are_known_by_name_in_many_languages(target, name):
    word_file(target, paragraph("Methods", style="x2"), styles=style("x2", name))
    assert shown(target) == [("heading", 2, "Methods")]


def test_a_style_based_on_a_heading_is_one(target):
    styles = style("h1", "heading 1") + style("mine", "Company Heading", "h1") + style("own", "Own", "mine")
    word_file(target, paragraph("Scope", style="own"), styles=styles)
    assert shown(target) == [("heading", 1, "Scope")]


def test_an_outline_level_makes_a_heading_and_body_level_unmakes_it(target):
    styles = (
        style("a", "Section", properties='<w:outlineLvl w:val="2"/>')
        + style("h1", "heading 1")
        + style("b", "Not really", "h1", '<w:outlineLvl w:val="9"/>')
    )
    direct = '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Direct</w:t></w:r></w:p>'
    word_file(target, paragraph("Deep", style="a") + paragraph("Plain", style="b") + direct, styles=styles)
    assert shown(target) == [("heading", 3, "Deep"), ("paragraph", None, "Plain"), ("heading", 1, "Direct")]


def test_styles_that_are_based_on_each_other_do_no_harm(target):
    styles = style("a", "A", "b") + style("b", "heading 1", "a")
    word_file(target, paragraph("Round", style="a"), styles=styles)
    assert shown(target) == [("heading", 1, "Round")]


def test_headings_carry_the_number_that_word_shows(target):
    levels = level(0, "decimal", "%1", more='<w:pStyle w:val="h1"/>') + level(
        1, "decimal", "%1.%2", more='<w:pStyle w:val="h2"/>'
    )
    numbered = '<w:numPr><w:numId w:val="1"/></w:numPr>'
    styles = style("h1", "heading 1", properties=numbered) + style("h2", "heading 2", properties=numbered)
    body = "".join(paragraph(t, style=s) for t, s in [("A", "h1"), ("B", "h2"), ("C", "h2"), ("D", "h1"), ("E", "h2")])
    word_file(target, body, styles=styles, numbering=numbering(levels))
    assert [text for _, _, text in shown(target)] == ["1 A", "1.1 B", "1.2 C", "2 D", "2.1 E"]


def test_chinese_chapter_numbers_are_shown(target):
    levels = level(0, "chineseCountingThousand", "第%1章") + level(1, "chineseCounting", "（%1）")
    styles = style("h1", "heading 1") + style("h2", "heading 2")
    body = paragraph("总则", "h1", (1, 0)) + paragraph("目的", "h2", (1, 1)) + paragraph("附则", "h1", (1, 0))
    word_file(target, body, styles=styles, numbering=numbering(levels))
    assert [text for _, _, text in shown(target)] == ["第一章 总则", "（一） 目的", "第二章 附则"]


def test_list_items_have_levels_and_markers(target):
    levels = level(0, "bullet", "\uf0b7") + level(1, "lowerLetter", "(%2)")
    body = paragraph("fruit", numbering=(1, 0)) + paragraph("apple", numbering=(1, 1)) + paragraph("pear", "", (1, 1))
    word_file(target, body, numbering=numbering(levels))
    assert shown(target) == [
        ("list_item", 1, "fruit"),
        ("list_item", 2, "(a) apple"),
        ("list_item", 2, "(b) pear"),
    ]


def test_insertions_are_kept_and_deletions_dropped(target):
    body = (
        "<w:p><w:r><w:t>The fee is </w:t></w:r><w:del><w:r><w:delText>10</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>20</w:t></w:r></w:ins><w:r><w:t> euros.</w:t></w:r></w:p>"
        "<w:ins><w:p><w:r><w:t>New paragraph.</w:t></w:r></w:p></w:ins>"
        "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>Joined </w:t></w:r></w:p>"
        "<w:p><w:r><w:t>lines.</w:t></w:r></w:p>"
    )
    word_file(target, body)
    assert [block.text for block in blocks_of(target)] == [
        "The fee is 20 euros.",
        "New paragraph.",
        "Joined lines.",
    ]


def test_content_controls_and_hyperlinks_are_read_in_place(target):
    control = f"<w:sdt><w:sdtPr/><w:sdtContent>{paragraph('Inside')}</w:sdtContent></w:sdt>"
    link = "<w:p><w:r><w:t>See </w:t></w:r><w:hyperlink><w:r><w:t>the page</w:t></w:r></w:hyperlink></w:p>"
    word_file(target, paragraph("Before") + control + link)
    assert [block.text for block in blocks_of(target)] == ["Before", "Inside", "See the page"]


def test_a_text_box_is_read_once_after_its_paragraph(target):
    box = f"<wps:txbx><w:txbxContent>{paragraph('In the box')}</w:txbxContent></wps:txbx>"
    drawing = f"<w:drawing><wp:anchor><wps:wsp>{box}</wps:wsp></wp:anchor></w:drawing>"
    old = f"<w:pict><v:textbox><w:txbxContent>{paragraph('In the box')}</w:txbxContent></v:textbox></w:pict>"
    both = f"<mc:Choice>{drawing}</mc:Choice><mc:Fallback>{old}</mc:Fallback>"
    choice = f"<mc:AlternateContent>{both}</mc:AlternateContent>"
    word_file(target, f"<w:p><w:r><w:t>Anchor</w:t></w:r><w:r>{choice}</w:r></w:p>" + paragraph("After"))
    assert [block.text for block in blocks_of(target)] == ["Anchor", "In the box", "After"]


def test_pictures_have_alternative_text_and_size(target):
    picture = (
        '<w:drawing><wp:inline><wp:extent cx="1270000" cy="635000"/><wp:docPr id="1" name="x" descr="A red fox"/>'
        '<a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rId9"/></pic:blipFill></pic:pic>'
        "</a:graphicData></a:graphic></wp:inline></w:drawing>"
    )
    word_file(target, f"<w:p><w:r>{picture}</w:r></w:p>")
    (image,) = blocks_of(target)
    assert (image.kind, image.text, image.metadata["width"], image.metadata["height"]) == (
        "image",
        "A red fox",
        100,
        50,
    )


def test_footnotes_follow_the_paragraph_that_refers_to_them(target):
    notes = (
        '<w:footnote w:type="separator" w:id="0"><w:p/></w:footnote>'
        f'<w:footnote w:id="7">{paragraph("See annex B.")}</w:footnote>'
    )
    body = '<w:p><w:r><w:t>Claim.</w:t></w:r><w:r><w:footnoteReference w:id="7"/></w:r></w:p>' + paragraph("Next.")
    word_file(target, body, footnotes=notes)
    blocks = blocks_of(target)
    assert [block.text for block in blocks] == ["Claim.", "See annex B.", "Next."]
    assert blocks[1].metadata == {"note": "footnote", "number": 1}


def test_a_field_shows_its_result_not_its_code(target):
    body = (
        '<w:p><w:r><w:t>Page </w:t></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        '<w:r><w:instrText>PAGEREF x</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        '<w:r><w:t>12</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t> of 20</w:t></w:r></w:p>'
    )
    word_file(target, body)
    assert blocks_of(target)[0].text == "Page 12 of 20"


def test_a_generated_table_of_contents_is_left_out_and_nothing_else(target):
    body = (
        '<w:p><w:pPr><w:pStyle w:val="toc1"/></w:pPr>'
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC \\o</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:hyperlink w:anchor="_Toc1"><w:r><w:t>Intro 3</w:t></w:r>'
        "</w:hyperlink></w:p>" + paragraph("Intro", "h1") + paragraph("The field never ended.")
    )
    word_file(target, body, styles=style("h1", "heading 1") + style("toc1", "toc 1"))
    assert [block.text for block in blocks_of(target)] == ["Intro", "The field never ended."]


def test_equations_are_blocks_of_their_own_or_stand_in_the_text(target):
    fraction = "<m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>n</m:t></m:r></m:den></m:f>"
    alone = f"<w:p><m:oMathPara><m:oMath>{fraction}</m:oMath></m:oMathPara></w:p>"
    inline = f"<w:p><w:r><w:t>rate </w:t></w:r><m:oMath>{fraction}</m:oMath><w:r><w:t>.</w:t></w:r></w:p>"
    word_file(target, alone + inline)
    assert [(b.kind, b.text) for b in blocks_of(target)] == [
        ("equation", r"\frac{1}{n}"),
        ("paragraph", r"rate \frac{1}{n}."),
    ]


def test_code_paragraphs_are_joined_with_their_indents(target):
    body = paragraph("def f(x):", "code") + paragraph("    return x", "code") + paragraph("Prose.")
    word_file(target, body, styles=style("code", "Source Code"))
    assert [(b.kind, b.text) for b in blocks_of(target)] == [
        ("code", "def f(x):\n    return x"),
        ("paragraph", "Prose."),
    ]


def test_captions_are_told_by_their_style(target):
    word_file(target, paragraph("图 1 流程", "c"), styles=style("c", "题注"))
    assert blocks_of(target)[0].kind == "caption"


def test_hidden_text_is_left_out(target):
    word_file(target, paragraph("secret", vanish="1") + paragraph("shown", vanish="0"))
    assert [block.text for block in blocks_of(target)] == ["shown"]


def test_headings_without_styles_are_inferred_from_looks_that_repeat(target):
    body = paragraph("Guide to the Garden", b="1", sz="36")
    for title in ("Soil", "Water", "Light", "Harvest"):
        body += paragraph(title, b="1") + paragraph("Some sentence about this that is long enough to be text. " * 3)
    word_file(target, body)
    headings = [(b.level, b.text) for b in with_headings(parse_docx(target, "file.docx")) if b.kind == "heading"]
    assert headings == [(1, "Guide to the Garden"), (2, "Soil"), (2, "Water"), (2, "Light"), (2, "Harvest")]


def test_one_bold_line_is_emphasis_and_no_heading(target):
    word_file(target, paragraph("Please note", b="1") + paragraph("The office is closed on Friday."))
    blocks = with_headings(parse_docx(target, "file.docx"))
    assert [block.kind for block in blocks] == ["paragraph", "paragraph"]


def test_numbered_chapters_without_styles_are_headings(target):
    body = (
        paragraph("第一章 总则")
        + paragraph("第一条 为了规范，制定本法。")
        + paragraph("第二章 附则")
        + paragraph("第二条 施行。")
    )
    word_file(target, body)
    blocks = with_headings(parse_docx(target, "file.docx"))
    assert [block.text for block in blocks if block.kind == "heading"] == ["第一章 总则", "第二章 附则"]


def test_a_frame_of_one_cell_is_no_table(target):
    word_file(target, table(cell(paragraph("Inside") + paragraph("the frame"))))
    assert [block.kind for block in blocks_of(target)] == ["paragraph", "paragraph"]


def test_strict_files_read_like_transitional_ones(target, tmp_path):
    word_file(target, paragraph("Strict text", "h1"), styles=style("h1", "heading 1"))
    strict = tmp_path / "strict.docx"
    with ZipFile(target) as source, ZipFile(strict, "w") as sink:
        for member in source.namelist():
            data = source.read(member)
            for part in (b"wordprocessingml/2006/main", b"officeDocument/2006/relationships"):
                first, _, last = part.partition(b"/2006/")
                data = data.replace(
                    b"http://schemas.openxmlformats.org/" + part,
                    b"http://purl.oclc.org/ooxml/" + first + b"/" + last,
                )
            sink.writestr(member, data)
    assert shown(strict) == [("heading", 1, "Strict text")]


def test_missing_styles_cost_a_warning_and_no_text(target):
    word_file(target, paragraph("Kept", "h1"), styles="<broken")
    parsed = parse_docx(target, "x")
    assert [block.text for block in parsed.blocks] == ["Kept"]
    with ZipFile(target, "w") as archive:
        body = f"<w:document {NAMESPACES}><w:body>{paragraph('Alone')}</w:body></w:document>"
        archive.writestr("word/document.xml", body)
        archive.writestr("word/_rels/document.xml.rels", relationships(styles="styles.xml"))
    parsed = parse_docx(target, "x")
    assert [block.text for block in parsed.blocks] == ["Alone"]
    assert parsed.warnings == ["The styles of this Word file are missing or damaged."]


def test_a_file_without_its_text_part_is_refused_clearly(target):
    with ZipFile(target, "w") as archive:
        archive.writestr("word/styles.xml", "<x/>")
    with pytest.raises(UnreadableFileError, match="without a readable text part"):
        parse_docx(target, "report.docx")


def with_header(target: Path, header: str, body: str) -> Path:
    return word_file(target, f'{body}<w:sectPr><w:headerReference r:id="header"/></w:sectPr>', header=header)


def test_a_header_comes_last_with_the_cells_of_its_table(target):
    header = table(*[cell("Document no.") + cell("QP-0827")] * 2) + paragraph("Revision C")
    *_, first, second = blocks_of(with_header(target, header, paragraph("Goods are inspected.")))
    assert (first.kind, first.metadata["running"]) == ("table", "header")
    assert first.metadata["rows"][0] == ["Document no.", "QP-0827"]
    assert (second.text, second.metadata["running"]) == ("Revision C", "header")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.html", b"<html><body><p>The rent is 4,350 euros.</p></body></html>"),
        ("a.rtf", rb"{\rtf1 The rent is 4,350 euros.\par}"),
        ("a.txt", b"The rent is 4,350 euros."),
        (
            "a.mht",
            b"MIME-Version: 1.0\nContent-Type: text/html\nFrom: <S>\n\n<html><p>The rent is 4,350 euros.</p></html>",
        ),
        ("a.docx", None),
    ],
)
def test_a_part_in_another_format_is_read_where_it_stands(target, tmp_path, name, data):
    if data is None:
        inner = word_file(tmp_path / "inner.docx", paragraph("The rent is 4,350 euros."))
        data = inner.read_bytes()
    word_file(target, paragraph("Before.") + '<w:altChunk r:id="c"/>' + paragraph("After."))
    whole = tmp_path / "whole.docx"
    with ZipFile(target) as plain, ZipFile(whole, "w") as archive:
        for part in ("[Content_Types].xml", "_rels/.rels", "word/document.xml"):
            archive.writestr(part, plain.read(part))
        links = relationships(aFChunk=name).replace('Id="aFChunk"', 'Id="c"')
        archive.writestr("word/_rels/document.xml.rels", links)
        archive.writestr(f"word/{name}", data)
    assert [block.text for block in blocks_of(whole)] == ["Before.", "The rent is 4,350 euros.", "After."]


def commented(target: Path, body: str, comment: str) -> list[Block]:
    mark = '<w:r><w:commentReference w:id="0"/></w:r>'
    said = f'<w:comment w:id="0" w:author="Zoe">{paragraph(comment)}</w:comment>'
    return blocks_of(word_file(target, body.replace("</w:p>", f"{mark}</w:p>", 1), comments=said))


@pytest.mark.parametrize("comment", ["Please ask the carrier first.", "请先与承运人确认。"])
def test_a_comment_follows_what_it_is_on_with_who_wrote_it(target, comment):
    for body in (
        paragraph("The date is 4 May."),
        table(cell("45") + cell("Chair"), cell("46") + cell("Desk")),
    ):
        found = commented(target, body + paragraph("End."), comment)
        assert (found[1].text, found[1].metadata) == (comment, {"note": "comment", "author": "Zoe"})


@pytest.mark.parametrize(("old", "new"), [("45 days", "60 days"), ("四十五天", "六十天")])
def test_tracked_changes_are_taken_as_accepted_and_noted(target, old, new):
    change = (
        f'<w:del w:author="李明"><w:r><w:delText>{old}</w:delText></w:r></w:del>'
        f'<w:ins w:author="李明"><w:r><w:t>{new}</w:t></w:r></w:ins>'
    )
    gone = '<w:p><w:del w:author="Eve"><w:r><w:delText>A clause.</w:delText></w:r></w:del></w:p>'
    (block, last) = blocks_of(word_file(target, f"<w:p>{change}</w:p>{paragraph('End.')}{gone}"))
    assert block.text == new
    assert block.metadata["changes"] == [
        {"author": "李明", "deleted": old},
        {"author": "李明", "inserted": new},
    ]
    assert last.metadata["changes"] == [{"author": "Eve", "deleted": "A clause."}]


def test_a_row_that_was_deleted_is_no_row(target):
    rows = table(*(cell(item) + cell(price) for item, price in (("Item", "Price"), ("Bolt", "33"), ("Nut", "11"))))
    first, last = rows.rsplit("<w:tr>", 1)
    rows = f'{first}<w:tr><w:trPr><w:del w:author="Eve"/></w:trPr>{last}'
    (block,) = blocks_of(word_file(target, rows))
    assert block.metadata["rows"] == [["Item", "Price"], ["Bolt", "33"]]


def test_boxes_and_lists_of_old_forms_show_what_they_are_set_to(target):
    def form(facts: str, kind: str) -> str:
        return (
            f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{facts}</w:ffData></w:fldChar></w:r>'
            f'<w:r><w:instrText>{kind}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
        )

    ticked = form('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>', "FORMCHECKBOX")
    empty = form('<w:checkBox><w:default w:val="0"/></w:checkBox>', "FORMCHECKBOX")
    chosen = form('<w:ddList><w:result w:val="1"/><w:listEntry w:val="Red"/><w:listEntry w:val="青色"/></w:ddList>', "")
    body = "".join(
        f"<w:p><w:r><w:t>{name}: </w:t></w:r>{one}</w:p>"
        for name, one in zip("ABC", (ticked, empty, chosen), strict=True)
    )
    assert [block.text for block in blocks_of(word_file(target, body))] == ["A: ☒", "B: ☐", "C: 青色"]


def test_text_that_word_hides_is_told(target):
    hidden = "<w:p><w:r><w:t>Seen.</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>Not seen.</w:t></w:r></w:p>"
    assert parse_docx(word_file(target, hidden), "a.docx").warnings == [
        "There is text in this Word file that Word hides; it was left out."
    ]
