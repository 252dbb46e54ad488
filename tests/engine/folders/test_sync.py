"""Folders and a library that follows them: real files, looked at as often as a test says."""

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from engine.config import Settings, WatchSettings
from engine.errors import UsageError
from engine.folders.sync import FolderSync
from engine.ingest import Source
from engine.library import Library
from engine.model import Filters


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "notes"
    (made / "old").mkdir(parents=True)
    (made / "apples.md").write_text("# Apples\n\nThe orchard gave nine tons of quinces.")
    (made / "old/pears.txt").write_text("Pears were sold to Antwerp.")
    return made


@pytest.fixture
def library(tmp_path: Path):
    with opened(tmp_path) as one:
        yield one


def opened(tmp_path: Path, **watch) -> Library:
    settings = Settings(watch=WatchSettings(**{"quiet_seconds": 0, **watch}))
    return Library.open(tmp_path / "library", settings=settings, background=False)


def look(library: Library, *folders: Path) -> list[tuple[str, str]]:
    return [(one.status, one.name) for one in library.follow([str(folder) for folder in folders]).documents]


def names(library: Library) -> list[str]:
    return sorted(document.name for document in library.documents())


def found(library: Library, word: str) -> list[str]:
    return [hit.document for hit in library.search(word, mode="keyword").hits]


def test_files_are_taken_in_once_with_their_paths(library, folder):
    assert look(library, folder) == [("added", "notes/apples.md"), ("added", "notes/old/pears.txt")]
    assert library.document("notes/old/pears.txt").path == str(folder / "old/pears.txt")
    assert look(library, folder) == []


def test_an_edit_is_a_new_version_and_a_touch_is_none(library, folder):
    look(library, folder)
    (folder / "apples.md").write_text("# Apples\n\nThe orchard gave ten tons of medlars.")
    os.utime(folder / "old/pears.txt", (1, 1))
    assert sorted(look(library, folder)) == [
        ("unchanged", "notes/old/pears.txt"),
        ("updated", "notes/apples.md"),
    ]
    assert library.document("notes/apples.md").version == 2
    assert found(library, "medlars") and not found(library, "quinces")


def test_a_file_that_moves_keeps_its_document_with_its_versions(library, folder):
    look(library, folder)
    (folder / "apples.md").write_text("# Apples\n\nThe orchard gave ten tons of medlars.")
    look(library, folder)
    before = library.document("notes/apples.md")
    (folder / "apples.md").rename(folder / "old/harvest.md")
    assert look(library, folder) == [("moved", "notes/old/harvest.md")]
    after = library.document("notes/old/harvest.md")
    assert (after.document_id, after.version, after.versions) == (before.document_id, 2, 2)
    assert after.path == str(folder / "old/harvest.md") and len(library.documents()) == 2
    assert library.tree(after.document_id).name == "notes/old/harvest.md"


def test_a_new_file_under_the_old_name_of_one_that_moved_is_another_document(library, folder):
    look(library, folder)
    (folder / "apples.md").rename(folder / "harvest.md")
    look(library, folder)
    (folder / "apples.md").write_text("Another text altogether.")
    assert look(library, folder) == [("added", "notes/apples.md")]
    ids = {library.document(name).document_id for name in ("notes/apples.md", "notes/harvest.md")}
    assert len(ids) == 2


def test_a_deleted_file_is_put_away_and_nothing_of_it_shows(library, folder):
    look(library, folder)
    node = next(one for one in library.tree("notes/apples.md").nodes if "quinces" in one.text)
    gone = library.document("notes/apples.md").document_id
    (folder / "apples.md").unlink()
    assert look(library, folder) == [("archived", "notes/apples.md")]
    assert names(library) == ["notes/old/pears.txt"] and not found(library, "quinces")
    assert not library.search("quinces", filters=Filters(version=1)).hits
    for call in (library.document, library.tree, library.versions):
        with pytest.raises(Exception, match="no document"):
            call(gone)
    with pytest.raises(Exception, match="no node"):
        library.node(node.node_id)
    assert [one.name for one in library.archived()] == ["notes/apples.md"]
    assert all(check.ok for check in library.doctor(deep=True))


def test_what_is_put_away_outlives_a_restart_and_comes_back_with_its_file(library, folder, tmp_path):
    look(library, folder)
    text = (folder / "apples.md").read_text()
    document_id = library.document("notes/apples.md").document_id
    (folder / "apples.md").unlink()
    look(library, folder)
    library.close()
    with opened(tmp_path) as again:
        assert names(again) == ["notes/old/pears.txt"]
        assert all(check.ok for check in again.doctor())
        (folder / "back.md").write_text(text)
        assert look(again, folder) == [("moved", "notes/back.md")]
        assert again.document("notes/back.md").document_id == document_id and found(again, "quinces")


def test_what_is_put_away_can_be_brought_back_or_removed_by_hand(library, folder):
    look(library, folder)
    for name in ("apples.md", "old/pears.txt"):
        (folder / name).unlink()
        (folder / "kept.md").write_text("Kept.")
        look(library, folder)
    pears, apples = library.archived()
    assert library.bring_back(apples.document_id).status == "updated"
    library.remove(pears.name)
    assert names(library) == ["notes/apples.md", "notes/kept.md"] and not library.archived()
    assert all(check.ok for check in library.doctor(deep=True))


def test_a_new_upload_of_a_name_that_is_put_away_continues_its_versions(library, folder):
    look(library, folder)
    (folder / "apples.md").unlink()
    look(library, folder)
    (added,) = library.add([Source("notes/apples.md", b"# Apples\n\nUploaded by hand.")])
    assert (added.status, added.version) == ("updated", 2)
    assert not library.archived() and library.document("notes/apples.md").versions == 2


def test_with_delete_the_document_goes_for_good(tmp_path, folder):
    with opened(tmp_path, delete=True) as library:
        look(library, folder)
        job_id = library.enqueue(Source("notes/apples.md", b"# Apples\n\nUploaded by hand."))
        read = library.folder / "ocr" / library.document("notes/apples.md").sha256
        read.mkdir(parents=True)
        (folder / "apples.md").unlink()
        assert look(library, folder) == [("removed", "notes/apples.md")]
        assert not library.archived() and not read.exists()
        assert library.storage.jobs.get(job_id).state == "cancelled"  # it would bring the document back


def test_a_folder_that_vanishes_or_is_empty_deletes_nothing(library, folder, tmp_path):
    look(library, folder)
    folder.rename(tmp_path / "unmounted")
    assert library.follow([str(folder)]).missing == [str(folder)]
    folder.mkdir()
    assert library.follow([str(folder)]).missing == [str(folder)]
    assert len(library.documents()) == 2
    folder.rmdir()
    (tmp_path / "unmounted").rename(folder)
    assert look(library, folder) == [] and len(library.documents()) == 2


def test_a_part_of_a_folder_on_another_file_system_that_is_unmounted_deletes_nothing(library, folder):
    look(library, folder)
    known = library.storage.watched.below(folder / "old")
    library.storage.watched.put([replace(file, device=file.device + 1) for file in known.values()])
    (folder / "old/pears.txt").unlink()
    assert look(library, folder) == [] and len(library.documents()) == 2


def test_a_document_that_was_removed_stays_so_until_its_file_changes(library, folder):
    look(library, folder)
    library.remove("notes/apples.md")
    assert look(library, folder) == []
    (folder / "apples.md").write_text("Changed.")
    assert look(library, folder) == [("added", "notes/apples.md")]


def test_what_is_hidden_ignored_linked_or_of_no_known_kind_is_left_out(tmp_path, folder):
    (folder / ".hidden").mkdir()
    for name in (".hidden/a.md", ".secret.md", "~$lock.docx", "drafts.md", "tool.exe"):
        (folder / name).write_text("Not to be read.")
    (tmp_path / "outside.md").write_text("Outside.")
    (folder / "link.md").symlink_to(tmp_path / "outside.md")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    with opened(tmp_path, ignore=("~$*", "draft*", "old")) as library:
        assert look(library, folder) == [("added", "notes/apples.md")]


def test_a_file_that_cannot_be_read_is_told_once(library, folder):
    (folder / "broken.docx").write_bytes(b"MZ\x90\x00" + bytes(400))
    (folder / "empty.md").write_bytes(b"")
    statuses = {name: status for status, name in look(library, folder)}
    assert statuses["notes/broken.docx"] == statuses["notes/empty.md"] == "failed"
    assert look(library, folder) == []


def test_a_file_that_is_being_written_waits_until_it_is_quiet(library, folder):
    now = [0.0]
    settings = Settings(watch=WatchSettings(quiet_seconds=2))
    sync = FolderSync(library.storage, library._ingest, lambda: settings, library.folder, clock=lambda: now[0])
    part = folder / "growing.md"
    part.write_text("The first half ")
    assert sync.look([folder]).waiting == 3
    now[0] = 1.5
    with part.open("a") as file:
        file.write("and the second.")
    now[0] = 2.5
    assert [one.name for one in sync.look([folder]).documents] == ["notes/apples.md", "notes/old/pears.txt"]
    now[0] = 4.6
    assert [one.name for one in sync.look([folder]).documents] == ["notes/growing.md"]
    assert found(library, "second") and library.document("notes/growing.md").version == 1
    part.unlink()
    assert sync.look([folder]).waiting == 1  # it may be on its way to another place
    part.write_text("The first half and the second.")
    assert sync.look([folder]).waiting == 1 and not library.archived()


def test_folders_of_one_name_keep_their_files_apart(library, folder, tmp_path):
    other = tmp_path / "other/notes"
    other.mkdir(parents=True)
    (other / "apples.md").write_text("Other apples.")
    (other / "Apples.md").write_text("Apples with a capital.")
    look(library, folder, other, folder / "old")
    assert len(library.documents()) == 4
    assert look(library, folder, other) == []


def test_the_librarys_own_folder_is_never_read(library, tmp_path):
    (library.folder / "stray.md").write_text("Stray.")
    (tmp_path / "beside.md").write_text("Beside.")
    assert [name for _, name in look(library, tmp_path)] == [f"{tmp_path.name}/beside.md"]
    with pytest.raises(UsageError, match="own folder"):
        look(library, library.folder / "files")


def test_what_was_taken_in_before_a_kill_is_not_taken_in_again(library, folder):
    look(library, folder)
    before = library.storage.snapshot().generation
    library.storage.watched.put(gone=[str(folder / "apples.md")])  # as if killed before it was noted
    assert look(library, folder) == [("unchanged", "notes/apples.md")]
    assert library.storage.snapshot().generation == before


def test_the_app_follows_the_folders_of_its_settings(folder, tmp_path):
    settings = Settings(watch=WatchSettings(folders=(str(folder),), quiet_seconds=0.1))
    with Library.open(tmp_path / "library", settings=settings) as library:
        until(lambda: len(library.documents()) == 2)
        (folder / "new.md").write_text("Cherries are new.")
        until(lambda: found(library, "Cherries"))
        (folder / "new.md").unlink()
        until(lambda: library.archived())


def until(true) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)
