"""Columns that no rules part: in tables with rules above, under the head and below only, and in columns of a grid.

Columns are told by their gutters, rows by the white between lines.
"""

import itertools
from collections.abc import Iterator, Sequence
from statistics import median

from engine.parse.pdf_grids import FIGURE, TOUCH, Rule, Word, cell_text, text_lines
from engine.parse.pdf_text import is_cjk
from engine.parse.sheet_regions import YEAR
from engine.structure.captions import caption_label
from engine.structure.sequences import runs

Grid = tuple[list[Rule], list[Rule]]
Span = tuple[float, float]
MOST_RULES, HEAD_LINES, PROSE = 60, 5, 0.7
# Words of a line stand apart by less than this share of their height.
SPACE = 0.36
# The letters of a Chinese word in a head are set apart by up to so many heights.
SPREAD = 3.5
APART = 1.2
SIGNS = "$€£¥%()"
# So many words of a column of figures are figures, and so many lines has one at least.
MOSTLY, FEWEST = 0.6, 3
# So many letters has a cell of a table at the mean; columns of prose have more lines than this between two rules.
LONGEST_MEAN, MOST_LINES = 60, 120


def three_ruled(rules: Sequence[Rule], words: Sequence[Word]) -> list[Grid]:
    """Return the grids that runs of three and more rules of one extent imply, as rules across and down."""
    found: list[Grid] = []
    rest = sorted(rules, key=lambda rule: rule.at)[:MOST_RULES]
    while rest:
        alike = [r for r in rest if abs(r.start - rest[0].start) < TOUCH and abs(r.end - rest[0].end) < TOUCH]
        rest = [r for r in rest if r not in alike]
        alike = [b for a, b in itertools.pairwise([Rule(-TOUCH, 0, 0), *alike]) if b.at - a.at >= TOUCH]
        for run in _tables_of(alike, words):
            start = 0
            while start + 2 < len(run):
                for end in range(len(run), start + 2, -1):
                    if grid := _grid(run[start:end], rules, words):
                        found.append(grid)
                        start = end - 1
                        break
                start += 1
    return found


def _tables_of(rules: Sequence[Rule], words: Sequence[Word]) -> Iterator[Sequence[Rule]]:
    """Yield the rules of tables that stand one below the other: below a caption, or a line that crosses the columns,
    or at once, names stand over figures again."""
    inside = [word for word in words if rules[0].start - TOUCH <= word.x0 and word.x1 <= rules[0].end + TOUCH]
    bands = [_between(inside, a.at, b.at) for a, b in itertools.pairwise(rules)]
    start = 0
    for n in range(2, len(bands)):
        if n >= start + 2 and (below := _begins(*bands[n - 1 : n + 3], [], [])) is not None:
            yield rules[start : n + 1]
            start = n + below
    yield rules[start:]


def _begins(above: Sequence[Word], band: Sequence[Word], *below: Sequence[Word]) -> bool | None:
    """Tell whether a band between rules parts two tables as a line between them, or is the head of the second."""
    if any(caption_label(cell_text(_between(band, *line))) for line in text_lines(band)):
        return True
    most = [max(map(len, _pieces(words)), default=0) for words in (band, below[0])]
    figures = [any(map(_is_figure, words)) for words in (above, band, *below)]
    heads = [most[at] > 1 and figures[at + 2] > figures[at + 1] for at in (0, 1)]
    return most[0] == 1 if figures[0] and (heads[0] or (most[0] == 1 and heads[1])) else None


def _grid(run: Sequence[Rule], rules: Sequence[Rule], words: Sequence[Word]) -> Grid | None:
    left, right, top, bottom = run[0].start, run[0].end, run[0].at, run[-1].at
    between = (word for word in _between(words, top, bottom) if word.text.strip(SIGNS))
    inside = [word for word in between if left - TOUCH <= word.x0 and word.x1 <= right + TOUCH]
    bands = [_between(inside, a.at, b.at) for a, b in itertools.pairwise(run)]
    if not all(bands) or len(text_lines(bands[0])) > HEAD_LINES:
        return None
    body = [line for band in bands[1:] for line in _pieces(band)]
    head = max(_pieces(bands[0], SPREAD), key=len)
    gutters = _gutters(body, [(a[1], b[0]) for a, b in itertools.pairwise(head)])
    columns = len(gutters) + 1
    if columns < 2 or len(body) > MOST_LINES or len(head) < 2:
        return None
    few = [line for line in _pieces(bands[0]) if len(line) < columns - 1]
    if any(sum(b - a for a, b in line) > PROSE * (right - left) for line in few):
        return None  # a rule of the page, with a caption and more before the table
    if all(_is_figure(word) for word in bands[0] if word.x1 > head[-1][0]):
        return None  # the head stands above the first rule
    names = [word for band in bands[1:] for word in band if word.x1 <= gutters[0]]
    beside = any(word.x1 <= left for word in _between(words, bands[1][0].y0, bottom))
    if beside and all(map(_is_figure, names)):
        return None  # rules under the columns of figures alone
    if sum(len(word.text) for word in inside) > LONGEST_MEAN * columns * (len(body) + 1):
        return None
    edges = [top]
    for band, rule in zip(bands, run[1:], strict=True):
        short = [r.at for r in rules if edges[-1] + TOUCH < r.at < rule.at - TOUCH and left < r.start < right]
        edges += sorted({*short, *(_row_edges(band, gutters) if len(edges) > 1 else ()), rule.at})
    across = [Rule(y, left, right) for y in edges]
    down = [Rule(left, top, bottom), Rule(right, top, bottom)]
    for above, below in itertools.pairwise(edges):
        lines = _pieces(_between(inside, above, below))
        down += [Rule(x, above, below) for x in _uncrossed(gutters, lines)]
    return across, down


def _is_figure(word: Word) -> bool:
    return bool(FIGURE.fullmatch(word.text)) and not YEAR.match(word.text)


def _between(words: Sequence[Word], above: float, below: float) -> list[Word]:
    return [word for word in words if above < (word.y0 + word.y1) / 2 <= below]


def with_gutters(grid: Grid, words: Sequence[Word]) -> Grid:
    """Return a grid with the vertical rules it lacks where texts stand in columns, some of figures."""
    across, down = grid
    left, right = min(rule.start for rule in across), max(rule.end for rule in across)
    told = [word for word in words if word.text.strip(SIGNS)]
    ruled: dict[Span, dict[Span, list[Word]]] = {}
    for ys in itertools.pairwise(rule.at for rule in across):
        sides = {rule.at for rule in down if rule.start <= sum(ys) / 2 <= rule.end}
        for side in itertools.pairwise(sorted({left, right, *sides})):
            if inside := [word for word in _between(told, *ys) if side[0] <= (word.x0 + word.x1) / 2 <= side[1]]:
                ruled.setdefault(side, {})[ys] = inside
    found = list(down)
    for side, bands in ruled.items():
        lines = {ys: _pieces(inside) for ys, inside in bands.items()}
        gutters = _parting([line for band in lines.values() for line in band], down)
        columns = list(itertools.pairwise((side[0], *gutters, side[1])))
        tall = [inside for ys, inside in bands.items() if len(lines[ys]) > FEWEST]
        whole = [word for inside in bands.values() for word in inside]
        if all(any(_are_figures(inside, *column) for column in columns) for inside in tall or [whole]):
            found += [Rule(x, *ys) for ys, band in lines.items() for x in _uncrossed(gutters, band)]
    return across, found


def _parting(lines: Sequence[Sequence[Span]], rules: Sequence[Rule]) -> list[float]:
    """Return where gutters with text on both sides, in a quarter of the lines at least, part columns."""
    fewest = max(FEWEST, len(lines) // 4)
    found = []
    for a, b in free_bands(lines):
        if b - a > 2 and sum(line[0][0] < a and line[-1][1] > b for line in lines) >= fewest:
            found.append(next((rule.at for rule in rules if a - TOUCH < rule.at < b + TOUCH), (a + b) / 2))
    return found


def _uncrossed(gutters: Sequence[float], lines: Sequence[Sequence[Span]]) -> list[float]:
    return [x for x in gutters if not any(a < x - 1 and b > x + 1 for line in lines for a, b in line)]


def _are_figures(words: Sequence[Word], left: float, right: float) -> bool:
    inside = [word for word in words if left < (word.x0 + word.x1) / 2 < right]
    return sum(map(_is_figure, inside)) >= max(FEWEST, MOSTLY * len(inside))


def _pieces(words: Sequence[Word], spread: float = SPACE) -> list[list[Span]]:
    """Return for each line the extents of the texts that gaps part; single Chinese letters by more than ``spread``."""
    lines: list[list[Span]] = []
    for top, bottom in text_lines(words):
        pieces: list[Span] = []
        before = ""
        for word in sorted(_between(words, top, bottom), key=lambda word: word.x0):
            letters = len(before) == len(word.text) == 1 and is_cjk(before) and is_cjk(word.text)
            if pieces and word.x0 - pieces[-1][1] < (spread if letters else SPACE) * (word.y1 - word.y0):
                pieces[-1] = (pieces[-1][0], max(pieces[-1][1], word.x1))
            else:
                pieces.append((word.x0, word.x1))
            before = word.text
        lines.append(pieces)
    return lines


def _gutters(lines: Sequence[Sequence[Span]], head: Sequence[Span]) -> list[float]:
    """Return where columns part: in bands that hardly any line of the body crosses, and between texts of the head."""
    free = free_bands(lines)
    shared = [(max(a, c), min(b, d)) for a, b in free for c, d in head if min(b, d) - max(a, c) > 2]
    alone = [(a, b) for a, b in free if b - a > 2 and not any(a <= c and d <= b for c, d in shared)]
    over = [(c, d) for c, d in head if not any(c <= a and b <= d for a, b in shared)]
    return sorted((a + b) / 2 for a, b in (*shared, *alone, *over))


def free_bands(lines: Sequence[Sequence[Span]]) -> list[Span]:
    """Return the bands, from left to right, that hardly any line crosses."""
    crossing = len(lines) // 8
    pieces = [piece for line in lines for piece in line]
    ends = sorted({x for piece in pieces for x in piece})
    free = [(a, b) for a, b in itertools.pairwise(ends) if sum(x0 < b and x1 > a for x0, x1 in pieces) <= crossing]
    return [(band[0][0], band[-1][1]) for band in runs(free, lambda band, one: one[0] == band[-1][1])]


def _row_edges(words: Sequence[Word], gutters: Sequence[float]) -> Iterator[float]:
    """Yield the heights between the rows of a band: where the white is wider, or where a line names a new row."""
    lines = text_lines(words)
    steps = [sum(b) / 2 - sum(a) / 2 for a, b in itertools.pairwise(lines)]
    tight = min(steps, default=0.0)
    height = median(b - a for a, b in lines)
    if all(step < APART * tight for step in steps) and tight < APART * height:
        firsts = [any(word.x1 <= gutters[0] for word in _between(words, *line)) for line in lines]
        new = firsts[1:]
    else:
        tight = min(tight, height)
        new = [step > APART * tight for step in steps]
    for begins, (before, after) in zip(new, itertools.pairwise(lines), strict=True):
        if begins:
            yield (before[1] + after[0]) / 2
