"""Damage of every kind of file of a library: what is said, what heals it, and whether anything is answered from it.

    python benchmarks/damage.py FOLDER [--only NAME]

The documents of FOLDER (a few, small) are read into a library. For every kind of its files (catalog, marker, graph,
vectors, Chroma, each file of a word segment, original, settings) a copy is damaged in each way: emptied, cut in half,
a byte turned in the middle, deleted. The copy is opened and asked: whatever is told must stand in the whole library.
Then it is left to its upkeep for a while, repaired (``dropqa repair``), read again, until it is as the whole one.
Prints a line a damage, and exits 1 on a wrong answer, an internal error or damage that stays.
"""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine.errors import DropQAError
from engine.ingest import Source
from engine.interfaces.repair import repair
from engine.library import Library
from engine.settings_sources import load_settings

QUESTIONS = 12  # about so many are asked
HEALS_WITHIN = 40.0  # seconds of upkeep in the background
FLAGS = {"retrieval.k_read": 0, "agent.quality_check.use_reader": False}
SEGMENT = (
    "ids.npy", "frequencies.npy", "lens.npy", "terms.bin", "data.csc.index.npy", "indices.csc.index.npy",
    "indptr.csc.index.npy", "terms.offsets.npy", "params.index.json", "vocab.index.json", "sums.json",
)  # fmt: skip


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _turn(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x55
    path.write_bytes(data)


WAYS: Mapping[str, Callable[[Path], object]] = {
    "emptied": _empty,
    "cut": _cut,
    "byte turned": _turn,
    "deleted": Path.unlink,
}


@dataclass
class Outcome:
    """What one damage came to."""

    said: list[str] = field(default_factory=list)
    healed: str = ""
    faults: list[str] = field(default_factory=list)


def targets(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield (kind, file) of a library, one file a kind, the largest."""
    kinds = {
        "catalog": "catalog.db", "marker": "dropqa-library.json", "settings": "dropqa.toml",
        "graph": "graphs/*/*",
        "vectors": "vectors.db", "Chroma's catalog": "chroma/*/chroma.sqlite3",
        "Chroma's vectors": "chroma/*/*/data_level0.bin", "Chroma's header": "chroma/*/*/header.bin",
        "original": "files/*/*",
        **{f"segment {name}": f"sparse/*/{name}" for name in SEGMENT},
    }  # fmt: skip
    for kind, pattern in kinds.items():
        found = sorted((one for one in folder.glob(pattern) if one.is_file()), key=lambda one: one.stat().st_size)
        if found:
            yield kind, found[-1]


def opened(folder: Path, background: bool = False) -> Library:
    """Open a library without the parts that damage does not touch."""
    return Library.open(folder, settings=load_settings(folder, environ={}, flags=FLAGS), background=background)


Told = dict[str, list[tuple[str, str]]]


def told(library: Library, questions: list[str]) -> Told:
    """Return what a library finds, (node, snippet) in order, by question."""
    return {one: [(hit.node_id, hit.snippet) for hit in library.search(one).hits] for one in questions}


def wrong(now: Told, texts: Mapping[str, str]) -> list[str]:
    """Return the snippets that the node they are said to be from does not have in the whole library."""
    return [
        snippet
        for hits in now.values()
        for node, snippet in hits
        if "".join(snippet.strip("… ").split()) not in "".join(texts.get(node, "").split())
    ]


def walk(
    folder: Path,
    file: Path,
    questions: list[str],
    right: Told,
    texts: Mapping[str, str],
    usual: set[str],
    sources: list[Source],
) -> Outcome:
    """Open a library with a damaged file, ask it, heal it and compare it with what is right.

    ``usual`` checks fail anyway. Settings are their owner's to mend: a file that cannot be read is told, and removed;
    so are originals, which nobody can compute: what is told is that they are to be added again.
    """
    made = Outcome()
    last = "file removed" if file.name == "dropqa.toml" and file.exists() else "dropqa reindex --all"
    if file.parts[-3] == "files":
        last = "added again"
    whole = partial(whole_again, questions=questions, right=right, usual=usual)
    for healer in ("nothing to do", "upkeep", "dropqa repair", last):
        try:
            if healer == "dropqa repair":
                repair(folder, partial(load_settings, environ={}, flags=FLAGS))
            if healer == "file removed":
                file.unlink()
            with opened(folder, background=healer in ("upkeep", "dropqa repair")) as library:
                if healer in ("upkeep", "dropqa repair"):
                    _until(partial(whole, library), HEALS_WITHIN)
                if healer == "added again":
                    library.add(sources)
                if healer.endswith("--all"):
                    library.reindex()
                    library.embed_pending()
                made.faults += [f"told: {one[:60]!r}" for one in wrong(told(library, questions), texts)]
                bad = [one.detail for one in library.doctor(deep=True) if not one.ok and one.name not in usual]
                made.said += [one for one in bad if one not in made.said]
                if whole(library):
                    made.healed = healer
                    return made
        except DropQAError as error:
            if str(error) not in made.said:
                made.said.append(str(error))
        except (
            ArithmeticError,
            AssertionError,
            LookupError,
            OSError,
            RuntimeError,
            TypeError,
            ValueError,
        ) as error:
            made.faults.append(f"{healer}: {type(error).__name__}: {error}")
    made.faults.append("not whole again")
    return made


def whole_again(library: Library, questions: list[str], right: Told, usual: set[str]) -> bool:
    """Tell whether a library finds what it should and no check fails that does not fail anyway."""
    checks = library.doctor(deep=True)
    return told(library, questions) == right and all(one.ok or one.name in usual for one in checks)


def _until(true: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with suppress(DropQAError):
            if true():
                return
        time.sleep(1)


def main() -> None:
    """Damage, heal, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="kinds whose name holds this")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    faults = 0
    with tempfile.TemporaryDirectory() as place:
        whole = Path(place) / "whole"
        with opened(whole) as library:
            sources = [Source(path.name, path) for path in sorted(options.folder.iterdir())]
            library.add(sources)
            library.embed_pending()
            while library.storage.maintain():
                pass
            nodes = [node for one in library.documents() for node in library.tree(one.document_id).nodes]
            texts = {node.node_id: node.text for node in nodes}
            texts_of = [text for node in nodes if (text := " ".join(node.text.split()[:6])[:40])]
            questions = texts_of[:: max(1, len(texts_of) // QUESTIONS)]
        (whole / "dropqa.toml").write_text("[agent]\nmax_iterations = 3\n")
        with opened(whole) as library:
            right = told(library, questions)
            for hits in right.values():
                texts |= {node: f"{texts.get(node, '')}\n{snippet}" for node, snippet in hits}
            usual = {one.name for one in library.doctor(deep=True) if not one.ok}
        print(f"{len(nodes)} nodes, {len(questions)} questions, failing anyway: {', '.join(usual) or 'none'}")
        for kind, path in targets(whole):
            if options.only not in kind:
                continue
            for way, damage in WAYS.items():
                copy = Path(place) / "copy"
                shutil.copytree(whole, copy)
                damage(copy / path.relative_to(whole))
                made = walk(copy, copy / path.relative_to(whole), questions, right, texts, usual, sources)
                shutil.rmtree(copy)
                faults += len(made.faults)
                said = " / ".join(made.said) or "–"
                print(
                    f"{kind} | {way} | {said[:300]} | {made.healed or 'no'} | {'; '.join(made.faults)[:200]}",
                    flush=True,
                )
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
