"""What a search says beside its hits, in the language of the question."""

from __future__ import annotations

import pytest

from engine.ingest import Source
from engine.model import Filters, document_id_for
from engine.retrieve.notes import tells_of_preparation


@pytest.fixture
def report(library):
    library.add([Source("report.md", b"# Report\n\nCloud revenue grew by 12 % in 2023.")])
    return library


def test_what_is_missing_is_told_in_the_language_of_the_question(report):
    (english,) = report.search("cloud revenue").notes
    (chinese,) = report.search("云业务收入增长").notes
    assert english.startswith("Search by meaning is still being prepared")
    assert chinese.startswith("语义检索仍在准备中")


def test_what_the_library_is_not_ready_for_is_told_from_what_a_question_brings_about(report):
    (note,) = report.search("cloud revenue").notes
    (chinese,) = report.search("云业务收入增长").notes
    assert tells_of_preparation(note) == tells_of_preparation(chinese) == "no_vectors"
    report.storage.jobs.enqueue("ocr", "scan.pdf", {})
    assert tells_of_preparation(report.search("cloud revenue").notes[-1]) == "others_being_read"
    assert tells_of_preparation(report.search("cloud revenue in the scan").notes[-1]) == "being_read"
    assert tells_of_preparation("Searched only in tables, as the question says.") is None


def test_a_file_that_is_still_being_read_is_named_where_the_question_names_it(report):
    report.embed_pending()
    assert report.search("cloud revenue in the scan").notes == []
    job = report.storage.jobs.enqueue("ocr", "scan.pdf", {})
    minutes = report.storage.jobs.enqueue("ingest", "minutes.docx", {})
    (note,) = report.search("cloud revenue in the scan").notes
    assert note == "Still being read, so parts of it cannot be found yet: scan.pdf."
    (others,) = report.search("cloud revenue").notes
    assert others == "Files still being read, which cannot be searched in full yet: 2."
    assert report.search("cloud revenue", filters=Filters(documents=("report.md",))).notes == []
    for one in (job, minutes):
        report.storage.jobs.cancel(one)
    assert report.search("cloud revenue").notes == []


def test_of_many_files_that_a_question_names_the_first_are_told(report):
    report.embed_pending()
    for number in range(5):
        report.storage.jobs.enqueue("ingest", f"Harbour {number}.pdf", {})
    (note,) = report.search("cloud revenue in the Harbour files").notes
    assert note.count(".pdf") == 3
    assert note.endswith("….")


def test_filters_may_name_the_file_by_its_id(report):
    report.embed_pending()
    report.storage.jobs.enqueue("ocr", "report.md", {})
    told = report.search("cloud", filters=Filters(documents=(document_id_for("report.md"),))).notes
    assert "report.md" in told[0]
