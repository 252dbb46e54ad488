"""Running headers, footers and page numbers: lines that repeat in a page's margins."""

import itertools
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.parse.pdf_aligned import NUMBER
from engine.parse.pdf_text import Line, rows_of
from engine.structure.numbering import value_of
from engine.structure.running_texts import PAGE_NUMBER
from engine.structure.sequences import grouped

DIGITS = re.compile(r"\d+")
ROMAN = re.compile(r"[ivxlc]{1,7}", re.IGNORECASE)
# Years, days and amounts: two and more of them in a row of the margin are a table, which statements print at the same
# height on every page.
FIGURE = re.compile(r".*(?:19|20)\d\d(?:年\S{0,6})?|\(?[$€£¥]?\s?\d{1,3}(?:,\d{3})+\)?")
LONGEST_FIGURE = 40
MARGIN, WIDEST_MARGIN = 0.12, 0.3
# The index of a page and the id of a line on it.
Spot = tuple[int, int]
ROWS_LOOKED_AT = 4


def running_lines(pages: Sequence[list[Line]], heights: Sequence[float]) -> set[int]:
    """Return the ids of the lines of running headers and footers, and of page numbers.

    A line is running when its text (digits aside) stands at the same height in the same size on at least three
    pages (or both of two), near the top or bottom edge; a page number also when it only counts along. When all
    lines repeat, none is running, and neither is a row of several years, days or amounts.
    """
    spots: dict[tuple[str | int, ...], set[Spot]] = defaultdict(set)
    top = _top_margin(pages, heights)
    for index, lines in enumerate(pages):
        for line, zone in _margin_lines(lines, heights[index], top):
            if (match := PAGE_NUMBER.match(line.text)) and (value := _number(match[1])) is not None:
                spots[zone, value - index].add((index, id(line)))
            key = _key(line.text)
            edge = line.y0 if zone == 0 else heights[index] - line.y1
            for near in (round(edge / 6), round(edge / 6 + 0.5) + 10_000):
                spots[key, zone, near].add((index, id(line)))
        for line in (line for line in lines if not line.upright):
            spots[_key(line.text), round(line.x0 / 6)].add((index, id(line)))
    found: set[int] = set()
    needed = 2 if len(heights) == 2 else 3
    for place, seen in spots.items():
        short = len(place) == 3 and len(str(place[0])) < 2
        if len({index for index, _ in seen}) >= max(needed, short * 0.3 * len(heights)):
            found.update(line for _, line in seen)
    return found if len(found) < sum(map(len, pages)) else set()


def running_rows(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> Iterator[tuple[str, list[Line]]]:
    """Yield what running lines say, each text once: "header" or "footer", and its rows on the first page with it.

    ``pages`` are the running lines of each page. Numbers that count with the pages are no part of a text.
    """
    told = ((index, line) for index, lines in enumerate(pages) for line in lines if not PAGE_NUMBER.match(line.text))
    groups = grouped((_key(line.text), (index, line)) for index, line in told)
    found: dict[tuple[int, str], list[Line]] = defaultdict(list)
    for group in groups.values():
        counting = _counting([DIGITS.findall(line.text) for _, line in group])
        seen = set()
        for index, line in group:
            numbers = DIGITS.findall(line.text)
            said = tuple(number for number, counts in zip(numbers, counting, strict=True) if not counts)
            if said not in seen and (text := _without_page_number(line.text, counting)):
                seen.add(said)
                zone = "header" if line.y0 < heights[index] / 2 else "footer"
                found[index, zone].append(replace(line, text=text))
    for (_, zone), lines in sorted(found.items(), key=lambda item: (item[0][0], item[0][1] == "footer")):
        yield zone, rows_of(lines)


def _counting(texts: Sequence[list[str]]) -> list[bool]:
    """Tell for each number of a text that comes again whether it goes up with the pages, or begins again at 1."""
    return [
        len(column) > 1 and all(int(b) > int(a) or int(b) == 1 for a, b in itertools.pairwise(column))
        for column in zip(*texts, strict=True)
    ]


def _without_page_number(text: str, counting: Sequence[bool]) -> str:
    """Return a text without the page number at its beginning or end, "" where no letter or digit is left."""
    if counting and counting[-1]:
        text = re.sub(r"[\s|·•–—-]*\d+\W*$", "", text)
    if counting and counting[0]:
        text = re.sub(r"^\W*\d+[\s|·•–—-]*", "", text)
    return text.strip() if any(char.isalnum() for char in text) else ""


def _key(text: str) -> str:
    """Return what lines that repeat have in common: their words; what has none must be the same."""
    return DIGITS.sub("#", text.casefold()) if any(map(str.isalpha, text)) else text


def _top_margin(pages: Sequence[list[Line]], heights: Sequence[float]) -> float:
    """Return the share of a page's height that the margin above takes: more where all pages leave more white."""
    upright = ((line, height) for lines, height in zip(pages, heights, strict=True) for line in lines if line.upright)
    tops = [(line.y0 + 2 * line.size) / height for line, height in upright]
    return max(MARGIN, min(WIDEST_MARGIN, *tops)) if tops else MARGIN


def _margin_lines(lines: list[Line], height: float, top: float) -> list[tuple[Line, int]]:
    """Return lines in the top (zone 0) and bottom (zone 1) margin: by place, and only outermost rows."""
    by_y = sorted((line for line in lines if line.upright), key=lambda line: line.y0)
    heads = _table_heads(by_y)
    result = []
    for zone, ordered in ((0, by_y), (1, by_y[::-1])):
        rows, last = 0, -math.inf
        for line in ordered:
            if abs(line.y0 - last) > 0.5 * line.size:
                rows, last = rows + 1, line.y0
            if rows > ROWS_LOOKED_AT:
                break
            inside = line.y1 < height * top if zone == 0 else line.y0 > height * (1 - MARGIN)
            if id(line) not in heads and (inside or (rows == 1 and PAGE_NUMBER.match(line.text))):
                result.append((line, zone))
    return result


def _table_heads(by_y: Sequence[Line]) -> set[int]:
    """The ids of the lines that stand in a row with two and more years, days or amounts, or in rows of a table."""
    rows = rows_of(by_y)
    texts = ([piece.text.strip() for piece in row.pieces or ()] for row in rows)
    figures = [sum(len(one) <= LONGEST_FIGURE and bool(FIGURE.fullmatch(one)) for one in own) for own in texts]
    heads = [row for row, count in zip(rows, figures, strict=True) if count > 1]
    heads += [row for pair in itertools.pairwise(rows) if _in_columns(*pair) for row in pair]
    return {id(piece) for row in heads for piece in row.pieces or ()}


def _in_columns(row: Line, below: Line) -> bool:
    """Tell whether the row close below has three and more pieces, some of them figures, in the columns of a row."""
    pieces, others = row.pieces or (), below.pieces or ()
    alike = sum(any(piece.x0 < other.x1 and other.x0 < piece.x1 for other in others) for piece in pieces)
    near = below.baseline - row.baseline < 2.2 * row.size
    return near and alike > 2 and len(pieces) == len(others) and any(NUMBER.match(p.text) for p in others)


def _number(text: str) -> int | None:
    if text.isdigit():
        return int(text)
    return value_of(text.upper()) - 100_000 if ROMAN.fullmatch(text) else None
