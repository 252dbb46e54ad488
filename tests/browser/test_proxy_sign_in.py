"""Pages behind a proxy that signs people in: who it names has pages and conversations of their own, nobody else any."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.visitor import App, Visitor, lighthouse


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    home: Path = tmp_path_factory.mktemp("home")
    variables = {
        "DROPQA_EMBEDDING__ENABLED": "false", "DROPQA_ACCESS__PROXY_USER": "X-Forwarded-Email",
        "DROPQA_SERVER__TRUSTED_PROXIES": "127.0.0.1", "HOME": str(home),
    }  # fmt: skip
    running = App(home / "library", variables, App.free_port())
    running.start()
    running.add("lighthouse.pdf", lighthouse())
    yield running
    running.stop()


def visitor_of(app: App, browser: Browser, **headers: str) -> Visitor:
    """A browser whose requests come with what a proxy adds."""
    context = browser.new_context(locale="en-US", extra_http_headers=headers)
    return Visitor(app, context.new_page())


def forwarded(user: str) -> dict[str, str]:
    return {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Email": user}


def test_each_has_conversations_of_their_own(shared: App, browser: Browser):
    ann, ben = (visitor_of(shared, browser, **forwarded(f"{who}@example.org")) for who in ("ann", "ben"))
    ann.open("/chat")
    ann.ask("Who ground the lens?")
    expect(ann.page.get_by_role("link", name="Who ground the lens?")).to_be_visible()
    ben.open("/chat")
    expect(ben.page.get_by_role("navigation", name="App pages")).to_be_visible()
    expect(ben.page.get_by_text("Who ground the lens?")).to_have_count(0)
    for visitor in (ann, ben):
        visitor.page.context.close()


def test_who_comes_past_the_proxy_gets_nothing(shared: App, browser: Browser):
    stranger = visitor_of(shared, browser, **{"X-Forwarded-Email": "ann@example.org"})
    answer = stranger.page.goto(f"{shared.url}/chat")
    assert answer is not None and answer.status == 401
    stranger.page.context.close()
