"""What a question insists on ("only in lease.md", 只看表格) narrows its search, and the search says so."""

import pytest

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library
from engine.model import Filters

PAPER = """# Small Retrievers

## 2 Methods

The temperature is set to 4 in all runs.

## 3 Results

The temperature changes the accuracy, as the figure shows.

Table 1: Accuracy by temperature

| Temperature | Accuracy |
| --- | --- |
| 4 | 71.4 |

![Figure 1: Effect of the temperature](a.png)

## 4 Limitations

One data set was used.
"""
LEASE = """# Lease

## 1 Deposit

The deposit is EUR 2,900. The temperature of the rooms is 20 degrees.
"""
LAW = """# 车辆条例

## 第一章 总则

第一条 驾驶人应当佩戴头盔。

## 第三章 通行

第五条 通行时应当佩戴头盔，头盔应当合格。

## 第五章 附则

第九条 头盔的标准另行规定。
"""
TENANCY = """# 租赁合同

## 第三章 押金

押金为二千九百元，头盔不属于租赁物。
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    folder = tmp_path_factory.mktemp("narrowing")
    files = {
        "paper.md": PAPER.encode(), "lease_en.md": LEASE.encode(), "条例.md": LAW.encode(),
        "lease_zh.md": TENANCY.encode(),
    }  # fmt: skip
    with Library.open(folder / "shelf", settings=settings, background=False) as opened:
        opened.add([Source(name, content) for name, content in files.items()])
        yield opened


def found(library, question, what):
    result = library.search(question, top_k=20)
    assert result.hits
    return {what(hit) for hit in result.hits}, " ".join(result.notes)


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        ("Only in lease_en.md: temperature", {"lease_en.md"}),
        ("What is the temperature, in lease_en.md only?", {"lease_en.md"}),
        ("temperature, limited to lease_en.md", {"lease_en.md"}),
        ("Look only at paper.md and lease_en.md: temperature", {"paper.md", "lease_en.md"}),
        ("只看lease_zh.md：头盔", {"lease_zh.md"}),
        ("只在《条例》中：头盔", {"条例.md"}),
    ],
)
def test_a_document_that_the_question_insists_on_is_the_only_one_searched(shelf, question, documents):
    hits, notes = found(shelf, question, lambda hit: hit.document)
    assert hits == documents
    assert all(name in notes for name in documents)


@pytest.mark.parametrize(
    ("question", "role"),
    [
        ("only tables: temperature", "table"),
        ("Show me only figures about the temperature", "image"),
        ("temperature, in tables only", "table"),
        ("只看表格：temperature", "table"),
        ("只看图片：temperature", "image"),
    ],
)
def test_a_kind_of_place_that_the_question_insists_on_is_the_only_one_searched(shelf, question, role):
    assert found(shelf, question, lambda hit: hit.role)[0] == {role}


@pytest.mark.parametrize(
    ("question", "titles", "told"),
    [
        ("Only the Methods section: temperature", {"2 Methods"}, "'Methods'"),
        ("Only the Limitations: data", {"4 Limitations"}, "'Limitations'"),
        ("only section 2 of paper.md: temperature", {"2 Methods"}, "2 Methods"),
        ("只看第三章：头盔", {"第三章 通行", "第三章 押金"}, "“第三章”"),
        ("只看第五章：头盔", {"第五章 附则"}, "第五章"),
    ],
)
def test_a_section_that_the_question_insists_on_is_the_only_one_searched(shelf, question, titles, told):
    hits, notes = found(shelf, question, lambda hit: hit.path[-1])
    assert hits == titles and told in notes


@pytest.mark.parametrize(
    "question",
    [
        "Is the temperature mentioned only in paper.md?",
        "Is the tenant the only person in lease_en.md?",
        "Which rooms have only tables and chairs?",
        "What is the temperature on page 2?",
        "头盔是否只在条例中规定？",
        "temperature in paper.md",
        "He was only a part of the crew",
        "他只是部分同意",
    ],
)
def test_a_question_that_insists_on_nothing_is_asked_of_everything(shelf, question):
    assert not [note for note in shelf.search(question).notes if "as the question says" in note or "要求" in note]


def test_a_document_without_what_the_question_insists_on_is_searched_whole_and_that_is_said(shelf):
    result = shelf.search("Only tables: temperature", filters=Filters(documents=("lease_en.md",)))
    assert result.hits and "nothing in tables" in " ".join(result.notes)


def test_what_the_filters_say_is_left_as_it_is(shelf):
    filters = Filters(documents=("paper.md",))
    assert {hit.document for hit in shelf.search("Only in lease_en.md: temperature", filters=filters).hits} == {
        "paper.md"
    }


def test_a_refusal_names_only_places_within_what_the_question_insists_on(shelf):
    made = shelf.ask("Only the Methods section: who discovered the moons of Jupiter?")
    assert not made.answered
    assert {source.document for source in made.sources} <= {"paper.md"}
    assert all("Methods" in source.section for source in made.sources)
    assert "Filters: Methods." in made.answer


@pytest.mark.parametrize(
    ("question", "answer", "told"),
    [
        ("Only in lease_en.md: what is the deposit?", "EUR 2,900", "only in lease_en.md"),
        ("What is the deposit, in lease_en.md only?", "EUR 2,900", "only in lease_en.md"),
        ("What is the deposit only in lease_en.md?", "EUR 2,900", "only in lease_en.md"),
        ("What is the deposit? Only lease_en.md, please.", "EUR 2,900", "only in lease_en.md"),
        ("What is the temperature set to? Only the Methods section.", "set to 4", "Methods"),
        ("What is the temperature set to in the Methods section only?", "set to 4", "Methods"),
        ("只看lease_zh.md：押金是多少？", "二千九百元", "只在lease_zh.md中"),
        ("押金是多少？只看lease_zh.md。", "二千九百元", "只在lease_zh.md中"),
    ],
)
def test_the_rest_of_the_question_is_what_is_answered_and_the_answer_says_where_it_looked(
    shelf, question, answer, told
):
    made = shelf.ask(question)
    assert made.answered and answer in made.answer.replace("**", "")
    assert len({source.document for source in made.sources}) == 1
    assert [told in warning for warning in made.warnings].count(True) == 1


def test_a_chapter_is_told_of_the_document_that_the_question_insists_on(shelf):
    made = shelf.ask("只看lease_zh.md，第三章讲什么？")
    assert {source.document for source in made.sources} == {"lease_zh.md"}
