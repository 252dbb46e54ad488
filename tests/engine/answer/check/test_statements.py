"""True paraphrases stay unmarked and false statements are marked, over texts of many kinds in two languages."""

import json
from pathlib import Path

import pytest
from evidence_maker import evidence

from engine.answer.check.checking import check
from engine.answer.phrases import phrases_for
from engine.answer.similarity import SentenceSimilarity
from engine.config import Settings
from engine.providers.embedding import open_embedder
from engine.providers.reading import open_reader

FILE = Path(__file__).parents[4] / "benchmarks" / "statements.jsonl"
MARKED = ("unverified", "contradicted")


@pytest.fixture(scope="module")
def marked():
    """Return (marked, all) of the true and of the false statements."""
    reader, similarity = open_reader(), SentenceSimilarity(open_embedder(Settings().embedding))
    found = {True: [], False: []}
    for number, line in enumerate(FILE.read_text("utf-8").splitlines(), 1):
        row = json.loads(line)
        item = evidence(number, row["text"], document=row["document"], path=row["path"], role=row["role"])
        told = [(True, text) for text in row["true"]] + [(False, one["text"]) for one in row["false"]]
        for holds, text in told:
            made = check(
                text.replace("[1]", f"[{1}]"), [item], question="", phrases=phrases_for(text), reader=reader,
                similarity=similarity,
            )  # fmt: skip
            found[holds].append(any(one.state in MARKED for one in made.statements))
    return found


def test_at_most_one_true_statement_in_twenty_is_marked(marked):
    assert len(marked[True]) >= 40 and sum(marked[True]) <= 0.05 * len(marked[True])


def test_more_than_four_false_statements_in_five_are_marked(marked):
    assert len(marked[False]) >= 40 and sum(marked[False]) >= 0.83 * len(marked[False])
