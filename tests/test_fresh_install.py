"""What ``requirements.txt`` alone installs is light and does everything: commands, scans, rare formats, exports."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pymupdf
import pytest

ROOT = Path(__file__).resolve().parents[1]
UV = os.environ.get("UV") or shutil.which("uv")
LARGEST, MOST_PACKAGES = 1_350_000_000, 165
RST = "Harbour\n=======\n\nThe lighthouse was built in 1871.\n"
ORG = "#+TITLE: Ferry\n* Fares\nThe ferry costs 12 pounds.\n"
COMMANDS = (
    "add", "list", "parse", "tree", "search", "ask", "summarize", "topics", "versions", "diff", "remove", "reindex",
    "export", "eval", "password", "doctor", "app", "watch", "backup", "restore", "keys",
)  # fmt: skip

pytestmark = [pytest.mark.skipif(UV is None, reason="uv is not installed"), pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> Path:
    """The interpreter of a new environment with what requirements.txt names, and nothing else."""
    folder = tmp_path_factory.mktemp("fresh") / "venv"
    subprocess.run([UV, "venv", "-q", "--python", sys.executable, str(folder)], check=True)
    interpreter = folder / "bin" / "python"
    command = [UV, "pip", "sync", "-q", "--python", str(interpreter), "--require-hashes", "requirements.txt"]
    # Compiled files, which some environments write beside the packages, are no part of what is installed.
    plain = os.environ | {"UV_COMPILE_BYTECODE": "0"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=plain)
    if done.returncode and "Failed to fetch" in done.stderr:
        pytest.skip("the package index cannot be reached")
    assert done.returncode == 0, done.stderr
    return interpreter


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> Path:
    """Where the commands keep what they compile, apart from what is installed."""
    return tmp_path_factory.mktemp("compiled")


@pytest.fixture(scope="module")
def run(python: Path, compiled: Path, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(python), "-m", "engine.interfaces.cli", "--library", str(home / "library"), *arguments],
            cwd=ROOT, capture_output=True, text=True, check=False,
            env={"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPYCACHEPREFIX": str(compiled)},
        )  # fmt: skip

    return command


def scan(path: Path) -> None:
    """Save a picture of a typed line."""
    with pymupdf.open() as document:
        document.new_page(width=400, height=80).insert_text((20, 40), "The dredger left on Monday", fontsize=14)
        document[0].get_pixmap(dpi=200).save(path)


def test_it_is_light(python: Path):
    site = python.parents[1] / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
    size = sum(path.lstat().st_size for path in site.rglob("*") if path.is_file())
    assert len(list(site.glob("*.dist-info"))) <= MOST_PACKAGES
    assert size <= LARGEST


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there(run, name: str):
    told = run(name, "--help")
    assert told.returncode == 0 and "usage: dropqa" in told.stdout


@pytest.fixture(scope="module")
def filled(run, tmp_path_factory):
    """The same commands over a library with two rare formats and a scan."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "harbour.rst").write_text(RST)
    (folder / "ferry.org").write_text(ORG)
    scan(folder / "note.png")
    files = [str(folder / name) for name in ("harbour.rst", "ferry.org", "note.png")]
    added = json.loads(run("add", *files, "--wait", "--json").stdout)
    assert [one["status"] for one in added["documents"]] == ["added"] * 3
    return run


def test_rare_formats_and_scans_are_read_and_asked(filled):
    for question, word in (("When was the lighthouse built?", "1871"), ("What does the ferry cost?", "12")):
        assert word in filled("ask", question).stdout
    assert "dredger" in filled("tree", "note.png").stdout


def test_the_doctor_finds_nothing_wrong(filled):
    checks = json.loads(filled("doctor", "--json").stdout)["checks"]
    assert all(check["ok"] for check in checks), checks


def test_an_index_is_exported_as_chroma_writes_it(filled, tmp_path: Path):
    done = filled("export", "indexes", "harbour.rst", "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "indexes" / "harbour.rst" / "leaf.hnsw").stat().st_size
