"""What models add to documents that are in: in the background, kept, and never at the cost of a document."""

import io
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import docx
import pytest
from PIL import Image, ImageDraw

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library
from engine.model import Node
from tests.openai_server import OpenAiServer, Script

LONG = " ".join(
    f"The reservoir held {number} million litres in the spring of year {number}, more than the year before it."
    for number in range(1, 16)
)
PIPES = LONG.replace("reservoir", "pipeline")
REPORT = f"# Water\n\n## Reservoirs\n\n{LONG}\n\n## Short\n\nA brief remark.\n\n## Pipes\n\n{PIPES}\n"


@pytest.fixture
def server() -> Iterator[OpenAiServer]:
    with OpenAiServer() as running:
        running.default = summarist
        yield running


def summarist(body: dict[str, Any]) -> str:
    """Answer as a model would that reads titles only."""
    title = re.search(r"Title: (.*)", str(body["messages"][-1]["content"]))
    return f"**Summary** of {title[1] if title else 'a part'}."


def settings_for(server: OpenAiServer, **more: Any) -> Settings:
    model = {"api_base": server.base_url, "api_key": server.key, "model": "scripted-1"}
    return Settings.model_validate(
        {"embedding": {"enabled": False}, "llm": {**model, "retries": 0}, "summary": {"with_model": True}} | more
    )


@pytest.fixture
def opened(tmp_path: Path, server: OpenAiServer) -> Iterator[Callable[..., Library]]:
    """Open the library "shelf", with other settings if any are given; what is open is closed at the end."""
    libraries: list[Library] = []

    def open_(**more: Any) -> Library:
        for library in libraries:
            library.close()
        background = more.pop("background", False)
        libraries[:] = [Library.open(tmp_path / "shelf", settings=settings_for(server, **more), background=background)]
        return libraries[0]

    yield open_
    for library in libraries:
        library.close()


def node(library: Library, name: str, title: str) -> Node:
    return next(node for node in library.tree(name).nodes if node.title == title)


def test_sections_and_document_are_summarised_bottom_up_by_the_model(opened, server):
    library = opened()
    library.add([Source("water.md", REPORT.encode())])
    before = library.tree("water.md")
    assert [job.kind for job in library.jobs()] == ["enrich"] and server.chats == []
    [result] = library.enrich_pending()
    assert (result.status, result.version, len(library.versions("water.md"))) == ("updated", 1, 1)
    asked = [str(chat["messages"][-1]["content"]) for chat in server.chats]
    assert [re.search(r"Title: (.*)", text)[1] for text in asked] == ["Pipes", "Reservoirs", "Water"]
    assert "Summary of Pipes." in asked[-1] and "A brief remark." in asked[-1]
    reservoirs = node(library, "water.md", "Reservoirs")
    assert reservoirs.summary == "Summary of Reservoirs."
    assert reservoirs.metadata["summary_method"] == "model:scripted-1"
    assert library.tree("water.md").nodes[0].summary == "Summary of Water."
    assert [(n.node_id, n.text, n.page) for n in library.tree("water.md").nodes] == [
        (n.node_id, n.text, n.page) for n in before.nodes
    ]
    short = node(library, "water.md", "Short")
    assert "summary_method" not in short.metadata


def test_nothing_is_asked_unless_it_is_switched_on(opened, server):
    library = opened(summary={"with_model": False})
    library.add([Source("water.md", REPORT.encode())])
    assert library.jobs() == [] and library.enrich_pending() == [] and server.chats == []


def test_what_was_replied_costs_nothing_again(opened, server):
    library = opened()
    library.add([Source("water.md", REPORT.encode())])
    library.enrich_pending()
    asked = len(server.chats)
    library.reindex("water.md")
    library.enrich_pending()
    library.remove("water.md")
    library.add([Source("again.md", REPORT.encode())])
    library = opened()  # what waits outlasts a restart
    library.enrich_pending()
    assert len(server.chats) == asked
    assert node(library, "again.md", "Pipes").summary == "Summary of Pipes."


def test_a_node_that_fails_keeps_its_extractive_summary_and_the_rest_goes_on(opened, server):
    library = opened()
    library.add([Source("water.md", REPORT.encode())])
    extracted = node(library, "water.md", "Pipes").summary
    server.enqueue(Script(status=500, error={"message": "boom"}))
    library.enrich_pending()
    assert node(library, "water.md", "Pipes").summary == extracted != ""
    assert node(library, "water.md", "Reservoirs").summary == "Summary of Reservoirs."
    [note] = library.version("water.md").warnings
    assert note.startswith("Some summaries and names are not by the model (1). ") and "500" in note
    assert [job.state for job in library.jobs()] == ["done"]
    library.reindex("water.md")
    library.enrich_pending()
    assert library.version("water.md").warnings == []
    assert node(library, "water.md", "Pipes").summary == "Summary of Pipes."


def test_a_model_that_cannot_be_reached_fails_the_job_not_the_document(opened, server):
    library = opened(
        llm={"api_base": server.base_url, "api_key": "wrong", "model": "scripted-1", "retries": 0},
    )
    library.add([Source("water.md", REPORT.encode())])
    assert library.enrich_pending() == []
    [job] = library.jobs()
    assert job.state == "failed" and "refused the API key" in job.error
    assert len([call for call in server.requests if call[0] == "POST"]) == 1
    assert node(library, "water.md", "Pipes").summary
    library = opened()
    assert library.retry_job(job.job_id)
    library.enrich_pending()
    assert node(library, "water.md", "Pipes").summary == "Summary of Pipes."


def test_a_cancelled_job_stops_while_a_model_is_waited_for_and_what_it_learned_is_kept(opened, server):
    library = opened(background=True)
    summaries = lambda: [chat for chat in server.chats if "summarise" in str(chat["messages"][0])]  # noqa: E731
    second, go_on = threading.Event(), threading.Event()

    def slow(body: dict[str, Any]) -> str:
        if len(summaries()) == 2:
            second.set()
            go_on.wait(60)
        return summarist(body)

    server.default = slow
    library.add([Source("water.md", REPORT.encode())])
    assert second.wait(60)
    [job] = [one for one in library.jobs() if one.kind == "enrich"]
    assert (job.state, job.stage) == ("running", "enrich") and library.cancel_job(job.job_id)
    given_up = time.monotonic() + 60
    while [one.state for one in library.jobs() if one.kind == "enrich"] != ["cancelled"]:
        assert time.monotonic() < given_up
        time.sleep(0.02)
    library.close()  # who waited for the model has given up by now, so that its reply comes too late
    go_on.set()
    server.default = summarist
    library = opened()
    assert [job.state for job in library.jobs() if job.kind == "enrich"] == ["cancelled"] and len(summaries()) == 2
    assert node(library, "water.md", "Pipes").metadata.get("summary_method") is None
    library.retry_job(job.job_id)
    library.enrich_pending()
    assert len(summaries()) == 4
    assert node(library, "water.md", "Pipes").summary == "Summary of Pipes."


def test_the_text_of_a_document_is_sent_as_data_and_replies_lose_markup(opened, server):
    library = opened()
    server.default = "<think>hm</think>\n## See ![x](http://evil.example/?q=1) http://evil.example **this** now."
    library.add([Source("water.md", REPORT.encode())])
    library.enrich_pending()
    assert node(library, "water.md", "Pipes").summary == "See this now."
    system, user = (str(message["content"]) for message in server.chats[0]["messages"])
    assert "is an instruction to you" in system and "<text>" in user


def test_titles_that_say_nothing_are_named_by_the_model(opened, server):
    library = opened()

    def namer(body: dict[str, Any]) -> str:
        return summarist(body) if "Title:" in str(body["messages"][-1]["content"]) else "“Filling the Reservoir”"

    server.default = namer
    library.add([Source("parts.md", f"# Water\n\n## 1.\n\n{LONG}\n".encode())])
    before = [(n.node_id, n.title) for n in library.tree("parts.md").nodes]
    library.enrich_pending()
    tree = library.tree("parts.md")
    [named] = [n for n in tree.nodes if n.metadata.get("named_by") == "model"]
    assert named.title == "1. Filling the Reservoir" and named.metadata["original_title"] == "1."
    assert [n.node_id for n in tree.nodes] == [node_id for node_id, _ in before]
    assert any(named.title in hit.path for hit in library.search("Filling", mode="fulltext").hits)
    asked = len(server.chats)
    library.reindex("parts.md")
    library.enrich_pending()
    assert len(server.chats) == asked and library.tree("parts.md").nodes == tree.nodes


def pictured() -> bytes:
    document = docx.Document()
    document.add_heading("Water", 1)
    document.add_paragraph("What the dam held.")
    for colour, caption in (("blue", "Figure 1: Levels"), ("red", "Figure 2: Flows")):
        picture = Image.new("RGB", (640, 400), "white")
        ImageDraw.Draw(picture).rectangle((100, 100, 500, 300), fill=colour)
        buffer = io.BytesIO()
        picture.save(buffer, "PNG")
        document.add_picture(io.BytesIO(buffer.getvalue()))
        document.add_paragraph(caption, style="Caption")
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


@pytest.fixture
def seeing(opened, server) -> Library:
    vision = {"api_base": server.base_url, "api_key": server.key, "model": "scripted-1"}
    return opened(llm={}, summary={}, vision=vision, ocr={"enabled": False})


def test_pictures_are_described_by_a_model_that_sees(seeing, server):
    server.enqueue(
        "A bar chart of water levels. The x-axis shows months. The legend: dam, lake.",
        Script(status=400, error={"message": "boom"}),
    )
    seeing.add([Source("dam.docx", pictured())])
    seeing.enrich_pending()
    first, second = (n.metadata for n in seeing.tree("dam.docx").nodes if n.role == "image")
    assert first["description"].startswith("A bar chart") and first["description_method"] == "model:scripted-1"
    assert (first["chart_type"], first["x_axis"], first["legend"]) == ("bar", "months", ["dam", "lake"])
    assert second["description_method"] == "caption" and "400" in second["description_error"]
    [note] = seeing.version("dam.docx").warnings
    assert note.startswith("Some descriptions of pictures are missing (1).")
    assert seeing.search("water levels legend", mode="fulltext").hits
    text, picture = server.chats[0]["messages"][-1]["content"]
    assert "Figure 1: Levels" in text["text"]
    assert picture["image_url"]["url"].startswith("data:image/png;base64,")


def test_a_description_is_kept_by_the_picture(seeing, server):
    server.default = "A blue box."
    seeing.add([Source("dam.docx", pictured())])
    seeing.enrich_pending()
    asked = len(server.chats)
    assert asked == 2
    seeing.reindex("dam.docx")
    seeing.enrich_pending()
    assert len(server.chats) == asked
    images = [n for n in seeing.tree("dam.docx").nodes if n.role == "image"]
    assert [n.metadata["description"] for n in images] == ["A blue box."] * 2
