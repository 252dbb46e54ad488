"""Ingest rate, stage by stage: ``python benchmarks/ingest.py FOLDER [--limit N]``.

Every file below FOLDER that DropQA takes goes into a temporary library. Printed are seconds and rates of
each stage: parse (in the worker process), index, commit, embed, and how long after the drop of each file
text search answered; then the parse rate by kind of file (its size as it lies on the disk, so packed for Office).
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from pathlib import Path

from engine.folders.sync import sources_in
from engine.parse.detect import SUFFIXES
from engine.shared_library import temporary_library


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=None, help="only the first N files")
    parser.add_argument("--no-embed", action="store_true", help="leave out the vectors")
    options = parser.parse_args()
    sources = sources_in([options.folder], True, SUFFIXES)[: options.limit]
    seconds: dict[str, float] = defaultdict(float)
    pages = nodes = failed = 0
    slowest: tuple[float, str] = (0.0, "")
    kinds: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    with temporary_library() as library:
        for source in sources:
            clock = StageClock(seconds)
            started, parsed = time.perf_counter(), seconds["parse"]
            [result] = library.add([source], on_progress=clock)
            clock.stop()
            took = time.perf_counter() - started
            slowest = max(slowest, (took, source.name))
            failed += result.status == "failed"
            pages += result.pages or 0
            nodes += result.nodes
            figures = (source.size() / 1e6, result.pages or 0, seconds["parse"] - parsed)
            suffix = Path(source.name).suffix.lower()
            kinds[suffix] = [a + b for a, b in zip(kinds[suffix], figures, strict=True)]
        if not options.no_embed:
            started = time.perf_counter()
            embedded = library.embed_pending()
            seconds["embed"] = time.perf_counter() - started
    print(f"{len(sources)} files ({failed} failed), {pages} pages, {nodes} nodes")
    for stage in ("receive", "parse", "index", "commit"):
        took = max(seconds[stage], 1e-9)
        print(f"{stage:<8} {seconds[stage]:8.2f} s {pages / took:9.1f} pages/s {nodes / took:9.0f} nodes/s")
    if not options.no_embed:
        print(f"embed    {seconds['embed']:8.2f} s {embedded / max(seconds['embed'], 1e-9):29.0f} nodes/s")
    for suffix, (megabytes, many, took) in sorted(kinds.items()):
        took = max(took, 1e-9)
        print(f"parse {suffix:<6} {megabytes:8.2f} MB {megabytes / took:8.2f} MB/s {many / took:8.1f} pages/s")
    print(f"slowest to be found by text: {slowest[1]} after {slowest[0]:.1f} s")


class StageClock:
    """Adds up how long each stage lasted, from the calls that announce them."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds = seconds
        self._stage = "receive"
        self._since = time.perf_counter()

    def __call__(self, _name: str, stage: str, _share: float) -> None:
        """Note that a stage has begun (or goes on)."""
        if stage != self._stage:
            self.stop()
            self._stage = stage

    def stop(self) -> None:
        """Book the time since the stage began."""
        now = time.perf_counter()
        self._seconds[self._stage] += now - self._since
        self._since = now


if __name__ == "__main__":
    main()
