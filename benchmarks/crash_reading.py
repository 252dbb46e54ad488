"""Kill -9 a library that reads scans, at random instants, and look what is left.

    python benchmarks/crash_reading.py [--instants 60] [--seed 1] [--folder DIR]

A process takes files in, as the app does: pictures of text (read by OCR), texts, new versions of both, and removals,
also of what still waits. It tells what it acknowledged, and when a picture is being read: most kills fall into that.
No more than a few jobs wait at a time, so that pictures are read as soon as they are in. After each kill the library
must open with every check of its storage green, and hold every acknowledged file, as a document or as a job that goes
on, and none that was removed. In the end all is read, and the words of every picture and text must be found in its
tree. Prints one JSON document; exits 1 on a fault.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from engine.config import Settings  # noqa: E402
from engine.errors import DropQAError  # noqa: E402
from engine.ingest import Source  # noqa: E402
from engine.library import Library  # noqa: E402

WORDS = ("amber", "bridge", "copper", "desert", "engine", "forest", "garden", "harbour", "island", "jacket", "kettle")
MOST = 10  # documents kept at a time
FEW = 3  # jobs that wait before nothing more is taken in
LONGEST_READING = 600.0  # seconds until all is read in the end


def words_of(tag: str) -> str:
    """Return what a version says."""
    rng = random.Random(tag)
    return " ".join([*rng.sample(WORDS, 4), str(rng.randint(1000, 9999))])


def content(name: str, tag: str) -> bytes:
    """Return a version's file: a picture of its words, or a text."""
    if not name.endswith(".png"):
        return f"{name}\n\n{words_of(tag)}\n".encode()
    sheet = Image.new("RGB", (900, 400), "white")
    for row in range(2):
        ImageDraw.Draw(sheet).text((60, 90 + 130 * row), words_of(tag), "black", ImageFont.load_default(40))
    data = io.BytesIO()
    sheet.save(data, "PNG")
    return data.getvalue()


def write_until_killed(folder: Path, seed: int) -> None:
    """Take files in and remove some without end; each change is announced before and acknowledged after."""
    rng = random.Random(seed)
    with Library.open(folder, settings=Settings()) as library:
        _say({"ready": True})
        told, number = "", 0
        while True:
            waiting = library.storage.jobs.list(("queued", "running"), limit=1000)
            reading = next((job.job_id for job in waiting if (job.kind, job.state) == ("ocr", "running")), "")
            if reading not in ("", told):
                _say({"reading": True})
                told = reading
            if len(waiting) < FEW:
                _change(library, rng, f"{seed}.{number}")
                number += 1
            time.sleep(rng.uniform(0, 0.2))


def _change(library: Library, rng: random.Random, tag: str) -> None:
    """Take a file in or remove one, by chance."""
    known = sorted({one.name for one in library.documents()})
    change: dict[str, Any] = {"tag": tag}
    draw = rng.random()
    if known and (draw < 0.3 or len(known) > MOST):
        change |= {"delete": rng.choice(known)}
    elif known and draw < 0.5:
        change |= {"name": rng.choice(known)}
    else:
        change |= {"name": f"file {tag}.{'png' if draw < 0.9 else 'txt'}"}
    _say({"begin": change})
    if "delete" in change:
        library.remove(change["delete"])
    else:
        library.enqueue(Source(change["name"], content(change["name"], tag)))
    _say({"done": True})


def _say(message: dict[str, Any]) -> None:
    os.write(1, json.dumps(message).encode() + b"\n")


def killed(folder: Path, seed: int, rng: random.Random) -> list[dict[str, Any]]:
    """Run the writer, kill it at a random instant and return what it said."""
    command = [sys.executable, str(Path(__file__).resolve()), "--write", str(folder), "--seed", str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        lines: list[bytes] = []
        if rng.random() < 0.2:  # anywhere
            lines += [child.stdout.readline() for _ in range(rng.randint(1, 9))]
        else:
            while b"reading" not in (line := child.stdout.readline()):
                lines.append(line)
        time.sleep(rng.uniform(0.0, 2.0))
        child.kill()
        lines += child.stdout.readlines()
    return [json.loads(line) for line in lines if line.endswith(b"\n")]


Tags = dict[str, list[str]]
"""By document the versions of which the newest is one."""


def after(expected: Tags, change: dict[str, Any], done: bool) -> Tags:
    """Return what may be there once a change is done, or was begun."""
    if "delete" in change:
        return {name: tags for name, tags in expected.items() if name != change["delete"]}
    before = [] if done else expected.get(change["name"], [])
    return expected | {change["name"]: [*before, change["tag"]]}


def faults(folder: Path, allowed: list[Tags], running: dict[str, int]) -> tuple[list[str], Tags]:
    """Open the library without its work; return what is wrong, and the allowed state that it is in."""
    with closing(sqlite3.connect(folder / "catalog.db")) as catalog:
        for kind, count in catalog.execute("SELECT kind, count(*) FROM job WHERE state = 'running' GROUP BY kind"):
            running[kind] = running.get(kind, 0) + count
    with Library.open(folder, settings=Settings(), background=False) as library:
        found = [f"check {one.name}: {one.detail}" for one in library.storage.check() if not one.ok]
        waiting = library.storage.jobs.list(("queued", "running"), limit=1000)
        found += [f"{job.name}: {job.error}" for job in library.storage.jobs.list(("failed",), limit=1000)]
        there = {one.name for one in library.documents()} | {one.name for one in waiting}
        state = next((one for one in allowed if there == set(one)), None)
        if state is None:
            found.append(f"there are {sorted(there)}, not {[sorted(one) for one in allowed]}")
    return found, state or allowed[0]


def unread(folder: Path, expected: Tags) -> list[str]:
    """Let the library read all that waits; return which documents do not say what they should."""
    with Library.open(folder, settings=Settings()) as library:
        until = time.monotonic() + LONGEST_READING
        while library.storage.jobs.list(("queued", "running"), limit=1) and time.monotonic() < until:
            time.sleep(0.5)
        found = [f"check {one.name}: {one.detail}" for one in library.storage.check() if not one.ok]
        for name, tags in expected.items():
            try:
                text = " ".join(node.text for node in library.tree(name).nodes)
            except DropQAError as error:
                text = str(error)
            if not any(all(word in text for word in words_of(tag).split()) for tag in tags):
                found.append(f"{name} {tags} says {text[:100]!r}, not {words_of(tags[-1])!r}")
        return found


def run(folder: Path, instants: int, seed: int) -> dict[str, Any]:
    """Kill and look again and again in one library; return counts and all faults."""
    rng = random.Random(seed)
    expected: Tags = {}
    done, inside, wrong = 0, 0, []
    running: dict[str, int] = {}
    for instant in range(instants):
        pending = None
        for message in killed(folder, seed * 1_000_003 + instant, rng):
            if "begin" in message:
                pending = message["begin"]
            elif "done" in message and pending is not None:
                expected, pending = after(expected, pending, True), None
                done += 1
        inside += pending is not None
        allowed = [*([after(expected, pending, False)] if pending else []), expected]
        found, expected = faults(folder, allowed, running)
        if not found and (instant == instants - 1 or instant % 20 == 19):
            found = unread(folder, expected)
        wrong += [f"instant {instant}: {fault}" for fault in found]
        if found:
            break
    return {
        "instants": instant + 1, "acknowledged": done, "killed_inside_a_change": inside,
        "running_when_killed": running, "documents": len(expected), "faults": wrong,
    }  # fmt: skip


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--instants", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.write:
        write_until_killed(given.write, given.seed)
    with tempfile.TemporaryDirectory() as temporary:
        result = run(given.folder or Path(temporary) / "library", given.instants, given.seed)
    print(json.dumps(result, indent=2))
    return 1 if result["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
