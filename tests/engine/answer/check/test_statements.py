"""True paraphrases stay unmarked and false statements are marked, over texts of many kinds in two languages."""

import json
from pathlib import Path

import pytest
from evidence_maker import evidence

from engine.answer.check.checking import check
from engine.answer.phrases import phrases_for
from engine.providers.entailment import open_judge

FILE = Path(__file__).parents[4] / "benchmarks" / "statements.jsonl"
MARKED = ("unverified", "contradicted")


@pytest.fixture(scope="module")
def marked():
    """Return (marked, all) of the true and of the false statements."""
    found = {True: [], False: []}
    for number, line in enumerate(FILE.read_text("utf-8").splitlines(), 1):
        row = json.loads(line)
        item = evidence(number, row["text"], document=row["document"], path=row["path"], role=row["role"])
        told = [(True, text) for text in row["true"]] + [(False, one["text"]) for one in row["false"]]
        for holds, text in told:
            made = check(text, [item], question="", phrases=phrases_for(text), entailment=open_judge())
            found[holds].append(any(one.state in MARKED for one in made.statements))
    return found


def test_at_most_one_true_statement_in_twelve_is_marked(marked):
    assert len(marked[True]) >= 40 and sum(marked[True]) <= len(marked[True]) / 12


def test_three_false_statements_in_four_are_marked(marked):
    assert len(marked[False]) >= 40 and sum(marked[False]) >= 0.75 * len(marked[False])
