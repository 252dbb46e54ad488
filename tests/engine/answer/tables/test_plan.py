"""A model writes the query: it sees the schema, is asked again once, and every number comes from the cells."""

import json
from dataclasses import replace

import pytest
from read_tables import INCOME, ORDERS, table_of

from engine.answer.basis import MAY
from engine.answer.check.checking import check
from engine.answer.grounded.prompt import block
from engine.answer.phrases import ENGLISH
from engine.answer.tables.answering import answer_from_tables
from engine.answer.tables.plan import MOST_TABLES, plan_answer
from engine.config import LlmSettings
from engine.errors import CancelledError
from engine.providers.entailment import open_judge
from engine.providers.llm import Llm
from engine.retrieve.tree_evidence import evidence_of
from tests.openai_server import OpenAiServer, Script, broken

QUESTION = "How much did the North order altogether?"
SUM = {
    "operation": "sum",
    "table": 1,
    "columns": ["Amount"],
    "where": [{"column": "Region", "value": "North"}],
}


@pytest.fixture(scope="module")
def server():
    with OpenAiServer() as running:
        yield running


@pytest.fixture
def llm(server):
    server.chats.clear()
    settings = LlmSettings(api_base=server.base_url, api_key=server.key, retries=0)
    return Llm(settings)


@pytest.fixture(scope="module")
def orders(tmp_path_factory):
    return table_of(tmp_path_factory.mktemp("orders"), ORDERS)


@pytest.fixture(scope="module")
def income(tmp_path_factory):
    return table_of(tmp_path_factory.mktemp("income"), INCOME)


def planned(server, llm, tables, *replies, question=QUESTION, chinese=False):
    server.enqueue(*(reply if isinstance(reply, str | Script) else json.dumps(reply) for reply in replies))
    return plan_answer(question, tables, chinese, llm)


def test_a_plan_is_run_over_the_cells(server, llm, orders):
    made = planned(server, llm, [orders], SUM)
    assert made.answer.computed.values == ["1,534.5"]
    assert [one.cell for one in made.answer.citations] == ["Sheet!E2", "Sheet!E4"]
    assert (made.plan, made.reason, len(server.chats)) == (SUM, "", 1)


def test_the_model_sees_columns_units_sample_rows_and_the_rows_that_are_asked_about(server, llm, orders):
    planned(server, llm, [orders], SUM, question="What is the amount of A-005?")
    shown = server.chats[0]["messages"][-1]["content"]
    assert "Table 1: book.xlsx / Sheet (6 rows)" in shown
    assert "- Amount (currency, EUR)" in shown and "- Region (text): North, South, West" in shown
    assert "A-001 | Alder Ltd | North | open | 1,234.50 | 2023-03-01" in shown
    assert "A-005 | Elm SA | South | shipped |  | 2022-12-31" in shown
    assert "A-004 |" in shown  # so small a table is shown whole
    assert shown.endswith("Question: What is the amount of A-005?")


def test_cells_of_several_rows_that_were_looked_up_are_not_computed(server, llm, orders):
    rows = {"operation": "lookup", "columns": ["Amount"], "where": [{"column": "Region", "value": "South"}]}
    assert planned(server, llm, [orders], rows).answer.computed.is_read
    assert not planned(server, llm, [orders], SUM).answer.computed.is_read


def test_words_around_the_plan_do_no_harm(server, llm, orders):
    made = planned(server, llm, [orders], f"Sure! Here it is:\n```json\n{json.dumps(SUM)}\n```\nHope this helps.")
    assert made.answer.computed.values == ["1,534.5"]


def test_the_table_is_chosen_by_its_number(server, llm, orders, income):
    plan = {"operation": "lookup", "table": 2, "columns": "2023", "rows": "Revenue"}
    made = planned(server, llm, [orders, income], plan, question="2023年的收入是多少？", chinese=True)
    assert made.answer.computed.text == "2023年的Revenue为12,500百万欧元。"
    assert made.answer.table is income


def test_a_plan_that_cannot_be_run_is_sent_back_once_with_the_reason(server, llm, orders):
    wrong = SUM | {"columns": ["Turnover"]}
    made = planned(server, llm, [orders], wrong, SUM)
    assert made.answer.computed.values == ["1,534.5"]
    asked, told, again = server.chats[1]["messages"][-3:]
    assert (asked["role"], told["role"], json.loads(told["content"])) == ("user", "assistant", wrong)
    assert again["content"].startswith("The table has no column “Turnover”. It has: “Order”, “Customer”")


def test_after_a_second_plan_that_cannot_be_run_there_is_no_answer_but_a_reason(server, llm, orders):
    wrong = SUM | {"columns": ["Turnover"]}
    made = planned(server, llm, [orders], wrong, wrong, SUM)
    assert made.answer is None and "Turnover" in made.reason and len(server.chats) == 2
    assert planned(server, llm, [orders]).answer is not None  # the reply that was left in the queue


def test_a_model_with_a_small_window_is_shown_one_table_and_asked_once(server, orders, income):
    server.chats.clear()
    settings = LlmSettings(api_base=server.base_url, api_key=server.key, retries=0, context_tokens=8192)
    made = planned(server, Llm(settings), [orders, income], SUM | {"columns": ["Turnover"]})
    assert made.answer is None and "Turnover" in made.reason and len(server.chats) == 1
    assert "Table 2" not in server.chats[0]["messages"][-1]["content"]


def test_a_model_may_say_that_the_tables_do_not_tell(server, llm, orders):
    made = planned(server, llm, [orders], {"operation": "none"})
    assert (made.answer, made.reason, len(server.chats)) == (None, "", 1)


@pytest.mark.parametrize(
    "garbage",
    [
        "", "I do not know.", "{", "[]", "null", '{"operation": 5}', '{"operation": ["sum"]}', "{'operation': 'sum'}",
        '{"operation": "sum", "columns": {"a": [1]}, "where": 7}', '{"operation": "diff", "a": {"column": "Amount"}}',
        '{"operation": "count", "where": [{"column": "Amount", "is": "between", "value": []}]}',
        '{"operation": "sum", "columns": "Amount", "where": [{"column": "Amount", "is": ">", "value": NaN}]}',
        '{"operation": "share"}garbage}', '{"a":' + "[" * 100_000, '{"a":' + "[" * 100_000 + "}",
        '{"operation": "lookup", "columns": "Amount", "rows": "A-999"}', "🙂" * 50, "\x00",
    ],
)  # fmt: skip
def test_garbage_is_asked_about_once_and_gives_no_answer(server, llm, orders, garbage):
    made = planned(server, llm, [orders], garbage, garbage)
    assert made.answer is None and made.reason and len(server.chats) == 2


@pytest.mark.parametrize("number", [0, 7, -1, "2", None, True])
def test_a_table_that_was_not_shown_is_taken_for_the_first(server, llm, orders, number):
    assert planned(server, llm, [orders], SUM | {"table": number}).answer.table is orders


def test_a_model_that_fails_gives_no_answer_and_the_reason(server, llm, orders):
    made = planned(server, llm, [orders], broken())
    assert made.answer is None and made.reason


def test_a_name_that_stands_in_another_table_is_told_with_its_number(server, llm, orders, income):
    wrong = {"operation": "sum", "table": 1, "columns": ["2022"]}
    made = planned(server, llm, [orders, income], wrong, {**wrong, "table": 2, "rows": ["Revenue"]})
    assert "It has: “2022 (table 2)”, “Order”" in server.chats[1]["messages"][-1]["content"]
    assert made.answer.computed.values == ["10,000"]


def test_tables_that_are_left_out_are_named_and_may_be_asked(server, llm, orders, income):
    asked = {"operation": "lookup", "table": 2, "columns": ["2022"], "rows": ["Revenue"]}
    server.enqueue(json.dumps(asked))
    made = plan_answer(QUESTION, [orders], False, llm, further=[orders, income])
    told = server.chats[0]["messages"][-1]["content"]
    assert "Further tables, not shown" in told and "table 2: " in told and "Research and development" not in told
    assert made.answer.computed.values == ["10,000"]


def test_only_the_likeliest_tables_are_shown(server, llm, orders, income):
    planned(server, llm, [orders, income] * 3, SUM)
    shown = server.chats[0]["messages"][-1]["content"]
    assert f"Table {MOST_TABLES}:" in shown and f"Table {MOST_TABLES + 1}:" not in shown


def test_a_cancelled_question_is_not_planned(server, llm, orders):
    with pytest.raises(CancelledError):
        plan_answer(QUESTION, [orders], False, llm, cancelled=lambda: True)


def test_groups_of_dates_are_ranked_by_what_they_come_to(server, llm, orders):
    plan = {
        "operation": "sum",
        "columns": ["Amount"],
        "by": "Ordered",
        "per": "year",
        "order": "descending",
        "limit": 1,
    }
    made = planned(server, llm, [orders], plan, question="Which year had the largest orders?")
    assert made.answer.computed.values == ["2023"]
    wrong = planned(server, llm, [orders], plan | {"per": "week"}, plan | {"per": "week"})
    assert wrong.answer is None and "month" in wrong.reason


def test_groups_are_ranked_by_their_rows_without_naming_a_column(server, llm, orders):
    plan = {"operation": "count", "by": "Region", "order": "descending"}
    made = planned(server, llm, [orders], plan, question="Which regions have the most orders?")
    assert made.answer is not None, made.reason
    assert "North" in made.answer.computed.text and "West" in made.answer.computed.text


def test_the_conditions_of_a_sum_are_told(server, llm, orders):
    between = {"column": "Ordered", "is": "between", "value": ["2023-01-01", "2023-12-31"]}
    made = planned(server, llm, [orders], {"operation": "sum", "columns": ["Amount"], "where": [between]})
    assert "Ordered 2023-01-01 – 2023-12-31" in made.answer.computed.text


FLATS = [
    ["Quay House", "2 rooms", "107 followers", "470"],
    ["Mill Court", "3 rooms", "1,310 followers", "1100"],
    ["Old Forge", "2 rooms", "92 followers", "385"],
]


def test_columns_without_a_header_are_called_by_the_letters_of_the_sheet(server, llm, tmp_path):
    flats = table_of(tmp_path, FLATS)
    query = {"operation": "max", "table": 1, "columns": ["C"], "told": ["A"]}
    made = planned(server, llm, [flats], query, question="Which flat has the most followers?")
    shown = server.chats[0]["messages"][-1]["content"]
    assert "- C (number)" in shown and "- D (number)" in shown
    assert "Mill Court" in made.answer.text and made.answer.citations[0].cell == "Sheet!C2"


def test_columns_of_one_name_are_told_apart_by_their_units(server, llm, tmp_path):
    towers = table_of(
        tmp_path,
        [
            ["Tower", "City", "Height (m)", "Height (ft)"],
            ["Alder", "Ghent", 120, 394],
            ["Birch", "Ghent", 80, 262],
            ["Cedar", "Bruges", 70, 230],
        ],
    )
    asked = {"operation": "average", "table": 1, "columns": ["Height (ft)"]}
    made = planned(
        server, llm, [towers], asked | {"where": [{"column": "City", "value": "Ghent"}]}, question="How high?"
    )
    assert made.answer.computed.values == ["328"]
    prompt = server.chats[-1]["messages"][-1]["content"]
    assert "- Height (m) (number, m)" in prompt and "- Height (ft) (number, ft)" in prompt
    assert planned(server, llm, [towers], asked | {"columns": ["Height"]}, SUM, question="How high?").answer is None
    assert "“Height (m)”, “Height (ft)”" in server.chats[-1]["messages"][-1]["content"]


def test_a_number_before_the_same_word_in_all_cells_is_a_number_but_a_code_is_none(tmp_path):
    rows = [
        ["Item", "Code", "Visits"],
        *([f"item {name}", f"B-{n}", f"{n} visits"] for n, name in enumerate("abcd", 9)),
    ]
    columns = {column.name: column.dtype for column in table_of(tmp_path, rows).linked.relation.columns}
    assert columns["Visits"] == "number" and columns["Code"] == "text"


def test_the_model_is_told_what_a_cell_with_a_scale_of_its_own_counts_as(server, llm, tmp_path):
    flats = table_of(tmp_path, [["小区", "总价"], ["达城", "335万"], ["永泰", "420万"]])
    planned(server, llm, [flats], {"operation": "none"}, question="总价超过400万的有几套？")
    assert "335万 is 3350000" in server.chats[0]["messages"][-1]["content"]


def test_what_a_model_planned_is_sure_whatever_words_it_leaves_out(server, llm, orders):
    query = {"operation": "count", "table": 1, "where": [{"column": "Region", "value": "South"}]}
    asked = "How many of the southern traders' deals with us are on the books?"
    made = planned(server, llm, [orders], query, question=asked)
    assert made.answer.score == 1.0 and made.answer.computed.values == ["2"]


def test_a_word_for_the_least_is_not_explained_by_a_name_that_begins_alike(tmp_path):
    rows = [["Agency", "2022"], ["Small Business Administration", -34], ["Forest Service", 12], ["Mint", 7]]
    agencies = table_of(tmp_path, rows)
    made = answer_from_tables("Which club received the smallest sports grant?", [agencies], chinese=False)
    assert made is None or made.score < MAY


NAMES = ["Ashberg", "Oakberg", "Elmberg", "Linberg"]
WARDS = [["Ward", "Year", "Beds"], *([name, f"{year} A", 7] for name in NAMES for year in (2018, 2019, 2020))]
WARDS.append(["Oakberg", "2021 A", None])


def test_that_a_cell_is_empty_is_what_a_plan_finds(server, llm, tmp_path):
    wards = table_of(tmp_path, WARDS)
    where = [{"column": "Ward", "value": "Oakberg"}, {"column": "Year", "value": "2021 A"}]
    plan = {"operation": "lookup", "table": 1, "columns": ["Beds"], "where": where}
    made = planned(server, llm, [wards], plan, question="How many beds had Oakberg in 2021 A?")
    assert "the cell is there" in made.answer.text and made.answer.planned
    assert made.answer.computed.values == [] and len(server.chats) == 1
    assert made.answer.citations[0].snippet.startswith("Oakberg | 2021 A")
    assert answer_from_tables("How many beds had Oakberg in 2021 A?", [wards], False) is None


def test_the_values_that_there_are_instead_are_of_one_column(server, llm, tmp_path):
    wards = table_of(tmp_path, WARDS)
    where = [{"column": "Ward", "value": "Firberg 2020 A"}]
    plan = {"operation": "lookup", "table": 1, "columns": ["Beds"], "where": where}
    planned(server, llm, [wards], plan, {"operation": "none"}, question="Beds of Firberg?")
    reason = server.chats[-1]["messages"][-1]["content"]
    listed = reason.split("It has: ")[1]
    assert ("berg" in listed) != ("20" in listed)


def test_several_things_asked_at_once_are_several_queries_of_one_round(server, llm, orders):
    rank = {"operation": "rank", "table": 1, "columns": ["Amount"], "limit": 2, "told": ["Customer"]}
    made = planned(server, llm, [orders], {"queries": [SUM, rank]}, question="The North's total and the top two?")
    first, second = made.answer.all
    assert first.computed.values == ["1,534.5"] and second.computed.values == ["Alder Ltd", "Cedar Inc"]
    assert made.answer.text.startswith(f"{first.computed.text} [1][2]\n\n{second.computed.text.splitlines()[0]}")
    assert [one.n for one in made.answer.citations] == list(range(1, len(made.answer.citations) + 1))
    assert len(server.chats) == 1


def test_a_list_of_queries_is_run_again_whole_and_none_of_them_may_tell(server, llm, orders):
    wrong = SUM | {"columns": ["Turnover"]}
    made = planned(server, llm, [orders], [SUM, wrong], [SUM, {"operation": "none"}])
    assert [one.computed.values for one in made.answer.all] == [["1,534.5"]] and len(server.chats) == 2
    assert planned(server, llm, [orders], {"queries": [{"operation": "none"}]}).answer is None


FIRMS = [
    ["Firm", "Country", "Sales (EUR million)"],
    *([f"Firm {chr(65 + n)}", ["Chile", "Peru", "Oman"][n % 3], 1000 + 37 * n] for n in range(20)),
]


@pytest.fixture(scope="module")
def firms(tmp_path_factory):
    return table_of(tmp_path_factory.mktemp("firms"), FIRMS)


def cells(citations):
    return [one.cell.rpartition("!")[2] for one in citations]


def as_checked(reply, made):
    """The reply of a model that was shown what a query gave, and the whole table."""
    hit, node = made.answer.table.hit, made.answer.table.linked.relation.nodes[0]
    computed = [one.computed for one in made.answer.all]
    return check(
        reply,
        [evidence_of(hit, node, node.text)],
        question=QUESTION,
        phrases=ENGLISH,
        entailment=open_judge(),
        computed=computed,
    )


def test_every_line_of_a_long_ranking_has_the_mark_of_its_own_cell(server, llm, firms):
    rank = {"operation": "rank", "columns": ["Sales"], "limit": 12}
    made = planned(server, llm, [firms], rank)
    lines = made.answer.text.splitlines()[2:]
    assert [line.rpartition(" ")[2] for line in lines] == [f"[{n}]" for n in range(1, 13)]
    assert cells(made.answer.citations) == [f"C{row}" for row in range(21, 9, -1)]
    for unit in (" million euros", ""):
        told = as_checked(f"- Firm T: 1,703{unit} [1]\n- Firm J: 1,333{unit} [1]", made)
        assert told.text == f"- Firm T: 1,703{unit} [1]\n- Firm J: 1,333{unit} [2]"
        assert cells(told.citations) == ["C21", "C11"]


def test_the_head_of_grouped_sums_tells_what_they_come_to_and_cites_what_was_added_up(server, llm, firms):
    made = planned(server, llm, [firms], {"operation": "sum", "columns": ["Sales"], "by": "Country"})
    assert made.answer.text.startswith("The total of Sales by Country, €27,030 million in all, 3 found: [1]\n")
    assert cells(made.answer.citations)[0] == "C2:C21" and len(made.answer.citations) == 4
    told = as_checked("All firms together sold for 27,030 million euros [1].", made)
    assert [one.state for one in told.statements] == ["computed"] and cells(told.citations) == ["C2:C21"]


def test_the_head_tells_no_sum_of_groups_of_different_units_or_of_what_is_no_sum(server, llm, tmp_path):
    prices = table_of(tmp_path, [["Item", "Kind", "Price"], ["Tea", "a", "€3"], ["Nut", "b", "$2"], ["Oil", "b", "$4"]])
    for operation in ("sum", "average"):
        made = planned(server, llm, [prices], {"operation": operation, "columns": ["Price"], "by": "Kind"})
        assert "in all" not in made.answer.text and len(made.answer.computed.lines) == len(made.answer.citations)


def test_a_value_is_stated_with_the_unit_of_its_column_and_without(server, llm, firms):
    made = planned(server, llm, [firms], {"operation": "lookup", "columns": ["Sales"], "rows": ["Firm J"]}).answer
    assert all(
        made.computed.stated_in(f"It sold for {said}.")
        for said in ("1,333", "1,333 million euros", "1.33 billion euros")
    )
    assert not any(
        made.computed.stated_in(f"It sold for {said}.")
        for said in ("1,334", "1,333 billion euros", "133 million euros")
    )


def test_a_sum_of_several_cells_is_one_citation_beside_a_sentence(server, llm, firms):
    plan = {"operation": "sum", "columns": ["Sales"], "where": [{"column": "Country", "value": "Peru"}]}
    told = as_checked("Firms of Peru sold for 9,590 million euros [1].", planned(server, llm, [firms], plan))
    assert [one.state for one in told.statements] == ["computed"] and cells(told.citations) == [
        "C3;C6;C9;C12;C15;C18;C21"
    ]


def test_a_model_is_told_the_cells_of_a_sheet_and_what_it_says_of_them_is_checked(server, llm, firms):
    made = planned(server, llm, [firms], {"operation": "lookup", "columns": ["Sales"], "rows": ["Firm J"]})
    assert made.answer.computed.placed == f"{made.answer.computed.text} (cell C11)"
    told = as_checked("The sales of Firm J stand in cell C11 [1].", made)
    assert [one.state for one in told.statements] == ["supported"] and cells(told.citations) == ["C11"]
    told = as_checked("The sales of Firm J stand in cell C14 [1].", made)
    assert [one.state for one in told.statements] == ["unverified"]


def test_rows_of_a_sheet_tell_their_addresses_and_no_other_table_s(firms):
    hit, node = firms.hit, firms.linked.relation.nodes[0]
    lines = node.text.split("\n")
    assert '<evidence n="1" source="book.xlsx / Sheet" cells="A1:C21">' in block(1, evidence_of(hit, node, node.text))
    some = "\n".join([lines[0], *lines[4:6], lines[20]])
    assert ' cells="A1:C1, A5:C6, A21:C21">' in block(1, evidence_of(hit, node, some))
    paper = replace(node, cell=None, metadata={k: v for k, v in node.metadata.items() if k != "row_numbers"})
    assert "cells=" not in block(1, evidence_of(hit, paper, node.text))


SCORES = [["Town", "2013", "2016"], ["Arden", 61, 70], ["Brock", 55, 72], ["Corve", 80, 78]]
LATER = [["Town", "2019"], ["Arden", 75], ["Brock", 90]]


def test_which_row_rose_most_between_two_columns_is_one_query(server, llm, tmp_path):
    table = table_of(tmp_path, SCORES)
    rose = {"columns": ["2016"], "minus": "2013"}
    most = planned(server, llm, [table], {"operation": "max", **rose}, question="Who improved most?").answer
    assert most.computed.values == ["Brock"] and "17" in most.text
    assert cells(most.citations) == ["C3", "B3"]
    every = planned(server, llm, [table], {"operation": "rank", **rose}, question="Who improved by how much?").answer
    assert [line.partition(" [")[0] for line in every.text.splitlines()[2:]] == [
        "- Brock: 17",
        "- Arden: 9",
        "- Corve: -2",
    ]
    total = planned(server, llm, [table], {"operation": "sum", **rose}, question="How far did all rise?").answer
    assert total.computed.values == ["24"]
    one = {"operation": "lookup", "rows": ["Corve"], **rose}
    assert "-2" in planned(server, llm, [table], one, question="How far did Corve fall?").answer.text


def test_the_numbers_of_two_tables_are_put_together(server, llm, tmp_path):
    tables = [table_of(tmp_path, SCORES, name="a.xlsx"), table_of(tmp_path, LATER, name="b.xlsx")]
    brock = {"operation": "lookup", "rows": ["Brock"]}
    queries = [{**brock, "table": 2, "columns": ["2019"]}, {**brock, "table": 1, "columns": ["2013"]}]
    for then, value in (("diff", "35"), ("percent_change", "-38.88888888888888888888888888888888888889")):
        made = planned(
            server, llm, tables, {"queries": queries, "then": then}, question="How far has Brock come?"
        ).answer
        assert made.computed.values == [value] and not made.computed.is_read and len(made.all) == 3
        assert cells(made.computed.citations) == ["B3", "B3"] and "(90; 55)" in made.text
    several = {"queries": [{**queries[0], "rows": ["Arden", "Brock"]}, queries[1]], "then": "diff"}
    assert "two cells" in planned(server, llm, tables, several, several).reason


def test_a_model_is_told_sixty_lines_of_a_list_a_reader_twenty(server, llm, tmp_path):
    rows = [["Ship", "Seats"], *([f"Ship {n}", str(1000 + n)] for n in range(80))]
    table = table_of(tmp_path, rows)
    ask = {"operation": "filter", "columns": ["Seats"], "where": [{"column": "Seats", "is": ">", "value": 1000}]}
    told = planned(server, llm, [table], ask, question="Which ships have more than 1000 seats?").answer
    lines = told.text.splitlines()[2:]
    assert len(lines) == 61 and lines[-1] == "- … and 19 more." and all("[" in line for line in lines[:60])
    fewer = {**ask, "where": [{"column": "Seats", "is": ">", "value": 1025}]}
    told = planned(server, llm, [table], fewer, question="Which ships have more than 1025 seats?").answer
    assert len(told.text.splitlines()[2:]) == 54 and "more" not in told.text
