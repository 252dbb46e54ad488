"""What was read of a document is corrected by hand, by keyboard, and contents and citations follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, Playwright, expect

from tests.browser.faults import assert_no_serious_fault
from tests.browser.visitor import App, Visitor, app_with

Visit = Callable[..., Visitor]
NOTES = {
    "contract.md": "# Supply contract\n\nThe seller delivers bolts.\n\nTerms of payment\n\n"
    "The buyer pays within thirty days of delivery.\n\n| Item | Price |\n|---|---|\n| in stock | net |\n"
    "| Bolts | 20 |\n| Nuts | 9 |\n",
    "guide.md": "# Guide\n\nRead all of it.\n\n- Ordering bolts\n- Returning bolts\n- Storing bolts\n",
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, playwright: Playwright) -> Iterator[App]:
    with app_with(NOTES, tmp_path_factory.mktemp("correcting")) as running:
        yield running


def contents(page: Page) -> Locator:
    return page.get_by_role("tree", name="Contents")


def place_of(visitor: Visitor) -> Locator:
    """Ask what the contract says and return where the answer's source is said to stand."""
    page = visitor.open("/chat")
    visitor.ask("Within how many days does the buyer pay?")
    sources = page.get_by_role("list", name="Sources").get_by_role("listitem")
    expect(sources.first).to_be_visible(timeout=60_000)
    return sources.first


def test_a_missed_heading_is_made_one_and_contents_and_citations_follow(visit: Visit):
    visitor = visit()
    expect(place_of(visitor)).not_to_contain_text("Terms of payment")
    node = visitor.app.node("contract.md", "Terms of payment")["node_id"]
    page = visitor.open(f"/document?doc=contract.md&node={node}")
    page.get_by_role("button", name="Correct", exact=True).press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("textbox", name="Heading")).to_have_value("Terms of payment")
    level = dialog.get_by_role("spinbutton", name="Level (1 is the highest)")
    level.press("ArrowUp")
    expect(level).to_have_value("2")
    assert_no_serious_fault(page, "the dialog that corrects a passage")
    dialog.get_by_role("button", name="This is a heading").press("Enter")
    expect(dialog).to_have_count(0)

    section = contents(page).get_by_role("treeitem", name="Terms of payment")
    expect(section).to_have_attribute("aria-expanded", "false")
    section.click()
    expect(page.get_by_text("Corrected by hand")).to_be_visible()
    expect(place_of(visitor)).to_contain_text("Terms of payment")


def test_a_line_of_a_list_is_made_a_heading(visit: Visit):
    visitor = visit()
    node = visitor.app.node("guide.md", "Storing bolts")["node_id"]
    page = visitor.open(f"/document?doc=guide.md&node={node}")
    page.get_by_role("button", name="Correct", exact=True).press("Enter")
    dialog = page.get_by_role("dialog")
    line = dialog.get_by_role("combobox", name="Line")
    expect(line).to_have_value("")
    expect(dialog.get_by_role("button", name="This is a heading")).to_have_count(0)
    line.press("ArrowDown")
    page.get_by_role("option", name="Returning bolts").click()
    expect(dialog.get_by_role("textbox", name="Heading")).to_have_value("Returning bolts")
    assert_no_serious_fault(page, "the dialog that corrects a line of a list")
    dialog.get_by_role("button", name="This is a heading").press("Enter")
    expect(dialog).to_have_count(0)
    expect(contents(page).get_by_role("treeitem", name="Returning bolts")).to_be_visible()


def test_the_title_and_a_tables_header_are_corrected_listed_and_taken_back(visit: Visit):
    visitor = visit(viewport={"width": 390, "height": 844}, locale="zh-CN")
    node = visitor.app.node("contract.md", "Bolts | 20")["node_id"]
    page = visitor.open(f"/document?doc=contract.md&node={node}")
    page.get_by_role("button", name="更正", exact=True).click()
    rows = page.get_by_role("dialog").get_by_role("spinbutton", name="表头行数")
    rows.fill("2")
    rows.press("Tab")
    page.get_by_role("dialog").get_by_role("button", name="保存").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text("已手动更正")).to_be_visible()

    page.get_by_role("button", name="标题与更正").click()
    page.get_by_role("dialog").get_by_role("textbox", name="文档标题").fill("供货合同")
    page.get_by_role("dialog").get_by_role("button", name="保存").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="标题与更正").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("标题为“供货合同”。")).to_be_visible()
    expect(dialog.get_by_text("的前 2 行是表头。")).to_be_visible()
    assert_no_serious_fault(page, "the list of corrections")
    before = dialog.get_by_role("button", name="撤销更正").count()
    dialog.get_by_role("button", name="撤销更正").last.click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name=f"标题与更正（{before - 1}）").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="撤销更正")).to_have_count(before - 1)
