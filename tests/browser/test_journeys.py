"""Longer ways through the app: a new version, a wrong key, Chinese on a phone in the dark, the keyboard alone."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.visitor import App, Visitor, scan
from tests.openai_server import OpenAiServer

Visit = Callable[..., Visitor]
RATES = "# Rates\n\n## Pilots\n\nA pilot costs {pilot} crowns a tide.\n\n## Tugs\n\nA tug costs 700 crowns an hour.\n"
NOTICE = "# 码头通知\n\n## 夜航\n\n夜间进港的船只须提前六小时报备，报备费每次二百元。\n\n## 淡水\n\n淡水每吨八元。\n"
# The element that has the focus, within shadow roots as well.
FOCUSED = """() => {
  let found = document.activeElement;
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
  return found?.getAttribute('href') ?? '';
}"""


def test_a_new_version_is_uploaded_compared_and_asked_about(visit: Visit, app: App, tmp_path: Path):
    app.add("rates.md", RATES.format(pilot=310).encode())
    visitor = visit()
    page = visitor.open("/documents")
    file = tmp_path / "rates.md"
    file.write_text(RATES.format(pilot=365), "utf-8")
    page.locator("input[type=file]").first.set_input_files(file)
    expect(page.get_by_role("listitem").filter(has_text="rates.md")).to_contain_text("2 versions")
    page.get_by_role("link", name="rates.md", exact=True).first.click()
    when_drawn(page)
    page.get_by_role("button", name="Versions").click()
    page.get_by_role("dialog").get_by_role("link", name="What changed").click()
    expect(page.locator("del, ins").filter(has_text=re.compile("310|365")).first).to_be_visible()
    expect(page.get_by_text("Tugs")).to_have_count(0)
    visitor.open("/chat")
    visitor.ask("What changed between version 1 and 2 of rates.md?")
    answer = page.get_by_test_id("stChatMessage").last
    expect(answer).to_contain_text("310")
    expect(answer).to_contain_text("365")
    sources = answer.get_by_role("list", name="Sources").get_by_role("link")
    expect(sources.first).to_be_visible()
    versions = {re.search(r"version=(\d)", link.get_attribute("href") or "")[1] for link in sources.all()}
    assert versions == {"1", "2"}


def test_a_dialog_stays_open_when_work_ends_behind_it_and_the_page_is_drawn_anew_after_it(visit: Visit, tmp_path: Path):
    page = visit().open("/documents")
    files = [tmp_path / f"buoy {number}.png" for number in range(5)]
    for number, file in enumerate(files):
        file.write_bytes(scan(f"Buoy {number} rings in every swell.", "It is painted red."))
    page.locator("input[type=file]").first.set_input_files(files)
    # By name: another file may be read still, and the end of the upload draws the page anew.
    waiting = page.get_by_role("listitem").filter(has_text=re.compile("buoy.*Recognising text", re.DOTALL))
    expect(waiting.first).to_be_visible()
    page.get_by_role("button", name="Remove: tariff.md").click()
    dialog, at_work = page.get_by_role("dialog"), page.get_by_text(re.compile(r"^buoy \d\.png · "))
    expect(dialog).to_be_visible()
    expect(at_work.last).to_be_visible()
    expect(at_work).to_have_count(0, timeout=150_000)  # all are recognised: a slow machine takes ten seconds each
    page.wait_for_timeout(1000)  # what would close it comes a moment after the end of work
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(waiting).to_have_count(0)
    expect(dialog).to_be_hidden()


def test_a_wrong_key_is_told_and_mended(visit: Visit):
    visitor = visit()
    page = visitor.open("/settings")
    form = visitor.model_form()
    with OpenAiServer() as model:
        form.get_by_label("Address").fill(model.base_url)
        form.get_by_label("Key", exact=True).fill("not the key")
        form.get_by_role("button", name="Test").click()
        expect(page.get_by_test_id("stAlert").first).to_contain_text(re.compile("key", re.IGNORECASE))
        form.get_by_label("Key", exact=True).fill(model.key)
        form.get_by_role("button", name="Test").click()
        expect(page.get_by_text("answered in")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Not set up").first).to_be_visible()  # testing saves nothing


def test_a_journey_in_chinese_on_a_phone_in_the_dark(visit: Visit, tmp_path: Path):
    visitor = visit(
        locale="zh-CN", color_scheme="dark", viewport={"width": 390, "height": 844}, device_scale_factor=2,
        is_mobile=True, has_touch=True,
    )  # fmt: skip
    page = visitor.open("/documents")
    expect(page.get_by_text("每个文件不超过").first).to_be_visible()
    notice = tmp_path / "码头通知.md"
    notice.write_text(NOTICE, "utf-8")
    page.locator("input[type=file]").first.set_input_files(notice)
    row = page.get_by_role("listitem").filter(has_text="码头通知.md")
    expect(row).to_be_visible()
    assert_fits(page)
    row.get_by_role("link", name="就此文档提问").click()
    visitor.ask("夜间进港的船只要提前多久报备？")
    answer = page.get_by_test_id("stChatMessage").last
    expect(answer).to_contain_text("六小时")
    assert_fits(page)
    answer.get_by_role("list", name="出处").get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="码头通知.md")).to_be_visible()
    expect(page.locator(".node.active mark").first).to_be_in_viewport()
    assert_fits(page)


def assert_fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= 391


def when_drawn(page: Page) -> None:
    """Wait until a page is drawn: a click while it is being drawn may be lost, and nobody clicks as fast as this."""
    page.wait_for_timeout(1000)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def type_when_drawn(page: Page, text: str) -> None:
    """Type where the keyboard is; what was typed while the page was still being drawn is lost, and typed again."""
    box = page.get_by_test_id("stChatInputTextArea")
    for _ in range(5):
        when_drawn(page)
        box.press("ControlOrMeta+a")
        page.keyboard.type(text)
        page.wait_for_timeout(500)
        if box.input_value() == text:
            return
    raise AssertionError("what is typed does not stay")


def test_the_keyboard_alone_asks_follows_a_citation_and_comes_back(visit: Visit):
    page = visit().open("/dashboard")
    expect(page.get_by_role("heading", name="Your library")).to_be_visible()
    expect(page.get_by_role("button", name="Search Ctrl K")).to_be_visible()  # it brings the keys with it
    page.keyboard.press("Alt+a")
    expect(page.get_by_test_id("stChatInputTextArea")).to_be_focused()
    type_when_drawn(page, "How many barrels of oil did the lamp burn?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Sources", exact=True).last).to_be_visible()
    expect(page).to_have_url(re.compile("conversation="))
    for _ in range(40):
        page.keyboard.press("Shift+Tab")
        if page.evaluate(FOCUSED).startswith("document?"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="lighthouse.pdf")).to_be_visible()
    expect(page.locator(".box.active").first).to_be_in_viewport()
    page.go_back()  # Alt and the left arrow: a key of the browser's window, which a headless one does not have
    expect(page.get_by_test_id("stChatMessage").last).to_contain_text("11 barrels")
