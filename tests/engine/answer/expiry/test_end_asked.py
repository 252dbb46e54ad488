"""Questions for the end of something that has a term, and those that only speak of one."""

import pytest

from engine.answer.expiry.asked import whose_end


@pytest.mark.parametrize(
    ("question", "kind", "rest"),
    [
        ("When does the lease expire?", "lease", ""),
        ("when does the agreement end?", "agreement", ""),
        ("When does our lease of the Suzhou lab run out?", "lease", "of the Suzhou lab"),
        ("when is the last day of the warranty?", "warranty", ""),
        ("Until when does the trial period run?", "probation", ""),
        ("When does the trial end by itself?", "probation", ""),
        ("What is the expiry date of the consultancy agreement?", "agreement", "consultancy"),
        ("what is the lease's end date?", "lease", ""),
        ("租约什么时候到期？", "lease", ""),
        ("免租期到哪一天结束", "rent-free", ""),
        ("试用期到什么时候", "probation", ""),
        ("保修期的最后一天是哪天？", "warranty", ""),
        ("合同有效期截止到什么时候？", "agreement", ""),
        ("劳动合同的试用期到哪天为止？", "probation", "劳动 的"),
        ("租賃合約何時屆滿？", "lease", ""),
    ],
)
def test_a_question_for_an_end_says_of_what(question, kind, rest):
    asked = whose_end(question)
    assert asked is not None and (asked.kind, asked.rest) == (kind, rest)


def test_what_has_no_name_of_ours_is_known_by_its_words():
    asked = whose_end("When does the pilot phase end?")
    assert asked is not None and (asked.kind, asked.words) == ("", "pilot")


def test_the_end_of_a_first_term_is_asked_for_as_such():
    asked = whose_end("On what date does the initial term of the Brightmoor agreement end?")
    assert asked is not None and asked.first and asked.kind == "agreement"


@pytest.mark.parametrize(
    "question",
    [
        "How long does the lease last?", "When does the lease start?", "What is the term of the lease?",
        "When does the tenant get the deposit back after the lease ends?", "When does the notice period end?",
        "When must notice be given before the lease ends?", "When did the war end?", "Who may end the agreement?",
        "租期届满后多久退押金？", "免租期多长？", "押金什么时候退？", "租期从什么时候开始？",
        "解除合同的通知什么时候到期？",
    ],
)  # fmt: skip
def test_other_questions_ask_for_no_end(question):
    assert whose_end(question) is None
