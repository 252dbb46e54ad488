"""API keys: made and revoked by command, shown by programs, limited in what they may do and how often."""

import json
import stat

import pytest
from fastapi.testclient import TestClient
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount, Route

from engine.config import AccessSettings
from engine.errors import StorageError
from engine.interfaces.cli import main
from engine.interfaces.doors import seen_with
from engine.interfaces.gate import Gate
from engine.interfaces.keys import FILE_NAME, KEY, ApiKeys
from engine.interfaces.limits import RateLimit
from engine.interfaces.login import hash_password
from engine.interfaces.rest import create_api

KEPT = hash_password("correct horse")


@pytest.fixture
def serve(filled):
    def seen():  # as all doors do
        return seen_with(KEY.get(), filled)

    def served(**access) -> TestClient:
        settings = AccessSettings(password_hash=KEPT, **access)
        gate = Middleware(Gate, access=lambda: settings, folder=lambda: filled.folder)
        routes = [Mount("/api", create_api(seen)), Route("/chat", lambda _: None)]
        return TestClient(
            Starlette(routes=routes, middleware=[gate]), base_url="http://localhost", follow_redirects=False
        )

    return served


def shown(text: str) -> dict[str, str]:
    return {"authorization": f"Bearer {text}"}


def test_a_key_for_reading_asks_and_changes_nothing(serve, filled):
    client = serve()
    _, text = ApiKeys(filled.folder).create("reports", "read")
    assert client.get("/api/documents").status_code == 401
    assert client.get("/api/documents", headers=shown(text)).status_code == 200
    found = client.post("/api/search", json={"query": "foundries"}, headers=shown(text))
    assert found.status_code == 200 and found.json()["hits"]
    new = {"files": ("new.md", b"new")}
    assert client.post("/api/documents/upload", files=new, headers=shown(text)).status_code == 403
    for method, path, body in (
        ("DELETE", "/api/documents/report.md", None),
        ("POST", "/api/documents/report.md/reindex", None),
        ("POST", "/api/topics/merge", '{"topic": "a", "other": "b"}'),
        ("POST", "/api/command/follow", '{"folders": ["/"]}'),
        ("POST", "/api/command/backup", '{"folder": "/tmp/copy"}'),
    ):
        refused = client.request(method, path, content=body, headers=shown(text) | {"content-type": "application/json"})
        assert refused.status_code == 403, (method, path, refused.text)
    assert {document.name for document in filled.documents()} == {"report.md", "手册.md"}


def test_a_key_for_writing_changes_documents_but_names_no_places_of_the_machine(serve, filled):
    client = serve()
    _, text = ApiKeys(filled.folder).create("intake", "write")
    new = {"files": ("new.md", b"New text.")}
    assert client.post("/api/documents/upload", files=new, headers=shown(text)).status_code == 200
    assert client.delete("/api/documents/report.md", headers=shown(text)).status_code == 200
    assert client.post("/api/command/follow", json={"folders": ["/"]}, headers=shown(text)).status_code == 403


def test_a_key_opens_no_page_and_a_revoked_or_wrong_one_nothing(serve, filled):
    client = serve()
    _, text = ApiKeys(filled.folder).create("reports", "write")
    assert client.get("/chat", headers=shown(text)).status_code == 401
    assert client.get("/api/documents", headers=shown(text[:-1])).status_code == 401
    ApiKeys(filled.folder).revoke("reports")
    assert client.get("/api/documents", headers=shown(text)).status_code == 401


def test_each_key_has_a_pace_of_its_own(serve, filled):
    client = serve(requests_per_minute=2)
    (_, one), (_, other) = (ApiKeys(filled.folder).create(name, "read") for name in ("one", "other"))
    codes = [client.get("/api/documents", headers=shown(one)).status_code for _ in range(3)]
    assert codes == [200, 200, 429]
    late = client.get("/api/documents", headers=shown(one))
    assert 1 <= int(late.headers["retry-after"]) <= 30
    assert client.get("/api/documents", headers=shown(other)).status_code == 200


def test_a_pace_allows_a_minute_at_once_and_then_evenly():
    now = [0.0]
    limit = RateLimit(clock=lambda: now[0])
    assert [limit.wait("k", 3) for _ in range(4)] == [0, 0, 0, 20]
    now[0] = 20
    assert limit.wait("k", 3) == 0 and limit.wait("k", 3) == 20
    assert all(limit.wait("free", 0) == 0 for _ in range(100))


def test_commands_make_list_and_revoke_keys_whose_text_is_kept_nowhere(tmp_path, capsys):
    def run(*arguments: str):
        code = main(["keys", *arguments, "--library", str(tmp_path / "library"), "--json"])
        return code, json.loads(capsys.readouterr().out)

    code, made = run("--create", "reports", "--scope", "write")
    assert code == 0 and made["key"].startswith("dropqa_")
    file = tmp_path / "library" / FILE_NAME
    assert made["key"] not in file.read_text() and stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [(key["name"], key["scope"]) for key in run()[1]["keys"]] == [("reports", "write")]
    assert run("--create", "reports")[0] == 2
    assert run("--revoke", "nobody")[0] == 1
    assert run("--revoke", made["keys"][0]["key_id"])[1]["keys"] == []
    assert main(["add", str(file), "--library", str(tmp_path / "library"), "--json"]) in (0, 1)


def test_a_file_of_keys_that_is_damaged_lets_nobody_in(serve, filled):
    _, text = ApiKeys(filled.folder).create("reports", "read")
    (filled.folder / FILE_NAME).write_text("{")
    assert serve().get("/api/documents", headers=shown(text)).status_code == 401
    with pytest.raises(StorageError):
        ApiKeys(filled.folder).all()
