"""What becomes of hostile files: every one must end in a tree or in a clear message, inside the limits.

    python benchmarks/fuzz.py FOLDER [--count 200] [--seed 1] [--keep FOLDER]

Good files below FOLDER are made hostile (cut, bits turned, noise, nesting, enormous numbers and pictures,
objects that contain themselves, entity bombs, ZIP bombs; see hostile.py), the formats in turn, and read by the
real parsing process. Printed are the outcomes by format, and each that is not clean: the child died or was
killed for time or memory, a message that names no reason, a file outside its folder that changed.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hostile import LARGEST_SAMPLE, hostile

from engine.config import ParsingSettings
from engine.errors import LimitExceededError, UnreadableFileError
from engine.parse.detect import SUFFIXES
from engine.parse.worker import ParseWorker

SECONDS, MEGABYTES = 60.0, 1024
UNCLEAN = ("crashed the parser", "took longer than", "MB of memory to read", "could not be read (")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one hostile file; ``clean`` is False for a crash, a kill or an unexplained failure."""

    name: str
    done: str
    result: str
    clean: bool
    seconds: float


def samples(folder: Path) -> dict[str, list[Path]]:
    """Return the good files below a folder that DropQA takes, by suffix, large ones left out."""
    found: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix.lower() in SUFFIXES and 0 < path.stat().st_size < LARGEST_SAMPLE:
            found[path.suffix.lower()].append(path)
    return found


def run(folder: Path, count: int, seed: int, keep: Path | None) -> Iterator[Outcome]:
    """Yield the outcome of ``count`` hostile files, the formats in turn."""
    random = Random(seed)
    by_kind = samples(folder)
    worker = ParseWorker(ParsingSettings(timeout_seconds=SECONDS, memory_mb=MEGABYTES))
    with TemporaryDirectory() as place:
        for number, kind in zip(range(count), itertools.cycle(sorted(by_kind)), strict=False):
            sample = random.choice(by_kind[kind])
            done, data = hostile(sample, random)
            path = Path(place, f"{number:04}{kind}")
            path.write_bytes(data)
            outcome = read(worker, path, sample.name, done)
            if not outcome.clean and keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / path.name).write_bytes(data)
            path.unlink()
            yield outcome
    worker.close()


def read(worker: ParseWorker, path: Path, name: str, done: str) -> Outcome:
    """Read one hostile file with the parsing process."""
    started = time.perf_counter()
    try:
        tree = worker.parse(
            path,
            name=path.name,
            sha256=hashlib.sha256(path.name.encode()).hexdigest(),
            document_id="d",
            version=1,
        )
        result, clean = f"a tree of {len(tree.nodes)} nodes", True
    except UnreadableFileError as error:
        result = f"{type(error).__name__}: {error}"
        clean = not any(words in result for words in UNCLEAN)
        if isinstance(error, LimitExceededError) and "zip bomb" in result:
            clean = True
    return Outcome(f"{path.name} from {name}", done, result, clean, time.perf_counter() - started)


def main() -> None:
    """Make hostile files, read them, print what became of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="keep the files here that did not end cleanly")
    options = parser.parse_args()
    before = _state(options.folder)
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    unclean: list[Outcome] = []
    slowest = 0.0
    for outcome in run(options.folder, options.count, options.seed, options.keep):
        kind = outcome.name.split(" ", 1)[0].rpartition(".")[2]
        ending = "tree" if outcome.result.startswith("a tree") else "message" if outcome.clean else "NOT CLEAN"
        outcomes[kind][ending] += 1
        slowest = max(slowest, outcome.seconds)
        if not outcome.clean:
            unclean.append(outcome)
            print(f"{outcome.name}, {outcome.done}, {outcome.seconds:.1f} s: {outcome.result[:300]}", flush=True)
    for kind, endings in sorted(outcomes.items()):
        print(f"{kind:6}", ", ".join(f"{many} {ending}" for ending, many in sorted(endings.items())))
    total = sum((endings for endings in outcomes.values()), Counter())
    print(f"{total.total()} files: {dict(total)}; slowest {slowest:.1f} s")
    print("the sample files are as they were" if _state(options.folder) == before else "SAMPLE FILES CHANGED")


def _state(folder: Path) -> dict[Path, tuple[int, int]]:
    return {p: (p.stat().st_size, p.stat().st_mtime_ns) for p in folder.rglob("*") if p.is_file()}


if __name__ == "__main__":
    main()
