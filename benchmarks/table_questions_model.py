"""What a model's plans add to the table questions that rules refuse: answered, right, seconds a question.

    OPENAI_BASE_URL=… OPENAI_API_KEY=… python benchmarks/table_questions_model.py DATA_FOLDER
        [--draw aitqa=10,tatqa=40,wtq=40] [--seed N] [--replies FILE] [--show]

The sets and what counts as right are those of ``table_questions.py``; only tables for development are used.
Of the questions that rules refuse ``--draw`` are drawn at random; each is asked of its own table, one after the other,
without a library. What is answered with the model is the rules' share and, of those they refuse, the share of the draw.
``--replies`` keeps what the model says, so that the checks can be measured again without asking it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine.answer.tables.model_plan import Planned, plan_answer, plannable
from engine.answer.tables.table_questions import TableSource, answer_from_tables
from table_questions import Item, load, part_of, right

from engine.providers.llm import Completion, Llm, Messages, Usage, open_llm
from engine.settings_sources import load_settings

_DRAW = "aitqa=10,tatqa=40,wtq=40"


class KeptReplies:
    """A model whose replies are kept in a file by what was asked; only ``complete`` is offered.

    ``seconds`` are those that the model took when it was asked.
    """

    def __init__(self, llm: Llm | None, path: Path | None) -> None:
        self._llm, self._path = llm, path
        self._known = json.loads(path.read_text("utf-8")) if path and path.exists() else {}
        self.seconds = 0.0

    def complete(
        self,
        messages: Messages,
        *,
        max_tokens: int | None = None,
        json: bool = False,
        cancelled: Callable[[], bool] | None = None,
    ) -> Completion:
        """Return the kept reply, or ask."""
        key = hashlib.sha256(repr([(m["role"], m["content"]) for m in messages]).encode()).hexdigest()
        if key not in self._known:
            if self._llm is None:
                sys.exit("This question has not been asked yet, and no model is set up.")
            started = time.perf_counter()
            made = self._llm.complete(messages, max_tokens=max_tokens, json=json, cancelled=cancelled)
            taken = time.perf_counter() - started
            self._known[key] = [made.text, made.usage.prompt, made.usage.completion, taken]
            self._keep()
        text, prompt, completion, taken = self._known[key]
        self.seconds += taken
        return Completion(text, Usage(prompt, completion))

    def _keep(self) -> None:
        if self._path is not None:
            self._path.write_text(json.dumps(self._known), "utf-8")


@dataclass
class Tally:
    """What became of the questions that were drawn."""

    drawn: int = 0
    asked: int = 0
    answered: int = 0
    right: int = 0
    tokens: list[int] = field(default_factory=lambda: [0, 0])


def measure(
    name: str, drawn: list[Item], tables: dict[str, list[TableSource]], llm: KeptReplies, show: bool
) -> Tally:
    """Let the model plan the drawn questions."""
    tally = Tally()
    for item in drawn:
        tally.drawn += 1
        sources = plannable(item.question, tables[item.table])
        if not sources:
            continue
        tally.asked += 1
        planned = plan_answer(item.question, sources, llm)  # type: ignore[arg-type]
        tally.tokens[0] += sum(usage.prompt for usage in planned.usage)
        tally.tokens[1] += sum(usage.completion for usage in planned.usage)
        good = planned.answer is not None and right(planned.answer, item, name)
        tally.answered += planned.answer is not None
        tally.right += good
        if show:
            print("+" if good else "." if planned.answer is None else "-", line(item, planned), flush=True)
    return tally


def drawn_at(item: Item, seed: int) -> bytes:
    """Return a question's place in a random order, which stays when rules come to answer others."""
    return hashlib.sha256(f"{seed}:{item.table}:{item.question}".encode()).digest()


def line(item: Item, planned: Planned) -> str:
    """Return a question with its plan and what became of it."""
    ours = planned.answer.values if planned.answer else planned.reason
    return f"[{item.kind}] {item.question} | gold {item.answers} | {dict(planned.plan)} | {ours}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--draw", default=_DRAW)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--replies", type=Path)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    folder = options.data / "tables" if (options.data / "tables").exists() else options.data
    settings = load_settings(None).llm.model_copy(update={"temperature": 0.0, "timeout": 300.0})
    llm = KeptReplies(open_llm(settings), options.replies)
    for name, number in (pair.split("=") for pair in options.draw.split(",")):
        with tempfile.TemporaryDirectory() as temporary:
            tables, items = load(folder, name, Path(temporary))
        items = [item for item in items if part_of(item.table) == "development"]
        made = [(item, answer_from_tables(item.question, tables[item.table])) for item in items]
        answered = [right(answer, item, name) for item, answer in made if answer is not None]
        refused = [item for item, answer in made if answer is None]
        refused.sort(key=lambda item: drawn_at(item, options.seed))
        before = llm.seconds
        tally = measure(name, refused[: int(number)], tables, llm, options.show)
        more, good = (len(refused) * n / max(1, tally.drawn) for n in (tally.answered, tally.right))
        print(
            f"{name}: of {tally.drawn} refused {tally.asked} asked, {tally.answered} answered, {tally.right} right, "
            f"{(llm.seconds - before) / max(1, tally.asked):.1f} s and {tally.tokens[0] // max(1, tally.asked)} + "
            f"{tally.tokens[1] // max(1, tally.asked)} tokens each\n"
            f"  all {len(items)}: answered {len(answered) / len(items):.0%} -> "
            f"{(len(answered) + more) / len(items):.0%}, precision "
            f"{sum(answered) / max(1, len(answered)):.1%} -> {(sum(answered) + good) / (len(answered) + more):.1%}"
        )


if __name__ == "__main__":
    main()
