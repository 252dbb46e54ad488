import pytest

from engine.answer.told_as_plan import only_planned


@pytest.mark.parametrize(
    ("question", "sentence", "planned"),
    [
        ("2024年第三季度实际完成了多少营业收入？", "第三季度计划实现营业收入5,200万元。", True),
        ("What was the actual cost?", "The cost is expected to be £2 million.", True),
        ("What was the actual cost?", "The actual cost was £2 million, above the budget.", False),
        ("What was the actual cost against the budget?", "The budget was £2 million.", False),
        ("What did it cost?", "It was planned to cost £2 million.", False),
        ("实际产量是多少？", "全年产量为6万台。", False),
    ],
)
def test_a_plan_is_not_what_came_of_it(question, sentence, planned):
    assert only_planned(question, sentence) == planned
