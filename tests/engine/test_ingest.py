"""A file's way in: versions, unchanged files, failures that stay alone."""

from pathlib import Path

import pytest
from sample_texts import REGULATIONS, REPORT

from engine.errors import DamagedOriginalError, NotFoundError, UnreadableFileError
from engine.folders.sync import sources_in
from engine.ingest import Source
from engine.model import Filters


def test_a_file_becomes_a_document_that_search_finds(library):
    [result] = library.add([Source("report.md", REPORT.encode())])
    assert (result.status, result.version) == ("added", 1)
    [hit] = library.search("foundries", mode="fulltext", top_k=1).hits
    assert hit.document == "report.md"
    assert hit.path[-1] == "Risks"


def test_the_path_of_what_was_found_names_no_section_that_the_document_does_not(library):
    parts = [f"Lamp {n} has oil of {n % 9} olives, and {n % 7} keepers look after it by night." * 3 for n in range(120)]
    library.add([Source("lamps.md", ("# Lamps\n\n" + "\n\n".join(parts)).encode())])
    nodes = {node.node_id: node for node in library.tree("lamps.md").nodes}
    [hit] = library.search("lamp 77", mode="fulltext", top_k=1).hits
    assert nodes[nodes[hit.node_id].parent_id].metadata["title_generated"]
    assert hit.path == ["Lamps"]


def test_the_same_bytes_again_are_unchanged(library):
    library.add([Source("report.md", REPORT.encode())])
    [again] = library.add([Source("report.md", REPORT.encode())])
    assert (again.status, again.version) == ("unchanged", 1)
    assert len(library.versions("report.md")) == 1


def test_new_bytes_under_a_name_make_a_version_and_hide_the_old_one(library):
    library.add([Source("report.md", REPORT.encode())])
    [result] = library.add([Source("report.md", REPORT.replace("foundries", "smelters").encode())])
    assert (result.status, result.version) == ("updated", 2)
    assert not library.search("foundries", mode="fulltext").hits
    assert library.search("smelters", mode="fulltext").hits
    old = library.search("foundries", mode="fulltext", filters=Filters(version=1)).hits
    assert old[0].version == 1


def test_going_back_to_old_bytes_makes_a_third_version(library):
    changed = REPORT.replace("foundries", "smelters")
    for text in (REPORT, changed, REPORT):
        [result] = library.add([Source("report.md", text.encode())])
    assert result.version == 3
    [hit] = library.search("foundries", mode="fulltext", top_k=1).hits
    assert library.node(hit.node_id).version == 3


def test_a_file_that_fails_stops_no_other(library):
    sources = [
        Source("a.md", REPORT.encode()),
        Source("b.pdf", b""),
        Source("c.docx", b"MZ\x90\0\3" + bytes(range(256)) * 4),
    ]
    results = library.add([*sources, Source("手册.md", REGULATIONS.encode())])
    assert [result.status for result in results] == ["added", "failed", "failed", "added"]
    assert all(result.error for result in results if result.status == "failed")
    assert {document.name for document in library.documents()} == {"a.md", "手册.md"}


@pytest.mark.parametrize("as_path", [False, True])
def test_a_program_is_refused_before_it_is_stored(library, tmp_path, as_path):
    data: bytes | Path = b"MZ\x90\0\3" + bytes(range(256)) * 4
    if as_path:
        (tmp_path / "report.docx").write_bytes(data)
        data = tmp_path / "report.docx"
    with pytest.raises(UnreadableFileError, match="exe"):
        library.enqueue(Source("report.docx", data))
    assert not list((library.folder / "files").glob("??/*"))
    assert not library.storage.jobs.list()


def test_a_failed_new_version_leaves_the_old_one_found(library):
    library.add([Source("report.md", REPORT.encode())])
    [result] = library.add([Source("report.md", b"\0\1\2binary\xff\xfe" * 50)])
    assert result.status == "failed"
    assert library.document("report.md").version == 1
    assert library.search("foundries", mode="fulltext").hits


def test_many_texts_go_in_together(library):
    results = library.add_texts((f"{n}.txt", f"Title {n}\n\nThe number of this text is {n}.") for n in range(1200))
    assert {result.status for result in results} == {"added"}
    assert len(library.documents()) == 1200
    assert library.search("number 777", mode="fulltext", top_k=1).hits[0].document == "777.txt"


def test_a_removed_document_is_gone_with_all_versions(library):
    library.add([Source("report.md", REPORT.encode())])
    node = library.search("foundries", mode="fulltext").hits[0].node_id
    library.remove("report.md")
    assert not library.search("foundries", mode="keyword").hits
    with pytest.raises(NotFoundError):
        library.node(node)


def test_parsing_again_keeps_version_and_node_ids(library):
    library.add([Source("report.md", REPORT.encode())])
    before = library.tree("report.md")
    [result] = library.reindex("report.md")
    assert result.version == 1
    assert [node.node_id for node in library.tree("report.md").nodes] == [node.node_id for node in before.nodes]
    assert len(library.versions("report.md")) == 1
    assert len(library.search("foundries", mode="keyword").hits) == 1


def test_a_damaged_original_replaces_no_good_tree(library):
    library.add([Source("report.md", REPORT.encode())])
    before = library.tree("report.md")
    path = library.original("report.md")
    path.write_bytes(b"# Report\n\n" + b"x" * (path.stat().st_size - 10))
    (result,) = library.reindex()
    assert result.status == "failed"
    assert "damaged" in result.error
    assert library.tree("report.md") == before
    with pytest.raises(DamagedOriginalError):
        library.original("report.md")


def test_the_same_file_again_mends_its_damaged_original(library):
    library.add([Source("report.md", REPORT.encode())])
    path = library.original("report.md")
    path.write_bytes(path.read_bytes()[:-9])
    (result,) = library.add([Source("report.md", REPORT.encode())])
    assert result.status == "unchanged"
    assert path.read_text("utf-8") == REPORT
    path.unlink()
    library.add([Source("report.md", REPORT.encode())])
    assert path.read_text("utf-8") == REPORT


def test_a_file_that_changes_while_it_is_taken_in_is_refused(library, tmp_path: Path):
    class Growing(type(tmp_path)):
        def stat(self, **kwargs):
            with super().open("a") as file:
                file.write("more ")
            return super().stat(**kwargs)

        def open(self, *args, **kwargs):
            self.stat()
            return super().open(*args, **kwargs)

    (tmp_path / "log.txt").write_text("The log begins.")
    (result,) = library.add([Source("log.txt", Growing(tmp_path / "log.txt"))])
    assert result.status == "failed"
    assert "changed while it was being read" in result.error
    assert library.documents() == []


def test_a_folder_gives_its_files_named_by_their_place_in_it(tmp_path: Path):
    (tmp_path / "a").mkdir()
    (tmp_path / ".hidden").mkdir()
    for name in ("a/report.md", "report.md", "notes.xyz", ".hidden/report.md"):
        (tmp_path / name).write_text("x")
    assert [source.name for source in sources_in([tmp_path], False, {".md"})] == ["report.md"]
    assert [source.name for source in sources_in([tmp_path], True, {".md"})] == ["a/report.md", "report.md"]
    with pytest.raises(UnreadableFileError, match="does not exist"):
        sources_in([tmp_path / "missing.md"], False, {".md"})
