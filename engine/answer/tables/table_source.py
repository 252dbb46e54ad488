"""A table that may answer a question, with what it stands under and beside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.answer.tables.matching import features
from engine.answer.tables.typed_table import TypedTable
from engine.enrich.units import note_measure
from engine.model import Node
from engine.structure.sentences import sentences_of

# "The following table shows the income before taxes of our segments:" says what the cells are.
_ANNOUNCED = re.compile(
    r"\b(?:following|below|above) tables?\b|\btables? (?:below|above|sets? forth|shows?|summari[sz]es|presents?)\b"
    r"|\bas follows\b|下表|如下",
    re.IGNORECASE,
)

# What is shorter is a remark and no text.
_FEWEST_WORDS, _LONG = 5, 24


@dataclass(frozen=True, eq=False)
class TableSource:
    """A table that may answer: its node, its document's title, the sections above it and the texts beside it."""

    node: Node
    title: str = ""
    path: Sequence[str] = ()
    beside: Sequence[str] = ()

    @cached_property
    def table(self) -> TypedTable:
        """The typed table."""
        return TypedTable(self.node)

    @cached_property
    def context(self) -> frozenset[str]:
        """The features of what the table stands under. What the texts beside it say is theirs to answer."""
        table = self.table
        near = [
            self.title,
            *self.path,
            table.caption,
            *map(str, self.node.metadata.get("notes") or []),
        ]
        corner = [
            cell for row in table.cells[: table.header_rows] for cell in row[: max(1, table.header_columns)]
        ]
        return frozenset().union(*(features(text) for text in [*near, *corner]), frozenset())

    @cached_property
    def named(self) -> frozenset[str]:
        """The features of the names of all rows and columns."""
        table = self.table
        names = [row.name for row in table.rows] + [column.name for column in table.columns]
        return frozenset().union(*map(features, names), frozenset())

    @cached_property
    def words(self) -> frozenset[str]:
        """The words, in small letters, of the names of rows and columns, the first column's texts included."""
        table = self.table
        names = [row.name for row in table.rows] + [column.name for column in table.columns]
        names += [table.text(row.index, 0) for row in table.rows]
        return frozenset(word.casefold() for name in names for word in re.findall(r"[^\W\d_]+", name))

    @cached_property
    def known_features(self) -> frozenset[str]:
        """The features of all cells and of what the table stands under."""
        cells = (features(cell) for row in self.table.cells for cell in row)
        return self.context.union(self.named, *cells)

    def says(self, text: str) -> bool:
        """True where a cell, the caption or a title holds a text, in small letters, as it is written."""
        near = [self.title, self.table.caption, *self.path, *self.beside]
        cells = (cell for row in self.table.cells for cell in row)
        return any(text in held.casefold() for held in (*near, *cells))

    @cached_property
    def stands_in_text(self) -> bool:
        """True where sentences stand beside the table; a remark like "(in millions)" is none."""
        return any(len(text.split()) >= _FEWEST_WORDS or len(text) >= _LONG for text in self.beside)

    @cached_property
    def announcements(self) -> list[str]:
        """The sentences beside the table that announce it."""
        return [s for text in self.beside for s in sentences_of(text) if _ANNOUNCED.search(s)]

    @cached_property
    def announced_scale(self) -> int:
        """The scale ("in thousands") that a sentence announcing the table states, 1 for none."""
        measures = (note_measure(sentence) for sentence in self.announcements)
        return max((measure.scale for measure in measures if measure), default=1)

    @cached_property
    def announced(self) -> frozenset[str]:
        """The features of the sentences beside the table that announce it."""
        return frozenset().union(*map(features, self.announcements), frozenset())
