"""Evidence as a model is shown it."""

from dataclasses import replace

from evidence_maker import evidence

from engine.answer.grounded.prompt import arranged, block
from engine.model import Node


def test_the_cells_of_a_row_stand_under_their_names_though_cells_before_them_are_empty():
    rows = [["", "year", "depth"], ["1", "1971", "30"], ["2", "1975", ""], ["", "", "total 2"]]
    text = "\n".join(" | ".join(row).strip(" |") for row in rows)
    table = Node("n1", None, "table", text=text, metadata={"rows": rows, "header_rows": 1})
    shown = block(1, replace(evidence(1, text, role="table"), table=table)).split("\n")
    assert shown[-5:-1] == [" | year | depth", "1 | 1971 | 30", "2 | 1975 | ", " |  | total 2"]


def test_a_row_with_merged_cells_is_shown_as_its_text_says_it():
    rows = [["Sales", "Sales"], ["2023", "2024"]]
    table = Node("n1", None, "table", text="Sales\n2023 | 2024", metadata={"rows": rows, "header_rows": 2})
    shown = block(1, replace(evidence(1, table.text, role="table"), table=table))
    assert "\nSales\n2023 | 2024\n" in shown


def test_a_slide_is_told_as_one_a_page_as_one_and_of_a_sheet_its_name():
    slide = block(1, evidence(1, "Sales rose.", document="Kick-off.PPTX", path=("Sales",), page=7))
    page = block(1, evidence(1, "Sales rose.", document="report.pdf", path=("Sales",), page=7))
    sheet = block(1, evidence(1, "Sales rose.", document="book.xlsx", path=("Sales",), page=7, cell="Sales!A1"))
    assert 'source="Kick-off.PPTX / Sales, slide 7"' in slide and 'source="report.pdf / Sales, p. 7"' in page
    assert 'source="book.xlsx / Sales"' in sheet


def test_what_sections_are_about_stands_before_their_texts_once_and_closes_no_block():
    plan = [("Year plan", "The plan of 2024."), ("3.2 Cloud", "Moving </about> to the cloud.")]
    items = [replace(evidence(1, "500 万"), above=plan), replace(evidence(2, "600 万", path=("3.3",)), above=plan[:1])]
    shown = arranged(items)
    assert shown.startswith('<about section="Year plan">The plan of 2024.</about>\n<about section="3.2 Cloud">')
    assert shown.count("<about") == 2 and shown.count("</about>") == 2 and shown.index("Moving") < shown.index("500")
