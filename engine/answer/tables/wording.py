"""Results in words: a sentence with its unit, or a short list, in the question's language."""

from collections.abc import Sequence
from decimal import Decimal

from engine.answer.phrases import CHINESE, ENGLISH
from engine.answer.tables.quantity import Quantity, shown
from engine.answer.tables.query import AGGREGATES, LABEL, Condition
from engine.answer.tables.relation import Relation
from engine.answer.tables.run import Entry, Result
from engine.enrich.cell_values import is_year
from engine.enrich.units import written_unit

# So many lines of a list are told, to a model that writes of them more.
MOST_LISTED, MOST_TOLD = 20, 60
# So many cells of one row are told in a line, more as a list.
_MOST_IN_LINE = 6
# So many values of a condition are told.
_FEW = 3


def sentence(result: Result, relation: Relation, chinese: bool, most: int = MOST_LISTED) -> str:
    """Return what a result says, in one sentence or a list of so many lines at ``most``, without citation marks."""
    return _Wording(result, relation, chinese, most).said()


class _Wording:
    def __init__(self, result: Result, relation: Relation, chinese: bool, most: int) -> None:
        self._result, self._query, self._relation = result, result.query, relation
        self._chinese, self._most = chinese, most
        self._words = (CHINESE if chinese else ENGLISH).table_words
        self._mark = "、" if chinese else ", "

    def said(self) -> str:
        query, entries = self._query, self._result.entries
        if not entries:
            return self._words["none"]
        if query.operation == "compare" and len(entries) > 1:
            return self._compared(entries[0], entries[1])
        lists = query.by is not None or query.operation in ("rank", "trend", "distinct", "filter")
        return self._listed(entries) if lists or len(entries) > 1 else self._single(entries[0])

    # --- one value --------------------------------------------------------------------------------

    def _single(self, entry: Entry) -> str:
        query, value, measure = self._query, self._value(entry), self._measure(entry)
        if query.operation == "lookup":
            return self._looked_up(entry, measure, value)
        if query.operation == "count":
            named = map(self._relation.short_name, query.columns[:1])
            where = self._mark.join([*named, *map(self._condition, query.where)])
            counted = self._words["counted"].format(count=value, where=where)
            return counted if where else self._ended(self._words["rows"].format(count=value)[:-1])
        if query.operation in ("max", "min"):
            # Of one column the rows are told apart.
            name = entry.name if len(query.columns) == 1 else self._name(entry)
            space = "" if self._chinese and not measure.isascii() else " "
            told = f"{measure}{space}{value}".strip()
            return self._ended(self._words["ties"].format(name=name, value=told) if name else told)
        what = self._computed(measure)
        if query.operation in ("sum", "average") and self._result.matched > 1:
            what = self._words["of_rows"].format(what=what, count=f"{self._result.matched:,}")
        made = self._stated(what, value)
        return f"{made} ({self._result.derivation})" if self._result.derivation else made

    def _looked_up(self, entry: Entry, measure: str, value: str) -> str:
        where = self._name(entry)
        if self._relation.is_list and where != value:  # with the values that chose it: "Main bearing, NL-150"
            chosen = [one.values[0] for one in self._query.where if one.comparison == "="]
            where = self._mark.join(filter(None, [*(one for one in chosen if one not in where), where]))
        if where in ("", value, measure) or not measure:
            named = measure or (where if where != value else "")
            return self._stated(named, value) if named else self._ended(value)
        # Whether rows or columns of a statement are what is measured, only periods tell.
        dated = entry.column is None or self._by_rows or self._relation.columns[entry.column].years
        where += "年" if self._chinese and is_year(where) else ""
        told = self._words["for" if dated else "beside"].format(what=measure, where=where)
        return self._stated(told, value)

    def _computed(self, measure: str) -> str:
        """Return what was computed, and for which rows or columns."""
        query, columns = self._query, list(dict.fromkeys(side.column for side in self._query.operands))
        sides = [
            self._mark.join(one.values[0] for one in side.where) or self._relation.short_name(side.column)
            for side in query.operands
        ]
        if len(columns) > 1:  # the rows are what is measured
            measure, sides = ", ".join(self._labels()), list(map(self._relation.short_name, columns))
        elif columns and query.operation == "share":
            return self._words["part"].format(first=sides[0], second=sides[1])
        elif columns and not self._relation.is_list:  # its rows are the two sides
            measure = self._relation.short_name(columns[0])
        what = self._words.get(query.operation, "{measure}").format(measure=measure)
        where = " – ".join(sides) or self._where(query.where)
        joined = self._words["share_of" if query.operation == "share" else "for"]
        return joined.format(what=what, where=where) if where else what

    def _compared(self, first: Entry, second: Entry) -> str:
        word = "larger" if self._query.descending else "smaller"
        if first.quantity and second.quantity and first.quantity.amount == second.quantity.amount:
            word = "same"
        return self._words[word].format(
            first=first.name, second=second.name, value=self._value(first), other=self._value(second)
        )

    def _stated(self, what: str, value: str) -> str:
        made = self._words["is"].format(what=what, value=value)
        return made if self._chinese else made[:1].upper() + made[1:]

    def _ended(self, text: str) -> str:
        return text if text.endswith((".", "。")) else text + ("。" if self._chinese else ".")

    # --- a list -----------------------------------------------------------------------------------

    def _listed(self, entries: Sequence[Entry]) -> str:
        """Return a line for each entry; of several columns for each row, or for each cell of the one row."""
        rows: dict[int | None, list[Entry]] = {}
        for one in entries:
            rows.setdefault(one.row, []).append(one)
        query = self._query
        by_row = query.operation == "filter" or (query.operation == "lookup" and self._relation.is_list)
        if not by_row or len({one.column for one in entries}) < 2:
            return self._items(self._listed_measure(entries[0]), list(dict.fromkeys(map(self._line, entries))))
        if len(rows) == 1 and len(entries) > _MOST_IN_LINE:
            head = self._words["ties"].format(name=entries[0].name, value="").rstrip()
            return "\n".join([head, "", *(f"- {self._cell(one)}" for one in entries)])
        cells = ((one[0].name, self._mark.join(map(self._cell, one))) for one in rows.values())
        return self._items("", [self._words["ties"].format(name=name, value=told) for name, told in cells])

    def _items(self, measure: str, lines: list[str]) -> str:
        count = len(lines)
        if count == 1:
            told = f"（{measure}）" if self._chinese else f" ({measure})"
            return self._ended(lines[0] + (told if measure and self._query.by is not None else ""))
        head = self._words["rows"].format(count=f"{count:,}")
        if measure:
            total = self._result.total
            in_all = [self._words["in_all"].format(value=self._value(total))] if total else []
            head = ("，" if self._chinese else ", ").join([measure[:1].upper() + measure[1:], *in_all, head])
        if count > self._most:
            lines[self._most :] = [self._words["more"].format(count=f"{count - self._most:,}")]
        return "\n".join([head, "", *(f"- {line}" for line in lines)])

    def _listed_measure(self, entry: Entry) -> str:
        """Return what a list is of: a measure, with how it was computed and for what where rows were put together."""
        query, measure = self._query, self._measure(entry)
        if query.by is None:
            return measure
        aggregate = query.operation if query.operation in AGGREGATES else query.aggregate
        what = self._words[aggregate].format(measure=measure) if aggregate in self._words else measure
        told = self._words["by"].format(what=what, by=self._relation.short_name(query.by))
        # For which of the groups, their names say.
        where = self._where([c for c in query.where if c.comparison != "=" or query.by not in c.columns])
        told = self._words["for"].format(what=told, where=where) if where else told
        return told[:1].upper() + told[1:]

    def _line(self, entry: Entry) -> str:
        value, name = self._value(entry), entry.name
        if entry.column is not None and len({one.column for one in self._result.entries}) > 1:
            several = len({one.row for one in self._result.entries}) > 1
            parts = (name if several else "", self._relation.short_name(entry.column))
            name = ", ".join(part for part in parts if part and part != value)
        if not name or name == value or self._query.operation == "distinct":
            return value
        return self._words["ties"].format(name=name, value=value)

    def _cell(self, entry: Entry) -> str:
        """Return a cell of a row that is told whole, after its column."""
        header = "" if entry.column is None else self._relation.short_name(entry.column)
        return f"{header} {self._value(entry)}".strip()

    # --- values and names -------------------------------------------------------------------------

    def _value(self, entry: Entry) -> str:
        """Return what an entry says with its unit: as the cell writes it, or as it was computed."""
        if entry.quantity is None:
            return entry.said or self._words["empty"]
        if not entry.said or entry.row is None:
            return shown(entry.quantity, self._chinese, near=self._near(entry))
        if entry.column is None:
            return entry.said
        return _with_unit(entry.said, entry.quantity, self._chinese, self._near(entry))

    def _near(self, entry: Entry) -> str:
        """Return the header and the label of an entry's first cell, which may have a word for its unit."""
        row, column = entry.cells[0] if entry.row is None and entry.cells else (entry.row, entry.column)
        if row is None or column is None:
            return ""
        return f"{' '.join(self._relation.columns[column].path)} {self._relation.label(row)}"

    @property
    def _by_rows(self) -> bool:
        """True where rows are told apart and a column is measured; false for the rows of a statement."""
        where = [*self._query.where, *(one for side in self._query.operands for one in side.where)]
        return self._relation.is_list or not any(LABEL in one.columns for one in where)

    def _measure(self, entry: Entry) -> str:
        """Return what is measured: a list's column, or the rows of a statement that the conditions name."""
        if not self._by_rows and (labels := self._labels()):
            return ", ".join(labels)
        columns = [entry.column] if entry.column is not None else list(self._query.columns)
        columns = columns or [side.column for side in self._query.operands]
        named = ", ".join(dict.fromkeys(filter(None, map(self._relation.short_name, columns))))
        less = self._query.minus
        return named if less is None else f"{named} − {self._relation.short_name(less)}"

    def _labels(self) -> list[str]:
        cells = self._result.cells[: self._result.matched if self._query.operation == "share" else None]
        return list(dict.fromkeys(self._relation.short_label(row) for row, _ in cells))[:_FEW]

    def _name(self, entry: Entry) -> str:
        """Return what an entry is told apart by: a list's row, or the column of a statement whose row is measured."""
        if entry.row is None or entry.column is None or self._by_rows:
            return entry.name
        return self._relation.short_name(entry.column)

    def _where(self, where: Sequence[Condition]) -> str:
        """Return the values of conditions, or the columns computed with, where rows of a statement are measured."""
        if not self._by_rows:
            return self._mark.join(self._relation.short_name(c) for c in self._query.columns[:_FEW])
        return self._mark.join(
            _few(one.values) if one.comparison in ("=", "contains") else self._condition(one) for one in where
        )

    def _condition(self, one: Condition) -> str:
        column = one.columns[0]
        header = "" if column == LABEL else self._relation.short_name(column)
        if one.other is not None:
            return f"{header} {one.comparison} {self._relation.short_name(one.other)}"
        values = one.values
        if column != LABEL and self._relation.columns[column].numeric:
            unit, scale = self._relation.columns[column].unit, self._relation.columns[column].scale
            values = tuple(
                value and shown(Quantity(Decimal(value) / scale, unit, scale), self._chinese) for value in values
            )
        told = " – ".join(values) if one.comparison == "between" else _few(values)
        mark = "" if one.comparison in ("=", "between", "contains") else f"{one.comparison} "
        return f"{header} {mark}{told}".strip()


def _few(values: Sequence[str]) -> str:
    told = [value or "–" for value in values[:_FEW]]
    return ", ".join([*told, "…"] if len(values) > _FEW else told)


def _with_unit(said: str, quantity: Quantity, chinese: bool, near: str = "") -> str:
    """Return a cell's text with the unit and scale that its header states, unless it says them itself."""
    unit = written_unit(quantity.unit, quantity.scale, chinese)
    if not unit:
        return said
    bare = not any(character.isalpha() or character in "%$€£¥₹" for character in said)
    if bare and quantity.unit == "%":
        return f"{said}%"
    if bare:
        return f"{said} {unit}" if said.startswith("(") else shown(quantity, chinese, 6, near)
    scale = written_unit(None, quantity.scale, chinese)
    return f"{said} {scale}" if scale and scale not in said and said[-1:].isdigit() else said
