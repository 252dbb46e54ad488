"""No page has a serious fault for people who use it without a mouse, or without seeing it."""

import re
import time
from collections.abc import Callable
from urllib.parse import quote

from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.browser.faults import assert_no_serious_fault, go, see
from tests.browser.visitor import App, Visitor

Visit = Callable[..., Visitor]
QUESTION = "How many barrels of oil did the lamp burn?"
HEIGHT_QUESTION = "How many metres above the sea does the tower stand?"
TIMER_SECONDS = 7  # more than two turns of it
LAB = f"/retrieval_lab?q={quote(QUESTION)}"


def open_search(page: Page) -> Locator:
    """Press the keys that open the search box and return its field."""
    expect(page.get_by_role("button", name="Search Ctrl K")).to_be_visible()
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Find documents, topics, sections, passages")
    expect(field).to_be_focused()
    return field


def test_no_page_has_a_serious_fault(visit: Visit, app: App):
    visitor = visit()
    page = visitor.open("/dashboard")
    for address, heading in (
        ("/dashboard", "Your library"), ("/documents", "Documents"), ("/topics", "Topics"),
        ("/chat", "Ask your documents"), ("/retrieval_lab", "Retrieval lab"), ("/evaluation", "Evaluation"),
        ("/settings", "Settings"), ("/document", "Document"), ("/document?doc=gone", "This no longer exists"),
    ):  # fmt: skip
        see(page, address, heading)
    visitor.open("/chat")
    visitor.ask(QUESTION)
    expect(page.get_by_text("Sources", exact=True).last).to_be_visible()
    assert_no_serious_fault(page, "an answer")
    page.get_by_role("button", name="Search: As needed").click()
    expect(page.get_by_text("How thoroughly to search")).to_be_visible()
    assert_no_serious_fault(page, "how far to look")


def test_no_document_has_a_serious_fault(visit: Visit, app: App):
    page = visit().open("/document")
    for name in ("lighthouse.pdf", "visitors.md", "keepers.xlsx"):
        go(page, f"/document?doc={name}")
        expect(page.get_by_role("heading", name=name)).to_be_visible()
        expect(page.get_by_role("tree")).to_be_visible()
        assert_no_serious_fault(page, name)
    see(page, "/document?doc=tariff.md&compare=1..2", "tariff.md")
    page.get_by_role("button", name="Versions").click()
    expect(page.get_by_role("dialog")).to_contain_text("Version 1")
    assert_no_serious_fault(page, "versions")
    page.keyboard.press("Escape")
    go(page, "/topics")
    page.get_by_text("Graph", exact=True).click()
    expect(page.get_by_role("group", name=re.compile("Topics as circles"))).to_be_visible()
    assert_no_serious_fault(page, "topics as a graph")
    page.get_by_text("Names", exact=True).click()
    page.get_by_text(re.compile("^Show all names")).click()
    page.locator("li a[href*='name=']").first.click()
    expect(page.get_by_role("link", name="All names")).to_be_visible()
    expect(page.locator("li a[href*='node=']").first).to_be_visible()
    assert_no_serious_fault(page, "a name")
    page.get_by_role("link", name="All names").click()
    expect(page).to_have_url(re.compile("/topics$"))
    page.get_by_text(re.compile("^Show all names")).click()
    expect(page.locator("li a[href*='name=']").first).to_be_visible()
    assert_no_serious_fault(page, "names")
    page.get_by_text("Cards", exact=True).click()
    page.locator("li a[href*='topic=']").first.click()
    expect(page.get_by_role("link", name="All topics")).to_be_visible()
    assert_no_serious_fault(page, "a topic")
    open_search(page)
    page.keyboard.type("may 1929")
    expect(page.get_by_role("option", name="May 1929").first).to_be_visible()
    assert_no_serious_fault(page, "search")


def test_no_view_of_the_lab_and_of_a_set_of_questions_has_a_serious_fault(visit: Visit):
    page = visit().open(LAB)
    page.locator("li.hit").first.get_by_label("Answers the question").check()
    page.get_by_role("button", name="Save question with 1 expected result").click()
    expect(page.get_by_text("Saved for evaluation.").first).to_be_visible()
    for view in ("scores", "views", "understood", "why"):
        go(page, f"{LAB}&view={view}")
        page.wait_for_timeout(600)  # nothing on the page tells that all parts of a view are drawn
        assert_no_serious_fault(page, view)
    page.get_by_text("Try other settings", exact=True).click()
    expect(page.get_by_role("button", name="Try", exact=True)).to_be_visible()
    go(page, "/evaluation")
    page.get_by_role("button", name="Run", exact=True).click()
    question = page.get_by_test_id("stExpander").filter(has_text=QUESTION)
    expect(question).to_contain_text("1.000")
    question.locator("summary").click()
    expect(page.get_by_role("link", name="Why?")).to_be_visible()
    assert_no_serious_fault(page, "a set of questions")


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
    expect(page.get_by_role("treeitem", name="May 1929", exact=True)).to_have_attribute("aria-selected", "true")
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
    page.keyboard.type(HEIGHT_QUESTION)
    page.get_by_role("option", name=re.compile(r"^Ask.*stand\?")).click()
    expect(page.get_by_test_id("stChatMessage").last).to_contain_text("32 metres")


class SlowLine:
    """The line between a page and its server, on which the page hears nothing while it is held."""

    def __init__(self, page: Page) -> None:
        self.held: list[str | bytes] | None = None
        self.said = 0
        page.route_web_socket(re.compile("/_stcore/stream"), self._connect)

    def _connect(self, line: WebSocketRoute) -> None:
        self._line = line
        self._server = line.connect_to_server()
        self._server.on_message(self._hear)
        line.on_message(self._say)

    def _hear(self, message: str | bytes) -> None:
        if self.held is None:
            self._line.send(message)
        else:
            self.held.append(message)

    def _say(self, message: str | bytes) -> None:
        self.said += 1
        self._server.send(message)

    def release(self) -> None:
        """Let the page hear what was held."""
        held, self.held = self.held or [], None
        for message in held:
            self._line.send(message)


def test_a_part_of_the_page_before_that_is_asked_for_late_does_not_bring_that_page_back(visit: Visit):
    visitor = visit()
    line = SlowLine(visitor.page)
    page = visitor.open("/settings")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    open_search(page)
    page.keyboard.type(HEIGHT_QUESTION)
    expect(page.get_by_role("option").nth(1)).to_be_visible()
    line.held, before = [], line.said
    page.get_by_role("option", name=re.compile(r"^Ask.*stand\?")).click()
    # The click, and a timer of the settings, which they have while there is work.
    until = time.monotonic() + TIMER_SECONDS
    while line.said < before + 2 and time.monotonic() < until:
        page.wait_for_timeout(100)
    page.wait_for_timeout(2000)  # the server has drawn that part
    line.release()
    expect(page.get_by_test_id("stChatMessage").last).to_contain_text("32 metres")


def test_the_field_that_asks_has_the_focus_again_where_drawing_its_page_took_it(visit: Visit):
    page = visit().open("/settings")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    expect(page.get_by_role("button", name="Search Ctrl K")).to_be_visible()
    page.evaluate(
        "addEventListener('focusin', event => event.target.blur(), { once: true })"
    )  # as a field does that is made anew
    page.keyboard.press("Alt+a")
    expect(page.get_by_test_id("stChatInputTextArea")).to_be_focused()
