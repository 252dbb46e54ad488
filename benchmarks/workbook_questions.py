"""How well questions about ordinary workbooks are answered without a model: eighteen kinds with known answers.

    python benchmarks/workbook_questions.py FOLDER_OR_FILES… [--made] [--questions 60] [--seed 7]
                                            [--lang en|zh|both] [--together] [--wrong] [--json]

Questions are made of every list in the workbooks (.xlsx, .csv; a header is looked for, the answers are computed by
pandas) and asked of a library that holds the one workbook, or, with ``--together``, all of them. ``--made`` adds the
workbooks of ``made_workbooks.py``, whose columns have other words as well. An answer is right when all known values
stand in it, rounded to at least two digits, and no values of other rows; its cells are right when it cites those that
hold the values, or, where there are many, some of them and none beside. Quoted rows are no answer to what must be
computed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from made_workbooks import make_workbooks
from workbooks.computed_kinds import KINDS, OF_A_ROW
from workbooks.judging import Outcome, Question, judge
from workbooks.kinds import Asker
from workbooks.tables import ListTable, read_tables

from engine.evaluate.metrics import percentile
from engine.ingest import Source
from engine.library import Library

_TRIES = 12


@dataclass
class Tally:
    """What became of the questions of one kind; seconds of each."""

    asked: int = 0
    right: int = 0
    wrong: int = 0
    refused: int = 0
    cells: int = 0
    seconds: list[float] = field(default_factory=list)

    def add(self, outcome: Outcome, seconds: float) -> None:
        """Count one question."""
        self.asked += 1
        self.right += outcome.right
        self.refused += outcome.refused
        self.wrong += not outcome.right and not outcome.refused
        self.cells += outcome.cells
        self.seconds.append(seconds)

    def figures(self) -> dict[str, float]:
        """Return counts, precision and seconds (median, p95)."""
        return {
            "asked": self.asked, "right": self.right, "wrong": self.wrong, "refused": self.refused,
            "right cells": self.cells, "precision": round(self.right / max(1, self.right + self.wrong), 3),
            "median s": round(percentile(self.seconds, 0.5), 2), "p95 s": round(percentile(self.seconds, 0.95), 2),
        }  # fmt: skip


def questions_of(tables: Sequence[ListTable], count: int, drawn: random.Random) -> list[Question]:
    """Return up to ``count`` different questions about a workbook's lists, of all kinds that they allow in turn."""
    made: dict[str, Question] = {}
    counts: Counter[str] = Counter()
    most = max(4, count // 10)  # a list that allows few kinds is not asked the same again and again
    kinds = list(KINDS.items())
    barren: set[str] = set()
    while len(made) < count and len(barren) < len(kinds):
        drawn.shuffle(kinds)
        for kind, maker in kinds:
            fitting = [table for table in tables if table.of_one_unit or kind in OF_A_ROW]
            found = _one(maker, fitting, drawn, made) if fitting and kind not in barren else None
            if found is None or counts[kind] == most:
                barren.add(kind)
            elif len(made) < count:
                made[found.text] = found
                counts[kind] += 1
    return list(made.values())


def _one(maker: Any, tables: Sequence[ListTable], drawn: random.Random, made: Iterable[str]) -> Question | None:
    for _ in range(_TRIES):
        question: Question | None = maker(Asker(drawn.choice(tables), drawn))
        if question is not None and question.text not in made:
            return question
    return None


def ask(library: Library, question: Question) -> tuple[Outcome, float]:
    """Ask a question; return what became of it and the seconds it took."""
    started = time.perf_counter()
    answer = library.ask(question.text).to_dict()
    return judge(question, answer), time.perf_counter() - started


def measure(
    groups: Sequence[Sequence[Path]], questions: dict[Path, list[Question]], options: argparse.Namespace
) -> dict[str, Any]:
    """Ask the questions of each group of workbooks in a library of its own; return all figures."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    books: dict[str, Tally] = defaultdict(Tally)
    told, adding = [], {}
    for group in groups:
        with (
            tempfile.TemporaryDirectory() as temporary,
            Library.open(Path(temporary) / "library", background=False) as library,
        ):
            started = time.perf_counter()
            for result in library.add([Source(path.name, path) for path in group]):
                if result.status == "failed":
                    print(f"{result.name} was not read: {result.error}", file=sys.stderr)
            library.embed_pending()
            library.warm()
            adding[", ".join(path.name for path in group)] = round(time.perf_counter() - started, 1)
            for path in group:
                for question in questions[path]:
                    outcome, seconds = ask(library, question)
                    words = "other words for a column" if question.other_words else "a column's own name"
                    for tally in (tallies[question.kind], tallies["all"], tallies[words], books[path.name]):
                        tally.add(outcome, seconds)
                    told.append(_told(question, outcome, seconds))
                    if not options.json and ((options.wrong and not outcome.cells) or options.all):
                        print(json.dumps(told[-1], ensure_ascii=False), flush=True)
    return {
        "kinds": {kind: tallies[kind].figures() for kind in [*KINDS, *sorted(set(tallies) - set(KINDS))]},
        "workbooks": {name: tally.figures() for name, tally in books.items()},
        "seconds to add": adding,
        "questions": told,
    }


def _told(question: Question, outcome: Outcome, seconds: float) -> dict[str, Any]:
    """Return a question with its outcome for people and for JSON."""
    mark = (
        "refused" if outcome.refused else "right" if outcome.cells else "right, cells not" if outcome.right else "wrong"
    )
    rows = sorted(question.cells.rows)
    return {
        "outcome": mark, "kind": question.kind, "workbook": question.workbook, "question": question.text,
        "gold": [_bare(asdict(gold)) for gold in question.gold[:12]],
        "gold cells": {"sheet": question.cells.sheet, "rows": rows[:12], "columns": sorted(question.cells.columns)},
        "answer": outcome.said[:400], "cited": outcome.cited[:12], "seconds": round(seconds, 2),
        "language": question.language,
    }  # fmt: skip


def _bare(gold: dict[str, Any]) -> dict[str, Any]:
    return {key: str(value) if key == "day" else value for key, value in gold.items() if value not in (None, False, ())}


def workbooks_in(paths: Sequence[Path]) -> list[Path]:
    """Return the workbooks among files and below folders; of files with the same name the first."""
    found = [
        file
        for path in paths
        for file in (sorted(path.rglob("*")) if path.is_dir() else [path])
        if file.suffix in (".xlsx", ".csv") and file.is_file()
    ]
    return list({file.name: file for file in reversed(found)}.values())[::-1]


def print_figures(figures: dict[str, dict[str, float]], title: str) -> None:
    """Print a table of figures, a row a kind."""
    names = list(next(iter(figures.values()))) if figures else []
    print(f"{title:44}" + "".join(f"{name:>12}" for name in names))
    for kind, row in figures.items():
        print(f"{kind[:43]:44}" + "".join(f"{row[name]:>12}" for name in names))


def main() -> None:
    """Make the questions, ask them and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--made", nargs="*", metavar="NAME", help="also the made workbooks (all, or those named)")
    parser.add_argument("--long-rows", type=int, default=100_000, help="rows of the longest made workbook")
    parser.add_argument("--questions", "--limit", type=int, default=60, help="most questions a workbook")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--lang", choices=("en", "zh", "both"), default="both")
    for flag in ("--together", "--wrong", "--all", "--json"):
        parser.add_argument(flag, action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        tables = {path: read_tables(path) for path in workbooks_in(options.paths)}
        if options.made is not None:
            tables |= make_workbooks(Path(temporary), options.made, options.long_rows)
        questions: dict[Path, list[Question]] = {}
        for path, lists in tables.items():
            chosen = [table for table in lists if options.lang in ("both", table.language)]
            made = questions_of(chosen, options.questions, random.Random(f"{options.seed} {path.name}"))
            if made:
                questions[path] = made
        groups = [list(questions)] if options.together else [[path] for path in questions]
        figures = measure(groups, questions, options)
    if options.json:
        print(json.dumps(figures, ensure_ascii=False, indent=1))
        return
    print_figures(figures["workbooks"], "workbook")
    print_figures(figures["kinds"], "kind")
    print("seconds to add:", figures["seconds to add"])


if __name__ == "__main__":
    main()
