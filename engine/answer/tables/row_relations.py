"""How the rows of one statement belong together: sums and their parts, what is taken from a total, shares of a row."""

from __future__ import annotations

import itertools
import re
from functools import cached_property

from engine.answer.tables.matching import features, plain
from engine.answer.tables.typed_table import Row, TypedTable

_LESS = re.compile(r"\s*less\b\W", re.IGNORECASE)
_SHARE_OF = re.compile(r"\W*(?:as an? )?(?:%|percent(?:age)?|share) of\b|占", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:before|excluding|net of|less)\b.*", re.IGNORECASE)


class RowRelations:
    """The relations among the rows of one table."""

    def __init__(self, table: TypedTable) -> None:
        self._table = table
        self._names = {row.index: row.name for row in table.rows}

    @cached_property
    def shares(self) -> frozenset[int]:
        """The rows that say in percent what share of a whole the amounts of the row above them are."""
        amounts = {row.name: row.index for row in self._table.rows if not self._is_in_percent(row)}
        named = {
            row.index
            for row in self._table.rows
            if self._is_in_percent(row) and row.name.rpartition(" / ")[0] in amounts
        }
        # "Percentage of revenue" right below the row that it is of.
        below = {
            row.index
            for above, row in itertools.pairwise(self._table.rows)
            if above.index in amounts.values() and _SHARE_OF.match(row.leaf) and self._is_in_percent(row)
        }
        return frozenset(named | below)

    def _is_in_percent(self, row: Row) -> bool:
        columns = [column.index for column in self._table.value_columns]
        values = [(self._table.value(row.index, at), self._table.text(row.index, at)) for at in columns]
        # Where the signs stand in the cells, a header of shares is over one column only and was drawn too wide.
        return all(
            "%" in text if self._signed else value.unit == "%" for value, text in values if value.numeric
        )

    @cached_property
    def _signed(self) -> bool:
        """True where whole rows write their percentages with the sign, under headers that say percent as well."""
        columns = [column.index for column in self._table.value_columns]
        texts = (
            [text for at in columns if (text := self._table.text(row.index, at))] for row in self._table.rows
        )
        return any(len(own) > 1 and all("%" in text for text in own) for own in texts)

    @cached_property
    def sums_of(self) -> dict[int, list[tuple[str, frozenset[str]]]]:
        """The sums that each row stands in or is taken from, by their plain names, with the features of these."""
        found: dict[int, list[tuple[str, frozenset[str]]]] = {}
        pairs = [(part, total) for total, parts in self._table.sums.items() for part in parts]
        rows = self._table.rows
        pairs += [
            (row.index, above.index) for above, row in itertools.pairwise(rows) if _LESS.match(row.leaf)
        ]
        for part, total in pairs:
            leaf = self._names[total].rsplit(" / ", 1)[-1]
            bare = plain(re.sub(r"^total ", "", leaf, flags=re.IGNORECASE))
            found.setdefault(part, []).append((bare, features(bare)))
        return found

    @cached_property
    def summed(self) -> dict[int, frozenset[str]]:
        """What rows are by the sums they stand in: the parts of "Total revenue" are revenue, a "Total" is of what
        its parts have in common."""
        found: dict[int, frozenset[str]] = {}
        for total, parts in reversed(self._table.sums.items()):
            # What comes before tax is no tax.
            own = features(_BEFORE.sub("", self._names[total].rsplit(" / ", 1)[-1])) - {"total"}
            own |= found.get(total, frozenset())  # what the sum itself is by a sum further down
            for part in parts:
                found[part] = found.get(part, frozenset()) | own
            common = frozenset.intersection(*(features(self._names[part]) for part in parts))
            found[total] = found.get(total, frozenset()) | common
        return found
