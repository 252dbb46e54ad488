"""The units of evidence that answers are made of, and the windows of them that a reader reads.

Units are sentences, items of lists, rows of tables, labelled values; a window holds the units around the best one of a
piece of evidence, as many as are read at once.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from engine.answer.check.locate import LINE_ROLES
from engine.answer.understand.language import is_chinese, language_of
from engine.answer.understand.terms import pieces_covered, pieces_of, terms_with_forms, translated_pieces
from engine.model import Evidence
from engine.providers.reading import Passage
from engine.structure.sentences import Sentence, is_cjk, split_sentences

# So many of the best pieces of evidence are looked at, and so many units of one: those that share most.
MOST_EVIDENCE, MOST_UNITS = 24, 80
# Lines of a form, cells of a mail's head: so short pieces say little without those beside them, half a window's worth.
_SHORT, _BESIDE = 80, 0.5
# "Patient ID: 4711", 合同编号：HT-07: a short label, a colon, a value on the same line.
_LABELLED = re.compile(r"\s*[^\s:：][^:：\n。.!?？！]{0,40}[:：][ \t]*\S[^\n]*")
_LABEL_ALONE = re.compile(r"[^\n]{1,60}[:：]\s*$")
_ANNOUNCED = 0.5
_SENTENCE_ENDS = ".!。！"
# So many windows of full length are read, short ones as a part of one.
MOST_WINDOWS = 12
_LEAST_COST = 0.25
# Letters of what is read at once: some 130 tokens.
LETTERS, LETTERS_CHINESE = 430, 200


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of ``evidence[evidence].text``; ``shared`` is the share (0..1) of the question's words in it.

    ``context`` is that share with its neighbours and the titles above it.
    """

    evidence: int
    start: int
    end: int
    text: str
    shared: float
    context: float


def units_of(question: str, evidence: Sequence[Evidence]) -> list[Unit]:
    """Return the units of the best evidence, in order of evidence and text; a table's header is none."""
    units: list[Unit] = []
    pieces = pieces_of(question)
    for index, item in enumerate(evidence[:MOST_EVIDENCE]):
        stretches = stretches_of(item.text, item.hit.role)
        translated = translated_pieces(question) if is_foreign(item.text, question) else ()
        terms = [terms_with_forms(one.text) for one in stretches]
        shares = [max(pieces_covered(pieces, held), pieces_covered(translated, held)) for held in terms]
        looked_at = sorted(sorted(range(len(stretches)), key=lambda place: -shares[place])[:MOST_UNITS])
        header = stretches[0].text if has_header(item) and stretches else ""
        around = terms_with_forms(f"{above_of(index, evidence)} {header}")
        for place in looked_at:
            one, heads = stretches[place], header and not place and len(stretches) > 1
            if not heads and re.search(r"\w", one.text):
                near = around.union(*terms[max(0, place - 1) : place + 2])
                context = max(pieces_covered(pieces, near), pieces_covered(translated, near))
                # A line of a form is about what the lines beside it name.
                own = context if beside(index, evidence) else shares[place]
                units.append(Unit(index, one.start, one.end, one.text, own, context))
    return units


@lru_cache(maxsize=1024)
def stretches_of(text: str, role: str) -> tuple[Sentence, ...]:
    """Return the units of a text: lines of tables, lists and code, else sentences and lines of a label with its value.

    A label whose value stands on the next line goes with it.
    """
    form = role not in LINE_ROLES and _is_form(text)
    found: list[Sentence] = []
    for one in split_sentences(text, by_line=form or role in LINE_ROLES):
        if form and found and _LABEL_ALONE.fullmatch(found[-1].text) and not _LABELLED.match(one.text):
            label = found.pop()
            one = Sentence(label.start, one.end, text[label.start : one.end])
        found.append(one)
    return tuple(found)


def _is_form(text: str) -> bool:
    """True for a text most of whose lines are a label with its value."""
    lines = [line for line in text.split("\n") if line.strip()]
    labelled = sum(bool(_LABELLED.fullmatch(line) or _LABEL_ALONE.fullmatch(line)) for line in lines)
    return len(lines) > 1 and labelled >= _ANNOUNCED * len(lines)


def is_labelled(text: str) -> bool:
    """True for a label with its value on one line: an answer by itself, short as it is."""
    return _LABELLED.fullmatch(text) is not None


def is_foreign(text: str, question: str) -> bool:
    """True for a text in another script than the question, Chinese or not."""
    return (language_of(text) in ("zh", "ja")) != is_chinese(question)


def has_header(item: Evidence) -> bool:
    """True for a table whose first line names its columns, as one is taken to whose node is not known."""
    return item.hit.role == "table" and (item.table is None or bool(item.table.metadata.get("header_rows", 1)))


def titles_of(item: Evidence) -> str:
    """Return what stands above a text: its title, its sections, its document's name and what that is about."""
    name = item.hit.document.rsplit(".", 1)[0]
    return " ".join(dict.fromkeys(filter(None, [item.title, *item.path, name, item.subject])))


def beside(index: int, evidence: Sequence[Evidence]) -> str:
    """Return the other short pieces of a section beside a short one: the lines of the form that it is a line of."""
    item = evidence[index]
    if not is_short_line(item):
        return ""
    told, most = "", _BESIDE * _most(item.text)
    for other in evidence:
        near = other is not item and same_section(other, item)
        if near and is_short_line(other) and len(told) < most:
            told += f"{other.text}\n"
    return told.strip()


def same_section(item: Evidence, other: Evidence) -> bool:
    """True for pieces that stand under the same headings of one document."""
    return item.hit.document_id == other.hit.document_id and item.hit.path == other.hit.path


def is_short_line(item: Evidence) -> bool:
    """True for a piece that is short and no table: a line of a form or slide, no letter of an upright title."""
    return 1 < len(item.text.strip()) <= _SHORT and item.hit.role != "table"


def above_of(index: int, evidence: Sequence[Evidence]) -> str:
    """Return what a text stands under and, where it is short, beside."""
    return f"{titles_of(evidence[index])} {beside(index, evidence)}".strip()


def answers_alone(unit: Sentence | Unit, item: Evidence) -> bool:
    """False for what is no answer by itself: a heading, a bare label or number, a question, a table's header."""
    text = unit.text.strip()
    if (
        not re.search(r"\w" if item.hit.role == "table" else r"[^\W\d_]", text)
        or text.endswith(("?", "？"))
        or _LABEL_ALONE.fullmatch(text)
    ):
        return False
    if text in (item.title, *item.hit.path) and text[-1] not in _SENTENCE_ENDS:
        return False  # a section without a heading of its own is called by its first sentence
    if item.hit.role == "table":
        return unit.start > 0 or "\n" not in item.text or not has_header(item)
    if item.hit.role == "paragraph" and not is_labelled(text):
        words = len(text) / 2 if is_cjk(text) else len(text.split())
        ended = text[-1] in f'{_SENTENCE_ENDS};；…)）”"»' or text == item.text.strip()
        return words >= 3 or ended
    return True


class Window(NamedTuple):
    """The letters of a piece of evidence that are read at once."""

    evidence: int
    start: int
    end: int


def windows_of(units: Sequence[Unit], evidence: Sequence[Evidence], most: int = MOST_WINDOWS) -> list[Window]:
    """Return the place around the best unit of each piece of evidence, as many as fill ``most`` windows."""
    chosen: list[Window] = []
    room = float(most)
    for index, ones in groupby(units, key=lambda one: one.evidence):
        window = _best_window(list(ones), evidence[index])
        cost = max(_LEAST_COST, (window.end - window.start) / _most(evidence[index].text))
        if room >= cost:
            chosen.append(window)
            room -= min(1.0, cost)
    return chosen


def passage_of(window: Window, evidence: Sequence[Evidence]) -> Passage:
    """Return a window as a reader takes it: under its title, rows under the header of their table."""
    item = evidence[window.evidence]
    title = item.title or (item.hit.path[-1] if item.hit.path else "")
    below = has_header(item) and window.start > 0
    header = stretches_of(item.text, "table")[0].text[: _most(item.text)] if below else ""
    above = "\n".join(filter(None, (title, beside(window.evidence, evidence), header)))
    return Passage(above, item.text[window.start : window.end])


def _most(text: str) -> int:
    return LETTERS_CHINESE if is_cjk(text) else LETTERS


def _best_window(ones: Sequence[Unit], item: Evidence) -> Window:
    """Return the units around the best one that are read at once; of a table one row, those beside it are others'."""
    first = last = max(range(len(ones)), key=lambda i: (ones[i].shared + 0.5 * ones[i].context, -i))
    most = _most(item.text)
    if item.hit.role != "table":
        first, last = around(ones, first, last, most)
    start = ones[first].start
    return Window(ones[first].evidence, start, min(ones[last].end, start + 2 * most))


def around(stretches: Sequence[Unit] | Sequence[Sentence], first: int, last: int, most: int) -> tuple[int, int]:
    """Return the first and the last of the stretches around some, before and behind in turn, up to ``most`` letters."""
    while True:
        before, behind = first, last
        if first > 0 and stretches[last].end - stretches[first - 1].start <= most:
            first -= 1
        if last + 1 < len(stretches) and stretches[last + 1].end - stretches[first].start <= most:
            last += 1
        if (first, last) == (before, behind):
            return first, last
