"""Tests for engine/answer/readings.py: what a reader makes of the evidence."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from evidence_maker import evidence

from engine.answer.candidates import candidates
from engine.answer.extractive import best_sentences
from engine.answer.readings import AnswerSpan, agreement, read, with_readings
from engine.answer.sufficiency import assess
from engine.providers.reading import Passage, Reading

LONG = " ".join(f"Sentence number {n} tells of nothing in particular." for n in range(30))


class ScriptedReader:
    """Answers with the words it was given, wherever a passage holds them."""

    name = "scripted"

    def __init__(self, *answers: str, sure: float = 4.0) -> None:
        self.answers, self.sure = answers, sure
        self.passages: list[Passage] = []

    def read(self, question: str, passages: Sequence[Passage]) -> list[Reading]:
        self.passages += passages
        return [self._reading(one.text) for one in passages]

    def _reading(self, text: str) -> Reading:
        for answer in self.answers:
            if answer in text:
                return Reading(self.sure, text.index(answer), text.index(answer) + len(answer))
        return Reading(-self.sure, 0, 4)


def spans_of(question, items, reader):
    return read(question, items, candidates(question, items), reader)


def test_the_answer_is_told_by_its_place_in_the_evidence():
    items = [evidence(1, f"{LONG} The crane was inspected by Ruth Adler. {LONG}")]
    (span,) = spans_of("Who inspected the crane?", items, ScriptedReader("Ruth Adler"))
    assert items[0].text[span.start : span.end] == "Ruth Adler"
    assert span.probability > 0.9


def test_of_a_long_text_the_sentences_around_the_best_one_are_read():
    items = [evidence(1, f"{LONG} The crane was inspected by Ruth Adler. {LONG}")]
    reader = ScriptedReader()
    spans_of("Who inspected the crane?", items, reader)
    assert "crane" in reader.passages[0].text and all(len(one.text) <= 430 for one in reader.passages)


def test_of_the_best_texts_another_place_is_read_where_none_is_sure_and_the_surer_one_told():
    items = [evidence(n, f"Ruth Adler did so. {LONG} The crane was inspected. {LONG}") for n in range(1, 6)]
    reader = ScriptedReader("Ruth Adler")
    spans = spans_of("Who inspected the crane?", items, reader)
    read_in = [items[one.evidence].text[one.start : one.end] for one in spans]
    assert len(spans) == 5 and len(reader.passages) == 8
    sure = ScriptedReader("crane")
    spans_of("Who inspected the crane?", items, sure)
    assert len(sure.passages) == 5
    assert read_in[:3] == ["Ruth Adler"] * 3 and "Ruth Adler" not in read_in[3:]


def test_at_most_eight_texts_are_read_and_no_table():
    items = [evidence(n, f"The crane number {n} was inspected.") for n in range(1, 15)]
    items[0] = evidence(1, "Crane | Inspector\nNorth | Ruth Adler", role="table")
    reader = ScriptedReader()
    spans = spans_of("Who inspected the crane?", items, reader)
    assert len(spans) == 8 and 0 not in {one.evidence for one in spans}


def test_documents_in_which_the_same_is_read_agree_as_far_as_each_is_sure():
    texts = ["冠军是青鸥湾队", "青鸥湾队夺冠", "亚军是白鹭队"]
    items = [evidence(n, text, document=f"{n}.txt") for n, text in enumerate(texts, 1)]
    same, another = [AnswerSpan(0, 3, 7, 9.0), AnswerSpan(1, 0, 4, 9.0)], AnswerSpan(2, 3, 6, 9.0)
    assert agreement(same, items) == pytest.approx((2, 0), abs=0.1)
    assert agreement([*same, another], items) == pytest.approx((2, 1), abs=0.1)
    assert agreement([same[0], another], items) == pytest.approx((1, 1), abs=0.1)
    assert agreement([], items) == (0, 0)
    doubted = [replace(one, certainty=-2.0) for one in same]
    assert 0.5 < agreement(doubted, items).documents < 0.8
    assert agreement(doubted[:1], items).documents < 0.4


def test_one_document_that_says_it_twice_counts_once():
    items = [evidence(n, "青鸥湾队夺冠") for n in (1, 2)]
    items[1] = replace(items[1], hit=replace(items[1].hit, document_id=items[0].hit.document_id))
    twice = [AnswerSpan(0, 0, 4, 9.0), AnswerSpan(1, 0, 4, 9.0)]
    assert agreement(twice, items) == pytest.approx((1, 0), abs=0.1)


def test_a_sentence_that_holds_the_answer_is_quoted_before_one_that_is_only_like_the_question():
    question = "Who inspected the north crane in May?"
    items = [evidence(1, "The north crane is tall and was moved in May. Ruth Adler inspected it. Rain fell.")]
    found = candidates(question, items)
    spans = read(question, items, found, ScriptedReader("Ruth Adler"))
    assert [one.read > 0.9 for one in with_readings(found, spans)] == [False, True, False]
    best = best_sentences(question, with_readings(found, spans), items).sentences
    assert any("Ruth Adler" in one.sentence.text for one in best)


@pytest.mark.parametrize(("sure", "quoted"), [(1.0, True), (-1.0, False)])
def test_the_sentence_a_reader_is_sure_of_is_quoted_beside_those_that_share_the_questions_words(sure, quoted):
    question = "May I bring my dog to the reading room?"
    items = [
        evidence(1, "The reading room may be booked by members. Nobody brings food to the reading room."),
        evidence(2, "Visitors leave animals at the gate. Umbrellas are kept in the hall."),
    ]
    found = candidates(question, items)
    spans = read(question, items, found, ScriptedReader("animals at the gate", sure=sure))
    best = best_sentences(question, with_readings(found, spans), items).sentences
    assert any("animals" in one.sentence.text for one in best) == quoted
    assert any("reading room" in one.sentence.text for one in best)


def test_a_reader_moves_the_verdict_about_prose_and_leaves_tables_alone():
    question, text = "Who inspected the crane?", "The crane was inspected by Ruth Adler."
    prose, table = [evidence(1, text)], [evidence(1, text, role="table"), evidence(2, text)]
    for items, differs in ((prose, True), (table, False)):
        found = candidates(question, items)
        scores = [
            assess(question, items, found, None, read(question, items, found, reader)).score
            for reader in (ScriptedReader("Ruth Adler"), ScriptedReader())
        ]
        assert (scores[0] > scores[1]) == differs


def test_in_a_question_without_a_name_the_reader_tells_more():
    items = [evidence(1, "The monthly rent of Marlow House is 4,200 euros, due on the third working day.")]

    def scores(question):
        found = candidates(question, items)
        spans = [read(question, items, found, ScriptedReader("4,200", sure=sure)) for sure in (-6.0, 6.0)]
        return [assess(question, items, found, None, one).score for one in spans]

    (unsure, sure), (unsure_named, sure_named) = (
        scores(question)
        for question in ("What is the monthly rent?", "What is the monthly rent of Marlow House?")
    )
    assert unsure < sure
    assert unsure_named < sure_named

    def log_odds(score):
        return math.log(score / (1 - score))

    assert log_odds(sure) - log_odds(unsure) > 1.3 * (log_odds(sure_named) - log_odds(unsure_named))
