"""Saved questions of several owners."""

import pytest

from engine.errors import NotFoundError
from engine.model import ExpectedNode, Filters

NODE = ExpectedNode("n1", "d1", "report.pdf", 2, "table", 4, "Sales | 5")
FILTERS = Filters(documents=("report.pdf",), pages=(2, 5), units=("%",), has_numbers=True)


def test_a_saved_question_comes_back_as_it_was(storage):
    saved = storage.questions.add("ann", "How much?", [NODE], FILTERS, "table")
    assert storage.questions.list("ann") == [saved]
    assert saved.expected == [NODE]
    assert saved.filters == FILTERS


def test_questions_are_listed_newest_first(storage):
    for text in ("first", "second", "third"):
        storage.questions.add("ann", text, [NODE], Filters())
    listed = storage.questions.list("ann")
    assert sorted(listed, key=lambda one: -one.created_at) == listed


def test_nobody_sees_or_deletes_anothers_question(storage):
    saved = storage.questions.add("ann", "How much?", [NODE], Filters())
    assert storage.questions.list("bob") == []
    with pytest.raises(NotFoundError):
        storage.questions.delete("bob", saved.question_id)
    storage.questions.delete("ann", saved.question_id)
    assert storage.questions.list("ann") == []
