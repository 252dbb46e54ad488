"""Train the reader that ships, and write it beside the embedding model.

    uv run --no-sync --with torch --with onnx --with opencc-python-reimplemented \\
        python benchmarks/train_reader.py FOLDER [--passes 3] [--out reader.onnx]

FOLDER holds the question sets ``cmrc_zh``, ``drcd_zh``, ``xquad_zh`` and ``xquad_en`` (CMRC 2018, CC BY-SA 4.0; DRCD,
CC BY-SA 3.0; XQuAD, CC BY-SA 4.0), ``lawqa_zh`` (STARD, MIT) if there is one, and, beside it in ``tables/tatqa``,
TAT-QA (CC BY 4.0). After some passes over these come some with short everyday questions (``reader_questions``), at half
the rate. Weights between those before and after them keep what both know (WiSE-FT: Wortsman et al., CVPR 2022). The
layers of the embedding model but its first three are trained on; torch and onnx are no dependencies of the project. A
pass over some 30,000 examples takes a quarter of an hour on two cores with bfloat16. With the short questions come
those of whole documents (``reader_documents``).

The weights that ship were made by these steps in four trainings over the short questions as these were written, the
last three with lists, each going on from the mean of those before; .5 of the mean of the first three is of the third.
The fourth (``--start reader.onnx --passes 0``) was 835 steps, then 298 without lists at a falling rate over 9,000 of
the short and 5,900 of the other examples; .7 of the weights are its own.
The fifth was 817 steps at a falling rate over
93 of the documents, 5,000 of the short and 4,900 of the other examples, with lists; .85 are its own. The sixth was
1,482 steps of the same kind over all 178 new documents, three in five groups of the old ones, 4,500 of the short and
4,500 of the other examples; .85 are its own.

A third of the time goes to memory that is given back after every step: preload jemalloc.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from reader_data import Example, Examples
from reader_documents import OTHERS, Documents
from reader_model import FROZEN, Reader, export
from reader_questions import APART, Short, of_laws
from torch.nn import functional

from engine.evaluate.datasets import load_dataset
from engine.providers.e5_model import open_tokenizer
from engine.providers.embedding import WEIGHTS
from engine.providers.embedding_e5 import E5

BATCH = 32
# With short questions so many of the known ones a pass, so many lists a step, and what a list weighs.
_AGAIN, _LISTS, _LIST_WEIGHT, _LIST_SCALE = 9_000, 5, 0.6, 0.5
# Of the weights so much is kept from before the short questions.
_KEPT = 0.3
# Layers are trained at this rate, what is new at six times it.
RATE, NEW = 1e-4, 6
_WARMING = 1 / 12
# Of the largest set so many examples a pass.
_KEPT_OF_LARGEST = 0.62
_MOST_TOKENS = 224
_QUERY, _PASSAGE = "query: ", "passage: "


class Row(NamedTuple):
    """An example in tokens: ids, which of them are the text's, and the first and last of the answer (0, 0 for none)."""

    ids: list[int]
    body: list[int]
    first: int
    last: int


def main() -> None:
    """Train, tell how well the held-out passages are read, and write the model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--short-passes", type=int, default=2)
    parser.add_argument("--start", type=Path, default=WEIGHTS / "model.onnx", help="or a reader.onnx to go on from")
    parser.add_argument("--out", type=Path, default=WEIGHTS / "reader.onnx")
    options = parser.parse_args()
    torch.manual_seed(0)
    random.seed(0)
    model = Reader(options.start).train()
    for layer in model.layers[:FROZEN]:
        layer.requires_grad_(False)
    sets = [_examples(options.folder, seed) for seed in range(max(1, options.passes, options.short_passes))]
    held = _split(sets[0])[1]
    known = [_split(examples)[0] for examples in sets]
    _train(model, [list(batches(rows)) for rows in known[: options.passes]], RATE, NEW, {"sets": held})
    laws, passes = options.folder / "lawqa_zh", []
    near = _Nearest(laws) if laws.exists() and options.short_passes else None
    held_short = _split([*Short(0).of()])[1]
    apart = [row for part in _split([*Short(0).of(APART)]) for row in part]
    model_of_documents = E5(WEIGHTS)
    held_documents = [row for is_held, one in Documents(model_of_documents, 0).of() if is_held for row in _rows(one)]
    for number in range(options.short_passes):
        groups = [one for is_held, one in Documents(model_of_documents, number).of() if not is_held]
        short = _split([*Short(number).of()])[0] + _rows([example for one in groups for example in one])
        again = random.sample(known[number], min(_AGAIN, len(known[number])))
        steps: list[list[Row] | List] = [*batches(short + again)]
        for wide in (of_laws(laws, near, number) if near else (), _lists_of(groups)):
            lists = [rows for one in wide if len(rows := _rows(one)) == len(one)]
            random.shuffle(lists)
            steps += [List(lists[i : i + _LISTS]) for i in range(0, len(lists), _LISTS)]
        passes.append(steps)
    before = {name: one.clone() for name, one in model.state_dict().items()}
    told = {"sets": held, "short": held_short, "documents": held_documents, "apart": apart}
    _train(model, passes, RATE / 2, NEW / 2, told)
    after = model.state_dict()
    model.load_state_dict({name: torch.lerp(one, before[name], _KEPT) for name, one in after.items()})
    examples = [tensors(batch) for batch in batches(known[0][:400] + held_short[:200], 16)]
    export(model, WEIGHTS / "model.onnx", options.out, examples)


def _lists_of(groups: Sequence[Sequence[Example]]) -> Iterator[Sequence[Example]]:
    """Yield a section that answers and ``OTHERS`` of its document that do not, for a third of the questions."""
    for one in random.sample(groups, len(groups) // 3):
        if one[0].answers and len(one) > OTHERS:
            yield one[: OTHERS + 1]


class List(list[list[Row]]):
    """Lists of passages for a question each, of which the first is the one to find."""


def _train(
    model: Reader,
    passes: Sequence[Sequence[list[Row] | List]],
    rate: float,
    new: float,
    held: dict[str, list[Row]],
) -> None:
    """Take the steps of each pass in random order; what is new is trained at ``new`` times the rate."""
    if not passes:
        return
    trained = [p for name, p in model.named_parameters() if not name.startswith("head") and p.requires_grad]
    optimizer = torch.optim.AdamW(
        [{"params": trained, "lr": rate}, {"params": list(model.heads()), "lr": rate * new}],
        weight_decay=0.01, betas=(0.9, 0.98), fused=True,
    )  # fmt: skip
    steps = sum(map(len, passes))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min((step + 1) / (steps * _WARMING), (steps - step) / (steps * (1 - _WARMING))),
    )
    for number, of_pass in enumerate(passes, 1):
        for step in random.sample(of_pass, len(of_pass)):
            loss = _loss_of_lists(model, step) if isinstance(step, List) else _loss(model, step)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
        told = (f"{name} {_area(model, rows):.4f} ({len(rows)} held out)" for name, rows in held.items())
        print(f"pass {number}: area under the curve", ", ".join(told), flush=True)


def _split(examples: Sequence[tuple[bool, Example]]) -> tuple[list[Row], list[Row]]:
    """Return what is trained on, and what is held out."""
    return (
        _rows([one for is_held, one in examples if not is_held]),
        _rows([one for is_held, one in examples if is_held]),
    )


def _examples(folder: Path, seed: int) -> list[tuple[bool, Example]]:
    from opencc import OpenCC

    made = Examples(seed)
    sets = {name: folder / name for name in ("cmrc_zh", "drcd_zh", "xquad_zh", "xquad_en")}
    near = {name: _Nearest(path) for name, path in sets.items()}
    found = [one for name in ("cmrc_zh", "xquad_zh", "xquad_en") for one in made.of(sets[name], sets[name], near[name])]
    for texts, questions in (("xquad_en", "xquad_zh"), ("xquad_zh", "xquad_en")):
        found += made.of(sets[texts], sets[questions], near[texts])
    traditional = [*made.of(sets["drcd_zh"], sets["drcd_zh"], near["drcd_zh"])]
    simplified = made.of(sets["drcd_zh"], sets["drcd_zh"], near["drcd_zh"], OpenCC("t2s").convert)
    found += [one for one in traditional if one[0] or random.random() < _KEPT_OF_LARGEST]
    found += [one for one in simplified if random.random() < _KEPT_OF_LARGEST**2]
    reports = folder.parent / "tables" / "tatqa"
    return found + (list(made.of_reports(reports)) if reports.exists() else [])


class _Nearest:
    """The passages of a set that are nearest to its questions by the embedding model."""

    def __init__(self, folder: Path) -> None:
        dataset, model = load_dataset(folder), E5(WEIGHTS)
        passages = model.raw([f"{_PASSAGE}{one.title}\n{one.text}" for one in dataset.passages])
        questions = model.raw([_QUERY + one.text for one in dataset.questions])
        order = np.argsort(-(questions @ passages.T), axis=1)[:, :30]
        ids = [one.passage_id for one in dataset.passages]
        asked = [one.question_id for one in dataset.questions]
        self._near = {one: [ids[i] for i in row] for one, row in zip(asked, order, strict=True)}

    def __call__(self, question_id: str) -> Sequence[str]:
        return self._near.get(question_id, ())


def _rows(examples: Sequence[Example]) -> list[Row]:
    return [row for example in examples if (row := _row(example)) is not None]


def _row(example: Example) -> Row | None:
    """Return an example in tokens, None where its answer is cut off."""
    above = f"{example.title}\n" if example.title else ""
    begin = len(_PASSAGE) + len(above)
    encoded = open_tokenizer(WEIGHTS).encode(_QUERY + example.question, _PASSAGE + above + example.text)
    places = list(zip(encoded.sequence_ids, encoded.offsets, strict=True))[:_MOST_TOKENS]
    body = [int(part == 1 and start >= begin and end > start) for part, (start, end) in places]
    first = last = 0
    if example.answers:
        low, high = example.start + begin, example.end + begin
        inside = [i for i, (_, (a, b)) in enumerate(places) if body[i] and b > low and a < high]
        if not inside:
            return None
        first, last = inside[0], inside[-1]
    return Row(encoded.ids[:_MOST_TOKENS], body, first, last)


def batches(rows: Sequence[Row], size: int = BATCH) -> Iterator[list[Row]]:
    """Yield the rows in random order, alike in length."""
    shuffled = random.sample(list(rows), len(rows))
    grouped = []
    for at in range(0, len(shuffled), size * 40):
        alike = sorted(shuffled[at : at + size * 40], key=lambda row: len(row.ids))
        grouped += [alike[i : i + size] for i in range(0, len(alike), size)]
    yield from random.sample(grouped, len(grouped))


def tensors(batch: Sequence[Row]) -> dict[str, Any]:
    """Return a batch as the model takes it: ids, mask and body, each of the shape (rows, longest row)."""
    width = max(len(row.ids) for row in batch)
    ids = torch.ones(len(batch), width, dtype=torch.long)
    mask, body = torch.zeros_like(ids), torch.zeros_like(ids)
    for i, row in enumerate(batch):
        ids[i, : len(row.ids)] = torch.tensor(row.ids)
        mask[i, : len(row.ids)] = 1
        body[i, : len(row.ids)] = torch.tensor(row.body)
    return {"ids": ids, "mask": mask, "body": body}


def _loss(model: Reader, batch: Sequence[Row]) -> Any:
    first, last = (torch.tensor([getattr(row, end) for row in batch]) for end in ("first", "last"))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        starts, ends, verdicts = model(**tensors(batch))
    spans = (functional.cross_entropy(starts, first) + functional.cross_entropy(ends, last)) / 2
    return spans + functional.binary_cross_entropy_with_logits(verdicts[:, 0], (first > 0).float())


def _loss_of_lists(model: Reader, lists: List) -> Any:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        verdicts = model(**tensors([row for one in lists for row in one]))[2]
    sought = torch.zeros(len(lists), dtype=torch.long)
    return _LIST_WEIGHT * functional.cross_entropy(verdicts.view(len(lists), -1) * _LIST_SCALE, sought)


def _area(model: Reader, rows: Sequence[Row]) -> float:
    """Return the share of pairs, one that answers and one that does not, in which the first has the higher verdict."""
    told: dict[bool, list[float]] = {True: [], False: []}
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        for batch in batches(rows):
            for row, verdict in zip(batch, model(**tensors(batch))[2][:, 0].tolist(), strict=True):
                told[row.first > 0].append(verdict)
    right = np.searchsorted(np.sort(told[False]), told[True])
    return float(right.mean() / max(1, len(told[False])))


if __name__ == "__main__":
    main()
