"""Plans over tables of records: one row a thing, columns of its properties.

The question is read as conditions on rows (:mod:`engine.answer.tables.mentions`), a wanted column, and what to do:
look up, count, add, average, rank, compare, take the neighbour. What the question says and the plan does not
account for lowers its confidence; below :data:`ENOUGH` there is no answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from engine.answer.tables.finding import Finding, Step, run
from engine.answer.tables.linking import TableSource
from engine.answer.tables.matching import features, weights_of, years_in
from engine.answer.tables.mentions import Condition, Mentions, is_time_word
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.typed_table import Column
from engine.errors import UsageError

ENOUGH = 0.78
_UNKNOWN, _GUESSED = 0.25, 0.12
_MAX = r"most|highest|largest|biggest|greatest|maximum|longest|oldest|tallest|fastest|heaviest|best|top|latest|最高|最大|最多|最长|最晚|最新|最老|最快"
_MIN = r"least|lowest|smallest|fewest|minimum|shortest|youngest|slowest|worst|earliest|最低|最小|最少|最短|最早|最年轻|最慢"
_SUPERLATIVE = re.compile(
    rf"(?:\b|(?=最))(?:(?P<max>{_MAX})|(?P<min>{_MIN}))(?:\b|(?<=[\u4e00-\u9fff]))", re.IGNORECASE
)
_FIRST = re.compile(
    r"\b(?:the|was|is|were|came|listed|list|finish\w*)?\s*(?P<first>first|last|final)\b(?! name)",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\bhow many\b|\b(?:total )?number of\b|有?多少(?=[个名位次种项座条家只支部场])|几(?=[个名位次种项座条家只支部场])|有多少",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"\btotal\b|\bsum\b|\bcombined\b|\baltogether\b|总和|合计|总共|一共|总计|总(?=[数量额])", re.IGNORECASE
)
_AVERAGE = re.compile(r"\baverage\b|\bmean\b|平均", re.IGNORECASE)
_DIFFERENCE = re.compile(
    r"\bdifference\b|\bhow (?:many|much) (?:\w+ )?(?:more|less|fewer|higher|lower|older|longer)\b|\bhow (?:many|much) more\b|相差|差多少|多多少|少多少",
    re.IGNORECASE,
)
_NEIGHBOUR = re.compile(
    r"\b(?P<after>(?:right |immediately |directly |comes? |came |listed |next )*(?:after|below|following|follows)|next to)\b"
    r"|\b(?P<before>(?:right |immediately |directly |comes? |came |listed )*(?:before|above|prior to|previous to|preced\w+))\b|(?P<after_zh>之后|下一)|(?P<before_zh>之前|上一)",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"\b(?:less|fewer|lower|smaller|shorter|younger|earlier|least|lowest|first|before)\b|更少|更低|更小|较少|较低|较小",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:more|higher|larger|greater|bigger|longer|older|later|better|taller|most|highest)\b|更多|更高|更大|较多|较高|较大",
    re.IGNORECASE,
)
_VALUE_WANTED = re.compile(
    r"\b(?:what|which) (?:is|was|were|are) (?:the|his|her|its|their)\b|\bhow (?:many|much)\b|多少",
    re.IGNORECASE,
)
_BEYOND = re.compile(
    r"\b(?:more|less|fewer|greater|higher|lower|at least|at most|no more) (?:\w+ )?than\b|\bat (?:least|most)\b|超过|不足",
    re.IGNORECASE,
)
_YES_NO = re.compile(r"^(?:is|are|was|were|do|does|did|has|have|had|can)\b|是否|吗[?？]?$", re.IGNORECASE)
_WHO = re.compile(r"\bwho(?:se|m)?\b|谁|哪一?位", re.IGNORECASE)
_WHEN = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:year|date|day|time)\b|什么时候|何时|哪一?年|哪一?天", re.IGNORECASE
)
_WHERE = re.compile(r"\bwhere\b|哪里|何处|在哪", re.IGNORECASE)
_WANTED = re.compile(
    r"\b(?:what|which|whose|name|list|tell)\b(?: (?:is|are|was|were|the|a|an|of|me|other|all|one|two|only|different))*|哪个|哪些|哪一?[个位家种座项]?|什么",
    re.IGNORECASE,
)
_PEOPLE = """name player winner artist driver rider athlete swimmer actor actress director candidate author champion coach
president person skipper cyclist singer performer member leader writer nominee recipient incumbent representative
manager captain officer party opponent team contestant 姓名 选手 球员 作者 导演 演员 歌手 冠军 名称""".split()
_PLACES = "location venue city place country site stadium host town state region station 地点 城市 国家 场馆 地区 位置".split()
_MEASURES = {
    "old": ("age", "born", "year", "built", "年龄"), "young": ("age", "born", "年龄"), "long": ("length", "duration", "time", "distance", "长度"),
    "short": ("length", "duration", "time", "distance", "长度"), "tall": ("height", "floors", "高度"), "fast": ("time", "speed"),
    "slow": ("time", "speed"), "large": ("area", "size", "population", "面积"), "big": ("area", "size", "population", "面积"), "heav": ("weight", "重量"),
    "small": ("area", "size", "population", "面积"), "late": ("date", "year", "日期"), "earl": ("date", "year", "日期"),
}  # fmt: skip
# Nouns for a row as such, and small words of questions over lists.
_IDLE = frozenset(
    f
    for word in """table list listed entry entries row rows chart item items people person thing things times time there
    one ones only ever according include included including also along besides either or person's were
    overall whole entire all given shown appear appears appeared listed exist exists have has had total together than
    that who which where when this these those least most more less long take took place happen happened occur occurred
    held did do does get got name names named called many much amount number count was is are be been being per his her
    their its out based kind type types sort year years date during single each any after before
    above below next previous following prior immediately directly right come comes came go went list's last first final
    top highest lowest largest smallest biggest longest shortest oldest youngest greatest fewest earliest latest best worst
    average sum combined difference between and score scored see seen use used make made
    哪个 多少 几个 什么 哪些 一共 总共 其中 列出 有几""".split()
    for f in features(word)
)


class RecordPlanner:
    """Makes a plan for one question over one table."""

    def __init__(self, source: TableSource, question: Question) -> None:
        self._source, self._table = source, source.table
        self._question = question
        self._text = question.plain.casefold().rstrip("?？ .")
        self._mentions = Mentions(self._table, self._text)
        self._columns = self._table.columns
        self._weights = weights_of([column.name for column in self._columns])
        self._penalty = 0.0
        self._used: list[tuple[int, int]] = []
        self._named: set[int] = set()

    def plan(self) -> Finding | None:
        """Return what the table answers, or None."""
        if len(self._table.records) < 2 or len(self._columns) < 2 or self._question.prose:
            return None
        # A statement's columns are periods: its rows are items, and none of them is a record.
        if sum(bool(years_in(column.name)) for column in self._columns) > 1:
            return None
        try:
            finding = self._choose()
        except UsageError:
            return None
        return finding if finding is not None and finding.confidence >= ENOUGH else None

    # --- what is asked ------------------------------------------------------------------------------

    def _choose(self) -> Finding | None:
        groups, where = self._conditions
        text = self._text
        two = self._two_of_one_column(groups)
        if two is not None:
            return self._compared(*two, where)
        single = self._single(groups)
        if single is None:
            return None
        neighbour = _NEIGHBOUR.search(text)
        if neighbour and len({bool(m["after"]) for m in _NEIGHBOUR.finditer(text)}) > 1:
            return None
        if neighbour and single and not where:
            return self._neighbour(single, bool(neighbour["after"] or neighbour["after_zh"]))
        conditions = [*single, *where]
        if _YES_NO.search(text) or (not where and _BEYOND.search(text)):
            return None
        if _DIFFERENCE.search(text):
            return self._spread(conditions)
        if _AVERAGE.search(text):
            return self._folded("AVERAGE", conditions)
        if (match := _SUPERLATIVE.search(text)) is not None:
            return self._superlative(match, conditions)
        if _COUNT.search(text) or _SUM.search(text):
            return self._counted(conditions)
        if (match := _FIRST.search(text)) is not None:
            return self._in_order(match["first"].casefold() == "first", conditions)
        return self._looked_up(conditions)

    @cached_property
    def _conditions(self) -> tuple[list[list[Condition]], list[Condition]]:
        """Return the mentioned values (each with its possible columns), and the conditions on numbers and years."""
        where: list[Condition] = []
        for sign, number, start, end in self._mentions.limits():
            column = self._limit_column(sign, number, start, end)
            if column is None:
                self._penalty += 1.0
                continue
            where.append(
                Condition(
                    column.index, sign, float(number) if "." in number else int(number), start, end, 1.0
                )
            )
            self._used.append((start, end))
        groups = self._mentions.values(self._used)
        self._used += [(group[0].start, group[0].end) for group in groups]
        for year, start, end in self._mentions.years(self._used):
            column = self._year_column(year)
            if column is None:
                self._penalty += 0.0 if year in self._source.context else 1.0
                continue
            where.append(Condition(column.index, "contains", year, start, end, 1.0))
            self._used.append((start, end))
        return groups, where

    def _limit_column(self, sign: str, number: str, start: int, end: int) -> Column | None:
        if is_time_word(self._text[start:end]):
            return self._only_date() if len(number) == 4 else None
        behind = re.match(r"[^,?]{0,40}", self._text[end:])
        near = self._best_column(behind[0] if behind else "", numeric=True)
        return near or self._best_column(self._text[:start], numeric=True)

    def _year_column(self, year: str) -> Column | None:
        holding = [
            column for column in self._columns
            if any(re.search(rf"(?<!\d){year}(?!\d)", self._table.text(row.index, column.index)) for row in self._table.rows)
        ]  # fmt: skip
        dated = [column for column in holding if column.dtype == "date" or features(column.name) & _YEARLY]
        return holding[0] if len(holding) == 1 else dated[0] if len(dated) == 1 else None

    def _only_date(self) -> Column | None:
        dated = [column for column in self._columns if column.dtype == "date"]
        named = [column for column in dated or self._columns if features(column.name) & _YEARLY]
        return dated[0] if len(dated) == 1 else named[0] if len(named) == 1 else None

    def _two_of_one_column(self, groups: Sequence[Sequence[Condition]]) -> tuple[Condition, Condition] | None:
        for first, group in enumerate(groups):
            for other in groups[first + 1 :]:
                for a in group:
                    for b in other:
                        if a.column == b.column and not a.rows & b.rows and len(groups) == 2:
                            return a, b
        return None

    def _single(self, groups: Sequence[Sequence[Condition]]) -> list[Condition] | None:
        """Return one condition a mention; None when a mention may mean several columns with different rows."""
        chosen: list[Condition] = []
        for group in groups:
            options = list(group)
            if len(options) > 1:
                before = self._text[max(0, options[0].start - 30) : options[0].end + 30]
                named = [c for c in options if self._header_said(self._columns[c.column], before)]
                options = named or options
            if len({c.rows for c in options}) > 1:
                exact = [c for c in options if c.quality == 1.0]
                options = exact or options
            if len({c.rows for c in options}) > 1:
                return None
            chosen.append(options[0])
            self._penalty += 0.5 * (1.0 - options[0].quality) ** 1.0
        return chosen

    # --- plans --------------------------------------------------------------------------------------

    def _looked_up(self, conditions: Sequence[Condition]) -> Finding | None:
        wanted = self._wanted(exclude={c.column for c in conditions})
        if wanted is None or not conditions:
            return None
        rows = self._rows(conditions)
        values = self._values(rows, wanted)
        several = len(values) > 1
        if not rows or not values or (several and not self._plural()):
            return None
        step = run(self._table, "LOOKUP", column=wanted.index, where=[c.where for c in conditions])
        return self._finding("lookup", values, self._label(wanted, rows), step, conditions)

    def _counted(self, conditions: Sequence[Condition]) -> Finding | None:
        text = self._text
        match = _COUNT.search(text) or _SUM.search(text)
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
        if column is not None and column.index not in exclude and self._numeric(column):
            self._named.add(column.index)
            rows = self._rows(conditions)
            if len(rows) == 1 and conditions:
                return self._looked_up_in(column, conditions)
            if _SUM.search(text) and (conditions or not _COUNT.search(text) or "total" in text):
                return self._folded("SUM", conditions, column)
            return None
        if not _COUNT.search(text):
            return None
        rows = self._rows(conditions)
        distinct = column is not None and column.index not in exclude
        if distinct and column is not None:
            self._named.add(column.index)
        elif not (features(noun) & (self._source.context | _IDLE)) and not self._says_rows(noun):
            self._penalty += _GUESSED
        params = {"where": [c.where for c in conditions]} | (
            {"column": column.index, "distinct": not conditions} if distinct and column else {}
        )
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

    def _about_all(self, noun: str, column: Column | None) -> bool:
        """True when a count without conditions is meant over all rows."""
        return column is not None or bool(features(noun) & self._source.context) or self._says_rows(noun)

    def _says_rows(self, noun: str) -> bool:
        entity = self._entity()
        return bool(entity and features(noun) & features(entity.name))

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
        column = column or self._best_column(self._text, numeric=True, exclude=exclude)
        if column is None or not self._numeric(column):
            return None
        self._named.add(column.index)
        step = run(self._table, operator, columns=[column.index], where=[c.where for c in conditions])
        number = step.observation.number
        if number is None or len(step.observation.cells) < 2:
            return None
        said = f"{step.observation.text} ({step.observation.derivation})"
        return self._finding(operator.lower(), [step.observation.text], column.name, step, conditions, said)

    def _superlative(self, match: re.Match[str], conditions: Sequence[Condition]) -> Finding | None:
        lowest = bool(match["min"])
        word = match[0].casefold()
        exclude = {c.column for c in conditions}
        behind = self._text[match.end() : match.end() + 60]
        measure = self._best_column(behind, numeric=True, exclude=exclude, dated=True)
        if measure is None:
            hints = next((hints for stem, hints in _MEASURES.items() if word.startswith(stem)), ())
            found = [
                c
                for c in self._columns
                for hint in hints
                if features(hint) & features(c.name) and c.index not in exclude
            ]
            measure = found[0] if found else None
            if (
                measure is not None
                and word.startswith(("old", "young"))
                and features(measure.name) & features("born year built")
            ):
                lowest = not lowest
            if (
                measure is not None
                and word.startswith(("fast", "slow"))
                and features(measure.name) & features("time")
            ):
                lowest = not lowest
        if measure is None:
            return self._most_frequent(lowest, match, conditions)
        if features(measure.name) & features("rank position place 排名") and word in (
            "highest",
            "best",
            "top",
            "lowest",
            "worst",
        ):
            lowest = not lowest
        self._named.add(measure.index)
        rows = self._rows(conditions)
        step = run(self._table, "MIN" if lowest else "MAX", columns=[measure.index], rows=list(rows))
        best = list(dict.fromkeys(cell.row for cell in step.observation.cells))
        filled = sum(bool(self._table.text(row, measure.index)) for row in rows)
        if not best or len(best) > 2 or filled < 2 or not self._all_ordered(rows, measure):
            return None
        if re.search(
            r"\b(?:what|how (?:many|much)|多少)\b[^,]*(?:is|was|were|are) the\b", self._text
        ) and not self._wanted_named({measure.index} | exclude):
            value = self._table.text(best[0], measure.index)
            return self._finding("extreme", [value], self._label(measure, best), step, conditions)
        wanted = self._wanted(exclude={measure.index} | exclude, after=match.end())
        if wanted is None:
            return None
        values = self._values(best, wanted)
        if len(values) != len(best) or (len(best) > 1 and not self._plural()):
            return None
        said = "; ".join(
            f"{self._table.text(row, wanted.index)} ({measure.name}: {self._table.text(row, measure.index)})"
            for row in best
        )
        look = [run(self._table, "READ_CELL", row=row, column=wanted.index) for row in best]
        return self._finding("superlative", values, wanted.name, step, conditions, said, look)

    def _most_frequent(
        self, lowest: bool, match: re.Match[str], conditions: Sequence[Condition]
    ) -> Finding | None:
        """ "Which country has the most cyclists": the value that stands in most rows."""
        if match[0].casefold() not in ("most", "least", "fewest", "最多", "最少"):
            return None
        wanted = self._wanted_named({c.column for c in conditions})
        if wanted is None or self._numeric(wanted):
            return None
        counts = Counter(self._table.text(row, wanted.index) for row in self._rows(conditions))
        counts.pop("", None)
        ranked = counts.most_common() if not lowest else counts.most_common()[::-1]
        if len(ranked) < 2 or ranked[0][1] == ranked[1][1] or (not lowest and ranked[0][1] < 2):
            return None
        value, count = ranked[0]
        step = run(
            self._table,
            "COUNT",
            where=[{"column": wanted.index, "is": "=", "value": value}, *(c.where for c in conditions)],
            column=wanted.index,
        )
        self._named.add(wanted.index)
        return self._finding("most frequent", [value], wanted.name, step, conditions, f"{value} ({count})")

    def _in_order(self, first: bool, conditions: Sequence[Condition]) -> Finding | None:
        """ "The first team listed": the first row; "the last winner" the last row of those that meet the conditions."""
        rows = self._rows(conditions)
        if len(rows) < 2:
            return None
        date = self._only_date()
        if date is not None and self._all_ordered(rows, date):
            step = run(self._table, "MIN" if first else "MAX", columns=[date.index], rows=rows)
            chosen = list(dict.fromkeys(cell.row for cell in step.observation.cells))
            if len(chosen) > 1:
                chosen = [chosen[0] if first else chosen[-1]] if re.search(r"\blist", self._text) else []
            if not chosen:
                return None
            row = chosen[0]
        else:
            row = rows[0] if first else rows[-1]
            step = None
            self._penalty += _GUESSED
        wanted = self._wanted(exclude={c.column for c in conditions})
        if wanted is None:
            return None
        values = self._values([row], wanted)
        look = run(self._table, "READ_CELL", row=row, column=wanted.index)
        return (
            self._finding("in order", values, wanted.name, step or look, conditions, more=[look])
            if values
            else None
        )

    def _neighbour(self, conditions: Sequence[Condition], after: bool) -> Finding | None:
        rows = self._rows(conditions)
        if len(rows) != 1:
            return None
        order = [row.index for row in self._table.records]
        at = order.index(rows[0]) + (1 if after else -1)
        if not 0 <= at < len(order):
            return None
        column = self._columns[conditions[0].column]
        wanted = self._wanted_named({column.index}) or column
        values = self._values([order[at]], wanted)
        self._named.add(wanted.index)
        step = run(self._table, "READ_CELL", row=order[at], column=wanted.index)
        start = run(self._table, "READ_CELL", row=rows[0], column=column.index)
        return (
            self._finding("neighbour", values, wanted.name, start, conditions, more=[step])
            if values
            else None
        )

    def _spread(self, conditions: Sequence[Condition]) -> Finding | None:
        """ "The difference between the most and the least attended game": of the extremes of a column."""
        has_both = re.search(rf"\b(?:{_MAX})\b.*\b(?:{_MIN})\b|\b(?:{_MIN})\b.*\b(?:{_MAX})\b", self._text)
        column = self._best_column(self._text, numeric=True, exclude={c.column for c in conditions})
        if not has_both or column is None:
            return None
        self._named.add(column.index)
        rows = self._rows(conditions)
        ranked = run(self._table, "RANK", columns=[column.index], rows=rows).observation.cells
        if len(ranked) < 2:
            return None
        a, b = ranked[0], ranked[-1]
        step = run(
            self._table, "DIFF", a={"row": a.row, "column": a.column}, b={"row": b.row, "column": b.column}
        )
        said = f"{step.observation.text} ({step.observation.derivation})"
        return self._finding("difference", [step.observation.text], column.name, step, conditions, said)

    def _compared(self, a: Condition, b: Condition, where: Sequence[Condition]) -> Finding | None:
        """Compare two rows: which has more, by how much, together how many."""
        ends = [self._rows([condition, *where]) for condition in (a, b)]
        if any(len(rows) != 1 for rows in ends):
            return None
        self._penalty += 0.5 * (2 - a.quality - b.quality)
        text = self._text
        exclude = {a.column} | {c.column for c in where}
        column = self._best_column(text, numeric=True, exclude=exclude, dated=True)
        if column is None:
            return None
        self._named.add(column.index)
        cells = [{"row": rows[0], "column": column.index} for rows in ends]
        if _DIFFERENCE.search(text):
            first, second = cells
            step = run(self._table, "DIFF", a=first, b=second)
            value = step.observation.text.removeprefix("-")
            said = f"{value} ({step.observation.derivation})"
            return self._finding("difference", [value], column.name, step, [a, b], said)
        if (_SUM.search(text) or _COUNT.search(text)) and not re.search(
            r"\b(?:or|more|less|fewer|between|each|after|before)\b", text
        ):
            step = run(self._table, "SUM", cells=cells)
            return self._finding(
                "sum",
                [step.observation.text],
                column.name,
                step,
                [a, b],
                f"{step.observation.text} ({step.observation.derivation})",
            )
        if _COUNT.search(text):
            return None
        less, more = _LESS.search(text), _MORE.search(text)
        if bool(less) == bool(more):
            return None
        step = run(self._table, "COMPARE", a=cells[0], b=cells[1])
        sign = step.observation.value
        if sign == "=":
            return None
        if _YES_NO.search(text):
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

    # --- columns ------------------------------------------------------------------------------------

    def _wanted(self, exclude: set[int], after: int = 0) -> Column | None:
        """Return the column that is asked for: named behind the question word, or the kind of it, or the first of texts."""
        named = self._wanted_named(exclude)
        if named is not None:
            self._named.add(named.index)
            return named
        text = self._text
        free = [c for c in self._columns if c.index not in exclude]
        for cue, words in ((_WHO, _PEOPLE), (_WHERE, _PLACES)):
            if cue.search(text):
                found = [c for word in words for c in free if features(word) & features(c.name)]
                if found:
                    self._named.add(found[0].index)
                    return found[0]
        if _WHEN.search(text):
            dated = [c for c in free if c.dtype == "date" or features(c.name) & _YEARLY]
            if len(dated) == 1:
                self._named.add(dated[0].index)
            return dated[0] if len(dated) == 1 else None
        if _WHERE.search(text):
            return None
        entity = self._entity()
        if entity is None or entity.index in exclude:
            return None
        wanted = _WANTED.search(text)
        noun = features(" ".join(text[wanted.end() :].split()[:2])) if wanted else frozenset()
        told = noun & (self._source.context | _GENERIC) or _WHO.search(text)
        self._penalty += _GUESSED if told else 2 * _GUESSED
        return entity

    def _wanted_named(self, exclude: set[int]) -> Column | None:
        match = _WANTED.search(self._text)
        if match is None:
            return None
        behind = self._text[match.end() :]
        noun = re.split(
            r"\b(?:did|does|do|has|have|had|was|were|is|are|that|who|in|with|from|for|by|on|at|won|scored)\b|(?:有|是|的|在)",
            behind,
            maxsplit=1,
        )[0]
        return self._best_column(noun, exclude=exclude)

    def _best_column(
        self,
        text: str,
        numeric: bool = False,
        exclude: set[int] | frozenset[int] = frozenset(),
        dated: bool = False,
    ) -> Column | None:
        """Return the one column whose name the text says best."""
        said = features(text)
        scored = []
        for column in self._columns:
            able = self._numeric(column) or (dated and column.dtype in ("date", "time"))
            if column.index in exclude or (numeric and not able):
                continue
            own = {f for f in features(column.name)}
            common = own & said
            if not common:
                continue
            recall = sum(self._weights.get(f, 1.0) for f in common) / sum(
                self._weights.get(f, 1.0) for f in own
            )
            if recall >= 0.45:
                place = min((text.find(f[:4]) for f in common if f[:4] in text), default=99)
                scored.append((recall, -place, column))
        scored.sort(key=lambda item: (-item[0], -item[1]))
        if (
            len(scored) > 1
            and scored[0][0] == scored[1][0]
            and features(scored[0][2].name) == features(scored[1][2].name)
        ):
            return None
        return scored[0][2] if scored else None

    def _header_said(self, column: Column, text: str) -> bool:
        own = {f for f in features(column.name) if not is_asking(f)}
        return bool(own & features(text))

    def _entity(self) -> Column | None:
        """Return the first column of texts: what the rows are about."""
        texts = [c for c in self._columns if c.dtype == "text"]
        return texts[0] if texts else None

    def _numeric(self, column: Column) -> bool:
        return column.dtype in ("number", "percent", "currency")

    # --- rows ---------------------------------------------------------------------------------------

    def _rows(self, conditions: Sequence[Condition]) -> list[int]:
        if not conditions:
            return [row.index for row in self._table.records]
        found = run(self._table, "FILTER", where=[c.where for c in conditions]).observation.value
        return [item["row"] for item in found or []]

    def _values(self, rows: Sequence[int], column: Column) -> list[str]:
        texts = [self._table.text(row, column.index) for row in rows]
        return list(
            dict.fromkeys(
                text for text in texts if text and self._table.value(rows[0], column.index).dtype != "empty"
            )
        )

    def _all_ordered(self, rows: Sequence[int], column: Column) -> bool:
        """True when nearly all cells of a column can be compared."""
        values = [self._table.value(row, column.index) for row in rows]
        filled = [value for value in values if value.dtype != "empty"]
        able = sum(value.numeric or value.dtype in ("date", "time") for value in filled)
        return bool(filled) and able >= 0.85 * len(filled)

    def _plural(self) -> bool:
        match = _WANTED.search(self._text)
        words = self._text[match.end() :].split()[:2] if match else []
        return any(word.endswith("s") and not word.endswith("ss") for word in words) or bool(
            re.search(r"哪些|列出", self._text)
        )

    # --- the outcome ----------------------------------------------------------------------------------

    def _label(self, column: Column, rows: Sequence[int]) -> str:
        names = [row.name for index in rows if (row := self._table.row(index)) and row.name]
        about = names[0] if len(names) == 1 else ""
        return ", ".join(part for part in (about, column.name) if part)

    def _finding(
        self, kind: str, values: list[str], label: str, step: Step, conditions: Sequence[Condition], said: str = "",
        more: Sequence[Step] = (),
    ) -> Finding:  # fmt: skip
        steps = [step, *more]
        refs = [cell for one in [*more, step] for cell in one.observation.cells]
        cells = list({(c.row, c.column): c for c in refs}.values())
        return Finding(kind, values, label, steps, self._confidence(), said, cells)

    def _confidence(self) -> float:
        """Return 1 less what is guessed and what the question says that nothing accounts for."""
        rest = self._text
        for start, end in self._used:
            rest = rest[:start] + " " * (end - start) + rest[end:]
        named = frozenset().union(
            *(features(self._columns[index].name) for index in self._named), frozenset()
        )
        said = {f for f in features(rest) if not f.startswith(("§", "#"))}
        unknown = [f for f in said if f not in named and f not in _IDLE and not is_asking(f)]
        weight = 0.0
        for feature in unknown:
            weight += 0.3 if feature in self._source.context else 1.0
        return max(0.0, 1.0 - self._penalty - _UNKNOWN * weight)


_GENERIC = features("name names one ones item entry title person 名称")
_YEARLY = features("year date season 年份 日期 年") | features("years dates")
