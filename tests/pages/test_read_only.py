"""A library that is shared for reading only shows no control that would be refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import AccessError
from engine.ingest import Source
from engine.library import Library
from engine.shared_library import close_shared_libraries, shared_library
from tests.pages.page_texts import texts_of
from tests.pages.shelves import shelved

NOTES = (
    b"# Harvest\n\n## Apples\n\nNine tons of apples.\n",
    b"# Harvest\n\n## Apples\n\nTen tons of apples.\n",
)
# What a reader may press: the language, sign out, asking, one's own conversations and questions, looking closer.
OWN = (
    "language.",
    "chat.",
    "suggestion.",
    "dashboard.suggestion.",
    "eval.",
    "lab.",
    "turn.",
    "summary.",
    "reports.",
    "search",
)
LOOKING = ("versions", "topics.summar", "settings.health", "FormSubmitter:lab.form")


def reopened(folder: Path) -> Library:
    close_shared_libraries()
    (folder / "dropqa.toml").write_text("[embedding]\nenabled = false\n[access]\nread_only = true\n")
    return shared_library(folder)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("read only") / "shelf"
    with shelved(folder) as library:
        for note in NOTES:
            library.add([Source("note.md", note)])
        library.topics.refresh()
        yield reopened(folder)


def pressable(app) -> list[str]:
    keys = [button.key or button.label for button in app.button]
    return [key for key in keys if not key.startswith((*OWN, *LOOKING))]


@pytest.mark.parametrize(
    ("page", "parameters"),
    [
        ("dashboard", {}), ("documents", {}), ("topics", {}), ("chat", {}), ("reports", {}), ("settings", {}),
        ("evaluation", {}),        ("document", {"doc": "note.md"}), ("retrieval_lab", {"q": "apples"}),
    ],
)  # fmt: skip
def test_nothing_can_be_pressed_that_would_be_refused(shared, open_page, page, parameters):
    app = open_page(page, **parameters)
    assert not pressable(app)
    assert not app.file_uploader or page == "evaluation"  # a reader's own questions


def test_a_topic_is_read_and_not_changed(shared, open_page):
    topic = shared.topics.all()[0]
    app = open_page("topics", topic=topic.topic_id)
    assert app.title[0].value and not pressable(app)
    with pytest.raises(AccessError):
        shared.topics.rename(topic.topic_id, "Other")


def test_an_empty_library_tells_why_nothing_can_be_added(tmp_path, open_page):
    with shelved(tmp_path / "shelf"):
        reopened(tmp_path / "shelf")
        for page in ("dashboard", "documents"):
            app = open_page(page)
            assert "shared for reading" in texts_of(app)
            assert not app.file_uploader and not pressable(app)
