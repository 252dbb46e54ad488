"""A folder of small files and a library that follows it: edits, deletes, renames and an unmount, as they happen.

``python benchmarks/watching.py [--files 2000]``; as root, with ``--mount``, the folder is a file system of its own that
is unmounted for real, else it is renamed away. Tells how long a file that is quiet takes to be found, what was done
more often than once, and how the library differs from the folder.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from engine.config import Settings, WatchSettings
from engine.folders.sync import FolderChanges
from engine.library import Library


def main() -> None:
    """Run it and print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--over", type=float, default=60, help="seconds over which the changes are spread (0: at once)")
    parser.add_argument("--mount", action="store_true", help="mount and unmount the folder (as root)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        print(json.dumps(run(Path(place), options.files, options.over, options.mount), indent=1))


def run(place: Path, files: int, over: float, mount: bool) -> dict[str, object]:
    """Return the figures: edits are a tenth of the files, deletes a twentieth, renames a fortieth."""
    folder, chance = place / "folder", random.Random(7)
    folder.mkdir()
    if mount:
        subprocess.run(["mount", "-t", "tmpfs", "none", str(folder)], check=True)
    try:
        for number in range(files):
            path = folder / f"part{number % 20}/note{number}.md"
            path.parent.mkdir(exist_ok=True)
            path.write_text(_text(number, 0))
        settings = Settings(watch=WatchSettings(folders=(str(folder),)))
        with Library.open(place / "library", settings=settings, background=False) as library:
            done = _counting(library)
            library._background.start()
            library.runs_background = True
            return _measured(library, folder, files, over, chance, done, mount)
    finally:
        if mount:
            subprocess.run(["umount", str(folder)], check=False)


def _measured(
    library: Library, folder: Path, files: int, over: float, chance: random.Random,
    done: Counter[tuple[str, str]], mount: bool,
) -> dict[str, object]:  # fmt: skip
    began = time.monotonic()
    _until(lambda: len(library.documents()) == files)
    first = time.monotonic() - began
    _until(lambda: not any(job.state == "running" for job in library.jobs()))  # vectors and topics are there
    done.clear()
    paths = sorted(folder.rglob("*.md"))
    chance.shuffle(paths)
    edits, rest = paths[: files // 10], paths[files // 10 :]
    deletes, renames = rest[: files // 20], rest[files // 20 : files // 20 + files // 40]
    written: dict[str, float] = {}

    def edit(path: Path, word: str) -> None:
        path.write_text(_text(0, 1) + word)
        written[word] = time.monotonic()

    steps: list[Callable[[], object]] = [
        partial(edit, path, f"edited{number}word") for number, path in enumerate(edits)
    ]
    steps += [path.unlink for path in deletes]
    steps += [partial(path.rename, path.with_name(f"renamed-{path.name}")) for path in renames]
    chance.shuffle(steps)
    with ThreadPoolExecutor() as pool:
        finding = pool.submit(_found, library, written, len(edits))
        for step in steps:
            step()
            time.sleep(over / len(steps))
        waits = finding.result()
    _until(
        lambda: _counted(done) == {"updated": len(edits), "archived": len(deletes), "moved": len(renames)},
        120,
    )
    changes, differs = _counted(done), _differs(library, folder)
    _unmount(folder, mount)
    time.sleep(20)  # longer than one look without being told
    after_unmount = len(library.documents())
    return {
        "files": files, "first_seconds": round(first, 1), "load": os.getloadavg()[0], "changes": changes,
        "done_twice": [key for key, count in done.items() if count > 1],
        "quiet_to_found_s": {
            f"p{share}": round(waits[min(len(waits) - 1, len(waits) * share // 100)], 2) for share in (50, 95, 100)
        },
        "documents_after_unmount": after_unmount, "documents_expected": files - len(deletes),
        "differs": differs,
        "doctor": [check.name for check in library.doctor() if not check.ok],
    }  # fmt: skip


def _counting(library: Library) -> Counter[tuple[str, str]]:
    done: Counter[tuple[str, str]] = Counter()
    look = library._folders.look

    def counted(folders: object) -> FolderChanges:
        found = look(folders)  # type: ignore[arg-type]
        done.update((one.status, one.path) for one in found.documents)
        return found

    library._folders.look = counted  # type: ignore[method-assign]
    return done


def _counted(done: Counter[tuple[str, str]]) -> dict[str, int]:
    return dict(Counter(status for status, _ in done.elements()))


def _found(library: Library, written: dict[str, float], count: int) -> list[float]:
    """Return how long each edit took to be found, from when its file was written."""
    waits: dict[str, float] = {}
    until = time.monotonic() + 240
    while len(waits) < count and time.monotonic() < until:
        snapshot, now = library.storage.snapshot(), time.monotonic()
        for word, when in list(written.items()):
            if word not in waits and snapshot.document_frequency(word):
                waits[word] = now - when
        time.sleep(0.05)
    return sorted(waits.values()) + [float("inf")] * (count - len(waits))


def _unmount(folder: Path, mount: bool) -> None:
    if mount:
        subprocess.run(["umount", str(folder)], check=True)
    else:
        folder.rename(folder.parent / "away")
        folder.mkdir()


def _differs(library: Library, folder: Path) -> list[str]:
    there = {str(path): path.read_text().strip() for path in folder.rglob("*.md")}
    kept = {one.path: library.original(one.document_id).read_text().strip() for one in library.documents()}
    return sorted(path for path in there.keys() | kept.keys() if there.get(path) != kept.get(path))


def _text(number: int, edition: int) -> str:
    return f"# Note {number}\n\nEdition {edition} of note number {number} tells of harvest{number} and weather.\n\n"


def _until(true: Callable[[], bool], seconds: float = 600) -> None:
    until = time.monotonic() + seconds
    while not true() and time.monotonic() < until:
        time.sleep(0.1)


if __name__ == "__main__":
    main()
