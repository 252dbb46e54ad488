"""Topics told without a model against groups that people made: the folders of a collection.

    python -m benchmarks.topics FOLDER [--limit N] [--library DIR]

The gold group of a file is its first folder below FOLDER; its topic is the one it belongs to most surely. Agreement is
normalised mutual information (arithmetic mean of the entropies; Vinh, Epps and Bailey, JMLR 11, 2010), which many small
groups flatter: so the numbers of topics stand beside it. The same files are sorted a second time into an empty
catalog of topics, and one more document is added, for its time and for what it moves. ``--library`` keeps the vectors.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.folders.sync import sources_in
from engine.ingest import Source
from engine.library import Library
from engine.parse.detect import SUFFIXES
from engine.shared_library import temporary_library

ADDED = "added-by-the-benchmark.md"


def main() -> None:
    """Run and print one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=None, help="so many files, drawn with a fixed seed")
    parser.add_argument("--library", type=Path, default=None, help="library to keep, with its vectors")
    options = parser.parse_args()
    files = [one for one in sources_in([options.folder], True, SUFFIXES) if "/" in one.name]
    random.Random(7).shuffle(files)
    files = files[: options.limit]
    with _opened(options.library) as library:
        print(json.dumps(measured(library, files), ensure_ascii=False, indent=1))


def measured(library: Library, files: Sequence[Source]) -> dict[str, Any]:
    """Return agreement, numbers of topics, whether two runs agree, and what one document more costs and moves."""
    *most, last = files
    library.add(most)
    library.embed_pending()
    if ADDED in {document.name for document in library.documents()}:
        library.remove(ADDED)
    first, seconds = _sorted_anew(library)
    second, _ = _sorted_anew(library)
    gold, got = _labels(library)
    counts = Counter(len(library.topics.of_document(one.document_id)) for one in library.documents())
    before = _links(library)
    library.add([Source(ADDED, last.data)])
    library.embed_pending()
    started = time.process_time()
    library.topics.refresh()
    adding = time.process_time() - started
    added = library.document(ADDED).document_id
    moved = [one for one, links in _links(library).items() if one != added and before.get(one) != links]
    library.remove(ADDED)
    return {
        "documents": len(gold),
        "groups": len(set(gold)),
        "nmi": round(nmi(gold, got), 3),
        "first_topics": len(set(got)),
        "topics": len(library.topics.all()),
        "topics_of_several": sum(len(topic.documents) > 1 for topic in library.topics.all()),
        "topics_a_document": dict(sorted(counts.items())),
        "two_runs_agree": first == second,
        "cpu_seconds_all": round(seconds, 2),
        "cpu_seconds_one_more": round(adding, 3),
        "documents_moved_by_one_more": len(moved),
    }


def nmi(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the normalised mutual information of two groupings, 0 to 1."""
    count = len(one)
    a, b, both = Counter(one), Counter(other), Counter(zip(one, other, strict=True))
    shared = sum(n / count * math.log(n * count / (a[x] * b[y])) for (x, y), n in both.items())
    entropy = (_entropy(a, count) + _entropy(b, count)) / 2
    return shared / entropy if entropy else 1.0


def _entropy(groups: Counter[str], count: int) -> float:
    return -sum(n / count * math.log(n / count) for n in groups.values())


def _sorted_anew(library: Library) -> tuple[list[dict[str, Any]], float]:
    """Forget all topics and tell them again; return them and the CPU seconds that this took."""
    topics = library.storage.topics
    links = {link.document_id: () for link in topics.links()}
    known = [document.document_id for document in library.documents()]
    topics.forget(known)
    topics.save(links=links)
    topics.remove([topic.topic_id for topic in topics.list()])
    started = time.process_time()
    library.topics.refresh()
    return [topic.to_dict() for topic in library.topics.all()], time.process_time() - started


def _labels(library: Library) -> tuple[list[str], list[str]]:
    gold, got = [], []
    for document in library.documents():
        topics = library.topics.of_document(document.document_id)
        gold.append(document.name.partition("/")[0])
        got.append(topics[0][0].topic_id if topics else "")
    return gold, got


def _links(library: Library) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for link in library.storage.topics.links():
        found.setdefault(link.document_id, []).append(link)
    return found


@contextlib.contextmanager
def _opened(folder: Path | None) -> Iterator[Library]:
    opening = Library.open(folder, background=False) if folder else temporary_library()
    with opening as library:
        yield library


if __name__ == "__main__":
    main()
