"""How well questions about tables are answered without a model: share answered, precision, cells cited.

    python benchmarks/table_questions.py DATA_FOLDER [--set wtq] [--part development|read|unseen|all] [--every N]
                                         [--limit N]
                                         [--wrong] [--right] [--refused] [--only WORD]

DATA_FOLDER holds ``wtq``, ``tatqa``, ``aitqa`` and ``fetaqa``. Each table is written as a web page (WikiTableQuestions:
its CSV file) with its title and, in TAT-QA, the paragraphs beside it, and read by the product's own parsers and
enrichment. A question is asked of its own table. The tables are parted by a hash of their ids: those of
``development`` may be looked at, and by now those ``read``, too; those ``unseen`` (a sixteenth) were never read.

An answer is right when its values are the gold ones: as text, or as numbers (TAT-QA also without the scale, and
within half a unit of the gold answer's last digit). Lookup questions are those whose gold answer is the content of
cells: all of AIT-QA; TAT-QA's spans from the table that are one cell's text; WikiTableQuestions' single answers that
are one cell's text, where the question neither counts nor computes nor compares (see :func:`kind_of`). The cell is
right when a cited cell holds the gold answer; for FeTaQA, when it is one of the gold cells.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from table_sets import SETS, aitqa_rows, lines, page

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine.answer.tables.answering import TableAnswer, TableHit, answer_from_tables
from engine.answer.tables.found_tables import RelationCache, grouped
from engine.config import ParsingSettings
from engine.enrich.enrich import enrich
from engine.model import Hit, section_path
from engine.parse.dispatch import parse_file
from engine.structure.tree import build_tree


@dataclass
class Item:
    """A question with its gold answer."""

    table: str
    question: str
    answers: list[str]
    kind: str
    scale: str = ""
    cells: set[tuple[int, int]] = field(default_factory=set)


@dataclass
class Tally:
    """What became of the questions of one kind."""

    asked: int = 0
    answered: int = 0
    right: int = 0
    cited: int = 0


def tables_of(path: Path, title: str) -> list[TableHit]:
    """Return the tables of a file, read as the product reads them."""
    settings = ParsingSettings()
    parsed = parse_file(path, path.name, settings)
    sha = hashlib.sha256(path.read_bytes()).hexdigest()
    tree = build_tree(
        parsed, document_id="d1", name=path.name, sha256=sha, version=1, settings=settings
    )  # fmt: skip
    tree, _ = enrich(tree)
    cache, found = RelationCache(), []
    by_id = {node.node_id: node for node in tree.nodes}
    for nodes in grouped(tree.nodes):
        path_of = section_path(nodes[0].node_id, by_id)
        hit = Hit(nodes[0].node_id, "d1", title, 1, "table", 1.0, 1, None, None, path_of, "")
        found.append(TableHit(cache.open("d1", 1, nodes, (title, *path_of)), hit))
    return found


def load(folder: Path, name: str, temporary: Path) -> tuple[dict[str, list[TableHit]], list[Item]]:
    """Return the tables of a set by id, and its questions."""
    tables: dict[str, list[TableHit]] = {}
    queries = list(lines(folder / name / "queries.jsonl"))
    key = "context" if name == "tatqa" else "table"
    wanted = {query[key] for query in queries}

    def add(identifier: str, title: str, rows: list[list[str]], paragraphs: list[str]) -> None:
        path = temporary / f"{len(tables)}.html"
        path.write_text(page(title, rows, paragraphs), "utf-8")
        tables[identifier] = tables_of(path, title)

    if name == "wtq":
        for row in lines(folder / name / "corpus.jsonl"):
            if row["id"] in wanted:
                tables[row["id"]] = tables_of(folder / name / "tables_csv" / row["id"], row["title"])
    elif name == "tatqa":
        rows_by_id, paragraphs = {}, defaultdict(list)
        for row in lines(folder / name / "corpus.jsonl"):
            if row["kind"] == "table":
                rows_by_id[row["id"]] = row["rows"]
            else:
                paragraphs[row["table"]].append(row["text"])
        for identifier in wanted:
            add(identifier, "", rows_by_id[identifier], paragraphs[identifier])
    else:
        for row in lines(folder / name / "tables.jsonl"):
            if row["id"] in wanted:
                add(row["id"], row.get("title", ""), row["rows"] if "rows" in row else aitqa_rows(row), [])
    items = [
        Item(
            query[key], query["text"], [str(a) for a in query["answers"]], kind_of(name, query, tables[query[key]]),
            query.get("scale", ""), {(r, c) for r, c in query.get("cells", [])},
        )
        for query in queries
    ]  # fmt: skip
    return tables, items


_COMPUTES = re.compile(
    r"\b(?:how many|number of|total|sum|average|mean|difference|more|less|fewer|most|least|than|\w+est|first|last"
    r"|only|next|previous|after|before|above|below|same|consecutive|or|top|amount)\b"
)


def kind_of(name: str, query: dict[str, Any], tables: list[TableHit]) -> str:
    """Return the kind of a question; "lookup" where the answer is a cell found by its row and column."""
    if name in ("aitqa", "fetaqa"):
        return "lookup" if name == "aitqa" else "sentence"
    if name == "tatqa":
        if query["answer_type"] == "span" and query["answer_from"] != "text":
            return "lookup" if in_a_cell(query["answers"][0], tables) else "span in text"
        if query["answer_type"] == "span":
            return "span in text"
        return str(query["answer_type"])
    single = len(query["answers"]) == 1 and in_a_cell(query["answers"][0], tables)
    return "lookup" if single and not _COMPUTES.search(query["text"].lower()) else "reasoning"


def in_a_cell(answer: str, tables: list[TableHit]) -> bool:
    """True when a body cell holds just this."""
    return any(
        same(cell, answer)
        for table in tables
        for row in range(len(table.linked.relation.rows))
        for cell in (table.linked.relation.text(row, c.index) for c in table.linked.relation.columns)
    )


def bare(text: str) -> str:
    """Return what must agree of two texts."""
    return re.sub(r"[\W_]+", " ", text.casefold().replace("’", "'")).strip()


def number(text: str) -> Decimal | None:
    """Return a text's number, without currency, thousands and percent signs; brackets are minus.

    The words of a scale are left out: a cell says "55" under "in millions".
    """
    plain = re.sub(r"\s*(?:thousand|million|billion)$", "", text.strip().replace(",", "").replace("−", "-"))
    plain = plain.strip("$€£¥% ")
    bracket = plain.startswith("(") and plain.endswith(")")
    plain = re.sub(r"[()\s$€£¥%]", "", plain)
    try:
        return -Decimal(plain) if bracket else Decimal(plain)
    except InvalidOperation:
        return None


def same(ours: str, gold: str) -> bool:
    """True when two values agree: as numbers, to the last digit of the gold one, or as texts."""
    a, b = number(ours), number(gold)
    if a is not None and b is not None:
        places = max(0, -int(b.as_tuple().exponent))
        return abs(a - b) <= Decimal(1).scaleb(-places) * Decimal("0.51") if places else a == b or round(a, 2) == b
    if bare(ours) and bare(ours) == bare(gold):
        return True
    return bool(re.search(r"\d{4}", gold)) and bare(re.sub(r"\s*\(.*?\)", "", ours)) == bare(gold)


def right(made: TableAnswer, item: Item, name: str) -> bool:
    """True when the values of an answer are the gold ones."""
    values = [re.sub(r"\s*(?:\[\w+\]|\([a-z]\))$", "", value) for value in made.computed.values]
    if name == "fetaqa":
        gold = item.answers[0].casefold()
        return all(bare(value) in bare(gold) for value in values)
    if len(values) != len(item.answers):
        return False
    rest = list(item.answers)
    for value in values:
        found = next((gold for gold in rest if same(value, gold)), None)
        if found is None:
            return False
        rest.remove(found)
    return True


def cited(made: TableAnswer, item: Item, name: str) -> bool:
    """True when the cited cells hold the gold answer."""
    relation = made.table.linked.relation
    cells = [relation.ref(*place) for place in made.result.cells[:50]]
    if name == "fetaqa":
        return any((cell.row, cell.column) in item.cells for cell in cells)
    return any(
        same(re.sub(r"\s*(?:\[\w+\]|\([a-z]\))$", "", cell.text), gold) for cell in cells for gold in item.answers
    )


def measure(name: str, tables: dict[str, list[TableHit]], items: list[Item], options: argparse.Namespace) -> None:
    """Ask and print."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    by_method: dict[str, Tally] = defaultdict(Tally)
    by_score: dict[str, Tally] = defaultdict(Tally)
    started = time.process_time()
    for item in items:
        made = answer_from_tables(item.question, tables[item.table], False)
        tally, total = tallies[item.kind], tallies["all"]
        bucket = by_score[f"{int(made.score * 20) / 20:.2f}" if made else "none"]
        good = made is not None and right(made, item, name)
        at = made is not None and cited(made, item, name)
        groups = [tally, total, bucket, *([by_method[made.reading.query.operation]] if made else [])]
        for group in groups:
            group.asked += 1
            group.answered += made is not None
            group.right += good
            group.cited += good and at
        show = (made is not None and ((options.wrong and not good) or (options.right and good))) or (
            made is None and options.refused
        )
        if show and (options.only in (item.kind, made.reading.query.operation if made else "") or not options.only):
            mark = "." if made is None else "+" if good else "-"
            ours = f"{made.computed.values} | {made.score:.2f} {made.text[:160]}" if made else None
            kind = f"[{item.kind}/{made.reading.query.operation if made else ''}]"
            print(mark, kind, item.table[:14], item.question, "| gold", item.answers, "| ours", ours)
    seconds = time.process_time() - started
    print(f"{name}: {len(items)} questions, {1000 * seconds / max(1, len(items)):.0f} ms CPU a question")
    for title, counts in (("kind", tallies), ("answered as", by_method), ("score", by_score)):
        for kind, t in sorted(counts.items(), key=lambda pair: (pair[0] == "all", pair[0])):
            print(
                f"  {title} {kind:16} asked {t.asked:5}  answered {t.answered:5} ({t.answered / t.asked:4.0%})"
                f"  precision {t.right / max(1, t.answered):4.0%}  right {t.right / t.asked:4.0%}"
                f"  right with its cell {t.cited / t.asked:4.0%}"
            )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--set", choices=SETS)
    parser.add_argument("--part", choices=("development", "read", "unseen", "all"), default="all")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--limit", type=int, default=0, help="about so many questions of a set, evenly drawn")
    parser.add_argument("--only", default="")
    for flag in ("--wrong", "--right", "--refused"):
        parser.add_argument(flag, action="store_true")
    options = parser.parse_args()
    folder = options.data / "tables" if (options.data / "tables").exists() else options.data
    for name in [options.set] if options.set else SETS:
        with tempfile.TemporaryDirectory() as temporary:
            tables, items = load(folder, name, Path(temporary))
        items = [item for item in items if options.part in ("all", part_of(item.table))]
        every = max(options.every, len(items) // options.limit if options.limit else 1)
        measure(name, tables, items[::every], options)


def part_of(table: str) -> str:
    """Return whether a table is for ``development``, is ``read`` as well since, or ``unseen``."""
    digest = hashlib.sha256(table.encode()).digest()
    if not (digest[0] % 2 and digest[1] % 2):
        return "development"
    unseen = all(hashlib.sha256(f"{again}:{table}".encode()).digest()[0] % 2 for again in ("second", "third"))
    return "unseen" if unseen else "read"


if __name__ == "__main__":
    main()
