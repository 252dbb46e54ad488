"""A library in a database that several processes use at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from library_maker import MODEL, add, embed, embed_all, found, nearest, remove, upkeep_later

from engine.errors import NotFoundError, StorageError
from engine.model import Filters
from storage.collections import NONE, Rights, StoredCollection
from storage.postgres import PostgresStorage

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


def test_a_large_scope_is_searched_by_the_index_as_exactly_as_a_small_one(opened):
    exact, indexed = opened(), opened(exact_limit=0)
    for part in range(3):
        add(exact, f"{part}.txt", [f"text {part} {number}" for number in range(150)])
    embed_all(exact)
    assert all(nearest(indexed, f"text 1 {number}") == [f"text 1 {number}"] for number in range(0, 150, 7))
    only = Filters(documents=("2.txt",))
    asked = [(f"text 1 {number}", only, 10) for number in range(0, 150, 15)]
    overlaps = [len({*nearest(indexed, *one)} & {*nearest(exact, *one)}) for one in asked]
    assert sum(overlaps) >= 98 and min(overlaps) >= 9, overlaps


def test_a_closed_library_says_so(opened):
    storage = opened()
    storage.close()
    with pytest.raises(StorageError, match="closed"):
        storage.documents()
