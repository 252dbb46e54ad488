import pytest

from engine.answer.evidence.features import contrasts
from tests.engine.answer.evidence_maker import evidence


@pytest.mark.parametrize(
    ("question", "sentence", "above", "other"),
    [
        ("Do full-time employees get a bonus?", "Part-time employees get no bonus.", "Pay", True),
        ("Do full-time employees get a bonus?", "Part-time employees get no bonus.", "Full-time work", False),
        ("Do part-time employees get a bonus?", "Part-time employees get no bonus.", "Pay", False),
        ("Do all employees get a bonus?", "Part-time employees get no bonus.", "Pay", False),
        ("正式员工有补贴吗？", "试用期员工不享受补贴。", "补贴", True),
        ("试用期员工有补贴吗？", "试用期员工不享受补贴。", "补贴", False),
    ],
)
def test_a_word_qualified_otherwise_is_another_thing(question, sentence, above, other):
    assert contrasts(question, sentence, above) is other


@pytest.mark.parametrize(
    ("question", "sentence", "beside", "other"),
    [
        ("What does the half-day rate cost?", "The full-day rate is 300 euros.", "Rooms are let by the day.", True),
        ("What does the half-day rate cost?", "The full-day rate is 300 euros.", "A half-day has four hours.", False),
        ("夜班津贴是多少？", "白班津贴为每班二十元。", "工资每月发放。", True),
        ("夜班津贴是多少？", "白班津贴为每班二十元。", "夜班从晚上十点开始。", False),
        ("城市属于哪一种气候？", "城市属于温带湿润气候。", "冬季不冷。", False),
        ("Which 3 layers are there?", "Three layers are there.", "They are thin.", False),
    ],
)
def test_a_qualifier_that_is_told_of_beside_the_sentence_is_no_contrast(question, sentence, beside, other):
    assert contrasts(question, sentence, "", [evidence(1, beside)]) is other
