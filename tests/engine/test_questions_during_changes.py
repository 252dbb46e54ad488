"""Questions are answered from one state of the library, whatever is added and deleted while they run."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from engine.config import Settings
from engine.errors import DropQAError
from engine.ingest import Source
from engine.library import Library

SECONDS = 5
QUESTIONS = (
    "When was pier 3 dredged?",
    "Which harbour has a red crane?",
    "What does the table of fees say about yachts?",
    "Compare the cranes of harbour 2 and harbour 5.",
    "List the documents.",
)


def harbour(number: int, turn: int) -> Source:
    """A document whose text differs from turn to turn."""
    fees = "| Vessel | Fee |\n|---|---|\n| Yacht | 20 |\n| Barge | 35 |\n"
    text = (
        f"# Harbour {number}\n\n## Piers\n\nPier {number} was dredged in the year {1900 + number}.\n\n"
        f"## Cranes\n\nThe crane of harbour {number} is red, says entry {turn}.\n\n## Fees\n\n{fees}"
    )
    return Source(f"harbour {number}.md", text.encode())


@pytest.mark.timeout(180)
@pytest.mark.parametrize("path", ["direct", "agent"])
def test_no_question_fails_while_documents_are_deleted_and_added_again(tmp_path, path):
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    with Library.open(tmp_path / "library", settings=settings, background=False) as library:
        library.add([harbour(number, 0) for number in range(8)])
        library.ask(QUESTIONS[0])
        stop, failures, asked = threading.Event(), [], []

        def change() -> None:
            for turn in range(1, 10_000):
                number = turn % 8
                if stop.is_set():
                    return
                library.remove(f"harbour {number}.md")
                while library.storage.maintain():
                    pass
                library.add([harbour(number, turn)])

        def ask(number: int) -> None:
            while not stop.is_set():
                question = QUESTIONS[(len(asked) + number) % len(QUESTIONS)]
                try:
                    asked.append(library.ask(question, path=path))
                    library.search(question)
                except DropQAError as error:
                    failures.append((question, error))

        with ThreadPoolExecutor(3) as pool:
            running = [pool.submit(change), pool.submit(ask, 0), pool.submit(ask, 1)]
            time.sleep(SECONDS)
            stop.set()
        for one in running:
            one.result()
        assert failures == []
        assert len(asked) > 5
