"""Summaries: quoted without a model, written and checked with one."""

from __future__ import annotations

import pytest
from openai_server import OpenAiServer
from sample_texts import REPORT

from engine.config import LlmSettings, Settings
from engine.errors import NotFoundError, UsageError
from engine.ingest import Source
from engine.library import Library


def test_every_sentence_of_a_summary_stands_word_for_word_in_its_node(filled):
    made = filled.summaries.document("report.md")
    assert made.engine == "extractive"
    assert made.sources
    for source in made.sources:
        assert source.snippet in filled.node(source.node_id).node.text
        assert f"[{source.n}]" in made.summary


def test_a_section_is_summarised_alone(filled):
    made = filled.summaries.document("手册.md", section="年假")
    assert "十五天" in made.summary
    assert "警告" not in made.summary


def test_chosen_nodes_are_summarised_alone(filled):
    node = next(n for n in filled.tree("report.md").nodes if "foundries" in n.text)
    made = filled.summaries.document("report.md", node_ids=[node.node_id])
    assert {source.node_id for source in made.sources} == {node.node_id}


def test_several_documents_are_summarised_together_each_of_them(filled):
    made = filled.summaries.documents(["report.md", "手册.md"])
    assert {source.document for source in made.sources} == {"report.md", "手册.md"}
    for source in made.sources:
        assert source.snippet in filled.node(source.node_id).node.text


def test_a_document_of_tables_alone_is_summarised_by_their_rows(library):
    library.add([Source("costs.csv", b"Item,Cost\nSteel,4500\nPaint,300\n")])
    made = library.summaries.document("costs.csv")
    assert "Steel" in made.summary and made.sources


def test_too_many_documents_to_summarise_are_refused(filled):
    with pytest.raises(UsageError, match="Choose 1 to 20 documents"):
        filled.summaries.documents(["report.md"] * 21)
    with pytest.raises(UsageError):
        filled.summaries.documents([])


def test_a_section_or_node_that_is_not_there_is_told(filled):
    with pytest.raises(NotFoundError):
        filled.summaries.document("report.md", section="Nowhere")
    with pytest.raises(NotFoundError):
        filled.summaries.document("report.md", node_ids=["n0"])


def test_an_old_version_can_be_summarised(filled):
    filled.add([Source("report.md", REPORT.replace("412", "455").encode())])
    assert "412" in filled.summaries.document("report.md", version=1).summary
    assert "455" in filled.summaries.document("report.md").summary


def test_a_models_summary_is_streamed_and_its_marks_are_checked(tmp_path):
    with OpenAiServer() as server:
        server.default = lambda _request: "Revenue rose to 412 million dollars in 2023 [1]. It never rains [9]."
        settings = Settings(llm=LlmSettings(api_base=server.base_url, api_key=server.key))
        with Library.open(tmp_path / "library", settings=settings, background=False) as library:
            library.add([Source("report.md", REPORT.encode())])
            events = []
            made = library.summaries.document("report.md", on_event=events.append)
    assert made.engine == "llm"
    assert [source.n for source in made.sources] == [1]
    assert "412" in made.sources[0].snippet
    assert any("412" in getattr(event, "text", "") for event in events)


def test_a_models_summary_without_marks_stays_as_it_is(tmp_path):
    with OpenAiServer() as server:
        server.default = lambda _request: "A report about nothing in particular."
        settings = Settings(llm=LlmSettings(api_base=server.base_url, api_key=server.key))
        with Library.open(tmp_path / "library", settings=settings, background=False) as library:
            library.add([Source("report.md", REPORT.encode())])
            made = library.summaries.document("report.md")
    assert made.engine == "llm" and made.summary == "A report about nothing in particular."


def test_without_the_model_that_fails_the_summary_is_quoted(tmp_path):
    settings = Settings(llm=LlmSettings(api_base="http://127.0.0.1:9/v1", api_key="none"))
    with Library.open(tmp_path / "library", settings=settings, background=False) as library:
        library.add([Source("report.md", REPORT.encode())])
        made = library.summaries.document("report.md")
    assert made.engine == "extractive"
    assert made.sources
    assert made.warnings
