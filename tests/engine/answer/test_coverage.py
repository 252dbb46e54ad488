from evidence_maker import check_sources, evidence, finder

from engine.answer.answerer import answer
from engine.answer.coverage import asks_over_documents
from engine.answer.refusal import Searched
from engine.config import Settings


def ask(question, items, documents):
    return answer(
        question, retrieve=finder(items), llm=None, embedder=None, settings=Settings(),
        searched=lambda: Searched(documents, 100),
    )  # fmt: skip


def test_an_answer_over_many_documents_says_how_many_it_rests_on():
    items = [
        evidence(1, "The report names flood damage at the northern bridge.", document="a.pdf"),
        evidence(2, "The report names flood damage at the southern bridge.", document="b.pdf"),
    ]
    made = ask("Which reports name flood damage at a bridge?", items, 12)
    assert "of the 12 documents searched" in made.answer
    check_sources(made, items)


def test_a_question_about_one_fact_is_answered_without_it():
    made = ask("When did the Harbour Bridge open?", [evidence(1, "The Harbour Bridge opened in 1932.")], 12)
    assert "documents searched" not in made.answer


def test_questions_about_the_documents_as_a_set_are_known():
    for question in (
        "Which contracts mention a penalty?",
        "How many of the reports name it?",
        "哪些合同提到违约金？",
    ):
        assert asks_over_documents(question), question
    for question in ("Who wrote the report?", "合同的有效期是多久？", "What is the report about?"):
        assert not asks_over_documents(question), question
