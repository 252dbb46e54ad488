"""What a model is shown of a relation: columns with units and types, sample rows, and the rows that are asked about."""

from __future__ import annotations

from engine.answer.tables.conditions import conditions
from engine.answer.tables.link import link
from engine.answer.tables.links import LinkedRelation
from engine.answer.tables.run import rows_of
from engine.enrich.units import written_unit

_SAMPLES, _MATCHING = 3, 5
# A table of so few rows is shown whole: its rows have names that a query needs.
_SMALL = 15
_LONGEST_CELL = 60
_MOST_COLUMNS = 40
_MOST_VALUES = 12


def described(number: int, linked: LinkedRelation, question: str) -> str:
    """Return a relation for a prompt: name, columns, three sample rows, and the rows that the question touches."""
    relation = linked.relation
    place = " / ".join(
        dict.fromkeys(part for part in (*linked.context, relation.sheet, relation.caption) if part)
    )
    lines = [f"Table {number}: {_cut(place, 160)} ({len(relation.rows)} rows)", "Columns:"]
    for column in relation.columns[:_MOST_COLUMNS]:
        unit = written_unit(column.unit, column.scale)
        values = sorted(linked.values.texts.get(column.index, {}).items(), key=lambda one: -one[1])
        few = (
            ", ".join(_cut(text, 24) for text, _ in values[:_MOST_VALUES])
            if 0 < len(values) <= _MOST_VALUES
            else ""
        )
        told = ", ".join(part for part in (column.dtype, unit) if part)
        name = column.name or "(row name)"
        lines.append(f"- {name} ({told})" + (f": {few}" if few else ""))
    first = len(relation.rows) if len(relation.rows) <= _SMALL else _SAMPLES
    shown = list(dict.fromkeys([*range(first), *_touched(linked, question)]))
    lines.append("Rows:" if first == len(relation.rows) else "Rows, for example:")
    lines += [
        " | ".join(_cut(relation.text(row, c.index), _LONGEST_CELL) for c in relation.columns[:_MOST_COLUMNS])
        for row in shown
    ]
    return "\n".join(lines)


def _touched(linked: LinkedRelation, question: str) -> list[int]:
    links = link(question, linked)
    named = [one for given in conditions(links, linked.relation)[:1] for one in given.where]
    if not named:
        return []
    return (
        rows_of(linked.relation, named)[:_MATCHING]
        or [row for one in named for row in rows_of(linked.relation, [one])[:_MATCHING]][:_MATCHING]
    )


def _cut(text: str, longest: int) -> str:
    """Return a text on one line without what would read as another column, and not too long."""
    plain = " ".join(text.replace("|", "/").split())
    return plain if len(plain) <= longest else plain[: longest - 1].rstrip() + "…"
