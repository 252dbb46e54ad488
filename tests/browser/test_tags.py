"""Tags in a browser: put on chosen documents, filtered by, kept as a filter."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.faults import assert_no_serious_fault
from tests.browser.visitor import Visitor
from tests.waiting import wait_until

Visit = Callable[..., Visitor]


def test_chosen_documents_are_tagged_and_found_again_by_a_kept_filter(visit: Visit):
    page = visit().open("/documents")
    for name in ("lighthouse.pdf", "keepers.xlsx"):
        chosen = page.get_by_role("checkbox", name=f"Select: {name}")
        chosen.click()
        expect(chosen).to_be_checked()  # also where the list is drawn anew just then
    page.get_by_role("button", name="Tags", exact=True).click()
    field = page.get_by_role("dialog").get_by_role("combobox")
    field.fill("coast")
    field.press("Enter")
    field.press("Escape")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    rows = page.get_by_role("listitem").filter(has_text="#coast")
    expect(rows).to_have_count(2)

    expect(page.get_by_role("dialog")).to_have_count(0)
    option = page.get_by_role("option", name="coast (2)")

    def opened() -> bool:
        """The list closes where the page is redrawn meanwhile, as a reader's does, who opens it again."""
        if not option.is_visible():
            page.get_by_role("combobox", name="Tag").click()
        page.wait_for_timeout(500)
        return option.is_visible()

    wait_until(opened)
    option.click()
    expect(page.get_by_role("listitem").filter(has_text="almanac.md")).to_have_count(0)
    page.get_by_role("button", name="Filters").click()
    page.get_by_role("textbox", name="Name of this filter").fill("By the sea")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="By the sea", exact=True)).to_be_visible()
    assert_no_serious_fault(page, "the list of documents with a tag and a kept filter")
    page.reload()
    expect(page.get_by_role("listitem").filter(has_text="almanac.md")).to_be_visible()
    page.get_by_role("button", name="Filters").click()
    page.get_by_role("button", name="By the sea", exact=True).click()
    expect(page.get_by_role("listitem").filter(has_text="almanac.md")).to_have_count(0)
    expect(rows).to_have_count(2)
