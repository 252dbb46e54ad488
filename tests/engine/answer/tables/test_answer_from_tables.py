"""Questions asked of real workbooks: what is answered, from which cells, and what is left to others."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from read_tables import (
    NAMED,
    SALES,
    SALES_MERGED,
    table_of,
    tables_in,
    write_workbook,
)

from engine.answer.tables.answering import TableHit, answer_from_tables, near_rows
from engine.answer.tables.found_tables import RelationCache
from engine.enrich.tables import enrich_table
from engine.model import Hit, Node


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Tables by name."""
    folder = tmp_path_factory.mktemp("asked")
    long = [["Asset", "Site", "Cost"], *([f"{n:05d}", ["Porto", "Lyon"][n % 2], n] for n in range(1, 451))]
    found = {name: [table_of(folder, one)] for name, one in NAMED.items()}
    return found | {"sales": [table_of(folder, SALES, SALES_MERGED)], "long": [table_of(folder, long)]}


def asked(made, name, question):
    answer = answer_from_tables(question, made[name], any("\u4e00" <= c <= "\u9fff" for c in question))
    assert answer is not None, question
    return answer


def cells(answer):
    return [one.cell.rpartition("!")[2] for one in answer.citations]


@pytest.mark.parametrize(
    ("name", "question", "values", "first"),
    [
        # one key, two keys, a key and a period
        ("orders", "What is the amount of order A-002?", ["(60)"], "E3"),
        ("orders", "Which region is Cedar Inc in?", ["North"], "C4"),
        ("orders", "When was order A-005 ordered?", ["2022-12-31"], "F6"),
        ("staff", "What is the salary of Ana Costa in Research?", ["52"], "E4"),
        ("staff", "Which city does Bo Lind live in?", ["Malmö"], "D3"),
        ("income", "What was revenue in 2023?", ["12,500"], "B2"),
        ("income", "What was the cost of sales in 2022?", ["(6,100)"], "C3"),
        ("income", "What was the gross margin in 2023?", ["41.6%"], "B5"),
        ("sales", "What were the sales of South in 2023?", ["90"], "D4"),
        ("zh", "2023年营业收入是多少？", ["1.2亿"], "B2"),
        ("zh", "2022年净利润是多少？", ["1,960万"], "C4"),
        ("人员", "李娜的月薪是多少？", ["18,500"], "D3"),
        ("人员", "李娜的入职日期是什么时候？", ["2020-07-15"], "E3"),
        # numbers that are names
        ("staff", "What is the salary of employee 0007?", ["39"], "E3"),
        ("staff", "Who is employee 0120?", ["Ana Costa"], "B4"),
        # names that two rows have: both are told
        ("staff", "What is the salary of Ana Costa?", ["41", "52"], "E2"),
        ("人员", "王伟的月薪是多少？", ["12,000", "11,000"], "D2"),
        # filters and counts
        ("orders", "Which customers are in region South?", ["Birch AG", "Elm SA"], "B3"),
        ("orders", "Which orders have an amount over 200?", ["A-001, 2023-03-01", "A-003, 2024-01-15"], "E2"),
        ("orders", "How many orders are open?", ["2"], "D2"),
        ("orders", "How many shipped orders are in North?", ["1"], "D4"),
        ("人员", "销售部有多少人？", ["2"], "C2"),
        # dates and years
        ("orders", "How many orders before 2023-04-01?", ["2"], "F2"),
        ("orders", "How many orders were ordered after 2023?", ["2"], "F4"),
        ("orders", "Which orders were ordered between 2023-01-01 and 2023-12-31?", ["A-001", "A-002"], "A2"),
        ("ships", "Which ship was scrapped in 1968?", ["Aurora"], "A2"),
        ("ships", "Which ship was built in 1968?", ["Delos"], "A5"),
        ("ships", "Which ships were built before 1940?", ["Aurora", "Ceres"], "A2"),
        ("staff", "Who joined in 2020?", ["Dov Katz"], "B5"),
        ("staff", "Who left in 2020?", ["Ana Costa"], "B2"),
        ("人员", "2019年入职的员工有几名？", ["1"], "E2"),
        # sums and means, extremes and ranks
        ("orders", "What is the sum of the amounts of open orders?", ["1,310"], "E2"),
        ("orders", "What is the average amount in region North?", ["767.25"], "E2"),
        ("ships", "What is the sum of length?", ["440"], "D2"),
        ("sales", "What were the total sales in 2022?", ["240"], "B3"),
        ("人员", "销售部的平均月薪是多少？", ["10,900"], "D2"),
        ("orders", "Which customer has the highest amount?", ["Alder Ltd"], "E2"),
        ("sales", "Which region had the highest sales in 2023?", ["North"], "D3"),
        ("ships", "Which is the longest ship?", ["Ceres"], "D4"),
        ("ships", "Which ship has the shortest length?", ["Delos"], "D5"),
        ("orders", "top 2 customers by amount", ["Alder Ltd", "Cedar Inc"], "E2"),
        ("人员", "谁的月薪最低？", ["张强, 2021-01-10"], "D4"),
        # two cells
        ("orders", "What is the difference in amount between Alder Ltd and Cedar Inc?", ["934.5"], "E2"),
        ("income", "By how much did revenue increase from 2022 to 2023?", ["2,500"], "B2"),
        ("income", "What was the growth rate of revenue from 2022 to 2023?", ["25"], "C2"),
        ("income", "Which was higher in 2023, revenue or research and development?", ["Revenue"], "B2"),
        ("income", "What is the ratio of research and development to revenue in 2023?", ["0.1"], "B4"),
        ("income", "How did revenue develop?", ["12,500", "10,000"], "B2"),
        ("zh", "营业收入2023年比2022年增长了百分之几？", ["20"], "C2"),
        ("zh", "2023年净利润比2022年增加了多少？", ["220"], "B4"),
        ("zh", "2023年营业收入和营业成本哪个更高？", ["营业收入"], "B2"),
        ("人员", "李娜和张强的月薪相差多少？", ["8,700"], "D3"),
        # groups and different things
        ("orders", "Amount by region", ["1,534.5", "-60", "75.5"], "E2:E5"),
        ("staff", "Average salary by department", ["40", "50"], "C2"),
        ("staff", "Which department has the highest total salary?", ["Research"], "C4"),
        ("人员", "各部门的平均月薪是多少？", ["10,900", "18,500", "11,000"], "C2"),
        ("orders", "Which different statuses are there?", ["open", "cancelled", "shipped"], "D2"),
        ("orders", "how many different regions", ["3"], "C2"),
        # a row of totals is left out of a sum, and looked up by its name
        ("orders", "What is the total amount?", ["1,550"], "E2"),
        ("income", "What was the total income in 2022?", ["1,960"], "C6"),
        ("人员", "月薪总和是多少？", ["51,300"], "D2"),
        # a sheet of several parts
        ("long", "What is the cost of asset 00430?", ["430"], "C431"),
        ("long", "How many assets are in Lyon?", ["225"], "B2"),
        ("long", "What is the sum of cost in Porto?", ["50,850"], "C3"),
    ],
)  # fmt: skip
def test_a_question_is_answered_with_its_cells(made, name, question, values, first):
    answer = asked(made, name, question)
    assert answer.computed.values == values
    assert cells(answer)[0] == first


@pytest.mark.parametrize(
    ("name", "question", "value"),
    [
        (
            "orders",
            "What share of the amount does Cedar Inc have?",
            "The share of total Amount for Cedar Inc is 19.35%.",
        ),
        ("zh", "2023年净利润占营业收入的比例", "净利润占营业收入的比例为18.17%。"),
        ("人员", "李娜的月薪占比是多少？", "李娜占月薪合计的比例为36.06%。"),
    ],
)
def test_shares_are_told_rounded_in_a_sentence(made, name, question, value):
    assert asked(made, name, question).computed.text.startswith(value)


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("orders", "What is the capital of France?"), ("orders", "Who wrote Hamlet?"), ("人员", "法国的首都是哪里？"),
        ("income", "What was revenue in 2021?"), ("orders", ""), ("orders", "?!"), ("orders", "the of and"),
    ],
)  # fmt: skip
def test_what_the_table_does_not_tell_is_not_answered_from_it(made, name, question):
    assert answer_from_tables(question, made[name], False) is None


def test_how_much_of_one_row_is_no_count_of_it(tmp_path):
    rows = [["Date", "Details", "Paid out", "Paid in"], ["2 May", "Cafe", "", 73], ["9 May", "Rent", 46, ""]]
    assert answer_from_tables("How much was paid for Rent?", [table_of(tmp_path, rows)], False) is None


@pytest.mark.parametrize("question", ["What is the total price?", "Which deal has the highest price?", "average price"])
def test_prices_in_different_currencies_are_neither_added_up_nor_ranked(tmp_path, question):
    table = table_of(tmp_path, [["Deal", "Price"], ["One", "$500"], ["Two", "€400"], ["Three", "$300"]])
    assert answer_from_tables(question, [table], False) is None


def test_every_citation_stands_word_for_word_in_its_node(made):
    for name, question in [
        ("orders", "Rank customers by amount"), ("income", "How did revenue develop?"),
        ("long", "How many assets are in Lyon?"), ("人员", "各部门的平均月薪是多少？"),
        ("sales", "What were the total sales in 2022?"),
    ]:  # fmt: skip
        answer = answer_from_tables(question, made[name], False)
        assert answer is not None and answer.citations
        nodes = {node.node_id: node for node in made[name][0].linked.relation.nodes}
        assert all(one.snippet in nodes[one.node_id].text for one in answer.citations)
        assert [one.n for one in answer.citations] == list(range(1, len(answer.citations) + 1))


def test_the_text_ends_in_the_marks_of_its_citations(made):
    answer = asked(made, "income", "By how much did revenue increase from 2022 to 2023?")
    assert answer.text == ("The difference in Revenue for 2023 – 2022 is €2,500 million. (12,500 − 10,000) [1][2]")
    assert cells(answer) == ["B2", "C2"]


def test_of_several_tables_the_one_that_is_asked_about_answers(made):
    tables = [*made["ships"], *made["income"], *made["orders"]]
    answer = answer_from_tables("Which customer has the highest amount?", tables, False)
    assert answer.table is made["orders"][0]


def test_of_two_tables_alike_in_a_sheet_both_are_told_and_neither_for_sure(tmp_path):
    block = [["Zone", "Sales", "Profit"], ["North", 120, 12], ["South", 95, 8], ["East", 70, 6]]
    later = [block[0], *([name, sales + 7, profit + 1] for name, sales, profit in block[1:])]
    tables = tables_in(write_workbook(tmp_path / "zones.xlsx", [*block, [], [], *later]))
    assert len(tables) == 2
    answer = answer_from_tables("What were the sales of South?", tables, False)
    assert sorted(value for one in answer.all for value in one.computed.values) == ["102", "95"]
    assert sorted(cells(answer)) == ["B3", "B9"]
    assert answer.score < 0.9
    only = answer_from_tables("What were the sales of South?", tables[:1], False)
    assert (only.others, only.score) == ((), 1.0)


def test_a_question_with_the_same_answer_gives_the_same_reading_every_time(made):
    readings = {asked(made, "staff", "Average salary by department").reading.query for _ in range(3)}
    assert len(readings) == 1


def test_a_table_of_a_web_page_is_asked_like_a_sheet(tmp_path):
    page = tmp_path / "fees.html"
    page.write_text(
        "<h1>Fees</h1><table><tr><th>Harbour</th><th>Fee (EUR)</th></tr>"
        "<tr><td>Tolvik</td><td>1,200</td></tr><tr><td>Marrow</td><td>950</td></tr></table>"
    )
    answer = answer_from_tables("What is the fee in Tolvik?", tables_in(page), False)
    assert (answer.computed.values, cells(answer)) == (["1,200"], ["B2"])


# Whatever a table holds and whatever is asked, nothing breaks.

_ODD = st.sampled_from([
    "", "NaN", "inf", "None", "n/a", "—", "007", "1e999", "1E-300", "9" * 40, "1" * 40 + ".125", "(60)", "$1,234.50",
    "12.3%", "1.2亿", "€7", "2023", "2018/2019", "31/12/2023", "Q1 2023", "12:30", "Total", "合计", " / ", "x\x00y",
    "\x07", "a\tb", "a\nb", "tr|ue", "²", "½", "٣", "1234²", "'; DROP TABLE t; --", "%", "{x}", "{0}", "\u200b", "🙂",
    "A" * 500,
])  # fmt: skip
_CELL = st.one_of(_ODD, st.text(max_size=8), st.integers(-(10**6), 10**6).map(str), st.dates().map(str))
_HEAD = st.sampled_from(
    ["", "Amount", "Amount (EUR)", "Region", "Name", "Year", "2022", "2023", "金额（万元）", "占比（%）"]
)
_ASKS = st.sampled_from([
    "how many", "total", "average", "highest", "share of", "growth", "difference", "between", "and", "top 3", "by",
    "over", "before", "trend", "different", "which", "列出", "最高", "占比", "增长率", "多少", "各", "相差", "not",
    "2023",
])  # fmt: skip


@st.composite
def _cases(draw):
    width = draw(st.integers(1, 5))
    kinds = [draw(st.sampled_from([_CELL, _ODD, st.integers(0, 99).map(str)])) for _ in range(width)]
    heads = [[draw(_HEAD) for _ in range(width)] for _ in range(draw(st.integers(0, 2)))]
    rows = heads + [[draw(kind) for kind in kinds] for _ in range(draw(st.integers(0, 7)))]
    if draw(st.booleans()):  # ragged
        rows = [row[: draw(st.integers(0, width))] for row in rows]
    said = [cell for row in rows for cell in row] or ["x"]
    words = draw(st.lists(st.one_of(_ASKS, st.sampled_from(said), st.text(max_size=6)), max_size=8))
    return rows, " ".join(words), draw(st.booleans())


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(_cases())
def test_no_table_and_no_question_breaks_anything(case):
    rows, question, chinese = case
    node = Node("n1", None, "table", text="\n".join(" | ".join(row) for row in rows), metadata={"rows": rows})
    linked = RelationCache().open("d1", 1, [enrich_table(node)], ("Title",))
    hit = Hit("n1", "d1", "a.xlsx", 1, "table", 1.0, 1, None, None, [], "")

    answer = answer_from_tables(question, [TableHit(linked, hit)], chinese)
    assert answer is None or (answer.text and all(one.snippet in node.text for one in answer.citations))


def test_a_word_that_stands_in_a_title_by_chance_excludes_no_rows(tmp_path):
    works = [["Title", "Installed", "Artist"], ["Three short pieces in blue bronze", 1998, "Ito"]]
    works += [[f"Work {n}", 2000 + n % 3, f"Artist {n}"] for n in range(9)]
    answer = answer_from_tables("How many pieces were installed in 2001?", [table_of(tmp_path, works)], False)
    assert answer is not None and answer.computed.values == ["3"]
    assert answer.left_out == ("pieces",)


CAPACITY = [["Country", "Capacity (t)"], ["China", 450], ["India", 50], ["Other", 480], ["World total (rounded)", 1000]]
GRANTS = [
    ["Category", "Detail", "Amount"],
    *(["Parks", f"Trail number {n}", n] for n in range(1, 40)),
    ["Historical Society", "Farm site", 900],
    ["Historical Society", "Old mill", 700],
]


def test_a_share_is_of_the_total_that_the_table_tells(tmp_path):
    answer = answer_from_tables("What is China's share of capacity?", [table_of(tmp_path, CAPACITY)], False)
    assert answer.computed.values == ["45"] and cells(answer) == ["B2", "B5"]


def test_a_share_is_not_of_a_subtotal(tmp_path):
    rows = [["Plant", "Output"], ["Alma", 30], ["Subtotal East", 30], ["Bora", 50], ["Cima", 20], ["Subtotal West", 70]]
    answer = answer_from_tables("What is Bora's share of output?", [table_of(tmp_path, rows)], False)
    assert answer.computed.values == ["50"]


def test_by_how_much_something_grew_is_no_rate(made):
    assert asked(made, "income", "By how much did revenue grow from 2022 to 2023?").computed.values == ["2,500"]


def test_the_only_numbers_of_a_list_are_added_up_and_not_surely_those_meant(tmp_path):
    answer = answer_from_tables(
        "How much did the Historical Society get in total in the bonding bill?", [table_of(tmp_path, GRANTS)], False
    )
    assert answer.computed.values == ["1,600"] and answer.score <= 0.75


def test_of_a_longer_table_that_comes_closest_the_rows_that_the_question_names_are_shown(tmp_path):
    (found,) = near_rows("Which grants may the Historical Society have?", [table_of(tmp_path, GRANTS)])
    header, *rows = found.text.split("\n")
    assert header == "Category | Detail | Amount" and [row.split(" | ")[1] for row in rows] == ["Farm site", "Old mill"]


def test_of_a_table_that_holds_little_of_a_question_nothing_comes_closest(tmp_path):
    assert near_rows("Who may park a boat beside the lake at night?", [table_of(tmp_path, GRANTS)]) == []
