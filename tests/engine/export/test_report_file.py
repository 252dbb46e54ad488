"""A report as Word, PDF and Markdown: footnotes that name document, page and version, and nothing that acts."""

import io
import re
import unicodedata
import zipfile
from dataclasses import replace
from xml.etree import ElementTree

import docx
import pymupdf
import pytest
from markdown_it import MarkdownIt

from engine.errors import UsageError
from engine.export.report_file import KINDS, report_file, report_name
from engine.model import Answer, Citation, Report, ReportSection, Statement

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
EVIL = "![pixel](http://evil.example/p.png) <script>alert(1)</script> [click](javascript:alert(1))"


def source(n, snippet, document="harbour_fees.pdf", version=2, page=3, node="n1"):
    return Citation(n, "d1", document, version, "Fees", node, page, None, None, snippet, 0.9)


FEE, BERTHS = source(1, "The fee is 55 euro."), source(2, "There are 12 berths.", node="n2")
SUMMARY = Answer("The fee is 55 euro [1].", "direct", "high", True, [FEE], engine="llm")
FEES = Answer(
    "There are **12** berths [2], at 55 euro [1].\n\n| Harbour | Fee |\n| --- | --- |\n| Vardo | 55 [1] |\n\n"
    "It is the cheapest of all [1]. It has 99 berths [2].",
    "direct", "medium", True, [FEE, BERTHS], engine="llm",
)  # fmt: skip
CHEAPEST, WRONG = FEES.answer.index("It is the cheapest"), FEES.answer.index("It has 99")
FEES.statements.extend([
    Statement(CHEAPEST, CHEAPEST + 30, "unverified", "No place says so.", [1]),
    Statement(WRONG, len(FEES.answer), "contradicted", "Another number.", [2], ["99 berths", "12 berths"]),
])  # fmt: skip
REPORT = Report(
    "r1", "Harbours", 1.8e9, title="Harbours compared", summary=SUMMARY, updated_at=1.8e9, state="done",
    sections=[
        ReportSection("Fees", ["What is the fee?"], FEES),
        ReportSection("Whales", ["Are there whales?"], Answer("Nothing was found.", "direct", "low", False, [])),
        ReportSection("Dredging", ["When?"], error="The model is busy."), ReportSection("Tides", ["When?"]),
    ],
)  # fmt: skip


def footnotes(data):
    """The footnotes of a Word document, in the order in which they are referred to."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        notes = ElementTree.fromstring(packed.read("word/footnotes.xml"))
        main = ElementTree.fromstring(packed.read("word/document.xml"))
    texts = {one.get(f"{W}id"): "".join(one.itertext()).strip() for one in notes}
    return [texts[one.get(f"{W}id")] for one in main.iter(f"{W}footnoteReference")]


def test_a_word_file_has_headings_and_real_footnotes():
    data = report_file(REPORT, "docx")
    made = docx.Document(io.BytesIO(data))
    headings = [one.text for one in made.paragraphs if one.style.name == "Heading 2"]
    assert headings == ["Summary", "Fees", "Whales", "Dredging", "Tides", "Documents cited"]
    fee, berths = footnotes(data)
    assert fee == "harbour_fees.pdf, version 2, Fees, p. 3: “The fee is 55 euro.”"
    assert berths.endswith("“There are 12 berths.”")
    [table] = made.tables
    assert table.rows[1].cells[1].text == "55 1"  # the second reference to a note is its number
    assert "[" not in "\n".join(one.text for one in made.paragraphs)


def test_a_cell_is_named_by_its_sheet_and_on_no_page():
    cell = replace(FEE, document="fees.xlsx", cell="Fees!B2", snippet="Vardo | 55")
    summary = replace(SUMMARY, sources=[cell])
    [fee, *_] = footnotes(report_file(replace(REPORT, summary=summary), "docx"))
    assert fee == "fees.xlsx, version 2, Fees, Fees!B2: “Vardo | 55”"


def test_a_pdf_has_its_notes_at_the_end():
    text = "\n".join(page.get_text() for page in pymupdf.open(stream=report_file(REPORT, "pdf")))
    assert text.index("Harbours compared") < text.index("Tides") < text.index("Sources")
    assert "[1] harbour_fees.pdf, version 2, Fees, p. 3" in text


def test_markdown_has_footnotes_numbered_through_the_report():
    text = report_file(REPORT, "md").decode()
    assert "The fee is 55 euro [^1]." in text and "berths [^2], at 55 euro [^1]" in text
    assert r"[^1]: harbour\_fees.pdf, version 2, Fees, p. 3: “The fee is 55 euro.”" in text
    assert text.count("\n[^") == 2


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_supported_not_found_or_not_written_is_told(kind):
    text = read(report_file(REPORT, kind), kind)
    for told in (
        "not verified", "contradicted by its source: “12 berths”", "Nothing was found.", "The model is busy.",
        "not written yet",
    ):  # fmt: skip
        assert told in text, told


def read(data, kind):
    if kind == "md":
        return data.decode()
    if kind == "pdf":
        text = " ".join(page.get_text() for page in pymupdf.open(stream=data))
        return " ".join(unicodedata.normalize("NFKC", text).split())  # "fi" is one letter there
    return "\n".join(one.text for one in docx.Document(io.BytesIO(data)).paragraphs)


@pytest.mark.parametrize("kind", KINDS)
def test_texts_of_models_and_documents_stay_inert(kind):
    cited = source(1, f"{EVIL} =cmd()", document=f"a {EVIL}.pdf")
    answer = Answer(f"{EVIL} said [1]. [7]\n\n```html\n<b>", "direct", "low", True, [cited], engine="llm")
    report = Report(
        "r1", EVIL, 1.0, title=f"# {EVIL}", sections=[ReportSection(EVIL, [EVIL], answer)], notes=[EVIL],
        error=EVIL,
    )  # fmt: skip
    data = report_file(report, kind)
    if kind == "md":
        tokens = MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(data.decode())
        acting = {one.type for token in tokens for one in (token, *(token.children or ()))}
        assert not acting & {"image", "link_open", "html_block", "html_inline"}
        assert "http://" not in re.sub(r"`[^`]*`", "", data.decode())
    elif kind == "pdf":
        assert not [link for page in pymupdf.open(stream=data) for link in page.get_links()]
    else:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            assert b"evil.example" not in b"".join(packed.read(name) for name in packed.namelist() if ".rels" in name)
        assert "<script>" in footnotes(data)[0]  # as a text
    assert report_file(Report("r1", "x", 1.0, notes=["a\x00\x0b\ud800b"]), kind)


def test_a_chinese_report_speaks_chinese():
    report = Report("r1", "港口报告", 1.0, title="港口", sections=[ReportSection("收费", ["?"], error="忙")])
    text = report_file(report, "md").decode()
    assert "报告要求：港口报告" in text and "本节未能写成：忙" in text
    assert report_name(report, "docx") == "港口 1970-01-01.docx"
    assert report_name(REPORT, "pdf") == "Harbours compared 2027-01-15.pdf"


def test_a_report_names_what_it_was_limited_to_and_the_documents_that_it_cites():
    text = report_file(REPORT, "md", within="Harbour_laws").decode()
    assert "Limited to: Harbour\\_laws." in text
    assert "## Documents cited\n\n- harbour\\_fees.pdf, version 2\n" in text


def test_another_kind_is_refused_by_name():
    with pytest.raises(UsageError, match="docx, pdf, md, not as exe"):
        report_file(REPORT, "exe")


def test_a_sign_between_chinese_letters_is_set_apart_and_no_star_is_printed():
    text = "两港费用相差五欧元[1]。其余各港费用相同[1]。"
    answer = Answer(text, "direct", "high", True, [FEE], engine="llm")
    answer.statements.append(Statement(0, text.index("。"), "computed", "", [1]))
    report = replace(REPORT, subject="港口费用", summary=None, sections=[ReportSection("费用", ["多少？"], answer)])
    told = read(report_file(report, "docx"), "docx")
    assert "计算得出" in told and "*" not in told
