import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.answer.check import compare as module
from engine.providers.entailment import open_judge


def compare(a, b, title_a="", title_b=""):
    return module.compare(a, b, title_a, title_b, open_judge())


def verdict(a, b):
    """The verdict, the same whichever statement comes first."""
    one, other = compare(a, b), compare(b, a)
    assert one.verdict == other.verdict
    return one.verdict


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The firm sold 1.2 million units abroad.", "The firm sold 1,200 thousand units abroad."),
        ("The firm sold 1.2 million units abroad.", "The firm sold 1,200,000 units abroad."),
        ("公司员工共3.2万人。", "公司员工共32000人。"),
        ("公司营业收入为1.5亿元。", "公司营业收入为15,000万元。"),
        ("The bridge is 1.5 km long and 20 m wide.", "The bridge is 1,500 m long and 20 m wide."),
        (
            "The contract was signed on May 1, 2024 in Berlin.",
            "The contract was signed on 2024-05-01 in Berlin.",
        ),
        (
            "The contract was signed on 1 May 2024 in Berlin.",
            "The contract was signed on 05/01/2024 in Berlin.",
        ),
        ("合同于2024-05-01签署，有效期三年。", "合同于2024年5月1日签署，有效期3年。"),
        ("合同于二〇二四年五月一日签署。", "合同于2024年5月1日签署。"),
        ("The team had five players left.", "The team had 5 players left."),
        ("成本下降了百分之五。", "成本下降了5%。"),
        ("每日按欠款的万分之五付违约金。", "每日按欠款的0.05%付违约金。"),
        ("About 1.2 million people live in the city.", "1,234,567 people live in the city."),
        ("The price was $5 million in all.", "The price was USD 5,000,000 in all."),
        ("It opened in May 2024 to the public.", "It opened on May 3, 2024 to the public."),
        ("The Harbour Bridge is made of steel.", "The Harbour Bridge is made of steel."),
        ("The lease runs for two years.", "The lease runs for 24 months."),
        ("The notice period is two weeks.", "The notice period is 14 days."),
        ("The notice period is 30 days.", "The notice period is 1 month."),
        ("保修期为36个月。", "保修期为三年。"),
        ("最高时速不得超过二十五公里。", "最高时速不得超过25公里。"),
    ],
)
def test_the_same_fact_in_other_forms_agrees(a, b):
    assert verdict(a, b) == "agree"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The team had five players and won three games.", "The team had six players and won three games."),
        ("The building is 48.8 m wide.", "The building is 48.8 km wide."),
        ("公司实现营业收入12亿元，同比增长5%。", "公司实现营业收入13亿元，同比增长5%。"),
        ("公司员工共3.2万人。", "公司员工共3.2亿人。"),
        ("The tower is 300 metres high.", "The tower, near the river, is 320 metres high."),
        ("The price was $5 million in all.", "The price was €5 million in all."),
        ("About 500 people came to the fair.", "About 537 people came to the fair."),
        ("The lease runs for two years.", "The lease runs for 25 months."),
        ("最高时速不得超过二十五公里。", "最高时速不得超过三十公里。"),
        ("登记期限为三十日。", "登记期限为六十日。"),
    ],
)
def test_another_amount_differs_in_number(a, b):
    assert verdict(a, b) == "number"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The Harbour Bridge opened in 1932.", "The Harbour Bridge opened in 1933."),
        ("The Harbour Bridge opened in 1932.", "In 1933 the Harbour Bridge opened."),
        ("张三出生于1985年3月2日。", "张三出生于1985年3月5日。"),
        ("公司成立于2001年，注册资本5000万元。", "公司成立于2003年，注册资本5000万元。"),
        ("The contract was signed on May 1, 2024.", "The contract was signed on 2024-05-02."),
        ("The law was passed in March 1999.", "The law was passed in April 1999."),
    ],
)
def test_another_day_or_year_of_an_event_differs_in_date(a, b):
    assert verdict(a, b) == "date"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The museum was designed by John Smith.", "The museum was designed by Mary Jones."),
        ("该桥由李明设计，全长1149米。", "该桥由王明华设计，全长1149米。"),
        ("公司总部位于北京市海淀区。", "公司总部位于上海市海淀区。"),
    ],
)
def test_another_name_differs_in_entity(a, b):
    assert verdict(a, b) == "entity"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("In 2022, revenue was $5 million.", "In 2023, revenue was $6 million."),
        ("Revenue was $5 million in 2022.", "Revenue was $5 million in 2023."),
        ("2022年，公司实现营业收入12亿元。", "2023年，公司实现营业收入12亿元。"),
        ("合并报表净利润为3.5亿元。", "母公司净利润为3.1亿元。"),
        ("Consolidated net income was 3 million.", "Parent company net income was 2 million."),
        ("上半年公司营业收入5亿元。", "下半年公司营业收入6亿元。"),
        ("Sales in Europe rose by 5% to $3 million.", "Sales in Asia rose by 4% to $2 million."),
        ("In Germany, the company employed 500 people.", "In France, the company employed 700 people."),
        ("In Germany, the company employed 500 people.", "The company employed 700 people."),
        (
            "As of December 31, 2022, the debt was 5 million.",
            "As of December 31, 2023, the debt was 6 million.",
        ),
        ("税前利润为500万元。", "税后利润为400万元。"),
        ("Version 2.1 needs 4 GB of memory.", "Version 3.0 needs 8 GB of memory."),
        ("版本2.1需要4GB内存。", "版本3.0需要8GB内存。"),
    ],
)
def test_another_year_region_part_or_set_of_accounts_is_another_scope(a, b):
    assert verdict(a, b) == "scope"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The device supports wireless charging.", "The device does not support wireless charging."),
        ("该设备支持无线充电功能。", "该设备不支持无线充电功能。"),
        ("Revenue increased by 5% to 3 million euros.", "Revenue decreased by 5% to 3 million euros."),
    ],
)
def test_what_one_denies_is_told(a, b):
    assert verdict(a, b) == "negation"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The cat sat on the mat.", "Interest rates rose by 5% in the euro area."),
        ("Alpha's revenue was $5 million.", "Beta's revenue was $6 million."),
        ("Steel production fell by 3% to 20 tons.", "The bridge is made of 20 tons of steel."),
        ("公司总部位于北京。", "员工可享受十天年假。"),
    ],
)
def test_statements_on_different_things_are_not_compared(a, b):
    assert verdict(a, b) == "not_comparable"


def test_a_number_that_names_a_table_or_article_is_no_clear_contradiction():
    found = compare("Table 3 shows the yearly output of the plants.", "Table 4 shows the yearly output of the plants.")
    assert not found.clear


def test_rows_of_a_scale_that_differ_in_their_number_and_their_amount_are_of_another_scope():
    said = "Staff in grade {} may claim up to {} euros per night for hotels abroad."
    assert compare(said.format(3, 105), said.format(7, 245)).verdict == "scope"
    assert compare(said.format(3, 105), said.format(3, 245)).verdict == "number"


def test_what_stands_under_titles_of_two_things_of_a_kind_is_of_another_scope():
    led = "项目负责人：张三。", "项目负责人：李四。"
    assert compare(*led, "封面 C项目总结", "封面 D项目总结").verdict == "scope"
    assert compare(*led, "封面 C项目总结", "封面 C项目总结").contradicts
    assert compare("The manager is Ann Lee.", "The manager is Bob Ray.", "Plant C", "Plant D").verdict == "scope"


def test_another_part_of_a_whole_is_no_clear_contradiction():
    assert not compare("The cloud segment earned $5 million.", "The retail segment earned $5 million.").clear


def test_what_differs_is_given_as_written():
    found = compare("The bridge cost $6.25 million to build.", "The bridge cost $7 million to build.")
    assert (found.a_differs, found.b_differs, found.contradicts) == ("$6.25 million", "$7 million", True)


@settings(max_examples=150, deadline=None)
@given(st.text("一二三十百千万亿零〇两第年月日点分之%.,:/- 0123456789aMy$€FQthirdtwohundredin", max_size=40))
def test_any_text_can_be_compared_and_agrees_with_itself(text):
    assert compare(text, text).verdict in ("agree", "not_comparable")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("预估卡路里：1826 大卡", "预估卡路里：1657 大卡"),
        ("水箱容积为1500 毫升。", "水箱容积为1800 毫升。"),
        ("The battery holds 2000 mAh when full.", "The battery holds 1800 mAh when full."),
    ],
)
def test_a_number_with_a_unit_is_no_year(a, b):
    assert verdict(a, b) == "number"


PARTIES = "Party B is liable for damage up to 250,000 euros.", "Party A is liable for damage up to 50,000 euros."
DELAYS = "乙方逾期交货的，每日按货款的千分之一付违约金。", "甲方逾期付款的，每日按货款的万分之五付违约金。"
YEARS = "In 2022 we sold 52,500 mixers.", "In 2023 we sold 48,200 mixers."
CLAUSES = "第十条 管理人员违规用电的，罚款500元。", "第七条 住宿人员违规用电的，罚款200元。"
HEIRS = "乙方解除合同的，应向甲方赔偿百分之三十。", "甲方解除合同的，应向乙方赔偿百分之二十。"


@pytest.mark.parametrize(
    ("of_here", "of_there", "sentences"),
    [
        ("Up to what amount is Party B liable?", "Party A has to pay up to 250,000 euros.", PARTIES),
        ("乙方逾期的违约金是多少？", "甲方的违约金是每日千分之一。", DELAYS),
        ("In 2022 they sold 52,500 of them.", "52,500 mixers were sold in 2023.", YEARS),
        ("第十条罚多少？", "第七条罚款500元。", CLAUSES),
        ("乙方解除合同要赔多少？", "甲方解除合同须赔百分之三十。", HEIRS),
    ],
)
def test_what_a_text_speaks_of_is_told_from_a_sentence_much_alike(of_here, of_there, sentences):
    here, there = ([one] for one in sentences)
    assert module.rather_of(of_there, here, there) and not module.rather_of(of_there, there, here)
    assert module.rather_of(of_here, there, here) and not module.rather_of(of_here, here, there)
    assert not module.rather_of(of_there, here, ["The moon is made of rock. 月亮由岩石构成。"])


def test_the_titles_that_differ_say_what_a_sentence_is_of():
    here, there = ["Mixers", "Aron", "It runs for 20 minutes."], ["Mixers", "Bela", "It runs for 35 minutes."]
    assert module.rather_of("How long may the Bela run?", here, there)
    assert not module.rather_of("How long may the mixers run?", here, there)


def test_what_two_parties_owe_contradicts_nothing():
    assert [verdict(*pair) for pair in (PARTIES, CLAUSES)] == ["scope", "scope"]


def test_a_share_in_thousandths_is_rounded_from_no_other():
    assert verdict("每日按货款的千分之一付违约金。", "每日按货款的万分之五付违约金。") == "number"
