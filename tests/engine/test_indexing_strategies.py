"""Indexing strategies on their way through a library: chosen, kept, asked for in the background, never shown."""

from pathlib import Path
from typing import Any

import pytest

from engine.config import Settings
from engine.errors import UsageError
from engine.ingest import Source
from engine.library import Library
from tests.openai_server import OpenAiServer, broken

NOTE = (
    "# Lakes\n\n## Lower lake\n\nIt was drained in 1952 for the repair of the sluice and filled in spring.\n\n"
    "The county paid forty thousand pounds for the work on the banks and bridges.\n"
)
CHANGED = NOTE + "\nFish came back to it within a year of the works.\n"


@pytest.fixture
def server():
    with OpenAiServer() as running:
        running.default = on_passage
        yield running


def said(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"])


def on_passage(body: dict[str, Any]) -> str:
    """Answer with the first letters of the passage."""
    return f"On {said(body).split('<passage>')[1].strip()[:9]}."


def opened(folder: Path, server: OpenAiServer | None = None, **more: Any) -> Library:
    llm = {"api_base": server.base_url, "api_key": server.key, "model": "scripted-1", "retries": 0} if server else {}
    settings = Settings.model_validate({"embedding": {"enabled": False}, "llm": llm} | more)
    return Library.open(folder / "shelf", settings=settings, background=False)


def note(strategy=None, text=NOTE):
    return Source("lakes.md", text.encode(), strategy)


def embedded(library: Library) -> list[str]:
    """The texts that the index wants embedded."""
    return [text for _, text in library.storage.nodes_without_vector("nobody", 1000)]


def test_a_document_keeps_its_strategy_over_versions_and_when_it_is_parsed_again(tmp_path):
    with opened(tmp_path) as library:
        library.add([note("hierarchical")])
        assert library.document("lakes.md").strategy == "hierarchical"
        library.add([note(text=CHANGED)])
        library.reindex("lakes.md")
        assert [one.strategy for one in library.versions("lakes.md")] == ["hierarchical"] * 2


def test_the_settings_say_how_new_documents_are_indexed(tmp_path):
    with opened(tmp_path, indexing={"strategy": "sliding"}) as library:
        library.add([note()])
        assert library.document("lakes.md").strategy == "sliding"
        assert any("drained in 1952" in text and "The county paid" in text for text in embedded(library))


def test_the_same_file_by_another_strategy_is_indexed_again_and_is_no_new_version(tmp_path):
    with opened(tmp_path) as library:
        [first] = library.add([note()])
        [same] = library.add([note()])
        [other] = library.add([note("contextual")])
        assert (first.status, same.status, other.status) == ("added", "unchanged", "updated")
        assert [(one.version, one.strategy) for one in library.versions("lakes.md")] == [(1, "contextual")]
        assert [one.node_id for one in library.search("drained").hits]


def test_a_strategy_that_is_nothing_without_a_model_is_refused_with_what_to_do(tmp_path):
    with opened(tmp_path) as library:
        [result] = library.add([note("questions")])
        assert result.status == "failed" and "needs a language model" in result.error
        with pytest.raises(UsageError, match=r"llm\.api_base"):
            library.enqueue(note("questions"))


def test_a_model_is_asked_after_the_document_can_be_searched_and_what_it_says_is_never_shown(tmp_path, server):
    with opened(tmp_path, server) as library:
        library.add([note("contextual")])
        assert server.chats == [] and library.search("sluice").hits
        before = [(node.node_id, node.title, node.text) for node in library.tree("lakes.md").nodes]
        library.enrich_pending()
        assert len(server.chats) == 2
        texts = embedded(library)
        assert any("\nOn It was dr.\nIt was drained" in text for text in texts)
        assert [(node.node_id, node.title, node.text) for node in library.tree("lakes.md").nodes] == before
        assert all("On It was d" not in hit.snippet for hit in library.search("sluice").hits)
        assert library.search("On It was d", mode="keyword").hits == []


def test_questions_lead_to_their_passage_and_are_no_nodes(tmp_path, server):
    server.default = "Who paid for the works? When was the lake drained?"
    with opened(tmp_path, server) as library:
        library.add([note("questions")])
        nodes = library.status().nodes
        library.enrich_pending()
        assert "Who paid for the works?" in embedded(library)
        assert library.status().nodes == nodes
        assert library.search("Who paid for the works", mode="keyword").hits == []


def test_one_failing_call_does_not_fail_the_document(tmp_path, server):
    server.enqueue(broken())
    with opened(tmp_path, server) as library:
        library.add([note("contextual")])
        [result] = library.enrich_pending()
        assert result.status == "updated"
        assert any("On The count" in text for text in embedded(library))
        [warning] = library.document("lakes.md").warnings
        assert "1" in warning and "without a model" in warning


def test_the_budget_of_a_document_is_kept_and_told(tmp_path, server):
    with opened(tmp_path, server, indexing={"max_calls": 1}) as library:
        library.add([note("sliding")])
        library.enrich_pending()
        assert len(server.chats) == 1
        assert "indexing.max_calls" in library.document("lakes.md").warnings[0]


def test_what_was_asked_before_is_not_asked_again(tmp_path, server):
    with opened(tmp_path, server) as library:
        library.add([note("sliding")])
        library.enrich_pending()
        first = embedded(library)
        library.reindex("lakes.md")
        library.enrich_pending()
        assert len(server.chats) == 2 and sorted(embedded(library)) == sorted(first)
