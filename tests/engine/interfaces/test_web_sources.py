"""What the web says is told apart from the documents' sources by every way in."""

import argparse
from collections.abc import Iterator

import openai
import pytest
from test_mcp import called, over_http, run
from web_search_server import KEY, WebSearchServer

from engine.ingest import Source
from engine.interfaces import render
from engine.library import Library
from engine.settings_sources import load_settings

UNTOLD = "How far away is the moon?"
MOON = {"title": "The Moon", "url": "https://moon.example/far", "content": "It is 384,400 km away [1]."}


@pytest.fixture
def web() -> Iterator[WebSearchServer]:
    with WebSearchServer() as server:
        server.results = [MOON]
        yield server


@pytest.fixture
def made(tmp_path, web) -> Iterator[Library]:
    flags = {
        "embedding.enabled": False, "agent.enable_web_search": True, "web_search.provider": "tavily",
        "web_search.api_base": web.url, "web_search.api_key": KEY,
    }  # fmt: skip
    settings = load_settings(tmp_path, environ={}, flags=flags)
    with Library.open(tmp_path / "library", settings=settings, background=False) as library:
        library.add([Source("tides.md", b"# Tides\n\nThe tide rises twice a day.\n")])
        yield library


def test_chat_clients_see_it_below_the_answer_and_beside_the_citations(made, serve):
    client = openai.OpenAI(base_url=f"{serve(made)}/v1", api_key="unused", max_retries=0)
    asked = {"model": "dropqa", "messages": [{"role": "user", "content": UNTOLD}]}
    whole = client.chat.completions.create(**asked)
    assert [one["url"] for one in whole.model_extra["web_sources"]] == [MOON["url"]]
    assert "moon.example" not in str(whole.model_extra["citations"])
    text = whole.choices[0].message.content
    assert f"not checked:\n[W1] The Moon <{MOON['url']}>: It is 384,400 km away (1)." in text
    chunks = list(client.chat.completions.create(**asked, stream=True))
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == text
    assert chunks[-1].model_extra["web_sources"]


def test_agents_search_it_by_a_tool_of_its_own(made, serve):
    async def use():
        async with over_http(serve(made)) as agent:
            said, told = await called(agent, "search_web", query="moon")
            assert "not checked" in said and told["web_sources"][0]["url"] == MOON["url"]
            said, told = await called(agent, "ask", question=UNTOLD)
            assert "[W1] The Moon" in said and told["web_sources"] and "moon" not in str(told["sources"])

    run(use)


def test_the_terminal_prints_it_below_the_sources(made):
    told = render.answer(made.ask(UNTOLD).to_dict(), argparse.Namespace(trace=False))
    assert f"<{MOON['url']}>" in told and "outside of the documents" in told


def test_the_doctor_tells_whether_it_works(made, web):
    def check():
        return next(one for one in made.doctor() if one.name == "web search")

    assert check().ok and check().detail == "tavily finds 1 pages"
    web.status = 429
    assert not check().ok and KEY not in check().detail
