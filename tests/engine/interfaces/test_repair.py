"""A library that lost its catalog, in every way it can, is made again from its originals."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from sample_texts import REGULATIONS, REPORT

from engine.config import Settings
from engine.errors import CatalogLostError, NotALibraryError
from engine.ingest import Source
from engine.interfaces.cli import main
from engine.interfaces.repair import repair
from engine.library import Library

WITHOUT_VECTORS = Settings.model_validate({"embedding": {"enabled": False}})


@pytest.fixture
def folder(tmp_path):
    """A closed library with a document of two versions, another one, one that was removed, and a conversation."""
    folder = tmp_path / "library"
    with Library.open(folder, settings=WITHOUT_VECTORS, background=False) as library:
        library.add([Source("report.md", REPORT.encode()), Source("手册.md", REGULATIONS.encode())])
        library.add([Source("report.md", REPORT.replace("2021", "2022").encode() + b"\n\nAn addition.\n")])
        library.add([Source("gone.md", b"# Gone\n\nThis was removed on purpose.\n")])
        library.remove("gone.md")
        library.conversations.create("me", "Foundries")
        library.topics.refresh()
        while library.storage.maintain():
            pass
    return folder


def facts(folder):
    with Library.open(folder, settings=WITHOUT_VECTORS, background=False) as library:
        return {
            (document.name, version.version, version.sha256, version.created_at)
            for document in library.documents()
            for version in library.versions(document.document_id)
        }


def mended(folder):
    return repair(folder, lambda _: WITHOUT_VECTORS)


def cut(path: Path):
    os.truncate(path, path.stat().st_size // 2)


def flip(path: Path):
    data = bytearray(path.read_bytes())
    for place in range(8192, len(data), 4096):
        data[place] ^= 0xFF
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [Path.unlink, lambda p: p.write_bytes(b""), cut, flip, lambda p: p.write_text("x")])
def test_a_lost_catalog_is_told_and_made_again_with_names_versions_and_times(folder, damage):
    before = facts(folder)
    originals = {path: path.read_bytes() for path in (folder / "files").glob("??/*")}
    damage(folder / "catalog.db")
    with pytest.raises(CatalogLostError, match="repair"), Library.open(folder, background=False) as library:
        library.documents()
        library.storage.check()
    assert {result.status for result in mended(folder)} == {"added"}
    assert facts(folder) == before
    with Library.open(folder, settings=WITHOUT_VECTORS, background=False) as library:
        assert library.search("foundries", mode="fulltext").hits
        assert [one.title for one in library.conversations.list("me")] == ["Foundries"]
        assert all(check.ok for check in library.storage.check(deep=True))
    assert {path: path.read_bytes() for path in originals} == originals
    assert mended(folder) == []


def test_what_a_newer_catalog_knew_comes_back_into_an_older_one(folder):
    older = (folder / "catalog.db").read_bytes()
    with Library.open(folder, settings=WITHOUT_VECTORS, background=False) as library:
        library.add([Source("later.md", b"# Later\n\nThe lighthouse was built later.\n")])
    before = facts(folder)
    (folder / "catalog.db").write_bytes(older)
    with Library.open(folder, settings=WITHOUT_VECTORS, background=False) as library:
        (bad,) = [check for check in library.storage.check() if not check.ok]
        assert "1 originals are not in the catalog" in bad.detail
        library.add([Source("other.md", b"# Other\n\nSomething else.\n")])
    assert [result.name for result in mended(folder)] == ["later.md"]
    assert {one for one in facts(folder) if one[0] != "other.md"} == before


def test_originals_without_a_journal_come_back_under_the_names_of_their_kinds(folder):
    (folder / "catalog.db").unlink()
    (folder / "files" / "journal.jsonl").unlink()
    names = sorted(result.name for result in mended(folder))
    assert len(names) == 4  # the removed one, too: nothing tells that it was removed
    assert all(name.startswith("recovered ") and name.endswith((".txt", ".md")) for name in names)


def test_a_damaged_original_is_told_and_the_rest_comes_back(folder):
    with Library.open(folder, settings=WITHOUT_VECTORS, background=False) as library:
        path = library.original("手册.md")
    path.write_bytes(path.read_bytes()[::-1])
    (folder / "catalog.db").unlink()
    results = {result.name: result for result in mended(folder)}
    assert results["手册.md"].status == "failed"
    assert "damaged" in results["手册.md"].error
    assert results["report.md"].status == "added"


def test_a_journal_with_a_damaged_line_gives_what_is_left_of_it(folder):
    (folder / "catalog.db").unlink()
    journal = folder / "files" / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    assert b"report.md" in lines[1]
    journal.write_bytes(b"".join([lines[0], b"0" * 8 + lines[1][8:], *lines[2:]]))
    names = sorted(result.name for result in mended(folder))
    assert [name for name in names if not name.startswith("recovered ")] == ["report.md", "手册.md"]
    assert len(names) == 3


def test_a_folder_with_other_things_is_not_repaired(tmp_path):
    (tmp_path / "thesis.docx").write_bytes(b"mine")
    with pytest.raises(NotALibraryError):
        mended(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.docx"]


def test_the_command_tells_what_it_did(folder, capsys, monkeypatch):
    monkeypatch.setenv("DROPQA_EMBEDDING__ENABLED", "false")
    (folder / "catalog.db").unlink()
    assert main(["--library", str(folder), "list"]) == 1
    assert "repair" in capsys.readouterr().err
    assert main(["--library", str(folder), "--json", "repair"]) == 0
    told = json.loads(capsys.readouterr().out)["documents"]
    assert sorted((one["name"], one["version"]) for one in told) == [
        ("report.md", 1), ("report.md", 2), ("手册.md", 1),
    ]  # fmt: skip
    assert main(["--library", str(folder), "repair"]) == 0
    assert "Nothing is missing" in capsys.readouterr().out
