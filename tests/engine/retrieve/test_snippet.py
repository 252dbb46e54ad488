"""Snippets: whole sentences, word for word."""

import pytest

from engine.retrieve.query import understand
from engine.retrieve.snippet import Passage, Sought
from engine.structure.sentences import clause_spans

FILLER = "Nothing of note is said here. " * 20


def passage(text, question, context=""):
    return Passage(text, context, Sought(understand(question).terms))


@pytest.mark.parametrize("text", ["", "One. Two! 三。四？\nfive", "no end", "3.5 percent, e.g. this."])
def test_sentences_cover_the_text_without_gaps(text):
    assert "".join(text[start:end] for start, end in clause_spans(text)) == text


def test_a_number_does_not_end_a_sentence():
    assert len(clause_spans("It rose by 3.5 percent. Then it fell.")) == 2


def test_the_snippet_shows_the_sentence_that_answers():
    text = FILLER + "The cat sleeps sixteen hours a day. " + FILLER
    snippet = passage(text, "How long does a cat sleep?").snippet()
    assert "sixteen hours" in snippet
    assert snippet in text


def test_a_sentence_longer_than_a_snippet_is_cut_around_what_was_asked():
    text = "字" * 2000 + "猫睡觉" + "字" * 2000
    snippet = passage(text, "猫睡觉多久").snippet(100)
    assert "猫睡觉" in snippet
    assert len(snippet) <= 100


def test_evidence_is_the_share_of_the_question_in_neighbouring_sentences_and_titles():
    assert passage("猫睡觉。", "猫睡觉").evidence == pytest.approx(1)
    assert passage("Nothing.", "cat sleep").evidence == 0
    assert passage("It sleeps.", "cat sleep", context="The cat").evidence == pytest.approx(1)
    apart = "The cat is here. " + FILLER + "It sleeps."
    assert passage(apart, "cat sleep").evidence == pytest.approx(0.5)
