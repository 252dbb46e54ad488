import pytest

from engine.answer.evidence.features import contrasts


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
