"""Text separated by commas, semicolons, tabs, bars or a rarer sign (.csv, .tsv) -> table blocks."""

import csv
import re
from collections import Counter
from itertools import islice

from engine.errors import LimitExceededError
from engine.model import ParsedFile
from engine.parse.encoding import decode
from engine.parse.limits import check_blocks
from engine.parse.sheet_regions import MAX_CELLS, Region, Sheet, table_parts

MEDIA_TYPE = "text/csv"
SUFFIXES = frozenset({".csv", ".tsv", ".tab"})
MAX_COLUMNS = 16_384
_DELIMITERS = (",", ";", "\t", "|")
# Taken where none of those divides all lines alike and all lines have equally many.
_RARE_DELIMITERS = "^~¦#!§¬:"
_STATED = re.compile(r"sep=(.)\n", re.I)
_SAMPLE_ROWS = 100
_LONGEST_SINGLE = 200


def delimiter_of(text: str) -> str | None:
    """Return what separates the fields of the first lines, None where nothing does; a comma for one short column."""
    lines = [line for line in islice(text.splitlines(), _SAMPLE_ROWS) if line.strip()]
    best, best_score, alike = None, 0.0, False
    for delimiter in _DELIMITERS:
        counts = Counter(len(row) for row in _rows(lines, delimiter) if row)
        if not counts:
            continue
        # Rows may lack or have a field more; most must agree, and more fields speak for a separator.
        usual, many = counts.most_common(1)[0]
        near = sum(count for width, count in counts.items() if abs(width - usual) <= 1 and width > 1)
        score = (many + near) / 2 / counts.total() * (1 + min(usual, 10) / 100)
        if usual > 1 and score > max(best_score, 0.6):
            best, best_score, alike = delimiter, score, many == counts.total()
    counted = {delimiter: {line.count(delimiter) for line in lines} for delimiter in _RARE_DELIMITERS}
    rare = [delimiter for delimiter, counts in counted.items() if len(counts) == 1 and 0 not in counts]
    if alike or len(lines) < 2:
        return best
    if rare:
        return max(rare, key=lines[0].count)
    if best is not None:
        return best
    one_column = not any(d in line for line in lines for d in _DELIMITERS)
    return "," if one_column and max(map(len, lines)) <= _LONGEST_SINGLE else None


def _rows(lines: list[str], delimiter: str) -> list[list[str]]:
    try:
        return list(csv.reader(lines, delimiter=delimiter))
    except csv.Error:
        return []


def parse_csv(data: bytes, name: str) -> ParsedFile:
    """Return the table of a delimited text in parts of at most 200 rows. Raises LimitExceededError."""
    decoded = decode(data)
    warnings = decoded.warnings
    stated = _STATED.match(decoded.text)
    text = decoded.text[stated.end() :] if stated else decoded.text
    delimiter = stated[1] if stated else delimiter_of(text) or ","
    rows: dict[int, dict[int, str]] = {}
    filled = width = last = 0
    csv.field_size_limit(1 << 20)
    try:
        for number, record in enumerate(csv.reader(text.splitlines(True), delimiter=delimiter), 1):
            row = {c: text for c, field in enumerate(record[:MAX_COLUMNS], 1) if (text := field.strip())}
            if row:
                rows[number] = row
                filled += len(row)
                width, last = max(width, max(row)), number
            if filled > MAX_CELLS or width * number > 4 * MAX_CELLS:
                raise LimitExceededError(
                    f"{name} has more than {MAX_CELLS:,} cells. Split it into smaller files and add those."
                )
    except csv.Error as error:
        warnings.append(f"The table breaks off after line {last}: {error}.")
    region = Region(min(rows, default=1), 1, last, width)
    blocks = list(table_parts(Sheet(rows=rows), region)) if rows else []
    check_blocks(len(blocks), name)
    return ParsedFile(MEDIA_TYPE, blocks, warnings=warnings)
