from engine.ingest import Source
from engine.library import Library
from tests.pages.page_texts import texts_of
from tests.pages.shelves import go_to
from tests.pages.test_documents_page import settle

NOTHING_YET = "what is close to them and still unread will be listed here"
NOTHING_NEAR = "No unread document is close to what you opened or asked so far."
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


RULES = {
    "rules.md": "# Handbook of bilge pumps\n\nPumps are tested once a year and after every repair.",
    "log.md": "# Log\n\nAs the Handbook of bilge pumps asks, both pumps ran for an hour on Sunday.",
    "bread.md": "# Rye bread\n\nRye flour, water and salt rest over night. The loaf bakes for an hour.",
}


def test_what_is_near_to_what_was_opened_is_recommended_with_the_reason(shelf: Library, open_page):
    shelf.add([Source(name, text.encode()) for name, text in RULES.items()])
    shelf.topics.refresh()
    app = open_page("dashboard")
    assert NOTHING_YET in texts_of(app)
    go_to(app, "document", {"doc": shelf.document("log.md").document_id})
    told = texts_of(go_to(app, "dashboard", {}))
    assert NOTHING_YET not in told and "log.md, which you opened, names it" in told.replace("\\", "")
    go_to(app, "document", {"doc": shelf.document("rules.md").document_id})
    assert NOTHING_NEAR in texts_of(go_to(app, "dashboard", {}))


def test_nothing_is_recommended_for_a_document_that_nothing_is_near_to(shelf: Library, open_page):
    shelf.add([Source(name, text.encode()) for name, text in RULES.items()])
    shelf.topics.refresh()
    app = open_page("document", doc=shelf.document("bread.md").document_id)
    assert NOTHING_NEAR in texts_of(go_to(app, "dashboard", {}))
