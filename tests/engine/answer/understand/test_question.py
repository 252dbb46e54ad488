import time

import pytest

from engine.answer.understand import understand
from engine.errors import UsageError


@pytest.mark.parametrize("question", ["", "  ", "???", "？！…", "👍🎉", "- — ."])
def test_a_question_without_a_word_asks_for_words(question):
    with pytest.raises(UsageError, match="Write what you want to know"):
        understand(question)


def test_an_endless_question_is_refused():
    with pytest.raises(UsageError, match="longer than 4000"):
        understand("why " * 1001)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("What did 李明 propose at the meeting?", "en"),
        ("iPhone 15 的价格是多少？", "zh"),
        ("押金多少", "zh"),
        ("どこで会議がありますか", "ja"),
        ("2024?", "en"),
    ],
)
def test_the_language_is_that_of_the_question_as_a_whole(question, language):
    assert understand(question).language == language


def test_a_reading_holds_the_exact_things_of_a_question():
    read = understand('What did the "Blue Book" say on Shelf S-12 and 1,500 crates in 2021?')
    assert "Blue Book" in read.names and read.years == (2021,)
    assert {"1500", "2021"} <= set(read.numbers)
    assert any(thing.written == "S-12" for thing in read.numbered)


def test_a_question_is_read_in_a_few_milliseconds():
    understand("How much does the Ministry pay for room 0?")
    started = time.process_time()
    for number in range(50):
        understand(f"How much does the Ministry pay for room {number}?", [("user", "北京的住宿标准是多少？")])
    assert (time.process_time() - started) / 50 < 0.005
