"""Reading beside asking: a citation opens its place next to the conversation, on a phone over it."""

import io
import re
from collections.abc import Callable

import openpyxl
from playwright.sync_api import Locator, Page, expect

from tests.browser.faults import assert_no_serious_fault
from tests.browser.visitor import App, Visitor
from tests.waiting import wait_until

Visit = Callable[..., Visitor]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def pane_of(page: Page) -> Locator:
    return page.locator(".st-key-beside")


def sources_of(page: Page) -> Locator:
    return page.get_by_role("list", name="Sources").get_by_role("link")


def test_citations_are_read_one_after_the_other_without_leaving_the_chat(visit: Visit):
    visitor = visit()
    page = visitor.open("/chat")
    visitor.ask("How many masons built the tower, and how many barrels of oil did the lamp burn?")
    expect(sources_of(page).nth(1)).to_be_visible(timeout=60_000)
    page.get_by_test_id("stChatMessage").last.get_by_role("link", name="1", exact=True).first.click()

    pane = pane_of(page)
    expect(pane.get_by_role("heading", name="lighthouse.pdf")).to_be_visible()
    expect(pane.locator(".cited").first).to_be_in_viewport()
    first = pane.locator(".cited").first.bounding_box()
    expect(pane.locator(".box.active").first).to_be_visible()
    expect(sources_of(page).first).to_have_attribute("aria-current", "location")
    expect(pane.get_by_text(re.compile("^1 of "))).to_be_visible()
    assert_no_serious_fault(page, "a citation beside its answer")
    assert first["width"] < pane.locator(".box.active").first.bounding_box()["width"] + 2

    page.keyboard.press("Alt+ArrowDown")
    expect(pane.get_by_text(re.compile("^2 of "))).to_be_visible()
    expect(sources_of(page).nth(1)).to_have_attribute("aria-current", "location")
    expect(sources_of(page).first).not_to_have_attribute("aria-current", "location")
    page.keyboard.press("Alt+ArrowUp")
    expect(pane.get_by_text(re.compile("^1 of "))).to_be_visible()
    page.get_by_test_id("stChatInputTextArea").press("Escape")
    expect(pane).to_have_count(0)
    expect(page).not_to_have_url(re.compile("doc="))


def focused(page: Page) -> str:
    """Return what the element that has the focus is called."""
    return page.evaluate("""() => {
        let element = document.activeElement;
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    }""")


def test_by_keyboard_the_focus_goes_along_into_the_pane_and_back(visit: Visit):
    visitor = visit()
    page = visitor.open("/chat")
    visitor.ask("How many barrels of oil did the lamp burn?")
    source = sources_of(page).first
    expect(source).to_be_visible(timeout=60_000)
    source.focus()
    page.keyboard.press("Enter")
    expect(pane_of(page).locator(".cited").first).to_be_in_viewport()
    wait_until(lambda: focused(page).startswith(("Close", "Next source")))
    page.keyboard.press("Escape")
    expect(pane_of(page)).to_have_count(0)
    wait_until(lambda: "lighthouse.pdf" in focused(page) or focused(page) == "1")


def test_a_sheet_and_a_text_open_at_the_words_that_were_cited(visit: Visit, app: App):
    visitor = visit()
    page = visitor.open("/chat")
    visitor.ask("入职满一年的员工每年享有多少天带薪年假？")
    expect(sources_of(page).first).to_be_visible(timeout=60_000)
    sources_of(page).first.click()
    expect(pane_of(page).locator("mark")).to_contain_text("十五天带薪年假")
    visitor.ask("How many night watches did the Berg family keep?")
    cell = sources_of(page).filter(has_text="keepers.xlsx").first
    expect(cell).to_be_visible(timeout=60_000)
    expect(pane_of(page)).to_be_visible()  # it stays while one asks on
    cell.click()
    expect(pane_of(page).get_by_role("heading", name="keepers.xlsx")).to_be_visible()
    expect(pane_of(page).locator(".km").first).to_be_in_viewport()


def wide_book() -> bytes:
    """Return a workbook of 300 ferries in 40 columns."""
    book = openpyxl.Workbook()
    book.active.append(["Ferry", *(f"Trips of year {year}" for year in range(1960, 1998)), "Radio name"])
    for number in range(1, 301):
        book.active.append([f"Ferry {number}", *range(number, number + 38), f"Signal {number}"])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_a_cell_far_right_in_a_wide_sheet_is_seen_with_its_row_and_column_by_name(visit: Visit, app: App):
    added = app.add("ferries.xlsx", wide_book())
    table = app.node("ferries.xlsx", "Ferry 299")
    address = f"/document?doc={added['id']}&node={table['node_id']}&page=1&cell=AN300&quote=Signal 299"
    for screen in ({}, PHONE):
        sheet = visit(**screen).open(address).get_by_role("region", name="ferries.xlsx")
        for text in ("Signal 299", "Ferry 299", "Radio name"):
            expect(sheet.get_by_text(text, exact=True)).to_be_in_viewport(ratio=1)
        name, cell = (sheet.get_by_text(text, exact=True).bounding_box() for text in ("Ferry 299", "Signal 299"))
        assert name["x"] + name["width"] <= cell["x"] and name["y"] == cell["y"]


def test_each_cited_cell_of_one_table_is_led_to_below_its_header(visit: Visit, app: App):
    added = app.add("ferries.xlsx", wide_book())
    table = app.node("ferries.xlsx", "Ferry 50 ")
    address = f"/document?doc={added['id']}&node={table['node_id']}&page=1"
    page = visit().open(f"{address}&cell=A90")
    sheet = page.get_by_role("region", name="ferries.xlsx")
    expect(sheet.locator(".km")).to_have_text("Ferry 89")
    for cell, text in (("A5", "Ferry 4"), ("AN100", "Signal 99"), ("A101", "Ferry 100")):
        page.evaluate(
            "address => { history.pushState(null, '', address); dispatchEvent(new PopStateEvent('popstate')); }",
            f"{address}&cell={cell}",
        )
        expect(sheet.locator(".km")).to_have_text(text)
        expect(sheet.locator(".km")).to_be_in_viewport(ratio=0.98)
        head, cited = (one.bounding_box() for one in (sheet.get_by_text("Ferry", exact=True), sheet.locator(".km")))
        assert head and cited and head["y"] + head["height"] <= cited["y"] + 1, "the header lies over what is cited"


def test_on_a_phone_the_place_lies_over_the_chat_and_goes_back(visit: Visit):
    visitor = visit(**PHONE)
    page = visitor.open("/chat")
    visitor.ask("How many barrels of oil did the lamp burn?")
    expect(sources_of(page).first).to_be_visible(timeout=60_000)
    sources_of(page).first.click()
    pane = pane_of(page)
    expect(pane.locator(".cited").first).to_be_in_viewport()
    box = pane.bounding_box()
    assert (box["x"], box["width"]) == (0, 390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 391
    page.go_back()
    expect(pane).to_have_count(0)
    expect(sources_of(page).first).to_be_in_viewport()


def test_a_place_that_is_gone_is_told_in_the_pane_and_the_conversation_stays(visit: Visit):
    visitor = visit()
    page = visitor.open("/chat")
    visitor.ask("How many barrels of oil did the lamp burn?")
    expect(sources_of(page).first).to_be_visible(timeout=60_000)
    page.goto(f"{page.url}&doc=gone")
    expect(pane_of(page)).to_contain_text("was removed")
    expect(page.get_by_test_id("stChatMessage").last).to_contain_text("11 barrels")
    pane_of(page).get_by_role("link", name="Close").click()
    expect(pane_of(page)).to_have_count(0)
