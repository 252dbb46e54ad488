"""A question that names a document is held against that document's passages without the name."""

from dataclasses import replace

import pytest
from evidence_maker import evidence

from engine.answer.named_document import of_named
from engine.ingest import Source
from engine.library import Library

TITLE = "Sublease of Corran Wharf, Storey 2"
LEASE = [
    "The monthly rent is £940, payable on the first working day.",
    "Electricity and water are metered and paid by the tenant.",
    "Either party may end the sublease with seven weeks' notice.",
]
HANDBOOK = """# Ellery Marsh Staff Handbook

## Leave

Colleagues receive twenty-six days of leave each calendar year.

## Offices

The common office day is Wednesday. The canteen is closed on Fridays.

## Sickness

A doctor's note is needed from the fifth day.
"""
NOTICE = """# 柏溪小学关于五年级春季研学活动的通知

## 一、时间

活动定于四月十七日举行，如遇雨天顺延至四月二十四日。

## 二、费用

每名学生收取门票和车费共一百三十八元，由班主任代收。

## 三、要求

学生穿校服、自带午餐和水杯，不带贵重物品。
"""


def of(document, texts, title="", name="scan.pdf"):
    items = [evidence(n, text, document=name, subject=title) for n, text in enumerate(texts, 1)]
    return [replace(item, hit=replace(item.hit, document_id=document)) for item in items]


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("Monthly cost of Corran Wharf", "Monthly cost"),
        ("Who pays the power bill at Corran Wharf?", "Who pays the power bill ?"),
        ("What is Corran Wharf's notice period?", "What is notice period?"),
        ("Monthly cost of Corran Wharf 2", "Monthly cost 2"),
    ],
)
def test_the_rest_is_asked_of_the_document_whose_title_has_the_name(question, rest):
    found = of_named(question, [*of("lease", LEASE, TITLE), *of("other", LEASE, "Minutes of a meeting")])
    assert found.documents == {"lease"} and found.rest == rest


def test_words_of_the_title_after_a_name_belong_to_it():
    found = of_named(
        "How many days may I keep films from the Ellery library?", of("rules", LEASE, "Ellery Town Library")
    )
    assert found.rest == "How many days may I keep films ?"


def test_the_name_of_a_file_names_it_too():
    found = of_named("Who pays for water at Corran?", of("lease", LEASE, name="sublease-corran-wharf.txt"))
    assert found.names == ("Corran",)


def test_in_chinese_a_title_begins_with_the_name():
    texts = ["活动定于四月十七日。", "每名学生收取一百三十八元。"]
    found = of_named("柏溪小学的研学要交多少车费？", of("notice", texts, "柏溪小学关于研学活动的通知"))
    assert found.names == ("柏溪小学",) and "柏溪" not in found.rest


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("What is the monthly rent?", TITLE),
        ("What is the notice period of a sublease?", TITLE),
        ("Corran Wharf?", TITLE),
        ("Rent of the wharf", TITLE),
        ("Electricity and water at Harbour House", TITLE),
        ("What is the monthly rent of Corran Wharf 3?", TITLE),
        ("Who won the final of Corran Wharf XIV?", TITLE),
    ],
)
def test_a_question_without_the_name_or_with_nothing_else_is_asked_as_it_is(question, title):
    assert of_named(question, of("lease", LEASE, title)) is None


def test_a_word_that_is_written_small_in_the_texts_is_no_name():
    assert of_named("Electricity costs a month", of("bill", LEASE, "Electricity and rent")) is not None
    texts = [*LEASE, "The electricity meter is read in May."]
    assert of_named("Electricity costs a month", of("bill", texts, "Electricity and rent")) is None


def test_what_the_passages_say_themselves_is_their_subject_and_stays_in_the_question():
    texts = ["Corran Wharf was built in 1890.", "Corran Wharf has two storeys.", "It burned down once."]
    assert of_named("When was Corran Wharf built?", of("history", texts, "Corran Wharf")) is None


def test_names_of_two_documents_stay_in_the_question():
    items = [*of("lease", LEASE, TITLE), *of("other", LEASE, "Lease of Harbour House")]
    assert of_named("Is the rent higher at Corran Wharf or at Harbour House?", items) is None


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    with Library.open(tmp_path_factory.mktemp("named") / "shelf", background=False) as opened:
        opened.add([Source("handbook.md", HANDBOOK.encode()), Source("notice.md", NOTICE.encode())])
        opened.embed_pending()
        yield opened


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many days of leave at Ellery Marsh?", "twenty-six days"),
        ("Which weekday is the common office day at Ellery Marsh?", "Wednesday"),
        ("柏溪小学研学下雨顺延到几号？", "四月二十四日"),
    ],
)
def test_what_a_named_document_says_is_quoted(shelf, question, answer):
    assert answer in shelf.ask(question).answer


@pytest.mark.parametrize("question", ["Who is the chief actuary of Ellery Marsh?", "柏溪小学的校长是谁？"])
def test_the_name_alone_is_no_answer(shelf, question):
    assert not shelf.ask(question).answered
