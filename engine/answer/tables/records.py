"""Plans over tables of records: one row a thing, columns of its properties.

The question is read as conditions on rows (:mod:`engine.answer.tables.mentions`), a wanted column, and what to do:
look up, count, add, average, rank, compare, take the neighbour. What the question says and the plan does not
account for lowers its confidence; below :data:`ENOUGH` there is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.answer.tables.counts_in_texts import count_told, episode_told
from engine.answer.tables.finding import Finding, run
from engine.answer.tables.matching import features, years_in
from engine.answer.tables.mentions import Condition
from engine.answer.tables.quantity import written
from engine.answer.tables.question import AVERAGE, YES_NO, is_asking
from engine.answer.tables.record_columns import GUESSED
from engine.answer.tables.record_notes import RecordNotes
from engine.answer.tables.record_words import (
    APART,
    BEATEN,
    BEYOND,
    BOTH,
    COMPARED,
    COUNT,
    DIFFERENCE,
    EVENTS_OF_NUMBERS,
    FIRST,
    IDLE,
    LESS,
    LIMITS,
    MEETING,
    MORE,
    NEIGHBOUR,
    NUMBERED_BY,
    NUMBERS,
    OUTCOMES,
    SUM,
    SUPERLATIVE,
    TOGETHER,
    is_measure,
    measured,
)
from engine.answer.tables.typed_table import Column
from engine.errors import UsageError

# What is left over of a question about an extreme or an order is mostly talk; in a count it may be a condition.
_ENOUGH = {
    "in order": 0.5,
    "extreme": 0.66,
    "most frequent": 0.66,
    "neighbour": 0.66,
    "compare": 0.7,
    "lookup": 0.7,
}
ENOUGH = 0.78
_NEXT_TO_LAST = re.compile(r"\b(?:second|third|next)[ -](?:to[ -])?last\b|\bpenultimate\b|倒数第")
_VERB_ASKED = re.compile(r"what (?:does|do|did) .*?(?P<verb>[a-z]+)$")
_EPISODE_ASKED = re.compile(r"\b(?:which|what) episode\b|哪一?集")
_CONTESTS = features("election elections race races tournament tournaments title titles 选举 比赛")
_MEASURED = re.compile(rf"\b(?:{COMPARED})\b")
_SOONER = re.compile(r"\b(?:first|earlier|later|before|after|last)\b|更早|更晚|较早|较晚|先", re.IGNORECASE)
# A mention that is all of a cell but a plural or what stands in brackets.
_NAMED = 0.85


class RecordPlanner(RecordNotes):
    """Makes a plan for one question over one table."""

    def plan(self) -> Finding | None:
        """Return what the table answers, or None."""
        if len(self._table.records) < 2 or len(self._columns) < 2:
            return None
        if self._question.prose and self._column_of_verb() is None:
            return None
        if self._question.kind in ("percent_change", "ratio"):
            return None
        # A statement's columns are periods: its rows are items, and none of them is a record.
        if sum(bool(years_in(column.name)) for column in self._columns) > 1:
            return None
        try:
            finding = self._choose()
        except UsageError:
            return None
        return finding if finding is not None and finding.confidence >= _enough(finding) else None

    # --- what is asked ------------------------------------------------------------------------------

    def _choose(self) -> Finding | None:
        groups, where = self._conditions
        text = self._text
        self._used += [match.span() for said in (TOGETHER, APART) for match in said.finditer(text)]
        two = self._two_of_one_column(groups) or self._two_years(groups, where)
        if (found := self._chosen(groups)) is not None:
            return found
        if (met := self._of_meeting(groups)) is not None:
            return self._looked_up([*met, *where])
        if two is not None and (BOTH.search(text) or self._are_joined(*two)):
            return self._shared(*two)
        if two is not None:
            return self._compared(*two, [condition for condition in where if condition not in two])
        single = self._single(groups)
        if single is None:
            return None
        neighbours = [m for m in NEIGHBOUR.finditer(text) if not self._is_mentioned(m)]
        neighbour = neighbours[0] if neighbours and not self._question.respective else None
        if len({bool(m["after"]) for m in neighbours}) > 1:
            return None
        if neighbour and single and not where:
            return self._neighbour(single, bool(neighbour["after"] or neighbour["after_zh"]))
        conditions = [*single, *where]
        if YES_NO.search(text) or (not where and BEYOND.search(text)):
            return None
        text = LIMITS.sub(" ", text)
        if DIFFERENCE.search(text):
            return self._spread(conditions)
        match = next((m for m in SUPERLATIVE.finditer(text) if not self._is_mentioned(m)), None)
        # "The highest average age" of a column "Average age" is no average.
        if AVERAGE.search(text) and not (match and any(AVERAGE.search(c.name) for c in self._columns)):
            return self._folded("AVERAGE", conditions)
        if match is not None:
            return self._superlative(match, conditions)
        if COUNT.search(text) or SUM.search(text):
            return self._counted(conditions)
        if _NEXT_TO_LAST.search(text):
            return None
        for start, end in self._numbered:
            text = text.replace(self._text[start:end], " ", 1)
        if (match := FIRST.search(text)) is not None and not self._is_of_header(text[match.start() :]):
            return self._in_order(match["first"].casefold() == "first", conditions)
        return self._looked_up(conditions)

    def _of_meeting(self, groups: Sequence[Sequence[Condition]]) -> tuple[Condition, Condition] | None:
        """Return the conditions of the one match in which two teams of different columns met."""
        match = MEETING.search(self._text)
        computed = (COUNT, SUM, DIFFERENCE, AVERAGE, SUPERLATIVE, YES_NO)
        if match is None or len(groups) != 2 or any(word.search(self._text) for word in computed):
            return None
        pairs = [(a, b) for a in groups[0] for b in groups[1] if a.column != b.column and a.rows & b.rows]
        if len(pairs) > 1:  # who beat whom tells which column each stands in
            names = (
                OUTCOMES[0 if match["lost"] else 1][1] if match["lost"] or match["won"] else frozenset[str]()
            )
            pairs = [(a, b) for a, b in pairs if features(self._columns[a.column].name) & names] or pairs
        if len({(a.rows & b.rows) for a, b in pairs}) != 1 or len(pairs[0][0].rows & pairs[0][1].rows) != 1:
            return None
        self._used.append(match.span("verb") if match["verb"] else match.span("between"))
        self._penalty += 0.25 * (2 - pairs[0][0].quality - pairs[0][1].quality)
        return pairs[0]

    def _are_joined(self, a: Condition, b: Condition) -> bool:
        """True for "A and B" of which nothing is to be computed."""
        first, second = sorted((a, b), key=lambda condition: condition.start)
        joined = re.fullmatch(r"[\s\"”]*(?:and|&|和|与)[\s\"“]*", self._text[first.end : second.start])
        computed = (COUNT, SUM, DIFFERENCE, AVERAGE, LESS, MORE, YES_NO)
        return joined is not None and not any(word.search(self._text) for word in computed)

    def _chosen(self, groups: Sequence[Sequence[Condition]]) -> Finding | None:
        """ "Is the school public or private": the one of two values that its row says."""
        choices = [group[0] for group in groups if len(group) == 1]
        for a in choices:
            for b in choices:
                between = self._text[a.end : b.start]
                if a.column != b.column or a.rows & b.rows or not re.fullmatch(r"\s*(?:or|还是)\s*", between):
                    continue
                rest = [group for group in groups if group[0] not in (a, b)]
                single = self._single(rest) if rest else None
                rows = self._rows(single) if single else []
                if single is None or len(rows) != 1 or rows[0] not in a.rows | b.rows:
                    return None
                step = run(self._table, "READ_CELL", row=rows[0], column=a.column)
                value = self._table.text(rows[0], a.column)
                return self._finding("lookup", [value], self._columns[a.column].name, step, [*single, a])
        return None

    # --- plans --------------------------------------------------------------------------------------

    def _column_of_verb(self) -> Column | None:
        """Return the one column that is called by the verb of "what does it carry", or None."""
        verb = _VERB_ASKED.match(self._text)
        said = features(verb["verb"]) if verb else frozenset[str]()
        found = [column for column in self._columns if said and said <= features(column.name)]
        return found[0] if len(found) == 1 else None

    def _looked_up(self, conditions: Sequence[Condition]) -> Finding | None:
        verb = self._column_of_verb()
        if verb is not None:
            self._named.add(verb.index)
        wanted = verb or self._episode(conditions) or self._wanted(exclude={c.column for c in conditions})
        if wanted is None or not conditions:
            return None
        rows = self._rows(conditions)
        self._account_outcome(conditions)
        second = self._second_wanted(wanted, {c.column for c in conditions})
        if second is not None:
            return self._looked_up_both(wanted, second, rows, conditions)
        values = self._values(rows, wanted)
        several = len(values) > 1
        if not rows or not values or (several and not self._plural()):
            return None
        step = run(self._table, "LOOKUP", column=wanted.index, where=[c.where for c in conditions])
        return self._finding("lookup", values, self._label(wanted, rows), step, conditions)

    def _episode(self, conditions: Sequence[Condition]) -> Column | None:
        """Return the column of notes that says which episode is meant in the one row of a series."""
        rows = self._rows(conditions) if conditions and _EPISODE_ASKED.search(self._text) else []
        at = episode_told(self._table, rows[0]) if len(rows) == 1 else None
        if at is None or any(features(column.name) & features("episode") for column in self._columns):
            return None
        self._accounted |= features("episode episodes")
        return self._columns[at]

    def _account_outcome(self, conditions: Sequence[Condition]) -> None:
        """Account for the verb that says in which column a team stands: "lose the final" of the runners-up."""
        for cue, names in OUTCOMES:
            if cue.search(self._text) and any(
                features(self._columns[c.column].name) & names for c in conditions
            ):
                self._accounted |= features("losing lost lose winning won win final finals game match")

    def _looked_up_both(
        self, first: Column, second: Column, rows: Sequence[int], conditions: Sequence[Condition]
    ) -> Finding | None:
        values = [self._values(rows, column) for column in (first, second)] if rows else []
        if not values or any(len(own) != 1 for own in values):
            return None
        self._named.add(second.index)
        where = [c.where for c in conditions]
        steps = [run(self._table, "LOOKUP", column=c.index, where=where) for c in (first, second)]
        label = f"{self._label(first, rows)}, {second.name}"
        return self._finding("lookup", values[0] + values[1], label, steps[0], conditions, more=steps[1:])

    def _shared(self, a: Condition, b: Condition) -> Finding | None:
        """ "From which country are both": what the rows of two things say alike in the column that is asked for."""
        wanted = self._wanted(exclude={a.column})
        if wanted is None or len(a.rows) != 1 or len(b.rows) != 1:
            return None
        steps = [run(self._table, "READ_CELL", row=min(c.rows), column=wanted.index) for c in (a, b)]
        values = list(dict.fromkeys(str(step.observation.value) for step in steps))
        if len(values) != 1 or any(step.observation.status != "ok" for step in steps):
            return None
        self._used += [match.span() for match in BOTH.finditer(self._text)]
        return self._finding("lookup", values, wanted.name, steps[0], [a, b], more=steps[1:])

    def _counted(self, conditions: Sequence[Condition]) -> Finding | None:
        text = self._text
        match = COUNT.search(text) or SUM.search(text)
        behind = text[match.end() :] if match else text
        noun = re.split(
            r"\b(?:did|does|do|has|have|had|was|were|is|are|that|who|which|in|with|from|for|by)\b",
            behind,
            maxsplit=1,
        )[0]
        column = self._best_column(noun) or (
            self._best_column(behind, numeric=True) if not conditions else None
        )
        exclude = {c.column for c in conditions}
        if column is None and (told := self._number_of(conditions)) is not None:
            return self._looked_up_in(told, conditions)
        if column is None and SUM.search(text) and (summed := self._sum_noted(conditions)) is not None:
            return summed
        if column is None and (told := self._told_in_text(noun, conditions)) is not None:
            return self._looked_up_in(told, conditions)
        if column is not None and self._says_number(column, conditions):
            return self._looked_up_in(column, conditions)
        able = column is not None and self._numeric(column) and not NUMBERED_BY.match(column.name)
        if column is not None and features(column.name) & _CONTESTS:
            self._accounted |= EVENTS_OF_NUMBERS  # who stands in a list of elections won them
        if column is not None and column.index not in exclude and able:
            self._named.add(column.index)
            rows = self._rows(conditions)
            if conditions and not self._are_as_many(rows):
                return None
            if len(rows) == 1 and conditions:
                return self._looked_up_in(column, conditions)
            self._account_heads(match, column)
            if SUM.search(text) and (conditions or not COUNT.search(text) or "total" in text):
                return self._folded("SUM", conditions, column)
            return None
        if not COUNT.search(text) or (column is None and (is_measure(noun) or self._may_count(noun))):
            return None
        rows = self._rows(conditions)
        distinct = column is not None and column.index not in exclude
        if distinct and column is not None:
            self._named.add(column.index)
        elif not (features(noun) & (self._source.context | IDLE)) and not self._says_rows(noun):
            self._penalty += GUESSED
            if len(rows) > 1 and not is_measure(noun):
                self._accounted |= features(" ".join(noun.split()[-1:]))
        elif (entity := self._entity()) is not None and self._says_rows(noun):
            self._accounted |= features(entity.name) | features(" ".join(noun.split()[-1:]))
        if not conditions:  # "returned orders" are not all of them, though asking has that word, too
            known = IDLE.union(*(features(self._columns[index].name) for index in self._named))
            self._penalty += 2 * GUESSED * sum(map(is_asking, features(noun) - known))
        params = {"where": [c.where for c in conditions]} | (
            {"column": column.index, "distinct": not conditions} if distinct and column else {}
        )
        if "column" not in params and (called := self._entity()) is not None and called.index:
            params |= {"column": called.index}
            if len(self._values_of(rows, called)) < len(rows):
                del params["column"]
        step = run(self._table, "COUNT", **params)
        names = [self._table.text(cell.row, cell.column) for cell in step.observation.cells][:6]
        value = str(step.observation.value)
        said = f"{value} ({', '.join(names)}{'…' if int(value) > 6 else ''})" if names else value
        if not conditions and not self._about_all(noun, column):
            return None
        if not rows:
            return None
        return self._finding(
            "count",
            [value],
            self._columns[column.index].name if column else noun.strip(),
            step,
            conditions,
            said,
        )

    def _values_of(self, rows: Sequence[int], column: Column) -> list[str]:
        return [text for row in rows if (text := self._table.text(row, column.index))]

    def _says_number(self, column: Column, conditions: Sequence[Condition]) -> bool:
        """True where the text of a column in the one row that is meant begins with a number: "3 / 400"."""
        rows = self._rows(conditions) if conditions else []
        return len(rows) == 1 and bool(
            re.match(r"\d+\s*(?:/|of|out of)\s*\d", self._table.text(rows[0], column.index))
        )

    def _told_in_text(self, noun: str, conditions: Sequence[Condition]) -> Column | None:
        """Return the column whose text in the one row that is meant says how many: "4 Episodes"."""
        rows = self._rows(conditions) if conditions else []
        at = count_told(self._table, rows[0], noun) if len(rows) == 1 else None
        if at is not None:
            self._accounted |= features(noun)
        return self._columns[at] if at is not None else None

    def _number_of(self, conditions: Sequence[Condition]) -> Column | None:
        """Return the column that says how many there are of the one thing that the question names, or None.

        "How many dispatchers work there?" of a list with a row for the dispatchers and their number.
        """
        numbers = [c for c in self._columns if self._numeric(c) and features(c.name) & NUMBERS]
        exact = any(condition.quality >= _NAMED for condition in conditions)
        alone = len(numbers) == 1 and len(self._rows(conditions)) == 1
        return numbers[0] if exact and alone else None

    def _about_all(self, noun: str, column: Column | None) -> bool:
        """True when a count without conditions is meant over all rows."""
        return column is not None or bool(features(noun) & self._source.context) or self._says_rows(noun)

    def _looked_up_in(self, column: Column, conditions: Sequence[Condition]) -> Finding | None:
        rows = self._rows(conditions)
        values = self._values(rows, column)
        if len(values) != 1:
            return None
        step = run(self._table, "LOOKUP", column=column.index, where=[c.where for c in conditions])
        return self._finding("lookup", values, self._label(column, rows), step, conditions)

    def _folded(
        self, operator: str, conditions: Sequence[Condition], column: Column | None = None
    ) -> Finding | None:
        exclude = {c.column for c in conditions}
        column = column or self._best_column(self._text, numeric=True, exclude=exclude, nearly=True)
        if column is None or not self._numeric(column):
            return None
        rows = set(self._rows(conditions))
        if len({row.name.rpartition(" / ")[0] for row in self._table.records if row.index in rows}) > 1:
            return None  # the groups of a statement are not added up
        if not conditions and any(self._is_row_said(row) for row in self._table.records):
            return None
        self._named.add(column.index)
        step = run(self._table, operator, columns=[column.index], where=[c.where for c in conditions])
        number = step.observation.number
        if number is None or len(step.observation.cells) < 2:
            return None
        value = written(number.value, 2)
        return self._finding(operator.lower(), [value], column.name, step, conditions, self._worked_out(step))

    def _compared(self, a: Condition, b: Condition, where: Sequence[Condition]) -> Finding | None:
        """Compare two rows: which has more, by how much, together how many."""
        ends = [self._rows([condition, *where]) for condition in (a, b)]
        if any(len(rows) != 1 for rows in ends):
            return self._of_two_noted(a, b, where)
        self._penalty += 0.5 * (2 - a.quality - b.quality)
        text = self._text
        exclude = {a.column} | {c.column for c in where}
        column = self._best_column(text, numeric=True, exclude=exclude, dated=True)
        if column is None and (how := _MEASURED.search(text)) is not None:
            found = measured(how[0], (c for c in self._columns if c.index not in exclude))
            column = found[0] if found else None
        if column is None and (noted := self._of_two_noted(a, b, where)) is not None:
            return noted
        if column is None and _SOONER.search(text):
            column = self._only_date()
        if column is None:
            return None
        self._named.add(column.index)
        cells = [{"row": rows[0], "column": column.index} for rows in ends]
        if DIFFERENCE.search(text):
            self._accounted |= BEATEN
            if column.dtype == "date":
                return self._years_apart(cells, column, [a, b])
            step = run(self._table, "DIFF", a=cells[0], b=cells[1])
            if str(step.observation.value).startswith("-"):
                step = run(self._table, "DIFF", a=cells[1], b=cells[0])
            value = str(step.observation.value)
            return self._finding("difference", [value], column.name, step, [a, b], self._worked_out(step))
        bare = TOGETHER.sub(" ", text)
        if (SUM.search(text) or COUNT.search(text)) and not re.search(
            r"\b(?:or|more|less|fewer|between|each|after|before)\b", bare
        ):
            self._accounted |= EVENTS_OF_NUMBERS
            step = run(self._table, "SUM", cells=cells)
            value = str(step.observation.value)
            return self._finding("sum", [value], column.name, step, [a, b], self._worked_out(step))
        if COUNT.search(text):
            return None
        less, more = LESS.search(text), MORE.search(text)
        if bool(less) == bool(more):
            return None
        step = run(self._table, "COMPARE", a=cells[0], b=cells[1])
        sign = step.observation.value
        if sign == "=":
            return None
        if YES_NO.search(text) and not re.search(r"\bor\b|还是", text):
            holds = (sign == ">") == bool(more)
            yes, no = ("是", "否") if self._question.chinese else ("Yes", "No")
            return self._finding(
                "yes/no",
                [yes if holds else no],
                column.name,
                step,
                [a, b],
                f"{yes if holds else no}. {step.observation.text}",
            )
        winner = ends[0][0] if (sign == ">") == bool(more) else ends[1][0]
        value = self._table.text(winner, a.column)
        return self._finding(
            "compare", [value], column.name, step, [a, b], f"{value} ({step.observation.text})"
        )

    def _years_apart(
        self, cells: Sequence[dict[str, int]], column: Column, said: Sequence[Condition]
    ) -> Finding | None:
        """Return how many years lie between two cells that say nothing but a year."""
        steps = [run(self._table, "READ_CELL", **cell) for cell in cells]
        years = [self._table.text(cell["row"], cell["column"]) for cell in cells]
        if not APART.search(self._text) or not all(re.fullmatch(r"\d{4}", year) for year in years):
            return None
        first, last = sorted(years)
        apart = str(int(last) - int(first))
        told = f"{apart} ({last} − {first})"
        return self._finding("difference", [apart], column.name, steps[0], said, told, more=steps[1:])


def _enough(finding: Finding) -> float:
    """Return how sure a plan of this kind must be."""
    return _ENOUGH.get(finding.kind, ENOUGH)
