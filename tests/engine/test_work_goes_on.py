"""Work of every kind that was cut short by a closed library goes on after the next start."""

from pathlib import Path

from openai_server import OpenAiServer
from sample_texts import REPORT

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library
from tests.waiting import wait_until


def without_vectors(**more):
    return Settings.model_validate({"embedding": {"enabled": False}} | more)


def text_of(number):
    return f"# Harbour {number}\n\nPier {number} was dredged in the year {1900 + number}.\n".encode()


def test_vectors_that_were_missing_are_computed_after_the_next_start(tmp_path: Path):
    with Library.open(tmp_path / "library", background=False) as first:
        first.add([Source("report.md", REPORT.encode())])
        assert first.status().embedded == 0
    with Library.open(tmp_path / "library") as second:
        wait_until(lambda: (status := second.status()).embedded == status.retrievable > 0)
        assert not [job for job in second.jobs() if job.kind == "embed"]


def test_topics_that_were_not_told_are_told_after_the_next_start(tmp_path: Path):
    with Library.open(tmp_path / "library", settings=without_vectors(), background=False) as first:
        first.add([Source("report.md", REPORT.encode())])
        assert not first.topics.all()
    with Library.open(tmp_path / "library", settings=without_vectors()) as second:
        wait_until(second.topics.all)


def test_a_text_that_waits_to_be_recognised_is_after_the_next_start(tmp_path: Path):
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("RGB", (700, 160), "white")
    ImageDraw.Draw(picture).text((40, 50), "The harbour was dredged.", "black", ImageFont.load_default(36))
    picture.save(tmp_path / "note.png")
    with Library.open(tmp_path / "library", settings=without_vectors(), background=False) as first:
        first.add([Source("note.png", tmp_path / "note.png")])
        first.storage.jobs.lease(["ocr"])  # under way when the process ends
    with Library.open(tmp_path / "library", settings=without_vectors()) as second:
        wait_until(lambda: second.search("dredged", mode="fulltext").hits)


def test_a_model_that_was_to_be_asked_is_asked_after_the_next_start(tmp_path: Path):
    long = " ".join(f"The reservoir held {n} million litres in the spring of year {n}." for n in range(30))
    with OpenAiServer() as server:
        server.default = lambda _body: "The reservoirs are full."
        model = {"api_base": server.base_url, "api_key": server.key, "model": "scripted-1", "retries": 0}
        settings = without_vectors(llm=model, summary={"with_model": True})
        with Library.open(tmp_path / "library", settings=settings, background=False) as first:
            first.add([Source("water.md", f"# Water\n\n## Reservoirs\n\n{long}\n".encode())])
            job = first.storage.jobs.lease(["enrich"])
            assert job is not None
        with Library.open(tmp_path / "library", settings=settings) as second:
            wait_until(lambda: second.storage.jobs.get(job.job_id).state == "done")
            assert any(node.summary == "The reservoirs are full." for node in second.tree("water.md").nodes)


def test_files_to_be_read_again_are_after_the_next_start_and_keep_their_tree_till_then(tmp_path: Path):
    with Library.open(tmp_path / "library", settings=without_vectors(), background=False) as first:
        first.add([Source("one.md", text_of(1)), Source("two.md", text_of(2))])
        jobs = [first.enqueue(Source(name, first.original(name), again=True)) for name in ("one.md", "two.md")]
        first.storage.jobs.lease(["ingest"])
        assert first.search("dredged", mode="fulltext").hits
    with Library.open(tmp_path / "library", settings=without_vectors()) as second:
        wait_until(lambda: all(second.storage.jobs.get(job).state == "done" for job in jobs))
        assert [document.versions for document in second.documents()] == [1, 1]
        assert len(second.search("dredged", mode="fulltext").hits) == 2


def test_a_file_that_is_being_read_can_be_cancelled_and_tried_again(tmp_path: Path):
    long = b"\n".join(text_of(number) for number in range(4000))
    with Library.open(tmp_path / "library", settings=without_vectors()) as library:
        job_id = library.enqueue(Source("piers.md", long))
        wait_until(lambda: library.storage.jobs.get(job_id).state == "running")
        assert library.cancel_job(job_id)
        library.enqueue(Source("other.md", text_of(3)))
        wait_until(library.documents)
        assert [document.name for document in library.documents()] == ["other.md"]
        assert library.storage.jobs.get(job_id).state == "cancelled"
        assert library.retry_job(job_id)
        wait_until(lambda: library.storage.jobs.get(job_id).state == "done")
        assert {document.name for document in library.documents()} == {"other.md", "piers.md"}


def test_damaged_graphs_and_indexes_are_written_again_while_questions_are_answered(tmp_path: Path):
    with Library.open(tmp_path / "library", settings=without_vectors(), background=False) as first:
        first.add([Source(f"harbour {number}.md", text_of(number)) for number in (1, 2, 3)])
        edges = set(first.storage.graph(first.document("harbour 1.md").document_id).edges)
    (graph, *_) = (tmp_path / "library" / "graphs").glob("*/*.json")
    graph.write_bytes(b"{}")
    (segment, *_) = (tmp_path / "library" / "sparse").iterdir()
    (segment / "ids.npy").unlink()
    with Library.open(tmp_path / "library", settings=without_vectors()) as second:
        for number in (1, 2, 3):
            assert second.ask(f"When was pier {number} dredged?").answer
        wait_until(lambda: not second.storage.damaged())
        wait_until(lambda: all(check.ok for check in second.storage.check(deep=True)))
        for number in (1, 2, 3):
            assert str(1900 + number) in second.ask(f"When was pier {number} dredged?").answer
        document_id = second.document("harbour 1.md").document_id
        assert set(second.storage.graph(document_id).edges) == edges
        assert second.version("harbour 1.md").version == 1
