from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from engine.config import LlmSettings
from engine.errors import AccessError
from engine.ingest import Source
from engine.interfaces.rest import create_api
from engine.library import Library
from engine.shared_library import close_shared_libraries, shared_library

FLAGS = {"embedding.enabled": False, "access.read_only": True}


@pytest.fixture
def shared(tmp_path) -> Iterator[Library]:
    with Library.open(tmp_path, flags={"embedding.enabled": False}, background=False) as library:
        library.add([Source("note.md", b"# Fruit\n\nNine tons of apples.\n")])
    yield shared_library(tmp_path, flags=FLAGS)
    close_shared_libraries()


def test_a_library_that_is_shared_for_reading_can_be_searched_asked_and_talked_to(shared):
    assert shared.search("apples").hits
    assert shared.ask("How many tons of apples?").answered
    assert shared.conversations.create("ann").owner == "ann"
    assert shared.tree("note.md").nodes and shared.status().documents == 1


def test_it_cannot_be_changed(shared):
    for change in (
        lambda: shared.add([Source("a.md", b"# A\n")]),
        lambda: shared.enqueue(Source("a.md", b"# A\n")),
        lambda: shared.remove("note.md"),
        lambda: shared.reindex(),
        lambda: shared.update_settings({"llm.model": "x"}),
        lambda: shared.update_settings({"llm.api_base": "http://evil.example/v1"}),
        lambda: shared.check_model(LlmSettings(api_base="http://evil.example/v1")),
        lambda: shared.cancel_job("j"),
        lambda: shared.retry_job("j"),
        lambda: shared.dismiss_job("j"),
        lambda: shared.version_history.delete("note.md", 1),
        lambda: shared.topics.rename("fruit", "x"),
        lambda: shared.topics.delete("fruit"),
    ):
        with pytest.raises(AccessError, match="reading only"):
            change()
    assert shared.document("note.md").versions == 1


def test_its_model_is_checked_all_the_same(tmp_path):
    chosen = "[embedding]\nenabled = false\n[access]\nread_only = true\n"
    (tmp_path / "dropqa.toml").write_text(
        f'{chosen}[llm]\napi_base = "http://127.0.0.1:9/v1"\nmodel = "m"\nretries = 0\n'
    )
    close_shared_libraries()
    try:
        checks = {check.name: check for check in shared_library(tmp_path).doctor()}
    finally:
        close_shared_libraries()
    assert not checks["model"].ok and "cannot be reached" in checks["model"].detail


def test_whatever_is_new_is_refused_until_it_is_known_to_read(shared, monkeypatch):
    monkeypatch.setattr(Library, "burn", lambda self: None, raising=False)
    with pytest.raises(AccessError):
        shared.burn()


def test_rest_cannot_change_it_either(shared):
    app = FastAPI()
    app.mount("/api", create_api(lambda: shared))
    client = TestClient(app, base_url="http://localhost")
    assert client.post("/api/documents/upload", files={"files": ("a.md", b"# A\n")}).status_code == 403
    assert client.delete("/api/documents/note.md").status_code == 403
    assert client.post("/api/documents/note.md/reindex").status_code == 403
    assert client.post("/api/search", json={"query": "apples"}).status_code == 200
    assert client.get("/api/documents").json()["documents"]
