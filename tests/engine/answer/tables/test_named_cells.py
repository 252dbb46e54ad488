"""The one cell that a question names by its row and its column and by nothing else."""

import pytest
from made_tables import source, table_node

from engine.answer.tables.table_questions import answer_from_tables
from engine.answer.tables.table_source import TableSource

MARKS_ZH = source(
    [
        ["学号", "姓名", "语文", "数学", "总分"],
        ["20301", "张雨桐", "118", "132", "250"],
        ["20302", "李浩然", "105", "141", "246"],
        ["20303", "王思琪", "124", "117", "241"],
    ]
)
ORDERS_ZH = source(
    [
        ["订单编号", "供应商", "物料", "数量", "单价", "金额"],
        ["PO-3102", "立达橡胶", "密封圈", "2,400", "1.20", "2,880"],
        ["PO-3103", "华星五金", "垫片", "8,000", "0.08", "640"],
        ["PO-3104", "恒远电子", "温控器", "150", "86.00", "12,900"],
    ]
)
TRAINS = source(
    [
        ["Train", "Departure", "Arrival", "Duration", "Fare (€)"],
        ["IC 201", "06:42", "08:55", "2:13", "39.90"],
        ["RE 17", "07:10", "10:05", "2:55", "27.50"],
        ["EC 88", "12:15", "14:20", "2:05", "45.00"],
    ]
)
AWARDS = source(
    [
        ["Year", "Award", "Category", "Film", "Result"],
        ["2018", "Zee award", "Best Screenplay", "Goodachari", "Won"],
        ["2017", "Utsavam", "Best Story", "Kshanam", "Nominated"],
        ["2014", "Southern award", "Best Debutant", "Kiss", "Nominated"],
    ]
)
PHONES = source(
    [
        ["Model", "Display (in)", "Weight (g)", "5G", "Price"],
        ["Aero 7", "6.1", "168", "Yes", "$549"],
        ["Lite 3", "5.8", "149", "No", "$279"],
        ["Max One", "6.9", "231", "Yes", "$999"],
    ]
)


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("李浩然的数学考了多少分？", MARKS_ZH, ["141"]),
        ("王思琪的学号是多少？", MARKS_ZH, ["20303"]),
        ("温控器的单价是多少？", ORDERS_ZH, ["86.00"]),
        ("密封圈订了多少个？", ORDERS_ZH, ["2,400"]),
        ("PO-3103的供应商是谁？", ORDERS_ZH, ["华星五金"]),
        ("When does the EC 88 leave?", TRAINS, ["12:15"]),
        ("How much is a ticket for EC 88?", TRAINS, ["45.00"]),
        ("Which train is the fastest?", TRAINS, ["EC 88"]),
        ("What award did Goodachari win for best screenplay?", AWARDS, ["Zee award"]),
        ("For which film was he nominated as best debutant?", AWARDS, ["Kiss"]),
        ("Which model costs $279?", PHONES, ["Lite 3"]),
        ("How big is the screen of the Max One?", PHONES, ["6.9"]),
        ("Which models weigh less than 200 g?", PHONES, ["Aero 7", "Lite 3"]),
        ("How many models have 5G?", PHONES, ["2"]),
    ],
)
def test_a_row_and_a_column_are_enough(question, table, expected):
    made = answer_from_tables(question, [table])
    assert made is not None
    assert made.values == expected


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("Which film was nominated in the same category as Kiss?", AWARDS),
        ("Who is the price of the Max One?", PHONES),
        ("What are the tuition fees of the Aero 7?", PHONES),
    ],
)
def test_what_says_more_than_a_row_and_a_column_names_no_cell(question, table):
    assert answer_from_tables(question, [table]) is None


ELECTION = source(
    [
        ["Party", "Candidate", "Votes", "%", "Seats", "+/–"],
        ["INC", "Surendra Bhoi", "57,753", "39.16", "17", "+3"],
        ["BJD", "Jogendra Behera", "52,915", "35.88", "11", "–2"],
        ["BSP", "Debendra Jain", "4,697", "3.18", "4", "–3"],
        ["Turnout", "Turnout", "147,520", "73.13", "", ""],
    ]
)
SCHOOLS = source(
    [
        ["School", "Type", "Carries", "Founded", "Students"],
        ["Lakeside", "Private", "Business", "1994", "2,475"],
        ["Eastern", "Public", "Medicine", "1922", "7,930"],
        ["Applied", "Public", "Arts", "1955", "1,840"],
    ]
)


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("What percentage of the votes did Surendra Bhoi get?", ELECTION, "39.16"),
        ("How many seats did the BSP lose?", ELECTION, "–3"),
        ("Is Lakeside public or private?", SCHOOLS, "Private"),
        ("What does Eastern carry?", SCHOOLS, "Medicine"),
        ("Which is the oldest school?", SCHOOLS, "Eastern"),
    ],
)
def test_shares_gains_choices_and_verbs_name_their_columns(question, table, expected):
    made = answer_from_tables(question, [table])
    assert made is not None
    assert made.values == [expected]


def test_the_last_row_is_a_total_where_it_adds_up_all_others():
    land = source(
        [
            ["District", "Forest", "Farmland"],
            ["Aldern", "112.4", "86.0"],
            ["Borsk", "64.9", "140.2"],
            ["Cullen", "203.7", "31.5"],
            ["Dorne", "12.8", "59.4"],
            ["All districts", "393.8", "317.1"],
        ]
    )
    made = answer_from_tables("Which district has the most farmland?", [land])
    assert made is not None
    assert made.values == ["Borsk"]


@pytest.mark.parametrize(
    "question",
    ["Which schools were founded before Lakeside?", "Which school comes second to last?"],
)
def test_what_asks_for_all_before_one_or_for_the_last_but_one_is_not_answered_by_a_neighbour(question):
    assert answer_from_tables(question, [SCHOOLS]) is None


COURSES_ZH = source(
    [
        ["课程名称", "学分", "任课教师", "教室"],
        ["高等数学", "5", "郑国华", "东102"],
        ["大学物理", "4", "林芳", "东205"],
        ["程序设计", "3", "黄磊", "机房B"],
    ]
)
PROFIT_ZH = source(
    [
        ["项目", "本期金额", "上期金额"],
        ["营业收入", "512,330", "468,902"],
        ["研发费用", "28,117", "24,660"],
        ["净利润", "54,120", "44,873"],
    ]
)


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("大学物理是谁教的？", COURSES_ZH, "林芳"),
        ("学分最多的课程是哪门？", COURSES_ZH, "高等数学"),
        ("上年的研发费用为多少？", PROFIT_ZH, "24,660"),
        ("本年净利润是多少？", PROFIT_ZH, "54,120"),
    ],
)
def test_teachers_courses_and_last_year_are_understood_in_chinese(question, table, expected):
    made = answer_from_tables(question, [table])
    assert made is not None
    assert made.values == [expected]


CONTRACTS_ZH = source(
    [
        ["合同编号", "合同名称", "对方单位", "签订日期", "经办人"],
        ["HT-001", "办公楼装修", "宏建装饰", "2023-02-10", "邓杰"],
        ["HT-003", "物业服务", "安居物业", "2023-01-01", "方晴"],
        ["HT-004", "广告投放", "星途传媒", "2023-08-15", "蒋薇"],
    ]
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("HT-004的经办人是谁？", "蒋薇"),
        ("广告投放合同什么时候签订的？", "2023-08-15"),
        ("HT-003是和谁签的？", "安居物业"),
    ],
)
def test_a_code_beside_chinese_characters_is_a_row(question, expected):
    made = answer_from_tables(question, [CONTRACTS_ZH])
    assert made is not None
    assert made.values == [expected]


def test_a_remark_on_the_unit_is_no_text_beside_the_table():
    rows = [
        ["", "2023", "2022"],
        ["Cash and cash equivalents", "842", "911"],
        ["Inventories", "988", "1,014"],
    ]
    remark = TableSource(table_node(rows), beside=["(in millions)"])
    text = TableSource(table_node(rows), beside=["Cash is held in several banks."])
    assert not remark.stands_in_text
    assert text.stands_in_text
