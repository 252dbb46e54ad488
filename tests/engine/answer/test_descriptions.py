"""What a question describes is told by its form: the innermost first, with the name that it holds."""

import pytest

from engine.answer.descriptions import descriptions, questions_for


def first(question):
    found = descriptions(question)
    return (found[0].asked, found[0].replaced(question, "NAME")) if found else None


@pytest.mark.parametrize(
    ("question", "asked", "then"),
    [
        (
            "Where was the wife of the founder of Orwell Motors born?",
            "the founder of Orwell Motors",
            "Where was the wife of NAME born?",
        ),
        (
            "In which county is the town where Ada Lorne was born?",
            "the town where Ada Lorne was born",
            "In which county is NAME?",
        ),
        (
            "Who designed the church in which the poet of Grey Water is buried?",
            "the poet of Grey Water",
            "Who designed the church in which NAME is buried?",
        ),
        (
            "At which games did the mayor of the town where Orwell Motors was founded win a medal?",
            "the town where Orwell Motors was founded",
            "At which games did the mayor of NAME win a medal?",
        ),
        (
            "Who taught the man after whom the institute is named where Ida Brandt worked?",
            "the institute where Ida Brandt worked",
            "Who taught the man after whom NAME is named?",
        ),
        (
            "When was the college founded from which Ida Brandt graduated?",
            "the college from which Ida Brandt graduated",
            "When was NAME founded?",
        ),
        (
            "Who produced the label of Glass Harbour's second album?",
            "Glass Harbour's second album",
            "Who produced the label of NAME?",
        ),
        (
            "Where does the architect of St Ann's Church, Hythe live?",
            "the architect of St Ann's Church, Hythe",
            "Where does NAME live?",
        ),
        (
            "What is the phone number of the manager of the Lisbon branch?",
            "the manager of the Lisbon branch",
            "What is the phone number of NAME?",
        ),
        (
            "Where does the contract manager of Halvard Optics sit?",
            "the contract manager of Halvard Optics",
            "Where does NAME sit?",
        ),
        ("《山谷来信》的作者毕业于哪所大学？", "《山谷来信》的作者", "NAME毕业于哪所大学？"),
        ("林间大学的首任校长的妻子出生在哪里？", "林间大学的首任校长", "NAME的妻子出生在哪里？"),
        ("绿屋乐队主唱毕业的学校位于哪个城市？", "绿屋乐队主唱", "NAME毕业的学校位于哪个城市？"),
        ("发行《空山》的唱片公司的创始人哪年退休？", "发行《空山》的唱片公司", "NAME的创始人哪年退休？"),
        ("流经桐城的河流发源于哪座山？", "流经桐城的河流", "NAME发源于哪座山？"),
    ],
)
def test_the_innermost_description_comes_first_and_its_name_takes_its_place(question, asked, then):
    assert first(question) == (asked, then)


@pytest.mark.parametrize(
    "question",
    [
        "Who is the founder of Orwell Motors?",  # nothing else is asked of it
        "What is the notice period?",
        "What does the tenant pay for heating?",
        "What is the name of the river?",
        "When does the contract begin?",
        "What does the lease of Corran Wharf say about pets?",
        "Who signed the agreement with Halvard Optics?",
        "Which of the teams won?",
        "The founder of the Orwell label went to school in what city?",
        "《山谷来信》的作者是谁？",
        "合同的违约金是多少？",
        "桐城市的人口是多少？",
        "",
    ],
)
def test_what_a_question_asks_for_is_no_description(question):
    assert descriptions(question) == []


def test_a_name_that_belongs_to_a_noun_is_none():
    question = "Who was the creator of the American satire in which Ada Lorne plays a clerk?"
    assert all(one.asked.split()[-1] != "American" for one in descriptions(question))


def test_a_long_question_of_clauses_is_read_at_once():
    question = "Who met " + "the man who saw the friend of " * 120 + "Ada Lorne?"
    assert descriptions(question)[0].asked == "the friend of Ada Lorne"


def test_a_clause_is_asked_for_in_two_ways():
    assert questions_for("the school at which Ida Brandt teaches") == [
        "What is the school at which Ida Brandt teaches?",
        "At which school Ida Brandt teaches?",
    ]
    assert questions_for("the founder of Orwell Motors") == ["What is the founder of Orwell Motors?"]
