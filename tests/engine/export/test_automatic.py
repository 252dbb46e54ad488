"""Files for other programs that are written without being asked for."""

import json

import pytest
from sample_texts import REGULATIONS, REPORT

from engine.ingest import Source
from engine.library import Library
from engine.visited_library import VisitedLibrary
from storage.collections import Rights


@pytest.fixture
def writing(tmp_path):
    flags = {"export": {"on_ingest": True, "on_question": True, "folder": "out"}}
    with Library.open(tmp_path / "library", flags=flags, background=False) as library:
        library.add([Source("report.md", REPORT.encode())])
        library.embed_pending()
        yield library


def folders(library):
    return sorted(one.name for one in (library.folder / "out" / "indexes").iterdir() if one.is_dir())


def test_index_files_are_written_when_a_document_is_in_and_go_when_it_goes(writing):
    writing.settle()
    assert folders(writing) == ["report.md"]
    summary = writing.folder / "out" / "indexes" / "report.md" / "summary.json"
    assert json.loads(summary.read_text("utf-8"))["embedding"]["dimension"] == 384
    before = summary.stat().st_mtime_ns
    writing.settle()
    assert summary.stat().st_mtime_ns == before, "what has not changed is left"
    writing.reindex("report.md")
    writing.add([Source("手册.md", REGULATIONS.encode())])
    writing.embed_pending()
    writing.remove("report.md")
    writing.settle()
    assert folders(writing) == ["手册.md"]


def test_a_document_waits_for_its_vectors_and_a_changed_one_is_written_again(writing):
    writing.settle()
    writing.add([Source("report.md", REPORT.replace("Two foundries", "Five mills").encode())])
    leaves = writing.folder / "out" / "indexes" / "report.md" / "dense_leaf.jsonl"
    writing.settle()
    assert "Five mills" not in leaves.read_text("utf-8")
    writing.embed_pending()
    writing.settle()
    assert "Five mills" in leaves.read_text("utf-8")


def test_a_visitor_who_sees_no_document_deletes_no_files(writing):
    writing.settle()
    VisitedLibrary(writing, Rights(frozenset(), frozenset())).settle()
    assert folders(writing) == ["report.md"]


def test_what_a_question_and_a_search_find_is_written_a_file_a_document(writing):
    writing.ask("How many foundries supply the chips?")
    writing.finder.enhanced(writing.search("inventory"))
    files = sorted((writing.folder / "out" / "retrieved_nodes_for_agents").iterdir())
    read = [json.loads(one.read_text("utf-8")) for one in files]
    assert {one["question"] for one in read} == {"How many foundries supply the chips?", "inventory"}
    assert all(one["nodes_content"] for one in read)


def test_nothing_is_written_where_nobody_asks_for_it(filled):
    filled.settle()
    filled.ask("How many foundries supply the chips?")
    assert not (filled.folder / "exports").exists()


def test_a_disk_that_refuses_fails_no_question(writing):
    (writing.folder / "out").write_text("in the way")
    assert writing.ask("How many foundries supply the chips?").answered
    writing.settle()
