"""Tests for engine/answer/bridges.py: what leads from a question to a passage that it does not name."""

from evidence_maker import evidence

from engine.answer.bridges import article, bridges
from engine.answer.candidates import candidates
from engine.answer.readings import read
from engine.providers.reading import open_reader

FILM = article(
    ["The Brass Ferry (film)"],
    ["It is a drama from 1964.", "It was directed by Odo Lantern and shot in Brittany."],
)
DIRECTOR = article(["Odo Lantern"], ["Odo Lantern was born in Namur.", "He died in 1971."])
NAMUR = article(["Namur"], ["Namur is a city on the Meuse with 112,000 people."])


def test_the_sentence_that_names_the_passage_leads_to_it_under_its_own_title():
    led = bridges("Where was the director of The Brass Ferry born?", [FILM, DIRECTOR])
    assert led == ["", "The Brass Ferry (film): It was directed by Odo Lantern and shot in Brittany."]


def test_a_sentence_that_names_the_passage_may_be_led_to_itself():
    question = "How many people live in the city where the director of The Brass Ferry was born?"
    _, _, led = bridges(question, [FILM, DIRECTOR, NAMUR])
    assert led.startswith("The Brass Ferry (film): It was directed by Odo Lantern")
    assert led.endswith("Odo Lantern was born in Namur.")


def test_nothing_leads_to_a_passage_that_the_question_names():
    assert bridges("Where was Odo Lantern of The Brass Ferry born?", [FILM, DIRECTOR]) == ["", ""]


def test_a_sentence_without_words_of_the_question_leads_nowhere():
    assert bridges("What is the colour of the moss?", [FILM, DIRECTOR, NAMUR]) == ["", "", ""]


def test_a_namesake_does_not_lead_to_the_other():
    novel = article(["The Brass Ferry (novel)"], ["The Brass Ferry was written by Ada Quill."])
    assert bridges("Who wrote the drama's source?", [FILM, novel]) == ["", ""]


def test_chinese_passages_are_led_to_as_well():
    works = article(["盐账"], ["《盐账》是作家孟青禾的长篇小说。"])
    author = article(["孟青禾"], ["孟青禾，生于渡头镇。"])
    assert bridges("《盐账》的作者生在哪里？", [works, author]) == ["", "《盐账》是作家孟青禾的长篇小说。"]


def test_a_long_sentence_is_cut():
    long = article(["The Brass Ferry"], [f"{'It was shown there. ' * 40}The director was Odo Lantern."])
    _, led = bridges("Where was the director of the ferry born?", [long, DIRECTOR])
    assert 0 < len(led) <= 300


def test_passages_without_titles_are_left_as_they_are():
    plain = article([], ["Odo Lantern directed it."])
    assert bridges("Who directed it?", [plain, article([], ["Nothing."])]) == ["", ""]


def test_the_reader_is_surer_of_a_passage_that_is_led_to():
    question = "Where was the director of The Brass Ferry born?"
    director = evidence(1, "Odo Lantern was born in Namur in 1918. He died in 1971.", title="Odo Lantern")
    film = evidence(
        2, "The Brass Ferry is a drama of 1964, directed by Odo Lantern.", title="The Brass Ferry"
    )
    alone, beside = (
        read(question, items, candidates(question, items), open_reader())[0]
        for items in ([director], [director, film])
    )
    assert director.text[beside.start : beside.end].strip(".").startswith("Namur")
    assert beside.certainty > alone.certainty + 0.5
