"""A report from the wish in the chat to the file on the desk, in an app that has a model."""

import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import docx
import pymupdf
import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.browser.faults import assert_no_serious_fault
from tests.browser.visitor import App, Visitor
from tests.engine.reports.report_writer import HARBOURS, author, section_of
from tests.openai_server import OpenAiServer


@pytest.fixture(scope="module")
def go() -> threading.Event:
    """The model waits within the section "Berths" until this is set."""
    return threading.Event()


@pytest.fixture(scope="module")
def harbour_app(tmp_path_factory: pytest.TempPathFactory, playwright: Playwright, go: threading.Event) -> Iterator[App]:
    def reply(body: dict[str, object]) -> str:
        if section_of(body) == "Berths":
            go.wait(60)
        return author(body)

    with OpenAiServer() as server:
        server.default = reply
        variables = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": server.key}
        running = App(tmp_path_factory.mktemp("reports") / "library", variables)
        running.start()
        try:
            for name, text in HARBOURS.items():
                running.add(name, text.encode())
            yield running
        finally:
            go.set()
            running.stop()


@pytest.fixture
def visitor(harbour_app: App, browser: Browser) -> Iterator[Visitor]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
    visiting = Visitor(harbour_app, context.new_page())
    visiting.watch(visiting.page)
    yield visiting
    context.close()
    assert not visiting.problems


def saved(page: Page, press: Callable[[], None]) -> Path:
    with page.expect_download() as download:
        press()
    return Path(download.value.path())


def test_a_report_is_wished_for_in_the_chat_followed_read_and_taken_along(visitor: Visitor, go: threading.Event):
    page = visitor.open("/chat")
    page.get_by_role("button", name="Search: As needed").click()
    page.get_by_role("radiogroup").get_by_text("Report", exact=True).click()
    page.keyboard.press("Escape")
    expect(page.get_by_placeholder("What is the report to be about?")).to_be_visible()
    visitor.ask("Compare the harbours")

    expect(page).to_have_url(re.compile("/reports"))
    expect(page.get_by_text("Writing: 1 of 3 sections done")).to_be_visible()
    expect(page.get_by_text("The harbour fee of Vardo is 55 euro a day").first).to_be_visible()
    expect(page.get_by_text("Not written yet")).to_have_count(2)
    assert_no_serious_fault(page, "a report that is being written")
    go.set()
    expect(page.get_by_text("Finished")).to_be_visible()
    expect(page.get_by_role("heading", name="Summary")).to_have_count(1)
    assert_no_serious_fault(page, "a finished report")

    page.get_by_role("button", name="Export").click()
    dialog = page.get_by_role("dialog")
    word = docx.Document(str(saved(page, dialog.get_by_role("button", name="Word").click)))
    headings = [one.text for one in word.paragraphs if one.style.name.startswith("Heading")]
    assert headings == ["Harbours compared", "Summary", "Fees", "Berths", "Dredging", "Documents cited"]
    pdf = saved(page, dialog.get_by_role("button", name="PDF").click).read_bytes()
    assert "vardo.md, version 1" in "".join(one.get_text() for one in pymupdf.open(stream=pdf))
    page.keyboard.press("Escape")

    page.get_by_role("link", name="1", exact=True).first.click()
    expect(page.get_by_role("heading", name="vardo.md")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="All reports").click()
    expect(page.get_by_role("link", name="Harbours compared")).to_be_visible()
