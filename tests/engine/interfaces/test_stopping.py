"""The app ends cleanly on SIGTERM: nothing is left open, an upload that was being read is queued."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest

from engine.library import Library

ROOT = Path(__file__).resolve().parents[3]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def start(tmp_path):
    """Start the app on a library and return (process, address, folder); it is ended afterwards in any case."""
    running = []

    def begin():
        folder, port = tmp_path / "library", free_port()
        process = subprocess.Popen(
            [
                sys.executable, "-m", "engine.interfaces.cli", "--library", str(folder), "--no-browser",
                "--port", str(port),
            ],
            cwd=ROOT, env={**os.environ, "DROPQA_EMBEDDING__ENABLED": "false"}, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        running.append(process)
        address = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 90
        while time.monotonic() < deadline:
            try:
                httpx.get(f"{address}/api/health", timeout=2, trust_env=False)
                return process, address, folder
            except httpx.HTTPError:
                time.sleep(0.2)
        raise AssertionError("the app did not start")

    yield begin
    for process in running:
        process.kill()
        process.wait()


def end(process, number):
    """Send a signal and return how many seconds the process took to end."""
    sent = time.monotonic()
    process.send_signal(number)
    process.wait(30)
    return time.monotonic() - sent


def slow_file():
    """Bytes that take the parser several seconds."""
    return "\n\n".join(f"Paragraph {n} of the report tells of ship {n % 97}." for n in range(120_000)).encode()


def upload(address, name, data):
    answer = httpx.post(f"{address}/api/documents/upload", files={"files": (name, data)}, timeout=60)
    assert answer.json()["success"], answer.text


def states(address):
    """The states of the files that were taken in."""
    jobs = httpx.get(f"{address}/api/jobs", timeout=60).json()["jobs"]
    return [job["state"] for job in jobs if job["kind"] == "ingest"]


@pytest.mark.timeout(180)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_idle_app_leaves_nothing_open(start, number):
    process, _, folder = start()
    assert (folder / "server.json").exists()
    assert end(process, number) < 10
    assert process.returncode in (0, 128 + number)  # the latter where a busy machine had to be hurried
    assert not (folder / "server.json").exists()
    assert not (folder / "catalog.db-wal").exists()


@pytest.mark.timeout(240)
def test_an_upload_that_is_being_read_is_queued(start):
    process, address, folder = start()
    upload(address, "slow.txt", slow_file())
    deadline = time.monotonic() + 60
    while states(address) != ["running"]:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert end(process, signal.SIGTERM) < 10
    assert not (folder / "server.json").exists()
    assert not (folder / "catalog.db-wal").exists()
    assert not list(folder.glob("upload-*"))
    with Library.open(folder, background=False) as library:
        assert [(job.kind, job.name, job.state) for job in library.jobs()] == [("ingest", "slow.txt", "queued")]
        assert library.documents() == []


@pytest.mark.timeout(180)
def test_a_command_that_is_ended_leaves_its_library_closed(tmp_path):
    (tmp_path / "slow.txt").write_bytes(slow_file())
    folder = tmp_path / "library"
    process = subprocess.Popen(
        [
            sys.executable, "-m", "engine.interfaces.cli", "--library", str(folder), "add",
            str(tmp_path / "slow.txt"),
        ],
        cwd=ROOT, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not list((folder / "files").glob("??/*")) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert end(process, signal.SIGTERM) < 10
    assert "Stopped" in process.stderr.read()
    assert not (folder / "catalog.db-wal").exists()


@pytest.mark.timeout(180)
def test_a_question_that_waits_for_a_silent_model_does_not_hold_the_end_up(start, tmp_path):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        model = {"api_base": f"http://127.0.0.1:{silent.getsockname()[1]}", "api_key": "k", "model": "m"}
        (tmp_path / "library").mkdir()
        (tmp_path / "library" / "dropqa.toml").write_text(
            "[llm]\n" + "".join(f'{key} = "{value}"\n' for key, value in model.items()), "utf-8"
        )
        process, address, folder = start()
        upload(address, "a.txt", b"Pier 3 is long.")
        while "queued" in (now := states(address)) or "running" in now:
            time.sleep(0.05)
        body, answers = {"question": "How long is pier 3?"}, []

        def ask():
            with contextlib.suppress(httpx.HTTPError):  # a line cut off is an end, too
                answers.append(httpx.post(f"{address}/api/ask", json=body, timeout=60, trust_env=False))

        asking = threading.Thread(target=ask)
        asking.start()
        silent.settimeout(60)
        silent.accept()
        assert end(process, signal.SIGTERM) < 10
        asking.join(10)
    assert {answer.status_code for answer in answers} <= {503}
    assert not (folder / "server.json").exists()
    assert not (folder / "catalog.db-wal").exists()


LONG_STEP = """
import atexit, os, signal, sys, threading, time
from engine import background
from engine.folders.watcher import FolderWatcher
from engine.interfaces import cli

stepping, follow = threading.Event(), FolderWatcher.follow

def step(self):
    stepping.set()
    time.sleep(60)

def following(self, ended):
    if threading.current_thread() is threading.main_thread():  # the library is open: the command follows folders
        stepping.wait()
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGTERM)).start()
    follow(self, ended)

background.STOP_SECONDS = {patience}
background.Background._tend, FolderWatcher.follow = step, following
atexit.register(os.abort)  # as native code ends a program in which its threads still run
sys.exit(cli.program())
"""


@pytest.mark.parametrize(("patience", "code"), [(0.1, 0), (60, 128 + signal.SIGTERM)])
def test_a_long_step_neither_aborts_nor_holds_the_end_of_watching_up(tmp_path, patience, code):
    (tmp_path / "papers").mkdir()
    watching = [
        sys.executable, "-c", LONG_STEP.format(patience=patience),
        "--library", tmp_path / "library", "watch", tmp_path / "papers",
    ]  # fmt: skip
    ended = subprocess.run(watching, capture_output=True, text=True, timeout=50)
    assert ended.returncode == code, ended.stderr
    assert not (tmp_path / "library" / "catalog.db-wal").exists()


STOPPED_WHILE_OPENING = """
import os, signal, sys
from engine import background
from engine.interfaces import cli

start = background.Background.start

def starting(self):
    start(self)
    os.kill(os.getpid(), signal.SIGTERM)  # threads run, and nobody holds the library yet

background.Background.start = starting
sys.exit(cli.program())
"""


def test_a_signal_while_the_library_is_being_opened_waits_until_it_can_be_closed(tmp_path):
    (tmp_path / "papers").mkdir()
    watching = [
        sys.executable, "-c", STOPPED_WHILE_OPENING,
        "--library", tmp_path / "library", "watch", tmp_path / "papers",
    ]  # fmt: skip
    ended = subprocess.run(watching, capture_output=True, text=True, timeout=50)
    assert ended.stderr.endswith("Stopped.\n")
    assert not (tmp_path / "library" / "catalog.db-wal").exists()


SLOW_TO_TAKE_APART = """
import atexit, sys, time
from engine.interfaces import cli

atexit.register(time.sleep, 60)  # as what a large library held in memory
sys.exit(cli.program())
"""


def test_a_program_whose_library_is_closed_ends_at_once_with_all_it_had_to_say(tmp_path):
    (tmp_path / "note.md").write_text("# Pier\n\nPier 3 is long.")
    adding = [sys.executable, "-c", SLOW_TO_TAKE_APART, "--library", tmp_path / "library", "add", tmp_path / "note.md"]
    ended = subprocess.run(adding, capture_output=True, text=True, timeout=50)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "note.md (version 1" in ended.stdout
    assert not (tmp_path / "library" / "catalog.db-wal").exists()
