"""REST: the JSON of the command line, for callers of this machine only."""

import json
import re

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sample_texts import REPORT

from engine.errors import NotFoundError
from engine.ingest import Source
from engine.interfaces.client import RemoteApi
from engine.interfaces.rest import create_api
from engine.model import Filters


@pytest.fixture
def client(library) -> TestClient:
    app = FastAPI()
    app.mount("/api", create_api(lambda: library))
    return TestClient(app, base_url="http://localhost")


@pytest.fixture
def remote(client) -> RemoteApi:
    return RemoteApi(client)


def test_the_remote_library_does_what_the_local_one_does(remote, tmp_path):
    path = tmp_path / "report.md"
    path.write_text(REPORT)
    added = remote.add([Source("report.md", path), Source("empty.md", b"")], True, lambda *_: None)
    assert [document["status"] for document in added["documents"]] == ["added", "failed"]
    assert remote.documents()["documents"][0]["name"] == "report.md"
    assert remote.tree("report.md", None)["nodes"]
    assert remote.versions("report.md")["versions"][0]["version"] == 1
    hits = remote.search("foundries", "hybrid", False, 3, Filters())["hits"]
    assert hits[0]["signals"]["dense"] is not None
    events = []
    answer = remote.ask("How many foundries supply the chips?", Filters(), events.append)
    assert answer["answered"]
    assert "".join(event.get("token", "") for event in events)
    assert remote.reindex("report.md", lambda *_: None)["documents"][0]["version"] == 1
    assert all(check["ok"] for check in remote.doctor()["checks"])
    assert remote.remove("report.md")["removed"]
    with pytest.raises(NotFoundError, match=r"report\.md"):
        remote.tree("report.md", None)


def test_a_page_of_a_pdf_comes_as_a_picture(client, make_pdf):
    pdf = make_pdf([[(20, "Title"), (11, "Some text of the first page.")]])
    client.put("/api/documents", params={"name": "a.pdf"}, content=pdf.read_bytes())
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


def test_an_upload_over_the_limit_is_refused_while_it_comes(client, library, monkeypatch):
    limited = library.settings.model_copy(
        update={"parsing": library.settings.parsing.model_copy(update={"max_file_mb": 1})}
    )
    monkeypatch.setattr(library, "_settings", limited)
    answer = client.put("/api/documents", params={"name": "big.txt"}, content=b"x" * 1_100_000)
    assert answer.status_code == 413


def test_exports_of_a_running_app_are_written_where_the_caller_wants_them(remote, library, tmp_path):
    library.add([Source("report.md", REPORT.encode())])
    told = remote.export_indexes("report.md", tmp_path)
    assert (tmp_path / "indexes" / "report.md" / "summary.json").is_file()
    assert told["folder"] == str(tmp_path / "indexes" / "report.md")
    (written,) = remote.export_nodes("foundries", 3, Filters(has_numbers=True), tmp_path)["files"]
    assert json.loads((tmp_path / written["path"]).read_text("utf-8"))["question"] == "foundries"
    with pytest.raises(NotFoundError):
        remote.export_indexes("nothing.md", tmp_path)


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
