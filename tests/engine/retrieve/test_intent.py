"""What a question asks for beside its words."""

import pytest

from engine.retrieve.query import Intent, intent_of


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("What does Figure 3b show?", ["figure 3b"]),
        ("图3b与表２－１说明了什么？", ["figure 3b", "table 2-1"]),
        ("第三章讲什么", ["chapter 3"]),
        ("Who founded it?", []),
    ],
)
def test_labels_are_read_however_they_are_written(question, keys):
    assert [label.key for label in intent_of(question).labels] == keys


def test_kinds_and_operations_are_told_in_both_languages():
    assert intent_of("Which column of the table has the highest share?").roles == {"table"}
    assert intent_of("Which column of the table has the highest share?").operations >= {"RANK", "PERCENT"}
    assert intent_of("表格里营业收入的增长趋势如何").roles == {"table"}
    assert "TREND" in intent_of("表格里营业收入的增长趋势如何").operations
    assert intent_of("Who wrote the letter?") == Intent()
