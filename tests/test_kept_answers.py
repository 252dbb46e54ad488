"""What the sample library answers is kept in the repository, so that a change of an answer shows in review.

    KEEP_ANSWERS=1 uv run pytest tests/test_kept_answers.py

writes the file anew. Answers are those without a model; how sure they are differs a little by processor.
"""

from __future__ import annotations

import os
from pathlib import Path

from engine.ingest import Source
from engine.library import Library
from pages.widgets.samples import FOLDER, QUESTIONS

KEPT = Path(__file__).parent / "kept_answers.md"
ASKED = (
    *QUESTIONS.values(), "Which spare part is the most expensive?", "How many parts are there for the NL-150?",
    "What was the revenue in 2025?", "How high was the revenue in 2019?", "Who is the chief executive?",
    "上海出差每晚住宿多少钱？", "试用期多长？", "病假最多多少天？", "董事长是谁？",
    "What is turbine-service-guide.docx about?", "Compare the lead times of the NL-150 and the NL-200.",
)  # fmt: skip


def told(folder: Path) -> str:
    """Ask everything and return the answers as one text."""
    with Library.open(folder, background=False) as library:
        samples = [Source(name, FOLDER / name) for name in sorted(QUESTIONS)]
        assert all(result.status == "added" for result in library.add(samples))
        library.embed_pending()
        answers = [(question, library.ask(question)) for question in ASKED]
    return "".join(f"## {question}\n\n*{answer.state}*\n\n{answer.answer.strip()}\n\n" for question, answer in answers)


def test_the_sample_library_answers_as_is_kept(tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith(("OPENAI", "DROPQA_LLM"))]:
        monkeypatch.delenv(name)
    answers = told(tmp_path / "library")
    if os.environ.get("KEEP_ANSWERS"):
        KEPT.write_text(answers, "utf-8")
    assert answers == KEPT.read_text("utf-8"), "an answer changed: if it is better, keep it (see above)"
