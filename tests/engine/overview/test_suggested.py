"""Questions to begin with are made of what documents call their parts, and are answered when they are asked."""

import pytest

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library
from engine.overview.suggested import SuggestedQuestions, telling_titles
from tests.openai_server import OpenAiServer

GUIDE = """# Ferry guide

## 1 Safety on board

Life jackets lie under the seats of the upper deck. In fog the ferry sounds its horn every two minutes.

## 2 Tickets

A day ticket costs nine euros and is valid on all islands. Children under six travel without a ticket.

## Introduction

This guide tells what every passenger of the harbour should know before the journey to the islands begins.

## 3

## 4 XY

A short one.
"""
RULES = """# 码头管理规定

## 第一章 靠泊

船舶靠泊前应提前两小时通知调度室，并报告吃水深度和载货情况。靠泊期间不得进行明火作业。

## 第二章 COVID-19 measures

Masks are worn in the waiting hall of the terminal by everybody who works or waits there.
"""


@pytest.fixture
def harbour(tmp_path):
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    with Library.open(tmp_path / "harbour", settings=settings, background=False) as opened:
        opened.add([Source("guide.md", GUIDE.encode()), Source("规定.md", RULES.encode())])
        yield opened


def test_each_suggestion_is_answered_from_the_document_it_was_made_of(harbour):
    found = SuggestedQuestions(harbour).get()
    assert {"What does “Safety on board” say?", "What does “Tickets” say?", "“靠泊”讲了什么？"} == set(found)
    assert all(harbour.ask(question).answered for question in found)


def test_a_title_in_another_language_than_its_document_is_not_asked_about(harbour):
    assert telling_titles(harbour.tree("规定.md"), unspaced=True) == ["靠泊"]


def test_a_document_without_titles_is_asked_about_as_a_whole(harbour):
    for name in ("guide.md", "规定.md"):
        harbour.remove(name)
    harbour.add([Source("wind.txt", b"The wind over the bay blew from the north for nine days in a row in May.")])
    assert SuggestedQuestions(harbour).get() == ["What is wind.txt about?"]


def test_questions_of_a_removed_document_are_offered_no_more(harbour):
    suggested = SuggestedQuestions(harbour)
    assert any("Tickets" in question for question in suggested.get())
    harbour.remove("guide.md")
    assert not any("Tickets" in question for question in suggested.get())
    assert suggested.get() == ["“靠泊”讲了什么？"]


def test_what_a_document_is_known_to_answer_comes_before_its_parts_and_after_other_documents(harbour):
    known = {"guide.md": "What costs nine euros?", "gone.md": "What is gone?"}
    found = SuggestedQuestions(harbour, known).get()
    assert found[:2] == ["“靠泊”讲了什么？", "What costs nine euros?"] and "What is gone?" not in found


def test_no_model_is_asked_for_suggestions(harbour):
    with OpenAiServer() as server:
        harbour.update_settings({"llm.api_base": server.base_url, "llm.api_key": server.key})
        assert SuggestedQuestions(harbour).get()
        assert not server.chats


def test_while_files_are_read_nothing_is_looked_for(harbour):
    harbour.storage.jobs.enqueue("ingest", "late.md", {})
    assert SuggestedQuestions(harbour).get() == []
