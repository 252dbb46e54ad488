import time

import pytest
from streamlit.testing.v1 import AppTest

from engine.ingest import Source
from engine.library import Library
from pages.widgets import document_list, texts, uploads
from tests.engine.test_web_source import site
from tests.pages.page_texts import texts_of
from tests.pages.shelves import new_app

NOTE = b"# Harvest\n\nThe orchard gave nine tons of apples.\n"


def upload(app: AppTest, name: str, data: bytes) -> AppTest:
    return app.file_uploader[0].upload(name, data).run()


def settle(shelf: Library, app: AppTest) -> AppTest:
    for _ in range(1200):
        if not [job for job in shelf.jobs() if job.state in ("queued", "running")]:
            break
        time.sleep(0.05)
    return app.run()


def test_a_dropped_file_becomes_a_document(shelf: Library, open_page):
    app = settle(shelf, upload(open_page("documents"), "note.md", NOTE))
    assert [document.name for document in shelf.documents()] == ["note.md"]
    assert "1 document" in app.caption[0].value


def test_the_same_file_again_is_told_to_be_unchanged(shelf: Library, open_page):
    shelf.add([Source("note.md", NOTE)])
    app = upload(open_page("documents"), "note.md", NOTE)
    assert any("has not changed" in toast.value for toast in app.toast)
    assert not shelf.storage.jobs.list()


def test_a_file_that_is_nearly_another_document_is_told_and_can_be_taken_out_again(shelf: Library, open_page):
    clauses = [f"Clause {number} sets the rent of room {number} at {number * 37} euro." for number in range(12)]
    shelf.add([Source("lease.md", "\n\n".join(clauses).encode())])
    app = open_page("documents")
    app = settle(shelf, upload(app, "lease (2).md", "\n\n".join(clauses[1:]).encode())).run()
    assert "nearly the same as" in texts_of(app) and "91%" in texts_of(app)
    next(button for button in app.button if button.label == "Remove the new one").click().run()
    assert [document.name for document in shelf.documents()] == ["lease.md"]
    assert "nearly the same as" not in texts_of(app)


def test_a_changed_file_becomes_a_new_version_and_says_what_it_changed_until_that_is_dismissed(shelf, open_page):
    shelf.add([Source("note.md", NOTE)])
    app = settle(shelf, upload(open_page("documents"), "note.md", NOTE + b"\nPears, too.\n")).run()
    assert shelf.document("note.md").versions == 2
    assert "Version 2. Compared with the previous version: 1 added." in texts_of(app)
    next(button for button in app.button if button.label == "Dismiss").click().run()
    assert "Compared with" not in texts_of(app)


def test_an_empty_file_is_refused_with_its_reason_until_the_next_files_come(shelf: Library, open_page):
    app = upload(open_page("documents"), "empty.pdf", b"")
    assert "empty\\.pdf is empty" in app.error[0].value
    assert not upload(app, "note.md", NOTE).error


def test_a_file_that_cannot_be_read_is_told_and_may_be_retried(shelf: Library, open_page):
    app = settle(shelf, upload(open_page("documents"), "broken.pdf", b"%PDF-1.7\nnothing else"))
    told = next(one.value for one in app.markdown if one.value.startswith("**broken\\.pdf**"))
    assert told.removeprefix("**broken\\.pdf**").startswith(" "), "the reason stands apart from the name"
    assert shelf.jobs()[0].state == "failed" and shelf.jobs()[0].error
    assert any(button.key.startswith("retry.") for button in app.button)
    assert not shelf.documents()


def test_a_program_is_refused_at_once_and_not_kept(shelf: Library, open_page):
    app = upload(open_page("documents"), "tool.docx", b"MZ\x90\x00" + b"\x00" * 400)
    assert "tool\\.docx" in app.error[0].value and "exe" in app.error[0].value
    assert not shelf.storage.jobs.list() and not list((shelf.folder / "files").glob("??/*"))


def test_names_that_look_like_markdown_are_only_shown(shelf: Library, open_page):
    name = "![x](https://evil.example/a.png) :material/delete:.txt"
    app = upload(open_page("documents"), name, b"")
    assert "![x](" not in texts_of(app)


def test_a_removed_document_is_gone(shelf: Library, open_page):
    shelf.add([Source("note.md", NOTE), Source("other.md", NOTE + b"Plums.\n")])
    document = shelf.document("note.md")
    app = new_app(remove_dialog, document.document_id).run()
    assert "note\\.md" in app.markdown[0].value
    app.button(key="remove.confirm").click().run()
    assert [document.name for document in shelf.documents()] == ["other.md"]


def remove_dialog(document_id: str) -> None:
    from pages.widgets.document_list import confirm_removal
    from pages.widgets.services import library

    found = [document for document in library().documents() if document.document_id == document_id]
    if found:
        confirm_removal(found)


def test_the_list_can_be_searched_and_filtered(shelf: Library, open_page):
    shelf.add([Source("Apples 2023.md", NOTE), Source("pears.txt", b"Pears are ripe in September.")])
    app = open_page("documents")
    app.text_input(key="documents.query").set_value("nothing like it").run()
    assert "No document matches." in texts_of(app)
    app.text_input(key="documents.query").set_value("apples 2023").run()
    assert "No document matches." not in texts_of(app)


@pytest.mark.parametrize("kind", ["failed", "cancelled"])
def test_a_failure_is_forgotten_once_the_file_was_added_again(shelf: Library, kind):
    jobs = shelf.storage.jobs
    first = jobs.enqueue("ingest", "a.pdf", {}, "")
    if kind == "failed":
        jobs.lease()
        jobs.fail(first, "broken")
    else:
        jobs.cancel(first)
    assert [job.name for job in uploads.failed(shelf.jobs())] == ["a.pdf"]
    jobs.enqueue("ingest", "a.pdf", {}, "")
    assert not uploads.failed(shelf.jobs())


def test_scans_whose_reading_failed_are_told_beside_files_that_failed_while_they_are_there(shelf: Library):
    jobs = shelf.storage.jobs
    for kind in ("ingest", "ocr"):
        jobs.cancel(jobs.enqueue(kind, "a.md", {}, ""))
    assert {job.kind for job in uploads.failed(shelf.jobs())} == {"ingest"}
    shelf.add([Source("a.md", NOTE)])
    assert {job.kind for job in uploads.failed(shelf.jobs())} == {"ingest", "ocr"}


def test_formats_are_named_as_people_name_them(shelf: Library):
    shelf.add([Source("note.md", NOTE), Source("pears.txt", b"Pears are ripe in September.")])
    kinds = {document.name: document_list.format_of(document) for document in shelf.documents()}
    assert kinds == {"note.md": "Markdown", "pears.txt": "Text"}


def test_an_upload_is_indexed_as_chosen_and_the_list_says_so(shelf: Library, open_page):
    app = open_page("documents")
    assert any("needs a language model" in caption.value for caption in app.caption)
    app.selectbox(key="uploads.strategy").select("hierarchical").run()
    app = settle(shelf, upload(app, "note.md", NOTE))
    assert shelf.document("note.md").strategy == "hierarchical"
    assert "A few sentences at a time" in document_list._facts(shelf.document("note.md"))


def scan_at_work(shelf: Library, document_id: str) -> str:
    """Return the job of a scan that is being read: by us, not by the shelf's own thread, which may be faster."""
    jobs = shelf.storage.jobs
    for _ in range(100):
        job = jobs.enqueue("ocr", "scan.md", {"received": {"document_id": document_id}})
        leased = jobs.lease(("ocr",))
        if leased is not None and leased.job_id == job:
            return job
    raise AssertionError("The shelf's thread took every job.")


def test_a_scan_is_not_ready_before_its_text_is_recognised(shelf: Library, open_page):
    shelf.add([Source("note.md", NOTE), Source("scan.md", b"# Scan\n")])
    scan = shelf.document("scan.md")
    shelf.storage.jobs.report(scan_at_work(shelf, scan.document_id), "ocr", 0.4)
    open_page("documents")
    reading = document_list.being_read()
    assert reading == {scan.document_id: 0.4}
    assert "Recognising text · 40%" in document_list._row(scan, reading)["status"]
    assert (
        document_list._row(shelf.document("note.md"), reading)["status"] != document_list._row(scan, reading)["status"]
    )


def test_chosen_documents_are_read_again_in_the_background_and_stay_one_version(shelf: Library):
    shelf.add([Source("note.md", NOTE)])
    original = shelf.original("note.md")
    job = shelf.enqueue(Source("note.md", original, again=True))
    for _ in range(1200):
        if shelf.storage.jobs.get(str(job)).state not in ("queued", "running"):
            break
        time.sleep(0.05)
    assert shelf.storage.jobs.get(str(job)).state == "done"
    assert shelf.document("note.md").versions == 1


def test_files_of_a_folder_keep_their_place_and_others_are_left_out():
    assert uploads.of_folder("reports/2023/a.PDF") == "2023/a.PDF"
    assert uploads.of_folder("reports/a.md") == "a.md"
    for path in ("reports/.DS_Store", "reports/.git/a.md", "reports/~$a.docx", "reports/program.exe"):
        assert not uploads.of_folder(path)


def test_a_shared_library_takes_no_files(shelf: Library, open_page):
    shelf.add([Source("note.md", NOTE)])
    shelf.update_settings({"access.read_only": True})
    app = open_page("documents")
    assert not app.file_uploader
    assert "shared for reading" in texts_of(app)


def test_the_list_is_narrowed_to_a_folder_and_the_address_keeps_it(shelf: Library, open_page, monkeypatch):
    shelf.add([Source("law/civil/code.md", NOTE), Source("law/act.md", NOTE + b"1"), Source("note.md", NOTE + b"2")])
    assert document_list.folders_of(shelf.documents()) == ["law", "law/civil"]
    listed: list[list[str]] = []
    monkeypatch.setattr(document_list, "rows", lambda shown, **_: listed.append(sorted(d.name for d in shown)))
    app = open_page("documents")
    app.selectbox(key="documents.folder").set_value("law").run()
    assert listed[-1] == ["law/act.md", "law/civil/code.md"]
    open_page("documents", **{"documents.folder": "law/civil"})
    assert listed[-1] == ["law/civil/code.md"]


def test_a_page_of_the_web_is_added_by_its_address_and_what_is_none_is_told(shelf: Library, open_page):
    app = open_page("documents")
    field = next(one for one in app.text_input if one.key.endswith(".address"))
    field.set_value("example.org")
    app = next(one for one in app.button if one.label == "Add").click().run()
    assert "begins with http" in texts_of(app) and not shelf.jobs()
    with site() as address:
        next(one for one in app.text_input if one.key.endswith(".address")).set_value(f"{address}/guide")
        app = settle(shelf, next(one for one in app.button if one.label == "Add").click().run())
    assert [document.name for document in shelf.documents()] == ["localhost/guide.html"]


def test_a_longer_list_asks_for_no_more_texts(shelf: Library, open_page, monkeypatch):
    asked: list[str] = []
    said = texts.text
    monkeypatch.setattr(texts, "text", lambda key, *more, **values: asked.append(key) or said(key, *more, **values))
    counts = []
    for first in (0, 30):
        shelf.add([Source(f"note {n}.md", f"# Note {n}\n\nWords.".encode()) for n in range(first, first + 30)])
        asked.clear()
        open_page("documents")
        counts.append(len(asked))
    assert counts[1] - counts[0] < 10
