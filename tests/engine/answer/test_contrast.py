"""A passage that lacks a word of the question which its neighbours have is likely on another thing of the kind."""

import pytest

from engine.answer.contrast import said_of_others
from engine.index.tokenize import tokens

LEASE = [
    "Warehouse lease. Term. The lease of the warehouse ends on 28 February 2032.",
    "Warehouse lease. Rent. The rent of the office on the first floor is 900 euros.",
    "Warehouse lease. Deposit. The tenant pays a deposit before the keys are handed over.",
    "A recipe. Boil the potatoes in an office kitchen.",
]
CUP = [
    "2030年男单。2030年邀请赛男单决赛，沈砚夺得男单冠军。",
    "2031年女单。2031年邀请赛女单决赛，顾青禾夺得女单冠军。",
]


def terms(texts):
    return {index: frozenset(tokens(text)) for index, text in enumerate(texts)}


@pytest.mark.parametrize(
    ("question", "texts", "answering", "least", "most"),
    [
        ("When does the lease of the office end?", LEASE, 0, 0.3, 0.4),
        ("When does the lease of the warehouse end?", LEASE, 0, 0.0, 0.0),
        ("When does the lease of the warehouse expire?", LEASE, 0, 0.0, 0.0),
        ("2031年邀请赛男单冠军是谁？", CUP, 1, 0.05, 0.3),
        ("2031年邀请赛女单冠军是谁？", CUP, 1, 0.0, 0.0),
        ("的吗？", CUP, 0, 0.0, 0.0),
        ("2031年邀请赛男单冠军是谁？", CUP, 7, 0.0, 0.0),
    ],
)
def test_only_words_that_others_on_the_subject_have_count(question, texts, answering, least, most):
    assert least <= said_of_others(question, terms(texts), answering).share <= most


def test_what_only_a_passage_on_something_else_has_does_not_count():
    of_rent = [LEASE[0], LEASE[3]]
    assert said_of_others("When does the lease of the warehouse kitchen end?", terms(of_rent), 0).share == 0.0


@pytest.mark.parametrize(
    ("question", "texts", "answering", "words"),
    [
        ("When does the lease of the office end?", LEASE, 0, ("office",)),
        ("When does the lease of the garage end?", LEASE, 0, ()),
        ("2031年邀请赛男单冠军是谁？", CUP, 1, ("男单",)),
    ],
)
def test_the_words_are_told_as_written(question, texts, answering, words):
    assert said_of_others(question, terms(texts), answering).words == words
