"""Fit the calibration that tells whether a passage answers: weights, thresholds and a reliability curve.

    python benchmarks/calibration.py collect OUT.npz DATASET_FOLDER… [--questions 150] [--passages 1200]
    python benchmarks/calibration.py fit IN.npz… [--write] [--table docs/calibration.md]

Every question of a set (the form of ``dropqa eval``) is judged twice: with its gold passages among the evidence and
without them. Beside the sets the invented documents of ``reader_documents`` are asked that the reader was not trained
on, with questions that they answer and that they do not. ``fit`` fits one logistic model over all sets but one and
tells how it does on that one, each in turn; what is written is fitted on all, each set counting the same, those that
the reader learned from half.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from reader_questions import is_held
from refusals import _folded, _gold, _rows, _strings, _text

from engine.answer.evidence.calibration import FILE
from engine.answer.evidence.features import NAMES, features_of
from engine.answer.evidence.judging import places_of
from engine.answer.understand import understand
from engine.config import Settings
from engine.library import Library
from engine.model import Evidence, Filters
from engine.providers.embedding import open_embedder
from engine.providers.reading import open_reader
from engine.providers.similarity import SentenceSimilarity
from engine.retrieve.pack import retrieved

INVENTED = Path(__file__).parent / "reader_documents"
_HELD_OUT = 8
_PENALTY = 1.0
# Precision and recall of refusals, the mean over the sets, are at least so much.
_LEAST = 0.85
# The reader learned from articles of these sets and is surer there than elsewhere.
_SEEN = ("xquad_en", "xquad_zh", "xquad_zh_en", "cmrc_zh", "drcd_zh")
# What can only speak for or against an answer; a weight of the other sign is chance, and the feature is left out.
_SIGNS = {
    "read": 1, "meaning": 1, "sentence": 1, "elsewhere": -1, "nowhere": -1, "things_missing": -1,
    "kind_missing": -1, "rank": 1, "short": -1,
}  # fmt: skip
_READ = ("read", "read_second", "foreign_read")


class Asked(NamedTuple):
    """A question with its known answers, the documents that hold them, and whether it has any."""

    text: str
    answers: tuple[str, ...]
    gold: frozenset[str]


@dataclass
class Collected:
    """Rows of features with labels; ``question`` numbers the judgement a row belongs to, ``has`` says if it has one."""

    features: list[np.ndarray]
    labels: list[int]
    question: list[int]
    has: list[int]
    sets: list[str]
    unread: list[int]


def main() -> None:
    """Run one of the two steps."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("step", choices=("collect", "fit"))
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--questions", type=int, default=150)
    parser.add_argument("--passages", type=int, default=1200)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--table", type=Path)
    options = parser.parse_args()
    if options.step == "collect":
        collect(options.paths[0], options.paths[1:], options.questions, options.passages)
    else:
        fit(options.paths, options.write, options.table)


# --- collecting -----------------------------------------------------------------------------------


def collect(out: Path, folders: Sequence[Path], questions: int, passages: int) -> None:
    """Judge the questions of the sets and save what was measured."""
    made = Collected([], [], [], [], [], [])
    for folder in folders:
        if folder.name == "invented":
            texts, asked = _invented(questions)
        else:
            texts, asked = _of_set(folder, questions, passages)
        _judge_all(folder.name, texts, asked, made)
        print(folder.name, len(asked), len(made.labels), flush=True)
    np.savez(
        out, features=np.array(made.features), labels=made.labels, question=made.question, has=made.has,
        sets=made.sets, unread=made.unread,
    )  # fmt: skip


def _of_set(folder: Path, questions: int, passages: int) -> tuple[list[tuple[str, str]], list[Asked]]:
    corpus = {row["id"]: row for row in _rows(folder / "corpus.jsonl")}
    gold = _gold(folder / "qrels.tsv")
    rows = [row for row in _rows(folder / "queries.jsonl") if gold.get(row["id"])]
    known = _answers_in_text(folder)
    chance = random.Random(5)
    chance.shuffle(rows)
    asked = []
    for row in rows[:questions]:
        told = known.get(row["id"], row.get("answers", []))
        answers = tuple(a for a in _strings(told) if a not in ("yes", "no", ""))
        if answers:
            asked.append(Asked(row["text"], answers, frozenset(f"{one}.txt" for one in gold[row["id"]])))
    wanted = {name[:-4] for one in asked for name in one.gold}
    others = [key for key in corpus if key not in wanted]
    chance.shuffle(others)
    kept = [*sorted(wanted), *others[: max(0, passages - len(wanted))]]
    return [(f"{key}.txt", _text(corpus[key])) for key in kept if key in corpus], asked


def _answers_in_text(folder: Path) -> dict[str, Any]:
    """Return the answers as the texts say them, where a set asks in one language over texts in another (…_zh_en)."""
    name, _, asked = folder.name.rpartition("_")
    other = folder.parent / f"{name.rpartition('_')[0]}_{asked}" / "queries.jsonl"
    return {row["id"]: row["answers"] for row in _rows(other)} if name.count("_") and other.is_file() else {}


def _invented(questions: int) -> tuple[list[tuple[str, str]], list[Asked]]:
    texts, asked = [], []
    for path in sorted(INVENTED.glob("*.jsonl")):
        for row in _rows(path):
            if not is_held(row["title"], _HELD_OUT):
                continue
            name = f"{row['title'].replace('/', ' ')}.md"
            body = "\n\n".join(f"## {one['heading']}\n\n{one['text']}" for one in row["sections"])
            texts.append((name, f"# {row['title']}\n\n{body}"))
            for question, answer, *_ in row["asked"] + row["asked_other"]:
                asked.append(Asked(question, (_folded(answer),), frozenset([name])))
            asked += [Asked(question, (), frozenset([name])) for question in row["absent"] + row["absent_other"]]
    random.Random(5).shuffle(asked)
    return texts, asked[: 2 * questions]


def _judge_all(name: str, texts: list[tuple[str, str]], asked: Sequence[Asked], made: Collected) -> None:
    settings = Settings()
    reader, embedder = open_reader(), open_embedder(settings.embedding)
    similarity = SentenceSimilarity(embedder) if embedder else None
    with (
        tempfile.TemporaryDirectory() as temporary,
        Library.open(Path(temporary) / "library", settings=settings, background=False) as library,
    ):
        library.add_texts(texts)
        library.embed_pending()
        for one in asked:
            search = partial(library.finder.search, read=False)
            found = retrieved(
                search,
                library.storage,
                one.text,
                Filters(),
                settings.agent.tools.max_context_tokens,
                settings.retrieval,
            ).evidence
            for whole, evidence in _both_ways(one, found):
                for read in (reader, None):
                    _judge_one(name, one, evidence, read, similarity, made, whole)


def _both_ways(one: Asked, found: Sequence[Evidence]) -> Iterator[tuple[bool, list[Evidence]]]:
    """Yield the evidence as found (told by True), and without the passages that answer."""
    yield True, list(found)
    if one.answers:
        without = [
            item
            for item in found
            if item.hit.document not in one.gold and not any(a in _folded(item.text) for a in one.answers)
        ]
        if len(one.gold) == 1 and any(item.hit.path for item in found):  # sections of one document
            without = [item for item in found if not any(a in _folded(item.text) for a in one.answers)]
        yield False, without


def _judge_one(
    name: str,
    one: Asked,
    evidence: Sequence[Evidence],
    reader: Any,
    similarity: Any,
    made: Collected,
    whole: bool,
) -> None:
    question = understand(one.text)
    places, _ = places_of(question, evidence, reader, similarity)
    number = made.question[-1] + 1 if made.question else 0
    rows = features_of(question, places, evidence)
    labels = []
    for place in places:
        item = evidence[place.evidence]
        said = _folded(item.text[place.start : place.end])
        # The words a reader points at stand in the sentence; an annotated answer may be longer than it.
        pointed = _folded(item.text[place.answer_start : place.answer_end])
        holds = any(a in said or (len(pointed) > 1 and pointed in a) for a in one.answers)
        labels.append(int(holds and item.hit.document in one.gold) if holds else 0)
        if holds and item.hit.document not in one.gold:
            labels[-1] = -1  # the words stand elsewhere, too: not known whether they answer there
    has = int(bool(one.answers) and any(item.hit.document in one.gold for item in evidence) and whole)
    if has == 0 and any(label == -1 for label in labels):
        return
    for row, label in zip(rows, labels, strict=True):
        made.features.append(row)
        made.labels.append(label)
        made.question.append(number)
        made.has.append(has)
        made.sets.append(name)
        made.unread.append(int(reader is None))


# --- fitting --------------------------------------------------------------------------------------


class Data(NamedTuple):
    """Rows of one way of judging, with or without a reader."""

    features: np.ndarray
    labels: np.ndarray
    question: np.ndarray
    has: np.ndarray
    sets: np.ndarray


def fit(paths: Sequence[Path], write: bool, table: Path | None) -> None:
    """Fit, hold each set out in turn, print how it does, and write the weights."""
    loaded = [np.load(path) for path in paths]
    lines, sections = [], []
    for title, unread in (("reader", 0), ("words", 1)):
        data = _joined(loaded, unread)
        lines += [
            f"## {title}",
            "",
            "| held out | questions | precision | recall | right place | AUC |",
            "|---|---|---|---|---|---|",
        ]
        held: list[tuple[float, int]] = []
        for name in sorted(set(data.sets)):
            inside = data.sets == name
            weights = _weights(_only(data, ~inside), unread == 1)
            answered, _ = _thresholds(_only(data, ~inside), weights)
            figures, pairs = _figures(_only(data, inside), weights, answered)
            held += pairs
            lines.append(f"| {name} | {figures} |")
        weights = _weights(data, unread == 1)
        answered, closest = _thresholds(data, weights)
        figures, _ = _figures(data, weights, answered)
        lines += [f"| fitted on all | {figures} |", "", *_reliability(held), ""]
        sections.append(_section(title, weights, answered, closest))
    print("\n".join(lines))
    if write:
        FILE.write_text(_HEAD + "\n\n".join(sections) + "\n", "utf-8")
    if table:
        table.write_text(_TABLE_HEAD + "\n".join(lines).rstrip() + "\n", "utf-8")


_HEAD = """# Fitted by benchmarks/calibration.py; not edited by hand. Weights are of the features in features.py,
# thresholds the least probability of an answer and of passages that come closest.

"""
_TABLE_HEAD = """# Calibration

How far the probability that a passage answers can be trusted: `benchmarks/calibration.py`, each question judged with
its passages among the evidence and without them. One logistic model over the features of
`engine/answer/evidence/features.py`; every row below is a set that its weights were not fitted on, at the threshold of
the other sets. Precision and recall are of refusals (no place reaches the threshold), "right place" is how often the
best place holds the known answer where there is one, AUC is of the best place's probability.

"""


def _joined(loaded: Sequence[Any], unread: int) -> Data:
    parts: list[list[np.ndarray]] = [[], [], [], [], []]
    offset = 0
    for one in loaded:
        keep = one["unread"] == unread
        for part, key in zip(parts, ("features", "labels", "question", "has", "sets"), strict=True):
            part.append(one[key][keep] + (offset if key == "question" else 0) if key != "sets" else one[key][keep])
        offset += int(one["question"].max()) + 1
    return Data(*(np.concatenate(part) for part in parts))


def _only(data: Data, keep: np.ndarray) -> Data:
    return Data(*(part[keep] for part in data))


def _weights(data: Data, unread: bool) -> np.ndarray:
    """Fit the places, then the best place of each question, so that its probability is that of the question."""
    used = np.array([not (unread and name in _READ) for name in NAMES])
    known = data.labels >= 0
    while True:
        weights = np.zeros(len(NAMES))
        features = data.features[known][:, used]
        weights[used] = _logistic(features, data.labels[known], _evenly(data, known), used)
        wrong = [i for i, name in enumerate(NAMES) if weights[i] * _SIGNS.get(name, 0) < 0]
        if not wrong:
            break
        used[wrong] = False
    best = _best(data, weights)
    odds = data.features[best] @ weights
    scaled = _logistic(np.stack([np.ones(len(odds)), odds], 1), (data.labels[best] == 1).astype(int), None, None)
    weights = weights * scaled[1]
    weights[0] += scaled[0]
    return weights


def _evenly(data: Data, keep: np.ndarray) -> np.ndarray:
    names, counts = np.unique(data.sets[keep], return_counts=True)
    worth = {
        name: counts.mean() / count * (0.5 if name in _SEEN else 1.0) for name, count in zip(names, counts, strict=True)
    }
    return np.array([worth[name] for name in data.sets[keep]])


def _logistic(
    features: np.ndarray, labels: np.ndarray, worth: np.ndarray | None, used: np.ndarray | None
) -> np.ndarray:
    """Return the weights of a logistic regression with a ridge, by Newton's method."""
    count = features.shape[1]
    worth = np.ones(len(labels)) if worth is None else worth
    penalty = np.full(count, _PENALTY if used is not None else 1e-6)
    penalty[0] = 1e-6
    weights = np.zeros(count)
    for _ in range(50):
        odds = 1 / (1 + np.exp(-np.clip(features @ weights, -30, 30)))
        slope = features.T @ (worth * (labels - odds)) - penalty * weights
        bend = (features * (worth * odds * (1 - odds))[:, None]).T @ features + np.diag(penalty + 1e-9)
        step = np.linalg.solve(bend, slope)
        weights = weights + step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def _best(data: Data, weights: np.ndarray) -> np.ndarray:
    """Return the row of the best place of each question."""
    odds = data.features @ weights
    order = np.lexsort((-odds, data.question))
    first = np.ones(len(order), bool)
    first[1:] = data.question[order][1:] != data.question[order][:-1]
    return order[first]


def _thresholds(data: Data, weights: np.ndarray) -> tuple[float, float]:
    """Return the highest threshold at which refusals are right often enough, and that of what is near.

    The higher it is, the fewer answers are wrong.
    """
    best = _best(data, weights)
    odds = 1 / (1 + np.exp(-data.features[best] @ weights))
    has, sets = data.has[best], data.sets[best]
    tried = np.linspace(0.1, 0.9, 81)

    def score(at: float) -> float:
        both = [_refusals(odds[sets == name] < at, has[sets == name] == 0) for name in set(sets)]
        return float(np.mean(both, axis=0).min())

    kept = [at for at in tried if score(at) >= _LEAST]
    answered = max(kept) if kept else max(tried, key=score)
    near = float(np.quantile(odds[has == 1], 0.02))
    return round(float(answered), 3), round(min(near, float(answered) / 3), 3)


def _refusals(refused: np.ndarray, absent: np.ndarray) -> tuple[float, float]:
    """Return precision and recall of refusals, as if as many had an answer as not."""
    recall = float(refused[absent].mean()) if absent.any() else 0.0
    wrongly = float(refused[~absent].mean()) if (~absent).any() else 0.0
    return recall / max(1e-9, recall + wrongly), recall


def _figures(data: Data, weights: np.ndarray, answered: float) -> tuple[str, list[tuple[float, int]]]:
    best = _best(data, weights)
    odds = 1 / (1 + np.exp(-data.features[best] @ weights))
    has, labels = data.has[best] == 1, data.labels[best]
    refused = odds < answered
    # As many with an answer as without, so that the sets can be compared.
    recall = float(refused[~has].mean()) if (~has).any() else 0.0
    wrongly = float(refused[has].mean()) if has.any() else 0.0
    precision = recall / max(1e-9, recall + wrongly)
    right = float((labels[has] == 1).mean()) if has.any() else 0.0
    ranks = odds.argsort().argsort() + 1
    positive = int(has.sum())
    auc = (ranks[has].sum() - positive * (positive + 1) / 2) / max(1, positive * int((~has).sum()))
    figures = f"{len(best)} | {precision:.2f} | {recall:.2f} | {right:.2f} | {auc:.3f}"
    return figures, [(float(p), int(label == 1)) for p, label in zip(odds, labels, strict=True)]


def _reliability(held: Sequence[tuple[float, int]]) -> list[str]:
    lines = ["| probability told | best places | of these right |", "|---|---|---|"]
    told = np.array([p for p, _ in held])
    right = np.array([label for _, label in held])
    for low in np.arange(0.0, 1.0, 0.1):
        inside = (told >= low) & (told < low + 0.1 + 1e-9)
        if inside.any():
            lines.append(f"| {low:.1f} to {low + 0.1:.1f} | {inside.sum()} | {right[inside].mean():.2f} |")
    error = float(np.abs(told - right).mean())
    return [*lines, "", f"Brier score {float(((told - right) ** 2).mean()):.3f}, mean distance {error:.3f}."]


def _section(title: str, weights: np.ndarray, answered: float, closest: float) -> str:
    values = "\n".join(f"{name} = {value:.3f}" for name, value in zip(NAMES, weights, strict=True) if value)
    return f"[{title}]\nanswered = {answered}\nclosest = {closest}\n\n[{title}.weights]\n{values}"


if __name__ == "__main__":
    main()
