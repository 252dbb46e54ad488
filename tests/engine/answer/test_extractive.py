from dataclasses import replace

import pytest
from evidence_maker import bridges, evidence

from engine.answer.candidates import candidates
from engine.answer.expected import expected_of, offers
from engine.answer.extractive import best_sentences, quotable, quoted, write


def best(question, items):
    return [c.sentence.text for c in best_sentences(question, candidates(question, items), items).sentences]


def test_the_sentence_that_holds_what_is_asked_for_comes_first():
    items = [
        evidence(
            1,
            "The museum is in Bern. It shows clocks. The museum opened its doors in May 1904. Entry is free.",
        )
    ]
    assert best("When did the museum open?", items)[0] == "The museum opened its doors in May 1904."


def test_a_row_is_understood_with_its_header():
    assert best("What is the cost of paint?", bridges())[0] == "Paint | 300"


def test_the_same_sentence_twice_is_quoted_once():
    items = [evidence(1, "The museum opened in 1904."), evidence(2, "The museum opened in 1904.")]
    assert best("When did the museum open?", items) == ["The museum opened in 1904."]


def test_at_most_four_sentences_are_quoted():
    items = [evidence(n, f"Rule {n}: members of the club pay fee {n} for boat {n}.") for n in range(1, 9)]
    assert 1 <= len(best("Which fee do members of the club pay for a boat?", items)) <= 4


def test_questions_in_the_text_are_no_answers():
    items = [evidence(1, "When did the museum open? The museum opened in 1904.")]
    assert best("When did the museum open?", items)[0] == "The museum opened in 1904."


def test_quotations_stand_on_one_line_with_harmless_brackets():
    assert quotable("A line\nwrapped here [3].") == "A line wrapped here (3)."
    assert quotable("中文\n换行。") == "中文换行。"
    assert quotable("- an item") == "an item"


def test_every_quotation_leads_to_its_source():
    items = bridges()
    question = "When did the Harbour Bridge open?"
    chosen, _ = best_sentences(question, candidates(question, items), items)
    text, citations = write(quoted(chosen, items), items, "Quoted:")
    assert text.startswith("Quoted:\n\n- ") and citations[0].snippet in items[0].text


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When was it built?", "date"), ("In what year did he die?", "date"),
        ("什么时候开馆？", "date"), ("上映时间", "date"),
        ("How many seats are there?", "number"), ("有多少个议席？", "number"), ("2021年全球销量？", "number"),
        ("Who wrote it?", "person"), ("谁写的？", "person"), ("Where is it?", "place"), ("在哪里举行？", "place"),
        ("股东人数有什么限制？", "number"), ("应当载明哪些事项？", "list"), ("What are the duties?", "list"),
        ("Why is the sky blue?", "reason"), ("为什么延期？", "reason"), ("What was the reason?", "reason"),
            ("什么是光合作用？", "other"),
    ],
)  # fmt: skip
def test_a_question_s_words_tell_what_it_asks_for(question, kind):
    assert expected_of(question) == kind


@pytest.mark.parametrize(
    ("sentence", "question", "kind", "there"),
    [
        ("It opened in May 1904.", "When did it open?", "date", True),
        ("It opened early.", "When did it open?", "date", False),
        ("In 2021 sales fell.", "What were sales in 2021?", "number", False),
        ("In 2021 sales fell to 12 units.", "What were sales in 2021?", "number", True),
        ("电影由张艺谋执导。", "谁执导了电影？", "person", True),
        ("The tenant shall pay as follows:", "What are the tenant's duties?", "list", True),
        ("The tenant shall pay.", "What are the tenant's duties?", "list", False),
        ("The crane was inspected on 4 May 2024.", "Who inspected the crane?", "person", False),
        ("The crane was inspected on Friday, in April.", "Who inspected the crane?", "person", False),
        ("It was inspected in May by Ida Holm.", "Who inspected the crane?", "person", True),
    ],
)
def test_a_sentence_offers_what_the_question_does_not_hold_already(sentence, question, kind, there):
    assert offers(sentence, question, kind) is there


def test_what_was_found_far_below_is_quoted_only_when_it_holds_the_question():
    near, far = evidence(1, "The mill was repaired."), evidence(2, "It was sent in spring.")
    far = replace(far, hit=replace(far.hit, score=near.hit.score))
    assert len(best("What was repaired in spring?", [near, far])) == 2
    far = replace(far, hit=replace(far.hit, score=0.2 * near.hit.score))
    assert best("What was repaired in spring?", [near, far]) == ["The mill was repaired."]


def test_beside_a_passage_in_the_questions_language_another_language_comes_after_it():
    items = [evidence(1, "Ada Lind is the patient."), evidence(2, "病区的名单（patient，ward）。")]
    assert best("Who is the patient of the ward?", items)[0] == "Ada Lind is the patient."


def test_why_is_answered_by_what_gives_the_reason_of_what_stands_before_it():
    items = [
        evidence(
            1,
            "The drill took seven minutes, which is above the target. "
            "The main reason was that pallets blocked the stairs. The drill was held on Monday.",
        )
    ]
    assert "The main reason was that pallets blocked the stairs." in best(
        "Why did the drill take so long?", items
    )


def test_a_heading_read_as_text_says_no_more_than_the_question_and_does_not_answer():
    items = [evidence(1, "2. Fire drill", role="list"), evidence(2, "The drill on 3 May took nine minutes.")]
    assert best("How long did the fire drill take?", items)[0] == "The drill on 3 May took nine minutes."


def test_a_sentence_that_begins_with_a_pronoun_is_about_the_one_before_it():
    items = [
        evidence(
            1,
            "The committee decided to buy moulded ear plugs for the press shop. "
            "They cost 48 pounds, and the company pays.",
        )
    ]
    assert best("Who pays for the ear plugs?", items)[0].startswith("They cost")


def test_another_language_is_quoted_beside_the_best_only_when_it_says_as_much():
    items = [
        evidence(1, "The lamps of the meadow cost 300 euros each."),
        evidence(2, "服务器的成本为三百元。", document="b.md", path=()),
    ]
    assert best("How much did the lamps of the meadow cost?", items) == [items[0].text]


def test_the_sentence_beside_that_has_the_kind_of_thing_asked_for_is_quoted_too():
    report = evidence(
        1, "The crane was inspected on 4 May 2024. The inspector was Ida Holm. The yard is open on weekdays."
    )
    quoted_now = best("Who inspected the crane?", [report])
    assert "The inspector was Ida Holm." in quoted_now
    assert "The yard is open on weekdays." not in quoted_now


@pytest.mark.parametrize(("elsewhere", "quoted_too"), [(0.001, False), (0.3, True)])
def test_beside_what_a_reader_is_sure_of_is_quoted_what_may_answer_too(elsewhere, quoted_too):
    question = "Who pays the grant for the harbour?"
    items = [
        evidence(1, "The grant for the harbour is paid by the Lindmark Foundation.", document="a.md"),
        evidence(2, "The grant for the harbour pays for boats, who else pays is open.", document="b.md"),
    ]
    found = candidates(question, items)
    read = [replace(one, read=0.95 if one.evidence == 0 else elsewhere) for one in found]
    texts = [one.sentence.text for one in best_sentences(question, read, items).sentences]
    assert (items[1].text in texts) == quoted_too and items[0].text in texts
    assert len(best_sentences(question, found, items).sentences) == 2
