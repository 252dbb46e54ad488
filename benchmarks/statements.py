"""Measure the check of statements: how many false ones are marked, and how many true ones are.

    python benchmarks/statements.py [FILE…] [--show] [--fit]

A FILE (``statements.jsonl`` beside this script by default) has a JSON object a line: a text with its ``document``,
``path`` and ``role``, statements that are ``true`` by it in other words or another language, and ``false`` ones with
the kind of what is wrong. Each is checked as the one sentence of a model's reply that cites the text. ``--fit`` fits
the weights of :mod:`engine.answer.check.judging` anew, with copies of the texts' own sentences beside the true ones,
and prints what they would give for texts that were left out.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np

from engine.answer.check.checking import check
from engine.answer.check.judging import WEIGHTS, Judge, Verdict, certainty
from engine.answer.phrases import phrases_for
from engine.answer.similarity import SentenceSimilarity
from engine.config import Settings
from engine.model import Evidence, Hit, Role
from engine.providers.embedding import open_embedder
from engine.providers.reading import open_reader
from engine.structure.sentences import split_sentences


@dataclass
class Case:
    """A statement about a text; ``kind`` is "true", "copy" or what is wrong with it."""

    item: Evidence
    kind: str
    text: str
    verdict: Verdict | None = None

    @property
    def holds(self) -> bool:
        """True where the text says it."""
        return self.kind in ("true", "copy")


def main() -> None:
    """Check every statement and print the rates."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("files", nargs="*", type=Path, default=[Path(__file__).with_suffix(".jsonl")])
    parser.add_argument("--show", action="store_true", help="print every statement told wrongly")
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    reader = open_reader()
    embedder = open_embedder(Settings().embedding)
    similarity = SentenceSimilarity(embedder) if embedder else None
    cases = [case for path in options.files for case in cases_of(path, copies=options.fit)]
    if options.fit:
        for case in cases:
            case.verdict = Judge([case.item], "", reader, similarity).verdict(case.text, [0])
        fit(cases)
        return
    states: dict[str, Counter[str]] = {}
    for case in cases:
        made = check(
            f"{case.text} [1]", [case.item], question="", phrases=phrases_for(case.text), reader=reader,
            similarity=similarity,
        )  # fmt: skip
        one = made.statements[0] if made.statements else None
        state = one.state if one else "none"
        states.setdefault(case.kind, Counter())[state] += 1
        if options.show and one and case.holds == (state in ("unverified", "contradicted")):
            print(f"{case.kind} {state}: {case.text}\n    {one.reason}")
    told(states)


def told(states: dict[str, Counter[str]]) -> None:
    """Print the marked and all statements by kind, and of all true and false ones."""
    marked = {kind: counts["unverified"] + counts["contradicted"] for kind, counts in states.items()}
    false = [kind for kind in states if kind != "true"]
    rates = {
        "true": [marked.get("true", 0), states.get("true", Counter()).total()],
        "false": [sum(marked[kind] for kind in false), sum(states[kind].total() for kind in false)],
        "contradicted": sum(states[kind]["contradicted"] for kind in false),
    }
    kinds = {kind: [marked[kind], states[kind].total()] for kind in false}
    print(json.dumps({"marked": rates, "by_kind": kinds}, ensure_ascii=False))


def cases_of(path: Path, copies: bool) -> list[Case]:
    """Return the statements of a file, with the texts' own sentences where copies are wanted."""
    cases: list[Case] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        row = json.loads(line)
        item = evidence_of(number, row)
        if copies:
            sentences = split_sentences(row["text"], row["role"] == "table")
            cases += [Case(item, "copy", one.text.rstrip(".。") + ".") for one in sentences]
        cases += [Case(item, "true", text.removesuffix("[1].").strip()) for text in map(bare, row["true"])]
        cases += [Case(item, one["kind"], bare(one["text"])) for one in row["false"]]
    return cases


def bare(text: str) -> str:
    """Return a statement without its mark."""
    return text.replace(" [1]", "")


def evidence_of(number: int, row: dict[str, str | list[str]]) -> Evidence:
    """Return a text as a found node."""
    text, path = str(row["text"]), list(row["path"])
    hit = Hit(
        f"n{number:014x}", f"d{number}", str(row["document"]), 1, cast(Role, row["role"]), 1.0, 1, 1, None, path,
        text[:40],
    )  # fmt: skip
    return Evidence(hit, text)


def fit(cases: list[Case]) -> None:
    """Fit the weights to what no value or name has decided, and print them with the rates of texts left out."""
    hard = [case for case in cases if case.verdict and case.verdict.problem not in ("", "unsaid")]
    soft = [case for case in cases if case not in hard and case.verdict and case.verdict.seen]
    seen = np.array([case.verdict.seen for case in soft if case.verdict])
    holds = np.array([case.holds for case in soft])
    weight = np.where(
        holds, [0.5 if c.kind == "copy" else 1.0 for c in soft], holds.sum() / max(1, (~holds).sum())
    )
    documents = np.array([case.item.hit.document for case in soft])
    left_out = np.zeros(len(soft))
    for document in set(documents):
        others = documents != document
        left_out[~others] = seen[~others] @ logistic(seen[others], holds[others], weight[others])
    print("weights", logistic(seen, holds, weight).round(2).tolist(), "now", list(WEIGHTS))
    true = np.array([case.kind == "true" for case in soft])
    totals = Counter("true" if c.kind == "true" else "false" for c in cases if c.kind != "copy")
    firm = Counter("true" if c.kind == "true" else "false" for c in hard if c.kind != "copy")
    for least in np.arange(-3.0, 0.1, 0.25):
        rates = [
            round((firm[name] + int((left_out[group] < least).sum())) / totals[name], 3)
            for name, group in (("true", true), ("false", ~holds))
        ]
        print(f"least {least:.2f}: true marked {rates[0]}, false marked {rates[1]}")
    assert all(abs(certainty(row.tolist())) < 1e3 for row in seen)


def logistic(seen: np.ndarray, holds: np.ndarray, weight: np.ndarray, penalty: float = 0.5) -> np.ndarray:
    """Return the weights of a logistic regression, by Newton's method; the bias is not held small."""
    weights = np.zeros(seen.shape[1])
    held_small = penalty * np.r_[0.0, np.ones(seen.shape[1] - 1)]
    for _ in range(50):
        sure = 1 / (1 + np.exp(-(seen @ weights)))
        slope = seen.T @ (weight * (sure - holds)) + held_small * weights
        bend = (seen * (weight * sure * (1 - sure))[:, None]).T @ seen + np.diag(held_small + 1e-6)
        weights -= np.linalg.solve(bend, slope)
    return weights


if __name__ == "__main__":
    main()
