"""What stopped people: addresses without a dot, the menu on a phone, the search keys, a page that stood still."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.browser.visitor import App, Visitor
from tests.openai_server import OpenAiServer

Visit = Callable[..., Visitor]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
OLLAMA_PORT = 11434


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory, playwright: Playwright) -> Iterator[App]:
    """A small library of its own, whose settings and documents may be changed."""
    running = App(tmp_path_factory.mktemp("stumbles") / "library", {"DROPQA_EMBEDDING__ENABLED": "false"})
    running.start()
    running.add("tide.md", b"# Tides\n\n## Springs\n\nThe spring tide rises four metres above the quay of Vardo.\n")
    yield running
    running.stop()


@pytest.fixture
def newcomer(shelf: App, browser: Browser) -> Iterator[Callable[..., Visitor]]:
    contexts = []
    visitors: list[Visitor] = []

    def opened(**options: object) -> Visitor:
        settings = {"locale": "en-US", "color_scheme": "light", "viewport": {"width": 1280, "height": 800}}
        contexts.append(browser.new_context(**(settings | options)))
        visitors.append(Visitor(shelf, contexts[-1].new_page()))
        visitors[-1].watch(visitors[-1].page)
        return visitors[-1]

    yield opened
    for context in contexts:
        context.close()
    problems = [problem for visitor in visitors for problem in visitor.problems]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    "address",
    [
        "http://localhost:11434/v1", "http://ollama:11434/v1", "http://[::1]:11434/v1", "http://127.0.0.1:1234",
        "https://gateway/llm/openai/v1/",
    ],
)  # fmt: skip
def test_an_address_is_taken_whatever_host_it_names(newcomer: Visit, address: str):
    visitor = newcomer()
    visitor.open("/settings")
    form = visitor.model_form()
    form.get_by_placeholder("https://api.openai.com/v1").fill(address)
    form.get_by_label("Model").fill("llama3.2")
    form.get_by_role("button", name="Save").click()
    expect(visitor.page.get_by_text("In use: llama3.2")).to_be_visible()
    field = visitor.page.get_by_placeholder("https://api.openai.com/v1").first  # there are two while it is drawn anew
    expect(field).to_have_value(address)
    visitor.page.get_by_role("button", name="Remove model").click()
    expect(visitor.page.get_by_text("Not set up").first).to_be_visible()


def test_what_is_no_address_is_told_beside_the_field_and_not_saved(newcomer: Visit):
    visitor = newcomer()
    visitor.open("/settings")
    form = visitor.model_form()
    form.get_by_placeholder("https://api.openai.com/v1").fill("localhost:11434/v1")
    form.get_by_role("button", name="Save").click()
    expect(visitor.page.get_by_text("an address that begins with http://")).to_be_visible()
    expect(visitor.page.get_by_text("Not set up").first).to_be_visible()


@pytest.fixture
def ollama() -> Iterator[OpenAiServer]:
    """A model server at the port of Ollama; skip where that port is taken."""
    try:
        server = OpenAiServer(key=None, models=("qwen3:4b",), port=OLLAMA_PORT)
    except OSError:
        pytest.skip(f"port {OLLAMA_PORT} is in use on this machine")
    with server:
        yield server


def test_a_model_server_on_this_machine_is_found_and_used_in_one_click(newcomer: Visit, ollama: OpenAiServer):
    visitor = newcomer()
    page = visitor.open("/settings")
    expect(page.get_by_role("button", name="Find models on this machine")).to_be_visible()
    assert not ollama.requests, "nothing is looked for before somebody asks"
    page.get_by_role("button", name="Find models on this machine").click()
    expect(page.get_by_text("Ollama", exact=True)).to_be_visible()
    page.get_by_role("button", name="Use").click()
    expect(page.get_by_text("In use: qwen3:4b")).to_be_visible()
    page.get_by_role("button", name="Remove model").click()
    expect(page.get_by_text("Not set up").first).to_be_visible()


def test_a_test_of_an_empty_address_looks_for_models_on_this_machine(newcomer: Visit, ollama: OpenAiServer):
    visitor = newcomer()
    visitor.open("/settings")
    visitor.model_form().get_by_role("button", name="Test").click()
    found = visitor.page.get_by_test_id("stSelectbox").get_by_role("combobox", name="Model", exact=True)
    expect(found).to_have_value("qwen3:4b")


def menu_is_closed(page: Page) -> None:
    expect(page.get_by_test_id("stSidebar")).to_have_attribute("data-collapsed", "true")


def open_menu(page: Page) -> None:
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(page.get_by_test_id("stSidebar")).not_to_have_attribute("data-collapsed", "true")


def test_on_a_phone_the_menu_closes_after_a_choice_and_stays_closed(newcomer: Visit):
    page = newcomer(**PHONE).open("/dashboard")
    expect(page.get_by_role("heading", name="Your library")).to_be_visible()
    for entry, heading in (
        ("Documents", "Documents"),
        ("Settings", "Settings"),
        ("Chat", "Ask your documents"),
    ):
        open_menu(page)
        page.get_by_test_id("stSidebarNavLink").filter(has_text=entry).click()
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        menu_is_closed(page)
    page.reload()
    expect(page.get_by_role("heading", name="Ask your documents")).to_be_visible()
    menu_is_closed(page)
    open_menu(page)
    page.get_by_role("link", name="New chat").click()
    menu_is_closed(page)


def test_on_a_phone_a_menu_that_was_left_open_does_not_cover_the_next_visit(newcomer: Visit):
    page = newcomer(**PHONE).open("/dashboard")
    open_menu(page)
    page.goto(page.url.replace("dashboard", "documents"))
    expect(page.get_by_role("heading", name="Documents", exact=True)).to_be_visible()
    menu_is_closed(page)


def test_on_a_wide_screen_the_menu_stays(newcomer: Visit):
    page = newcomer().open("/dashboard")
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Documents").click()
    expect(page.get_by_role("heading", name="Documents", exact=True)).to_be_visible()
    time.sleep(0.5)
    expect(page.get_by_test_id("stSidebar")).not_to_have_attribute("data-collapsed", "true")


def test_enter_in_the_search_box_asks_what_was_typed(newcomer: Visit):
    page = newcomer().open("/documents")
    expect(page.get_by_role("button", name="Search Ctrl K")).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("How high does the spring tide rise?")
    expect(page.get_by_role("option").first).to_have_text(re.compile("Ask: How high does the spring tide rise"))
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stChatMessage").last).to_contain_text("four metres")


def test_the_overview_shows_what_came_from_elsewhere_without_a_reload(newcomer: Visit, shelf: App):
    page = newcomer().open("/dashboard")
    expect(page.get_by_role("heading", name="Your library")).to_be_visible()
    name = f"late {time.time_ns()}.md"
    expect(page.get_by_text(name)).to_have_count(0)
    shelf.add(name, b"# Late\n\nThe late ferry leaves at midnight from the northern pier of the harbour.\n")
    expect(page.get_by_text(name).first).to_be_visible(timeout=20_000)


def test_suggestions_on_the_overview_are_answered(newcomer: Visit):
    page = newcomer().open("/dashboard")
    suggestion = page.get_by_role("button", name=re.compile("^What (does|is)")).first
    suggestion.click(timeout=20_000)
    expect(page.get_by_text("Sources", exact=True).last).to_be_visible()
    expect(page.get_by_text("Not in these documents")).to_have_count(0)


def test_the_description_of_the_api_is_drawn_from_this_server_alone(newcomer: Visit):
    page = newcomer().open("/api/docs")
    expect(page.get_by_text("/documents").first).to_be_visible()
    expect(page.locator(".opblock").first).to_be_visible()
    page.locator(".opblock").filter(has_text="/health").click()
    expect(page.get_by_role("button", name="Try it out").first).to_be_visible()


def test_a_button_counts_as_pressed_though_the_page_moves_meanwhile(newcomer: Visit):
    page = newcomer().open("/documents")
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    button = page.get_by_role("button", name="Add from the web")
    button.evaluate(
        """button => button.addEventListener('mousedown', () => {
            document.querySelector('[data-testid=stMain]').firstElementChild.style.paddingTop = '400px';
        }, { once: true })"""
    )
    button.click()
    expect(page.get_by_text("Address of a page or file")).to_be_visible()
