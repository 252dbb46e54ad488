"""Scanned pages and pictures: in at once, read by text recognition afterwards, as a job of their own."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

from engine.config import Settings
from engine.ingest import Source
from engine.interfaces.library_commands import add_sources
from engine.library import Library
from tests.waiting import wait_until

HARBOUR = "The harbour was dredged in 1931"
TUNNEL = "A tunnel replaced the old ferry"
TYPED = "This page was typed: the lighthouse keeper retired after forty years of service."


def picture(text: str) -> Image.Image:
    """A strip of paper with one line of text, at 200 dots an inch."""
    sheet = Image.new("RGB", (900, 240), "white")
    ImageDraw.Draw(sheet).text((60, 90), text, "black", ImageFont.load_default(40))
    return sheet


def png(text: str) -> bytes:
    buffer = io.BytesIO()
    picture(text).save(buffer, "PNG", dpi=(200, 200))
    return buffer.getvalue()


def scan(*pages: str, typed: str = "") -> bytes:
    """A PDF whose pages are pictures of text, after one page of real text if there is any."""
    buffer = io.BytesIO()
    sheet = canvas.Canvas(buffer, pagesize=(324, 86.4))
    if typed:
        sheet.setFontSize(7)
        sheet.drawString(10, 40, typed)
        sheet.showPage()
    for text in pages:
        sheet.drawImage(ImageReader(picture(text)), 0, 0, 324, 86.4)
        sheet.showPage()
    sheet.save()
    return buffer.getvalue()


def found(library: Library, query: str) -> list[str]:
    return [hit.document for hit in library.search(query, mode="fulltext").hits]


@pytest.fixture(scope="module")
def port(tmp_path_factory) -> Iterator[tuple[Library, dict[str, Any], list[tuple[str, str]]]]:
    """A library to which the command line has added a scan and a picture; its answer and its progress."""
    steps: list[tuple[str, str]] = []
    with Library.open(tmp_path_factory.mktemp("port") / "library", background=False) as library:
        sources = [Source("port.pdf", scan(HARBOUR, typed=TYPED)), Source("note.png", png(TUNNEL))]
        answer = add_sources(library, sources, False, lambda name, stage, _share: steps.append((name, stage)))
        yield library, answer, steps


def test_a_scanned_pdf_is_in_at_once_and_waits_for_its_pictures_to_be_read(library):
    [result] = library.add([Source("port.pdf", scan(HARBOUR, typed=TYPED))])
    assert result.status == "added"
    assert found(library, "lighthouse") and not found(library, "dredged")
    assert any(warning.startswith("Page 2 is a picture") for warning in library.version("port.pdf").warnings)
    [job] = library.jobs()
    assert (job.kind, job.name, job.state) == ("ocr", "port.pdf", "queued")


def test_a_picture_file_is_a_page_until_it_is_read(library):
    library.add([Source("note.png", png(TUNNEL))])
    assert [node.role for node in library.tree("note.png").nodes] == ["document", "image"]
    assert [job.kind for job in library.jobs()] == ["ocr"]


def test_the_command_line_has_read_scans_and_pictures_when_it_ends(port):
    library, answer, steps = port
    assert found(library, "dredged") and found(library, "lighthouse") and found(library, "ferry")
    assert {("port.pdf", "ocr"), ("note.png", "ocr")} <= set(steps)
    assert {job.state for job in library.jobs()} == {"done"}
    for added in answer["documents"]:
        assert added["nodes"] == len(library.tree(added["document_id"]).nodes)
        assert added["version"] == len(library.versions(added["document_id"])) == 1
        assert library.version(added["document_id"]).warnings == []


def test_what_was_read_stands_in_its_place_with_its_confidence(port):
    library, _, _ = port
    [node] = [node for node in library.tree("port.pdf").nodes if "dredged" in node.text + node.title]
    assert node.page == 2 and node.bbox is not None and node.bbox[0] < 25 < 200 < node.bbox[2]
    assert node.metadata["ocr_confidence"] > 0.8
    assert not any("ocr_confidence" in n.metadata for n in library.tree("port.pdf").nodes if n.page == 1)


def test_a_picture_file_can_be_seen(port):
    assert Image.open(io.BytesIO(port[0].page_image("note.png", 1))).size == (900, 240)


def test_parsing_again_loses_nothing_that_was_read_and_a_removed_scan_leaves_nothing(port):
    library, _, _ = port
    [again] = library.reindex("port.pdf")
    assert again.version == 1 and found(library, "dredged")
    library.remove("port.pdf")
    assert [path.name for path in (library.folder / "ocr").iterdir()] == [library.document("note.png").sha256]


def test_a_cancelled_reading_goes_on_where_it_was(library):
    library.add([Source("port.pdf", scan(HARBOUR, TUNNEL))])
    [job] = library.jobs()

    def cancel_after_the_first_page(_name: str, stage: str, share: float) -> None:
        if stage == "ocr" and share > 0:
            library.cancel_job(job.job_id)

    assert library.read_pending(cancel_after_the_first_page) == []
    assert library.jobs()[0].state == "cancelled"
    assert not found(library, "dredged")
    kept = {path: path.stat().st_mtime_ns for path in (library.folder / "ocr").glob("*/*.json")}
    assert kept

    assert library.retry_job(job.job_id)
    assert [result.status for result in library.read_pending()] == ["updated"]
    assert found(library, "dredged") and found(library, "ferry")
    assert all(path.stat().st_mtime_ns == written for path, written in kept.items())


def test_a_scan_whose_taking_in_was_killed_after_its_commit_is_still_read(tmp_path: Path, monkeypatch):
    def killed(*_given):
        raise SystemExit

    with Library.open(tmp_path / "library", background=False) as library:
        library.enqueue(Source("port.pdf", scan(HARBOUR)))
        [job] = library.jobs()
        monkeypatch.setattr(library.storage.jobs, "enqueue", killed)
        with pytest.raises(SystemExit):
            library._background.do_next("ingest")
        assert library.document("port.pdf").version == 1
        assert library.storage.jobs.get(job.job_id).state == "running"
    with Library.open(tmp_path / "library") as again:
        wait_until(lambda: found(again, "dredged"))
        assert again.document("port.pdf").version == 1


def test_the_running_app_reads_scans_by_itself_and_new_files_do_not_wait(tmp_path: Path):
    with Library.open(tmp_path / "library") as running:
        running.enqueue(Source("port.pdf", scan(HARBOUR)))
        wait_until(lambda: any(job.kind == "ocr" for job in running.jobs()))
        note = running.enqueue(Source("note.md", b"# Note\n\nThe pilot boat is late."))
        wait_until(lambda: running.storage.jobs.get(note).state == "done")
        wait_until(lambda: found(running, "dredged"))


def test_a_version_that_is_gone_is_not_brought_back(library):
    library.add([Source("port.pdf", scan(HARBOUR))])
    [old] = library.jobs()
    library.remove("port.pdf")
    assert library.jobs()[0].state == "cancelled"
    library.add([Source("port.pdf", scan(TUNNEL))])
    library.cancel_job(library.jobs()[0].job_id)
    tree = library.tree("port.pdf")

    library.retry_job(old.job_id)
    assert library.read_pending() == []
    assert library.storage.jobs.get(old.job_id).state == "done"
    assert library.tree("port.pdf") == tree


@pytest.mark.parametrize("missing", ["switched off", "not to be had"])
def test_without_recognition_all_else_works_and_the_lack_is_told(tmp_path: Path, monkeypatch, missing):
    settings = Settings.model_validate({"ocr": {"enabled": missing != "switched off"}})
    if missing == "not to be had":  # the child finds a broken package in place of the real one
        (tmp_path / "paddleocr.py").write_text("raise ImportError('libGL.so.1: cannot open shared object file')")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Library.open(tmp_path / "library", settings=settings, background=False) as library:
        library.add([Source("port.pdf", scan(HARBOUR, typed=TYPED)), Source("note.png", png(TUNNEL))])
        library.read_pending()
        assert found(library, "lighthouse") and not found(library, "dredged")
        for name in ("port.pdf", "note.png"):
            [warning] = library.version(name).warnings
            assert ("apt-get install libgl1" if missing == "not to be had" else "ocr.enabled") in warning
