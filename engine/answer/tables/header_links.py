"""Columns that a question names by their headers."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from engine.answer.tables.lexis import apart, contains, header_forms, is_cjk, runs
from engine.answer.tables.links import Asked, ColumnLink
from engine.answer.tables.relation import Relation

# A header is spoken of when the question says this share of what sets it apart from the other headers.
_SPOKEN_OF, _ALL = 0.5, 0.99


def column_links(asked: Asked, relation: Relation) -> list[ColumnLink]:
    """Return the columns by how much of what sets their headers apart the question says, the best first."""
    headers = {c.index: levels for c in relation.columns if (levels := header_forms(c.levels, bool(c.years)))}
    count = Counter(form for levels in headers.values() for form in {f for level in levels for f in level})
    lowest = {column: levels[-1] for column, levels in headers.items()}
    scored: dict[tuple[frozenset[int], frozenset[int], float], list[int]] = {}
    told = {column: [_said_of(level, asked) for level in levels] for column, levels in headers.items()}
    of_column = {column: frozenset().union(*said) for column, said in told.items()}
    most = _saying_most(of_column, asked)
    for column, levels in headers.items():
        said, covered = told[column], of_column[column]
        forms_said = {asked.forms[i] for i in covered}
        weights = {form: apart(form, count[form], len(headers)) for level in levels for form in level}
        share = sum(weights[form] for form in forms_said) / sum(weights.values())
        if share < _SPOKEN_OF and (column == most or _says_head(column, lowest, asked, relation.key)):
            share = _SPOKEN_OF
        if most is not None and covered < of_column[most] and share <= _ALL:
            continue
        little = covered <= asked.said or all(form.isdigit() for form in forms_said)
        if share >= _SPOKEN_OF and covered and (share > _ALL or not little):
            scored.setdefault((covered, said[-1] or covered, round(share, 3)), []).append(column)
    # The columns under an upper header that is said in full: "electricity" of four quarters.
    for level in {levels[0] for levels in headers.values() if len(levels) > 1}:
        covered = _said_of(level, asked)
        under = [column for column, levels in headers.items() if len(levels) > 1 and levels[0] == level]
        full = {asked.forms[i] for i in covered} >= set(level)
        if full and 1 < len(under) < len(headers) and not covered <= asked.said:
            scored[covered, covered, _ALL] = under
    links = [ColumnLink(covered, tuple(cs), share, leaf) for (covered, leaf, share), cs in scored.items()]
    return sorted(links, key=lambda one: (-asked.weight(one.covered) * one.share, one.start))


def _saying_most(covered: Mapping[int, frozenset[int]], asked: Asked) -> int | None:
    """Return the column whose header has several of the question's words, all that any other one has among them.

    "The murder rate" means "Murder and manslaughter / Rate per 100,000", however long that is, not "Robbery / Rate".
    """
    best = max(covered, key=lambda column: len(covered[column]), default=None)
    others = [words for column, words in covered.items() if column != best]
    if best is None or len(covered[best] - asked.said) < 2 or not all(words < covered[best] for words in others):
        return None
    return best


def _says_head(column: int, headers: Mapping[int, tuple[str, ...]], asked: Asked, key: int | None) -> bool:
    """True where the question says how a Chinese header ends or begins, as no other one does.

    代码 says 行政区划代码, 本周 says 本周销售额.
    """
    for part in (slice(-2, None), slice(0, 2)):
        head = headers[column][part]
        if len(head) == 2 and all(map(is_cjk, head)) and contains(asked.forms, head):
            return column == key or sum(other[part] == head for other in headers.values()) == 1
    return False


def _said_of(held: Sequence[str], asked: Asked) -> frozenset[int]:
    """Return the question's units that a text has: the longest runs, as long as they add units of the text.

    A text that the question says again counts wherever it stands: "phosphorus" beside "highest", too. Single
    Chinese characters stand in texts by chance, unless the text is no longer.
    """
    wanted = set(held)
    said = runs([i for i, form in enumerate(asked.forms) if form in wanted and i != asked.limit[1]])
    found = [part for run in said for part in _as_held(run, asked.forms, {*pairwise(held)})]
    positions, known = set[int](), set[str]()
    for run in sorted(found, key=lambda one: (-len(one), one[0])):
        told = {asked.forms[i] for i in run}
        lone = len(run) == 1 and is_cjk(asked.forms[run[0]]) and len(held) > 1
        if not lone and (told == wanted or not told <= known):
            positions.update(run)
            known |= told
    return frozenset(positions)


def _as_held(run: Sequence[int], forms: Sequence[str], held: Collection[tuple[str, str]]) -> Iterator[list[int]]:
    """Yield the parts of a run whose Chinese characters stand side by side in a text, too: 京 of 南京 is not 北京's."""
    part = [run[0]]
    for one, other in pairwise(run):
        if is_cjk(forms[one]) and is_cjk(forms[other]) and (forms[one], forms[other]) not in held:
            yield part
            part = []
        part.append(other)
    yield part
