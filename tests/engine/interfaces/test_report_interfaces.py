"""Reports over REST and from the command line, alone and through a running app."""

import io
import json
import time
import zipfile

import docx
import pymupdf
import pytest
from fastapi.testclient import TestClient
from served_library import commanded, rest_of

from engine.errors import NotFoundError
from engine.interfaces.cli import main
from engine.interfaces.client import announced, server_token
from tests.engine.reports.report_writer import HARBOURS, SUBJECT, author, harbours, section_of
from tests.openai_server import broken

KEPT = {"subject", "title", "sections", "summary", "state", "notes", "tokens", "report_id"}


@pytest.fixture
def client(tmp_path, server):
    """The routes over a library of harbours whose background writes reports; the header names the caller."""
    server.default = author
    with harbours(tmp_path / "shelf", server, background=True) as library:
        yield TestClient(rest_of(lambda: library), base_url="http://localhost")


def finished(client, report_id, **headers):
    deadline = time.monotonic() + 60
    while (now := client.get(f"/api/reports/{report_id}", headers=headers).json())["state"] in (
        "waiting", "writing",
    ):  # fmt: skip
        assert time.monotonic() < deadline, now
        time.sleep(0.05)
    return now


def test_a_report_is_begun_followed_exported_and_removed_over_rest(client):
    begun = client.post("/api/reports", json={"subject": SUBJECT, "document": ["vardo.md", "bodo.md"]}).json()
    assert begun["state"] in ("waiting", "writing") and set(begun) >= KEPT
    made = finished(client, begun["report_id"])
    assert made["state"] == "done" and [one["title"] for one in made["sections"]] == [
        "Fees",
        "Berths",
        "Dredging",
    ]
    address = f"/api/reports/{begun['report_id']}"
    word = client.get(f"{address}/export")
    assert word.headers["content-disposition"].endswith("''Harbours%20compared.docx")
    assert docx.Document(io.BytesIO(word.content)).paragraphs[0].text == "Harbours compared"
    assert "word/footnotes.xml" in zipfile.ZipFile(io.BytesIO(word.content)).namelist()
    pdf = client.get(f"{address}/export", params={"kind": "pdf"})
    assert "55 euro" in pymupdf.open(stream=pdf.content)[0].get_text()
    assert "[^1]: vardo.md, version 1" in client.get(f"{address}/export", params={"kind": "md"}).text
    assert client.get(f"{address}/export", params={"kind": "exe"}).status_code == 422
    assert [one["report_id"] for one in client.get("/api/reports").json()["reports"]] == [begun["report_id"]]
    assert client.delete(address).json() == {"removed": begun["report_id"]}
    assert client.get(address).status_code == 404


def test_a_stopped_report_is_gone_on_with_and_a_section_is_written_anew(client, server):
    report_id = client.post("/api/reports", json={"subject": SUBJECT}).json()["report_id"]
    address = f"/api/reports/{report_id}"
    assert client.post(f"{address}/cancel").json()["state"] in ("stopped", "done")
    assert client.post(f"{address}/resume", json={}).json()["state"] in ("waiting", "writing", "done")
    assert finished(client, report_id)["state"] == "done"
    server.chats.clear()
    client.post(f"{address}/resume", json={"section": 2})
    assert finished(client, report_id)["state"] == "done"
    assert [section_of(chat) for chat in server.chats] == ["Berths", ""]
    assert client.post(f"{address}/resume", json={"section": 9}).status_code == 404


def test_each_caller_sees_his_own_reports(client):
    report_id = client.post("/api/reports", json={"subject": SUBJECT}, headers={"x-owner": "ann"}).json()[
        "report_id"
    ]
    for path in ("", "/export"):
        assert client.get(f"/api/reports/{report_id}{path}", headers={"x-owner": "bob"}).status_code == 404
    assert client.get("/api/reports", headers={"x-owner": "bob"}).json()["reports"] == []


@pytest.mark.parametrize(
    ("body", "status"),
    [({"subject": " "}, 422), ({}, 422), ({"subject": "x", "document": ["none.md"]}, 404),
     ({"subject": "x" * 3000}, 422), ({"subject": "x", "wrong": 1}, 422)],
)  # fmt: skip
def test_a_body_that_cannot_be_meant_is_refused(client, body, status):
    answer = client.post("/api/reports", json=body)
    assert answer.status_code == status and answer.json()["error"]["message"]


def test_a_command_has_the_app_write_it_and_waits(client, tmp_path):
    seen: list[tuple] = []
    remote = commanded(client, lambda *told: seen.append(told))
    with announced(tmp_path / "shelf", "http://localhost"):
        client.headers["authorization"] = f"Bearer {server_token(tmp_path / 'shelf')}"
        _written_by(remote, seen)


def _written_by(remote, seen):
    made = remote("report", SUBJECT)
    assert made["state"] == "done" and made["summary"]["answer"] and seen
    assert remote("report", "--resume", made["report_id"])["state"] == "done"
    assert [one["report_id"] for one in remote("report", "--list")["reports"]] == [made["report_id"]]
    with pytest.raises(NotFoundError):
        remote("report", "--resume", "r0")


@pytest.fixture
def run(tmp_path, capsys, monkeypatch, server):
    """Run a command on a library of harbours that has a model; return (exit code, what it printed, stderr)."""
    folder = tmp_path / "library"
    monkeypatch.setenv("DROPQA_LIBRARY", str(folder))
    server.default = author
    with harbours(folder, server):
        pass
    (folder / "dropqa.toml").write_text(
        f'[llm]\napi_base = "{server.base_url}"\napi_key = "{server.key}"\nretries = 0\n'
        "[embedding]\nenabled = false\n[agent.quality_check]\nuse_reader = false\n[retrieval]\nk_read = 0\n"
    )

    def call(*arguments):
        code = main(["report", *arguments])
        return (code, *capsys.readouterr())

    return call


def test_a_command_writes_a_report_into_a_word_file(run, tmp_path):
    out = tmp_path / "report.docx"
    code, told, _ = run(SUBJECT, "--out", str(out), "--document", "vardo.md", "--document", "bodo.md")
    assert (code, told) == (0, f"The report is in {out}.\n")
    texts = [one.text for one in docx.Document(str(out)).paragraphs]
    assert texts[0] == "Harbours compared" and any("Vardo has 12 berths" in text for text in texts)
    code, listed, _ = run("--list")
    assert code == 0 and "done     Harbours compared" in listed


def test_a_report_is_printed_as_markdown_or_as_json(run):
    code, told, _ = run(SUBJECT)
    assert code == 0 and told.startswith("# Harbours compared") and "[^1]: vardo.md" in told
    code, told, _ = run(SUBJECT, "--json")
    assert code == 0 and set(json.loads(told)) >= KEPT


def test_a_report_that_is_not_complete_says_how_to_go_on(run, server):
    server.default = lambda body: broken() if section_of(body) == "Berths" else author(body)
    code, told, _ = run(SUBJECT)
    assert code == 1 and "This section could not be written" in told
    report_id = told.rpartition("--resume ")[2].strip()
    server.default = author
    code, told, _ = run("--resume", report_id)
    assert code == 0 and "Vardo has 12 berths" in told


def test_bad_usage_is_told_before_anything_is_written(run, server, tmp_path):
    server.chats.clear()
    for arguments, reason in (
        ((), "Say what the report"), ((SUBJECT, "--list"), "Say what"), ((SUBJECT, "--out", "x.exe"), "docx, pdf, md"),
        ((SUBJECT, "--document", "none.md"), "none.md"), (("--resume", "r0"), "no report r0"),
    ):  # fmt: skip
        code, _, told = run(*arguments)
        assert code in (1, 2) and reason in told, arguments
    assert not server.chats and HARBOURS
    code, _, told = run(SUBJECT, "--out", str(tmp_path / "none" / "x.md"))
    assert code == 2 and "cannot be written" in told
