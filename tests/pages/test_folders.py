from pathlib import Path

import pytest

from engine.config import AccessSettings
from engine.errors import AccessError
from engine.library import Library
from tests.pages.page_texts import texts_of


def test_a_folder_is_followed_and_left_on_the_documents_page(shelf: Library, open_page, tmp_path: Path):
    (tmp_path / "notes").mkdir()
    app = open_page("documents")
    app.text_input(key="folders.new").set_value(str(tmp_path / "missing")).run()
    assert "is not a folder" in texts_of(app) and not shelf.settings.watch.folders
    app.text_input(key="folders.new").set_value(str(tmp_path / "notes")).run()
    assert shelf.settings.watch.folders == (str(tmp_path / "notes"),)
    app.button(key="folders.leave.0").click().run()
    assert not shelf.settings.watch.folders


def test_what_is_put_away_is_told_and_brought_back(shelf: Library, open_page, tmp_path: Path):
    shelf.update_settings({"watch.quiet_seconds": 0})
    for name in ("apples.md", "pears.md"):
        (tmp_path / "notes").mkdir(exist_ok=True)
        (tmp_path / "notes" / name).write_text(f"{name} are ripe.")
    shelf.follow([str(tmp_path / "notes")])
    (tmp_path / "notes/apples.md").unlink()
    shelf.follow([str(tmp_path / "notes")])
    (away,) = shelf.archived()
    app = open_page("documents")
    assert "apples\\.md" in texts_of(app)
    app.button(key=f"folders.back.{away.document_id}").click().run()
    assert len(shelf.documents()) == 2 and not shelf.archived()
    app.text_input(key="documents.query").set_value(str(tmp_path / "notes/pears")).run()
    assert "No document matches." not in texts_of(app)


def test_who_shares_a_library_cannot_have_it_read_folders_of_its_machine(shelf: Library, open_page, tmp_path):
    shelf._settings = shelf.settings.model_copy(update={"access": AccessSettings(oidc=True)})
    with pytest.raises(AccessError, match="Only whoever runs"):
        shelf.update_settings({"watch.folders": [str(tmp_path)]})
