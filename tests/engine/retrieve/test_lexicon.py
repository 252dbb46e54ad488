"""The dictionary in both directions and both scripts."""

import pytest

from engine.providers.dictionary import Entry
from engine.retrieve.lexicon import Lexicon, lexicon


@pytest.fixture(scope="module")
def words():
    return Lexicon([
        Entry("總理", "总理", ["premier", "prime minister", "CL:個|个[ge4],位[wei4],名[ming2]"]),
        Entry("保險", "保险", ["insurance", "to insure", "safe", "secure"]),
        Entry("保險費", "保险费", ["insurance premium"]),
        Entry("車", "车", ["car", "abbr. for something"]),
        Entry("汽車", "汽车", ["car", "automobile", "bus", "CL:輛|辆[liang4]"]),
        Entry("頭髮", "头发", ["hair (on the head)"]),
        Entry("出發", "出发", ["to set off", "to start (on a journey)"]),
        Entry("發", "发", ["to send out"]),
        Entry("髮", "发", ["hair"]),
        Entry("王", "王", ["surname Wang"]),
        Entry("化", "化", ["-ization", "to change into"]),
    ])  # fmt: skip


def test_a_word_has_the_stems_of_each_of_its_meanings(words):
    assert words.english("总理") == [("premier",), ("prime", "minist")]
    assert words.english("保险") == [("insur",), ("safe",), ("secur",)]
    assert words.english("头发") == [("hair",)]


def test_what_a_dictionary_says_about_a_word_is_no_meaning_of_it(words):
    assert words.english("王") == []
    assert words.english("车") == [("car",)]
    assert words.english("化") == [("chang",)]


def test_a_meaning_has_all_its_words_in_both_scripts(words):
    assert set(words.chinese(("car",))) == {"车", "車", "汽车", "汽車"}
    assert set(words.chinese(("prime", "minist"))) == {"總理", "总理"}
    assert words.chinese(("minist",)) == []


def test_the_longest_words_of_a_text_are_found(words):
    assert words.chinese_words("总理的保险费和汽车") == ["总理", "保险费", "汽车"]
    assert words.chinese_words("no Chinese") == []


@pytest.mark.parametrize(
    ("simplified", "traditional"),
    [
        ("头发和出发", "頭髮和出發"),
        ("这个问题为什么重要？", "這個問題為什麼重要？"),
        ("表面与面条", "表面與麵條"),
    ],
)
def test_texts_are_written_in_the_other_script_and_back(simplified, traditional):
    assert lexicon().traditional(simplified) == traditional
    assert lexicon().simplified(traditional) == simplified


@pytest.mark.parametrize("text", ["什么是著名的乾隆", "名著", "plain English"])
def test_what_is_in_a_script_already_stays_as_it_is(text):
    assert lexicon().simplified(text) == text
