"""Chinese questions that ask for a cell or an extreme in words of their own."""

import pytest

from engine.answer.tables.table_questions import answer_from_tables
from tests.engine.answer.tables.made_tables import source

TRAINS = [
    ["车次", "出发站", "发车时间", "到达站", "到达时间", "历时", "二等座票价"],
    ["G7331", "杭州东", "07:12", "温州南", "09:38", "2小时26分", "165元"],
    ["G7345", "杭州东", "09:05", "温州南", "11:47", "2小时42分", "158元"],
    ["D5471", "杭州东", "12:30", "温州南", "15:41", "3小时11分", "121元"],
]
LEAGUE = [
    ["名次", "球队", "胜", "平", "负", "进球", "失球", "积分"],
    ["1", "海港联", "15", "4", "3", "44", "18", "49"],
    ["2", "北城竞技", "13", "6", "3", "39", "20", "45"],
    ["3", "东湖", "9", "3", "10", "28", "31", "30"],
]
STAFF = [
    ["工号", "姓名", "部门", "入职日期"],
    ["A1001", "陈晓东", "生产部", "2012-03-15"],
    ["A1002", "李梅", "财务部", "2016-07-01"],
    ["A1003", "王建国", "研发部", "2010-11-20"],
]
MACHINES = [
    ["设备编号", "设备名称", "使用部门", "原值（元）"],
    ["SB-001", "数控车床", "机加车间", "186000"],
    ["SB-002", "激光切割机", "钣金车间", "420000"],
    ["SB-003", "空压机", "动力车间", "68500"],
]
PURIFIERS = [
    ["参数", "KJ300", "KJ500", "KJ800"],
    ["适用面积（㎡）", "20-35", "35-60", "56-96"],
    ["额定功率（W）", "38", "52", "75"],
    ["滤网更换周期", "6个月", "8个月", "12个月"],
    ["净重（kg）", "6.2", "8.8", "13.5"],
]
SITES = [
    ["指标", "青溪", "白鹿", "玉泉", "合计"],
    ["用电量（万千瓦时）", "6,820", "9,435", "4,170", "20,425"],
    ["取水量（万吨）", "41.2", "28.7", "22.5", "92.4"],
    ["废水达标率", "100%", "99%", "100%", "99.6%"],
]
RENTS = [
    ["租赁年度", "单价（元/平方米/月）", "月租金（元）", "年租金（元）"],
    ["第一年", "58.00", "50,025.00", "600,300.00"],
    ["第二年", "61.00", "52,612.50", "631,350.00"],
    ["第三年", "64.00", "55,200.00", "662,400.00"],
]


@pytest.mark.parametrize(
    ("rows", "question", "value"),
    [
        (RENTS, "第二年每个月房租多少？", "52,612.50"),
        (RENTS, "第三年一年的房租是多少？", "662,400.00"),
        (TRAINS, "D5471什么时候到达温州南？", "15:41"),
        (TRAINS, "G7345全程要多久？", "2小时42分"),
        (TRAINS, "哪趟车最便宜？", "D5471"),
        (LEAGUE, "北城竞技赢了几场？", "13"),
        (LEAGUE, "东湖队积多少分？", "30"),
        (LEAGUE, "哪支球队排名第一？", "海港联"),
        (STAFF, "李梅在哪个部门工作？", "财务部"),
        (STAFF, "谁入职最早？", "王建国"),
        (MACHINES, "SB-003是什么设备？", "空压机"),
        (MACHINES, "哪台设备最贵？", "激光切割机"),
        (PURIFIERS, "KJ800的滤网多久更换一次？", "12个月"),
        (PURIFIERS, "KJ300适用于多大面积？", "20-35"),
    ],
)
def test_what_is_asked_in_other_words_is_read_from_its_cell(rows, question, value):
    made = answer_from_tables(question, [source(rows)])

    assert made is not None and made.values == [value]
    assert value in [cell.text for cell in made.cells]


@pytest.mark.parametrize(
    ("question", "value", "figure"),
    [
        ("三个基地里哪个取水最多？", "青溪", "41.2"),
        ("哪个基地用电最少", "玉泉", "4,170"),
        ("哪个基地的用电量最高，是多少？", "白鹿", "9,435"),
    ],
)
def test_the_most_of_a_row_is_the_column_of_its_cell_told_with_the_figure(question, value, figure):
    made = answer_from_tables(question, [source(SITES, "表3 各基地能源数据")])

    assert made is not None and made.values == [value] and figure in made.text
    assert [cell.text for cell in made.cells] == [figure]


@pytest.mark.parametrize(
    "question", ["哪个基地废水达标率最高？", "哪个基地绿化最多？", "哪个基地用电比取水最多？"]
)
def test_no_column_is_the_most_where_two_are_or_the_row_is_another(question):
    assert answer_from_tables(question, [source(SITES, "表3 各基地能源数据")]) is None


@pytest.mark.parametrize(
    ("rows", "question"),
    [
        (TRAINS, "G9999什么时候到达温州南？"),
        (TRAINS, "D5471的餐车在几号车厢？"),
        (LEAGUE, "东湖队有多少名外援？"),
        (LEAGUE, "哪支球队排名第八？"),
        (STAFF, "李梅住在哪里？"),
    ],
)
def test_what_the_table_does_not_tell_is_not_read(rows, question):
    assert answer_from_tables(question, [source(rows)]) is None
