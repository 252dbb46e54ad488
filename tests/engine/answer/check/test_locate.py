import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.answer.check.locate import locate
from engine.structure.terms import find_folded

BRIDGE = (
    "The Harbour  Bridge\nopened in 1932. It took eight years to build and cost “6.25 million” pounds. "
    "Some 1,400 men worked on it."
)


def found(claim, text, role="paragraph"):
    place = locate(claim, text, role)
    return place and (text[place.start : place.end], place.kind)


def test_a_claim_that_stands_there_word_for_word_is_its_own_snippet():
    assert found("Some 1,400 men worked on it.", BRIDGE) == ("Some 1,400 men worked on it", "exact")


def test_white_space_case_width_and_quotes_do_not_matter_and_the_snippet_is_the_node_s_own():
    assert found("the harbour bridge OPENED in １９３２", BRIDGE) == (
        "The Harbour  Bridge\nopened in 1932",
        "exact",
    )
    assert found('cost "6.25 million" pounds', BRIDGE) == ("cost “6.25 million” pounds", "exact")


def test_marks_of_emphasis_do_not_matter_and_brackets_around_a_number_do():
    text = "It becomes effective 7 days after the meeting. Net income was (60) million."
    assert found("becomes effective **7 days** after the meeting.", text)[1] == "exact"
    assert find_folded("Net income was 60 million", text) is None


def test_a_paraphrase_is_given_the_sentence_that_shares_most_with_it():
    assert found("To build it men needed eight years.", BRIDGE)[0].startswith("It took eight years")


def test_two_neighbouring_sentences_stand_behind_a_claim_that_joins_them():
    snippet, _ = found("The Harbour Bridge opened in 1932 after eight years of building", BRIDGE)
    assert snippet.startswith("The Harbour") and snippet.endswith("pounds.")


def test_a_quotation_in_the_claim_leads_to_its_sentence():
    snippet, kind = found("Opinions differ, yet the file says “1,400 men worked” there", BRIDGE)
    assert kind == "quote" and snippet == "Some 1,400 men worked on it."


def test_a_claim_about_something_else_is_not_located():
    assert found("Purple elephants dance wildly", BRIDGE) is None
    assert found("", BRIDGE) is None and found("x", "") is None


def test_chinese_is_located_across_line_breaks():
    assert found("大桥于1932年通车", "悉尼海港大\n桥于 1932 年通车。")[0] == "大\n桥于 1932 年通车"


def test_a_row_supports_a_claim_about_a_table():
    assert found("Paint cost 300", "Item | Cost\nSteel | 4,500\nPaint | 300", "table")[0] == "Paint | 300"


def test_the_row_with_the_figure_supports_a_claim_whose_words_are_the_title_s():
    table = "Cases registered against police staff - 2019\nState | Cases\nBihar | 31\nKerala | 1681"
    claim = "Most cases against police staff were registered in Kerala: 1681 cases."
    assert found(claim, table, "table")[0] == "Kerala | 1681"


def test_a_very_long_sentence_is_narrowed_to_the_clauses_that_matter():
    text = "filler words, " * 60 + "the tower is ninety metres tall, " + "more filler, " * 60
    snippet, _ = found("How tall: the tower is about ninety metres", text)
    assert "ninety metres" in snippet and len(snippet) <= 400


@given(st.text(max_size=80), st.integers(0, 80), st.integers(1, 40))
def test_any_stretch_of_a_text_is_found_again(text, start, length):
    stretch = text[start : start + length]
    place = find_folded(stretch, text)
    if place is not None:
        assert find_folded(stretch, text[place[0] : place[1]]) is not None


@pytest.mark.parametrize("text", ["ﬁne ﬁsh", "ＡＢＣ　ＤＥＦ", "Straße"])
def test_folding_that_changes_lengths_keeps_exact_offsets(text):
    start, end = find_folded(text, text)
    assert text[start:end] == text
