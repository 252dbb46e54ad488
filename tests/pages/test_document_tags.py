import json

from engine.ingest import Source
from engine.labels import FILE_NAME, labels
from engine.library import Library
from tests.pages.page_texts import texts_of


def tagged(shelf: Library) -> Library:
    shelf.add(
        [Source(f"{name}.md", f"# {name}\n\nThe {name} is kept.\n".encode()) for name in ("lease", "memo", "note")]
    )
    labels(shelf.folder).tag([shelf.document("lease.md").document_id], ["signed"])
    return shelf


def test_the_list_is_filtered_by_a_tag_and_the_filter_is_kept_under_a_name(shelf: Library, open_page):
    tagged(shelf)
    app = open_page("documents")
    app.get_by_key("documents.tag").set_value("signed").run()
    app.get_by_key("filters.name").set_value("Signed contracts").run()
    app.get_by_key("filters.keep").click().run()
    assert not app.exception
    again = open_page("documents")
    assert again.get_by_key("documents.tag").value is None
    (kept,) = json.loads((shelf.folder / FILE_NAME).read_text("utf-8"))["filters"].values()
    assert kept == {"Signed contracts": {"documents.tag": "signed"}}


def test_a_kept_filter_is_taken_up_again(shelf: Library, open_page):
    tagged(shelf)
    app = open_page("documents")
    app.get_by_key("documents.query").set_value("memo").run()
    app.get_by_key("filters.name").set_value("Memos").run()
    app.get_by_key("filters.keep").click().run()
    app.get_by_key("documents.query").set_value("nothing like it").run()
    assert "No document matches" in texts_of(app)
    app.get_by_key("filters.use.Memos").click().run()
    assert app.get_by_key("documents.query").value == "memo"
    assert "No document matches" not in texts_of(app)


def test_a_filter_of_what_is_gone_shows_all_again(shelf: Library, open_page):
    tagged(shelf)
    app = open_page("documents")
    app.get_by_key("documents.tag").set_value("signed").run()
    app.get_by_key("filters.name").set_value("Signed").run()
    app.get_by_key("filters.keep").click().run()
    labels(shelf.folder).tag([shelf.document("lease.md").document_id], ["other"], drop=["signed"])
    app.get_by_key("documents.tag").set_value(None).run()
    app.get_by_key("filters.use.Signed").click().run()
    assert not app.exception


def test_a_document_tells_its_tags(shelf: Library, open_page):
    tagged(shelf)
    assert "signed" in open_page("document", doc="lease.md").get_by_key("tags.edit").label
