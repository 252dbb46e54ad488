"""Do the values of a statement stand in its source, of the same thing, or follow from what stands there?

A value stands there when it is the same amount (in any unit of its kind and scale, rounded as it is written), the
same date as far as both are known, or the same code. It is another's when clearly more of the statement's words belong
to a like value of the source. A value that stands nowhere may follow: the difference, sum, share or growth of the
amounts to which most of the statement's words belong. Among many amounts some two give nearly every number.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain, permutations, product
from typing import Literal, NamedTuple

from engine.answer.check.reading import Spoken, Stated, Text, alike, read, same
from engine.enrich.text_values import Amount, agrees

Standing = Literal["stands", "computed", "counted", "missing", "another's"]
# So much more of the statement's words belongs to another value of the source, or to the one in a value's place.
_RATHER, _IN_PLACE = 0.7, 0.5
# Such a count may be the statement's own counting of what the source names.
_COUNTABLE = range(-12, 13)
# So many amounts of a source are reckoned with.
_LIKELIEST = 12
# Of so many texts at most one of so many amounts each may be added up.
_MOST_TEXTS, _OF_A_TEXT = 4, 2
_MONTHS_A_YEAR = 12
_TIMES, _SHARES = frozenset({"month", "s"}), frozenset({"%", "pp"})
_COUNTED = frozenset({None, "piece", "people", "times", "share", "household", "vehicle", "company"})
_EXACT = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class Figure:
    """A value of a statement and how it stands to the source; ``rival`` is what the source has in its place."""

    text: str
    standing: Standing
    rival: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """What a statement is held against: texts, and tables with their values beside what they are of.

    ``beside`` are titles, headings and the question, whose values may be repeated. ``told`` are values that statements
    before told rightly; ``pages`` the numbers of the pages or slides that the texts stand on, ``labels`` the amounts in
    what the rows of tables are called.
    """

    texts: tuple[Text, ...]
    beside: tuple[Stated, ...] = ()
    told: tuple[Stated, ...] = ()
    pages: frozenset[int] = frozenset()
    labels: tuple[Stated, ...] = ()


def figures_of(statement: str, source: Source) -> list[Figure]:
    """Return every value of a statement with how it stands to its source."""
    stated, words = read(statement).values, read(statement).words
    found = [_figure(value, stated, words, source) for value in stated]
    if any(one.standing == "computed" for one in found):  # "one year's rent": a factor stands nowhere either
        times = {v.text for v in stated if v.amount and v.amount.unit in _TIMES}
        found = [replace(f, standing="counted") if f.standing == "missing" and f.text in times else f for f in found]
    return found


def _figure(value: Stated, stated: Sequence[Stated], words: Sequence[Spoken], source: Source) -> Figure:
    words = [word for word in words if word.text != value.text]
    found = [_held(value, stated, words, text) for text in source.texts]
    amount = value.amount
    if all(one.here < 0 for one in found) and any(same(value, one) for one in source.labels):
        return Figure(value.text, "stands")
    if any(one.here >= 0 and one.near < one.here + _RATHER for one in found):
        return Figure(value.text, "stands")
    rival = next((one.rival for one in found if one.here >= 0), "")
    counted = amount and amount.value / amount.scale in _COUNTABLE and amount.unit in _COUNTED | _TIMES
    if amount and _follows(amount, stated, source.told, words, () if rival else source.texts):
        if amount.unit is None and amount.value in source.pages:
            return Figure(value.text, "stands")
        # Among many amounts some two give nearly every small number, and that of a section.
        return Figure(value.text, "counted" if counted or value.label else "computed")
    if rival:
        return Figure(value.text, "another's", rival)
    if (amount is None or amount.unit == "%" or value.label) and any(same(value, one) for one in source.beside):
        return Figure(value.text, "stands")
    near, rival = max(((one.near, one.rival) for one in found), default=(0.0, ""))
    alone = sum(one.likes for one in found) == 1
    # A text of another language shares no word with any time.
    sought = alone and near == 0 and amount is not None and amount.unit in _TIMES
    if counted and near < _IN_PLACE and not sought:
        return Figure(value.text, "counted")
    return Figure(value.text, "missing", rival if near >= _IN_PLACE or alone else "")


class _Held(NamedTuple):
    """How much of the words belongs to a value in a text (-1: it is not there), and to which of the ``likes`` most."""

    here: float
    near: float
    rival: str
    likes: int


def _held(value: Stated, stated: Sequence[Stated], words: Sequence[Spoken], text: Text) -> _Held:
    """Return what a text has of a value; what the statement itself states is no rival of it."""
    here = max((text.belonging(words, one) for one in text.values if same(value, one)), default=-1.0)
    likes = [one for one in text.values if alike(value, one) and not any(same(one, it) for it in stated)]
    near, rival = max(((text.belonging(words, one), one.text) for one in likes), default=(0.0, ""))
    return _Held(here, near, rival, len(likes))


def _follows(
    stated: Amount, values: Sequence[Stated], told: Sequence[Stated], words: Sequence[Spoken], texts: Sequence[Text],
) -> bool:  # fmt: skip
    """True where an amount follows from the likeliest amounts of a text and those that the statement itself states.

    By a number that the statement states an amount may be divided, too: 21.6万元 for 12 are 1.8万元 each.
    ``told`` are values that statements before it told rightly.
    """
    own = [one.amount for one in (*values, *told) if one.amount and one.amount is not stated]
    weighed = [[(text.belonging(words, v), v.amount) for v in text.values if v.amount] for text in texts]
    by_text = [sorted(amounts, key=lambda one: -one[0]) for amounts in weighed]
    if any(_fits(stated, made) for made in _one_of_each(stated, by_text)):
        return True
    counts = [one.value for one in own if one.unit in _COUNTED and one.value > 1]
    for ranked in ([], *by_text):
        likely = [*(amount for _, amount in ranked[:_LIKELIEST]), *own]
        results = (made for pair in permutations(likely, 2) for made in _results(*pair))
        shared = (one for one in likely if one.unit not in _COUNTED | _TIMES)
        each = (Amount(one.value / n, one.unit, _EXACT, one.scale) for one, n in product(shared, counts))
        if any(_fits(stated, made) for made in chain(_sums(stated, ranked), results, each)):
            return True
    return False


def _fits(stated: Amount, made: Amount) -> bool:
    """True for the same amount of the same unit: what has none is not anything's difference or share."""
    units = {stated.unit, made.unit}
    alike = len(units) == 1 or any(units <= kin for kin in (_SHARES | {None}, _TIMES, _COUNTED))
    return alike and agrees(stated, made)


def _results(a: Amount, b: Amount) -> Iterator[Amount]:
    """Return what two amounts give: difference, sum, share, growth, multiple, product."""
    units = {a.unit, b.unit}
    step = max(a.step, b.step)
    if len(units) == 1 and a.value > b.value:
        yield Amount(a.value - b.value, a.unit, step, a.scale)
    if len(units) == 1 and not units & _TIMES:
        yield Amount(a.value + b.value, a.unit, step, a.scale)
        if b.value:
            ratio = a.value / b.value
            yield Amount(ratio, "times", _EXACT)
            if a.unit not in _SHARES:
                yield Amount(ratio * 100, "%", _EXACT)
                yield Amount(abs(ratio - 1) * 100, "%", _EXACT)
    if units & _SHARES and a.unit != b.unit:
        share, whole = (a, b) if a.unit in _SHARES else (b, a)
        yield Amount(share.value * whole.value / 100, whole.unit, whole.step / 1000, whole.scale)
    elif b.unit in _COUNTED | {"month"} and 1 < b.value <= _MONTHS_A_YEAR and a.unit not in _COUNTED | _TIMES:
        yield Amount(a.value * b.value, a.unit, a.step, a.scale)


def _one_of_each(stated: Amount, by_text: Sequence[Sequence[tuple[float, Amount]]]) -> Iterator[Amount]:
    """Return the sums of an amount of each of a few texts, one of those to which the words belong most."""
    alike = [[amount for _, amount in ranked if amount.unit == stated.unit][:_OF_A_TEXT] for ranked in by_text]
    if 2 < len(alike) <= _MOST_TEXTS:
        for chosen in product(*alike):
            if len({one.scale for one in chosen}) == 1:
                yield replace(chosen[0], value=sum((one.value for one in chosen), Decimal(0)), rounded=False)


def _sums(stated: Amount, ranked: Sequence[tuple[float, Amount]]) -> Iterator[Amount]:
    """Return the sums of three and more amounts of a unit to which the words belong most, all that tie together."""
    alike = [(belonging, amount) for belonging, amount in ranked if amount.unit == stated.unit]
    for least in sorted({belonging for belonging, _ in alike if belonging > 0})[-3:]:
        chosen = [amount for belonging, amount in alike if belonging >= least]
        if len(chosen) > 2 and len({one.scale for one in chosen}) == 1:
            yield replace(chosen[0], value=sum((one.value for one in chosen), Decimal(0)), rounded=False)
