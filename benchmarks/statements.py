"""Measure the check of statements: how many false ones are marked, and how many true ones are.

    python benchmarks/statements.py [FILE…] [--held] [--show] [--fit]

A FILE (``statements.jsonl`` beside this script by default) has a JSON object a line: a text with its ``document``,
``path`` and ``role``, statements that are ``true`` by it in other words or another language, and ``false`` ones with
the kind of what is wrong. Each is checked as the one sentence of a model's reply that cites the text. ``--held`` leaves
out the documents that the judge was trained on (``entailment_data.py``). ``--fit`` fits the weights of
:mod:`engine.answer.check.judging` anew and prints what they would give for texts that were left out.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from entailment_data import held_out

from engine.answer.check.checking import check
from engine.answer.check.judging import WEIGHTS, Judge, Verdict
from engine.answer.phrases import phrases_for
from engine.model import Evidence, Hit, Role
from engine.providers.entailment import open_judge


@dataclass
class Case:
    """A statement about a text; ``kind`` is "true" or what is wrong with it."""

    item: Evidence
    kind: str
    text: str
    held: bool = False
    verdict: Verdict | None = None

    @property
    def holds(self) -> bool:
        """True where the text says it."""
        return self.kind == "true"


def main() -> None:
    """Check every statement and print the rates."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("files", nargs="*", type=Path, default=[Path(__file__).with_suffix(".jsonl")])
    parser.add_argument("--held", action="store_true", help="only documents that the judge was not trained on")
    parser.add_argument("--show", action="store_true", help="print every statement told wrongly")
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    judge = open_judge()
    cases = [case for path in options.files for case in cases_of(path)]
    if options.held:
        cases = [case for case in cases if case.held]
    if options.fit:
        for case in cases:
            case.verdict = Judge([case.item], "", judge).verdict(case.text, [0])
        fit(cases)
        return
    states: dict[str, Counter[str]] = {}
    for case in cases:
        made = check(f"{case.text} [1]", [case.item], question="", phrases=phrases_for(case.text), entailment=judge)
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


def cases_of(path: Path) -> list[Case]:
    """Return the statements of a file."""
    cases: list[Case] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        row = json.loads(line)
        item, held = evidence_of(number, row), held_out(row)
        cases += [Case(item, "true", text.removesuffix("[1].").strip(), held) for text in map(bare, row["true"])]
        cases += [Case(item, one["kind"], bare(one["text"]), held) for one in row["false"]]
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
    """Fit the weights, and print them with the rates of texts left out."""
    soft = [case for case in cases if case.verdict and case.verdict.seen]
    seen = np.array([case.verdict.seen for case in soft if case.verdict])
    holds = np.array([case.holds for case in soft])
    weight = np.where(holds, 1.0, holds.sum() / max(1, (~holds).sum()))
    documents = np.array([case.item.hit.document for case in soft])
    left_out = np.zeros(len(soft))
    for document in set(documents):
        others = documents != document
        left_out[~others] = seen[~others] @ logistic(seen[others], holds[others], weight[others])
    print("weights", logistic(seen, holds, weight).round(2).tolist(), "now", list(WEIGHTS))
    for least in np.arange(-3.0, 1.1, 0.25):
        rates = [round(float((left_out[group] < least).mean()), 3) for group in (holds, ~holds)]
        print(f"least {least:.2f}: true marked {rates[0]}, false marked {rates[1]}")


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
