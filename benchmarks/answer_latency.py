"""How long an answer takes.

    python benchmarks/answer_latency.py FOLDER [--questions 40]
    python benchmarks/answer_latency.py --files FOLDER [--documents 30] [--questions 40] [--memory 300] [--seed 3]

FOLDER holds a library (``large_library.py`` makes one). Questions in both languages, made from sentences of its
documents, are asked without a model until the answer is complete, and of a scripted model (a real HTTP server that
replies at once) until the first word: both on the direct path. Told are wall time and this process's processor time,
in milliseconds, and the stages of the answers without a model.

``--files`` measures on real files: up to ``--documents`` of a folder, of each kind some, are read into a library of
their own. A third of the questions are about the lists of its workbooks (``workbook_questions.py``), the others are
made of sentences as above. Told are the times without a model one at a time and eight at once, and the memory that
this process holds before and after ``--memory`` more questions.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
from workbook_questions import questions_of
from workbooks.tables import read_tables

from engine.answer.events import Token
from engine.background import SWITCH_SECONDS
from engine.evaluate.metrics import percentile
from engine.ingest import Source
from engine.library import Library
from tests.openai_server import OpenAiServer

WARM = 3
AT_ONCE = 8
_KINDS = (".pdf", ".docx", ".xlsx", ".md", ".html", ".pptx", ".txt", ".csv", ".eml", ".odt")
_MOST_BYTES = 1_500_000


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", "--limit", type=int, default=40)
    parser.add_argument("--files", action="store_true", help="the folder holds documents, no library")
    parser.add_argument("--documents", type=int, default=30, help="most files to read")
    parser.add_argument("--memory", type=int, default=300, help="questions over which memory is watched")
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    if options.files:
        measure_files(options)
        return
    with Library.open(options.folder, background=False) as library:
        _prepare(library)
        asked = options.questions + WARM
        questions = _questions(library, 2 * asked)  # others each time: what was read once is remembered
        print(f"{library.status().nodes:,} nodes, {options.questions} questions")
        _ask(library, questions[:asked], "complete, no model", first_word=False)
    with OpenAiServer() as server:
        server.default = "The passages say so [1]."
        flags = {"llm.api_base": server.base_url, "llm.api_key": server.key}
        with Library.open(options.folder, background=False, flags=flags) as library:
            _prepare(library)
            _ask(library, questions[asked:], "first word, scripted model", first_word=True)


def _prepare(library: Library) -> None:
    """Make ready what the app makes ready when it starts."""
    library.warm()
    library.storage.warm()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], 300)  # as the app does
    sys.setswitchinterval(SWITCH_SECONDS)


def _ask(library: Library, questions: list[str], name: str, *, first_word: bool) -> None:
    walls, processor = [], []
    stages: dict[str, list[float]] = defaultdict(list)
    for number, question in enumerate(questions):
        started, busy = time.perf_counter(), time.process_time()
        ended: list[tuple[float, float]] = []

        def note(event: object, ended: list[tuple[float, float]] = ended) -> None:
            if isinstance(event, Token) and not ended:
                ended.append((time.perf_counter(), time.process_time()))

        answer = library.ask(question, path="direct", on_event=note if first_word else None)
        if not ended:
            ended.append((time.perf_counter(), time.process_time()))
        if number >= WARM:
            walls.append((ended[0][0] - started) * 1000)
            processor.append((ended[0][1] - busy) * 1000)
            for stage, milliseconds in answer.timings_ms.items():
                stages[stage].append(milliseconds)
    for kind, times in (("wall", walls), ("processor", processor)):
        print(f"  {name}, {kind}: p50 {percentile(times, 0.5):.0f}, p95 {percentile(times, 0.95):.0f}")
    told = [f"{stage} {percentile(times, 0.5):.0f}" for stage, times in stages.items()]
    print(f"    stages (p50): {', '.join(told)}", flush=True)


def measure_files(options: argparse.Namespace) -> None:
    """Read real files, ask one at a time and eight at once, and print."""
    files = files_of_kinds(options.folder, options.documents)
    with (
        tempfile.TemporaryDirectory() as temporary,
        Library.open(Path(temporary) / "library", background=False) as library,
    ):
        started = time.perf_counter()
        added = library.add([Source(path.name, path) for path in files])
        library.embed_pending()
        read = sum(result.status != "failed" for result in added)
        print(f"{read} of {len(files)} files, {library.status().nodes:,} nodes, {time.perf_counter() - started:.0f} s")
        _prepare(library)
        drawn = random.Random(options.seed)
        questions = file_questions(library, files, 2 * options.questions + WARM, drawn)
        for question in questions[:WARM]:
            library.ask(question)
        one, at_once = questions[WARM : WARM + options.questions], questions[WARM + options.questions :]
        _tell("one at a time", [_seconds(library, question) for question in one])
        with ThreadPoolExecutor(AT_ONCE) as pool:
            _tell(f"{AT_ONCE} at once", list(pool.map(lambda question: _seconds(library, question), at_once)))
        process = psutil.Process()
        held = [process.memory_info().rss / 1e6]
        for number in range(options.memory):
            library.ask(questions[number % len(questions)])
            if number % max(1, options.memory // 6) == 0:
                held.append(process.memory_info().rss / 1e6)
        held.append(process.memory_info().rss / 1e6)
        told = ", ".join(f"{megabytes:.0f}" for megabytes in held)
        print(f"  memory over {options.memory} questions: {told} MB")


def files_of_kinds(folder: Path, count: int) -> list[Path]:
    """Return up to ``count`` files below a folder, of each kind in turn, the smallest first."""
    by_kind: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.rglob("*"), key=lambda path: (path.stat().st_size, path.name)):
        if path.suffix in _KINDS and 1_000 < path.stat().st_size < _MOST_BYTES:
            by_kind[path.suffix].append(path)
    turns = [paths[turn] for turn in range(count) for paths in by_kind.values() if turn < len(paths)]
    return turns[:count]


def file_questions(library: Library, files: Sequence[Path], count: int, drawn: random.Random) -> list[str]:
    """Return questions about the lists of workbooks, a third, and about sentences of the documents."""
    texts = [
        question.text
        for path in files
        if path.suffix in (".xlsx", ".csv")
        for question in questions_of(read_tables(path), count // 3, drawn)
    ]
    texts = drawn.sample(texts, min(len(texts), count // 3))
    texts += _questions(library, count - len(texts), drawn)
    drawn.shuffle(texts)
    return texts


def _seconds(library: Library, question: str) -> float:
    started = time.perf_counter()
    library.ask(question)
    return time.perf_counter() - started


def _tell(name: str, seconds: Sequence[float]) -> None:
    p50, p95 = percentile(seconds, 0.5), percentile(seconds, 0.95)
    print(f"  {name}, {len(seconds)} questions: p50 {p50:.2f} s, p95 {p95:.2f} s", flush=True)


def _questions(library: Library, count: int, drawn: random.Random | None = None) -> list[str]:
    """Questions about sentences drawn from the documents, in the language of each."""
    drawn = drawn or random.Random(3)
    documents = library.documents()
    texts: dict[str, list[str]] = {}
    questions: list[str] = []
    while len(questions) < count:
        chosen = drawn.choice(documents).document_id
        if chosen not in texts:
            nodes = library.tree(chosen).nodes
            texts[chosen] = [node.text for node in nodes if node.role == "paragraph" and len(node.text) > 8]
        if not texts[chosen]:
            continue
        sentence = drawn.choice(texts[chosen]).split("。")[0].split(". ")[0][:120]
        chinese = any("\u4e00" <= letter <= "\u9fff" for letter in sentence)
        questions.append(f"{sentence[:40]}，这是怎么记录的？" if chinese else f"What is recorded: {sentence}?")
    return questions


if __name__ == "__main__":
    main()
