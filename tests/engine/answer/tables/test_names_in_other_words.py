"""Which cell is meant when a question names it in other words, in part, or beside what the name leaves out."""

import pytest
from made_tables import source

from engine.answer.tables.table_questions import TableSource, answer_from_tables

RESULTS = source(
    [
        ["", "", "2023", "2022"],
        ["Financial data (in millions, except per share amounts)", "Operating revenues", "9,400", "8,700"],
        ["", "Operating expenses", "8,100", "7,900"],
        ["", "Operating income", "1,300", "800"],
        ["", "Income before taxes", "1,150", "690"],
        ["", "Net income", "905", "540"],
        ["", "Cash dividends per common share", "1.25", "1.10"],
        ["", "Net income per share, diluted", "4.10", "2.45"],
        ["", "Full-time equivalent employees at end of period", "3,200", "3,050"],
        ["", "Unit cost", "61", "63"],
        ["", "Unit cost, excluding energy", "48", "52"],
    ]
)
CHANGES = source(
    [
        ["", "Increase (decrease) from 2022", "", ""],
        ["", "Coast", "Inland", "Total"],
        ["Passengers", "8.1%", "(3.9)%", "6.9%"],
        ["Average fare", "2.8%", "8.5%", "2.3%"],
        ["Load factor (points)", "0.2", "5.1", "1.2"],
    ]
)
NESTED = source(
    [
        ["", "", "", "2023", "2022"],
        ["Results (audited)", "Revenues", "", "8,264", "7,894"],
        ["Results (audited)", "Expenses", "", "7,621", "6,686"],
        ["At end of period", "Position (audited)", "Total assets", "912", "846"],
        ["At end of period", "Position (audited)", "Long-term debt", "103", "169"],
        ["At end of period", "Position (audited)", "Equity", "751", "460"],
    ]
)
QUARTERS = source(
    [
        ["", "", "Quarter ended March 31", "Quarter ended June 30"],
        ["Net sales", "", "110", "125"],
        ["Net income", "", "12", "15"],
        ["2022", "Net sales", "101", "117"],
        ["", "Net income", "9", "11"],
    ]
)
DEBT = source(
    [
        ["", "2023", "2022"],
        ["Fixed-rate notes due 2031", "$ 59", "$ 79"],
        ["Variable-rate notes due 2028", "25", "30"],
        ["Total debt", "84", "109"],
    ]
)
FUEL = source(
    [
        ["Year", "Gallons", "Price per gallon", "Fuel cost"],
        ["2023", "4,352", "$ 1.73", "$ 7,510"],
        ["2022", "4,347", "$ 1.42", "$ 6,180"],
        ["2021", "4,323", "$ 1.72", "$ 7,456"],
    ]
)
FLEET = source(
    [
        ["", "Seats", "Owned", "Leased", "Total"],
        ["Model A", "76", "30", "9", "39"],
        ["Model B", "150", "12", "0", "12"],
        ["Total", "", "42", "9", "51"],
    ]
)


def value(question, table):
    made = answer_from_tables(question, [table])
    return made.values if made else None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What were the sales of the company in 2022?", ["8,700"]),
        ("What dividend per share was paid in 2023?", ["1.25"]),
        ("How many people were employed in 2022?", ["3,050"]),
        ("What was the pretax income in 2023?", ["1,150"]),
        ("What was the pre-tax income in 2022?", ["690"]),
        ("How much profit did it make in 2023?", ["905"]),
        ("What were the diluted earnings per share of the group in 2022?", ["2.45"]),
        ("What was the unit cost in 2023?", ["61"]),
        ("What was the unit cost excluding energy in 2023?", ["48"]),
        ("What did operating costs amount to in 2022?", ["7,900"]),
    ],
)
def test_an_item_is_found_by_other_words_and_by_part_of_its_name(question, expected):
    assert value(question, RESULTS) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How much did the number of passengers go up at the coast in 2023?", ["8.1%"]),
        ("How did the average fare inland change in 2023?", ["8.5%"]),
        ("What was the total increase of passengers in 2023?", ["6.9%"]),
    ],
)
def test_an_increase_from_a_year_is_that_of_the_next(question, expected):
    assert value(question, CHANGES) == expected


def test_the_innermost_names_of_rows_are_read_though_their_column_is_mostly_empty():
    assert value("What were the total assets at the end of 2022?", NESTED) == ["846"]
    assert value("What was the long-term debt in 2023?", NESTED) == ["103"]
    assert value("What were the revenues in 2023?", NESTED) == ["8,264"]


def test_rows_above_those_of_an_earlier_year_are_of_the_next_one():
    assert value("What was the net income in the second quarter of 2023?", QUARTERS) == ["15"]
    assert value("What was the net income in the second quarter of 2022?", QUARTERS) == ["11"]


def test_the_year_in_which_notes_are_due_asks_for_no_period():
    assert value("How much were the fixed-rate notes due 2031 in 2022?", DEBT) == ["$ 79"]


def test_how_many_gallons_is_no_question_of_their_price():
    assert value("How many gallons were used in 2022?", FUEL) == ["4,347"]
    assert value("What was the price per gallon in 2021?", FUEL) == ["$ 1.72"]


def test_to_own_is_a_word_that_chooses_a_column():
    assert value("How many Model A do they own?", FLEET) == ["30"]
    assert value("How many Model A are leased?", FLEET) == ["9"]


def test_beside_text_a_question_of_nothing_but_a_name_asks_what_it_means():
    beside = ["Operating expenses are what it costs to run the stores."]
    table = TableSource(RESULTS.node, beside=beside)
    assert answer_from_tables("What are Operating expenses?", [table]) is None


def test_what_is_taken_away_agrees_with_the_same_item_elsewhere():
    account = [["项目", "2023年度", "2022年度"], ["财务费用", "12", "15"], ["利息收入", "31", "28"]]
    note = [["项目", "2023年度", "2022年度"], ["利息支出", "43", "43"], ["减：利息收入", "-31", "-28"]]
    tables = [source(account, node_id="a"), source(note, node_id="b")]
    made = answer_from_tables("2023年的利息收入是多少？", tables)
    assert made.values == ["31"] and made.cells[0].node_id == "a"


def test_the_company_that_a_report_is_of_is_none_of_its_rows():
    parents = source(
        [["母公司名称", "注册地", "注册资本"], ["南山科技集团股份有限公司", "上海", "21,067"]],
        title="南山科技_2023年度报告",
    )
    assert value("南山科技集团股份有限公司2023年的营业总收入是多少元？", parents) is None


def test_a_level_over_all_columns_does_not_count_against_them():
    note = "(in cents, except percentage changes)"
    costs = source(
        [
            ["", "Year ended December 31, 2023", "Year ended December 31, 2022", "Percent increase"],
            ["", note, note, note],
            ["Salaries and wages", "4.34", "4.32", "0.5"],
            ["Selling expenses", "0.54", "0.53", "0.9"],
            ["Rent of the stores", "0.45", "0.43", "3.5"],
        ]
    )
    assert value("What were the salaries per seat mile in 2023?", costs) == ["4.34"]
    assert value("By what percent did selling expenses increase in 2023?", costs) == ["0.9"]


def test_a_ratio_is_not_answered_by_an_amount():
    assert value("What is the debt-to-equity ratio in 2023?", NESTED) is None
