"""Who opened a dialog that removes something, and thinks again, leaves it by a button; nothing is gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.browser.visitor import App, Visitor, app_with

NOTES = {
    "reef.md": "# Reefs\n\nReefs are charted every spring. The reef survey costs 300 EUR.",
    "buoy.md": "# Buoys\n\nBuoys are painted every spring. The buoy contract costs 900 EUR.",
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, playwright: Playwright) -> Iterator[App]:
    with app_with(NOTES, tmp_path_factory.mktemp("second_thoughts")) as running:
        yield running


def thinks_again(page: Page) -> None:
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_document_a_collection_and_a_conversation_stay_where_their_removal_is_cancelled(
    visit: Callable[..., Visitor],
):
    visitor = visit()
    page = visitor.open("/documents")
    row = page.get_by_role("listitem").filter(has_text="reef.md")
    row.get_by_role("button", name="Remove").click()
    thinks_again(page)
    expect(row).to_be_visible()

    page.get_by_text("Collections", exact=True).click()
    page.get_by_label("New collection").fill("Harbour")
    page.get_by_label("New collection").press("Enter")
    page.get_by_test_id("stExpander").get_by_role("button", name="Delete").click()
    thinks_again(page)
    expect(page.get_by_test_id("stExpander").get_by_text("Harbour · 0")).to_be_visible()

    page.goto(f"{visitor.app.url}/chat")
    visitor.ask("What does the reef survey cost?")
    expect(page.get_by_test_id("stChatMessage").last).to_contain_text("300 EUR")
    page.get_by_role("button", name="Conversation", exact=True).click()
    page.get_by_role("menuitem", name="Delete").click()
    thinks_again(page)
    expect(page.get_by_test_id("stChatMessage").last).to_contain_text("300 EUR")
