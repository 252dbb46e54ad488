from engine.answer.coverage import state_coverage
from engine.answer.phrases import ENGLISH
from engine.answer.refusal import Searched
from engine.model import Answer, Citation


def resting_on(*documents):
    sources = [
        Citation(n, name, name, 1, "", f"n{n}", 1, None, None, "words", 0.5)
        for n, name in enumerate(documents, 1)
    ]
    return Answer("Three bridges are damaged.", "direct", "high", True, sources)


def test_an_answer_over_many_documents_says_how_many_it_rests_on():
    made = state_coverage(resting_on("a.pdf", "b.pdf", "c.pdf"), lambda: Searched(12, 100), ENGLISH)
    assert "3 of the 12 documents searched" in made.answer


def test_an_answer_from_one_or_two_documents_is_given_without_it():
    made = resting_on("a.pdf", "b.pdf", "a.pdf")
    assert state_coverage(made, lambda: Searched(12, 100), ENGLISH) is made
