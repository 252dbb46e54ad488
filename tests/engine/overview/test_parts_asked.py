"""A chapter that is asked for by its number is told however short it is, of every document that has it."""

import pytest

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library

LEASE = """# 房屋租赁合同

## 第一章 房屋

出租方将房屋出租给承租方，建筑面积为82平方米。

## 第二章 租期

租期为两年，自四月一日起计算。
"""
REPORT = """# 水库年报

## 第一章 概况

本报告汇总三座水库的监测数据，由水务局编写。

## 第二章 蓄水量

| 水库 | 蓄水量 |
| --- | --- |
| 青溪 | 1200 |
"""
AGREEMENT = """# Lease Agreement

## 1 Premises

The Landlord lets the flat at 14 Quay Street.

## 2 Deposit

The Tenant pays a deposit of EUR 2,900.
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    folder = tmp_path_factory.mktemp("parts")
    with Library.open(folder / "shelf", settings=settings, background=False) as opened:
        opened.add([Source(f"{name}.md", text.encode()) for name, text in
                    (("合同", LEASE), ("年报", REPORT), ("agreement", AGREEMENT))])  # fmt: skip
        yield opened


def told(library, question):
    made = library.ask(question)
    assert made.answered
    return {source.document: source.snippet for source in made.sources}, made.answer


@pytest.mark.parametrize(
    ("question", "document", "text"),
    [
        ("What does “Deposit” say?", "agreement.md", "EUR 2,900"),
        ("Summarise “2 Deposit” in agreement.md", "agreement.md", "EUR 2,900"),
        ("What does Deposit say?", "agreement.md", "EUR 2,900"),
        ("“租期”讲了什么？", "合同.md", "两年"),
        ("《蓄水量》的主要内容是什么？", "年报.md", "青溪"),
    ],
)
def test_a_part_is_told_by_its_title(shelf, question, document, text):
    sources, answer = told(shelf, question)
    assert list(sources) == [document] and text in answer


def test_what_is_no_title_is_asked_of_the_texts(shelf):
    assert not shelf.ask("What does “Insurance of ships” say?").answered


@pytest.mark.parametrize(
    ("question", "document", "text"),
    [
        ("合同.md 的第二章讲什么？", "合同.md", "租期为两年，自四月一日起计算。"),
        (
            "What is section 2 of agreement.md about?",
            "agreement.md",
            "The Tenant pays a deposit of EUR 2,900.",
        ),
        (
            "What is chapter 2 of agreement.md about?",
            "agreement.md",
            "The Tenant pays a deposit of EUR 2,900.",
        ),
    ],
)
def test_a_chapter_of_one_paragraph_is_told(shelf, question, document, text):
    assert told(shelf, question)[0] == {document: text}


def test_a_chapter_that_is_a_table_is_told_by_its_rows(shelf):
    sources, _ = told(shelf, "年报.md 的第二章讲什么？")
    assert sources.keys() == {"年报.md"} and "青溪 | 1200" in sources["年报.md"]


def test_every_document_with_the_chapter_is_told_of(shelf):
    sources, _ = told(shelf, "第二章讲什么？")
    assert sources.keys() == {"合同.md", "年报.md"}


def test_a_chapter_that_no_document_has_is_refused(shelf):
    assert not shelf.ask("第九章讲什么？").answered
