"""`dropqa watch` on a library of its own and on one that an app has open."""

import json
import os
import signal
import subprocess
import sys
import time
from argparse import Namespace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from served_library import commanded, rest_of

from engine.errors import AccessError
from engine.ingest import Source
from engine.interfaces.cli import main
from engine.interfaces.client import announced, do_there, server_token


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setenv("DROPQA_LIBRARY", str(tmp_path / "library"))
    monkeypatch.setenv("DROPQA_WATCH__QUIET_SECONDS", "0.1")
    made = tmp_path / "my notes"
    made.mkdir()
    (made / "apples.md").write_text("The orchard gave nine tons of quinces.")
    return made


def run(capsys, *arguments: str):
    code = main([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_once_takes_in_what_has_changed_since_the_last_time(folder, capsys):
    code, told = run(capsys, "watch", str(folder), "--once")
    assert code == 0 and [one["status"] for one in told["documents"]] == ["added"]
    (folder / "apples.md").rename(folder / "pears.md")
    _, told = run(capsys, "watch", str(folder), "--once")
    assert [(one["status"], one["name"]) for one in told["documents"]] == [("moved", "my notes/pears.md")]
    _, listed = run(capsys, "list")
    assert [one["path"] for one in listed["documents"]] == [str(folder / "pears.md")]
    assert run(capsys, "watch", str(folder), "--once")[1]["documents"] == []


def test_a_folder_that_is_not_there_is_bad_usage(folder, capsys):
    code, told = run(capsys, "watch", str(folder / "missing"), "--once")
    assert code == 2 and "is not a folder" in told["error"]


def test_it_goes_on_until_it_is_stopped_and_tells_what_it_did(folder):
    command = [sys.executable, "-m", "engine.interfaces.cli", "watch", str(folder), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        assert process.stderr.readline().split()[0] == "added"
        (folder / "apples.md").write_text("The orchard gave ten tons of medlars.")
        assert process.stderr.readline().split()[0] == "updated"
        os.kill(process.pid, signal.SIGTERM)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, err
    assert [one["status"] for one in json.loads(out)["documents"]] == ["added", "updated"]


def test_an_app_looks_into_folders_for_commands_of_its_machine_alone(library, folder):
    app = rest_of(lambda: library)
    with TestClient(app, base_url="http://localhost") as client:
        follow = Namespace(command="follow", folders=[str(folder)])
        with pytest.raises(AccessError):
            do_there(client, follow, lambda *_: None)
        with announced(library.folder, "http://localhost"):
            client.headers["authorization"] = f"Bearer {server_token(library.folder)}"
            told = []
            while not told:
                told = do_there(client, follow, lambda *_: None)["documents"]
                time.sleep(0.05)
    assert [one["status"] for one in told] == ["added"]
    assert library.document("my notes/apples.md").path == str(folder / "apples.md")


def test_a_backup_through_the_app_and_a_library_made_from_it(library, folder, tmp_path, capsys):
    app = rest_of(lambda: library)
    library.add([Source("apples.md", b"The orchard gave nine tons of quinces.")])
    with (
        TestClient(app, base_url="http://localhost") as client,
        announced(library.folder, "http://localhost"),
    ):
        with pytest.raises(AccessError):
            commanded(client)("backup", str(tmp_path / "copy"))
        client.headers["authorization"] = f"Bearer {server_token(library.folder)}"
        told = commanded(client)("backup", str(tmp_path / "copy"))
    code, again = run(capsys, "restore", str(tmp_path / "copy"), "--library", str(tmp_path / "again"))
    assert code == 0 and again["files"] == told["files"]
    code, told = run(capsys, "doctor", "--library", str(tmp_path / "again"))
    assert {check["name"]: check["ok"] for check in told["checks"]}["files"]
    assert [one["name"] for one in run(capsys, "list", "--library", str(tmp_path / "again"))[1]["documents"]]
    assert run(capsys, "restore", str(tmp_path / "copy"), "--library", str(tmp_path / "again"))[0] == 2
