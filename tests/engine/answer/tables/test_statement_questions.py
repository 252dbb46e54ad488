"""How questions find the cells of statements: names in other words, periods, groups, printed changes, lists."""

import pytest
from made_tables import STATEMENT_ZH, source

from engine.answer.tables.table_questions import answer_from_tables

OPERATIONS = source(
    [
        ["", "Year Ended December 31,", "", "", "Increase (Decrease)", ""],
        ["", "2023", "2022", "2021", "2023-2022", "2022-2021"],
        ["Revenue passenger miles (millions)", "2,310", "2,250", "2,100", "2.7%", "7.1%"],
        ["Available seat miles (millions)", "2,820", "2,790", "2,640", "1.1%", "5.7%"],
        ["Passenger revenue per available seat mile (cents)", "14.4", "14.1", "13.6", "2.1%", "3.7%"],
        ['Average yield per mile ("Yield") (cents)', "17.5", "17.2", "16.9", "1.7%", "1.8%"],
        ["Aircraft rent", "43", "62", "68", "(30.6)%", "(8.8)%"],
        ["Wages and benefits, net of capitalized amounts", "510", "480", "450", "6.3%", "6.7%"],
    ]
)
BALANCE = source(
    [
        ["", "December 29, 2023", "December 30, 2022"],
        ["Inventories:", "", ""],
        ["Raw materials", "120", "110"],
        ["Work in process", "80", "95"],
        ["Finished goods", "300", "280"],
        ["Total inventories", "500", "485"],
        ["Income tax expense", "(40)", "(25)"],
        ["Net income", "210", "190"],
    ]
)
PLANTS = source(
    [
        ["", "", "2023", "2022"],
        ["Consolidated", "Output (tons)", "900", "870"],
        ["", "Load", "81%", "79%"],
        ["Northern", "Output (tons)", "400", "390"],
        ["", "Load", "77%", "74%"],
    ]
)
QUARTERS = source(
    [
        ["2023", "First", "Second", "Third", "Fourth"],
        ["Net sales", "110", "125", "118", "131"],
        ["Costs", "70", "80", "75", "79"],
    ]
)


def value(question, table):
    made = answer_from_tables(question, [table])
    return made.values if made else None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What were the ASMs in 2022?", ["2,790"]),
        ("What was the traffic of the airline in 2023?", ["2,310"]),
        ("What was the capacity in 2021?", ["2,640"]),
        ("What was the yield in 2022?", ["17.2"]),
        ("How much was spent to rent planes in 2021?", ["68"]),
        ("What were the wages and benefits in 2023?", ["510"]),
        ("What was the passenger revenue per ASM in 2023?", ["14.4"]),
    ],
)
def test_rows_are_found_by_other_words_for_their_names(question, expected):
    assert value(question, OPERATIONS) == expected


def test_a_change_that_is_printed_is_read():
    assert value("By what percentage did available seat miles increase from 2021 to 2022?", OPERATIONS) == [
        "5.7%"
    ]
    made = answer_from_tables("What is the percentage change in aircraft rent in 2023?", [OPERATIONS])
    assert made.values == ["(30.6)%"] and made.cells[0].text == "(30.6)%"


def test_a_change_that_is_not_printed_is_computed():
    rows = [
        ["", "2019", "2018", "Change", "%"],
        ["Sales", "110", "100", "10", "10.0%"],
        ["Rent", "30", "24", "6", ""],
    ]
    made = answer_from_tables("What was the percentage change in rent from 2018 to 2019?", [source(rows)])
    assert made is not None and made.values == ["25%"] and [cell.text for cell in made.cells] == ["24", "30"]


def test_an_item_is_the_same_though_its_years_end_on_other_days():
    assert value("What is the change in net income between 2022 and 2023?", BALANCE) == ["20"]
    assert value("What is the average of net income for 2022 and 2023?", BALANCE) == ["200"]
    question = "What are the respective values of work in process in 2022 and 2023?"
    assert value(question, BALANCE) == ["95", "80"]


def test_a_difference_is_positive_and_a_change_has_a_sign():
    assert value("What is the difference in work in process between 2022 and 2023?", BALANCE) == ["15"]
    assert value("What is the change in work in process from 2022 to 2023?", BALANCE) == ["-15"]


def test_an_expense_printed_as_a_negative_number_grows_by_its_amount():
    assert value("What is the increase in income tax expense from 2022 to 2023?", BALANCE) == ["15"]


def test_the_average_of_numbers_printed_as_negative_is_negative():
    assert value("What is the average income tax expense for 2022 and 2023?", BALANCE) == ["-32.5"]


def test_a_computed_change_cites_the_cell_that_prints_it():
    rows = [
        ["", "2023", "2022", "Increase"],
        ["Landing fees", "310", "280", "30"],
        ["Fuel", "90", "80", "10"],
    ]
    made = answer_from_tables("What was the increase in landing fees from 2022 to 2023?", [source(rows)])
    assert (made.values, [cell.text for cell in made.cells]) == (["30"], ["310", "280", "30"])


def test_the_year_of_an_extreme_is_cited_with_its_header():
    made = answer_from_tables("In which year were finished goods higher?", [BALANCE])
    assert made.values == ["2023"]
    assert "December 29, 2023" in [cell.text for cell in made.cells]


def test_a_quarter_without_a_year_is_the_latest():
    rows = [
        ["", "First", "Second"],
        ["2022", "", ""],
        ["Net sales", "10", "12"],
        ["2023", "", ""],
        ["Net sales", "14", "15"],
    ]
    assert value("What were net sales in the second quarter?", source(rows)) == ["15"]


def test_what_is_counted_chooses_the_column_and_no_money_counts():
    rows = [
        ["Year", "Gallons", "Fuel cost", "Fuel price"],
        ["2023", "900", "$ 2,700", "$ 3.00"],
        ["2022", "800", "$ 2,000", "$ 2.50"],
    ]
    assert value("How many gallons of fuel were burnt in 2022?", source(rows)) == ["800"]


def test_not_current_is_another_word_than_current():
    rows = [["", "2023", "2022"], ["Loans, current", "5", "6"], ["Loans, non-current", "7", "8"]]
    assert value("What were the current loans in 2023?", source(rows)) == ["5"]
    assert value("What were the non-current loans in 2023?", source(rows)) == ["7"]


def test_a_proper_name_is_not_taken_for_another_word_for_a_row():
    assert value("What was the aircraft rent of Northern Airlines in 2022?", OPERATIONS) == ["62"]


def test_a_change_between_quarters_goes_with_time():
    assert (
        value("What is the change in net sales between the second and the third quarter?", QUARTERS) is None
    )
    question = "What is the change in net sales between the second quarter and the third quarter?"
    assert value(question, QUARTERS) == ["-7"]


def test_the_whole_is_meant_where_no_part_is_named():
    assert value("What was the output in 2023?", PLANTS) == ["900"]
    assert value("What was the northern output in 2023?", PLANTS) == ["400"]
    assert value("What was the percentage of load in 2022?", PLANTS) == ["79%"]


def test_periods_and_items_are_listed():
    assert value("Which years does the table provide information for?", OPERATIONS) == [
        "2023",
        "2022",
        "2021",
    ]
    assert value("What are the items under inventories?", BALANCE) == [
        "Raw materials",
        "Work in process",
        "Finished goods",
    ]
    assert value("How many components are there under inventories?", BALANCE) == ["3"]


def test_the_items_of_a_group_end_where_they_are_summed():
    table = source(
        [
            ["", "2023", "2022"],
            ["Deferred tax assets:", "", ""],
            ["Pensions", "11", "12"],
            ["Losses carried forward", "30", "28"],
            ["Gross deferred tax assets", "41", "40"],
            ["Less valuation allowance", "(5)", "(4)"],
        ]
    )
    assert value("What are the components of deferred tax assets?", table) == [
        "Pensions",
        "Losses carried forward",
    ]


@pytest.mark.parametrize(
    "question",
    [
        "What was the proportion of output over load in 2023?",
        "How did the output do in 2023?",
        "What was the output in 2023 and who reported it?",
    ],
)
def test_what_is_no_single_reading_is_declined(question):
    assert value(question, PLANTS) is None


def test_a_total_is_not_taken_for_the_row_that_is_named_in_full():
    table = source(
        [
            ["", "2023", "2022"],
            ["Other costs", "27", "33"],
            ["Fuel", "80", "90"],
            ["Total other costs", "107", "123"],
        ]
    )
    assert value("What were the other costs in 2023?", table) == ["27"]
    assert value("What were the total other costs in 2023?", table) == ["107"]


def test_a_column_for_two_years_is_read_when_both_are_named():
    rows = [
        ["", "2023", "2022", "2023 vs. 2022"],
        ["Product revenue", "90", "80", "12"],
        ["Fees", "9", "8", "1"],
    ]
    assert value("What was the variance of product revenue, 2023 vs. 2022?", source(rows)) == ["12"]


def test_a_total_is_not_the_row_that_says_more_than_the_question():
    rows = [["", "2023", "2022"], ["Other assets", "30", "20"], ["Liabilities", "50", "40"]]
    assert value("What were the total assets in 2023?", source(rows)) is None


def test_shares_of_a_whole_are_percentages_though_only_the_first_prints_the_sign():
    rows = [
        ["", "2023", "2022"],
        ["Sales", "100.0 %", "100.0 %"],
        ["Gross profit", "40.0", "50.9"],
        ["Tax", "7.2", "9.1"],
    ]
    assert value("What was the percentage of sales represented by gross profit in 2022?", source(rows)) == [
        "50.9"
    ]


def test_a_list_of_names_is_not_answered_with_a_number():
    rows = [["", "2023", "2022"], ["Ovens", "30", "20"], ["Total revenue by segment", "50", "40"]]
    assert value("What are the segments by which revenue is split in 2023?", source(rows)) is None


def test_a_footnote_mark_glued_to_a_name_is_no_part_of_it():
    rows = [["", "2023", "2022"], ["Current year1", "21", "20"], ["Prior years", "5", "4"]]
    assert value("What was the average current year in 2022 and 2023?", source(rows)) == ["20.5"]


@pytest.mark.parametrize("question", ["What was the gross profit margin in 2023?", "2023年的毛利润率是多少?"])
def test_a_ratio_is_not_the_item_that_it_is_made_of(question):
    rows = [["", "2023年", "2022年"], ["Gross profit", "50", "40"], ["毛利润", "50", "40"]]
    assert value(question, source(rows)) is None


def test_an_extreme_of_averages_is_not_their_average():
    rows = [["", "2023", "2022"], ["Average price", "5", "4"], ["Gallons", "50", "40"]]
    assert value("What was the cheapest average price between 2022 and 2023?", source(rows)) is None


def test_the_figures_of_the_group_are_its_total():
    assert value("What was the total output in 2022?", PLANTS) == ["870"]


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        (
            "What were the values of raw materials and finished goods in 2022, respectively?",
            BALANCE,
            ["110", "280"],
        ),
        ("2023年营业收入和净利润分别是多少?", source(STATEMENT_ZH), ["12,500", "2,180"]),
    ],
)
def test_two_items_asked_for_one_by_one_are_both_read(question, table, expected):
    assert value(question, table) == expected


def test_a_percentage_is_not_told_where_the_row_has_amounts_and_none_was_asked_for():
    head = ["", "Fiscal 2023 net sales", "Fiscal 2022 net sales", "% Inc (Dec)"]
    rows = [head, ["Norway", "70", "75", "(7)%"], ["Sweden", "90", "85", "6%"]]
    assert (
        value("What was the net sales of the Norway and Sweden segment, respectively?", source(rows)) is None
    )


def test_a_cost_per_unit_is_in_the_column_of_rates():
    rows = [
        ["", "2023", "2023"],
        ["", "Dollars", "Cost/Gallon"],
        ["Fuel expense", "$1,936", "$2.31"],
        ["Hedges", "$24", "$0.03"],
    ]
    assert value("What was the fuel expense per gallon in 2023?", source(rows)) == ["$2.31"]
    assert value("What was the fuel expense in 2023?", source(rows)) == ["$1,936"]


def test_what_the_question_says_itself_is_no_answer():
    rows = [["Year", "Party", "Job"], ["2023", "SE", "farmer"], ["2022", "LA", "doctor"]]
    assert value("Which mayor was of the SE party in 2023?", source(rows)) is None
