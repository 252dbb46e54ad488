"""Train the judge of statements that ships, and write it beside the embedding model.

    uv run --no-sync --with torch --with onnx python benchmarks/train_entailment.py FOLDER [--passes 2]

FOLDER holds the question sets ``cmrc_zh``, ``drcd_zh``, ``xquad_zh`` and ``xquad_en`` (CMRC 2018, CC BY-SA 4.0; DRCD,
CC BY-SA 3.0; XQuAD, CC BY-SA 4.0). The judge goes on from the reader: the same layers with one head that tells whether
a text entails a statement, leaves it open or contradicts it (as natural language inference: Bowman et al., EMNLP 2015).
What it is trained on says ``entailment_data.py``. Held-out documents tell how well it does: the share of false
statements found where a twentieth of the true ones is taken for false. torch and onnx are no dependencies.

The judge that ships went on from such a one over statements about real documents (``statements/r*.jsonl``):

    … train_entailment.py FOLDER --real INFOTABS --start entailment.onnx

One pass over these, one over these with 900 of the other written statements and 300 of InfoTabS (a checkout of it),
both of the last five layers and the heads only; half of each weight is kept from before, which keeps what both know
(WiSE-FT: Wortsman et al., CVPR 2022). The weights that ship were made by steps of this kind on the stored output of the
layers below, in 8 bits, with the stretch of a text that the check would send.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from entailment_data import ENTAILED, Case, Made, of_tables, written
from reader_model import FROZEN, Reader, export
from torch.nn import functional
from train_reader import Row, batches, tensors

from engine.providers.e5_model import open_tokenizer
from engine.providers.embedding import WEIGHTS

RATE, NEW = 1e-4, 6
# A pass sees so many made cases, and every written one so many times.
_MADE, _TIMES = 6_000, 1
_MOST_TOKENS = 320
_WARMING = 1 / 12
_TRUE_TAKEN_FOR_FALSE = 0.05
_SMOOTHING = 0.05
# Over real documents: the layers below are as they were, so many other statements are seen again, and how much is kept.
_BELOW, _AGAIN, _OF_TABLES, _KEPT = 7, 900, 300, 0.5
_RATE_REAL, _NEW_REAL = 1.2e-4, 2


def main() -> None:
    """Train, tell how well held-out statements are judged, and write the model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--made", type=int, default=_MADE)
    parser.add_argument("--times", type=int, default=_TIMES)
    parser.add_argument("--all", action="store_true", help="train on the held-out statements, too")
    parser.add_argument("--rate", type=float, default=RATE, help="what is new is trained at six times it")
    parser.add_argument("--real", type=Path, metavar="INFOTABS", help="go on over real documents")
    parser.add_argument("--start", type=Path, default=WEIGHTS / "reader.onnx")
    parser.add_argument("--out", type=Path, default=WEIGHTS / "entailment.onnx")
    options = parser.parse_args()
    torch.manual_seed(0)
    random.seed(0)
    model = Reader(options.start, verdicts=3).train()
    for layer in model.layers[: _BELOW if options.real else FROZEN]:
        layer.requires_grad_(False)
    if options.real:
        _go_on(model, options.real, options.out)
        return
    by_hand = [(held and not options.all, one) for held, said in written() for one in said]
    held = {"written": [one for is_held, one in by_hand if is_held]}
    passes = []
    for number in range(options.passes):
        made = _made(options.folder, number)
        held.setdefault("made", random.sample([one for is_held, one in made if is_held], 600))
        chosen = random.sample([one for is_held, one in made if not is_held], options.made)
        passes.append([*chosen, *[one for is_held, one in by_hand if not is_held] * options.times])
    print({name: len(cases) for name, cases in held.items()}, list(map(len, passes)), flush=True)
    rows_held = {name: _rows(cases) for name, cases in held.items() if cases}
    _train(model, [_rows(cases) for cases in passes], rows_held, options.rate, NEW)
    examples = [tensors(batch) for batch in batches(_rows(random.sample(passes[0], 500)), 16)]
    export(model, WEIGHTS / "model.onnx", options.out, examples)


def _go_on(model: Reader, tables: Path, out: Path) -> None:
    """Train over statements about real documents, mean the weights with those before, and write the model."""
    before = {name: one.clone() for name, one in model.state_dict().items()}
    of_real = [(held, one) for held, said in written("r*.jsonl") for one in said]
    others = [one for held, said in written("[vw]*.jsonl") for one in said if not held]
    real = _rows([one for held, one in of_real if not held])
    rows_held = {"real": _rows([one for held, one in of_real if held])}
    again = _rows(random.sample(others, _AGAIN) + of_tables(tables, _OF_TABLES))
    for rows in (real, real + again):
        _train(model, [rows], rows_held, _RATE_REAL, _NEW_REAL)
    after = model.state_dict()
    model.load_state_dict({name: torch.lerp(one, before[name], _KEPT) for name, one in after.items()})
    examples = [tensors(batch) for batch in batches(random.sample(real + again, 320), 16)]
    export(model, WEIGHTS / "model.onnx", out, examples)


def _made(folder: Path, seed: int) -> list[tuple[bool, Case]]:
    made = Made(seed)
    found = [
        *made.of(folder / "xquad_en", folder / "xquad_zh"),
        *made.of(folder / "xquad_zh", folder / "xquad_en"),
    ]
    found += made.of(folder / "cmrc_zh")
    traditional = list(made.of(folder / "drcd_zh"))
    return found + random.sample(traditional, len(traditional) // 4)


def _rows(cases: Sequence[Case]) -> list[Row]:
    """Return cases in tokens; the label is where an answer of the reader would begin."""
    rows = []
    for one in cases:
        above = f"passage: {one.title}\n" if one.title else "passage: "
        encoded = open_tokenizer(WEIGHTS).encode("query: " + one.statement, above + one.text)
        places = list(zip(encoded.sequence_ids, encoded.offsets, strict=True))[:_MOST_TOKENS]
        body = [int(part == 1 and start >= len(above) and end > start) for part, (start, end) in places]
        rows.append(Row(encoded.ids[:_MOST_TOKENS], body, one.label, 0))
    return rows


def _train(model: Reader, passes: Sequence[Sequence[Row]], held: dict[str, list[Row]], rate: float, new: float) -> None:
    trained = [p for name, p in model.named_parameters() if not name.startswith("head") and p.requires_grad]
    optimizer = torch.optim.AdamW(
        [{"params": trained, "lr": rate}, {"params": list(model.heads()), "lr": rate * new}],
        weight_decay=0.01, betas=(0.9, 0.98), fused=True,
    )  # fmt: skip
    stepped = [list(batches(rows)) for rows in passes]
    steps = sum(map(len, stepped))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min((step + 1) / (steps * _WARMING), (steps - step) / (steps * (1 - _WARMING))),
    )
    for number, of_pass in enumerate(stepped, 1):
        for at, batch in enumerate(of_pass):
            if at % 20 == 0:
                print(at, len(of_pass), __import__("time").strftime("%X"), flush=True)
            labels = torch.tensor([row.first for row in batch])
            with torch.autocast("cpu", dtype=torch.bfloat16):
                told = model(**tensors(batch))[2]
            loss = functional.cross_entropy(told, labels, label_smoothing=_SMOOTHING)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
        print(f"pass {number}:", {name: _told(model, rows) for name, rows in held.items()}, flush=True)


def _told(model: Reader, rows: Sequence[Row]) -> dict[str, float]:
    """Return how held-out cases are judged: the labels right, and the false found at a bearable loss of true ones."""
    entailed: list[float] = []
    labels: list[int] = []
    right = 0
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        for batch in batches(rows):
            told = functional.log_softmax(model(**tensors(batch))[2], -1)
            right += int((told.argmax(-1) == torch.tensor([row.first for row in batch])).sum())
            entailed += told[:, ENTAILED].tolist()
            labels += [row.first for row in batch]
    scores, truth = np.array(entailed), np.array(labels) == ENTAILED
    least = np.quantile(scores[truth], _TRUE_TAKEN_FOR_FALSE)
    area = float((scores[truth][:, None] > scores[~truth][None, :]).mean())
    told_at = {
        "right": right / len(rows),
        "area": area,
        "false found": float((scores[~truth] < least).mean()),
    }
    return {name: round(value, 3) for name, value in told_at.items()}


if __name__ == "__main__":
    main()
