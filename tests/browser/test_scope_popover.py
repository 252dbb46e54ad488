"""The popover of what a question is limited to, which lies over the field: it closes when enough is chosen."""

from collections.abc import Callable
from contextlib import suppress

from playwright.sync_api import Page, TimeoutError, expect

from tests.browser.test_journeys import when_drawn
from tests.browser.visitor import Visitor

Visit = Callable[..., Visitor]


def choose(page: Page, field: str, option: str) -> None:
    wanted = page.get_by_role("option", name=option)
    for _ in range(4):  # a list that opens while the popover is being redrawn closes again
        if not wanted.is_visible():
            page.get_by_role("combobox", name=field).click()
            page.get_by_role("combobox", name=field).fill(option)  # a long list draws its first entries alone
        with suppress(TimeoutError):
            wanted.wait_for(timeout=5000)
            break
    wanted.click()
    when_drawn(page)


def test_the_choice_of_documents_stays_open_until_it_is_done_and_what_was_taken_back_does_not_return(visit: Visit):
    visitor = visit()
    page = visitor.open("/chat")
    when_drawn(page)
    page.get_by_role("button", name="All documents").click()
    when_drawn(page)
    choose(page, "Answer only from these documents", "tariff.md")
    choose(page, "Answer only from these documents", "almanac.md")
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("combobox", name="Answer only from these documents")).to_have_count(0)
    expect(page.get_by_role("button", name="2 documents")).to_be_visible()
    page.get_by_role("button", name="All documents").click()  # beside it, in one click
    expect(page.get_by_role("button", name="2 documents")).to_have_count(0)
    when_drawn(page)
    visitor.ask("How many barrels of oil did the lamp burn?")
    expect(page.get_by_test_id("stChatMessage").last).to_contain_text("11 barrels")
    expect(page.get_by_role("button", name="All documents")).to_be_visible()


def test_a_version_is_one_choice_and_closes_the_popover(visit: Visit):
    page = visit().open("/chat")
    when_drawn(page)
    page.get_by_role("button", name="All documents").click()
    when_drawn(page)
    choose(page, "Version", "version 1")
    expect(page.get_by_role("combobox", name="Version")).to_have_count(0)
    expect(page.get_by_role("button", name="version 1")).to_be_visible()
