"""Every operator over typed cells: values, units, the cells used, and what is told instead of a guess."""

import json
import string

import pytest
from made_tables import INCOME, RIDERS, STATEMENT_ZH, typed

from engine.answer.tables.computed import cite_cells
from engine.answer.tables.operators import OPERATORS
from engine.answer.tables.quantity import UnitsDifferError
from engine.answer.tables.refused_operation import SAID, RefusedOperationError
from engine.errors import UsageError
from engine.model import Evidence, Hit

MILLIONS = "(in millions of dollars)"


def run(given, operator, /, **params):
    return OPERATORS[operator].run(given, **params)


@pytest.fixture
def income():
    return typed(INCOME, before=[MILLIONS], page=7)


@pytest.fixture
def riders():
    return typed(RIDERS)


def at(row, column):
    return {"row": row, "column": column}


def test_all_operators_are_there_each_with_a_schema_and_two_descriptions():
    assert set(OPERATORS) == {
        "OPEN_CAPTION", "OPEN_TABLE_SCHEMA", "FIND_COL", "LOCATE_CELL", "READ_CELL", "LOOKUP", "FILTER", "COUNT", "SUM",
        "AVERAGE", "MIN", "MAX", "RANK", "COMPARE", "DIFF", "DIVIDE", "PERCENT_CHANGE", "TREND",
    }  # fmt: skip
    for operator in OPERATORS.values():
        schema = json.loads(json.dumps(dict(operator.parameters)))
        assert schema["type"] == "object" and set(schema["required"]) <= set(schema["properties"])
        assert operator.description and any("\u4e00" <= c <= "\u9fff" for c in operator.description_zh)


def test_the_caption_is_opened_with_its_label():
    assert run(typed(INCOME, caption="Table 3: Income"), "OPEN_CAPTION").text == "Table 3: Income"


def test_the_schema_tells_columns_with_units_and_the_names_of_rows(income):
    schema = run(income, "OPEN_TABLE_SCHEMA").value
    assert [column["name"] for column in schema["columns"][1:]] == ["2023", "2022", "2021"]
    assert schema["columns"][1]["scale"] == 10**6
    assert schema["rows"][0] == {"row": 1, "name": "Product sales"}


def test_a_column_is_found_by_another_name_and_in_the_other_language():
    table = typed([["Company", "Net income", "Total assets"], ["A", "5", "50"], ["B", "7", "90"]])
    assert run(table, "FIND_COL", name="净利润").value["column"] == 1
    assert run(table, "FIND_COL", name="profit after tax", aliases=["net earnings"]).value["column"] == 1


def test_a_cell_is_located_and_read_with_its_headers_and_its_page(income):
    assert run(income, "LOCATE_CELL", **at("Product sales", "2022")).value["row"] == 1
    seen = run(income, "READ_CELL", **at("Product sales", "2022"))
    assert (seen.value, seen.unit, seen.scale, seen.method) == ("1200", "USD", 10**6, "READ_CELL")
    [cell] = seen.cells
    assert (cell.row_header, cell.column_header, cell.text, cell.page) == (
        "Product sales",
        "2022",
        "$ 1,200",
        7,
    )


def test_brackets_are_negative_and_footnote_marks_no_part_of_a_name(income):
    assert run(income, "LOOKUP", **at("other income expense net", "2023")).value == "-40"


def test_a_dash_is_missing_and_not_zero(income):
    assert run(income, "LOOKUP", **at("Service sales", "2022")).status == "not_found"
    assert run(income, "AVERAGE", rows=["Service sales"], columns=["2023", "2022", "2021"]).value == "600"


def test_a_name_that_fits_several_rows_brings_candidates_and_no_value(income):
    seen = run(income, "LOOKUP", **at("sales", "2023"))
    assert (seen.status, seen.value) == ("ambiguous", None)
    assert {"Product sales", "Service sales"} <= {candidate["name"] for candidate in seen.candidates}


def test_a_name_that_fits_nothing_tells_what_there_is(income):
    seen = run(income, "FIND_COL", name="Depreciation")
    assert seen.status == "not_found" and "2023" in seen.text


def test_a_year_never_fits_another_year(income):
    assert run(income, "FIND_COL", name="2020").status == "not_found"


def test_a_row_is_also_found_by_what_one_of_its_cells_says(riders):
    assert run(riders, "LOOKUP", **at("Night Owls", "Rider")).status == "ambiguous"
    assert run(riders, "LOOKUP", **at("Italy", "Points")).value == "25"


def test_rows_are_filtered_and_counted_by_conditions(riders):
    swedes = [{"column": "Country", "value": "sweden"}]
    assert [item["row"] for item in run(riders, "FILTER", where=swedes).value] == [2, 5]
    assert run(riders, "COUNT", where=[*swedes, {"column": "Points", "is": ">", "value": 15}]).value == "1"
    assert run(riders, "COUNT", column="Team", distinct=True).value == "3"
    assert run(riders, "LOOKUP", column="Rider", where=swedes).value == ["Bo Lind", "Elsa Berg"]


def test_totals_are_neither_counted_nor_ranked(income):
    assert run(income, "COUNT").value == "4"
    names = [item["name"] for item in run(income, "RANK", columns=["2023"], rows=[1, 2]).value]
    assert names == ["Product sales, 2023", "Service sales, 2023"]


def test_a_sum_shows_its_terms_and_cites_every_cell(riders):
    seen = run(riders, "SUM", columns=["Points"])
    assert (seen.value, seen.derivation) == ("95", "31 + 18 + 25 + 9 + 12 = 95")
    assert [cell.row for cell in seen.cells] == [1, 2, 3, 4, 5]


def test_the_largest_and_the_smallest_name_their_rows(riders):
    assert run(riders, "MAX", columns=["Points"]).cells[0].row_header == "Ana Costa"
    assert run(riders, "MIN", columns=["Joined"]).value == ["2012"]


def test_two_cells_are_compared_subtracted_and_divided(income):
    a, b = at("Product sales", "2023"), at("Product sales", "2022")
    assert run(income, "COMPARE", a=a, b=b).value == ">"
    seen = run(income, "DIFF", a=a, b=b)
    assert (seen.value, seen.text, seen.derivation) == ("300", "$300 million", "1,500 − 1,200 = 300")
    assert run(income, "DIVIDE", a=b, b=a, percent=True).derivation == "1,200 ÷ 1,500 = 80%"


def test_a_change_in_percent_is_of_the_earlier_value(income):
    seen = run(income, "PERCENT_CHANGE", old=at("Product sales", "2022"), new=at("Product sales", "2023"))
    assert (seen.value, seen.unit, seen.derivation) == ("25", "%", "(1,500 − 1,200) ÷ 1,200 = 25%")


def test_units_are_not_mixed(income):
    with pytest.raises(UnitsDifferError):
        run(income, "SUM", rows=["Product sales", "Gross margin"], columns=["2023"])
    with pytest.raises(UnitsDifferError):
        run(income, "DIFF", a=at("Product sales", "2023"), b=at("Gross margin", "2023"))


def test_tables_of_different_scales_are_computed_together(income):
    other = typed(
        [["", "2023"], ["Plant A", "500,000"], ["Plant B", "700,000"]],
        before=["(in thousands of dollars)"],
        node_id="n2",
    )
    a = {"table": "n1", **at("Product sales", "2023")}
    seen = OPERATORS["DIFF"].run([income, other], a=a, b={"table": "n2", **at("Plant A", "2023")})
    assert seen.number.amount == 1_000_000_000
    assert [cell.node_id for cell in seen.cells] == ["n1", "n2"]


def test_a_trend_is_told_from_the_earliest_year(income):
    seen = run(income, "TREND", row="Product sales")
    assert (seen.value, seen.derivation) == ("rising", "$ 1,000 → $ 1,200 → $ 1,500")
    assert run(income, "TREND", row="Total sales").value == "mixed"


def test_chinese_tables_keep_their_scale():
    table = typed(STATEMENT_ZH, before=["单位：万元"])
    seen = run(table, "LOOKUP", row="营业收入", column="2023年")
    assert (seen.value, seen.scale) == ("12500", 10**4)
    assert run(table, "LOOKUP", row="revenue", column="2022").value == "10000"


def test_a_cell_of_a_sheet_has_its_address():
    table = typed(RIDERS, cell="Race!C10:H15", metadata={"row_numbers": [10, 11, 12, 13, 14, 15]})
    assert run(table, "LOOKUP", **at("Bo Lind", "Points")).cells[0].address == "Race!G12"


def test_a_cell_of_another_table_is_counted_from_its_header_and_two_of_a_row_are_two_sources():
    table = typed(RIDERS)
    seen = [*run(table, "LOOKUP", **at("Bo Lind", "Points")).cells, table.ref(2, 1)]
    assert [cell.address for cell in seen] == ["E3", "B3"]
    hit = Hit("n1", "d1", "race.md", 1, "table", 1.0, 1, None, None, [], "")
    cited = cite_cells(seen, {"n1": Evidence(hit, table.node.text, table=table.node)})
    assert [one.cell for one in cited] == ["E3", "B3"]


def test_a_cell_of_a_page_has_its_own_box():
    edges = {"x": [0, 10, 20], "y": [0, 5, 10]}
    table = typed([["Name", "Age"], ["Ann", "5"]], page=2, bbox=(0, 0, 20, 10), metadata={"edges": edges})
    assert table.ref(1, 1).bbox == (10, 5, 20, 10)


@pytest.mark.parametrize(
    ("name", "params", "told", "in_chinese"),
    [
        ("SUM", {"column": "Points"}, "no parameter 'column'", "没有参数“column”"),
        ("FIND_COL", {}, "needs 'name'", "缺少参数“name”"),
        ("READ_CELL", {"row": 99, "column": 0}, "there is no 99", "没有第 99 行"),
        ("READ_CELL", {"row": 1, "column": 99}, "there is no 99", "没有第 99 列"),
        ("FILTER", {"where": [{"column": 0, "is": "like", "value": "x"}]}, "does not know 'like'", "“like”"),
        ("SUM", {"columns": ["Rider"]}, "nothing to compute", "无从计算"),
        ("SUM", {}, "needs the columns", "缺少要计算的列"),
        ("SUM", {"cells": ["Points"]}, "cells of the form", "须写作"),
        ("DIFF", {"a": at(0, 0), "b": at(1, 0)}, "holds no number", "中没有数字"),
        ("TREND", {}, "a row or a column", "一行或一列"),
        ("OPEN_CAPTION", {"table": "n9"}, "no table 'n9'", "没有表格“n9”"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence_in_either_language(riders, name, params, told, in_chinese):
    with pytest.raises(RefusedOperationError, match=told) as refused:
        run(riders, name, **params)
    assert isinstance(refused.value, UsageError)
    assert in_chinese in refused.value.said("zh") and refused.value.said("en") == str(refused.value)


def test_every_reason_names_the_same_things_in_both_languages():
    for english, chinese in SAID.values():
        fields = [
            {name for _, name, _, _ in string.Formatter().parse(text) if name} for text in (english, chinese)
        ]
        assert fields[0] == fields[1]


def test_an_observation_is_ready_for_json(income):
    assert (
        json.loads(json.dumps(run(income, "MAX", columns=["2023"], rows=[1, 2]).to_dict()))["method"] == "MAX"
    )
