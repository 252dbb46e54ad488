"""Two people, three collections: nothing of what is not theirs shows, whichever way programs come in."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from reportlab.pdfgen import canvas
from served_library import served

from engine.errors import AccessError
from engine.ingest import Source
from engine.interfaces.keys import ApiKeys
from engine.library import Library
from engine.visited_library import Visitor, seen_by

# What stands in Ben's collection and nowhere else, names included.
SECRETS = re.compile(r"kestrel|falconry|sales|9\.?417", re.IGNORECASE)
TEXTS = {
    "Legal": {
        "legal-osprey.md": "# Osprey contract\n\nThe Osprey contract ends in 2031. Osprey pays 250 EUR a month.\n"
    },
    "Sales": {
        "sales-kestrel.md": "# Kestrel deal\n\n## Falconry\n\nThe Kestrel deal is worth 9,417 EUR, to be sold in May.\n"
        "\n| Item | Price |\n|---|---|\n| Kestrel | 9417 |\n",
        "sales-kestrel-2.md": "# Kestrel forecast\n\nThe Kestrel forecast names falconry as the reason of the deal.\n",
    },
    "Staff": {
        "staff-robin.md": "# Robin rules\n\nRobin rules: 28 days of holiday a year, and the contract of Osprey.\n"
    },
}


@dataclass
class House:
    """The served library, what is hidden in it, and a client a person."""

    library: Library
    ann: httpx.Client
    ben: httpx.Client
    hidden: dict[str, str]


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("house")
    sheet = canvas.Canvas(str(folder / "sales-kestrel.pdf"))
    sheet.drawString(72, 700, "Kestrel brochure, falconry at 9417 EUR")
    sheet.save()
    with Library.open(folder / "library", background=False) as library:
        for name, files in TEXTS.items():
            library.collections.create(name)
            library.add([Source(file, text.encode(), collection=name) for file, text in files.items()])
        library.add([Source("sales-kestrel.pdf", folder / "sales-kestrel.pdf", collection="Sales")])
        changed = TEXTS["Sales"]["sales-kestrel.md"].replace("in May", "in June").encode()
        library.add([Source("sales-kestrel.md", changed)])
        library.embed_pending()
        library.topics.refresh()
        hidden = library.document("sales-kestrel.md")
        library.topics.split(_topic_of(library, hidden.document_id), "Falconry sales", [hidden.document_id])
        library.enqueue(Source("sales-kestrel-3.md", b"# Kestrel, queued", collection="Sales"))
        ids = {one.name: one.collection_id for one in library.collections.all()}
        keys = ApiKeys(library.folder)
        _, ann = keys.create("ann", "write", [ids["Legal"], ids["Staff"]])
        _, ben = keys.create("ben", "write", [ids["Sales"], ids["Staff"]])
        facts = {
            "id": hidden.document_id, "name": hidden.name, "node": library.tree(hidden.name).nodes[-1].node_id,
            "section": library.tree(hidden.name).nodes[1].node_id, "collection": ids["Sales"],
            "topic": library.topics.get("Falconry sales").topic_id,
        }  # fmt: skip
        with served(library) as address:
            clients = [
                httpx.Client(base_url=address, headers={"authorization": f"Bearer {key}"}, timeout=60)
                for key in (ann, ben)
            ]
            yield House(library, *clients, facts)
            for client in clients:
                client.close()


def _topic_of(library: Library, document_id: str) -> str:
    found = library.topics.of_document(document_id)
    return found[0][0].topic_id


Attempt = Callable[[httpx.Client, dict[str, str]], httpx.Response]


def get(path: str, /, **params) -> Attempt:
    return lambda client, hidden: client.get(
        path.format(**hidden), params={name: str(value).format(**hidden) for name, value in params.items()}
    )


def send(method: str, path: str, /, **body) -> Attempt:
    def attempt(client: httpx.Client, hidden: dict[str, str]) -> httpx.Response:
        text = json.dumps(body)
        for name, value in hidden.items():
            text = text.replace("{" + name + "}", value)
        return client.request(method, path.format(**hidden), content=text, headers={"content-type": "application/json"})

    return attempt


def tool(name: str, /, **arguments) -> Attempt:
    return mcp("tools/call", name=name, arguments=arguments)


def mcp(method: str, /, **params) -> Attempt:
    call = send("POST", "/mcp", jsonrpc="2.0", id=1, method=method, params=params)

    def attempt(client: httpx.Client, hidden: dict[str, str]) -> httpx.Response:
        client.headers["accept"] = "application/json, text/event-stream"
        return call(client, hidden)

    return attempt


def chat(model: str, question: str) -> Attempt:
    messages = [{"role": "user", "content": question}]
    return send("POST", "/v1/chat/completions", model=model, messages=messages)


WORDS = "What is the deal worth and who pays?"
ATTEMPTS: dict[str, Attempt] = {
    "list documents": get("/api/documents"),
    "list documents of a collection": get("/api/documents", collection="{collection}"),
    "document by id": get("/api/documents/{id}"),
    "document by name": get("/api/documents/{name}"),
    "document in the queue": get("/api/documents/sales-kestrel-3.md"),
    "versions": get("/api/documents/{id}/versions"),
    "read again": send("POST", "/api/documents/{id}/reindex"),
    "remove": send("DELETE", "/api/documents/{id}"),
    "tree": get("/api/tree", document="{id}"),
    "difference": get("/api/diff", document="{name}", before=1, after=2),
    "picture of a page": get("/api/page", document="sales-kestrel.pdf", page=1),
    "search": send("POST", "/api/search", query=WORDS, top_k=50),
    "search by words": send("POST", "/api/search", query="deal worth forecast", mode="fulltext"),
    "search by meaning": send("POST", "/api/search", query=WORDS, mode="semantic"),
    "search by pattern": send("POST", "/api/search", query="(?i)\\bK.{5}l\\b", mode="keyword", regex=True),
    "search in a document": send("POST", "/api/search", query=WORDS, document=["{id}"]),
    "search in a collection": send("POST", "/api/search", query=WORDS, collection=["{collection}"]),
    "search in a topic": send("POST", "/api/search", query=WORDS, topic=["{topic}"]),
    "ask": send("POST", "/api/ask", question=WORDS),
    "ask of a document": send("POST", "/api/ask", question=WORDS, document=["{id}"]),
    "ask for all documents": send("POST", "/api/ask", question="Which documents are in the library?"),
    "ask for topics": send("POST", "/api/ask", question="What is this library about?"),
    "ask the agent": send("POST", "/api/ask", question=WORDS, path="agent"),
    "ask for changes": send("POST", "/api/ask", question="What changed between the versions?"),
    "ask in a stream": send("POST", "/api/ask", question=WORDS, stream=True),
    "history": get("/api/qa/history"),
    "summary": send("POST", "/api/qa/summarize", document="{id}"),
    "summary of a topic": send("POST", "/api/qa/summarize", topic="{topic}"),
    "summary of a collection": send("POST", "/api/qa/summarize", collection="{collection}"),
    "topics": get("/api/topics"),
    "topic": get("/api/topics/{topic}"),
    "documents of a topic": get("/api/topics/{topic}/documents"),
    "merge topics": send("POST", "/api/topics/merge", topic="{topic}", other="{topic}"),
    "names": get("/api/names"),
    "what is said of a name": get("/api/names/Kestrel"),
    "collections": get("/api/collections"),
    "jobs": get("/api/jobs"),
    "health of the library": get("/api/doctor"),
    "figures": get("/metrics"),
    "backup": send("POST", "/api/command/backup", folder="/tmp/copy"),
    "models": get("/v1/models"),
    "model of a document": get("/v1/models/dropqa/document/{id}"),
    "model of a collection": get("/v1/models/dropqa/collection/{collection}"),
    "model of a topic": get("/v1/models/dropqa/topic/{topic}"),
    "chat": chat("dropqa", WORDS),
    "chat with a document": chat("dropqa/document/{id}", WORDS),
    "chat with a collection": chat("dropqa/collection/{collection}", WORDS),
    "MCP list": tool("list_documents"),
    "MCP list of a collection": tool("list_documents", collection="{collection}"),
    "MCP rag_search": tool("rag_search", query=WORDS, top_k=50),
    "MCP rag_search in a document": tool("rag_search", query=WORDS, json_path="{id}"),
    "MCP keywords": tool("keyword_search", keywords=["deal", "worth", "May", "brochure"]),
    "MCP words": tool("fulltext_search", query="deal worth forecast brochure"),
    "MCP meaning": tool("semantic_search", query=WORDS),
    "MCP node": tool("get_node_content", node_id="{node}"),
    "MCP section": tool("get_section_children", node_id="{section}"),
    "MCP headings": tool("get_document_structure", document_id="{id}"),
    "MCP related": tool("get_related_documents", document_id="staff-robin.md"),
    "MCP relations": tool("get_relations", entity="Kestrel"),
    "MCP checks": tool("verify_consistency", statements=["The deal is worth 1 EUR."], node_ids=["{node}"]),
    "MCP findings": tool("summarize_findings", focus="the deal", node_ids=["{node}"]),
    "MCP last word": tool("final_answer", answer="It is.", confidence="high", sources=["{node}"]),
    "MCP ask": tool("ask", question=WORDS, show_reasoning=True),
    "MCP resources": mcp("resources/list"),
    "MCP resource": mcp("resources/read", uri="dropqa://documents/{id}"),
    "MCP page": mcp("resources/read", uri="dropqa://documents/sales-kestrel.pdf/pages/1"),
}  # fmt: skip


@pytest.mark.parametrize("name", ATTEMPTS)
def test_nothing_of_another_collection_shows(house: House, name: str):
    before = {(one.document_id, one.version, one.collection) for one in house.library.documents()}
    answer = ATTEMPTS[name](house.ann, house.hidden)
    told = answer.content.decode("utf-8", "replace")
    for own in house.hidden.values():  # what was asked for may be named in the refusal
        told = told.replace(own, "")
    told = told.replace("sales-kestrel.pdf", "").replace("sales-kestrel-3.md", "")
    assert not SECRETS.search(told), told[:2000]
    assert not answer.headers["content-type"].startswith(("image/", "application/zip"))
    assert {(one.document_id, one.version, one.collection) for one in house.library.documents()} == before


@pytest.mark.parametrize(
    "name",
    [
        "document by id", "search in a document", "summary", "tree", "model of a document", "search in a collection",
        "topic", "chat with a collection", "MCP headings",
    ],
)  # fmt: skip
def test_what_is_hidden_answers_as_what_does_not_exist(house: House, name: str):
    hidden = ATTEMPTS[name](house.ann, house.hidden)
    missing = {key: value[:-2] + "zz" for key, value in house.hidden.items()}
    absent = ATTEMPTS[name](house.ann, missing)
    told = [one.text for one in (hidden, absent)]
    for key, value in house.hidden.items():
        told = [one.replace(value, key).replace(missing[key], key) for one in told]
    same = [re.sub(r'"request_id": ?"[^"]*"', "", one) for one in told]
    assert hidden.status_code == absent.status_code and same[0] == same[1]


OPEN_TO_BEN = (
    "document by id", "tree", "search by words", "search by pattern", "topic", "versions", "MCP list", "MCP node",
    "MCP words", "collections", "jobs",
)  # fmt: skip


@pytest.mark.parametrize("name", OPEN_TO_BEN)
def test_the_same_attempts_show_it_to_whom_it_belongs(house: House, name: str):
    assert SECRETS.search(ATTEMPTS[name](house.ben, house.hidden).text)


def test_each_sees_what_is_theirs(house: House):
    names = {
        who: {one["name"] for one in client.get("/api/documents").json()["documents"]}
        for who, client in (("ann", house.ann), ("ben", house.ben))
    }
    assert names["ann"] == {"legal-osprey.md", "staff-robin.md"}
    assert names["ben"] == {*TEXTS["Sales"], "sales-kestrel.pdf", "staff-robin.md"}
    answer = house.ben.post("/api/ask", json={"question": "What is the Kestrel deal worth?"}).json()
    assert "9,417" in answer["answer"] and answer["sources"]
    assert {one["name"] for one in house.ben.get("/api/collections").json()["collections"]} == {
        "Sales",
        "Staff",
    }
    waiting = {job["name"] for job in house.ben.get("/api/jobs").json()["jobs"]}
    assert "sales-kestrel-3.md" in waiting
    assert house.ben.get("/api/page", params={"document": "sales-kestrel.pdf", "page": 1}).status_code == 200


def test_a_conversation_belongs_to_the_key_that_held_it(house: House):
    kept = house.ben.post("/api/qa/ask", json={"question": "What is the Kestrel deal worth?"}).json()
    name = kept["conversation_id"]
    assert house.ben.get("/api/qa/history", params={"conversation_id": name}).status_code == 200
    assert house.ann.get("/api/qa/history", params={"conversation_id": name}).status_code == 404
    told = house.ann.post("/api/qa/ask", json={"question": "And?", "conversation_id": name})
    assert told.status_code == 404


def test_an_answer_that_rests_on_what_one_may_not_read_any_more_is_withheld(house: House):
    kept = house.ben.post("/api/qa/ask", json={"question": "What is the Kestrel deal worth?"}).json()
    house.library.collections.move(["sales-kestrel.md", "sales-kestrel.pdf"], "Legal")
    try:
        (talk,) = house.ben.get("/api/qa/history", params={"conversation_id": kept["conversation_id"]}).json()[
            "history"
        ]
        question, answer = talk["messages"]
        assert (answer["state"], answer["text"], answer["answer"]) == ("withheld", "", None)
        assert question["text"].startswith("What")
    finally:
        house.library.collections.move(["sales-kestrel.md", "sales-kestrel.pdf"], "Sales")


def test_a_file_of_a_hidden_documents_name_is_another_document(house: House):
    seen = seen_by(house.library, Visitor(bound=frozenset({house.library.collections.get("Legal").collection_id})))
    (added,) = seen.add([Source("sales-kestrel-2.md", b"# Mine", collection="Legal")])
    assert added.status == "added" and added.version == 1
    mine = house.ann.get("/api/documents/sales-kestrel-2.md").json()
    assert mine["collection"] == "Legal" and mine["document_id"] == added.document_id
    assert "forecast" in json.dumps(house.ben.get("/api/tree", params={"document": "sales-kestrel-2.md"}).json())
    files = [("files", ("sales-kestrel.md", b"# Also mine"))]
    up = house.ann.post("/api/documents/upload", files=files, params={"collection": "Legal"}).json()["documents"][0]
    assert up["id"] != house.hidden["id"] and up["status"] == "processing"
    house.ann.delete(f"/api/documents/{added.document_id}")
    assert house.ben.get("/api/documents/sales-kestrel-2.md").status_code == 200


def test_a_key_writes_where_it_may_and_says_where(house: House):
    new = {"files": ("n.md", b"# N")}
    refused = house.ann.post("/api/documents/upload", files=new)
    assert refused.status_code == 403 and "collection" in refused.json()["error"]["message"]
    refused = house.ann.post("/api/documents/upload", files=new, params={"collection": "Sales"})
    assert refused.status_code == 404 and "no collection" in refused.json()["error"]["message"]


def test_who_reads_only_a_part_writes_no_reports_which_draw_on_everything(house: House):
    seen = seen_by(house.library, Visitor(bound=frozenset({house.hidden["collection"]})))
    with pytest.raises(AccessError):
        seen.reports.start("ann", "falconry")
    assert seen.reports.list("ann") == []
