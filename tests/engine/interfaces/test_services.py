"""An indexer and a server over one library in a database, each from its YAML file."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from engine.errors import ConfigError
from engine.interfaces.services import _flags
from engine.settings_sources import load_settings
from tests.postgres_server import drop, new_database

ROOT = Path(__file__).resolve().parents[3]
START_SECONDS = 90


@pytest.fixture
def written(tmp_path, monkeypatch):
    monkeypatch.setenv("DB_PASSWORD", "a/b@c")

    def write(text):
        path = tmp_path / "service.yaml"
        path.write_text(text, "utf-8")
        return str(path)

    return write


@pytest.mark.parametrize("name", ["indexer", "server"])
def test_every_key_of_the_examples_is_a_setting(name, written):
    flags = _flags(str(ROOT / "config" / f"{name}.example.yaml"))
    settings = load_settings(None, {}, flags=flags)
    told = urlsplit(settings.database.url)
    assert (told.hostname, told.port, told.path, told.username) == ("localhost", 5432, "/dropqa", "postgres")
    assert told.password == "a%2Fb%40c"


def test_folders_and_endings_to_follow_are_read(written):
    flags = _flags(written("watch:\n  directories: [/srv/a]\n  extensions: ['.md']\n"))
    watch = load_settings(None, {}, flags=flags).watch
    assert (watch.folders, watch.extensions) == (("/srv/a",), (".md",))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("database: [", "line"), ("just a text", "sections"), ("llm:\n  api_key: ${NOT_SET}", "NOT_SET"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_told(text, told, written):
    with pytest.raises(ConfigError, match=told):
        _flags(written(text))


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "engine.interfaces.cli", *arguments], cwd=ROOT, stderr=subprocess.PIPE, text=True,
        env={name: value for name, value in os.environ.items() if name != "DROPQA_DATABASE_URL"},
    )  # fmt: skip


def test_without_a_database_it_is_told_that_one_is_needed(tmp_path, written):
    process = start("--library", str(tmp_path / "library"), "indexer", "--config", written("llm: {}"))
    assert "no database is named" in process.communicate(timeout=START_SECONDS)[1]
    assert process.returncode == 2


def test_what_the_server_is_given_the_indexer_takes_in_and_the_server_answers_from(tmp_path, written):
    address, inbox = new_database(), tmp_path / "inbox"
    inbox.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = written(
        f"database:\n  url: '{address}'\n  originals: {tmp_path / 'originals'}\n"
        f"watch:\n  directories: [{inbox}]\nserver:\n  port: {port}\n"
    )
    server = start("--library", str(tmp_path / "server"), "server", "--config", config)
    indexer = None
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            wait_until(lambda: reached(client), "the server answers")
            given = {"files": ("ferry.md", b"# Valdor\n\nThe ferry Valdor costs 17 crowns.\n")}
            uploaded = client.post("/api/documents/upload", files=given)
            assert uploaded.status_code == 200, uploaded.text
            time.sleep(3)
            assert client.get("/api/documents").json()["total"] == 0  # it waits for an indexer
            (inbox / "harbour.md").write_text("# Harbour\n\nThe harbour of Marn freezes in January.\n")
            indexer = start("--library", str(tmp_path / "indexer"), "indexer", "--config", config)
            wait_until(lambda: client.get("/api/documents").json()["total"] == 2, "both files are in")
            for question, answer in (
                ("What does the ferry Valdor cost?", "17 crowns"),
                ("When does Marn freeze?", "January"),
            ):
                told = client.post("/api/qa/ask", json={"question": question}).json()
                assert answer in re.sub(r"\*", "", told["answer"])
    finally:
        for process in filter(None, (server, indexer)):
            process.send_signal(signal.SIGTERM)
        for process in filter(None, (server, indexer)):
            process.communicate(timeout=60)
        drop(address)


def reached(client):
    try:
        return client.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False


def wait_until(true, what):
    until = time.monotonic() + START_SECONDS
    while not true():
        assert time.monotonic() < until, what
        time.sleep(0.3)
