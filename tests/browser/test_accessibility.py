"""No page has a serious fault for people who use it without a mouse, or without seeing it."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.visitor import App, Visitor

Visit = Callable[..., Visitor]
AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text("utf-8")
SERIOUS = """
axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations
  .filter((fault) => ['serious', 'critical'].includes(fault.impact))
  .map((fault) => `${fault.id}: ${fault.nodes.slice(0, 3).map((node) => node.html).join('  ')}`))
"""


def assert_no_serious_fault(page: Page, where: str) -> None:
    page.wait_for_function("document.querySelector('[data-test-script-state=notRunning]')")
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(AXE + "; 0")
    faults = page.evaluate(SERIOUS)
    assert not faults, f"{where}: " + "\n".join(faults)


def go(page: Page, address: str) -> None:
    """Go to an address of the app without loading it anew, as its own links do."""
    page.evaluate(
        f"history.pushState(null, '', {json.dumps(address)}); dispatchEvent(new PopStateEvent('popstate'))"
    )


def open_search(page: Page) -> Locator:
    """Press the keys that open the search box and return its field."""
    expect(page.get_by_role("button", name="Search Ctrl K")).to_be_visible()
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Find documents, sections, passages")
    expect(field).to_be_focused()
    return field


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_fault(visit: Visit, app: App, scheme):
    visitor = visit(color_scheme=scheme)
    page = visitor.open("/dashboard")
    expect(page.get_by_role("heading", name="Your library")).to_be_visible()
    assert_no_serious_fault(page, "overview")
    for name, heading in (
        ("documents", "Documents"),
        ("settings", "Settings"),
        ("chat", "Ask your documents"),
    ):
        go(page, f"/{name}")
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        assert_no_serious_fault(page, name)
    visitor.ask("How many barrels of oil did the lamp burn?")
    expect(page.get_by_text("Sources").last).to_be_visible()
    assert_no_serious_fault(page, "an answer")
    for name in ("lighthouse.pdf", "visitors.md", "keepers.xlsx"):
        go(page, f"/document?doc={name}")
        expect(page.get_by_role("heading", name=name)).to_be_visible()
        expect(page.get_by_role("tree")).to_be_visible()
        assert_no_serious_fault(page, name)
    open_search(page)
    page.keyboard.type("may 1929")
    expect(page.get_by_role("option", name="May 1929").first).to_be_visible()
    assert_no_serious_fault(page, "search")


def test_search_is_opened_used_and_left_with_the_keyboard(visit: Visit):
    page = visit().open("/settings")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    field = open_search(page)
    page.keyboard.type("may 1929")
    section = page.get_by_role("option", name=re.compile("^May 1929"))
    expect(section).to_be_visible()
    while section.get_attribute("aria-selected") != "true":
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="almanac.md")).to_be_visible()
    expect(page.get_by_role("treeitem", name="May 1929", exact=True)).to_have_attribute(
        "aria-selected", "true"
    )
    open_search(page)
    page.keyboard.press("Escape")
    expect(field).to_be_hidden()
    page.keyboard.press("Alt+a")
    expect(page.get_by_test_id("stChatInputTextArea")).to_be_focused()
    expect(page).to_have_url(re.compile("/chat"))


def test_what_was_typed_into_the_search_box_can_be_asked(visit: Visit):
    page = visit().open("/settings")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    open_search(page)
    page.keyboard.type("How many metres above the sea does the tower stand?")
    page.get_by_role("option", name=re.compile("^Ask")).click()
    expect(page.get_by_test_id("stChatMessage").last).to_contain_text("32 metres")
