"""How right an answer is, beside the answers that a question set has."""

import pytest

from engine.evaluate.metrics import mean_scores, score_answer
from engine.model import Answer


def scored(text, *golds, answered=True, evident=True):
    answer = Answer(text, "direct", "high", answered, [])
    return score_answer(answer, golds, evident=evident)


def test_an_answer_in_the_same_words_is_exact_whatever_its_marks_and_case():
    assert scored("The Rush. [1]", "the rush") == {
        "answered": 1, "em": 1, "f1": 1, "contains": 1, "evidence_f1": 1,
    }  # fmt: skip


def test_a_sentence_that_holds_the_answer_has_part_of_f1():
    found = scored("It was Rush [1].", "Rush")
    assert (found["em"], found["contains"], found["f1"]) == (0, 1, pytest.approx(0.5))


def test_chinese_is_compared_by_characters():
    assert scored("起点是南宁[1]。", "南宁")["f1"] == pytest.approx(2 * 2 / 7)


def test_a_number_is_right_however_it_is_written():
    assert scored("They surrendered 1,308 points.", "1308")["count_acc"] == 1
    assert scored("They surrendered 309 points.", "308")["count_acc"] == 0
    assert "count_acc" not in scored("They won.", "the Panthers")


def test_a_right_answer_from_other_evidence_is_not_consistent_with_it():
    assert scored("Rush", "Rush", evident=False)["evidence_f1"] == 0


def test_a_refusal_scores_nothing_though_it_quotes_the_answer():
    assert not any(scored("Not found. Closest: Rush", "Rush", answered=False).values())


def test_a_measure_is_the_mean_over_the_answers_that_have_it():
    found = mean_scores([scored("12", "12"), scored("Rush", "Rush"), scored("9", "12")])
    assert (found["questions"], found["count_acc"], found["em"]) == (3, 0.5, 0.6667)
