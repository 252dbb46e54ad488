"""Page evidence: ``python benchmarks/page_evidence.py FOLDER [--smallest N] [--library DIR]``.

FOLDER holds ``pdfs``, ``queries.jsonl`` and ``qrels.tsv`` with pages as ``<file>#<page from 0>``. Printed is the
share of questions that have a gold page among the first five pages: of plain chunks of 1,000 characters (within
pages) by meaning with the same embedding model, the same chunks by bm25s and by their weighted sum, and of
DropQA. ``--smallest`` takes only the N smallest files, ``--library`` keeps DropQA's library.
"""

from __future__ import annotations

import argparse
import contextlib
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
from retrieval import Plain

from engine.evaluate.datasets import Dataset, load_dataset
from engine.evaluate.intake import take_in
from engine.library import Library
from engine.providers.embedding import WEIGHTS
from engine.providers.embedding_e5 import E5
from engine.shared_library import temporary_library

LETTERS, FIRST = 1000, 5
# So many hits are asked for to see so many pages.
NODES = 60
NAMES = ("chunks bm25s", "chunks dense", "chunks sum", "dropqa")


def main() -> None:
    """Measure and print one line a way of retrieving."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--smallest", type=int, help="only the N smallest files")
    parser.add_argument("--library", type=Path, help="a folder for DropQA's library")
    options = parser.parse_args()
    with _smallest(options.folder, options.smallest) as folder:
        dataset = load_dataset(folder)
        with contextlib.ExitStack() as stack:
            library = stack.enter_context(
                Library.open(options.library, background=False) if options.library else temporary_library()
            )
            ours = _ours(library, dataset)
        print(f"{len(dataset.files)} files, {len(dataset.questions)} questions: gold page among the first {FIRST}")
        shares = [*_chunks(dataset, E5(WEIGHTS)), ours]
    for name, share in zip(NAMES, shares, strict=True):
        print(f"{name:<14}{share:>7.3f}")


@contextlib.contextmanager
def _smallest(folder: Path, count: int | None) -> Iterator[Path]:
    """The folder, or one with its smallest files only."""
    if count is None:
        yield folder
        return
    with tempfile.TemporaryDirectory() as name:
        part = Path(name)
        (part / "pdfs").mkdir()
        files = sorted((folder / "pdfs").glob("*.pdf"), key=lambda path: path.stat().st_size)[:count]
        for file in [*files, folder / "queries.jsonl", folder / "qrels.tsv"]:
            place = part / "pdfs" if file in files else part
            (place / file.name).symlink_to(file)
        yield part


def _ours(library: Library, dataset: Dataset) -> float:
    intake = take_in(library, dataset)
    asked = [one.text for one in dataset.questions]
    found = [map(intake.passage_of, library.search(text, top_k=NODES).hits) for text in asked]
    return _share(dataset, found)


def _share(dataset: Dataset, found: Iterable[Iterable[str | None]]) -> float:
    """The share of questions with a gold page among the first pages found for them."""
    firsts = [list(dict.fromkeys(page for page in pages if page))[:FIRST] for pages in found]
    return float(np.mean([bool(one.gold & {*first}) for one, first in zip(dataset.questions, firsts, strict=True)]))


def _chunks(dataset: Dataset, model: E5) -> list[float]:
    import pymupdf

    texts: list[str] = []
    pages: list[str] = []
    for file in dataset.files:
        with pymupdf.open(file) as pdf:  # type: ignore[no-untyped-call]
            for number, page in enumerate(pdf):
                text = page.get_text().strip()
                texts += [text[start : start + LETTERS] for start in range(0, len(text), LETTERS)]
                pages += [f"{file.stem}#{number}"] * (len(texts) - len(pages))
    asked = {one.text: model.raw([f"query: {one.text}"])[0] for one in dataset.questions}
    plain = Plain(texts, model.raw([f"passage: {text}" for text in texts]), asked)

    def found(scores: Callable[[str], np.ndarray]) -> float:
        orders = [np.argsort(-scores(one.text), kind="stable") for one in dataset.questions]
        return _share(dataset, [[pages[i] for i in order] for order in orders])

    return [found(plain.sparse), found(plain.dense), found(plain.weighted)]


if __name__ == "__main__":
    main()
