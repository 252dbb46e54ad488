"""Each kind of work asks the model that is set for it, and the language model where none is."""

import io
import json

import docx
import pytest
from PIL import Image, ImageDraw

from engine.config import IndexingSettings, LlmSettings
from engine.ingest import Source
from engine.library import Library
from engine.settings_sources import load_settings, with_changes
from tests.openai_server import OpenAiServer

MODELS = ("answerer", "indexer", "judge", "condenser", "summariser", "seer", "other")
QUESTION = "How much did cloud revenue grow?"
CLOUD = " ".join(
    f"Cloud revenue grew by {n} percent in the quarter of office {n}, as in the one before." for n in range(15)
)
REPORT = f"# Report\n\n## Cloud\n\n{CLOUD}\n\n## Offices\n\n{CLOUD.replace('Cloud revenue', 'The rent')}\n"
OWN = {
    "indexing.model": "indexer", "summary.model": "summariser", "rerank.model": "judge",
    "rerank.summary_model": "condenser", "vision.model": "seer",
}  # fmt: skip


@pytest.fixture
def server():
    with OpenAiServer(models=MODELS) as running:
        running.default = reply
        yield running


def reply(body):
    """Judge, condense, or answer with a sentence of the report."""
    count = str(body["messages"][-1]["content"]).count("<passage ")
    if "You judge" in body["messages"][0]["content"]:
        return json.dumps({"scores": [{"passage": n + 1, "score": 9} for n in range(count)]})
    if "You condense" in body["messages"][0]["content"]:
        return json.dumps({"passages": [{"passage": n + 1, "summary": "growth"} for n in range(count)]})
    return "Cloud revenue grew [1]."


@pytest.fixture
def opened(tmp_path, server):
    """Open a library with a report; the settings name the answering model and what is given."""
    libraries = []

    def open_(environ=None, **flags):
        given = {
            "llm.api_base": server.base_url, "llm.api_key": server.key, "llm.model": "answerer",
            "llm.retries": 0, "embedding.enabled": False,
        }  # fmt: skip
        settings = load_settings(None, environ=environ or {}, flags=given | flags)
        while libraries:
            libraries.pop().close()
        libraries.append(Library.open(tmp_path / "shelf", settings=settings, background=False))
        libraries[0].add([Source("report.md", REPORT.encode())])
        return libraries[0]

    yield open_
    for library in libraries:
        library.close()


def asked(server):
    return {body["model"] for body in server.chats}


def illustrated():
    picture = Image.new("RGB", (600, 400), "white")
    ImageDraw.Draw(picture).rectangle((100, 100, 500, 300), fill="navy")
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    document = docx.Document()
    document.add_picture(io.BytesIO(buffer.getvalue()))
    written = io.BytesIO()
    document.save(written)
    return Source("drawing.docx", written.getvalue())


def test_answering_asks_the_language_model(opened, server):
    opened(**OWN).ask(QUESTION, path="direct")
    assert asked(server) == {"answerer"}


@pytest.mark.parametrize("strategy", ["contextual", "hierarchical", "questions"])
def test_indexing_asks_its_own_model(opened, server, strategy):
    library = opened(**OWN, **{"indexing.strategy": strategy, "summary.with_model": True})
    library.enrich_pending()
    assert asked(server) == {"indexer"}


def test_topics_are_named_by_the_model_of_indexing(opened, server):
    library = opened(**OWN, **{"summary.with_model": True})
    library.topics.refresh()
    assert asked(server) == {"indexer"}


def test_summaries_ask_their_own_model(opened, server):
    library = opened(**OWN)
    assert library.summaries.document("report.md").engine == "llm"
    library.ask("What is report.md about?")
    assert asked(server) == {"summariser"}


def test_judging_what_was_found_asks_its_own_model(opened, server):
    library = opened(**OWN, **{"rerank.enabled": True})
    assert library.search(QUESTION, mode="fulltext").hits[0].signals["rerank"] == 0.9
    assert asked(server) == {"judge"}


@pytest.mark.parametrize(("named", "asks"), [("condenser", "condenser"), (None, "summariser")])
def test_condensing_asks_its_own_model_or_that_of_summaries(opened, server, named, asks):
    library = opened(**OWN | {"rerank.summary_model": named, "rerank.enable_summary": True})
    assert library.finder.enhanced(library.search(QUESTION, mode="fulltext")).condensed
    assert asked(server) == {asks}


def test_pictures_are_shown_to_the_model_that_sees(opened, server):
    seeing = {"vision.api_base": server.base_url, "vision.api_key": server.key, "ocr.enabled": False}
    library = opened(**OWN, **seeing)
    library.add([illustrated()])
    library.enrich_pending()
    assert asked(server) == {"seer"}


def test_without_models_of_their_own_all_work_asks_the_language_model(opened, server):
    library = opened(**{"rerank.enabled": True, "rerank.enable_summary": True, "summary.with_model": True})
    library.enrich_pending()
    library.summaries.document("report.md")
    library.finder.enhanced(library.search(QUESTION, mode="fulltext"))
    assert asked(server) == {"answerer"}


def test_the_environment_names_the_models_too(opened, server):
    settings = opened({"DROPQA_INDEXING__MODEL": "indexer", "DROPQA_SUMMARY__MODEL": "summariser"}).settings
    assert (settings.indexing_llm.model, settings.summary_llm.model) == ("indexer", "summariser")


def test_what_another_model_said_is_asked_for_anew(opened, server):
    chosen = {"summary.with_model": True}
    opened(**chosen, **{"indexing.model": "indexer"}).enrich_pending()
    first = len(server.chats)
    assert first > 0
    for model, calls in (("other", first), ("indexer", 0)):
        library = opened(**chosen, **{"indexing.model": model})
        before = len(server.chats)
        library.reindex()
        library.enrich_pending()
        assert len(server.chats) - before == calls
        said = {node.metadata.get("summary_method") for node in library.tree("report.md").nodes}
        assert f"model:{model}" in said


def test_indexing_needs_no_model_for_answers(opened, server):
    own = {"indexing.api_base": server.base_url, "indexing.api_key": server.key, "indexing.model": "indexer"}
    library = opened(**own, **{"llm.api_base": "", "llm.api_key": "", "indexing.strategy": "questions"})
    library.enrich_pending()
    assert asked(server) == {"indexer"}
    assert library.ask(QUESTION).engine == "extractive"


# --- what is inherited ----------------------------------------------------------------------------

LLM = LlmSettings(
    api_base="https://one.example/v1", api_key="sk-one", model="large", context_tokens=8000, price_prompt=2.0
)


def test_what_is_empty_is_that_of_the_language_model():
    assert IndexingSettings().inheriting(LLM) == LLM
    small = IndexingSettings(model="small").inheriting(LLM)
    assert (small.api_base, small.api_key, small.model) == ("https://one.example/v1", "sk-one", "small")
    assert small.timeout == LLM.timeout


def test_another_address_gets_neither_the_key_nor_the_model_of_the_language_model():
    found = IndexingSettings(api_base="http://localhost:11434/v1").inheriting(LLM)
    assert (found.api_base, found.api_key, found.model) == ("http://localhost:11434/v1", "", "")


def test_of_another_model_neither_the_context_nor_the_prices_are_known():
    small = IndexingSettings(model="small").inheriting(LLM)
    assert (small.context_tokens, small.price_prompt, small.price_completion) == (0, 0, 0)


@pytest.mark.parametrize("address", ["", "https://api.openai.com/v1"])
def test_at_openai_the_models_that_judge_and_condense_are_those_of_the_defaults(address):
    settings = load_settings(environ={}, flags={"llm.api_base": address, "llm.api_key": "k", "llm.model": "gpt-large"})
    assert settings.rerank_llm.model == settings.found_summary_llm.model == "gpt-4o-mini"
    given = with_changes(settings, {"rerank.model": "judge", "rerank.summary_model": "condenser"})
    assert (given.rerank_llm.model, given.found_summary_llm.model) == ("judge", "condenser")
