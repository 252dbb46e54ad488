"""Whatever lies in a folder that is opened as a library, nothing of it is changed or deleted."""

from __future__ import annotations

import atexit
import json
import shutil
import sqlite3
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from library_maker import add, embed_all, found, remove, upkeep, upkeep_later

from engine.errors import CatalogLostError, NotALibraryError, StorageError
from storage.embedded import marker, open_storage

ROOT = Path(__file__).resolve().parents[2]
# Names of other things, many of them where a library has its own.
PLACES = st.sampled_from(
    [
        "thesis.docx", "notes/today.md", "tmp/logo.png", "tmp/deep/er/thesis.docx", "sparse/matrix.npz",
        "sparse/seg-mine/ids.npy", "vectors/logo.svg", "vectors/model/rows.f32", "graphs/plot.json",
        "graphs/batch.jsonl", "files/contract.pdf", "files/ab/contract.pdf", "files/ab/abcd", "ocr/scan.png",
        "snapshots/holiday.jpg", "upload-list.tmp", "upload-1.tmp", "write-1.part", "tmp/write-1.part",
        "LOCK.txt", "library.json", "chroma/photo.jpg",
         "catalog.csv", "tmp/0123456789abcdef0123456789abcdef",
    ]
)  # fmt: skip
FOREIGN = st.dictionaries(PLACES, st.binary(max_size=40), min_size=1, max_size=6)
LOOK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def put(folder, files):
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def held(folder):
    """Every file below a folder with its bytes, and every folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")
    }


def fresh(tmp_path):
    folder = tmp_path / "folder"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


@cache
def pattern():
    """A library with a document, one that was removed, vectors and a conversation, to be copied."""
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    storage = open_storage(Path(folder.name))
    add(storage, "a.txt", ["red apple"])
    remove(storage, add(storage, "b.txt", ["green pear"])[0])
    embed_all(storage)
    storage.conversations.create("me", "Fruit")
    originals = [path.relative_to(folder.name) for path in storage.files.stored()]
    storage.close()
    return Path(folder.name), originals


def made(folder):
    """Make a folder a library like the pattern; return its originals."""
    library, originals = pattern()
    shutil.copytree(library, folder, dirs_exist_ok=True)
    return {folder / name: (folder / name).read_bytes() for name in originals}


@LOOK
@given(FOREIGN, st.sampled_from([None, b"", b"not a database", b"SQLite format 3\x00 cut off"]))
def test_a_folder_with_other_things_is_refused_and_left_as_it_was(tmp_path, files, catalog):
    folder = fresh(tmp_path)
    put(folder, files)
    if catalog is not None:
        put(folder, {"catalog.db": catalog})
    before = held(folder)
    with pytest.raises(NotALibraryError, match=r"is not a library: it holds other things"):
        open_storage(folder)
    assert held(folder) == before


@pytest.mark.parametrize("catalog", [b"", b"not a database", b"SQLite format 3\x00 cut off"])
def test_repair_takes_no_folder_over_in_which_only_a_name_is_like_a_librarys(tmp_path, catalog):
    folder = fresh(tmp_path)
    put(
        folder,
        {
            "catalog.db": catalog,
            "graphs/mine/1-1.json": b"{}",
            "upload-12345678.tmp": b"x",
            "thesis.docx": b"",
        },
    )
    before = held(folder)
    with pytest.raises(NotALibraryError, match=r"thesis\.docx"):
        open_storage(folder, repair=True)
    assert held(folder) == before


def test_another_programs_vectors_are_not_taken_for_those_of_a_library(tmp_path):
    put(tmp_path, {"vectors.db": b"mine"})
    with pytest.raises(NotALibraryError, match=r"vectors\.db"):
        open_storage(tmp_path)
    assert held(tmp_path) == {"vectors.db": b"mine"}


@LOOK
@given(FOREIGN, st.sampled_from(["marked", "unmarked", "killed"]))
def test_a_library_with_other_things_in_it_opens_and_leaves_them_alone(tmp_path, files, state):
    folder = fresh(tmp_path)
    made(folder)
    put(folder, files)
    if state == "unmarked":
        (folder / marker.FILE_NAME).unlink()
    if state == "killed":
        put(folder, {f"tmp/write-{'0' * 32}.part": b"half", "upload-ab12_cde.tmp": b"half"})
    storage = open_storage(folder)
    assert found(storage, "apple") == ["red apple"]
    for day in (0, 2, 400):
        upkeep_later(storage, day)
    storage.close()
    after = held(folder)
    assert {name: after.get(name) for name in files} == files
    assert not [name for name in after if name.startswith(("tmp/write-0", "upload-ab"))]
    assert json.loads(after[marker.FILE_NAME]) == {"library": "dropqa", "schema": marker.SCHEMA_VERSION}


@LOOK
@given(
    st.one_of(st.just({}), FOREIGN),
    st.sampled_from([None, b"", b"garbage", b"SQLite format 3\x00 cut off"]),
    st.booleans(),
)
def test_a_library_that_lost_its_catalog_is_never_taken_for_a_new_one(tmp_path, files, catalog, marked):
    folder = fresh(tmp_path)
    originals = made(folder)
    put(folder, files)
    (folder / "catalog.db").unlink()
    if catalog is not None:
        put(folder, {"catalog.db": catalog})
    if not marked:
        (folder / marker.FILE_NAME).unlink()
    before = held(folder)
    with pytest.raises(StorageError) as refused:
        open_storage(folder)
    assert isinstance(refused.value, CatalogLostError if marked else CatalogLostError | NotALibraryError)
    after = held(folder)
    assert {**after, "LOCK": b""} == {**before, "LOCK": b""}  # it names who looked last
    assert all(path.read_bytes() == data for path, data in originals.items())


def test_an_older_catalog_deletes_no_original_that_it_does_not_know(tmp_path):
    folder = fresh(tmp_path)
    originals = made(folder)
    older = (folder / "catalog.db").read_bytes()
    storage = open_storage(folder)
    remove(storage, storage.document("a.txt").document_id)
    add(storage, "c.txt", ["blue plum"])
    storage.close()
    (folder / "catalog.db").write_bytes(older)
    (newer,) = set((folder / "files").glob("??/*")) - set(originals)
    storage = open_storage(folder)
    upkeep_later(storage, 400)
    assert newer.exists()
    storage.close()


def test_a_crafted_catalog_cannot_have_other_files_deleted(tmp_path):
    folder, other = fresh(tmp_path), tmp_path / "other"
    made(folder)
    put(other, {"1-1.json": b"{}", "seg-0123456789abcdef/ids.npy": b"x"})
    (folder / "graphs" / "linked").symlink_to(other)
    put(folder, {"sparse/seg-0123456789abcdef/thesis.docx": b"mine"})
    with sqlite3.connect(folder / "catalog.db") as catalog:
        for path in (
            "../other/1-1.json", "graphs/../../other/1-1.json", "graphs/linked/1-1.json", str(other), "files",
            "sparse/seg-0123456789abcdef", "dropqa-library.json", "",
        ):  # fmt: skip
            catalog.execute("INSERT INTO garbage VALUES (?, 0, 0)", (path,))
    before = held(other)
    storage = open_storage(folder)
    upkeep(storage)
    assert held(other) == before
    assert (folder / "sparse/seg-0123456789abcdef/thesis.docx").read_bytes() == b"mine"
    assert (folder / marker.FILE_NAME).exists()
    assert found(storage, "apple") == ["red apple"]
    storage.close()


def test_somebody_elses_database_of_that_name_is_not_touched(tmp_path):
    folder = fresh(tmp_path)
    with sqlite3.connect(folder / "catalog.db") as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("CREATE TABLE books (title)")
    before = held(folder)
    with pytest.raises(NotALibraryError):
        open_storage(folder)
    assert held(folder) == before


def test_a_library_that_was_killed_in_its_first_minute_opens(tmp_path):
    folder = fresh(tmp_path)
    code = (
        "import os, pathlib, sys; from storage.embedded import open_storage;"
        "s = open_storage(pathlib.Path(sys.argv[1])); s.conversations.create('me', 'Fruit'); os._exit(9)"
    )
    subprocess.run(["python", "-c", code, str(folder)], cwd=ROOT, check=False)
    for with_marker in (True, False):
        if not with_marker:
            (folder / marker.FILE_NAME).unlink()
        storage = open_storage(folder)
        assert [one.title for one in storage.conversations.list("me")] == ["Fruit"]
        storage.close()


def test_settings_may_be_there_before_the_library(tmp_path):
    folder = fresh(tmp_path)
    put(folder, {"dropqa.toml": b"[llm]\nmodel = 'x'\n", "synonyms.toml": b"", ".DS_Store": b"x"})
    open_storage(folder).close()
    assert (folder / "dropqa.toml").read_bytes() == b"[llm]\nmodel = 'x'\n"


def test_a_library_of_a_newer_layout_is_not_touched(tmp_path):
    folder = fresh(tmp_path)
    made(folder)
    put(folder, {marker.FILE_NAME: b'{"library": "dropqa", "schema": 99}'})
    before = held(folder)
    with pytest.raises(StorageError, match="newer"):
        open_storage(folder)
    assert held(folder) | {"LOCK": b""} == before | {"LOCK": b""}
