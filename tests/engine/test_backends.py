"""A library in a database, through the one object that everything talks to, and through the command line."""

from __future__ import annotations

import io
import json
import logging
from pathlib import Path

import pytest

from engine.errors import StorageError, UsageError
from engine.ingest import Source
from engine.interfaces import cli, logs
from engine.library import Library
from engine.model import Filters
from engine.settings_sources import load_settings
from engine.shared_library import temporary_library
from tests.postgres_server import drop, new_database
from tests.sample_texts import REGULATIONS, REPORT

SECRET = "s3cret-word"


@pytest.fixture
def address():
    made = new_database()
    yield made
    drop(made)


def in_database(address: str, folder: Path, **more) -> Library:
    return Library.open(folder, flags={"database.url": address, **more}, background=False)


def found(library: Library, question: str) -> list[str]:
    return [hit.document for hit in library.search(question).hits]


def test_documents_are_added_found_answered_from_and_removed(address, tmp_path):
    with (
        in_database(address, tmp_path / "one") as library,
        Library.open(tmp_path / "two", background=False) as other,
    ):
        sources = [Source("report.md", REPORT.encode()), Source("手册.md", REGULATIONS.encode())]
        for one in (library, other):
            one.add(sources)
            one.embed_pending()
        for question in ("report", "手册", REPORT.split("\n")[0]):
            assert found(library, question) == found(other, question)
            ours, theirs = library.ask(question), other.ask(question)
            assert ours.answer == theirs.answer
        assert [result.status for result in library.add(sources)] == ["unchanged", "unchanged"]
        assert len(library.search("report", filters=Filters(documents=("report.md",))).hits) > 0
        library.remove("report.md")
        assert [document.name for document in library.documents()] == ["手册.md"]


def test_the_doctor_names_the_database_and_no_password(address, tmp_path):
    with in_database(address, tmp_path) as library:
        first = library.storage.check()[0]
    assert first.ok and "PostgreSQL" in first.detail and "pgvector" in first.detail
    with Library.open(tmp_path / "folder", background=False) as library:
        assert "SQLite" in library.storage.check()[0].detail


def test_the_same_file_from_two_processes_is_in_once(address, tmp_path):
    shared = {"database.originals": str(tmp_path / "originals")}
    with (
        in_database(address, tmp_path / "a", **shared) as one,
        in_database(address, tmp_path / "b", **shared) as other,
    ):
        source = Source("report.md", REPORT.encode())
        first, second = one._ingest.receive(source), other._ingest.receive(source)
        assert one._ingest.process(first).status == "added"
        assert other._ingest.process(second).status == "unchanged"
        assert [document.versions for document in one.documents()] == [1]


def test_what_is_temporary_is_not_in_the_database_of_the_environment(address, monkeypatch):
    monkeypatch.setenv("DROPQA_DATABASE_URL", address)
    with temporary_library() as library:
        library.add([Source("report.md", REPORT.encode())])
        library.update_settings({"retrieval.top_k": 3})
        assert library.settings.database.url == ""
    with in_database(address, library.folder.parent / "other") as library:
        assert library.documents() == []


@pytest.mark.parametrize("url", ["mysql://ann:s3cret-word@host/x", "library.db", "postgresql:/ann"])
def test_an_address_that_is_not_understood_opens_nothing(url, tmp_path, monkeypatch):
    monkeypatch.setenv("DROPQA_DATABASE_URL", url)
    with pytest.raises((UsageError, StorageError)) as told:
        Library.open(tmp_path, background=False)
    assert "DROPQA_DATABASE_URL" in str(told.value) and SECRET not in str(told.value)
    assert not (tmp_path / "catalog.db").exists()


def test_the_password_is_in_no_line_and_no_description(tmp_path):
    settings = load_settings(None, {"DROPQA_DATABASE_URL": f"postgresql://ann:{SECRET}@host/library"})
    assert SECRET not in repr(settings)
    stream, before = io.StringIO(), logging.getLogger().handlers[:]
    try:
        logs.configure(settings, stream)
        logging.getLogger("psycopg.pool").warning("lost postgresql://ann:%s@host/library", SECRET)
    finally:
        logging.getLogger().handlers[:] = before
    assert "lost" in stream.getvalue() and SECRET not in stream.getvalue()
    (tmp_path / "dropqa.toml").write_text(f'[database]\nurl = "postgresql://ann:{SECRET}@host/library"\n')
    (tmp_path / "dropqa.toml").chmod(0o644)
    load_settings(tmp_path, {})
    assert (tmp_path / "dropqa.toml").stat().st_mode & 0o077 == 0


def test_keys_are_made_beside_a_library_in_a_database(address, tmp_path, monkeypatch, capsys):
    with in_database(address, tmp_path) as library:
        library.add([Source("report.md", REPORT.encode())])
    monkeypatch.setenv("DROPQA_DATABASE_URL", address)
    assert cli.main(["--json", "--library", str(tmp_path), "keys", "--create", "reports"]) == 0
    assert json.loads(capsys.readouterr().out)["key"].startswith("dropqa_")


def test_a_library_is_moved_by_a_command_and_back(address, tmp_path, capsys):
    with Library.open(tmp_path / "folder", background=False) as library:
        library.add([Source("report.md", REPORT.encode())])
        library.embed_pending()
        expected = found(library, "report")
    common = ["--json", "--library", str(tmp_path / "settings")]
    assert cli.main([*common, "migrate", str(tmp_path / "folder"), address]) == 0
    assert json.loads(capsys.readouterr().out)["copied"]["documents"] == 1
    with in_database(address, tmp_path / "settings") as library:
        assert found(library, "report") == expected
        assert library.original("report.md").read_bytes() == REPORT.encode()
    assert cli.main([*common, "migrate", str(tmp_path / "folder"), address]) == 2
    assert "holds something" in capsys.readouterr().err
    assert cli.main([*common, "migrate", str(tmp_path / "nowhere"), str(tmp_path / "new")]) == 2
    assert cli.main([*common, "migrate", address, str(tmp_path / "again")]) == 0
    with Library.open(tmp_path / "again", background=False) as library:
        assert found(library, "report") == expected
