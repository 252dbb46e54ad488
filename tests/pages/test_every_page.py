import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.ingest import Source
from engine.library import Library
from tests.pages.shelves import new_app, shelved

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("dashboard", "documents", "document", "chat", "reports", "retrieval_lab", "evaluation", "settings")
NOTE = b"# Harvest\n\n## Apples\n\nThe orchard gave nine tons of apples.\n"
TITLES = {
    ("dashboard", "en-US"): "Your library", ("dashboard", "zh-CN"): "您的资料库",
    ("documents", "en-US"): "Documents", ("documents", "zh-CN"): "文档",
    ("document", "en-US"): "note.md", ("document", "zh-CN"): "note.md",
    ("chat", "en-US"): "Ask your documents", ("chat", "zh-CN"): "向文档提问",
    ("reports", "en-US"): "Reports", ("reports", "zh-CN"): "报告",
    ("retrieval_lab", "en-US"): "Retrieval lab", ("retrieval_lab", "zh-CN"): "检索实验室",
    ("evaluation", "en-US"): "Evaluation", ("evaluation", "zh-CN"): "评测",
    ("settings", "en-US"): "Settings", ("settings", "zh-CN"): "设置",
}  # fmt: skip


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
@pytest.mark.parametrize("page", PAGES)
class TestOverADocument:
    @pytest.fixture(scope="class", autouse=True)
    def stocked(self, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
        with shelved(tmp_path_factory.mktemp("stocked") / "shelf") as library:
            library.add([Source("note.md", NOTE)])
            yield library

    def test_a_page_opens_in_the_language_of_the_browser(self, open_page, page, locale):
        app = open_page(page, locale, **({"doc": "note.md"} if page == "document" else {}))
        assert app.title[0].value.replace("\\", "") == TITLES[page, locale]


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
@pytest.mark.parametrize("page", PAGES)
class TestOverNothing:
    @pytest.fixture(scope="class", autouse=True)
    def empty(self, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
        with shelved(tmp_path_factory.mktemp("empty") / "shelf") as library:
            yield library

    def test_a_page_opens_over_an_empty_library(self, open_page, page, locale):
        assert open_page(page, locale).title


def test_every_page_begins_with_the_guard():
    for path in (ROOT / "pages").glob("[!_]*.py"):
        assert path.read_text().startswith("from pages.widgets.shell import guard; guard()"), path.name


def test_the_bare_address_takes_files_first_and_questions_once_there_are_some(shelf: Library):
    app = new_app().run()
    assert app.file_uploader
    shelf.add([Source("note.md", NOTE)])
    app = new_app().run()
    assert app.chat_input


def test_the_language_can_be_switched_and_stays(shelf: Library, open_page):
    app = open_page("dashboard")
    app.button(key="language.switch").click().run()
    assert not app.title[0].value.isascii()
    app.switch_page("pages/documents.py").run()
    assert "拖入" in app.title[0].value


def test_a_library_that_another_process_holds_is_told_calmly(tmp_path, monkeypatch):
    folder = tmp_path / "held"
    monkeypatch.setenv("DROPQA_LIBRARY", str(folder))
    with Library.open(folder, background=False):
        app = new_app().run()
        assert not app.exception
        assert "in use by another program" in app.subheader[0].value
        assert not app.chat_input
    app.button(key="shell.retry").click().run()
    assert app.file_uploader


def test_a_wrong_setting_is_told_with_its_name(tmp_path, monkeypatch):
    folder = tmp_path / "wrong"
    folder.mkdir()
    (folder / "dropqa.toml").write_text("[llm]\ntemperature = 9\n")
    monkeypatch.setenv("DROPQA_LIBRARY", str(folder))
    app = new_app().run()
    assert "llm\\.temperature" in app.markdown[0].value


def test_the_pages_load_nothing_heavy():
    heavy = (
        "pandas",
        "pyarrow",
        "pymupdf",
        "pypdfium2",
        "chromadb",
        "onnxruntime",
        "openai",
        "docx",
    )
    modules = [f"pages.widgets.{path.stem}" for path in (ROOT / "pages" / "widgets").glob("[!_]*.py")]
    code = f"import sys, {', '.join(modules)}; print([name for name in {heavy} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert found.stdout.strip() == "[]", found.stderr
