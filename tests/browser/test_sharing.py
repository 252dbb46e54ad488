"""A library that is shared: the way in by password, and two users who get nothing of each other."""

import re
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Playwright, expect

from engine.interfaces.login import hash_password
from tests.browser.faults import assert_no_serious_fault
from tests.browser.visitor import App, Visitor, lighthouse

PASSWORD = "eleven barrels"
QUESTION = "How many barrels of oil did the lamp burn?"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, playwright: Playwright) -> Iterator[App]:
    running = App(
        tmp_path_factory.mktemp("shared") / "library",
        {"DROPQA_EMBEDDING__ENABLED": "false", "DROPQA_ACCESS__PASSWORD_HASH": hash_password(PASSWORD)},
    )
    running.start()
    running.add("lighthouse.pdf", lighthouse())
    yield running
    running.stop()


@pytest.fixture
def visitors(shared: App, browser: Browser) -> Iterator[list[Visitor]]:
    contexts = [browser.new_context(locale="en-US", color_scheme="light") for _ in range(2)]
    found = [Visitor(shared, context.new_page()) for context in contexts]
    for visitor in found:
        visitor.page.set_default_timeout(45_000)
    yield found
    for context in contexts:
        context.close()


def sign_in(visitor: Visitor, address: str = "/chat") -> None:
    page = visitor.open(address)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def test_a_stranger_sees_the_way_in_and_nothing_else(shared: App, visitors: list[Visitor]):
    page = visitors[0].open("/document?doc=lighthouse.pdf")
    expect(page.get_by_label("Password")).to_be_focused()
    assert_no_serious_fault(page, "the way in", "document.fonts.status === 'loaded'")
    page.get_by_label("Password").fill("twelve")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("This is not the password")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="lighthouse.pdf")).to_be_visible()
    page.get_by_role("link", name="Sign out").click()
    expect(page.get_by_label("Password")).to_be_visible()
    for path in ("/api/documents", "/media/x.pdf", "/_stcore/host-config", "/app/static/mark.svg"):
        assert httpx.get(shared.url + path).status_code == 401


def test_two_users_get_nothing_of_each_other(shared: App, visitors: list[Visitor]):
    ann, bob = visitors
    sign_in(ann)
    sign_in(bob)
    media: list[str] = []
    ann.page.on("request", lambda request: media.append(request.url) if "/media/" in request.url else None)
    ann.ask(QUESTION)
    expect(ann.page.get_by_text("Sources", exact=True).last).to_be_visible()
    expect(ann.page).to_have_url(re.compile("conversation="))
    conversation = ann.page.url
    ann.page.get_by_role("button", name="Conversation").click()
    ann.page.get_by_text("Export", exact=True).last.click()
    with ann.page.expect_download() as download:
        ann.page.get_by_role("dialog").get_by_role("button", name="Markdown").click()
    assert "11 barrels" in download.value.path().read_text("utf-8")
    assert not [address for address in media if "static" not in address]  # the file has no address to be tried
    ann.open(f"/retrieval_lab?q={QUESTION}")
    ann.page.locator("li.hit").first.get_by_label("Answers the question").check()
    ann.page.get_by_role("button", name="Save question with 1 expected result").click()
    expect(ann.page.get_by_text("Saved for evaluation.").first).to_be_visible()

    page = bob.page
    page.goto(conversation)
    expect(page.get_by_text("does not exist, or it is not yours")).to_be_visible()
    expect(page.get_by_text("barrels")).to_have_count(0)
    expect(page.get_by_role("button", name="Conversation")).to_have_count(0)  # nothing to export, rename, delete
    bob.open("/evaluation")
    expect(page.get_by_text("Save your first question")).to_be_visible()
    bob.open("/document?doc=lighthouse.pdf")  # documents are everybody's, what was asked about them is not
    expect(page.get_by_role("heading", name="lighthouse.pdf")).to_be_visible()
    expect(page.get_by_text(QUESTION)).to_have_count(0)
    page.go_back()
    expect(page.get_by_text(QUESTION)).to_have_count(0)


def test_one_answer_is_given_on_as_a_link_and_taken_back(shared: App, visitors: list[Visitor]):
    ann, bob = visitors
    sign_in(ann)
    page = ann.page
    for asked, told in (("How high does the tower stand?", "32 metres"), (QUESTION, "11 barrels")):
        ann.ask(asked)
        expect(page.get_by_text(told).first).to_be_visible()
    expect(page.get_by_role("button", name="Share this answer")).to_have_count(2)
    page.get_by_role("button", name="Share this answer").last.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Sharing by link is off")
    dialog.get_by_text("Sharing by link", exact=True).click()
    dialog.get_by_role("button", name="Create a link").click()
    expect(dialog.get_by_role("button", name="Stop sharing")).to_be_visible()
    assert_no_serious_fault(page, "a shared answer")
    link = dialog.locator("code").inner_text()

    bob.page.goto(link)
    bob.page.get_by_label("Password").fill(PASSWORD)
    bob.page.get_by_role("button", name="Sign in").click()
    expect(bob.page.get_by_text("11 barrels").first).to_be_visible()
    expect(bob.page.get_by_text(QUESTION)).to_be_visible()
    for absent in ("How high does the tower", "32 metres", "steps"):
        expect(bob.page.get_by_text(absent)).to_have_count(0)
    expect(bob.page.get_by_test_id("stChatInputTextArea")).to_have_count(0)
    assert_no_serious_fault(bob.page, "an answer by link")
    bob.page.locator("ol a").first.click()  # its quoted place opens beside it
    expect(bob.page.get_by_role("navigation", name="Cited passage")).to_be_visible()
    expect(bob.page.get_by_text(QUESTION)).to_be_visible()

    dialog.get_by_role("button", name="Stop sharing").click()
    expect(dialog.get_by_role("button", name="Create a link")).to_be_visible()
    bob.page.goto(link)
    expect(bob.page.get_by_text("This conversation is not shared")).to_be_visible()
    expect(bob.page.get_by_text("barrels")).to_have_count(0)
    ann.open("/settings")
    page.get_by_role("tab", name="Library").click()
    switch = page.get_by_role("switch", name="Sharing by link")
    expect(switch).to_be_checked()
    switch.click(force=True)
    expect(switch).not_to_be_checked()


def test_what_a_browser_kept_of_a_page_is_empty_after_signing_out(visitors: list[Visitor]):
    visitor = visitors[0]
    sign_in(visitor)
    visitor.ask("Who ground the lens?")
    page = visitor.page
    expect(page).to_have_url(re.compile("conversation="))
    conversation = page.url
    page.get_by_role("link", name="Sign out").click()
    expect(page.get_by_label("Password")).to_be_visible()
    page.goto(conversation)
    expect(page.get_by_label("Password")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("Who ground the lens")).to_have_count(0)
