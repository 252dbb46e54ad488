"""Letters that a page sets one by one: columns of vertical text, headings with spaces between their letters."""

import itertools
from collections.abc import Sequence
from statistics import median
from typing import Any

from engine.model import BBox, hull
from engine.parse.pdf_text import is_cjk, lines_in
from engine.structure.sequences import runs

FEWEST = 5
# Of a page's letters, so many stand alone above each other where its text is vertical; rows of a table do not.
MOSTLY = 0.6
CLOSE, FAR = 0.7, 1.7


def join_glyphs(content: dict[str, Any], text: Any) -> None:
    """Put letters of one line together in PyMuPDF's ``dict`` output; ``text`` is the text page it is of."""
    lines = list(lines_in(content))
    single = [_single(line) for line in lines]
    if sum(map(len, single)) < FEWEST:
        return
    letters = sum(len("".join(_words(line).split())) for line in lines)
    stacks = [run for run in _runs(lines, single, _below) if len(run) >= FEWEST - 1]
    if sum(map(len, stacks)) >= MOSTLY * letters:
        for run in stacks:
            _merge(lines, run, "".join(single[at] for at in run), (0.0, 1.0))
        return
    spaced = [run for run in _runs(lines, single, _beside) if sum(len(single[at]) for at in run) >= FEWEST]
    places = _places(text) if spaced else []
    for run in spaced:
        if len(places) == len(lines) and (words := _spelled([char for at in run for char in places[at]])):
            _merge(lines, run, words, lines[run[0]]["dir"])


def _words(line: dict[str, Any]) -> str:
    return "".join(span["text"] for span in line["spans"])


def _single(line: dict[str, Any]) -> str:
    """Return the letters of a line in which each stands alone, "" for any other line."""
    tokens = _words(line).split()
    alone = line["dir"][0] > 0.94 and all(len(token) == 1 and token.isalpha() for token in tokens)
    return "".join(tokens) if alone else ""


def _runs(lines: Sequence[dict[str, Any]], single: Sequence[str], follows: Any) -> list[list[int]]:
    set_apart = [at for at, letters in enumerate(single) if letters]
    return runs(set_apart, lambda run, at: run[-1] == at - 1 and follows(lines[at - 1], lines[at], single[at]))


def _below(before: dict[str, Any], line: dict[str, Any], letters: str) -> bool:
    size = line["spans"][0]["size"]
    step = line["bbox"][1] - before["bbox"][1]
    same = abs(line["bbox"][0] - before["bbox"][0]) < 0.5 * size
    return len(letters) == 1 and is_cjk(letters) and same and CLOSE * size < step < FAR * size


def _beside(before: dict[str, Any], line: dict[str, Any], _letters: str) -> bool:
    size = line["spans"][0]["size"]
    same = abs(line["bbox"][3] - before["bbox"][3]) < 0.2 * size
    return same and 0 < line["bbox"][0] - before["bbox"][2] < 3 * size


def _merge(lines: Sequence[dict[str, Any]], run: Sequence[int], text: str, direction: tuple[float, float]) -> None:
    first = lines[run[0]]
    first["bbox"], first["dir"] = hull(lines[at]["bbox"] for at in run), direction
    shown = next((span for span in first["spans"] if span["text"].strip()), first["spans"][0])
    first["spans"] = [{**shown, "text": text}]
    for at in run[1:]:
        lines[at]["spans"] = []


def _places(text: Any) -> list[list[tuple[str, BBox]]]:
    """Return the characters of each line of a page with their boxes."""
    found = ([char for span in line["spans"] for char in span["chars"]] for line in lines_in(text.extractRAWDICT()))
    return [[(one["c"], one["bbox"]) for one in chars if not one["c"].isspace()] for chars in found]


def _spelled(chars: Sequence[tuple[str, BBox]]) -> str:
    """Return the words of letters set apart, which wider gaps part; "" where they are no words."""
    pairs = list(itertools.pairwise(chars))
    gaps = [after[1][0] - before[1][2] for before, after in pairs]
    steps = [after[1][0] - before[1][0] for before, after in pairs]
    height = median(box[3] - box[1] for _, box in chars)
    usual, step = median(gaps), median(steps)
    if usual > 0.8 * height:
        return ""
    text = chars[0][0]
    for (_, (char, _)), gap, wide in zip(pairs, gaps, steps, strict=True):
        apart = gap > 1.5 * usual + 0.1 * height and wide > 1.05 * step
        text += f" {char}" if apart else char
    return text if max(map(len, text.split())) > 2 else ""
