"""Headers of several levels: what stands over repeated blocks of columns, and what over one column alone.

"Gross, Net, Gross, Net" stand below "2022" and "2021": each text of the upper level is that of one of the blocks,
wherever over it the text is printed. "Carrying" over "Amount" is the first line of a wrapped name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

_FEWEST_BLOCKS, _FEWEST_COLUMNS = 2, 2


def texts_over_blocks(header: Sequence[Sequence[str]], first: int) -> dict[int, dict[int, str]]:
    """Return, by row of the header and column, the texts of levels that stand over repeated blocks of columns.

    ``first`` is the first column that does not name the rows. Levels whose texts are as many as the blocks are told.
    """
    width = max(map(len, header), default=0)
    full = [[*(" ".join(cell.split()) for cell in row), *[""] * (width - len(row))] for row in header]
    found: dict[int, dict[int, str]] = {}
    for place, level in enumerate(full[:-1]):
        texts = [(column, text) for column, text in enumerate(level) if text and column >= first]
        below = [tuple(row[column] for row in full[place + 1 :]) for column in range(first, width)]
        count = len(texts)
        if count < _FEWEST_BLOCKS or len({text for _, text in texts}) < count or len(below) % count:
            continue
        size = len(below) // count
        blocks = [below[start : start + size] for start in range(0, len(below), size)]
        filled = sum(any(names) for names in blocks[0])
        if filled < _FEWEST_COLUMNS or any(block != blocks[0] for block in blocks[1:]):
            continue
        within = all(
            first + size * block <= column < first + size * (block + 1)
            for block, (column, _) in enumerate(texts)
        )
        if within:
            found[place] = {first + at: texts[at // size][1] for at in range(len(below))}
    return found


def own_names(names: Mapping[int, str]) -> dict[int, str]:
    """Return the columns' own names by place: the levels from the first on that stands over one column alone."""
    levels = {column: name.split(" / ") for column, name in names.items()}
    count = Counter(tuple(own[:depth]) for own in levels.values() for depth in range(1, len(own) + 1))
    found = {}
    for column, own in levels.items():
        alone = (depth for depth in range(len(own)) if count[tuple(own[: depth + 1])] == 1)
        found[column] = " ".join(own[next(alone, len(own) - 1) :])
    return found
