"""Questions about tables asked where many tables and texts lie beside each other: is the right table answered from?

    python benchmarks/mixed_tables.py DATA_FOLDER [--set aitqa] [--limit 150] [--tables 400] [--prose 30] [--named]
                                       [--wrong] [--json]

DATA_FOLDER holds ``tables`` with the sets and ``documents/mixed`` with prose. Every table of a set is a web page with
its title and paragraphs in one library, beside ``--prose`` documents of other kinds. Each question is asked twice
without a model: with its own page given as a filter, and of the whole library. Told are, of both, right, wrong and
refused, the seconds, and of the whole library how many were answered wrongly from another table (the answer is wrong,
and none of its citations lies on the question's own page), how many rightly from another that says the same, and which
part of what is right with the page given is right still. AIT-QA's tables do not tell whose they are, though its
questions do: with ``--named`` a page's title is the airline that most questions about it name.

An answer is right when all gold values stand in it: numbers to two digits, in TAT-QA with their scale or without.
Quoted rows do not count where the answer must be computed. FeTaQA's gold is a sentence: half of the gold cells that
it says must be said.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from table_sets import SETS, SetQuestion, SetTable, load_set, page
from workbooks import values
from workbooks.judging import Gold, GoldCells, Question, fold, judge, stands_in

from engine.evaluate.metrics import percentile
from engine.ingest import Source
from engine.library import Library
from engine.model import Filters

_PROSE = (".docx", ".md", ".txt", ".html", ".pdf", ".pptx", ".epub", ".odt", ".rtf")
_LEAST_PROSE, _MOST_PROSE = 600, 330_000
_AIRLINES = re.compile(r"\b(?:united|american|southwest|delta|alaska|jetblue)\b")
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "percent": 1.0}


@dataclass
class Count:
    """What became of the questions, asked in one way."""

    asked: int = 0
    right: int = 0
    wrong: int = 0
    refused: int = 0
    wrong_table: int = 0
    elsewhere: int = 0
    seconds: list[float] = field(default_factory=list)

    def add(self, right: bool, refused: bool, astray: bool, seconds: float) -> None:
        """Count one question."""
        self.asked += 1
        self.right += right
        self.refused += refused
        self.wrong += not right and not refused
        self.wrong_table += astray and not right
        self.elsewhere += astray and right
        self.seconds.append(seconds)

    def figures(self) -> dict[str, float]:
        """Return the counts, the share answered from a wrong table, median and p95 seconds."""
        return {
            "asked": self.asked, "right": self.right, "wrong": self.wrong, "refused": self.refused,
            "right elsewhere": self.elsewhere, "wrong table": self.wrong_table,
            "wrong table %": round(100 * self.wrong_table / max(1, self.asked), 1),
            "median s": round(percentile(self.seconds, 0.5), 2), "p95 s": round(percentile(self.seconds, 0.95), 2),
        }  # fmt: skip


def prose_documents(folder: Path, count: int) -> list[Path]:
    """Return the smallest documents of texts below a folder, at least a page long, in both languages."""
    found = [
        path
        for path in folder.rglob("*")
        if path.suffix in _PROSE and path.stem != "README" and _LEAST_PROSE < path.stat().st_size < _MOST_PROSE
    ]
    return sorted(found, key=lambda path: (path.stat().st_size, path.name))[:count]


def question_of(question: SetQuestion, table: SetTable, name: str) -> Question:
    """Return a set's question with what a right answer must say."""
    gold: tuple[Gold, ...] = tuple(gold_of(answer, question.scale) for answer in question.answers)
    if name == "fetaqa":
        sentence = fold(question.answers[0])
        cells = dict.fromkeys(
            table.rows[r][c] for r, c in question.cells if r < len(table.rows) and c < len(table.rows[r])
        )
        gold = tuple(gold_of(cell, "") for cell in cells if cell and stands_in(cell, sentence)) or gold
    where = GoldCells("", frozenset(), frozenset())
    return Question(name, "en", question.text, gold, where, computed=question.computed)


def gold_of(answer: str, scale: str) -> Gold:
    """Return a gold answer: as a number where it is one (in percent as a share), else as a text."""
    number = values.number(answer)
    if number is None:
        return Gold((answer,))
    share = answer.strip().endswith("%")
    return Gold((), number * _SCALES.get("" if share else "percent", 1.0), share, scale == "percent")


def is_right(question: Question, answer: dict[str, Any], scale: str) -> bool:
    """True when an answer says the gold values, or these times their scale, or half of a sentence's cells."""
    if question.kind == "fetaqa":
        said = [judge(_only(question, gold), answer).right for gold in question.gold]
        return 2 * sum(said) >= len(said) and any(said)
    scaled = [
        Gold(gold.texts, gold.number * _SCALES[scale], gold.share, gold.signless)
        for gold in question.gold
        if gold.number is not None and scale in _SCALES
    ]
    ways = [question.gold] + ([tuple(scaled)] if len(scaled) == len(question.gold) else [])
    return any(judge(_with(question, gold), answer).right for gold in ways)


def _only(question: Question, gold: Gold) -> Question:
    return _with(question, (gold,))


def _with(question: Question, gold: tuple[Gold, ...]) -> Question:
    return Question(question.kind, "en", question.text, gold, question.cells, computed=question.computed)


def measure(name: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Fill a library with a set and prose, ask its questions in both ways; return the figures."""
    tables, questions = load_set(folder / "tables", name)
    if options.named:
        tables = {key: replace(table, title=table.title or owner_of(key, questions)) for key, table in tables.items()}
    drawn = random.Random(options.seed)
    asked = drawn.sample(questions, min(options.limit, len(questions)))
    kept = {question.table_id for question in asked}
    rest = [identifier for identifier in tables if identifier not in kept]
    kept |= set(drawn.sample(rest, min(len(rest), max(0, options.tables - len(kept)))))
    prose = prose_documents(folder / "documents" / "mixed", options.prose)
    with (
        tempfile.TemporaryDirectory() as temporary,
        Library.open(Path(temporary) / "library", background=False) as library,
    ):
        started = time.perf_counter()
        sources = [
            Source(f"{name} {number}.html", page(table.title, table.rows, table.paragraphs).encode())
            for number, table in enumerate(tables.values())
            if table.table_id in kept
        ]
        library.add([*sources, *(Source(path.name, path) for path in prose)])
        library.embed_pending()
        library.warm()
        adding = time.perf_counter() - started
        names = {identifier: f"{name} {number}.html" for number, identifier in enumerate(tables)}
        return {
            "set": name,
            "tables": len(sources),
            "prose": len(prose),
            "seconds to add": round(adding, 1),
        } | _asked(library, asked, tables, names, name, options)


def owner_of(table_id: str, questions: Sequence[SetQuestion]) -> str:
    """Return the airline that most questions about a table name; "" for none."""
    named = Counter(
        name
        for question in questions
        if question.table_id == table_id
        for name in _AIRLINES.findall(question.text.lower())
    )
    return f"{named.most_common(1)[0][0].title()} Airlines" if named else ""


def _asked(
    library: Library, asked: Sequence[SetQuestion], tables: dict[str, SetTable], names: dict[str, str], name: str,
    options: argparse.Namespace,
) -> dict[str, Any]:  # fmt: skip
    given, mixed = Count(), Count()
    kept = 0
    for item in asked:
        question, own = question_of(item, tables[item.table_id], name), names[item.table_id]
        good = []
        for count, filters in ((given, Filters(documents=(own,))), (mixed, Filters())):
            started = time.perf_counter()
            answer = library.ask(item.text, filters=filters).to_dict()
            seconds = time.perf_counter() - started
            right = is_right(question, answer, item.scale)
            cited = {source["document"] for source in answer["sources"]}
            astray = answer["answered"] and own not in cited and any(d.startswith(f"{name} ") for d in cited)
            count.add(right, not answer["answered"], astray, seconds)
            good.append(right)
            if options.wrong and answer["answered"] and not right:
                way = "given" if count is given else "mixed"
                told = {
                    "way": way,
                    "question": item.text,
                    "gold": item.answers,
                    "own": own,
                    "cited": sorted(cited),
                }
                print(json.dumps(told | {"answer": answer["answer"][:300]}, ensure_ascii=False), flush=True)
        kept += all(good)
    figures = {"given": given.figures(), "mixed": mixed.figures()}
    return figures | {"still right %": round(100 * kept / max(1, given.right), 1)}


def main() -> None:
    """Measure the sets and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--set", choices=SETS)
    parser.add_argument("--limit", type=int, default=150, help="most questions of a set")
    parser.add_argument("--tables", type=int, default=400, help="most tables of a set in the library")
    parser.add_argument("--prose", type=int, default=30, help="documents of texts beside the tables")
    parser.add_argument("--seed", type=int, default=7)
    for flag in ("--named", "--wrong", "--json"):
        parser.add_argument(flag, action="store_true")
    options = parser.parse_args()
    for name in [options.set] if options.set else SETS:
        figures = measure(name, options.data, options)
        if options.json:
            print(json.dumps(figures), flush=True)
            continue
        print(f"{name}: {figures['tables']} tables, {figures['prose']} texts, added in {figures['seconds to add']} s")
        for way in ("given", "mixed"):
            print(f"  {way}: " + ", ".join(f"{key} {value}" for key, value in figures[way].items()))
        print(f"  right with the page given and right still: {figures['still right %']} %", flush=True)


if __name__ == "__main__":
    main()
