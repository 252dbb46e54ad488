"""The library as tools for agents, driven by the official client over both of its transports."""

import base64
import json
import os
import sys
import tomllib
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from sample_texts import REPORT

from engine.config import AccessSettings
from engine.ingest import Source
from engine.interfaces.client import announced
from engine.interfaces.login import hash_password
from engine.library import Library
from engine.shared_library import ReadOnlyLibrary

ROOT = Path(__file__).resolve().parents[3]
OF_THE_SEED = {
    "keyword_search": {"keywords", "mode", "case_sensitive"}, "fulltext_search": {"query", "top_k"},
    "semantic_search": {"query", "top_k"}, "get_node_content": {"node_id"}, "get_section_children": {"node_id"},
    "get_document_structure": {"document_id"}, "get_relations": {"entity"},
    "get_related_documents": {"document_id"},
    "verify_consistency": {"statements"}, "summarize_findings": {"focus"}, "search_web": {"query"},
    "final_answer": {"answer", "confidence", "sources"},
}  # fmt: skip
OURS = ["rag_search", "ask", "list_documents", "add_document"]


def run(use: Callable[[], Awaitable[None]]) -> None:
    """Run it in a thread of its own: a browser that other tests opened keeps this thread's event loop."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(anyio.run, use).result()


def over_http(address: str):
    return Client(f"{address}/mcp")


@asynccontextmanager
async def over_stdio(folder: Path):
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "engine.interfaces.cli", "mcp", "--library", str(folder)],
        cwd=ROOT,
        env={**os.environ, "DROPQA_EMBEDDING__ENABLED": "false"},
    )
    async with Client(stdio_client(server)) as client:
        yield client


async def called(client: Client, tool: str, /, **arguments):
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    return result.content[0].text, result.structured_content


async def refused(client: Client, tool: str, /, **arguments) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return result.content[0].text


async def walk(client: Client):
    """Use every tool and every resource as an agent would."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(tools) == [*OF_THE_SEED, *OURS]
    for name, parameters in OF_THE_SEED.items():
        assert parameters <= set(tools[name].input_schema["properties"]), name
    assert [name for name, tool in tools.items() if not tool.annotations.read_only_hint] == ["add_document"]

    _, found = await called(client, "keyword_search", keywords=["foundries"])
    node, document = found["hits"][0]["node_id"], found["hits"][0]["document_id"]
    for name in ("fulltext_search", "semantic_search"):
        text, found = await called(client, name, query="foundries that supply chips", top_k=2)
        assert (found["hits"] and f"[{found['hits'][0]['node_id']}]" in text) or name == "semantic_search"
    text, read = await called(client, "get_node_content", node_id=node)
    assert "foundries" in text and "foundries" in read["opened"][0]["text"]
    assert "foundries" in (await called(client, "get_section_children", node_id=node))[0]
    assert "Risks" in (await called(client, "get_document_structure", document_id=document))[0]
    await called(client, "get_related_documents", document_id=document)
    await called(client, "get_relations", entity="foundries")
    statements = [
        "Two foundries supply 83 percent of the chips.",
        "Revenue rose to 412 million dollars in 2023.",
    ]
    text, checked = await called(client, "verify_consistency", statements=statements)
    assert checked["quality"] == "consistent" and "Not found" not in text
    assert "foundries" in (await called(client, "summarize_findings", focus="foundries"))[0]
    text, last = await called(client, "final_answer", answer="Two [1].", confidence="high", sources=[node])
    assert json.loads(text) == last and last["sources"][0]["place"].startswith("report.md")
    assert "No web search" in await refused(client, "search_web", query="chips")

    text, _ = await called(client, "rag_search", query="foundries", json_path="/data/report.md")
    assert text.startswith("=== RAG Search Results ===\nQuery: 'foundries'\nResults Found: ")
    assert 'Citation: [long_context: "report.md", chunk ' in text and "--- Content ---" in text
    text, answer = await called(client, "ask", question="How many foundries supply the chips?")
    assert answer["answered"] and answer["sources"][0]["document"] == "report.md" and "[1] report.md" in text

    _, added = await called(client, "add_document", name="pier.md", text="# Pier\n\n" + "Pier 3 is long. " * 300)
    assert added["status"] == "added"
    again = base64.b64encode(b"# Pier\n\nPier 3 is 120 m long.\n").decode()
    assert (await called(client, "add_document", name="pier.md", content_base64=again))[1]["version"] == 2
    _, listed = await called(client, "list_documents", limit=1)
    assert (listed["total"], listed["documents"][0]["name"]) == (2, "pier.md")

    assert "no tool" in await refused(client, "delete_everything")
    assert "NotFoundError" in await refused(client, "get_node_content", node_id="none")
    assert "either text" in await refused(client, "add_document", name="x.md", Text="a" * 5000)
    resources = (await client.list_resources()).resources
    assert {one.name for one in resources} == {"report.md", "pier.md"}
    report = next(one for one in resources if one.name == "report.md")
    (whole,) = (await client.read_resource(report.uri)).contents
    assert "# Risks" in whole.text and "foundries" in whole.text
    assert len((await client.list_resource_templates()).resource_templates) == 2
    with pytest.raises(MCPError, match="none"):
        await client.read_resource("dropqa://documents/none")


def test_an_agent_uses_everything_over_http(library, serve):
    library.add([Source("report.md", REPORT.encode())])

    async def use():
        async with over_http(serve(library)) as client:
            await walk(client)

    run(use)


@pytest.mark.timeout(120)
def test_an_agent_uses_everything_over_stdio(tmp_path):
    with Library.open(tmp_path / "library", background=False) as library:
        library.add([Source("report.md", REPORT.encode())])

    async def use():
        async with over_stdio(tmp_path / "library") as client:
            await walk(client)

    run(use)


@pytest.mark.timeout(120)
def test_over_stdio_an_agent_reaches_the_app_that_has_the_library_open(library, serve):
    address = serve(library)

    async def use():
        async with over_stdio(library.folder) as client:
            await called(client, "add_document", name="pier.md", text="# Pier\n\nPier 3 is 120 m long.\n")
            assert [one.name for one in (await client.list_resources()).resources] == ["pier.md"]

    with announced(library.folder, address):
        run(use)
    assert library.document("pier.md").version == 1


def test_a_page_comes_as_its_text_and_its_picture(library, serve, make_pdf):
    library.add([Source("a.pdf", make_pdf([[(20, "Title"), (11, "Some text of the first page.")]]))])

    async def use():
        async with over_http(serve(library)) as client:
            text, picture = (await client.read_resource("dropqa://documents/a.pdf/pages/1")).contents
            assert "first page" in text.text and base64.b64decode(picture.blob).startswith(b"\x89PNG")
            with pytest.raises(MCPError):
                await client.read_resource("dropqa://documents/a.pdf/pages/2")

    run(use)


def test_a_library_for_reading_offers_no_tool_that_changes_it(tmp_path, serve, monkeypatch):
    with ReadOnlyLibrary.open(tmp_path / "library", background=False) as library:
        reading = library.settings.model_copy(update={"access": AccessSettings(read_only=True)})
        monkeypatch.setattr(library, "_settings", reading)

        async def use():
            async with over_http(serve(library)) as client:
                names = [tool.name for tool in (await client.list_tools()).tools]
                assert "add_document" not in names and "ask" in names
                assert "reading only" in await refused(client, "add_document", name="a.md", text="a")

        run(use)


def test_strangers_and_other_sites_do_not_come_in(library, serve, monkeypatch):
    address = serve(library)
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    elsewhere = {"origin": "http://evil.example"}
    assert httpx.post(f"{address}/mcp", json=body, headers=elsewhere).status_code == 403
    assert httpx.post(f"{address}/mcp", json=body, headers={"host": "rebound.example"}).status_code == 403
    assert httpx.post(f"{address}/mcp", content=b"x" * 5_000_000).status_code == 413
    closed = {"access": AccessSettings(password_hash=hash_password("correct horse"))}
    monkeypatch.setattr(library, "_settings", library.settings.model_copy(update=closed))
    assert httpx.post(f"{serve(library)}/mcp", json=body).status_code == 401


def test_the_description_for_registries_is_of_this_version():
    told = json.loads((ROOT / "server.json").read_text("utf-8"))
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert told["version"] == told["packages"][0]["version"] == version
    assert len(told["description"]) <= 100 and told["name"].count("/") == 1
