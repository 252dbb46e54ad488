import pytest

from engine.answer.told_attribute import asked_attributes, attribute_of_named, lacks_attribute

LIFE = "Jane Roe (4 May 1901 - 1980) was a painter of the Northern School."


@pytest.mark.parametrize(
    "question",
    [
        "What did Jane Roe die of?",
        "In which town was Jane Roe born?",
        "How many children did Jane Roe have?",
        "Where did Jane Roe get her doctorate?",
        "How much did Jane Roe weigh?",
        "How much money did the exhibition of Jane Roe make at the box office?",
        "How did Jane Roe get her name?",
        "简·罗是怎么死的？",
        "简·罗的体重是多少？",
        "她的银行账号是多少？",
        "What is Jane Roe's phone number?",
    ],
)
def test_a_sentence_on_the_very_person_tells_no_attribute_that_it_has_no_word_for(question):
    assert asked_attributes(question) and lacks_attribute(LIFE, question)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What did Jane Roe die of?", "She died of pneumonia in 1980."),
        ("What did Jane Roe die of?", "她于1980年因肺炎去世。"),
        ("In which town was Jane Roe born?", "Roe was born in 1901 in Leeds."),
        ("When was Jane Roe born?", LIFE),
        ("简·罗出生在哪座城市？", "简·罗，里兹人，画家。"),
        ("How long does the guarantee last?", "The guarantee runs until the end of 2025."),
        ("How much does the scanner weigh?", "Weight: 286 g"),
        ("How much does the scanner weigh?", "重量为286克。"),
        ("How much does parking cost?", "Parking is free of charge."),
        ("房租多少钱？", "月租金为3,000元。"),
        ("How did the hill get its name?", "The hill is called after its owner."),
        ("客服电话是多少？", "客服热线：400-820-8820"),
    ],
)
def test_what_has_a_word_for_it_may_tell_it_in_either_language(question, text):
    assert asked_attributes(question) and not lacks_attribute(text, question)


@pytest.mark.parametrize(
    "question", ["May I send the notice by e-mail?", "Who painted the hall?", "他画了什么？"]
)
def test_most_questions_ask_for_none_of_them(question):
    assert not asked_attributes(question) and not lacks_attribute("", question)


def test_an_attribute_is_asked_of_what_is_named_or_of_what_is_described():
    assert attribute_of_named("Where was Jane Roe born?")
    assert not attribute_of_named("Where was the author of Killing Time born?")
    assert not attribute_of_named("What did Jane Roe paint?")
