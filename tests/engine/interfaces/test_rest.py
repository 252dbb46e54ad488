"""REST: the JSON of the command line, for callers of this machine only."""

import json
import re
from collections.abc import Callable, Iterator

import pytest
from fastapi.testclient import TestClient
from sample_texts import REPORT
from served_library import commanded, rest_of

from engine.config import AccessSettings
from engine.errors import BusyError, LibraryLockedError, NotFoundError
from engine.ingest import Source
from engine.interfaces.client import announced, server_token
from engine.turns import Turns

FORM = {"content-type": "multipart/form-data; boundary=part"}


@pytest.fixture
def client(library) -> TestClient:
    return TestClient(rest_of(lambda: library), base_url="http://localhost")


@pytest.fixture
def remote(client, library) -> Iterator[Callable]:
    with announced(library.folder, "http://localhost"):
        client.headers["authorization"] = f"Bearer {server_token(library.folder)}"
        yield commanded(client)


def test_the_remote_library_does_what_the_local_one_does(remote, client, tmp_path):
    path = tmp_path / "report.md"
    path.write_text(REPORT)
    (tmp_path / "empty.md").write_bytes(b"")
    added = remote("add", str(path), str(tmp_path / "empty.md"), "--wait")
    assert [document["status"] for document in added["documents"]] == ["added", "failed"]
    assert remote("list")["documents"][0]["name"] == "report.md"
    assert remote("tree", "report.md")["nodes"]
    assert remote("versions", "report.md")["versions"][0]["version"] == 1
    hits = remote("search", "foundries", "--top-k", "3")["hits"]
    assert hits[0]["signals"]["dense"] is not None
    question = "How many foundries supply the chips?"
    assert remote("ask", question)["answered"]
    with client.stream("POST", "/api/ask", json={"question": question, "stream": True}) as response:
        *events, last = map(json.loads, response.iter_lines())
    assert last["answer"]["answered"] and "".join(event.get("token", "") for event in events)
    assert remote("reindex", "report.md")["documents"][0]["version"] == 1
    assert all(check["ok"] for check in remote("doctor")["checks"])
    assert remote("remove", "report.md")["removed"]
    with pytest.raises(NotFoundError, match=r"report\.md"):
        remote("tree", "report.md")


def test_a_question_set_is_measured_in_the_library_that_the_app_has_open(remote, tmp_path):
    corpus = [
        {"id": "cats", "title": "Cats", "text": "A cat sleeps sixteen hours a day."},
        {"id": "tea", "title": "Tea", "text": "Green tea is brewed at eighty degrees."},
    ]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, corpus)))
    (tmp_path / "queries.jsonl").write_text(json.dumps({"id": "q", "text": "How long do cats sleep?"}))
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq\tcats\t1\n")
    told = remote("eval", str(tmp_path), "--mode", "hybrid")
    assert told["queries"] == 1 and told["metrics"]["ndcg@10"] == told["by_mode"]["hybrid"]["metrics"]["ndcg@10"] == 1
    assert len(remote("list")["documents"]) == 2


def test_a_question_too_many_is_told_when_to_come_again_while_pages_go_on(client, remote, library, monkeypatch):
    turns = Turns(waiting=0)
    monkeypatch.setattr(library._answering, "_turns", turns)
    monkeypatch.setattr("engine.question_answering.COMPUTING", 1)
    with turns.taken(1):
        refused = client.post("/api/ask", json={"question": "How many foundries?"})
        assert refused.status_code == 503 and refused.headers["Retry-After"] == "2"
        assert client.get("/api/documents").status_code == 200
        with pytest.raises(BusyError, match="Ask again in 2 s"):
            remote("ask", "How many foundries?")
    assert client.post("/api/ask", json={"question": "How many foundries?"}).status_code == 200


def test_a_page_of_a_pdf_comes_as_a_picture(client, library, make_pdf):
    pdf = make_pdf([[(20, "Title"), (11, "Some text of the first page.")]])
    library.add([Source("a.pdf", pdf)])
    picture = client.get("/api/page", params={"document": "a.pdf", "page": 1})
    assert picture.content.startswith(b"\x89PNG")
    assert client.get("/api/page", params={"document": "a.pdf", "page": 2}).status_code == 404


def test_requests_of_other_sites_and_other_host_names_are_refused(client):
    assert client.get("/api/documents", headers={"origin": "http://evil.example"}).status_code == 403
    assert client.get("/api/documents", headers={"host": "rebound.example"}).status_code == 403
    assert client.get("/api/documents", headers={"origin": "http://localhost"}).status_code == 200


def test_bad_bodies_are_told(client):
    assert client.post("/api/search", json={"query": "x", "colour": "red"}).status_code == 422
    wrong_mode = client.post("/api/search", json={"query": "x", "mode": "magic"})
    assert wrong_mode.status_code == 422
    assert "magic" in json.dumps(wrong_mode.json())


@pytest.mark.parametrize("host", ["[", "[::1", "localhost:99999999", "a b", "\xff", "[::1]]:80", "evil.example"])
def test_odd_host_names_are_refused_with_words(client, host):
    answer = client.get("/api/documents", headers={"host": host.encode("latin-1")})
    assert answer.status_code in (400, 403)
    assert answer.json()["error"]["type"]


@pytest.mark.parametrize("origin", ["http://[", "http://localhost:99999999", "null"])
def test_odd_origins_are_refused_with_words(client, origin):
    answer = client.get("/api/documents", headers={"origin": origin})
    assert answer.status_code in (400, 403) and answer.json()["error"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/search", {"query": "x", "level": [10**30]}),
        ("/search", {"query": "x", "level": [-1]}),
        ("/search", {"query": "x", "version": 10**19}),
        ("/search", {"query": "x", "pages": [0, 10**12]}),
        ("/search", {"query": "x", "top_k": 0}),
        ("/search", {"query": "\ud800"}),
        ("/search", {"query": "x", "document": ["a\udfffb"]}),
        ("/search", {"query": "nul\0"}),
        ("/search", {"query": "x" * 200_000}),
        ("/ask", {"question": "\ud83d and the other half is missing"}),
        ("/ask", {"question": "x", "stream": True, "section": "\udc00"}),
        ("/ask", {"question": "x", "max_iterations": 99}),
        ("/qa/summarize", {"document": "\ud800"}),
        ("/qa/summarize", {"document": "x", "version": -(2**70)}),
    ],
)
def test_values_that_nothing_can_be_found_by_are_400(client, path, body):
    kind = {"content-type": "application/json"}
    answer = client.post(f"/api{path}", content=json.dumps(body), headers=kind)
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["type"] == "UsageError"


@pytest.mark.parametrize(
    "query", ["version=99999999999999999999", "version=-1", "version=0", "document=a%00b&version=1"]
)
def test_values_in_addresses_are_400_too(client, query):
    answer = client.get(f"/api/tree?document=x&{query}")
    assert answer.status_code == 400 and answer.json()["error"]


@pytest.mark.parametrize(
    "content", [b"[" * 100_000, b"{", b"\xff\xfe", b"null", b'{"question": 1e999}', b'{"question": NaN}']
)
def test_garbage_is_told_as_json(client, content):
    answer = client.post("/api/ask", content=content, headers={"content-type": "application/json"})
    assert 400 <= answer.status_code < 500 and answer.json()["error"]


def test_addresses_that_do_not_exist_and_other_methods_are_told_as_json(client):
    for method, path, status in (("GET", "/api/nothing", 404), ("DELETE", "/api/ask", 405)):
        answer = client.request(method, path)
        assert answer.status_code == status and answer.json()["error"]["type"] == "UsageError"


@pytest.mark.parametrize("stream", [False, True])
def test_what_nobody_expected_is_told_as_json_without_details(client, library, monkeypatch, stream, caplog):
    def fails(*_, **__):
        raise RuntimeError("sk-secret in a traceback")

    monkeypatch.setattr(library, "ask", fails)
    answer = client.post("/api/ask", json={"question": "Why?", "stream": stream})
    told = json.loads(answer.text.strip())
    assert told["error"]["type"] == "InternalError" and "sk-secret" not in answer.text
    assert answer.status_code == (200 if stream else 500)
    assert "sk-secret" in caplog.text


def test_a_library_that_cannot_be_opened_is_told_as_json():
    def locked():
        raise LibraryLockedError("Another process has it.")

    answer = TestClient(rest_of(locked), base_url="http://localhost").get(
        "/api/documents", headers={"host": "elsewhere"}
    )
    assert answer.status_code == 507
    told = answer.json()["error"]
    assert (told["type"], told["message"]) == ("LibraryLockedError", "Another process has it.")


def test_a_question_of_many_megabytes_is_not_read(client):
    answer = client.post("/api/ask", content=b'{"question": "' + b"x" * 3_000_000 + b'"}')
    assert answer.status_code == 413 and answer.json()["error"]["type"] == "LimitExceededError"


def test_a_library_for_reading_refuses_an_upload_before_it_arrives(client, library, monkeypatch):
    shared = library.settings.model_copy(update={"access": AccessSettings(read_only=True)})
    monkeypatch.setattr(library, "_settings", shared)
    sent = []

    def content():
        for _ in range(50):
            sent.append(1)
            yield b"x" * 1_000_000

    before = set(library.folder.iterdir())
    answer = client.post("/api/documents/upload", content=content(), headers=FORM)
    assert answer.status_code == 403 and answer.json()["error"]["type"] == "AccessError"
    assert set(library.folder.iterdir()) == before


def test_an_upload_over_the_limit_is_refused_while_it_comes(client, library, monkeypatch):
    limited = library.settings.model_copy(
        update={"parsing": library.settings.parsing.model_copy(update={"max_file_mb": 1})}
    )
    monkeypatch.setattr(library, "_settings", limited)
    answer = client.post("/api/documents/upload", files={"files": ("big.txt", b"x" * 5_300_000)})
    assert answer.status_code == 413

    def content():
        for _ in range(60):
            yield b"x" * 100_000

    answer = client.post("/api/documents/upload", content=content(), headers=FORM)
    assert answer.status_code == 413 and answer.json()["error"]
    assert not library.documents() and not list(library.folder.glob("upload-*"))


def test_exports_of_a_running_app_are_written_where_the_caller_wants_them(remote, library, tmp_path):
    library.add([Source("report.md", REPORT.encode())])
    told = remote("export", "indexes", "report.md", "--out", str(tmp_path))
    assert (tmp_path / "indexes" / "report.md" / "summary.json").is_file()
    assert told["folder"] == str(tmp_path / "indexes" / "report.md")
    few = ("--top-k", "3", "--numbers", "--out", str(tmp_path))
    (written,) = remote("export", "nodes", "foundries", *few)["files"]
    assert json.loads((tmp_path / written["path"]).read_text("utf-8"))["question"] == "foundries"
    with pytest.raises(NotFoundError):
        remote("export", "indexes", "nothing.md", "--out", str(tmp_path))


def test_the_description_of_the_api_comes_from_this_server_alone(client):
    page = client.get("/api/docs").text
    addresses = re.findall(r"(?:src|href)=\"([^\"]+)\"", page)
    assert "/api/docs/swagger-ui-bundle.js" in addresses and "/api/docs/swagger-ui.css" in addresses
    assert all(address.startswith("/") for address in addresses)
    script = client.get("/api/docs/swagger-ui-bundle.js")  # the client unpacks it, as a browser does
    assert script.headers["content-type"].startswith("text/javascript") and "SwaggerUI" in script.text
    assert ".swagger-ui" in client.get("/api/docs/swagger-ui.css").text
    assert "/documents" in client.get("/api/openapi.json").json()["paths"]
    assert client.get("/api/docs/LICENSE").status_code == 404


def test_a_follow_up_is_asked_with_its_conversation(client):
    turns = [
        {"role": "user", "text": "When was the lighthouse built?"},
        {"role": "assistant", "text": "In 1871 [1]."},
    ]
    answer = client.post("/api/ask", json={"question": "And in 1900?", "history": turns})
    assert answer.status_code == 200
    queries = [step["params"].get("query", "") for step in answer.json()["reasoning_trace"] if step["params"]]
    assert any("lighthouse" in query and "1900" in query for query in queries)
    wrong = client.post("/api/ask", json={"question": "Why?", "history": [{"role": "owner", "text": "x"}]})
    assert wrong.status_code in (400, 422) and "role" in wrong.text
