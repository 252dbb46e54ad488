"""What the embedded backend does about crashes, full disks, other processes and damage."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from library_maker import MODEL, add, content, embed_all, nearest, remove, upkeep, upkeep_later, version

from engine.errors import DamagedOriginalError, LibraryLockedError, StorageError
from engine.model import Filters, document_id_for
from storage.embedded import graphs, open_storage, schema, segments

ROOT = Path(__file__).resolve().parents[2]


def found(storage, word):
    snapshot = storage.snapshot()
    hits = snapshot.sparse_search([(word, 1.0)], 10, snapshot.scope(Filters()))
    return [stored.node.text for stored in snapshot.nodes([hit.key for hit in hits])]


@pytest.mark.timeout(300)
def test_a_killed_writer_leaves_whole_commits_and_nothing_else():
    command = [sys.executable, str(ROOT / "benchmarks" / "crash.py"), "--instants", "20", "--seed", "7"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    result = json.loads(done.stdout)
    assert result["faults"] == []
    assert result["instants"] == 20


def test_another_process_cannot_open_the_library_and_learns_who_holds_it(tmp_path):
    storage = open_storage(tmp_path)
    code = "import sys, pathlib; from storage.embedded import open_storage; open_storage(pathlib.Path(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "LibraryLockedError" in done.stderr
    assert f"process {os.getpid()}" in done.stderr
    with pytest.raises(LibraryLockedError):
        open_storage(tmp_path)
    storage.close()
    open_storage(tmp_path).close()


def test_a_forked_child_does_not_hold_the_lock(tmp_path):
    storage = open_storage(tmp_path)
    child = subprocess.Popen(["sleep", "30"], preexec_fn=lambda: None)
    try:
        storage.close()
        open_storage(tmp_path).close()
    finally:
        child.kill()
        child.wait()


@pytest.mark.parametrize("broken", [(graphs.Graphs, "write"), (segments, "save")])
def test_a_full_disk_changes_nothing(tmp_path, monkeypatch, broken):
    storage = open_storage(tmp_path)
    add(storage, "a.txt", ["red apple"])
    before = sorted(path.name for path in tmp_path.rglob("*") if path.parent.name in ("sparse", "graphs", "tmp"))

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(*broken, full)
        with storage.unit_of_work() as unit:
            unit.write(version("a.txt", ["green pear"]))
            with pytest.raises(StorageError, match="No space left"):
                unit.commit()
    assert (found(storage, "apple"), found(storage, "pear")) == (["red apple"], [])
    assert before == sorted(p.name for p in tmp_path.rglob("*") if p.parent.name in ("sparse", "graphs", "tmp"))
    add(storage, "a.txt", ["green pear"])
    assert found(storage, "pear") == ["green pear"]
    assert all(check.ok for check in storage.check())
    storage.close()


def test_a_full_database_changes_nothing(tmp_path):
    storage = open_storage(tmp_path)
    add(storage, "a.txt", ["red apple"])
    pages = storage._catalog._writer.execute("PRAGMA page_count").fetchone()[0]
    storage._catalog._writer.execute(f"PRAGMA max_page_count={pages + 2}")
    with storage.unit_of_work() as unit:
        unit.write(version("b.txt", [f"green pear {i}" * 50 for i in range(200)]))
        with pytest.raises(StorageError, match="full"):
            unit.commit()
    assert (found(storage, "apple"), found(storage, "pear")) == (["red apple"], [])
    storage._catalog._writer.execute("PRAGMA max_page_count=1000000")
    add(storage, "b.txt", ["green pear"])
    assert found(storage, "pear") == ["green pear"]
    assert all(check.ok for check in storage.check())
    storage.close()


def test_text_that_cannot_be_stored_is_refused_and_changes_nothing(tmp_path):
    storage = open_storage(tmp_path)
    write = version("a.txt", ["red apple"])
    broken = write.nodes[2].__class__(**{**write.nodes[2].to_dict(), "text": "half a \ud800 pair", "bbox": None})
    object.__setattr__(write, "nodes", [*write.nodes[:2], broken])
    with storage.unit_of_work() as unit:
        unit.write(write)
        with pytest.raises(StorageError):
            unit.commit()
    assert storage.documents() == []
    assert all(check.ok for check in storage.check())
    storage.close()


def test_leftovers_of_a_killed_writer_go_on_opening(tmp_path):
    storage = open_storage(tmp_path)
    add(storage, "a.txt", ["red apple"])
    embed_all(storage)
    storage.close()
    half = tmp_path / "tmp" / f"write-{'0' * 32}.part"
    half.mkdir()
    (half / "ids.npy").write_text("x")
    (tmp_path / "upload-ab12_cde.tmp").write_text("half an upload")
    orphan = tmp_path / "graphs" / "d0" / "1-7.json"
    orphan.parent.mkdir()
    orphan.write_text("{}")
    with sqlite3.connect(tmp_path / "catalog.db") as catalog:
        catalog.execute("INSERT INTO garbage VALUES ('graphs/d0/1-7.json', 1, ?)", (time.time(),))
    storage = open_storage(tmp_path)
    assert not list((tmp_path / "tmp").iterdir())
    assert not list(tmp_path.glob("upload-*"))
    upkeep(storage)
    assert orphan.exists()
    upkeep_later(storage)
    assert not orphan.exists()
    add(storage, "b.txt", ["green pear"])
    assert embed_all(storage) == 1
    assert all(check.ok for check in storage.check())
    storage.close()


def test_an_older_catalog_put_back_gives_no_node_the_vector_of_another(tmp_path):
    storage = open_storage(tmp_path)
    add(storage, "a.txt", ["one"])
    embed_all(storage)
    storage.close()
    older = (tmp_path / "catalog.db").read_bytes()
    storage = open_storage(tmp_path)
    add(storage, "b.txt", ["two"])
    embed_all(storage)
    upkeep(storage)
    storage.close()
    (tmp_path / "catalog.db").write_bytes(older)
    storage = open_storage(tmp_path, exact_limit=0)
    add(storage, "c.txt", ["three"])
    assert embed_all(storage) == 1
    upkeep(storage)
    assert nearest(storage, "three", k=3) == ["three", "one"]
    assert [check.name for check in storage.check(deep=True) if not check.ok] == ["files"]
    storage.close()


def test_a_lost_segment_or_graph_is_reported_with_what_to_do(tmp_path):
    storage = open_storage(tmp_path)
    add(storage, "a.txt", ["one", "two"])
    storage.close()
    (segment,) = (tmp_path / "sparse").iterdir()
    (segment / "ids.npy").unlink()
    (graph,) = (tmp_path / "graphs").glob("*/*.json")
    graph.write_text("{")
    storage = open_storage(tmp_path)
    bad = [check for check in storage.check() if not check.ok]
    assert {check.name for check in bad} == {"full text", "graphs"}
    assert all("reindex" in check.fix for check in bad)
    with storage.unit_of_work() as unit:
        unit.delete(document_id_for("a.txt"))
        unit.write(version("a.txt", ["one", "two"]))
        unit.commit()
    upkeep(storage)
    assert all(check.ok for check in storage.check())
    storage.close()


def test_an_original_goes_a_day_after_the_last_thing_that_named_it(tmp_path):
    storage = open_storage(tmp_path)
    document_id, _ = add(storage, "a.txt", ["one"])
    kept = storage.files.path(storage.documents()[0].sha256)
    orphan, waiting, once_waiting = (
        storage.files.path(storage.files.put(data)) for data in (b"orphan", b"waiting", b"once waiting")
    )
    storage.jobs.enqueue("ingest", "b.txt", {"sha256": waiting.name})
    job = storage.jobs.enqueue("ingest", "c.txt", {"sha256": once_waiting.name})
    storage.jobs.cancel(job)
    paths = (kept, orphan, waiting, once_waiting)
    upkeep(storage)
    assert [path.exists() for path in paths] == [True, True, True, True]
    upkeep_later(storage, 1.1)
    assert [path.exists() for path in paths] == [True, False, True, True]
    storage.jobs.dismiss(job)
    remove(storage, document_id)
    upkeep_later(storage, 0.5)
    assert [path.exists() for path in paths] == [True, False, True, True]
    upkeep_later(storage, 2.5)
    assert [path.exists() for path in paths] == [False, False, True, False]
    storage.close()


def test_an_original_no_catalog_ever_named_stays(tmp_path):
    storage = open_storage(tmp_path)
    add(storage, "a.txt", ["one"])
    storage.close()
    older = (tmp_path / "catalog.db").read_bytes()
    storage = open_storage(tmp_path)
    add(storage, "b.txt", ["two"])
    originals = sorted(path.name for path in storage.files.stored())
    storage.close()
    (tmp_path / "catalog.db").write_bytes(older)
    storage = open_storage(tmp_path)
    assert [document.name for document in storage.documents()] == ["a.txt"]
    upkeep_later(storage, 400)
    assert sorted(path.name for path in storage.files.stored()) == originals
    storage.close()


def test_a_damaged_original_is_not_taken_as_present_nor_handed_out(tmp_path):
    storage = open_storage(tmp_path)
    add(storage, "a.txt", ["one"])
    good = content("a.txt", ["one"])
    path = storage.files.path(storage.documents()[0].sha256)
    path.write_bytes(good[:-1] + b"X")
    for ask in (storage.files.path, storage.files.verified):
        with pytest.raises(DamagedOriginalError, match="damaged"):
            ask(path.name)
    assert [check.name for check in storage.check() if not check.ok] == ["files"]
    storage.files.put(good)
    assert storage.files.verified(path.name).read_bytes() == good
    assert all(check.ok for check in storage.check())
    storage.close()


def test_files_of_deleted_documents_and_merged_segments_go(tmp_path):
    storage = open_storage(tmp_path)
    for i in range(10):
        add(storage, f"{i}.txt", [f"text {i}"])
    with storage.unit_of_work() as unit:
        for i in range(10):
            unit.delete(document_id_for(f"{i}.txt"))
        unit.commit()
    upkeep(storage)
    upkeep_later(storage)
    assert not list((tmp_path / "sparse").iterdir())
    assert not list((tmp_path / "graphs").glob("*/*.json"))
    assert storage._catalog.read("SELECT count(*) FROM node") == [(0,)]
    assert storage._catalog.read("SELECT count(*) FROM garbage") == [(0,)]
    storage.close()


def test_keys_are_never_given_twice(tmp_path):
    storage = open_storage(tmp_path)
    keys = set()
    for _ in range(4):
        add(storage, "a.txt", ["one"])
        snapshot = storage.snapshot()
        fresh = set(snapshot.keyword_search(lambda _: True, 9, snapshot.scope(Filters())))
        assert not keys & fresh
        keys |= fresh
        with storage.unit_of_work() as unit:
            unit.delete(document_id_for("a.txt"))
            unit.commit()
        upkeep(storage)
        storage.close()
        storage = open_storage(tmp_path)
    storage.close()


def test_a_library_of_a_newer_version_is_not_touched(tmp_path):
    open_storage(tmp_path).close()
    with sqlite3.connect(tmp_path / "catalog.db") as catalog:
        catalog.execute("PRAGMA user_version = 99")
    with pytest.raises(StorageError, match="newer"):
        open_storage(tmp_path)


def test_a_library_of_before_opens_after_its_catalog_was_kept_and_is_embedded_anew(tmp_path):
    shutil.unpack_archive(Path(__file__).with_name("older_library.zip"), tmp_path)
    shape = sqlite3.connect(tmp_path / "catalog.db").execute("PRAGMA user_version").fetchone()[0]
    for texts in (3, 0):  # one text stands twice
        storage = open_storage(tmp_path)
        assert embed_all(storage) == texts
        assert storage.snapshot().coverage(MODEL) == (4, 4)
        for text in ("red apple", "yellow pear", "blue plum"):
            assert nearest(storage, text) == [text]
        assert [one.version for one in storage.versions(document_id_for("a.txt"))] == [2, 1]
        upkeep(storage)
        assert all(check.ok for check in storage.check(deep=True))
        storage.close()
    kept = sqlite3.connect(tmp_path / "snapshots" / f"before-{shape}.db")
    assert kept.execute("SELECT count(*) FROM embedding").fetchone() == (4,)
    assert list((tmp_path / "vectors").iterdir())
    storage = open_storage(tmp_path)
    upkeep_later(storage)
    assert not list((tmp_path / "vectors").iterdir())
    storage.close()


def test_a_library_of_before_has_the_tables_and_columns_of_a_new_one(tmp_path):
    shutil.unpack_archive(Path(__file__).with_name("older_library.zip"), tmp_path / "older")
    shapes = []
    for name in ("older", "new"):
        open_storage(tmp_path / name).close()
        catalog = sqlite3.connect(tmp_path / name / "catalog.db")
        tables = catalog.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        columns = 'SELECT name, "notnull" AND NOT pk, pk FROM pragma_table_info(?) ORDER BY name'
        shapes.append({table: catalog.execute(columns, (table,)).fetchall() for (table,) in tables})
        catalog.close()
    assert shapes[0] == shapes[1]


def test_a_library_of_the_first_days_of_development_is_refused_and_not_touched(tmp_path):
    open_storage(tmp_path).close()
    with sqlite3.connect(tmp_path / "catalog.db") as catalog:
        catalog.execute(f"PRAGMA user_version = {schema.OLDEST - 1}")
    with pytest.raises(StorageError, match="too old"):
        open_storage(tmp_path)
    assert catalog.execute("PRAGMA user_version").fetchone() == (schema.OLDEST - 1,)
    assert not (tmp_path / "snapshots").exists()


def test_the_catalog_is_brought_to_a_newer_shape_once(tmp_path):
    open_storage(tmp_path).close()
    with sqlite3.connect(tmp_path / "catalog.db", isolation_level=None) as catalog:
        steps = (*schema.MIGRATIONS, "CREATE TABLE later (x)")
        schema.migrate(catalog, steps)
        schema.migrate(catalog, steps)
        assert catalog.execute("PRAGMA user_version").fetchone() == (schema.NEWEST + 1,)
        with pytest.raises(sqlite3.Error):
            schema.migrate(catalog, (*steps, "CREATE TABLE good (x); CREATE TABLE later (x)"))
        assert catalog.execute("PRAGMA user_version").fetchone() == (schema.NEWEST + 1,)
        assert not catalog.execute("SELECT 1 FROM sqlite_master WHERE name = 'good'").fetchall()
