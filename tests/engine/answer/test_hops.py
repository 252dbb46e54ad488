from evidence_maker import evidence

from engine.answer.candidates import candidates
from engine.answer.extractive import best_sentences
from engine.config import Settings
from engine.library import Library

MUSEUM = evidence(
    1,
    "The Tide Museum shows nets and lamps. The Tide Museum stands on Sorrel Island, in the old customs house.",
    document="Tide Museum.txt",
    path=("Tide Museum",),
)
ISLAND = evidence(
    2,
    "Sorrel Island lies in the northern bay. It has a population of 1,240 and two schools.",
    document="Sorrel Island.txt",
    path=("Sorrel Island",),
)
FERRY = evidence(
    3,
    "The museum of clocks has a population of visitors that grows every year.",
    document="Clocks.txt",
    path=("Clocks",),
)
QUESTION = "What is the population of the island on which the Tide Museum stands?"


def quoted(question, items):
    return [
        one.sentence.text for one in best_sentences(question, candidates(question, items), items).sentences
    ]


def test_a_question_of_two_hops_is_answered_from_both_the_naming_passage_first():
    assert quoted(QUESTION, [FERRY, MUSEUM, ISLAND])[:2] == [
        "The Tide Museum stands on Sorrel Island, in the old customs house.",
        "It has a population of 1,240 and two schools.",
    ]


def test_a_question_that_one_sentence_answers_is_not_stretched():
    assert quoted("Where does the Tide Museum stand?", [MUSEUM, ISLAND])[0].startswith(
        "The Tide Museum stands"
    )


def test_a_name_that_titles_both_passages_joins_nothing():
    parts = [
        evidence(
            1, "Tarn Ltd. sold its mill in spring.", document="Tarn Ltd.pdf", path=("Tarn Ltd.", "Sales")
        ),
        evidence(
            2,
            "The board of Tarn Ltd. has nine members.",
            document="Tarn Ltd.pdf",
            path=("Tarn Ltd.", "Board"),
        ),
    ]
    assert quoted("When did Tarn Ltd. sell its mill?", parts) == ["Tarn Ltd. sold its mill in spring."]


def test_an_answer_that_is_put_together_is_told_with_less_confidence(tmp_path):
    texts = [
        (item.hit.document, f"{item.title or item.hit.path[0]}\n\n{item.text}")
        for item in (MUSEUM, ISLAND, FERRY)
    ]
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    with Library.open(tmp_path, settings=settings, background=False) as library:
        library.add_texts(texts)
        together = library.ask(QUESTION)
        alone = library.ask("Where does the Tide Museum stand?")
    assert {source.document for source in together.sources} >= {"Tide Museum.txt", "Sorrel Island.txt"}
    assert (together.confidence, alone.confidence) == ("medium", "high")
