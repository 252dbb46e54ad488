"""How long an answer takes: ``python benchmarks/answer_latency.py FOLDER [--questions 40]``.

FOLDER holds a library (``large_library.py`` makes one). Questions in both languages, made from sentences of its
documents, are asked without a model until the answer is complete, and of a scripted model (a real HTTP server that
replies at once) until the first word: both on the direct path. Told are wall time and this process's processor time,
in milliseconds, and the stages of the answers without a model.
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from collections import defaultdict
from pathlib import Path

from engine.answer.events import Token
from engine.evaluate.metrics import percentile
from engine.idle_collection import IdleCollector
from engine.library import Library
from tests.openai_server import OpenAiServer

WARM = 3


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=40)
    options = parser.parse_args()
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
    IdleCollector().start()


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


def _questions(library: Library, count: int) -> list[str]:
    """Questions about sentences drawn from the documents, in the language of each."""
    drawn = random.Random(3)
    documents = library.documents()
    questions: list[str] = []
    while len(questions) < count:
        nodes = library.tree(drawn.choice(documents).document_id).nodes
        text = drawn.choice([node.text for node in nodes if node.role == "paragraph"])
        sentence = text.split("。")[0].split(". ")[0][:120]
        chinese = any("\u4e00" <= letter <= "\u9fff" for letter in sentence)
        questions.append(
            f"{sentence[:40]}，这是怎么记录的？" if chinese else f"What is recorded: {sentence}?"
        )
    return questions


if __name__ == "__main__":
    main()
