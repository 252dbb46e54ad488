"""Tables as filings print them: shares below amounts, two tables in one, sums taken from, what is left out."""

import pytest
from made_tables import source

from engine.answer.tables.table_questions import answer_from_tables

REGIONS = [
    ["(in millions)", "2022", "2021"],
    ["Americas", "$ 10,251", "$ 8,996"],
    ["Percentage of total revenue", "58 %", "57 %"],
    ["EMEA", "4,593", "4,252"],
    ["Percentage of total revenue", "26 %", "27 %"],
    ["Total revenue", "$ 14,844", "$ 13,248"],
]
INSTRUMENTS = [
    ["", "", "", "December 31, 2022", "", ""],
    ["", "Carrying", "", "", "", ""],
    ["", "Amount", "Total Fair Value", "Level 1", "Level 2", "Level 3"],
    ["Assets", "", "", "", "", ""],
    ["Notes receivable, net", "$385", "$403", "", "$403", ""],
    ["Liabilities", "", "", "", "", ""],
    ["Debt", "(56,794)", "(52,856)", "", "(52,856)", ""],
    ["", "", "", "December 31, 2021", "", ""],
    ["", "Carrying", "", "", "", ""],
    ["", "Amount", "Total Fair Value", "Level 1", "Level 2", "Level 3"],
    ["Assets", "", "", "", "", ""],
    ["Notes receivable, net", "$412", "$485", "", "$485", ""],
    ["Liabilities", "", "", "", "", ""],
    ["Debt", "(57,921)", "(65,724)", "", "(65,724)", ""],
]
INCOME = [
    ["", "2015", "2014"],
    ["United States", "$95,644", "$325,081"],
    ["Foreign", "46,241", "24,288"],
    ["Income before income taxes", "$141,885", "$349,369"],
]
DEBT = [
    ["", "January 28, 2023", "January 29, 2022"],
    ["2028 Notes", "$500", "$500"],
    ["2030 Notes", "676", "729"],
    ["Total long-term debt", "1,176", "1,229"],
    ["Less: current portion", "16", "13"],
    ["Total long-term debt, less current portion", "$1,160", "$1,216"],
]
CLAIMS = [
    ["", "2022", "2021"],
    ["Beginning balance", "$605", "$565"],
    ["Reductions for payments made", "(43)", "(59)"],
    ["Changes in estimates", "190", "99"],
    ["Ending balance", "$752", "$605"],
]
COSTS = [
    ["", "2019", "2018", "2017"],
    ["Marketing", "18", "13", "11"],
    ["Research", "30", "20", "10"],
    ["Long-lived assets, United States", "586", "480", "402"],
    ["Long-lived assets, abroad", "11", "9", "8"],
]


def values(question, rows, **more):
    """Return what these rows answer, None where they do not."""
    made = answer_from_tables(question, [source(rows, **more)])
    return made and made.values


@pytest.mark.parametrize(
    ("question", "rows", "expected"),
    [
        ("What was revenue in EMEA in 2021?", REGIONS, ["4,252"]),
        ("What percentage of total revenue came from EMEA in 2021?", REGIONS, ["27 %"]),
        ("What was the total fair value of notes receivable at December 31, 2021?", INSTRUMENTS, ["$485"]),
        ("What was the total fair value of notes receivable at December 31, 2022?", INSTRUMENTS, ["$403"]),
        ("What was the income before income taxes in the United States in 2014?", INCOME, ["$325,081"]),
        ("What was the current portion of long-term debt in 2022?", DEBT, ["13"]),
        ("What were the changes in estimates in 2021 and 2022 combined?", CLAIMS, ["289"]),
        ("In which year were the reductions for payments made larger?", CLAIMS, ["2021"]),
        ("What was the average marketing cost per year between 2017 and 2019?", COSTS, ["14"]),
        ("In which of the three years was research the largest?", COSTS, ["2019"]),
    ],
)
def test_the_cell_that_is_meant_is_read(question, rows, expected):
    assert values(question, rows) == expected


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What was the total fair value of notes receivable at December 31, 2020?", INSTRUMENTS),
        ("What were total revenues in Japan in 2022?", REGIONS),
        ("What was the revenue of the Retail segment in 2022?", REGIONS),
        ("What was the operating margin on total revenue in 2022?", REGIONS),
    ],
)
def test_what_the_table_does_not_tell_is_refused(question, rows):
    assert values(question, rows) is None


def test_what_is_left_out_is_not_what_is_told():
    assert values("What were long-lived assets outside the United States in 2019?", COSTS) != ["586"]


def test_a_name_written_large_asks_for_no_extreme():
    rows = [
        ["", "2022", "2021"],
        ["SG&A", "$8,635", "$7,928"],
        ["SG&A as a % of revenue", "16.7 %", "16.8 %"],
    ]
    assert values("How much SG&A did Best Buy incur in fiscal 2022?", rows) == ["$8,635"]


def test_a_later_header_of_years_holds_for_the_rows_below_it():
    rows = [
        ["", "2020", "2019", "2018"],
        ["Hardware revenue", "91", "84", "68"],
        ["Service revenue", "45", "40", "31"],
        ["The deferred revenue balances were as follows:", "", "", ""],
        ["", "", "2020", "2019"],
        ["Deferred revenue, beginning", "", "44", "36"],
        ["Deferred revenue, end", "", "51", "44"],
    ]
    assert values("What was deferred revenue at the end of 2019?", rows) == ["44"]
