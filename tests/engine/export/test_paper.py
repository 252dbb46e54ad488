"""Answers and conversations as Word, PDF and CSV."""

import csv
import io

import docx
import pymupdf
import pytest

from engine.export.paper import as_docx, as_pdf, tables_as_csv

TEXT = """# 桥梁 and ferries

> When did the bridge open?

The **Harbour Bridge** opened in *1932* [1].

- steel [2]
- paint

| Item | Cost |
| --- | ---: |
| Steel, plain | 4,500 [3] |
| =1+1 | -5% |

[1] bridge.pdf, version 2, page 3: “It opened in 1932.”
[2] 桥.docx, version 1: “钢材。”
"""


def test_a_word_document_has_headings_lists_tables_and_raised_marks():
    made = docx.Document(io.BytesIO(as_docx(TEXT)))
    styles = {one.text: one.style.name for one in made.paragraphs}
    assert styles["桥梁 and ferries"] == "Heading 1" and styles["When did the bridge open?"] == "Block Text"
    paint = next(one for one in made.paragraphs if one.text == "paint")
    assert paint._p.pPr.numPr is not None  # an item of a list
    opened = next(one for one in made.paragraphs if one.text.startswith("The Harbour"))
    assert [run.text for run in opened.runs if run.bold] == ["Harbour Bridge"]
    assert [run.text for run in opened.runs if run.font.superscript] == ["[1]"]
    assert [cell.text for cell in made.tables[0].rows[1].cells] == ["Steel, plain", "4,500 [3]"]
    assert made.paragraphs[-1].text.splitlines()[1].startswith("[2] 桥.docx, version 1")


def test_notes_side_by_side_do_not_run_into_one_number():
    made = docx.Document(io.BytesIO(as_docx("It did [14][4], as said [4][14].", {14: "a.pdf", 4: "b.pdf"})))
    assert made.paragraphs[0].text.endswith(", as said 4,14.")
    raised = [run.text for run in made.paragraphs[0].runs if run.font.superscript and run.text]
    assert "".join(raised) == ",4,14"


def test_a_pdf_holds_the_text_in_both_scripts_on_as_many_pages_as_it_needs():
    pages = [page.get_text() for page in pymupdf.open(stream=as_pdf(TEXT + "\n\nMore.\n" * 200))]
    assert len(pages) > 2 and "桥梁" in pages[0] and "Steel, plain" in pages[0] and "version 2, page 3" in pages[0]


def test_tables_are_kept_as_csv_without_marks_and_without_formulas():
    rows = list(csv.reader(io.StringIO(tables_as_csv(TEXT).removeprefix("\ufeff"))))
    assert rows == [["Item", "Cost"], ["Steel, plain", "4,500"], ["'=1+1", "-5%"]]
    assert tables_as_csv("No table.") == ""


@pytest.mark.parametrize(
    "text", ["", "<script>alert(1)</script> ![x](http://x/y.png) [z](javascript:1)", "| a |\n| - |"]
)
def test_any_text_can_be_written(text):
    assert as_docx(text) and pymupdf.open(stream=as_pdf(text)).page_count == 1 and "<script" not in tables_as_csv(text)
