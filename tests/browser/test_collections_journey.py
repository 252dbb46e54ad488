"""Documents sorted into collections in the browser, a question asked of one, and who sees which."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.browser.faults import assert_no_serious_fault
from tests.browser.visitor import App, Visitor, app_with
from tests.waiting import wait_until

NOTES = {
    "reef.md": "# Reefs\n\nReefs are charted every spring. The reef survey costs 300 EUR.",
    "buoy.md": "# Buoys\n\nBuoys are painted every spring. The buoy contract costs 900 EUR.",
    "bread.md": "# Rye bread\n\nRye bread bakes for an hour. Rye bread keeps for a week.",
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, playwright: Playwright) -> Iterator[App]:
    with app_with(NOTES, tmp_path_factory.mktemp("collections")) as running:
        yield running


def collections(app: App) -> dict[str, int]:
    told = httpx.get(f"{app.url}/api/collections", timeout=60).json()["collections"]
    return {one["name"]: one["documents"] for one in told}


def pictured(page: Page, name: str) -> None:
    """Keep a picture of the page where a folder for pictures is given."""
    if folder := os.environ.get("PICTURES"):
        page.wait_for_timeout(600)
        page.screenshot(path=Path(folder) / f"{name}.png")


def readers(app: App) -> list[str]:
    (told,) = httpx.get(f"{app.url}/api/collections", timeout=60).json()["collections"]
    return told["readers"]


def test_documents_are_sorted_asked_apart_and_let_go_again(app: App, visit: Callable[..., Visitor]):
    page = visit().open("/documents")
    page.get_by_text("Collections", exact=True).click()
    page.get_by_label("New collection").fill("Harbour")
    page.get_by_label("New collection").press("Enter")
    expect(page.get_by_test_id("stExpander").get_by_text("Harbour · 0")).to_be_visible()
    for name in ("reef.md", "buoy.md"):
        chosen = page.get_by_role("checkbox", name=f"Select: {name}")
        chosen.click()
        expect(chosen).to_be_checked()  # also where the list is drawn anew just then
    pictured(page, "documents")
    page.get_by_role("button", name="To a collection", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("combobox").click()
    page.get_by_role("option", name="Harbour").click()
    pictured(page, "move")
    dialog.get_by_role("button", name="To a collection").click()
    expect(page.get_by_text("Moved 2 documents.")).to_be_visible()
    expect(page.get_by_test_id("stExpander").get_by_text("Harbour · 2")).to_be_visible()
    wait_until(lambda: collections(app) == {"Harbour": 2})
    page.get_by_role("combobox", name="Collection").click()
    page.get_by_role("option", name="Harbour").click()
    expect(page.get_by_role("button", name="Harbour (2)")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("New files are added to “Harbour”.")).to_be_visible()
    expect(page.get_by_role("link", name="bread.md")).to_have_count(0)
    pictured(page, "filtered")
    assert_no_serious_fault(page, "documents")
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Sea marks")
    page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    expect(page.get_by_test_id("stExpander").get_by_text("Sea marks · 2")).to_be_visible()

    visitor = visit()
    page = visitor.open("/chat")
    page.get_by_role("button", name="All documents").click()
    page.get_by_role("combobox", name="Collections").click()
    page.get_by_role("option", name="Sea marks (2)").click()
    pictured(page, "scope")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stBottomBlockContainer").get_by_role("button", name="Sea marks")).to_be_visible()
    visitor.ask("How long does rye bread bake?")
    pictured(page, "answer")
    expect(page.get_by_text("Rye bread bakes for an hour")).to_have_count(0)

    page = visit().open("/settings")
    page.get_by_role("tab", name="Library").click()
    page.get_by_label("May read", exact=True).fill("ann@example.org, finance")
    page.get_by_label("May read", exact=True).press("Enter")
    pictured(page, "rights")
    wait_until(lambda: readers(app) == ["ann@example.org", "finance"])

    page = visit().open("/documents")
    page.get_by_text("Collections", exact=True).click()
    page.get_by_role("button", name="Delete").click()
    pictured(page, "delete")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_test_id("stExpander").get_by_text("Sea marks · 2")).to_have_count(0)
    wait_until(lambda: collections(app) == {})
    assert len(httpx.get(f"{app.url}/api/documents", timeout=60).json()["documents"]) == 3


def test_documents_are_dragged_between_collections_one_or_all_that_are_chosen(app: App, visit: Callable[..., Visitor]):
    page = visit(color_scheme="dark").open("/documents")
    page.get_by_text("Collections", exact=True).click()
    for name in ("Harbour", "<b>Bakery"):
        page.get_by_label("New collection").fill(name)
        page.get_by_label("New collection").press("Enter")
        expect(page.get_by_test_id("stExpander").get_by_text(f"{name} · 0")).to_be_visible()
    shelf = page.get_by_role("navigation", name="Collections")
    row = page.get_by_role("listitem")
    row.filter(has_text="bread.md").drag_to(shelf.get_by_role("button", name="<b>Bakery (0)"))
    expect(shelf.get_by_role("button", name="<b>Bakery (1)")).to_be_visible()
    expect(page.get_by_text("Moved 1 document.")).to_be_visible()
    for name in ("reef.md", "buoy.md"):
        chosen = page.get_by_role("checkbox", name=f"Select: {name}")
        chosen.click()
        expect(chosen).to_be_checked()
    assert_no_serious_fault(page, "documents and shelves")
    pictured(page, "shelf")
    row.filter(has_text="reef.md").drag_to(shelf.get_by_role("button", name="Harbour (0)"))
    expect(shelf.get_by_role("button", name="Harbour (2)")).to_be_visible()
    wait_until(lambda: collections(app) == {"Harbour": 2, "<b>Bakery": 1})
    for name in ("reef.md", "buoy.md"):  # they can be dragged on at once
        expect(page.get_by_role("checkbox", name=f"Select: {name}")).to_be_checked()
    # One that is not chosen is dragged alone, whatever is.
    row.filter(has_text="bread.md").drag_to(shelf.get_by_role("button", name="Not in a collection (0)"))
    expect(shelf.get_by_role("button", name="Not in a collection (1)")).to_be_visible()
    shelf.get_by_role("button", name="Harbour (2)").press("Enter")  # a press shows what is in one
    expect(shelf.get_by_role("button", name="Harbour (2)")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("link", name="bread.md", exact=True)).to_have_count(0)
    row.filter(has_text="buoy.md").drag_to(shelf.get_by_role("button", name="Not in a collection (1)"))
    expect(page.get_by_text("No document matches")).to_be_visible()
    shelf.get_by_role("button", name="Harbour (0)").click()
    expect(page.get_by_role("link", name="bread.md", exact=True)).to_be_visible()
