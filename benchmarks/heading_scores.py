"""Found headings against gold headings: which agree, at what level, below which parent."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine.structure.numbering import without_number

NOISE = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Entry:
    """One heading of a tree: level (1 = top), title, page (1-based, None where there is none)."""

    level: int
    title: str
    page: int | None


@dataclass(frozen=True, slots=True)
class Score:
    """The figures of one file; accuracies are None without found headings, ``pages_per_second`` is CPU."""

    set: str
    name: str
    gold: int
    found: int
    f1: float
    precision: float
    recall: float
    f1_to_depth: float
    level: float | None
    parent: float | None
    pages: int
    pages_per_second: float


def keys(title: str) -> set[str]:
    """Return the forms of a title that count as equal: with its number and without."""
    text = unicodedata.normalize("NFKC", title).strip()
    full, bare = NOISE.sub("", text).casefold(), NOISE.sub("", without_number(text)).casefold()
    lettered = NOISE.sub("", re.sub(r"^[A-Z][.)]?\s+", "", text)).casefold()
    return {form for form in (full, bare, lettered) if form}


def matches(gold: Sequence[Entry], found: Sequence[Entry]) -> list[tuple[int, int]]:
    """Return pairs (gold index, found index) with equal titles and pages at most one apart, each used once."""
    waiting: dict[str, list[int]] = {}
    for index, entry in enumerate(found):
        for form in keys(entry.title):
            waiting.setdefault(form, []).append(index)
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for slack in (0, 1):
        for index, entry in enumerate(gold):
            if index in pairs:
                continue
            others = sorted({other for form in keys(entry.title) for other in waiting.get(form, ())} - used)
            for other in others:
                page = found[other].page
                if entry.page is None or page is None or abs(page - entry.page) <= slack:
                    pairs[index] = other
                    used.add(other)
                    break
    return sorted(pairs.items())


def f1(common: int, gold: int, found: int) -> float:
    """Return the harmonic mean of precision and recall (1 when there is nothing to find and nothing found)."""
    return 1.0 if gold == found == 0 else 2 * common / (gold + found)


def parents(entries: Sequence[Entry]) -> list[int | None]:
    """Return for each heading the index of the heading above it, None at the top."""
    result: list[int | None] = []
    stack: list[int] = []
    for index, entry in enumerate(entries):
        while stack and entries[stack[-1]].level >= entry.level:
            stack.pop()
        result.append(stack[-1] if stack else None)
        stack.append(index)
    return result


def without_title(gold: Sequence[Entry], found: Sequence[Entry], title: str) -> list[Entry]:
    """Leave out the document's own title where the gold does not list it: it is then neither right nor wrong."""
    wanted = keys(title)
    if not wanted or any(keys(entry.title) & wanted for entry in gold):
        return list(found)
    first = next((entry for entry in found if keys(entry.title) & wanted), None)
    return [entry for entry in found if entry is not first]


def score(set_name: str, name: str, gold: Sequence[Entry], found: Sequence[Entry], pages: int, seconds: float) -> Score:
    """Compare the found headings of one file with the gold."""
    pairs = matches(gold, found)
    deepest = max((entry.level for entry in gold), default=0)
    shifts = Counter(gold[g].level - found[f].level for g, f in pairs)
    shift = shifts.most_common(1)[0][0] if shifts else 0
    shallow = [entry for entry in found if entry.level + shift <= deepest]
    gold_parents, found_parents = parents(gold), parents(found)
    to_found = dict(pairs)
    right = 0
    for g, f in pairs:
        above = gold_parents[g]
        if above is None:
            parent = found_parents[f]
            right += parent is None or parent not in to_found.values()
        else:
            right += to_found.get(above, -1) == found_parents[f]
    return Score(
        set_name,
        name,
        len(gold),
        len(found),
        f1(len(pairs), len(gold), len(found)),
        len(pairs) / len(found) if found else float(not gold),
        len(pairs) / len(gold) if gold else 1.0,
        f1(len(matches(gold, shallow)), len(gold), len(shallow)),
        shifts[shift] / len(pairs) if pairs else None,
        right / len(pairs) if pairs else None,
        pages,
        pages / seconds if seconds else 0.0,
    )
