"""What differs between two versions, change by change, with what is the same folded."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.visitor import App, Visitor

SAME = " ".join(f"The ledger of berth {number} is open to every pilot who asks for it." for number in range(20))
LEDGER = f"# Ledgers\n\n{SAME} The fee is {{fee}} euro. {SAME}\n\nShips leave by {{hour}}.\n"


def test_changes_are_gone_through_one_by_one_and_long_equal_parts_are_folded(visit: Callable[..., Visitor], app: App):
    app.add("ledgers.md", LEDGER.format(fee=40, hour="noon").encode())
    app.add("ledgers.md", LEDGER.format(fee=55, hour="ten").encode())
    page = visit().open("/document?doc=ledgers.md&compare=1..2")
    expect(page.get_by_text("2 changed")).to_be_visible()
    before = page.locator(".side.before").first
    expect(before).to_contain_text("berth 19 is open to every pilot who asks for it. The fee is 40 euro.")
    expect(before.get_by_text("The ledger of berth 7 ").first).to_be_hidden()
    before.get_by_role("button", name="Show what is the same").first.click()
    expect(before.get_by_text("The ledger of berth 7 ").first).to_be_visible()
    page.get_by_role("button", name="Next change").click()
    page.get_by_role("button", name="Next change").click()
    expect(page.get_by_text("Change 2 of 2")).to_be_visible()
    expect(page.locator(".pair.current")).to_contain_text("noon")
