"""A library in a database that several processes use at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from library_maker import MODEL, add, embed, embed_all, found, nearest, remove, upkeep, upkeep_later

from engine.errors import NotFoundError, StorageError
from engine.model import Filters
from storage.catalog.embeddings import Embeddings
from storage.collections import NONE, Rights, StoredCollection
from storage.postgres import PostgresStorage, address

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def opened(databases, tmp_path):
    """Open one more of the same library."""
    made = []

    def open_one(**options):
        made.append(PostgresStorage(databases("shared"), tmp_path / "shared", **options))
        return made[-1]

    yield open_one
    for one in made:
        one.close()


def in_process(databases, folder, code):
    """Start a process that opens the library as ``storage`` and runs some lines."""
    start = (
        "import sys, time; from pathlib import Path; sys.path.insert(0, 'tests/storage');"
        "from library_maker import *; from storage.postgres import PostgresStorage;"
        "storage = PostgresStorage(sys.argv[1], Path(sys.argv[2]), lost_seconds=1.0)\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", start + code, databases("shared"), str(folder / "shared")], cwd=ROOT,
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_what_one_adds_changes_and_removes_the_other_sees_at_once(opened):
    one, other = opened(), opened()
    document_id, _ = add(one, "a.txt", ["red apple"])
    assert found(other, "apple") == ["red apple"]
    add(other, "a.txt", ["green pear"])
    assert (found(one, "apple"), found(one, "pear")) == ([], ["green pear"])
    embed_all(one)
    assert nearest(other, "green pear") == ["green pear"]
    assert other.documents() == one.documents()
    remove(one, document_id)
    assert other.documents() == [] and found(other, "pear") == []
    with pytest.raises(NotFoundError):
        other.tree(document_id)


def test_what_a_state_shows_stays_while_others_write_and_tidy(opened):
    one, other = opened(), opened()
    add(one, "a.txt", ["red apple"])
    pinned = one.pinned()
    add(other, "a.txt", ["green pear"])
    upkeep_later(other, days=0.5)
    assert found(pinned, "apple") == ["red apple"] and found(pinned, "pear") == []
    assert pinned.snapshot().generation < one.snapshot().generation


def test_rights_that_one_changes_hold_for_the_other(opened):
    one, other = opened(), opened()
    document_id, _ = add(one, "a.txt", ["red apple"])
    everybody = other.visible(Rights(frozenset({NONE}), frozenset()))
    assert found(everybody, "apple") == ["red apple"]
    one.collections.save(StoredCollection("c1", "Secrets"))
    one.collections.put([document_id], "c1")
    assert found(everybody, "apple") == [] and everybody.documents() == []


def test_a_process_that_was_away_while_rows_were_purged_reads_everything_anew(opened):
    one, other = opened(), opened()
    document_id, _ = add(one, "a.txt", ["red apple"])
    assert found(other, "apple") == ["red apple"]
    remove(one, document_id)
    add(one, "b.txt", ["green pear"])
    one.snapshot()
    upkeep_later(one)
    assert one.tables.read("SELECT count(*) FROM version") == [(1,)]
    assert found(other, "apple") == [] and found(other, "pear") == ["green pear"]
    assert all(check.ok for check in other.check(deep=True))


def test_two_that_embed_share_the_work(opened):
    one, other = opened(), opened()
    add(one, "a.txt", [f"text number {number}" for number in range(40)])
    mine, theirs = (dict(storage.nodes_without_vector(MODEL, 20)) for storage in (one, other))
    assert len(mine) == len(theirs) == 20 and not set(mine) & set(theirs)
    assert other.nodes_without_vector(MODEL, 20) == list(theirs.items())
    for storage, texts in ((one, mine), (other, theirs)):
        vectors = [embed(text) for text in texts.values()]
        storage.add_vectors(MODEL, list(texts), list(texts.values()), vectors)
    assert one.snapshot().coverage(MODEL) == other.snapshot().coverage(MODEL) == (40, 40)


def test_a_text_that_another_one_has_just_embedded_is_not_embedded_again(opened, monkeypatch):
    one, other = opened(), opened()
    add(one, "a.txt", ["red apple", "green pear"])
    missing = Embeddings.missing

    def overtaken(embeddings, *asked):
        found = missing(embeddings, *asked)
        if embeddings is one._embeddings and not overtaken.done:
            overtaken.done = True
            embed_all(other)
        return found

    overtaken.done = False
    monkeypatch.setattr(Embeddings, "missing", overtaken)
    assert one.nodes_without_vector(MODEL, 9) == []
    assert one.snapshot().coverage(MODEL) == (2, 2)


def test_a_text_that_another_one_is_just_taking_is_not_taken_as_well(opened):
    one, other = opened(), opened()
    add(one, "a.txt", ["red apple"])
    waits = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with ThreadPoolExecutor() as pool:
        with one.tables.transaction() as write:
            claim = "INSERT INTO claim (model, hash, holder) SELECT ?, hash, ? FROM dense"
            write.execute(claim, (MODEL, one.tables.holder))
            theirs = pool.submit(other.nodes_without_vector, MODEL, 9)
            while not one.tables.read(waits):
                time.sleep(0.01)
        assert theirs.result() == []


def test_ten_workers_do_each_job_once_and_lose_no_write(databases, opened, tmp_path):
    storage = opened()
    for number in range(60):
        storage.jobs.enqueue("ingest", f"{number}.txt", {})
    work = (
        "while job := storage.jobs.lease(['ingest']):\n"
        "    add(storage, job.name, ['common word', job.name])\n"
        "    storage.jobs.finish(job.job_id)\n"
        "    print(job.name)\n"
        "storage.close()\n"
    )
    processes = [in_process(databases, tmp_path, work) for _ in range(10)]
    done = [name for process in processes for name in process.communicate(timeout=120)[0].split()]
    assert sorted(done) == sorted(f"{number}.txt" for number in range(60))
    assert {job.state for job in storage.jobs.list()} == {"done"}
    documents = storage.documents()
    assert len(documents) == 60 and {document.versions for document in documents} == {1}
    assert len(found(storage, "common", k=100)) == 60
    assert all(check.ok for check in storage.check(deep=True))


def test_what_a_killed_worker_had_is_done_by_another(databases, opened, tmp_path):
    storage = opened(lost_seconds=1.0)
    job_id = storage.jobs.enqueue("ingest", "a.pdf", {})
    add(storage, "a.txt", ["red apple"])
    talk = storage.conversations.create("ann")
    code = (
        f"talk = storage.conversations.append('ann', '{talk.conversation_id}', 'assistant', 'Half', state='running')\n"
        "print(storage.jobs.lease().job_id, len(storage.nodes_without_vector(MODEL, 9)), flush=True)\n"
        "with storage.unit_of_work() as unit:\n"
        "    unit.write(version('b.txt', ['never']))\n"
        "    print('writing', flush=True)\n"
        "    time.sleep(600)\n"
    )
    process = in_process(databases, tmp_path, code)
    assert process.stdout.readline().split() == [job_id, "1"] and process.stdout.readline()
    assert storage.jobs.lease() is None and storage.nodes_without_vector(MODEL, 9) == []
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    add(storage, "c.txt", ["green pear"])  # nobody waits for a writer that is gone
    until = time.monotonic() + 60
    while (job := storage.jobs.lease()) is None and time.monotonic() < until:
        time.sleep(0.1)
    assert job is not None and job.job_id == job_id
    assert len(embedded := storage.nodes_without_vector(MODEL, 9)) == 2, embedded
    storage.maintain()
    assert storage.conversations.get("ann", talk.conversation_id)[1][0].state == "stopped"
    assert sorted(document.name for document in storage.documents()) == ["a.txt", "c.txt"]


def test_a_worker_that_was_thought_lost_does_not_end_anothers_job(opened):
    one, other = opened(lost_seconds=0.2), opened(lost_seconds=0.2)
    job_id = one.jobs.enqueue("ingest", "a.pdf", {})
    one.jobs.lease()
    assert other.jobs.lease() is None  # the first one is seen
    one._presence._end.set()
    one._presence._thread.join()
    time.sleep(0.5)
    assert other.jobs.lease().job_id == job_id
    assert not one.jobs.report(job_id, "parse", 0.5)
    one.jobs.finish(job_id, {"by": "one"})
    assert other.jobs.get(job_id).state == "running"
    other.jobs.finish(job_id, {"by": "other"})
    assert one.jobs.get(job_id).payload == {"result": {"by": "other"}}


def test_progress_is_told_to_all(opened):
    one, other = opened(), opened()
    job_id = one.jobs.enqueue("ingest", "a.pdf", {})
    one.jobs.lease()
    one.jobs.report(job_id, "parse", 0.4)
    job = other.jobs.get(job_id)
    assert (job.stage, job.progress) == ("parse", 0.4) and job.eta is not None
    other.jobs.cancel(job_id)
    assert not one.jobs.report(job_id, "parse", 0.5)


def test_a_connection_that_was_cut_is_made_again(opened):
    storage = opened()
    add(storage, "a.txt", ["red apple"])
    with storage._catalog.connection() as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert found(storage, "apple") == ["red apple"]
    add(storage, "b.txt", ["green pear"])
    assert found(storage, "pear") == ["green pear"]


def test_only_one_does_what_one_is_enough_for(opened):
    one, other = opened(), opened()
    with one.alone("topics") as first, other.alone("topics") as second:
        assert first and not second
    with other.alone("topics") as again:
        assert again


INDEXES = (
    "SELECT c.relname, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
    " WHERE i.indrelid = 'embedding'::regclass AND c.relname ~ '_[0-9]+$'"
)
WAITING = "SELECT count(*) FILTER (WHERE waiting), count(*) FROM embedding"


def few_are_many(monkeypatch, least=300):
    """Have so few vectors be enough for an index."""
    monkeypatch.setattr("storage.postgres.vectors._INDEXED", least)


def filled(storage, documents, size=150):
    for part in documents:
        add(storage, f"{part}.txt", [f"text {part} {number}" for number in range(size)])
    embed_all(storage)


@pytest.mark.parametrize("later", [0, 2])
def test_a_large_scope_is_searched_by_the_index_as_exactly_as_a_small_one(opened, monkeypatch, later):
    few_are_many(monkeypatch)
    exact, indexed = opened(), opened(exact_limit=0)
    filled(exact, range(3))
    upkeep(exact)
    filled(exact, range(3, 3 + later))
    assert exact.tables.read(WAITING) == [(later * 150, 450 + later * 150)]
    assert all(nearest(indexed, f"text 1 {number}") == [f"text 1 {number}"] for number in range(0, 150, 7))
    last = f"text {2 + later}"
    only = Filters(documents=(f"{2 + later}.txt",))
    asked = [(f"{last} {number}", only, 10) for number in range(0, 150, 15)]
    overlaps = [len({*nearest(indexed, *one)} & {*nearest(exact, *one)}) for one in asked]
    assert sum(overlaps) >= 98 and min(overlaps) >= 9, overlaps


def test_an_index_is_made_of_many_vectors_at_once_and_takes_in_later_ones(opened, monkeypatch):
    few_are_many(monkeypatch)
    storage = opened(exact_limit=0)
    filled(storage, [0])
    upkeep(storage)
    assert storage.tables.read(INDEXES) == []  # too few
    filled(storage, [1])
    assert storage.tables.read(INDEXES) == []  # adding makes none
    upkeep(storage)
    assert storage.tables.read(INDEXES) == [("embedding_near_1", True)]
    filled(storage, [2], size=500)
    assert storage.tables.read(WAITING) == [(500, 800)]
    assert nearest(storage, "text 2 77") == ["text 2 77"] and nearest(storage, "text 0 77") == ["text 0 77"]
    upkeep(storage)
    assert storage.tables.read(WAITING) == [(0, 800)]
    assert nearest(storage, "text 2 77") == ["text 2 77"]


def test_an_index_that_was_not_finished_is_made_again(opened, monkeypatch):
    few_are_many(monkeypatch)
    storage = opened(exact_limit=0)
    filled(storage, range(2))
    upkeep(storage)
    with storage.tables.transaction() as write:
        write.execute(
            "UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = 'embedding_near_1'::regclass"
        )  # as a server leaves it that was stopped
    assert nearest(storage, "text 1 7") == ["text 1 7"]
    upkeep(storage)
    assert storage.tables.read(INDEXES) == [("embedding_near_1", True)]


def test_an_index_that_the_server_is_still_making_is_waited_for(opened, monkeypatch):
    few_are_many(monkeypatch)
    storage = opened()
    filled(storage, range(2))
    with storage.tables.connection() as connection:  # that of a process that is gone
        connection.execute("SELECT pg_advisory_lock(hashtextextended('embedding_near_1', 0))")
        assert not storage.maintain() and storage.tables.read(INDEXES) == []
        connection.execute("SELECT pg_advisory_unlock_all()")
    upkeep(storage)
    assert storage.tables.read(INDEXES) == [("embedding_near_1", True)]


def test_an_index_is_made_where_workers_get_no_memory_to_share(opened, monkeypatch):
    few_are_many(monkeypatch)
    storage = opened(exact_limit=0)
    filled(storage, range(2))
    refused = []
    connect = address.connect

    def with_little_memory(url):
        connection = connect(url)
        execute = connection.execute

        def run(statement, *values):
            if "max_parallel" in statement:
                refused.append(statement)
            elif statement.startswith("CREATE INDEX") and not refused:
                raise psycopg.errors.DiskFull("could not resize shared memory segment")
            return execute(statement, *values)

        connection.execute = run
        return connection

    monkeypatch.setattr(address, "connect", with_little_memory)
    upkeep(storage)
    assert refused and storage.tables.read(INDEXES) == [("embedding_near_1", True)]


def test_a_library_whose_index_had_each_vector_at_once_gets_a_new_one(opened, monkeypatch):
    few_are_many(monkeypatch)
    storage = opened()
    filled(storage, range(2))
    with storage.tables.transaction() as write:  # as the fifth shape of the tables was
        write.execute("DROP TABLE choice; ALTER TABLE embedding DROP COLUMN waiting")
        write.execute(
            "CREATE INDEX embedding_model_1 ON embedding USING hnsw ((vector::vector(16)) vector_ip_ops)"
            " WHERE model_id = 1"
        )
        write.execute("UPDATE catalog_shape SET number = 5")
    later = opened(exact_limit=0)
    assert later.tables.read(INDEXES) == [] and nearest(later, "text 1 7") == ["text 1 7"]
    upkeep(later)
    assert later.tables.read(INDEXES) == [("embedding_near_1", True)]
    assert nearest(later, "text 1 7") == ["text 1 7"]


def test_a_closed_library_says_so(opened):
    storage = opened()
    storage.close()
    with pytest.raises(StorageError, match="closed"):
        storage.documents()
