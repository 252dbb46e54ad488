import io
from pathlib import Path

import openpyxl
import pytest
from imtqa import cells_of, outcome, workbook_of
from mixed_tables import Count, is_right, owner_of, prose_documents, question_of
from table_sets import SetQuestion, SetTable, aitqa_rows, page

TABLE = {
    "cell_ID_matrix": [[0, 1, 1], [2, 3, 4]],
    "chinese_cell_value_list": ["项目", "金额", "房屋", "1,200.00", "(60)"],
    "english_cell_value_list": ["Item", "Amount", "House", "1,200.00", "(60)"],
    "column_attribute": [0, 1], "row_attribute": [2], "column_index": [], "row_index": [],
}  # fmt: skip


def answered(text: str, *cells: str) -> dict[str, object]:
    sources = [{"cell": cell, "snippet": "", "document": "t"} for cell in cells]
    return {"answer": text, "answered": True, "sources": sources}


def test_a_table_is_written_with_the_cells_merged_that_span() -> None:
    sheet = openpyxl.load_workbook(io.BytesIO(workbook_of(TABLE, "zh")))["Sheet1"]
    assert [str(merged) for merged in sheet.merged_cells.ranges] == ["B1:C1"]
    assert sheet["B2"].value == "1,200.00"


def test_cited_places_are_the_cells_that_stand_there() -> None:
    matrix = [[0, 1, 1], [2, 3, 4]]
    assert cells_of("Sheet1!C1", matrix) == {1}
    assert cells_of("Sheet1!A2:C9", matrix) == {2, 3, 4}


@pytest.mark.parametrize(
    ("cited", "exact", "all_cells"),
    [
        (["Sheet1!B2", "Sheet1!A2"], True, True),
        (["Sheet1!A2:C2"], False, True),
        (["Sheet1!C2"], False, False),
    ],
)
def test_the_set_of_cells_is_exact_when_only_names_stand_beside_the_gold(
    cited: list[str], exact: bool, all_cells: bool
) -> None:
    found = outcome({"answer_cell_list": [3]}, TABLE, answered("房屋, 金额: 1,200 [1]", *cited), "zh")
    assert (found["exact"], found["all cells"]) == (exact, all_cells)


@pytest.mark.parametrize(
    ("gold", "scale", "said", "right"),
    [
        ("$1,496.5", "million", "$1,496.5 million", True), ("4.21", "percent", "4.21%", True),
        ("4.21", "percent", "0.0421", False), ("-12.5", "million", "-12,500,000", True), ("12.3%", "", "12.3%", True),
        ("the Board", "", "It is The Board.", True), ("253,590", "", "253,950", False),
    ],
)  # fmt: skip
def test_a_gold_answer_is_said_with_its_scale_or_without(gold: str, scale: str, said: str, right: bool) -> None:
    question = question_of(SetQuestion("t", "?", [gold], scale), SetTable("t", "", []), "tatqa")
    assert is_right(question, answered(said), scale) == right


def test_a_sentence_is_right_when_half_of_its_cells_are_said() -> None:
    table = SetTable("t", "", [["Year", "Award"], ["2017", "Olivier"], ["2018", "Tony"]])
    asked = SetQuestion("t", "?", ["He won the Olivier in 2017."], cells=((1, 0), (1, 1), (2, 1)))
    question = question_of(asked, table, "fetaqa")
    assert len(question.gold) == 2
    assert is_right(question, answered("Olivier"), "") and not is_right(question, answered("Tony"), "")


def test_headers_given_apart_stand_above_and_beside_the_data() -> None:
    table = {"column_header": [["2018"], ["2017"]], "row_header": [["Cost", "Fuel"]], "data": [["1", "2"]]}
    assert aitqa_rows(table) == [["", "", "2018", "2017"], ["Cost", "Fuel", "1", "2"]]


def test_a_page_holds_title_table_and_paragraphs() -> None:
    assert "<h1>A &amp; B</h1><table><tr><td>1</td></tr></table><p>x</p>" in page("A & B", [["1"]], ["x"])


def test_prose_is_the_smallest_documents_of_texts(tmp_path: Path) -> None:
    for name, size in (("a.md", 2_000), ("b.txt", 1_000), ("c.xlsx", 900), ("README.txt", 900), ("d.md", 10)):
        (tmp_path / name).write_text("x" * size, "utf-8")
    assert [path.name for path in prose_documents(tmp_path, 5)] == ["b.txt", "a.md"]


def test_a_table_belongs_to_the_airline_that_most_questions_name() -> None:
    asked = [SetQuestion("t", text, []) for text in ("Fuel of United?", "United's cost?", "Delta?")]
    assert owner_of("t", asked) == "United Airlines" and owner_of("u", asked) == ""


def test_a_right_answer_from_another_table_is_no_wrong_table() -> None:
    count = Count()
    count.add(right=True, refused=False, astray=True, seconds=0.1)
    count.add(right=False, refused=False, astray=True, seconds=0.1)
    figures = count.figures()
    assert (figures["right elsewhere"], figures["wrong table"], figures["wrong table %"]) == (1, 1, 50.0)
