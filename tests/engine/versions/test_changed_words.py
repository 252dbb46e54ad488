"""Words that differ, marked."""

from engine.versions.changes import changed_words


def marked(before, after):
    forms = {"same": "{}", "removed": "[-{}]", "added": "[+{}]"}
    return "".join(forms[span.kind].format(span.text) for span in changed_words(before, after))


def test_a_number_is_marked_whole():
    assert marked("up 1,234.5 % now", "up 1,239.5 % now") == "up [-1,234.5][+1,239.5] % now"


def test_chinese_is_marked_by_characters():
    assert marked("年假为十五天。", "年假为二十天。") == "年假为[-十五][+二十]天。"


def test_single_letters_do_not_stay_between_replaced_phrases():
    assert marked("one two, three four", "five six, seven eight") == ("[-one two, three four][+five six, seven eight]")


def test_the_spans_are_both_texts_word_for_word():
    before, after = "The fee of 30 euros is due on 1 May.", "A fee of 35 euros was due on 1 May, at noon."
    spans = changed_words(before, after)
    assert "".join(span.text for span in spans if span.kind != "added") == before
    assert "".join(span.text for span in spans if span.kind != "removed") == after
