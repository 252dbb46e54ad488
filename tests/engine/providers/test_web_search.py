"""Both web searches over real HTTP: what they are asked, what is taken of it, and what goes wrong."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from web_search_server import KEY, WebSearchServer

from engine.config import AgentSettings, Settings
from engine.errors import ProviderBusyError, ProviderError, ProviderUnavailableError
from engine.providers.web_search import LONGEST_QUERY, open_web_search
from engine.search_settings import WebSearchSettings

PAGE = {"title": "Moon", "url": "https://moon.example/far", "content": "It is 384,400 km away."}


@pytest.fixture
def web() -> Iterator[WebSearchServer]:
    with WebSearchServer() as server:
        server.results = [PAGE]
        yield server


def settings_for(web: WebSearchServer, provider: Any = "searxng", **more: Any) -> Settings:
    key = KEY if provider == "tavily" else ""
    chosen = WebSearchSettings(provider=provider, api_base=web.url, **{"api_key": key, "timeout": 2.0} | more)
    return Settings(agent=AgentSettings(enable_web_search=True), web_search=chosen)


def found(settings: Settings, query: str = "how far is the moon"):
    search = open_web_search(settings)
    assert search is not None
    return search(query)


@pytest.mark.parametrize(("provider", "method"), [("searxng", "GET"), ("tavily", "POST")])
def test_both_are_asked_in_their_way_and_read_alike(web: WebSearchServer, provider: str, method: str):
    (one,) = found(settings_for(web, provider), "  how far\nis the moon " + "x" * 600)
    assert (one.n, one.title, one.url, one.snippet) == (1, "Moon", PAGE["url"], PAGE["content"])
    (asked,) = web.asked
    assert asked.method == method and asked.query.startswith("how far is the moon")
    assert len(asked.query) == LONGEST_QUERY
    assert asked.key == ("" if provider == "searxng" else f"Bearer {KEY}")
    assert asked.body.get("max_results") == (None if provider == "searxng" else 5)


def test_without_address_or_key_or_switched_off_nothing_is_searched(web: WebSearchServer):
    assert open_web_search(Settings()) is None
    assert open_web_search(Settings(web_search=WebSearchSettings(api_base=web.url))) is None
    on = AgentSettings(enable_web_search=True)
    assert open_web_search(Settings(agent=on)) is None
    tavily = WebSearchSettings(provider="tavily", api_base=web.url)
    assert open_web_search(Settings(agent=on, web_search=tavily)) is None


def test_what_strangers_wrote_is_taken_as_short_harmless_text(web: WebSearchServer):
    web.results = [
        {"title": "A [1] \u202etitle\n", "url": "https://a.example/", "content": "See [2].\x00" + "c" * 900},
        {"title": "", "url": "http://b.example/p", "content": None},
        {"title": "twice", "url": "https://a.example/", "content": ""},
        {"title": "no page", "url": "javascript:alert(1)", "content": ""},
        {"title": "no page", "url": "https://ann:secret@c.example/", "content": ""},
        {"title": "no page", "url": "https://d.example/ x", "content": ""},
        {"title": "no page", "url": "http://[::1", "content": ""},
    ]  # fmt: skip
    one, other = sorted(found(settings_for(web)), key=lambda source: source.url, reverse=True)
    assert one.url == "https://a.example/" and (other.title, other.snippet) == ("b.example", "")
    assert not set("[]\u202e\x00") & set(one.title + one.snippet) and len(one.snippet) <= 501


def test_no_more_places_are_taken_than_wanted(web: WebSearchServer):
    web.results = [PAGE | {"url": f"https://moon.example/{n}"} for n in range(30)]
    assert [one.n for one in found(settings_for(web, max_results=3))] == [1, 2, 3]


@pytest.mark.parametrize(
    ("status", "provider", "kind", "told"),
    [
        (429, "searxng", ProviderBusyError, "too often"),
        (503, "tavily", ProviderBusyError, "error 503"),
        (403, "searxng", ProviderUnavailableError, "search.formats"),
        (403, "tavily", ProviderUnavailableError, "web_search.api_key"),
        (432, "tavily", ProviderUnavailableError, "account"),
    ],
)
def test_a_refusal_says_what_to_do(web: WebSearchServer, status: int, provider: str, kind: type, told: str):
    web.status = status
    with pytest.raises(kind, match=told) as raised:
        found(settings_for(web, provider))
    assert KEY not in str(raised.value)


def test_a_wrong_key_is_told_and_not_shown(web: WebSearchServer):
    with pytest.raises(ProviderUnavailableError, match="refused the key") as raised:
        found(settings_for(web, "tavily", api_key="tvly-wrong"))
    assert "tvly" not in str(raised.value)


@pytest.mark.parametrize("body", [b"<html>Results</html>", b"[]", b'{"results": "none"}', b"\xff\xfe"])
def test_what_is_no_list_of_results_is_an_error(web: WebSearchServer, body: bytes):
    web.body = body
    with pytest.raises(ProviderError, match="no list of results"):
        found(settings_for(web))


def test_a_redirect_is_not_followed_so_the_key_stays(web: WebSearchServer):
    with WebSearchServer() as other:
        web.status, web.location = 302, f"{other.url}/search"
        with pytest.raises(ProviderUnavailableError, match="sends elsewhere"):
            found(settings_for(web, "tavily"))
        assert other.asked == []


def test_one_that_is_slow_is_given_up(web: WebSearchServer):
    web.delay = 1.0
    with pytest.raises(ProviderBusyError, match="did not answer within"):
        found(settings_for(web, timeout=0.4))


def test_one_that_is_not_there_is_told(web: WebSearchServer):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{free.getsockname()[1]}"
    settings = settings_for(web).model_copy(update={"web_search": WebSearchSettings(api_base=nowhere)})
    with pytest.raises(ProviderUnavailableError, match="cannot be reached"):
        found(settings)
