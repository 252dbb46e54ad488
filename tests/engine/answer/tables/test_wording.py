"""Results in words, in both languages: units, groups, comparisons and long lists."""

import pytest
from read_tables import NAMED, relation_of

from engine.answer.tables.query import LABEL, Condition, Operand, Query
from engine.answer.tables.run import run
from engine.answer.tables.wording import MOST_LISTED, sentence


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("words")
    return {name: relation_of(folder, one) for name, one in NAMED.items()}


def row(name):
    return (Condition((LABEL,), "=", (name,)),)


def where(column, value, comparison="="):
    return (Condition((column,), comparison, (value,)),)


def sides(column, *names):
    return tuple(Operand(column, row(name)) for name in names)


@pytest.mark.parametrize(
    ("name", "query", "english", "chinese"),
    [
        ("income", Query("lookup", (1,), row("Revenue")), "Revenue for 2023 is €12,500 million.",
         "2023年的Revenue为12,500百万欧元。"),
        ("income", Query("lookup", (1,), row("Gross margin")), "Gross margin for 2023 is 41.6%.",
         "2023年的Gross margin为41.6%。"),
        ("orders", Query("lookup", (4,), row("A-002")), "Amount for A-002 is (60) EUR.", "A-002的Amount为(60) EUR。"),
        ("ships", Query("max", (3,), told=(0,)), "Ceres: Length 134 m.", "Ceres：Length 134 m。"),
        ("ships", Query("lookup", (0,), where(2, "1968"), (0,)), "Ship is Aurora.", "Ship为Aurora。"),
        ("orders", Query("count", (), where(3, "open")), "2 found: Status open.", "共2项（Status open）。"),
        ("orders", Query("count", (), where(4, "300", ">")), "1 found: Amount > €300.", "共1项（Amount > 300欧元）。"),
        ("orders", Query("average", (4,), where(2, "North")),
         "The average of Amount for North over 2 rows is €767.25. ((1,234.50 + 300) / 2)",
         "North的Amount的平均值（共2行）为767.25欧元。 ((1,234.50 + 300) / 2)"),
        ("income", Query("diff", operands=sides(1, "Revenue", "Cost of sales")),
         "The difference in 2023 for Revenue – Cost of sales is €19,800 million. (12,500 − (7,300))",
         "Revenue – Cost of sales的2023之差为19,800百万欧元。 (12,500 − (7,300))"),
        ("zh", Query("share", operands=sides(1, "净利润", "营业收入")),
         "净利润 as a share of 营业收入 is 18.17%. (2,180万 / 1.2亿)",
         "净利润占营业收入的比例为18.17%。 (2,180万 / 1.2亿)"),
        ("zh", Query("compare", operands=sides(1, "营业成本", "营业收入")),
         "营业收入 is larger: 1.2亿, against 7,300万 for 营业成本.", "营业收入更高：1.2亿，营业成本为7,300万。"),
        ("人员", Query("sum", (3,), by=2),
         "The total of 月薪 by 部门, ¥51,300 in all, 3 found:\n\n"
         "- 销售部: ¥21,800\n- 研发部: ¥18,500\n- 财务部: ¥11,000",
         "各部门的月薪合计，总计51,300元，共3项：\n\n- 销售部：21,800元\n- 研发部：18,500元\n- 财务部：11,000元"),
        ("orders", Query("distinct", (2,)), "Region, 3 found:\n\n- North\n- South\n- West",
         "Region，共3项：\n\n- North\n- South\n- West"),
        ("income", Query("trend", (1, 2), row("Revenue")),
         "Revenue, 2 found:\n\n- 2023: €12,500 million\n- 2022: €10,000 million",
         "Revenue，共2项：\n\n- 2023：12,500百万欧元\n- 2022：10,000百万欧元"),
        ("orders", Query("lookup", (4,), where(2, "East")), "No row fulfils this.", "没有符合条件的行。"),
    ],
)  # fmt: skip
def test_a_result_is_a_sentence_in_the_language_of_the_question(made, name, query, english, chinese):
    result = run(query, made[name])
    assert sentence(result, made[name], False) == english
    assert sentence(result, made[name], True) == chinese


def test_two_that_are_the_same_are_said_to_be(made):
    relation = made["staff"]
    two = (Operand(4, where(0, "0012")), Operand(4, where(0, "0012")))
    assert sentence(run(Query("compare", operands=two), relation), relation, False) == (
        "Ana Costa and Ana Costa are the same: 41."
    )


def test_a_row_without_a_name_is_told_by_what_was_asked_for_alone(tmp_path):
    relation = relation_of(tmp_path, [["Ship", "Length (m)"], ["Aurora", 98], [None, 134]])
    assert sentence(run(Query("max", (1,), told=(0,)), relation), relation, False) == "Length 134 m."


def test_a_long_list_says_how_many_it_leaves_out(tmp_path):
    relation = relation_of(tmp_path, [["Item", "Kind", "Tons"], *([f"i{n}", "x", n] for n in range(1, 31))])
    text = sentence(run(Query("rank", (2,), told=(0,)), relation), relation, False)
    assert text.startswith("Tons, 30 found:\n\n- i30: 30\n- i29: 29\n") and text.endswith("\n- … and 10 more.")
    assert text.count("\n- ") == MOST_LISTED + 1


def test_braces_and_percent_signs_in_cells_are_only_text(tmp_path):
    relation = relation_of(tmp_path, [["Key", "Kind", "Value"], ["{0}", "x", "{value} %s"], ["b", "y", "{"]])
    result = run(Query("lookup", (2,), where(1, "x"), (0,)), relation)
    assert sentence(result, relation, False) == "Value for x, {0} is {value} %s."


def test_which_group_is_told_is_not_said_twice(made):
    relation = made["人员"]
    query = Query("sum", (3,), where(2, "销售部"), by=2)
    assert sentence(run(query, relation), relation, False) == "销售部: ¥21,800 (The total of 月薪 by 部门)."


def test_a_row_of_many_cells_is_a_list_below_its_name(tmp_path):
    header = ["Boat", "Flag", "Berth", "Crew", "Deck", "Mast", "Sail", "Paint"]
    rows = [
        ["Aurora", "NO", "N1", "Kim", "oak", "pine", "red", "blue"],
        ["Ceres", "SE", "S2", "Lee", "elm", "oak", "tan", "grey"],
    ]
    relation = relation_of(tmp_path, [header, *rows])
    told = sentence(run(Query("lookup", tuple(range(1, 8)), where(0, "Ceres")), relation), relation, False)
    assert told.startswith("Ceres:\n\n- Flag SE\n- Berth S2\n") and told.count("\n- ") == 7
