import random
from pathlib import Path

import openpyxl
import pytest
from made_workbooks import make_workbooks
from workbook_questions import questions_of, workbooks_in
from workbooks.computed_kinds import KINDS
from workbooks.judging import judge
from workbooks.tables import ListTable, list_in, read_tables


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, list[ListTable]]:
    return make_workbooks(tmp_path_factory.mktemp("books"), long_rows=300)


def test_the_made_workbooks_allow_all_kinds_in_both_languages(made: dict[Path, list[ListTable]]) -> None:
    for language in ("en", "zh"):
        tables = [[t for t in lists if t.language == language] for lists in made.values()]
        questions = [q for lists in tables if lists for q in questions_of(lists, 60, random.Random(1))]
        assert {question.kind for question in questions} == set(KINDS)


def test_the_same_seed_makes_the_same_questions(made: dict[Path, list[ListTable]]) -> None:
    lists = next(iter(made.values()))
    first, again = (questions_of(lists, 20, random.Random(5)) for _ in range(2))
    assert first == again and len({question.text for question in first}) == 20


def test_the_known_rows_are_where_the_file_has_them(made: dict[Path, list[ListTable]]) -> None:
    for path, tables in made.items():
        book = openpyxl.load_workbook(path)
        for table in tables:
            row, column = int(table.frame.index[-1]), table.columns[-1]
            if written := table.raw.at[row, column.at]:
                assert str(book[table.sheet].cell(row, column.at).value)[:10] == written[:10]


def test_an_answer_made_of_the_gold_is_right_and_any_other_is_wrong(
    made: dict[Path, list[ListTable]],
) -> None:
    for path, tables in made.items():
        for question in questions_of(tables, 40, random.Random(2)):
            said = "; ".join(str(g.day or (g.texts[0] if g.texts else g.number)) for g in question.gold)
            columns = question.cells.columns or {1}
            cited = [f"'{question.cells.sheet}'!{chr(64 + c)}{row}" for row in question.cells.rows for c in columns]
            sources = [{"cell": cell, "document": path.name, "snippet": ""} for cell in cited]
            assert judge(question, {"answer": said, "answered": True, "sources": sources}).cells, question
            assert not judge(question, {"answer": "987654321", "answered": True, "sources": sources}).right


def test_a_list_below_title_rows_is_found_with_its_totals_left_out() -> None:
    rows = [["Register", None, None], [None] * 3, ["Town", "People (k)", "Mayor"], ["Oslo", "1,2", "A"]]
    rows += [["Bergen", 280, "B"], ["Narvik", "(3)", "C"], ["Tromso", 70, "D"], ["Total", 347, None]]
    table = list_in("b.xlsx", "S", rows, [(1, 1, 1, 3)])
    assert table is not None and list(table.frame.index) == [4, 5, 6, 7]
    assert [column.plain for column in table.columns][:1] == ["Town"]


def test_two_header_rows_give_measure_and_period() -> None:
    rows = [[None, "2022", None, "2023", None], ["Unit", "Plan", "Actual", "Plan", "Actual"]]
    names = ("North", "South", "East", "West")
    rows += [[name, 10 * n, 10 * n + 3, 11 * n + 1, 7 * n] for n, name in enumerate(names, 1)]  # type: ignore[list-item]
    table = list_in("b.xlsx", "S", rows, [(1, 2, 1, 3), (1, 4, 1, 5)])
    assert table is not None
    assert [(c.measure, c.period) for c in table.columns[1:]] == [
        ("Plan", "2022"), ("Actual", "2022"), ("Plan", "2023"), ("Actual", "2023"),
    ]  # fmt: skip


def test_a_form_is_no_list() -> None:
    assert list_in("b.xlsx", "S", [["Name", None], ["Ann", None], [None, "Date"], ["x", None], ["y", None]], []) is None


def test_csv_files_are_read_and_files_of_one_name_asked_once(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "towns.csv").write_text("Town,Mayor\nOslo,A\nBergen,B\nNarvik,A\nTromso,B\n", "utf-8")
    found = workbooks_in([tmp_path])
    assert len(found) == 1
    assert [table.sheet for table in read_tables(found[0])] == [""]
