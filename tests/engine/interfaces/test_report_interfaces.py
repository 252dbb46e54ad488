"""Reports from the command line, alone and through a running app."""

import json

import docx
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
