from hypothesis import given
from hypothesis import strategies as st

from engine.structure.sentences import sentences_of, split_long


def test_sentences_end_at_stops_in_both_languages_and_not_at_abbreviations():
    assert sentences_of("Dr. A. Smith came. He left!  “Why?” 他走了。为什么？") == [
        "Dr. A. Smith came. ", "He left!  ", "“Why?” ", "他走了。", "为什么？",
    ]  # fmt: skip


@given(st.text(alphabet="ab. !。\n", max_size=400))
def test_sentences_joined_give_the_text_again(text):
    assert "".join(sentences_of(text)) == text


@given(st.text(alphabet="ab. 。", min_size=1, max_size=600))
def test_no_part_is_longer_than_the_limit_and_no_letter_is_lost(text):
    parts = split_long(text, 50)
    assert all(len(part) <= 50 for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())
