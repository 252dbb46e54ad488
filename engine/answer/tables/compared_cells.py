"""How much one cell has more than another of its row or column: 存货期末比期初多多少, "how many more men than women".

One of the two is read as a question of its own; the other stands in the same row or column under the other name
that is compared with. Where that name could be several, nothing is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.answer.tables.finding import Finding, Step, run, spec
from engine.answer.tables.matching import features, plain
from engine.answer.tables.quantity import quantity_of, shown, written
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.reading import name_of
from engine.answer.tables.record_words import EVENTS_OF_NUMBERS, IDLE
from engine.answer.tables.references import CellPlace
from engine.answer.tables.short_forms import without_asides
from engine.answer.tables.statement_words import CHANGES
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import CellRef
from engine.answer.tables.word_families import alike
from engine.errors import UsageError
from engine.structure.sentences import is_cjk

CONFIDENCE = 0.85
_LEAST_SHARED = 2
_FEWER = re.compile(
    r"fewer|less|lower|short|light|cheap|small|young|slow|少|低|便宜|轻|短|小|慢|减|下降|降低"
)
_MORE_EN = r"more|fewer|less|(?P<adjective>[a-z]+er)(?! than \d)|more (?P<long>expensive|costly)"
_THAN = re.compile(
    rf"^(?:by )?(?P<ask>how (?:many|much)) (?P<more>{_MORE_EN})\b(?P<a>.*?)\bthan (?P<b>[^?]+)", re.IGNORECASE
)
_BETWEEN = re.compile(
    r"^what (?:is|was) the difference between (?P<a>.+?) and (?P<b>.+?)(?P<rest> (?:in|for|of|at|on) [^?]+)?\??$",
    re.IGNORECASE,
)
_WHEN = re.compile(r" (?:in|for|during|at|on|as of) (?:[\w,]+ ){0,6}(?:19|20)\d\d$", re.IGNORECASE)
_MORE_ZH = "多|少|高|低|贵|便宜|重|轻|长|短|大|小|快|慢|增加|减少|增长|下降|上升|降低|提高"
_THAN_ZH = re.compile(
    rf"^(?P<a>.+?)比(?P<b>.+?)(?P<more>{_MORE_ZH})[了出]?(?P<ask>多少|几)(?P<unit>[^?？。]*)[?？。]?$"
)
_GAP_ZH = re.compile(
    r"^(?P<a>.+?)[和与跟](?P<b>.+?)的?(?:相差|差额|差距|差)[了是为]*(?P<ask>多少|几)[^?？]*[?？]?$"
)
_OF_MONEY = re.compile(r"价|费|金额|原值|\b(?:price|cost|fee|fare|rate|charge)s?\b", re.IGNORECASE)
# What a comparison measures: how a row or column of such amounts may be called, and what it is called at large.
_MEASURED: tuple[tuple[re.Pattern[str], re.Pattern[str], str, str], ...] = (
    (re.compile(r"heav|light|重|轻"), re.compile(r"重量?$|\bweight\b|\bmass\b"), "weight", "重量"),
    (re.compile(r"expensive|costly|cheap|dear|贵|便宜"), _OF_MONEY, "price", "价格"),
    (re.compile(r"long|short|长|短"), re.compile(r"长度?$|距离|\blength\b|\bdistance\b"), "length", "长度"),
    (
        re.compile(r"tall|high|low|高|低"),
        re.compile(r"高度?$|海拔|\bheight\b|\belevation\b"),
        "height",
        "高度",
    ),
    (re.compile(r"fast|slow|快|慢"), re.compile(r"速度?$|\bspeed\b"), "speed", "速度"),
    (re.compile(r"old|young"), re.compile(r"\bage\b"), "age", "年龄"),
    (re.compile(r"loud|quiet"), re.compile(r"\bnoise\b|\bsound\b"), "noise level", "噪音"),
    (re.compile(r"wide|narrow"), re.compile(r"\bwidth\b"), "width", "宽度"),
    (re.compile(r"deep|shallow"), re.compile(r"\bdepth\b"), "depth", "深度"),
    (re.compile(r"thick|thin"), re.compile(r"\bthickness\b"), "thickness", "厚度"),
)
# What says no more than that one is above the other; any other word says what is measured.
_AT_LARGE = re.compile(
    r"(?:more|fewer|less|(?:high|low|great|larg|bigg|small)er|[多少高低大小]|增加|减少|增长|下降|上升|降低|提高)?"
)
_IDLE_ZH = re.compile(r"[的在是有了时为]|期间|那[个天]")
_SMALL = frozenset("in at on of for to by the a an is are was were due".split())
_PERCENT = re.compile(r"百分|percent|%", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Comparison:
    """The two that are compared, what is asked of them, and whether the second is taken from the first."""

    a: str
    b: str
    ask: str
    more: str
    unit: str = ""

    @property
    def fewer(self) -> bool:
        return bool(_FEWER.search(self.more))


def compares(question: str) -> bool:
    """True for a question of how much one thing has more or less than another."""
    return _comparison(question) is not None


def is_only_one(finding: Finding) -> bool:
    """True for a cell that is one of two compared amounts, and no change that is printed."""
    headers = " ".join(f"{cell.row_header} {cell.column_header}" for cell in finding.cells)
    return finding.kind == "lookup" and not CHANGES.search(headers)


def difference_of_two(
    question: Question, source: TableSource, read: Callable[[str], Finding | None]
) -> Finding | None:
    """Return how far the two cells that a question compares are apart.

    ``read`` answers a question from the table. Where not both cells are clear, or they are no numbers, None.
    """
    made = _comparison(question.plain)
    if made is None or not source.table.rows:
        return None
    for first, (anchor, other) in ((True, (made.a, made.b)), (False, (made.b, made.a))):
        for asked in _asked_of(anchor, made, source):
            found = read(asked)
            if found is None or found.kind != "lookup" or len(found.cells) != 1:
                continue
            if not _is_measure(found.cells[0], made):
                continue
            place = CellPlace(source.table, found.cells[0].row, found.cells[0].column)
            partner = _partner(place, other, asked, source)
            if partner is not None and _says_own_name(anchor, place, partner):
                two = (place, partner) if first else (partner, place)
                return _told(two, made, question, found.confidence)
    return None


def _comparison(question: str) -> _Comparison | None:
    text = " ".join(question.split())
    if _PERCENT.search(text):
        return None
    if is_cjk(text):
        if match := _THAN_ZH.match(text):
            return _Comparison(match["a"], match["b"], match["ask"], match["more"], match["unit"])
        match = _GAP_ZH.match(text)
        return _Comparison(match["a"], match["b"], match["ask"], "") if match else None
    if match := _THAN.match(text):
        more, a, b = match["more"].casefold(), match["a"].strip(" ,"), match["b"].strip()
        when = _WHEN.search(b)
        a = f"{a}{when[0]}" if when and not _WHEN.search(a) else a  # the year behind both is of both
        return _Comparison(a, b, match["ask"], more)
    if match := _BETWEEN.match(text):
        rest = match["rest"] or ""
        return _Comparison(f"{match['a']}{rest}", f"{match['b']}{rest}", "what is", "")
    return None


def _asked_of(anchor: str, made: _Comparison, source: TableSource) -> Iterator[str]:
    """Yield the questions for one of the two alone, the plainest first."""
    hint = next((hint for hint in _MEASURED if hint[0].search(made.more)), None)
    names = _measures(hint[1], source) if hint else []
    if is_cjk(f"{anchor}{made.ask}"):
        if made.unit:
            yield f"{anchor}有{made.ask}{made.unit}？"
            yield f"{anchor}的{made.unit.lstrip('个枚场块名位项种条件')}是多少？"
        yield from (f"{anchor}的{noun}是多少？" for noun in [*names, *([hint[3]] if hint else [])])
        if _AT_LARGE.fullmatch(made.more):
            yield f"{anchor}是多少？"
        return
    if hint:
        bare = re.sub(r"^(?:is|are|was|were|does|do|did)\s+(?:the )?|\s+(?:is|are|was|were)$", "", anchor)
        yield from (f"What is the {noun} of {bare}?" for noun in [*names, hint[2]])
    if _AT_LARGE.fullmatch(made.more):
        yield f"{made.ask} {anchor}?"


def _is_measure(cell: CellRef, made: _Comparison) -> bool:
    """True for a cell of what the comparison measures: a weight where something is heavier."""
    hint = next((hint for hint in _MEASURED if hint[0].search(made.more)), None)
    if hint is None or _AT_LARGE.fullmatch(made.more):
        return True
    names = [*cell.row_header.split(" / "), *cell.column_header.split(" / ")]
    return any(hint[1].search(plain(without_asides(name))) for name in names)


def _measures(called: re.Pattern[str], source: TableSource) -> list[str]:
    """Return the name of the one row or column that is called so, [] for none or several."""
    names = [column.name.rsplit(" / ", 1)[-1] for column in source.table.columns]
    names += [row.leaf for row in source.table.rows]
    found = dict.fromkeys(plain(without_asides(name)) for name in names)
    found_names = [name for name in found if called.search(name)]
    return found_names if len(found_names) == 1 else []


def _partner(place: CellPlace, other: str, asked: str, source: TableSource) -> CellPlace | None:
    """Return the number in the same row or column that stands under the other name; None for none or several."""
    table = source.table
    own_row = next(row for row in table.rows if row.index == place.row)
    columns = {
        CellPlace(table, place.row, column.index): column.name
        for column in table.value_columns
        if column.index != place.column
    }
    rows = {
        CellPlace(table, row.index, place.column): row.name for row in table.rows if row.index != place.row
    }
    found: list[CellPlace] = []
    for side, own in ((columns, table.columns[place.column].name), (rows, own_row.name)):
        meant = {cell: name for cell, name in side.items() if _means(other, name, own, asked)}
        if not meant:
            continue
        shared = {cell: len(features(name) & features(own)) for cell, name in meant.items()}
        best = max(shared.values())
        found += [cell for cell in meant if shared[cell] == best]
    return found[0] if len(found) == 1 and quantity_of(found[0].value) else None


def _says_own_name(said: str, place: CellPlace, partner: CellPlace) -> bool:
    """True where the name that tells a cell from its partner is said, in full or in part."""
    a, b = place.ref, partner.ref
    own, other = (
        (a.column_header, b.column_header) if place.row == partner.row else (a.row_header, b.row_header)
    )
    if not is_cjk(said):
        asked = features(said)
        mine, theirs = features(own), features(other)
        if mine < theirs:  # "EBITDA" beside "Underlying EBITDA"
            return mine <= asked and not (theirs - mine) & asked
        return any(f in asked or alike(f) & asked for f in features(own) - features(other))
    levels = [plain(without_asides(level)) for level in own.split(" / ") if level not in other.split(" / ")]
    return any(
        level[at:end] in plain(said) and level[at:end] not in plain(other)
        for level in levels
        for at in range(len(level))
        for end in range(min(at + _LEAST_SHARED, len(level)), len(level) + 1)
    )


def _means(said: str, name: str, own: str, asked: str) -> bool:
    """True where a name is what is said, and no less so the name it is compared with."""
    levels = [without_asides(level) for level in name.split(" / ")]
    if is_cjk(said):
        bare = _IDLE_ZH.sub("", plain(said))
        return any(
            _says(level, bare, said) and _IDLE_ZH.sub("", plain(level)) not in _IDLE_ZH.sub("", plain(own))
            for level in levels
        )
    wanted = frozenset(
        f
        for f in features(said)
        if not (is_asking(f) and not f.isdigit()) and f not in IDLE | EVENTS_OF_NUMBERS
    )
    held = frozenset().union(*map(features, levels))
    if wanted:
        around = features(asked)
        return bool(wanted & held - features(own)) and wanted - around <= held
    return any(plain(said) == plain(level) for level in levels)


def _says(level: str, bare: str, said: str) -> bool:
    name = _IDLE_ZH.sub("", plain(level))
    return bool(name and bare) and (bare in name or (len(name) > 1 and name in plain(said)))


def _told(
    two: tuple[CellPlace, CellPlace], made: _Comparison, question: Question, sure: float
) -> Finding | None:
    a, b = two if not made.fewer else two[::-1]
    first, second = quantity_of(a.value), quantity_of(b.value)
    if first is None or second is None or a.value.dtype in ("date", "time"):
        return None
    if (first.unit, first.scale) != (second.unit, second.scale):
        return None
    if not made.more and first.amount < second.amount:
        a, b = b, a
    try:
        step: Step = run(a.table, "DIFF", a=spec(a), b=spec(b))
    except UsageError:
        return None
    number = step.observation.number
    if step.observation.status != "ok" or number is None:
        return None
    said = f"{shown(number, question.chinese)} ({step.observation.derivation})"
    label = f"{name_of(a)} − {name_of(b)}"
    places = max(2, -int(number.value.as_tuple().exponent))
    return Finding(
        "difference", [written(number.value, places)], label, [step], min(sure, CONFIDENCE), said,
        list(step.observation.cells),
    )  # fmt: skip
