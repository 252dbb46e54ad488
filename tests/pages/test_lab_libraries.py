"""The lab over libraries of other kinds: an empty one, one that is shared for reading."""

from engine.ingest import Source
from tests.pages.page_texts import texts_of
from tests.pages.shelves import shelved

NOTE = b"# Harvest\n\n## Apples\n\nThe orchard gave nine tons of apples.\n"


def test_an_empty_library_is_told(tmp_path, open_page):
    with shelved(tmp_path / "empty"):
        assert "Nothing to search yet" in texts_of(open_page("retrieval_lab", q="apples"))


def test_a_library_that_is_shared_for_reading_keeps_its_settings(tmp_path, open_page):
    with shelved(tmp_path / "shelf") as library:
        library.add([Source("orchard.md", NOTE)])
        library.update_settings({"access.read_only": True})
        app = open_page("retrieval_lab", q="apples")
        app.toggle(key="lab.settings").set_value(True).run()
        next(one for one in app.number_input if one.label == "Weight of words").set_value(0.9)
        next(one for one in app.button if one.label == "Try").click().run()
        assert {"trial.use", "trial.reset"} & {button.key for button in app.button} == {"trial.reset"}
