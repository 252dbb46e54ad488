"""Signing in with an OIDC provider: who is allowed comes in, and has conversations of their own on every machine."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Playwright, expect

from tests.browser.oidc_provider import CLIENT, SECRET, OidcProvider
from tests.browser.visitor import App, Visitor, lighthouse

ALLOWED = "ann@example.org, @example.com"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, playwright: Playwright) -> Iterator[App]:
    home: Path = tmp_path_factory.mktemp("home")
    variables = {
        "DROPQA_EMBEDDING__ENABLED": "false", "DROPQA_ACCESS__OIDC": "true", "HOME": str(home),
        "DROPQA_ACCESS__ALLOWED_USERS": ALLOWED,
    }  # fmt: skip
    running = App(home / "library", variables, App.free_port())
    with OidcProvider() as provider:
        secrets = {
            "redirect_uri": f"{running.url}/oauth2callback", "cookie_secret": "a secret of the tests",
            "client_id": CLIENT, "client_secret": SECRET, "server_metadata_url": provider.metadata,
        }  # fmt: skip
        (home / ".streamlit").mkdir()
        told = "\n".join(f'{name} = "{value}"' for name, value in secrets.items())
        (home / ".streamlit" / "secrets.toml").write_text(f"[auth]\n{told}\n")
        running.start()
        running.add("lighthouse.pdf", lighthouse())
        yield running
        running.stop()


def sign_in(visitor: Visitor, user: str, address: str = "/dashboard") -> None:
    page = visitor.open(address)
    page.set_default_timeout(45_000)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name=user).click()
    expect(page.get_by_role("navigation", name="App pages")).to_be_visible()


def visitor_of(app: App, browser: Browser) -> Visitor:
    return Visitor(app, browser.new_context(locale="en-US").new_page())


def test_who_is_allowed_comes_in_and_keeps_conversations_over_browsers(shared: App, browser: Browser):
    ann = visitor_of(shared, browser)
    sign_in(ann, "ann@example.org")
    expect(ann.page.get_by_role("heading", name="Your library")).to_be_visible()
    ann.open("/chat")
    ann.ask("Who ground the lens?")
    expect(ann.page).to_have_url(re.compile("conversation="))
    conversation = ann.page.url
    bob, again = visitor_of(shared, browser), visitor_of(shared, browser)
    sign_in(bob, "bob@example.com")
    expect(bob.page.get_by_role("heading", name="Your library")).to_be_visible()
    bob.page.goto(conversation)
    expect(bob.page.get_by_text("belongs to another account")).to_be_visible()
    sign_in(again, "ann@example.org")
    expect(again.page.get_by_role("link", name="Who ground the lens?")).to_be_visible()
    again.page.get_by_role("button", name="Sign out").click()
    expect(again.page.get_by_role("button", name="Sign in")).to_be_visible()
    expect(again.page.get_by_text("Who ground the lens?")).to_have_count(0)
    for visitor in (ann, bob, again):
        visitor.page.context.close()


def test_after_signing_in_one_is_where_one_wanted_to_go(shared: App, browser: Browser):
    ann = visitor_of(shared, browser)
    sign_in(ann, "ann@example.org", "/document?doc=lighthouse.pdf&page=3")
    expect(ann.page.get_by_role("heading", name="lighthouse.pdf")).to_be_visible()
    expect(ann.page.get_by_role("textbox", name="Page")).to_have_value("3")
    ann.page.get_by_role("link", name="Overview").click()
    expect(ann.page.get_by_role("heading", name="Your library")).to_be_visible()
    ann.open("/")
    expect(ann.page.get_by_role("heading", name="Your library")).to_be_visible()
    ann.page.context.close()


def test_who_is_not_allowed_is_told_so_and_strangers_get_no_data(shared: App, browser: Browser):
    eve = visitor_of(shared, browser)
    sign_in(eve, "eve@elsewhere.example")
    expect(eve.page.get_by_text("eve@elsewhere.example")).to_be_visible()
    expect(eve.page.get_by_test_id("stChatInputTextArea")).to_have_count(0)
    eve.page.goto(f"{shared.url}/document?doc=lighthouse.pdf")
    expect(eve.page.get_by_text("eve@elsewhere.example")).to_be_visible()
    eve.page.context.close()
    assert httpx.get(f"{shared.url}/api/documents").status_code == 401
