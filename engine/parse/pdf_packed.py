"""Lines of text put away as bytes, so that a long document is not in memory as objects all at once.

A line takes about 700 bytes as an object and 40 packed; the pages of a document wait packed between the passes
that look at all of them (running headers, size of the text, leading).
"""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Callable, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any

from engine.parse.pdf_text import Line

_values: Callable[[Line], tuple[Any, ...]] = attrgetter(*(field.name for field in fields(Line)))
# What is packed never leaves the process, so the format of the running Python will do.
_PIECES = [field.name for field in fields(Line)].index("pieces")


def pack_lines(lines: Sequence[Line]) -> bytes:
    """Return lines (with their pieces) as bytes for :func:`unpack_lines`."""
    return zlib.compress(marshal.dumps([_plain(line) for line in lines]), 1)


def unpack_lines(data: bytes) -> list[Line]:
    """Return the lines that :func:`pack_lines` put away, as new objects."""
    return [_line(values) for values in marshal.loads(zlib.decompress(data))]


class PackedColumn:
    """A column of a page put away: its lines as bytes, what else stands in it as it is."""

    __slots__ = ("_lines", "_others")

    def __init__(self, column: Sequence[Any]) -> None:
        self._lines = pack_lines([item for item in column if isinstance(item, Line)])
        self._others = [(at, item) for at, item in enumerate(column) if not isinstance(item, Line)]

    def unpack(self) -> list[Any]:
        """Return the column in order, its lines as new objects."""
        column: list[Any] = list(unpack_lines(self._lines))
        for at, item in self._others:
            column.insert(at, item)
        return column


def _plain(line: Line) -> tuple[Any, ...]:
    values = _values(line)
    if line.pieces is None:
        return values
    return (*values[:_PIECES], [_plain(piece) for piece in line.pieces])


def _line(values: tuple[Any, ...]) -> Line:
    if values[_PIECES] is None:
        return Line(*values)
    return Line(*(*values[:_PIECES], [_line(piece) for piece in values[_PIECES]]))
