from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from engine.enrich.tables import enrich_table, read_cell
from engine.model import Node


def table(rows, before=(), notes=(), **metadata):
    return enrich_table(Node("t", None, "table", metadata={"rows": rows, **metadata}), before, notes).metadata


INCOME = [
    ["", "2023", "", "2022", ""],
    ["", "Q1", "Q2", "Q1", "Q2"],
    ["Revenue:", "", "", "", ""],
    ["Cloud", "$1,200", "$1,300", "$900", "$1,000"],
    ["Devices", "400", "350", "500", "480"],
    ["Total revenue", "$1,600", "$1,650", "$1,400", "$1,480"],
]


def test_header_rows_of_several_levels_are_joined():
    facts = table(INCOME)
    assert facts["header_rows"] == 2
    assert [column["name"] for column in facts["columns"]] == [
        "",
        "2023 / Q1",
        "2023 / Q2",
        "2022 / Q1",
        "2022 / Q2",
    ]


def test_a_heading_in_the_middle_of_its_columns_stands_above_all_of_them():
    rows = [
        ["", "", "Year ended", ""],
        ["", "2019", "2018", "2017"],
        ["Sales", "1,496.5", "1,202.9", "1,107.7"],
    ]
    names = [column["name"] for column in table(rows)["columns"]]
    assert names == ["", "Year ended / 2019", "Year ended / 2018", "Year ended / 2017"]


def test_a_wrapped_column_name_is_not_spread_over_its_neighbours():
    rows = [
        ["", "Three months", "", "", "Twelve months", "", ""],
        ["", "", "Rigid", "", "", "Rigid", ""],
        ["", "Flexibles", "Packaging", "Total", "Flexibles", "Packaging", "Total"],
        ["Sales", "2,839", "835", "3,673", "11,154", "3,540", "14,694"],
        ["EBIT", "387", "74", "461", "1,429", "265", "1,694"],
    ]
    names = [column["name"] for column in table(rows)["columns"]]
    assert names[1:4] == [
        "Three months / Flexibles",
        "Three months / Rigid / Packaging",
        "Three months / Total",
    ]


def test_the_rows_stay_word_for_word():
    before = [list(row) for row in INCOME]
    assert table(INCOME)["rows"] == before


def test_columns_have_types_and_units():
    rows = [
        ["City", "Population (thousands)", "Area km2", "Growth", "Founded", "GDP"],
        ["Alda", "1,234", "85.5", "2.5%", "12/31/1901", "$4.2m"],
        ["Brin", "56", "7", "-0.3 %", "1/15/1950", "$0.9m"],
    ]
    columns = {column["name"]: column for column in table(rows)["columns"]}
    assert columns["City"]["dtype"] == "text"
    assert columns["Population (thousands)"] == {
        "name": "Population (thousands)", "unit": None, "dtype": "number", "scale": 1000,
    }  # fmt: skip
    assert (columns["Area km2"]["unit"], columns["Area km2"]["dtype"]) == ("km²", "number")
    assert (columns["Growth"]["unit"], columns["Growth"]["dtype"]) == ("%", "percent")
    assert columns["Founded"]["dtype"] == "date"
    assert (columns["GDP"]["unit"], columns["GDP"]["dtype"]) == ("USD", "currency")


def test_a_column_of_years_is_a_date_and_names_the_rows():
    facts = table([["Year", "Output"], ["2018", "67.5"], ["2019", "66.1"], ["2020", "65.9"]])
    assert facts["columns"][0]["dtype"] == "date"
    assert facts["header_columns"] == 1


def test_counts_of_four_digits_are_no_years():
    facts = table([["Year", "Births"], ["2017", "1723"], ["2018", "1523"], ["2019", "1465"], ["2020", "1710"]])
    assert [column["dtype"] for column in facts["columns"]] == ["date", "number"]


def test_the_unit_of_a_table_comes_from_its_caption_or_the_text_above():
    rows = [["", "2023年", "2022年"], ["营业收入", "1,175.3", "1,230.5"], ["净利润", "129.4", "182.2"]]
    above = table(rows, before=["单位：万元 币种：人民币"])
    assert (above["unit"], above["scale"]) == ("CNY", 10000)
    assert above["columns"][1] == {"name": "2023年", "unit": "CNY", "dtype": "currency", "scale": 10000}
    captioned = table(rows, caption="Table 2: Results (in millions)")
    assert captioned["columns"][1]["scale"] == 10**6


def test_a_row_of_units_belongs_to_the_header():
    rows = [
        ["", "31 March 2019", "31 March 2018"],
        ["", "€m", "€m"],
        ["Americas", "273.6", "288.2"],
        ["EMEA", "413", "434"],
    ]
    facts = table(rows)
    assert facts["header_rows"] == 2
    assert (facts["columns"][1]["unit"], facts["columns"][1]["scale"]) == ("EUR", 10**6)


def test_a_table_that_begins_with_figures_has_no_header():
    assert table([["Illegal", "0.00", "6.87"], ["Fraud", "3.40", "8.49"]])["header_rows"] == 0


def test_a_table_of_texts_has_its_first_row_for_a_header():
    facts = table([["Name", "Role"], ["Ada", "Engineer"], ["Ben", "Designer"]])
    assert facts["header_rows"] == 1
    assert [column["name"] for column in facts["columns"]] == ["Name", "Role"]


def test_the_header_that_the_format_states_is_taken():
    assert table([["a", "b"], ["1", "2"], ["3", "4"]], header_rows=1)["header_rows"] == 1


def test_a_title_row_becomes_the_caption_and_names_no_column():
    rows = [
        ["Net financing costs", "", ""],
        ["", "2019", "2018"],
        ["Income", "433", "685"],
        ["Costs", "(2,088)", "(1,074)"],
    ]
    facts = table(rows)
    assert facts["caption"] == "Net financing costs"
    assert [column["name"] for column in facts["columns"]] == ["", "2019", "2018"]


def test_rows_below_a_group_row_are_named_with_it():
    names = table(INCOME)["row_names"]
    assert names[3] == "Revenue / Cloud"
    assert names[5] == "Total revenue"


def test_rows_with_headers_of_several_levels_are_named_by_all():
    rows = [
        ["Region", "City", "Sales"],
        ["North", "Alda", "12"],
        ["North", "Brin", "7"],
        ["South", "Cord", "9"],
        ["South", "Brin", "3"],
    ]
    facts = table(rows)
    assert facts["header_columns"] == 2
    assert facts["row_names"][2] == "North / Brin"


def test_a_running_number_names_no_row():
    facts = table([["#", "Artist", "Sales"], ["1", "Lavoie", "2,221"], ["2", "John", "2,029"], ["3", "Bega", "1,532"]])
    assert facts["row_names"][1] == "Lavoie"


def test_label_and_notes_are_told_from_the_caption_and_the_rows():
    rows = [["Item", "Value"], ["a", "1"], ["b", "2"], ["Source: own figures", ""]]
    facts = table(rows, caption="表２－１ 主要指标", notes=["注：金额四舍五入。"])
    assert facts["label"] == "表2-1"
    assert facts["notes"] == ["Source: own figures", "注：金额四舍五入。"]
    assert facts["note_rows"] == 1


def test_a_cell_is_read_with_what_its_row_column_and_table_say():
    rows = [
        ["(in millions, except per share data)", "2023", "2022"],
        ["Revenue", "$1,496.5", "$1,202.9"],
        ["Margin (%)", "12.5", "11.0"],
        ["Earnings per share", "2.31", "1.98"],
        ["Net loss", "(44.1)", "—"],
    ]
    facts = table(rows)
    assert read_cell(facts, 1, 1).amount == Decimal("1496500000")
    assert (read_cell(facts, 2, 1).unit, read_cell(facts, 2, 1).amount) == ("%", Decimal("12.5"))
    assert read_cell(facts, 3, 1).amount == Decimal("2.31")
    assert read_cell(facts, 4, 1).amount == Decimal("-44100000")
    assert read_cell(facts, 4, 2).dtype == "empty"
    assert read_cell(facts, 99, 0).dtype == "empty"


def test_a_table_without_rows_is_left_alone():
    node = Node("t", None, "table", metadata={"rows": []})
    assert enrich_table(node) == node


def test_a_long_sheet_is_judged_by_a_sample():
    rows = [["id", "name", "amount"]] + [[str(n), f"row {n}", f"{n}.50"] for n in range(50_000)]
    facts = table(rows)
    assert facts["header_rows"] == 1
    assert facts["columns"][2]["dtype"] == "number"
    assert "row_names" not in facts


@given(
    st.lists(
        st.lists(st.text(max_size=12) | st.sampled_from(["1", "2019", "$5", "", "%", "Total"]), max_size=6),
        max_size=9,
    )
)
def test_any_rows_give_a_table(rows):
    facts = table(rows)
    if rows and any(rows):
        assert 0 <= facts["header_rows"] <= len(rows)
        assert all({"name", "unit", "dtype"} <= column.keys() for column in facts["columns"])
        for row in range(len(rows)):
            read_cell(facts, row, 0)


def names_of(rows, **metadata):
    facts = table(rows, **metadata)
    return facts["header_rows"], [column["name"] for column in facts["columns"]]


def test_two_header_rows_above_texts_are_told_by_their_merged_cells():
    rows = [
        ["Person", "Person", "Place", "Place"],
        ["Name", "Dept", "City", "Country"],
        ["Ann", "HR", "Paris", "France"],
        ["Bob", "IT", "Rome", "Italy"],
    ]
    levels = ["Person / Name", "Person / Dept", "Place / City", "Place / Country"]
    assert names_of(rows) == names_of(rows, header_rows=1) == (2, levels)
    twice = [["Name", "Remark", "Remark"], ["Ann", "ok", "fine"], ["Bob", "no", "late"], ["Cy", "a", "b"]]
    assert names_of(twice) == (1, ["Name", "Remark", "Remark"])


def test_a_table_of_one_column_may_have_two_header_rows():
    rows = [["Branch"], ["City centre"], ["Main hall"], ["Reading room"]]
    assert names_of(rows, header_rows=2) == (2, ["Branch / City centre"])


def test_names_with_their_values_have_no_header_row():
    rows = [["Document no.", "QP-0827"], ["Revision", "C"], ["Owner", "Quality"]]
    assert names_of(rows) == names_of(rows, header_rows=1) == (0, ["", ""])
    assert names_of([["Code", "Meaning"], ["E-1037", "Battery worn"], ["E-1038", "Door open"]])[0] == 1


def test_long_numbers_and_numbers_that_begin_with_zero_are_texts():
    rows = [
        ["Card", "Staff no.", "Balance"],
        ["6217000010012345678", "007", "100"],
        ["6217000010012345679", "012", "250"],
    ]
    facts = table(rows, header_rows=1)
    assert [column["dtype"] for column in facts["columns"]] == ["text", "text", "number"]
    assert read_cell(facts, 1, 0).dtype == "text" and read_cell(facts, 2, 2).value == 250


def units(rows, before=()):
    return {column["name"]: (column["unit"], column.get("scale", 1)) for column in table(rows, before)["columns"][1:]}


def test_a_unit_belongs_to_the_columns_that_its_heading_spans():
    spanning = ["", "Value added (million USD)", "Value added (million USD)", ""]
    rows = [
        spanning,
        ["Industry", "2021", "2022", "Jobs"],
        ["Mining", "120", "130", "4,500"],
        ["Trade", "60", "70", "77"],
    ]
    assert units(rows) == {
        "Value added (million USD) / 2021": ("USD", 10**6), "Value added (million USD) / 2022": ("USD", 10**6),
        "Jobs": (None, 1),
    }  # fmt: skip
    whole = [["", *["(in millions of USD)"] * 3], *rows[1:]]
    assert set(units(whole).values()) == {("USD", 10**6)}


def test_the_unit_of_a_first_column_of_figures_is_no_other_column_s():
    rows = [["Depth (m)", "Catch", "Boats"], ["10", "120", "4"], ["20", "80", "3"], ["30", "75", "3"]]
    assert units(rows) == {"Catch": (None, 1), "Boats": (None, 1)}


def test_a_note_that_lists_columns_tells_the_unit_of_these_alone():
    note = "Figures for sales, costs and profit are in millions of US$."
    rows = [
        ["Firm", "Sales (2016)", "Costs", "Profit", "Employment"],
        ["Ash", "40", "30", "10", "970"],
        ["Elm", "7", "5", "2", "80"],
    ]
    assert units(rows, [note]) == {
        "Sales (2016)": ("USD", 10**6), "Costs": ("USD", 10**6), "Profit": ("USD", 10**6), "Employment": (None, 1),
    }  # fmt: skip
    assert set(units(rows, ["Firms, sales and more in millions of US$"]).values()) == {("USD", 10**6)}


def test_shares_in_thousands_beside_money_in_millions_are_counted_in_thousands():
    rows = [
        ["INCOME - USD ($) shares in Thousands, $ in Millions", "2024", "2023"],
        ["Net sales", "$ 95", "$ 90"],
        ["Basic (in shares)", "14,994", "15,405"],
        ["Basic (in dollars per share)", "$ 1.65", "$ 1.53"],
    ]
    facts = table(rows)
    sales, shares, per_share = (read_cell(facts, row, 1) for row in (1, 2, 3))
    assert (sales.unit, sales.scale) == ("USD", 10**6)
    assert (shares.unit, shares.scale) == ("share", 1000)
    assert per_share.scale == 1


def test_the_unit_beside_a_form_line_above_the_header_is_of_the_table():
    rows = [
        ["编制单位：行政部", "", "单位：万元"],
        ["部门", "费用项目", "预算", "实际"],
        ["办公室", "差旅费", "12.5", "11.2"],
        ["财务部", "审计费", "20", "18"],
    ]
    facts = table(rows)
    assert [one["name"] for one in facts["columns"]] == ["部门", "费用项目", "预算", "实际"]
    assert (facts["unit"], facts["scale"]) == ("CNY", 10**4)


def test_a_subtotal_is_of_its_group_and_a_total_of_none():
    rows = [
        ["Country", "Sales"], ["Europe", ""], ["Italy", "5"], ["France", "7"], ["Subtotal", "12"],
        ["Asia", ""], ["Japan", "4"], ["Grand total", "16"],
    ]  # fmt: skip
    names = table(rows)["row_names"]
    assert (names[2], names[4], names[6], names[7]) == (
        "Europe / Italy",
        "Europe / Subtotal",
        "Asia / Japan",
        "Grand total",
    )


def test_a_group_named_in_two_columns_is_of_the_rows_that_leave_the_first_one_empty():
    rows = [
        ["", "Fare", "2024"], ["WHO", "ADULT", ""], ["", "Cash", "9"], ["", "Pass", "8"], ["", "SUB-TOTAL", "17"],
        ["", "CHILD", ""], ["", "Cash", "2"], ["", "SYSTEM TOTAL", "19"],
    ]  # fmt: skip
    names = table(rows)["row_names"]
    assert (names[2], names[4], names[6]) == ("WHO / ADULT / Cash", "WHO / ADULT / SUB-TOTAL", "CHILD / Cash")
    assert names[7].endswith("SYSTEM TOTAL") and "CHILD" not in names[7]


def test_the_titles_above_a_header_are_kept_with_the_table():
    rows = [
        ["TORONTO TRANSIT COMMISSION", ""],
        ["ANALYSIS OF RIDERSHIP", ""],
        ["Fare", "2024"],
        ["Cash", "9"],
        ["Pass", "8"],
    ]
    assert table(rows)["titles"] == ["TORONTO TRANSIT COMMISSION", "ANALYSIS OF RIDERSHIP"]
