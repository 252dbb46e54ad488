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


def test_the_second_sentence_may_begin_with_the_name_and_stand_under_no_title():
    items = [
        evidence(1, "青禾种业主要培育水稻，总经理为田雪梅，基地设在三亚。", document="简介.txt", path=()),
        evidence(2, "罗永强喜欢下棋，毕业于四川大学。", document="简介.txt", path=()),
        evidence(3, "田雪梅1975年出生于湖南，毕业于华中农业大学。", document="简介.txt", path=()),
    ]
    for question in ("青禾种业的总经理毕业于哪所大学？", "青禾种业的总经理是哪里人？"):
        assert quoted(question, items)[:2] == [items[0].text, items[2].text]
    of_a_place = evidence(4, "田雪梅是浙江绍兴人，爱好书法。", document="简介.txt", path=())
    assert quoted("青禾种业的总经理是哪里人？", [*items[:2], of_a_place])[:2] == [
        items[0].text,
        of_a_place.text,
    ]


def test_what_a_question_only_describes_is_told_further_in_its_passage():
    group = evidence(
        1,
        "It owns the paper maker Silkeborg Papir and a ferry line. The group is led by Kirsten Aagaard.",
        document="who.md",
        path=("Who is who", "Vexholm Group"),
    )
    papir = evidence(
        2, "Silkeborg Papir makes filter paper.", document="who.md", path=("Who is who", "Silkeborg Papir")
    )
    assert quoted("Who leads the company that owns Silkeborg Papir?", [papir, group])[:2] == [
        "It owns the paper maker Silkeborg Papir and a ferry line.",
        "The group is led by Kirsten Aagaard.",
    ]


def test_both_hops_are_cited(tmp_path):
    text = (
        "# Who is who\n\n## The Quiet Mill\n\nThe Quiet Mill is a novel by Edda Falk. It is set in 1924.\n\n"
        "## Edda Falk\n\nEdda Falk was born in Bergen and worked as a nurse.\n"
    )
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    with Library.open(tmp_path, settings=settings, background=False) as library:
        library.add_texts([("who.md", text)])
        made = library.ask("Where was the author of The Quiet Mill born?")
    assert {source.snippet for source in made.sources} == {
        "The Quiet Mill is a novel by Edda Falk.",
        "Edda Falk was born in Bergen and worked as a nurse.",
    }
