"""Documents are summarised, found by what they mention, and listed; every quotation leads to its place."""

import re

import pytest

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library
from engine.model import Filters
from engine.overview.answering import answer_overview

LEASE = """# Lease of the garden house

The owner lets the garden house to the tenant for the purpose of living. The rent is 900 euro a month.

## Animals

The tenant may keep a cat. A dog must be allowed by the owner in writing.
"""
FERRY = """# Ferry

The ferry to the island leaves twice a day. A dog travels at half the price of its owner.
"""
LAW = """# 树木法

为了保护树木，制定本法。

## 第一章 种植

### 第一节 义务

每人每年应当植树三棵。

## 第二章 砍伐

### 第一节 许可

砍伐树木应当取得许可。
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    folder = tmp_path_factory.mktemp("overview")
    with Library.open(folder / "shelf", settings=settings, background=False) as opened:
        opened.add([Source(f"{name}.md", text.encode()) for name, text in
                    (("lease", LEASE), ("ferry", FERRY), ("树木法", LAW))])  # fmt: skip
        yield opened


def check(made, library):
    marks = [int(n) for n in re.findall(r"\[(\d+)\]", made.answer)]
    assert sorted(set(marks)) == [source.n for source in made.sources]
    for source in made.sources:
        node = library.node(source.node_id).node
        assert source.snippet in (node.text or node.title)
    return made


def test_a_document_is_summarised_by_its_name(shelf):
    made = check(shelf.ask("What is the lease about?"), shelf)
    assert made.answered and {source.document for source in made.sources} == {"lease.md"}
    assert "900 euro" in made.answer or "garden house" in made.answer


def test_several_documents_are_summarised_each_under_its_name(shelf):
    made = check(shelf.ask("这些文档讲了什么？"), shelf)
    assert {source.document for source in made.sources} == {"lease.md", "ferry.md", "树木法.md"}
    assert "- ferry.md: " in made.answer and "未配置语言模型" in made.answer


def test_a_part_is_summarised_by_its_number(shelf):
    made = check(shelf.ask("第二章第一节讲了什么？"), shelf)
    assert made.answered and {source.section for source in made.sources} == {"树木法 > 第二章 砍伐 > 第一节 许可"}


def test_the_documents_that_mention_something_are_told_with_a_quotation_each(shelf):
    made = check(shelf.ask("Which documents mention a dog?"), shelf)
    assert "2 of the 3 searched" in made.answer
    assert {source.document for source in made.sources} == {"lease.md", "ferry.md"}
    assert all("dog" in source.snippet for source in made.sources)


def test_a_part_of_a_longer_word_is_no_mention(shelf):
    made = shelf.ask("Which documents mention ten?")
    assert "of the 3 searched" not in made.answer


def test_the_head_of_a_document_is_quoted_where_its_author_or_sender_is_asked_for(tmp_path):
    mail = b"From: Ann <ann@a.example>\nTo: Bob <b@b.example>\nSubject: Cats\n\nThe cat is fine.\n"
    paper = b"# On cats\n\nMaria Miau, Cat College\n\n## Introduction\n\nCats sleep.\n"
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    with Library.open(tmp_path / "heads", settings=settings, background=False) as opened:
        opened.add([Source("note.eml", mail), Source("cats.md", paper)])
        sent = check(opened.ask("Who sent the e-mail?"), opened)
        wrote = check(opened.ask("cats 的作者是谁？"), opened)
    assert "Ann" in sent.answer and sent.sources[0].document == "note.eml"
    assert "- Maria Miau, Cat College [" in wrote.answer and "Cats sleep" not in wrote.answer


def test_a_filter_limits_what_is_looked_at(shelf):
    lease = shelf.document("lease.md").document_id
    made = shelf.ask("Which documents mention a dog?", filters=Filters(documents=(lease,)))
    assert "1 of the 1 searched" in made.answer
    assert {source.document for source in made.sources} == {"lease.md"}


def test_the_documents_are_listed(shelf):
    made = shelf.ask("How many documents are there?")
    assert made.answer.startswith("Documents: 3 (3 MD).") and "- lease.md" in made.answer and made.answered


def test_an_empty_library_is_not_summarised(tmp_path):
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    with Library.open(tmp_path / "empty", settings=settings, background=False) as opened:
        assert not opened.ask("What is this document about?").answered


@pytest.mark.parametrize(("question", "looks"), [("How much is the rent?", 0), ("How many documents are there?", 1)])
def test_the_documents_are_looked_at_only_where_a_question_may_be_about_them(shelf, monkeypatch, question, looks):
    listed = []
    pinned = type(shelf.storage.pinned())
    every = pinned.documents
    monkeypatch.setattr(pinned, "documents", lambda self: listed.append(1) or every(self))
    answer_overview(question, Filters(), shelf.storage.pinned(), shelf.search, lambda: shelf.summaries, lambda: None)
    assert len(listed) == looks
