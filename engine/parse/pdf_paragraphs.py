"""Lines to paragraphs: within a column by spacing, indents and fonts; then over columns and pages; words that were cut
at line ends are put together again."""

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from simplemma import is_known

from engine.parse.encoding import is_common
from engine.parse.pdf_contents import Contents
from engine.parse.pdf_grids import Table
from engine.parse.pdf_images import Picture
from engine.parse.pdf_layout import Placed
from engine.parse.pdf_text import Line, is_cjk, spaced
from engine.structure.captions import caption_label
from engine.structure.numbering import bullet, list_marker, numbering_of

LETTERED = re.compile(r"(?:[a-zA-Z]|[IVXL]{2,5})\. (?=\S)")
# A name and its value.
LABELLED = re.compile(r"[^\W\d_][^:：.。!?,，;；]{1,39}(?::\s|：)\s*\S")
# The mark of a note may follow the sentence; 289.00 ends none.
ENDS_SENTENCE = re.compile(r"(?:[.!?。！？;；:：][\"'”’)\]）」』]*|(?<!\d)[.!?。！？;；:：][\"'”’)\]）」』]*\d{1,3})$")
# Baselines further apart than this (in sizes of type) are of one paragraph only where its line is full, long, goes on.
WIDE, WIDEST, PROSE = 2.6, 3.6, 15
WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_in_dictionary = partial(is_known, lang="en")


@dataclass(slots=True)
class Paragraph:
    """Lines that belong together. ``left`` and ``right`` bound the column; gaps are in points."""

    lines: list[Line]
    left: float
    right: float
    item: bool
    parts: list[list[Line]]
    above: float | None = None


Flow = Paragraph | Table | Picture | Contents
# The left and the right edge of a column.
Bounds = tuple[float, float]


def flow_of(column: Sequence[Placed], leading: dict[float, float]) -> list[Flow]:
    """Return a column's paragraphs, with its tables and pictures between them."""
    flow: list[Flow] = []
    bounds = _bounds([item for item in column if isinstance(item, Line)])
    for kind, items in itertools.groupby(column, type):
        if issubclass(kind, Line):
            flow += paragraphs_of([item for item in items if isinstance(item, Line)], leading, bounds)
        else:
            flow += (item for item in items if not isinstance(item, Line))
    return flow


def usual_leading(columns: Iterable[Sequence[Line]]) -> dict[float, float]:
    """Return the usual distance between baselines for each font size, in points."""
    distances: dict[float, Counter[float]] = {}
    for rows in columns:
        for before, row in itertools.pairwise(rows):
            gap = row.baseline - before.baseline
            if abs(before.size - row.size) < 0.3 and 0.8 * row.size < gap < WIDEST * row.size:
                distances.setdefault(row.size, Counter())[round(gap * 2) / 2] += len(row.text)
    return {size: _usual(counter, size) for size, counter in distances.items() if counter}


def _usual(counter: Counter[float], size: float) -> float:
    """Take the smallest common distance: paragraph gaps also repeat, but are larger; wide ones where most are so."""
    near = Counter({gap: count for gap, count in counter.items() if gap < WIDE * size})
    counter = near if 2 * near.total() > counter.total() else counter
    common = [gap for gap, count in counter.items() if count >= 0.2 * counter.total()]
    return min(common) if common else counter.most_common(1)[0][0]


def paragraphs_of(rows: Sequence[Line], leading: dict[float, float], bounds: Bounds) -> list[Paragraph]:
    """Return the paragraphs of one column, ``bounds`` wide, from its rows top to bottom."""
    groups: list[list[Line]] = []
    for row, following in itertools.zip_longest(rows, rows[1:]):
        usual = leading.get(row.size) or 1.25 * row.size
        if groups and not _breaks(groups[-1], row, following, bounds, usual):
            groups[-1].append(row)
        else:
            groups.append([row])
    paragraphs = [Paragraph(lines, *bounds, is_item(lines[0]), [lines]) for lines in groups]
    for before, after in itertools.pairwise(paragraphs):
        after.above = after.lines[0].baseline - before.lines[-1].baseline
    return paragraphs


def _bounds(rows: Sequence[Line]) -> Bounds:
    if not rows:
        return (0.0, 0.0)
    starts = sorted(row.x0 for row in rows)
    ends = sorted(row.x1 for row in rows)
    return starts[len(starts) // 20], ends[len(ends) - 1 - len(ends) // 20]


def is_item(row: Line) -> bool:
    """Tell whether a row begins a list item: a bullet or an enumerator."""
    return list_marker(row.text) is not None or LETTERED.match(row.text) is not None


def _breaks(current: list[Line], row: Line, following: Line | None, bounds: Bounds, usual: float) -> bool:
    before = current[-1]
    gap = row.baseline - before.baseline
    em, before_full = row.size, _fills(before, row, bounds[1])
    ended = bool(ENDS_SENTENCE.search(before.text))
    alike = row.font == before.font and abs(row.size - before.size) < 0.3
    wide, goes_on = gap > WIDE * em, alike and before_full and not ended
    runs_on = goes_on and row.text[0].islower() and not wide
    wide &= not goes_on or before.x1 - before.x0 < PROSE * em
    if gap < 1.6 * em and not ended and alike and _one_heading(before, row, bounds):
        return False
    if (gap > 1.28 * usual + 0.5 and not runs_on) or gap < -0.5 * row.size or wide:
        return True
    label = LABELLED.match(row.text) or (LABELLED.match(before.text) and not 0 < before.lead < len(before.text))
    entry = gap > 1.12 * usual + 0.5 or label
    if alike and not before_full and entry and before.text[-1] not in ",，、-":
        # A row that ends early, and a little more room or a label: of a receipt, an address, names with values.
        return True
    if abs(row.size - before.size) > max(0.6, 0.06 * row.size) and min(len(row.text), len(before.text)) > 2:
        return True
    short_han = is_cjk(before.text[-1]) and not before_full
    if short_han and gap > 0.5 * em and (row.x1 > bounds[1] - 2.5 * em or not _centred([*current, row], bounds)):
        return True  # Han text runs to the margin on every line but a paragraph's last
    if any((was > 0.8) != (now > 0.8) for was, now in ((before.bold, row.bold), (before.underlined, row.underlined))):
        return not (before_full and not ended and (row.text[0].islower() or _ends_run_in(row)))
    one_font = all(line.font == before.font for line in current)
    if not before_full and one_font and (row.font != before.font or row.color != before.color):
        return True
    if ended and caption_label(row.text):
        return True
    if is_item(row) and (ended or not before_full or is_item(current[0]) or bullet(row.text)):
        return True
    number, begun = numbering_of(row.text), numbering_of(current[0].text)
    if number and number.kind[:7] == "chinese" and (ended or (number.divides and begun and begun.divides)):
        return True  # 第一章 below 第一编 is no part of its title
    if number and begun and not before_full and (number.family, number.value) == (begun.family, (begun.value or 0) + 1):
        return True  # the next heading
    return _indent_breaks(current, row, following, bounds, before_full, ended)


def _fills(before: Line, row: Line, right: float) -> bool:
    """Tell whether a row is full: the first word of the next one would not have fitted into it."""
    if is_cjk(before.text[-1]) and (is_cjk(row.text[0]) or row.text[0].isdigit()):
        return before.x1 > right - 2.5 * before.size
    word = row.text.split(" ", 1)[0]
    width = (row.x1 - row.x0) * min(len(word), 20) / len(row.text) + 0.25 * row.size
    return before.x1 + width > right - 0.5 * row.size


def _one_heading(before: Line, row: Line, bounds: Bounds) -> bool:
    """Tell whether two rows are one heading on two lines: bold both, and wrapped, hanging or centred."""
    if before.bold < 0.8 or row.bold < 0.8 or numbering_of(row.text) or is_item(row):
        return False
    if numbering_of(before.text) and 0.8 * row.size < row.x0 - before.x0 < 6 * row.size:
        return True
    wrapped = _fills(before, row, bounds[1]) and abs(row.x0 - before.x0) < 0.5 * row.size
    return wrapped or (_centred([before, row], bounds) and row.x1 - row.x0 < before.x1 - before.x0)


def _ends_run_in(row: Line) -> bool:
    """Tell whether a row begins with the last words of a heading that its paragraph runs in after."""
    around = row.text[max(0, row.lead - 3) : row.lead + 3]
    return 0 < row.lead < len(row.text) and any(sign in around for sign in ".:：")


def _indent_breaks(
    current: list[Line], row: Line, following: Line | None, bounds: Bounds, before_full: bool, ended: bool
) -> bool:
    em, before = row.size, current[-1]
    shift = row.x0 - before.x0
    if abs(shift) > 0.8 * em and _centred([*current, row], bounds):
        return False
    if shift > 0.8 * em:
        hanging = len(current) == 1 and (following is None or abs(following.x0 - row.x0) < 0.5 * em)
        return (ended or not before_full) and not hanging
    if shift < -0.8 * em:
        # Back at the margin after a hanging indent; the second line of an indented paragraph is no break.
        hung = len(current) > 1 and current[1].x0 > current[0].x0 + 0.8 * em
        return hung and row.x0 < current[0].x0 + 0.5 * em
    left, right = bounds
    short = before.x1 < right - max(0.18 * (right - left), 3 * em)
    return short and ended and before.text[-1] not in ":：;；"


def _centred(lines: list[Line], bounds: Bounds) -> bool:
    middles = [(line.x0 + line.x1) / 2 - sum(bounds) / 2 for line in lines]
    # Full lines below an indented one are nearly so.
    near = max(map(abs, middles)) < 0.03 * (bounds[1] - bounds[0]) + 2
    return near and max(middles) - min(middles) < 0.8 * lines[0].size


def join_over_breaks(columns: Iterable[list[Flow]], body_size: float) -> Iterator[Flow]:
    """Yield all in order, paragraphs joined over columns and pages; what stands between comes after them."""
    waiting: list[Flow] = []
    open_end: Paragraph | None = None
    for flow in columns:
        bodies = [item for item in flow if isinstance(item, Paragraph) and _is_body(item, body_size)]
        rest = flow
        if bodies and open_end is not None and _runs_on(open_end, bodies[0]):
            head = bodies.pop(0)
            open_end.parts.append(head.lines)
            open_end.lines = open_end.lines + head.lines
            rest = [item for item in flow if item is not head]
        waiting += rest
        if bodies:
            open_end = bodies[-1]
            ready = next(at for at, item in enumerate(waiting) if item is open_end)
            yield from waiting[:ready]
            waiting = waiting[ready:]
    yield from waiting


def _is_body(paragraph: Paragraph, body_size: float) -> bool:
    line = paragraph.lines[0]
    # A Chinese character says as much as two letters.
    letters = sum(len(item.text) * (1 + is_cjk(item.text[0])) for item in paragraph.lines)
    looks_so = abs(line.size - body_size) < 0.6 and line.bold < 0.8 and line.upright
    says = letters > 20 or paragraph.lines[-1].text[-1] in ".。;；"
    return looks_so and says and caption_label(line.text) is None


def _runs_on(before: Paragraph, after: Paragraph) -> bool:
    last, first = before.lines[-1], after.lines[0]
    end, start = last.text, first.text
    if after.item or not end or not start or last.page + 1 < first.page:
        return False
    if end[-1] in "-\xad" and start[0].islower():
        return True
    if ENDS_SENTENCE.search(end):
        return False
    # A full line goes from margin to margin.
    full = _fills(last, first, before.right) and last.x0 < before.left + 3 * last.size
    indented = first.x0 > after.left + 1.2 * first.size
    if is_cjk(start[0]) or (is_cjk(end[-1]) and start[0].isdigit()):
        return full and not indented
    # Text that fills its lines goes on over a page with a name or a bracket, too.
    over = last.page < first.page
    goes_on = full and not indented and len(before.lines) > 2 - over and len(start) > 30
    return start[0].islower() or (goes_on and (over or start[0].isdigit()))


class Vocabulary:
    """The words of a document in lower case, and the dictionary for those that it has nowhere else."""

    def __init__(self, pages: Iterable[Iterable[Line]] = ()) -> None:
        self.words: set[str] = set()
        for text in (line.text.casefold() for lines in pages for line in lines):
            cut = text.rpartition(" ")[0] if text.endswith(("-", "\xad")) else text
            self.words.update(WORD.findall(cut))

    def keeps_hyphen(self, head: str, tail: str) -> bool:
        """Tell whether a word that ends a line in a hyphen keeps it: "well-known", not "compres-sor"."""
        capitals, tail = tail.isupper(), tail.casefold()
        whole, apart = head + tail, f"{head}-{tail}"
        if whole in self.words or apart in self.words:
            return whole not in self.words
        if _in_dictionary(apart):
            return not (_in_dictionary(whole) and is_common(whole))
        if _in_dictionary(whole):
            return False
        # What is no word may be a name: IBM-PC.
        return capitals or (min(len(head), len(tail)) > 2 and _in_dictionary(head) and _in_dictionary(tail))


def text_of(lines: Sequence[Line], vocabulary: Vocabulary) -> str:
    """Return the lines' text as one string, words that were hyphenated at line ends put together."""
    text = ""
    for line in lines:
        if len(text) < 2 or text[-1] not in "-\xad" or not (text[-2].isalnum() and line.text[0].isalnum()):
            text = spaced(text, line.text, True)
            continue
        head, tail = WORD.findall(text[-40:].rstrip("-\xad")), WORD.match(line.text)
        alike = text[-2].isalpha() and (line.text[0].islower() or (tail is not None and tail[0].isupper()))
        joined = alike and head and tail and not vocabulary.keeps_hyphen(head[-1].casefold(), tail[0])
        text = (text[:-1] if joined or text[-1] == "\xad" else text) + line.text
    return text.replace("\xad", "")
