from engine.ingest import Source
from engine.library import Library
from tests.pages.page_texts import texts_of
from tests.pages.test_documents_page import settle

NOTE = b"# Harvest\n\n## Apples of the south\n\nThe orchard gave nine tons of apples.\n"


def test_the_sample_library_is_one_click_away(shelf: Library, open_page):
    app = settle(shelf, open_page("dashboard").button(key="dashboard.samples").click().run())
    assert len(shelf.documents()) == 5 and not [job for job in shelf.jobs() if job.error]
    assert "percent less wind" in app.button(key="dashboard.suggestion.0").label


def test_a_question_asked_here_is_answered_in_a_conversation(shelf: Library, open_page):
    shelf.add([Source("note.md", NOTE)])
    app = open_page("dashboard")
    app.chat_input[0].set_value("How many tons of apples did the orchard give?").run()
    assert app.query_params["conversation"]
    assert "How many tons" in texts_of(app)


def test_failures_are_told_where_work_is_told(shelf: Library, open_page):
    shelf.add([Source("note.md", NOTE)])
    job_id = shelf.storage.jobs.enqueue("ocr", "note.md", {})
    shelf.storage.jobs.fail(job_id, "broken")
    app = open_page("dashboard")
    assert "Could not be read" in texts_of(app)
    app.button(key=f"dismiss.{job_id}").click().run()
    assert "Could not be read" not in texts_of(app)
