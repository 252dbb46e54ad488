"""Layouts that tables have: periods above rows, years written short, headings below the header, marks in columns."""

import pytest
from made_tables import source, typed

from engine.answer.tables.header_blocks import own_names
from engine.answer.tables.table_questions import answer_from_tables

STACKED = [
    ["", "Gross", "Allowance", "Net"],
    ["December 31, 2023", "", "", ""],
    ["Trade", "900", "(20)", "880"],
    ["Leases", "300", "(5)", "295"],
    ["Total", "1,200", "(25)", "1,175"],
    ["December 31, 2022", "", "", ""],
    ["Trade", "800", "(10)", "790"],
    ["Leases", "250", "(4)", "246"],
    ["Total", "1,050", "(14)", "1,036"],
]


def value(question, rows):
    made = answer_from_tables(question, [source(rows)])
    return made.values if made else None


def test_a_day_above_rows_is_their_period():
    assert [row.period for row in typed(STACKED).rows][:4] == ["December 31, 2023"] * 3 + [
        "December 31, 2022"
    ]
    assert value("What was the net amount of leases in 2022?", STACKED) == ["246"]
    assert value("What was the change in total net between 2022 and 2023?", STACKED) == ["139"]


def test_the_periods_above_rows_are_those_that_the_table_covers():
    assert value("Which years does the table cover?", STACKED) == ["2023", "2022"]


def test_a_group_of_the_period_above_does_not_reach_into_the_next():
    first = [["Year ended June 30, 2023", ""], ["Sales", ""], ["Bikes", "12"], ["Boats", "7"]]
    second = [["Year ended June 30, 2022", ""], ["Rent", "5"], ["Sales", ""], ["Bikes", "10"], ["Boats", "8"]]
    rows = [["", "Amount"], *first, *second]
    names = {row.index: row.name for row in typed(rows).rows}
    assert names[6] == "Year ended June 30, 2022 / Rent"


@pytest.mark.parametrize("short", ["FY{}", "’{}", "12/31/{}", "31.12.{}", "Dec-{}", "31 Dec {}"])
def test_years_of_two_digits_are_years(short):
    rows = [["", short.format(23), short.format(22)], ["Sales", "120", "100"], ["Costs", "70", "60"]]
    assert value("What were the costs in 2022?", rows) == ["60"]
    assert value("What was the percentage change in sales from 2022 to 2023?", rows) == ["20%"]


def test_letter_spaced_years_are_years():
    rows = [["", "2 0 2 3", "2 0 2 2"], ["Sales", "120", "100"], ["Costs", "70", "60"]]
    assert value("What were the costs in 2022?", rows) == ["60"]


def test_texts_below_the_header_over_columns_of_numbers_belong_to_it():
    rows = [["", "Number of sites Land", "Number of sites Building"], ["Fiscal year", "Leases", "Leases"],
            ["2023", "381", "697"], ["2022", "198", "270"], ["2021", "40", "135"]]  # fmt: skip
    assert [column.name for column in typed(rows).columns][1:] == [
        "Number of sites Land / Leases", "Number of sites Building / Leases"
    ]  # fmt: skip


def test_columns_of_marks_hold_no_values_and_name_no_rows():
    rows = [["", "", "2023", "", "2022"], ["North", "$", "120", "$", "100"], ["South", "", "70", "", "60"],
            ["Income", "$", "190", "$", "160"]]  # fmt: skip
    assert [row.name for row in typed(rows).rows] == ["North", "South", "Income"]
    assert value("What was the income in 2022?", rows) == ["160"]


def test_two_years_that_are_scaled_differently_are_not_subtracted():
    rows = [
        ["", "2023 $’000", "2022 $’000 RESTATED3"],
        ["Sales", "154,159", "176,931"],
        ["Profit", "52,963", "45,139"],
    ]
    assert value("What is the change in sales from 2022 to 2023?", rows) in (None, ["-22,772"])


def test_the_name_of_a_row_may_stand_in_a_line_of_its_own():
    rows = [["", "Pharma", "Devices"], ["Reported income", "$4,402", "1,409"], ["Litigation", "", ""],
            ["", "739", "383"], ["Vaccine costs", "", ""], ["", "444", "15"]]  # fmt: skip
    assert value("What were the vaccine costs of Pharma?", rows) == ["444"]


def test_a_header_over_nothing_but_marks_is_that_of_the_figures_beside_them():
    rows = [["(in millions)", "2023", "", "2022"], ["Accrued bonuses", "$", "489 $", "455"],
            ["Accrued marketing", "", "154", "96"], ["Accrued expenses", "$", "643 $", "551"]]  # fmt: skip
    assert value("How much was accrued marketing in 2023?", rows) == ["154"]


def test_of_a_row_that_tells_changes_the_change_of_a_year_is_read():
    rows = [["", "2023", "2022", "2021"], ["Revenue", "$427", "$478", "$432"],
            ["Comparable sales % change", "(10.3)%", "11.0 %", "9.2 %"]]  # fmt: skip
    assert value("What was the comparable sales change in 2023?", rows) == ["(10.3)%"]


def test_the_first_six_months_are_a_period_and_no_order():
    rows = [["", "3 Months Ended July 2, 2023", "Six Months Ended July 2, 2023"], ["Asset impairments", "12", "264"],
            ["Legal matters", "139", "175"]]  # fmt: skip
    assert value("What were the asset impairments in the first six months of 2023?", rows) == ["264"]


BLOCKS = [
    ["(in millions)", "", "", "2023", "", "", "2022"],
    ["", "Gross", "", "", "Gross", "", ""],
    ["", "Amount", "Amortization", "Net", "Amount", "Amortization", "Net"],
    ["Trademarks", "375", "(172)", "203", "376", "(128)", "248"],
    ["Customer contracts", "1,204", "(495)", "709", "1,213", "(379)", "834"],
]


def test_a_text_over_repeated_columns_is_of_its_block_wherever_it_is_printed():
    assert value("What was the gross amount of trademarks in 2023?", BLOCKS) == ["375"]
    assert value("What was the net amount of customer contracts in 2022?", BLOCKS) == ["834"]
    assert value("What was the change in net trademarks from 2022 to 2023?", BLOCKS) == ["-45"]


def test_lines_of_a_wrapped_header_are_one_name():
    names = {1: "2023 / Gross / Amount", 2: "2023 / Net", 3: "Change"}
    assert own_names(names) == {1: "Gross Amount", 2: "Net", 3: "Change"}


def test_a_remark_on_the_unit_is_no_part_of_a_column():
    rows = [["", "2023", "2022"], ["", "(in thousands, except percentages)", "(in thousands, except percentages)"],
            ["Members", "4,904", "5,767"], ["Margin", "50%", "48%"]]  # fmt: skip
    assert [column.name for column in typed(rows).columns] == ["", "2023", "2022"]


def test_a_name_that_goes_on_in_small_letters_began_in_the_line_above():
    rows = [["", "2023", "2022"], ["Members at end of period", "4,904", "5,767"],
            ["Average monthly revenue per paying", "", ""], ["member", "$10.30", "$10.29"]]  # fmt: skip
    assert [row.leaf for row in typed(rows).rows][-1] == "Average monthly revenue per paying member"
    assert value("How many members were there at the end of 2022?", rows) == ["5,767"]
