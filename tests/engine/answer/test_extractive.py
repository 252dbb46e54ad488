from dataclasses import replace

import pytest

from engine.answer.evidence.judging import NOTHING_JUDGED, Judged, Span, judge
from engine.answer.extractive import quotable, quote
from engine.answer.phrases import CHINESE, ENGLISH
from engine.answer.refusal import Searched
from engine.answer.understand import understand
from engine.config import Settings
from engine.providers.embedding import open_embedder
from engine.providers.reading import open_reader
from engine.providers.similarity import SentenceSimilarity
from tests.engine.answer.evidence_maker import evidence

HYDRA = [
    evidence(1, "The Hydra 200 filters 4 litres per minute. Its filter is changed every 6 months.",
             document="hydra200.md", path=("Hydra 200",)),
    evidence(2, "The Hydra 2000 filters 25 litres per minute. Its filter is changed every 3 months.",
             document="hydra2000.md", path=("Hydra 2000",)),
]  # fmt: skip


def asked(question, items):
    read = understand(question)
    similarity = SentenceSimilarity(open_embedder(Settings().embedding))
    made = judge(read, items, open_reader(), similarity)
    return quote(read, made, items, CHINESE if read.language == "zh" else ENGLISH, searched=Searched(3))


def hand_judged(items, state="answered", **missing):
    """Judge every item's whole text alike, the first surest."""
    spans = tuple(Span(i, 0, len(item.text), 0, 5, round(0.9 - 0.01 * i, 2)) for i, item in enumerate(items))
    return Judged(spans, spans[0].probability, state, missing.get("missing", ()))


def test_the_answer_comes_first_its_words_marked_and_leads_to_its_source():
    made = asked("How many litres per minute does the Hydra 2000 filter?", HYDRA)
    assert made.state == "answered" and "**25 litres" in made.answer and "4 litres" not in made.answer
    (source,) = made.sources
    assert source.document == "hydra2000.md" and source.snippet == ("The Hydra 2000 filters 25 litres per minute.")


def test_a_thing_told_of_nowhere_is_said_and_the_closest_is_quoted_in_full_sentences():
    made = asked("How many litres per minute does the Hydra 300 filter?", HYDRA)
    assert not made.answered and made.confidence == "low" and "Hydra 300" in made.answer
    assert "These passages come closest:" in made.answer
    assert "The Hydra 200 filters 4 litres per minute." in made.answer and "[1]" in made.answer


def test_what_text_recognition_is_not_sure_of_is_not_quoted_as_sure():
    sure = quote(understand("What is said?"), hand_judged(HYDRA), HYDRA, ENGLISH)
    doubted = [replace(item, doubted=True) for item in HYDRA]
    made = quote(understand("What is said?"), hand_judged(doubted), doubted, ENGLISH)
    assert (sure.confidence, made.confidence) == ("high", "medium")


def test_a_question_that_nothing_answers_says_what_was_searched():
    made = asked("Wer?? 谁设计了这座教堂的屋顶？", HYDRA)
    assert made.state == "not_found" and made.answer.startswith(CHINESE.not_found)
    assert "3 份文档" in made.answer and "以下内容最接近：" in made.answer and made.sources


def test_a_chinese_question_is_answered_from_the_chinese_rule():
    items = [
        evidence(1, "Hotels are refunded up to 140 euros a night.", document="handbook.md", path=("Travel",)),
        evidence(2, "员工出差住宿费每晚最多报销六百元。", document="制度.md", path=("差旅",)),
    ]
    made = asked("出差住宿费每晚最多报销多少？", items)
    assert made.answered and [source.document for source in made.sources] == ["制度.md"]


def test_at_most_two_further_places_are_quoted_and_only_what_says_something_else():
    texts = [
        "Alpha gates open at nine.",
        "Beta doors close late.",
        "Gamma halls stay empty.",
        "Delta roofs leak.",
    ]
    items = [evidence(i, text) for i, text in enumerate([*texts, texts[0]], 1)]
    made = quote(understand("What is known of the site?"), hand_judged(items), items, ENGLISH)
    assert [source.snippet for source in made.sources] == texts[:3]
    same = [items[0], items[4]]
    made = quote(understand("What is known of the site?"), hand_judged(same), same, ENGLISH)
    assert len(made.sources) == 1


def test_missing_names_lower_the_confidence_and_are_told():
    items = [evidence(1, "The gate opens at nine.")]
    sure = quote(understand("When does it open?"), hand_judged(items), items, ENGLISH)
    unsure = quote(understand("When does it open?"), hand_judged(items, missing=("Kestrel",)), items, ENGLISH)
    assert (sure.confidence, unsure.confidence) == ("high", "medium")
    assert unsure.warnings == ["Not found: Kestrel."] and not sure.warnings


@pytest.mark.parametrize(
    ("sentence", "line"),
    [
        ("- one\n  two [3]", "one two (3)"),
        ("第一行\n第二行", "第一行第二行"),
        ("as in [4, 5] and [note]", "as in (4, 5) and [note]"),
    ],
)
def test_quotations_stand_on_one_line_with_harmless_brackets(sentence, line):
    assert quotable(sentence) == line


def test_nothing_near_is_said_where_there_is_no_evidence():
    asked = understand("When does it open?")
    made = quote(asked, NOTHING_JUDGED, [], ENGLISH, mode="keyword", searched=Searched(2))
    assert ENGLISH.nothing_near in made.answer and "documents: 2" in made.answer and not made.sources


def test_what_is_no_figure_is_quoted_with_the_sentences_beside_it_in_a_short_paragraph():
    text = "Two makers provide the cells. A third one, qualified for May, limits what a stop would cost."
    items = [evidence(1, text)]
    spans = (Span(0, text.index("A third"), len(text), text.index("A third"), len(text), 0.9),)
    judged = Judged(spans, 0.9, "answered", ())
    assert quote(understand("Why is the growth limited?"), judged, items, ENGLISH).sources[0].snippet == text
    figure = quote(understand("How many are qualified?"), judged, items, ENGLISH)
    assert figure.sources[0].snippet.startswith("A third")


def test_a_sentence_beside_the_quoted_one_that_alone_says_a_word_of_the_question_is_quoted_with_it():
    hours = "The library is open from 9 to 18 on weekdays. On Sundays it is closed. Cards are free."
    items = [evidence(1, hours), *(evidence(n, f"The library has {n} floors.") for n in range(2, 6))]
    judged = Judged((Span(0, 0, 45, 36, 44, 0.9),), 0.9, "answered", ())
    told = quote(understand("When is the library open on Sundays?"), judged, items, ENGLISH)
    assert told.sources[0].snippet == "The library is open from 9 to 18 on weekdays. On Sundays it is closed."
    assert "Sundays" not in quote(understand("When is the library open?"), judged, items, ENGLISH).answer


def test_a_short_table_that_comes_closest_is_read_whole():
    rows = "Stage | Share | Amount\nFirst | 25% | 96,500\nThird | 40% | 154,400"
    items = [evidence(1, rows, role="table")]
    made = quote(understand("What is due?"), hand_judged(items, "closest"), items, ENGLISH)
    assert "| Stage | Share | Amount |" in made.answer and "| First [1] | 25% | 96,500 |" in made.answer
    assert [source.snippet for source in made.sources] == rows.split("\n")[1:]


def test_a_short_list_that_comes_closest_is_read_whole():
    items = [evidence(1, "Prior to 27 June: half of the fee\nAfter 27 June: nothing", role="list")]
    made = quote(understand("What is refunded on 1 July?"), hand_judged(items, "closest"), items, ENGLISH)
    assert made.answer.endswith("Prior to 27 June: half of the fee\n  - After 27 June: nothing [1]")
    assert made.sources[0].snippet == items[0].text


def test_what_a_picture_says_is_read_line_by_line_and_its_cells_apart():
    items = [evidence(1, "Duty board\nWeek 1 | Anna | Bo\nWeek 2 | Erik | Frida", role="image")]
    made = quote(understand("What is on the duty board?"), hand_judged(items, "closest"), items, ENGLISH)
    assert made.answer.endswith("Duty board\n  - Week 1 · Anna · Bo\n  - Week 2 · Erik · Frida [1]")


def test_a_list_on_a_slide_is_shown_whole_with_the_words_that_answer_marked():
    text = "Cut waiting times\nTrain forty wardens\nReplace the boilers"
    at = text.index("forty")
    spans = (Span(0, text.index("Train"), text.index("\nReplace"), at, at + 5, 0.9),)
    asked, judged = understand("How many wardens are trained?"), Judged(spans, 0.9, "answered", ())
    slide, paper = (evidence(1, text, document=name, role="list") for name in ("Goals.PPTX", "goals.docx"))
    made = quote(asked, judged, [slide], ENGLISH)
    assert made.answer.endswith("- Cut waiting times\n- Train **forty** wardens\n- Replace the boilers [1]")
    assert quote(asked, judged, [paper], ENGLISH).answer.endswith("\n- Train **forty** wardens [1]")


def test_rows_below_a_header_that_has_nothing_above_the_labels_stand_below_their_columns():
    items = [evidence(1, "Sales | Profit |  | Staff\nZone A | 12 | 3 |  | 7\nZone B | 9 | 1 |  | 4", role="table")]
    span = Span(0, items[0].text.index("Zone B"), len(items[0].text), 0, 0, 0.9)
    made = quote(understand("What are the sales of Zone B?"), Judged((span,), 0.9, "answered", ()), items, ENGLISH)
    assert "|  | Sales | Profit | Staff |\n| --- | --- | --- | --- |\n| Zone B [1] | 9 | 1 | 4 |" in made.answer
    assert [source.snippet for source in made.sources] == ["Zone B | 9 | 1 |  | 4"]


def test_a_place_whose_sentences_all_came_with_an_earlier_one_is_not_quoted_again():
    kit = evidence(1, "- a red hammer\n- nine brass screws", role="list")
    spans = (Span(0, 0, 14, 2, 14, 0.9), Span(0, 15, 34, 17, 34, 0.85))
    read = understand("List the parts of the kit")
    made = quote(read, Judged(spans, 0.9, "answered", ()), [kit], ENGLISH)
    assert read.expects == "list" and made.answer.count("hammer") == made.answer.count("screws") == 1


def test_a_row_that_stands_in_no_table_is_told_without_borders():
    items = [evidence(1, "Berth | Boat\nNorth |  | NO | 12", role="table")]
    made = quote(understand("Which boat is red?"), hand_judged(items, "closest"), items, ENGLISH)
    assert "North · NO · 12 [" in made.answer and "|" not in made.answer


def test_where_a_passage_stands_is_not_told_again_for_the_next_one_of_the_same_place():
    items = [evidence(n, f"Door {n} is shut.", document="doors.md", path=("Doors",)) for n in (1, 2)]
    other = evidence(3, "The gate is open.", document="gates.md")
    made = quote(understand("Who has a key?"), hand_judged([*items, other], "closest"), [*items, other], ENGLISH)
    assert "- doors.md > Doors, p. 1: Door 1 is shut. [1]\n- Door 2 is shut. [2]\n- gates.md" in made.answer


def test_a_chinese_answer_tells_places_with_its_own_colon():
    items = [evidence(1, "大门晚上十点关闭。", document="守则.md", path=("出入",), page=None)]
    made = quote(understand("谁有钥匙？"), hand_judged(items, "closest"), items, CHINESE)
    assert "- 守则.md > 出入：大门晚上十点关闭。 [1]" in made.answer


@pytest.mark.parametrize(
    ("text", "answer", "marked"),
    [
        ("病假期间发放 30%的工资。", "30%", "**30**%的"),
        ("The fee is $200.00 a year.", "$200.00", "$**200.00** a"),
        ("It is paid (in full).", "(in full)", "(**in full**)"),
    ],
)
def test_bold_words_end_where_markdown_ends_them(text, answer, marked):
    start = text.index(answer)
    span = Span(0, 0, len(text), start, start + len(answer), 0.9)
    judged = Judged((span,), 0.9, "answered", ())
    assert marked in quote(understand("How much is it?"), judged, [evidence(1, text)], ENGLISH).answer
