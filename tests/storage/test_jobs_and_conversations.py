from __future__ import annotations

import pytest

from engine.errors import NotFoundError
from engine.model import Filters

# --- jobs ---------------------------------------------------------------------------------------------------------


def test_jobs_are_leased_by_priority_then_age(storage):
    jobs = storage.jobs
    ids = [jobs.enqueue("ingest", name, {}, priority=p) for name, p in (("a", 0), ("b", 5), ("c", 0))]
    leased = [jobs.lease() for _ in range(4)]
    assert [job and job.job_id for job in leased] == [ids[1], ids[0], ids[2], None]
    assert leased[0].state == "running"


def test_only_jobs_of_the_wanted_kinds_are_leased(storage):
    jobs = storage.jobs
    scan, file = jobs.enqueue("ocr", "a.pdf", {}), jobs.enqueue("ingest", "b.pdf", {})
    assert jobs.lease(["ingest"]).job_id == file
    assert jobs.lease(["ingest"]) is None
    assert jobs.lease().job_id == scan


def test_a_job_carries_its_payload_progress_and_result(storage):
    jobs = storage.jobs
    job_id = jobs.enqueue("ingest", "a.pdf", {"sha256": "0"}, owner="ann")
    jobs.lease()
    assert jobs.report(job_id, "parse", 0.5)
    job = jobs.get(job_id)
    assert (job.stage, job.progress, job.owner, job.state) == ("parse", 0.5, "ann", "running")
    assert job.eta is not None
    jobs.finish(job_id, {"document_id": "d1"})
    job = jobs.get(job_id)
    assert (job.state, job.progress, job.eta) == ("done", 1.0, None)
    assert job.payload == {"sha256": "0", "result": {"document_id": "d1"}}


def test_a_cancelled_job_is_told_to_stop_and_can_be_retried(storage):
    jobs = storage.jobs
    job_id = jobs.enqueue("ingest", "a.pdf", {})
    jobs.lease()
    assert jobs.cancel(job_id)
    assert not jobs.report(job_id, "parse", 0.5)
    jobs.fail(job_id, "stopped")
    assert jobs.get(job_id).state == "cancelled"
    assert not jobs.cancel(job_id)
    assert jobs.retry(job_id)
    assert jobs.lease().job_id == job_id


def test_a_failed_job_keeps_its_reason_until_it_is_retried(storage):
    jobs = storage.jobs
    job_id = jobs.enqueue("ingest", "a.pdf", {})
    jobs.lease()
    assert not jobs.retry(job_id)
    jobs.report(job_id, "parse", 0.3)
    jobs.fail(job_id, "The file is encrypted.")
    assert (jobs.get(job_id).state, jobs.get(job_id).error) == ("failed", "The file is encrypted.")
    assert jobs.retry(job_id)
    assert (jobs.get(job_id).state, jobs.get(job_id).error) == ("queued", None)


def test_only_jobs_that_are_over_can_be_dismissed(storage):
    jobs = storage.jobs
    waiting, failed = jobs.enqueue("ingest", "a.pdf", {}), jobs.enqueue("ocr", "b.pdf", {})
    jobs.lease(["ocr"])
    assert not jobs.dismiss(failed)
    jobs.fail(failed, "broken")
    assert jobs.dismiss(failed)
    assert not jobs.dismiss(waiting) and not jobs.dismiss(failed)
    assert [job.job_id for job in jobs.list()] == [waiting]


def test_pruning_forgets_old_work_that_went_well_and_keeps_failures_and_work_to_do(storage):
    jobs = storage.jobs
    done, cancelled, failed = (jobs.enqueue("ingest", name, {}) for name in "abc")
    for _ in range(3):
        jobs.lease()
    jobs.finish(done)
    jobs.cancel(cancelled)
    jobs.fail(failed, "broken")
    waiting = jobs.enqueue("ingest", "d", {})
    now = jobs.get(waiting).created_at
    assert jobs.prune(now - 3600) == 0
    assert jobs.prune(now + 3600) == 2
    assert [job.job_id for job in jobs.list()] == [waiting, failed]


def test_jobs_are_listed_newest_first_by_state_and_owner(storage):
    jobs = storage.jobs
    for i in range(4):
        jobs.enqueue("ingest", str(i), {}, owner="ann" if i % 2 else "bob")
    jobs.lease()
    assert [job.name for job in jobs.list()] == ["3", "2", "1", "0"]
    assert [job.name for job in jobs.list(owner="ann")] == ["3", "1"]
    assert [job.name for job in jobs.list(["running"])] == ["0"]
    assert [job.name for job in jobs.list(limit=1)] == ["3"]
    with pytest.raises(NotFoundError):
        jobs.get("j0")


def test_a_list_of_jobs_shows_every_change_at_once(storage):
    jobs = storage.jobs
    job_id = jobs.enqueue("ingest", "a.pdf", {})
    assert [job.state for job in jobs.list()] == ["queued"]
    jobs.lease()
    assert [(job.state, job.progress) for job in jobs.list()] == [("running", 0)]
    for share in (0.25, 0.5):
        jobs.report(job_id, "parse", share)
        assert [(job.stage, job.progress) for job in jobs.list()] == [("parse", share)]
    assert jobs.list()[0].eta is not None
    jobs.finish(job_id, {"nodes": 3})
    assert [(job.state, job.progress, job.eta) for job in jobs.list()] == [("done", 1.0, None)]
    jobs.dismiss(job_id)
    assert not jobs.list()


def test_work_that_was_interrupted_is_queued_again_and_half_an_answer_is_marked(backend, tmp_path):
    first = backend(tmp_path)
    job_id = first.jobs.enqueue("ingest", "a.pdf", {})
    first.jobs.lease()
    conversation = first.conversations.create("ann")
    message = first.conversations.append("ann", conversation.conversation_id, "assistant", "Half an", state="running")
    first.conversations.update("ann", message.message_id, text="Half an answ")
    first.close()
    second = backend(tmp_path)
    assert second.jobs.get(job_id).state == "queued"
    (kept,) = second.conversations.get("ann", conversation.conversation_id)[1]
    assert (kept.text, kept.state) == ("Half an answ", "stopped")
    second.close()


# --- conversations ------------------------------------------------------------------------------------------------


def test_a_conversation_keeps_its_messages_in_order(storage):
    talk = storage.conversations
    conversation = talk.create("ann", "Fruit")
    talk.append("ann", conversation.conversation_id, "user", "What is red?")
    reply = talk.append("ann", conversation.conversation_id, "assistant", "", state="running")
    talk.update("ann", reply.message_id, text="Apples [1].", answer={"sources": [1]}, state="done")
    kept, messages = talk.get("ann", conversation.conversation_id)
    assert kept.title == "Fruit"
    assert [(m.role, m.text, m.state) for m in messages] == [
        ("user", "What is red?", "done"),
        ("assistant", "Apples [1].", "done"),
    ]
    assert (messages[0].answer, messages[1].answer) == (None, {"sources": [1]})


def test_conversations_are_listed_last_used_first(storage):
    talk = storage.conversations
    ids = [talk.create("ann", str(i)).conversation_id for i in range(3)]
    talk.append("ann", ids[0], "user", "hello")
    talk.rename("ann", ids[1], "renamed")
    assert [c.title for c in talk.list("ann")] == ["0", "2", "renamed"]
    assert len(talk.list("ann", limit=2)) == 2


def test_nobody_sees_or_touches_anothers_conversation(storage):
    talk = storage.conversations
    conversation_id = talk.create("ann").conversation_id
    message_id = talk.append("ann", conversation_id, "user", "secret").message_id
    assert talk.list("bob") == []
    for call in (
        lambda: talk.get("bob", conversation_id),
        lambda: talk.rename("bob", conversation_id, "x"),
        lambda: talk.delete("bob", conversation_id),
        lambda: talk.append("bob", conversation_id, "user", "x"),
        lambda: talk.cut("bob", message_id),
        lambda: talk.update("bob", message_id, rating=1),
        lambda: talk.update("bob", message_id, text="x"),
    ):
        with pytest.raises(NotFoundError):
            call()
    assert [m.text for m in talk.get("ann", conversation_id)[1]] == ["secret"]


def test_a_question_keeps_what_it_was_limited_to_and_an_answer_what_its_reader_thinks(storage):
    talk = storage.conversations
    conversation_id = talk.create("ann").conversation_id
    limited = Filters(documents=("d1", "d2"), version=2)
    talk.append("ann", conversation_id, "user", "How many?", filters=limited)
    answer = talk.append("ann", conversation_id, "assistant", "Nine.")
    talk.update("ann", answer.message_id, rating=-1)
    asked, told = talk.get("ann", conversation_id)[1]
    assert (asked.filters, asked.rating) == (limited, 0)
    assert (told.filters, told.rating, told.text) == (None, -1, "Nine.")


def test_a_conversation_is_cut_at_a_message_and_others_are_left_alone(storage):
    talk = storage.conversations
    first, second = talk.create("ann").conversation_id, talk.create("ann").conversation_id
    messages = [talk.append("ann", first, "user", text) for text in ("one", "two", "three")]
    talk.append("ann", second, "user", "other")
    talk.cut("ann", messages[1].message_id)
    assert [message.text for message in talk.get("ann", first)[1]] == ["one"]
    assert len(talk.get("ann", second)[1]) == 1


def test_a_deleted_conversation_is_gone_with_its_messages(storage):
    talk = storage.conversations
    conversation_id = talk.create("ann").conversation_id
    message_id = talk.append("ann", conversation_id, "user", "hello").message_id
    talk.delete("ann", conversation_id)
    with pytest.raises(NotFoundError):
        talk.get("ann", conversation_id)
    with pytest.raises(NotFoundError):
        talk.update("ann", message_id, text="x")


def test_what_was_chosen_for_a_conversation_is_kept_by_name_and_goes_with_it(storage):
    talk = storage.conversations
    conversation_id = talk.create("ann").conversation_id
    talk.choose("ann", conversation_id, style="short", faults={"m1": "wrong"})
    talk.choose("ann", conversation_id, style="table")
    assert talk.chosen("ann", conversation_id) == {"style": "table", "faults": {"m1": "wrong"}}
    assert talk.chosen("bob", conversation_id) == {}
    with pytest.raises(NotFoundError):
        talk.choose("bob", conversation_id, style="short")
    talk.delete("ann", conversation_id)
    assert talk.chosen("ann", conversation_id) == {}
