"""A full disk, and one that may only be read: a small file system of its own stands for it."""

from __future__ import annotations

import contextlib
import shutil
import subprocess

import pytest
from sample_texts import REPORT
from starlette.testclient import TestClient

from engine.config import Settings
from engine.errors import DiskFullError, StorageError
from engine.ingest import Source
from engine.interfaces.doors import create_server
from engine.interfaces.repair import repair
from engine.library import Library
from engine.settings_sources import load_settings

WITHOUT_VECTORS = Settings.model_validate({"embedding": {"enabled": False}})

PIER = Source("pier.md", b"# Harbour\n\nPier 3 was dredged in the year 1903.\n")
QUESTION = "When was pier 3 dredged?"


@pytest.fixture
def disk(tmp_path):
    """A file system of 64 MB, where the machine lets one be made."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if not mounted or mounted.returncode:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def opened(folder):
    return Library.open(folder, settings=WITHOUT_VECTORS, background=False)


def fill(folder):
    """Use up the last byte of the disk."""
    with (folder / "ballast").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1 << 16))
        except OSError:
            return


@pytest.fixture
def library_folder(disk):
    """A closed library with three documents on the small disk, with its reserve."""
    with opened(disk / "library") as library:
        library.add([Source("report.md", REPORT.encode()), Source("b.md", b"# Crane\n\nThe crane is red.\n"), PIER])
        while library.storage.maintain():
            pass
    assert (disk / "library" / "reserve.bin").exists()
    return disk / "library"


def test_a_full_disk_lets_a_library_open_answer_and_delete(disk, library_folder):
    fill(disk)
    with opened(library_folder) as library:
        assert "1903" in library.ask(QUESTION).answer
        (result,) = library.add([Source("c.md", b"# Crane\n\nThe crane is red.\n")])
        assert result.status == "failed"
        assert "no room" in result.error
        with pytest.raises(DiskFullError):
            library.enqueue(Source("c.md", b"# Crane\n\nThe crane is red.\n"))
        library.remove("b.md")
        assert [document.name for document in library.documents()] == ["pier.md", "report.md"]
        for _ in range(5):
            library.storage.maintain()  # what it cannot do it leaves for later
        (disk / "ballast").unlink()
        (result,) = library.add([Source("c.md", b"# Crane\n\nThe crane is red.\n")])
        assert result.status == "added"
        while library.storage.maintain():
            pass
        assert (library_folder / "reserve.bin").exists()
        assert all(check.ok for check in library.storage.check(deep=True))


def test_a_disk_that_is_full_to_the_last_byte_without_a_reserve_lets_it_be_read(disk, library_folder):
    (library_folder / "reserve.bin").unlink()
    fill(disk)
    with opened(library_folder) as library:
        assert library.search("foundries", mode="fulltext").hits
        assert "1903" in library.ask(QUESTION).answer


def test_repair_sets_no_whole_catalog_aside_because_the_disk_is_full(disk, library_folder):
    (library_folder / "reserve.bin").unlink()
    whole = (library_folder / "catalog.db").read_bytes()
    fill(disk)
    with contextlib.suppress(StorageError):
        repair(library_folder, load_settings)
    assert (library_folder / "catalog.db").read_bytes() == whole
    assert not list(library_folder.glob("snapshots/damaged-*"))


def test_a_folder_that_may_only_be_read_opens_for_reading(disk, library_folder, tmp_path):
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    with opened(library_folder) as library, opened(library_folder) as another:
        for one in (library, another):
            assert "1903" in one.ask(QUESTION).answer
            assert one.tree("b.md").nodes
            assert all(check.ok for check in one.storage.check(deep=True))
        with pytest.raises(StorageError, match="can only be read"):
            library.conversations.create("me", "Foundries")
        with pytest.raises(StorageError, match="can only be read"):
            library.remove("b.md")
        (result,) = library.add([Source("c.md", b"# Crane\n\nThe crane is red.\n")])
        assert result.status == "failed"
        assert library.storage.maintain() is False
        library.storage.back_up(tmp_path / "copy")
        assert (tmp_path / "copy" / "backup.json").exists()
        client = TestClient(create_server(lambda: library, library_folder), "http://localhost")
        answer = client.post("/api/documents/upload", files={"files": ("c.md", b"# Crane")})
        assert answer.status_code == 507 and "cannot be stored" in answer.json()["error"]["message"]
    with Library.open(library_folder, settings=WITHOUT_VECTORS) as library:  # with what works in the background
        assert [document.name for document in library.documents()] == ["pier.md", "b.md", "report.md"]
    assert repair(library_folder, load_settings) == []
