import pytest

from engine.answer.tables.said_units import without_the_list


@pytest.mark.parametrize(
    ("question", "bare"),
    [
        ("how many people on the staff list are in hull?", "how many people  are in hull?"),
        ("花名册里工资最高的是谁", "工资最高的是谁"),
        ("表中有几个人", "有几个人"),
        ("水表有多少台", "水表有多少台"),
        ("利润表上年的收入", "利润表上年的收入"),
        ("谁是代表", "谁是代表"),
    ],
)
def test_the_list_that_things_stand_in_is_left_out(question, bare):
    assert without_the_list(question) == bare
