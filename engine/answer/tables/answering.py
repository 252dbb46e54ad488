"""A question asked of the tables that a search found: the likeliest reading is run, and says how likely it is."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, NamedTuple

from engine.answer.tables.cite import MOST_CITED, Computed, cite, rows_as_evidence
from engine.answer.tables.conditions import conditions
from engine.answer.tables.explained import is_exact, unused
from engine.answer.tables.lexis import runs
from engine.answer.tables.link import link
from engine.answer.tables.links import LinkedRelation, Links
from engine.answer.tables.parse import LEAST, Reading, parse
from engine.answer.tables.quantity import shown, written
from engine.answer.tables.query import LABEL, TELLING, RefusedOperationError
from engine.answer.tables.relation import Relation
from engine.answer.tables.run import Entry, Result, rows_of, run
from engine.answer.tables.store import QueryFailedError
from engine.answer.tables.vocabulary import Cue
from engine.answer.tables.wording import MOST_LISTED, MOST_TOLD, sentence
from engine.model import Citation, Evidence, Hit

_MOST_RUN = 6
# How sure a table can be where it may be of others, and one of several alike; so little of a value is no name of it.
_EITHER, _ONE_OF, _A_PART = 0.75, 0.85, 0.34
# In so long a list few rows are called alike by chance.
_LONG_LIST = 30
# So many tables come closest that hold this share of the question at least, and nearly as much as the best; shorter
# ones are shown as they are, of longer ones so many rows, or the first.
_MOST_NEAR, _NEAR, _NEARLY, _SHORT, _FIRST = 2, 0.3, 0.8, 24, 6
# A look-up that finds more cells has not been told which of them is meant.
MOST_LOOKED_UP = 24


class TableHit(NamedTuple):
    """A relation that may answer, with the hit that says which document and version it is of."""

    linked: LinkedRelation
    hit: Hit


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """What a table answers: the sentence, its values, citations (numbered from 1), and how sure the reading is.

    ``score`` is the share of the question that the reading explains (0..1). ``reading`` and ``result`` are what was
    asked of the table and what came of it; ``planned`` where a model asked it, ``others`` what it asked besides.
    """

    computed: Computed
    score: float
    reading: Reading
    result: Result
    table: TableHit
    planned: bool = False
    others: tuple[TableAnswer, ...] = ()

    @property
    def all(self) -> tuple[TableAnswer, ...]:
        """This answer and the others."""
        return self, *self.others

    @property
    def citations(self) -> list[Citation]:
        """The citations of all, numbered from 1."""
        cited = (citation for one in self.all for citation in one.computed.citations)
        return [replace(citation, n=n) for n, citation in enumerate(cited, 1)]

    def told_query(self) -> dict[str, Any]:
        """Return the query by the names of its columns, for the trace."""
        query, relation = self.result.query, self.table.linked.relation

        def name(column: int) -> str:
            return "row" if column == LABEL else relation.short_name(column)

        where = [
            f"{'|'.join(map(name, one.columns))} {one.comparison} "
            f"{', '.join(one.values) if one.other is None else name(one.other)}"
            for one in query.where
        ]
        told = {
            "table": " / ".join(self.table.linked.context), "operation": query.operation,
            "explained": round(self.score, 2), "columns": list(map(name, query.columns)), "where": where,
            "by": None if query.by is None else name(query.by),
        }  # fmt: skip
        return {key: value for key, value in told.items() if value not in ([], None)}

    @property
    def left_out(self) -> tuple[str, ...]:
        """What the question says that the reading leaves out, in its own words."""
        return tuple(map(self.reading.links.written, runs(self._left)))

    @property
    def _left(self) -> list[int]:
        links = self.reading.links
        return sorted({*links.unexplained, *unused(self.result.query, links, self.table.linked.relation)[1]})

    def names(self, thing: str) -> bool:
        """True where the table has what the question calls so."""
        links = self.reading.links
        at = links.question.casefold().find(thing.casefold())
        said = links.at(Cue(thing, at, at + len(thing)))
        return at >= 0 and bool(said) and said <= links.linked | links.said | links.context

    @property
    def mostly_explains(self) -> bool:
        """True where the table has more of the question than the reading leaves out, and no name or number is left.

        What the table stands under (its title, section and sheet) is of the table. All its rows answer nothing.
        """
        query = self.result.query
        if query.operation in ("count", "filter") and not (query.where or query.columns):
            return False
        links, left = self.reading.links, self._left
        had = links.weight(links.linked | links.context - links.said)
        return had >= links.weight(left) and not any(is_exact(links, i) for i in left)

    def may_be(self, reading: Reading, table: TableHit) -> bool:
        """True where a reading of another table of the document explains as much by a query of the same names."""
        mine, there = self.table.linked.relation, table.linked.relation
        same = mine is not there and mine.called == there.called and self.table.hit.document_id == table.hit.document_id
        return same and self.reading.query == reading.query and round(self.reading.score - reading.score, 2) == 0

    @property
    def text(self) -> str:
        """The sentences or lists of all with a mark for every citation."""
        before = accumulate((len(one.computed.citations) for one in self.all), initial=1)
        return "\n\n".join(one.computed.marked(first) for one, first in zip(self.all, before, strict=False))


def answer_from_tables(question: str, tables: Sequence[TableHit], chinese: bool) -> TableAnswer | None:
    """Return what the likeliest reading over the tables gives, None where none of them is asked about.

    ``tables`` are the likeliest first: of readings that explain as much, the first table's is taken, and what its query
    gives over tables like it in the document (of another year, say) is told besides. Where no row is as they want,
    values of which a question says a small part ("pieces" of "Two pieces in bronze") are done without.
    """
    linked = [(link(question, table.linked), table) for table in tables]
    if (made := _likeliest(linked, chinese)) is not None:
        return made
    changed = [(named, table) for one, table in linked if (named := _firm(one)).values != one.values]
    return _likeliest(changed, chinese)


def _likeliest(linked: Sequence[tuple[Links, TableHit]], chinese: bool, least: float = LEAST) -> TableAnswer | None:
    readings = [
        (reading, table) for links, table in linked for reading in parse(links, table.linked) if reading.score >= least
    ]
    made: list[TableAnswer] = []
    for reading, table in sorted(readings, key=lambda one: -round(one[0].score, 2))[:_MOST_RUN]:
        if made and not made[0].may_be(reading, table):
            continue
        with suppress(RefusedOperationError, QueryFailedError):
            one = answered(reading, table, chinese)
            if one is not None and not one.result.empty and one.text not in {other.text for other in made}:
                made.append(one)
    if len(made) > 1:
        return replace(made[0], score=min(made[0].score, _ONE_OF), others=tuple(made[1:]))
    return made[0] if made else None


def near_rows(question: str, tables: Sequence[TableHit]) -> list[Evidence]:
    """Return what to show of the tables that hold most of a question where no reading is sure: a short table as it is,
    of a longer one the rows of the likeliest reading and those that the question names, else the first."""
    linked = [(link(question, table.linked), table) for table in tables]
    most = max((links.held for links, _ in linked), default=0.0)
    likely = [one for one in linked if one[0].held >= max(_NEAR, _NEARLY * most)]
    found: list[Evidence] = []
    for links, table in sorted(likely, key=lambda one: -one[0].held)[:_MOST_NEAR]:
        relation = table.linked.relation
        rows: Sequence[int] = range(len(relation.rows))
        if len(rows) > _SHORT:
            read = _likeliest([(_firm(links), table)], False, _NEAR)
            told = [row for one in read.all for row, _ in one.result.cells] if read else []
            rows = [*told, *(touched_rows(_firm(links), relation) or rows[:_FIRST])]
        found += rows_as_evidence([(row, 0) for row in rows], relation, table.hit, found, _SHORT)
    return found


def _firm(links: Links) -> Links:
    return replace(links, values=tuple(one for one in links.values if one.share >= _A_PART))


def touched_rows(links: Links, relation: Relation) -> list[int]:
    """Return the rows that a question names by all that it says of them, else by any of it. Raises QueryFailedError."""
    named = [one for given in conditions(links, relation)[:1] for one in given.where]
    found = rows_of(relation, named) if named else []
    return found or [row for one in named for row in rows_of(relation, [one])]


def answered(reading: Reading, table: TableHit, chinese: bool, most: int = MOST_LISTED) -> TableAnswer | None:
    """Run a reading and return what it answers, None where it finds nothing that can be cited; ``most`` lines of it.

    Raises RefusedOperationError and QueryFailedError.
    """
    relation = table.linked.relation
    result = run(reading.query, relation)
    if not result.entries or (not result.matched and reading.query.operation != "count"):
        return None
    if reading.query.operation == "lookup" and len(result.entries) > MOST_LOOKED_UP:
        return None
    if reading.query.operation == "count" and _names_one(reading, result, relation):
        return None  # something of it is asked for
    text = sentence(result, relation, chinese, most)
    computed = computed_of(_values(reading, result, relation), text, result, relation, table.hit)
    if not computed.citations:
        return None
    # A word for all rows may stand in the names of some: "Queensland" in a club's.
    by_part = any(link.share < _A_PART for link in reading.links.values)
    of_many = reading.query.operation in ("sum", "average", "count") or reading.query.by is not None
    if by_part and of_many and result.matched == 1:
        return None  # what is done with many is not asked of one that is named in part
    score = min(reading.score, _EITHER) if by_part and of_many else reading.score
    return TableAnswer(computed, score, reading, result, table)


def _names_one(reading: Reading, result: Result, relation: Relation) -> bool:
    """True where what a query counts is one row, or has one name in a long list whose rows hardly share any."""
    equal = [one for one in reading.query.where if one.comparison == "="]
    named = [(relation.key if c == LABEL else c, len(one.values)) for one in equal for c in one.columns]
    apart = [count for c, count in named if c is not None and relation.tells_apart(c)]
    by_name = bool(apart) or any(LABEL in one.columns for one in equal)
    counted = any(cue.kind == "count" for cue in reading.links.operations)
    alone = result.matched == 1 and (by_name or not counted)
    return alone or (len(relation.rows) >= _LONG_LIST and 1 in apart)


def computed_of(values: list[str], text: str, result: Result, relation: Relation, hit: Hit) -> Computed:
    """Return a result, told by a text, with its citations: of a list the cells of each line, else all its cells."""
    found, told = result.query.operation in TELLING and result.query.minus is None, text.split("\n")
    lines = [place for place, line in enumerate(told) if line.startswith("- ")]
    parts = _parts(result, len(lines))
    few = len(result.cells) <= MOST_CITED
    most = MOST_CITED if few else 1
    listed = [(at, part[0].name, told[at][2:], _cells(part, few), most) for at, part in zip(lines, parts, strict=False)]
    # What a line is called by is cited beside its value, and is not what states the value.
    values_at = {one.cell for part in parts for one in cite(_cells(part, False), relation, hit)}
    if not listed:
        return Computed(values, text, cite(result.cells, relation, hit), [], found)
    if (total := result.total) is not None and total.quantity is not None:
        listed.insert(0, (0, "", shown(total.quantity), list(total.cells), 1))
    cited = [
        (at, (name, said if one.cell in values_at or not at else ""), one)
        for at, name, said, cells, n in listed
        for one in cite(cells, relation, hit, n)
    ]
    citations = [one for _, _, one in cited]
    return Computed(values, text, citations, [at for at, _, _ in cited], found, [said for _, said, _ in cited])


def _parts(result: Result, lines: int) -> list[list[Entry]]:
    """Return what each line of a list tells: an entry, or a row; [] where so many lines are of neither.

    One line more may tell how many there are besides.
    """
    rows: dict[int | None, list[Entry]] = {}
    for one in result.entries:
        rows.setdefault(one.row, []).append(one)
    for parts in ([[one] for one in result.entries], list(rows.values())):
        if len(parts) > 1 and lines in (len(parts), min(len(parts), MOST_LISTED + 1), min(len(parts), MOST_TOLD + 1)):
            return parts[: lines - (lines < len(parts))]
    return []


def _cells(part: Sequence[Entry], all_of_it: bool) -> list[tuple[int, int]]:
    """Return the cells of a line of a list: of one cell that is told among many lines that alone."""
    alone = len(part) == 1 and not all_of_it and len({row for row, _ in part[0].cells}) == 1
    cells = [cell for one in part for cell in one.cells]
    return [cell for cell in cells if cell[1] == part[0].column][:1] or cells[:1] if alone else cells


def _values(reading: Reading, result: Result, relation: Relation) -> list[str]:
    """Return what answers, without words around it: the names of what was found, where these are asked for."""
    query = reading.query
    filtered, plain = query.operation == "filter", len(query.columns) == 1
    if query.operation == "compare":
        return [result.entries[0].name]
    names_asked = query.operation in ("max", "min", "rank", "filter") and not reading.quantity
    told = []
    for entry in result.entries:
        of_group = query.by is not None or entry.column is None
        # The cells of one column that a filter asks for are the names.
        if not names_asked or (filtered and plain and not query.told and not of_group):
            told.append(entry.said or (written(entry.quantity.value) if entry.quantity else ""))
        elif entry.column is None or of_group or relation.is_list or plain or filtered:
            told.append(entry.name)
        else:
            told.append(relation.short_name(entry.column))
    return list(dict.fromkeys(filter(None, told)))
