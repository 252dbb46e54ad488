import pytest

from engine.answer.expected import lacks_measure


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("How heavy is the scanner?", True),
        ("How many people work there?", True),
        ("这台水表多重？", True),
        ("一共有多少人？", True),
        ("How long does the guarantee last?", False),
        ("How do I restart it?", False),
        ("多少钱？", False),
        ("为什么要这样做？", False),
    ],
)
def test_measures_and_counts_are_asked_for_in_both_languages(question, asks):
    assert lacks_measure("The scanner is rugged.", question) == asks


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("It weighs 286 g.", True),
        ("Three of them arrived.", True),
        ("共十二人。", True),
        ("The MX5 is a rugged scanner.", False),
        ("本产品适用于住宅。", False),
    ],
)
def test_numbers_are_told_in_digits_and_words_and_not_by_a_code_of_the_question(text, tells):
    assert lacks_measure(text, "How heavy is the MX5, and how many are there?") == (not tells)


@pytest.mark.parametrize("text", ["She was born on 5 June 1922.", "On June 5 it opened.", "于6月5日开业。"])
def test_the_numbers_of_a_date_count_nothing(text):
    assert lacks_measure(text, "How many people work there?")
