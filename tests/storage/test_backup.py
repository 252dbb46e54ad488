"""Copies of a library that is in use, libraries made from them, and what a kill leaves of either."""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from library_maker import add, embed_all, found, remove

from engine.errors import DamagedOriginalError, NotALibraryError, StorageError, UsageError
from storage.embedded import open_storage, restore

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def storage(tmp_path):
    """A library in a folder: a database has tools of its own."""
    opened = open_storage(tmp_path / "library")
    yield opened
    opened.close()


@pytest.fixture
def filled(storage):
    add(storage, "a.md", ["zebra alpha", "beta"])
    add(storage, "a.md", ["zebra gamma", "beta"])
    add(storage, "b.md", ["unicorn delta"])
    embed_all(storage)
    storage.conversations.create("ann", "Kept")
    return storage


def healthy(folder: Path, *words: str) -> None:
    opened = open_storage(folder)
    try:
        assert all(check.ok for check in opened.check(deep=True)), opened.check(deep=True)
        assert not opened.strays()
        for word in words:
            assert found(opened, word)
    finally:
        opened.close()


def test_a_library_made_from_a_backup_has_everything(filled, tmp_path):
    before = filled.documents()
    filled.back_up(tmp_path / "copy")
    restore(tmp_path / "copy", tmp_path / "again")
    healthy(tmp_path / "again", "gamma", "unicorn")
    again = open_storage(tmp_path / "again")
    assert again.documents() == before and [v.version for v in again.versions(before[-1].document_id)] == [
        2,
        1,
    ]
    assert again.conversations.list("ann")[0].title == "Kept"
    assert again.jobs.list() == filled.jobs.list()
    again.close()


def test_a_backup_made_while_others_write_is_of_one_moment(filled, tmp_path):
    stop = threading.Event()

    def write():
        number = 0
        while not stop.is_set():
            number += 1
            document_id, _ = add(filled, f"busy{number}.md", [f"word{number} busy"])
            if number % 3 == 0:
                remove(filled, document_id)
            embed_all(filled)
            filled.maintain()

    with ThreadPoolExecutor() as pool:
        writing = pool.submit(write)
        for number in range(3):
            filled.back_up(tmp_path / f"copy{number}")
        stop.set()
        writing.result()
    for number in range(3):
        restore(tmp_path / f"copy{number}", tmp_path / f"again{number}")
        healthy(tmp_path / f"again{number}", "gamma", "unicorn")


def test_neither_goes_into_a_folder_that_holds_something(filled, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine.txt").write_text("Mine.")
    with pytest.raises(UsageError, match="not empty"):
        filled.back_up(tmp_path / "full")
    with pytest.raises(UsageError, match="not apart"):
        filled.back_up(filled.folder / "files")
    filled.back_up(tmp_path / "copy")
    with pytest.raises(UsageError, match="not empty"):
        restore(tmp_path / "copy", tmp_path / "full")
    with pytest.raises(UsageError, match="not empty"):
        filled.back_up(tmp_path / "copy")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine.txt"]


def test_a_damaged_original_or_backup_is_told_and_never_becomes_a_library(filled, tmp_path):
    filled.back_up(tmp_path / "copy")
    graph = next((tmp_path / "copy/graphs").rglob("*.json"))
    graph.write_bytes(graph.read_bytes()[:-1] + b"x")
    with pytest.raises(StorageError, match="is not what was backed up"):
        restore(tmp_path / "copy", tmp_path / "again")
    with pytest.raises(NotALibraryError):
        open_storage(tmp_path / "again")
    with pytest.raises(UsageError, match="no whole backup"):
        restore(tmp_path / "nothing", tmp_path / "other")
    original = next(path for path in filled._files.stored())
    original.write_bytes(b"rotten")
    with pytest.raises(DamagedOriginalError):
        filled.back_up(tmp_path / "second")
    with pytest.raises(UsageError, match="no whole backup"):
        restore(tmp_path / "second", tmp_path / "other")


def test_a_backup_cannot_name_files_outside_itself(filled, tmp_path):
    filled.back_up(tmp_path / "copy")
    manifest = tmp_path / "copy/backup.json"
    manifest.write_text(manifest.read_text().replace('"dropqa-library.json"', '"../dropqa-library.json"'))
    with pytest.raises(UsageError, match="outside itself"):
        restore(tmp_path / "copy", tmp_path / "again")


KILLED = """
import os, signal, sys
from pathlib import Path
from storage.embedded import backup, open_storage, restore
left, what, source, target = int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
copy = backup._copy
def dying(*paths):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return copy(*paths)
backup._copy = dying
open_storage(source).back_up(target) if what == "backup" else restore(source, target)
"""


@pytest.mark.parametrize("after", [0, 2, 5])
def test_a_kill_in_between_leaves_no_half_library_and_the_next_call_ends_it(filled, tmp_path, after):
    library, copy, again = filled.folder, tmp_path / "copy", tmp_path / "again"
    filled.close()
    assert killed(after, "backup", library, copy) == -signal.SIGKILL
    with pytest.raises(UsageError):
        restore(copy, again)
    healthy(library, "gamma", "unicorn")
    opened = open_storage(library)
    opened.back_up(copy)
    opened.close()
    assert killed(after, "restore", copy, again) == -signal.SIGKILL
    with pytest.raises(NotALibraryError):
        open_storage(again)
    restore(copy, again)
    healthy(again, "gamma", "unicorn")


def killed(after: int, what: str, source: Path, target: Path) -> int:
    command = [sys.executable, "-c", KILLED, str(after), what, str(source), str(target)]
    return subprocess.run(command, cwd=ROOT, env=os.environ, timeout=120, check=False).returncode


def test_what_is_copied_is_for_its_owner_alone(filled, tmp_path):
    (filled.folder / "dropqa.toml").write_text('[llm]\napi_key = "secret"\n')
    filled.back_up(tmp_path / "copy")
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o700
    for path in (tmp_path / "copy").rglob("*"):
        assert path.is_dir() or path.stat().st_mode & 0o077 == 0, path
    assert (tmp_path / "copy/dropqa.toml").is_file()
