"""A reply in Markdown: its citation marks in whatever form, and its statements (sentences, items and table rows).

Marks are [1], [1, 2], [1-3], 【1】, [^1], [source 1], <sup>1</sup>, ##1$$, [n3f…] by node id, [W1] of the web.
Headings, lead-ins, questions, code and what hardly says anything are no statements. A row of a table is one: what it
says is put together from its label, the headings and the cells.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.answer.check.reading import read
from engine.enrich.cell_values import parse_cell
from engine.enrich.units import header_measure, written_unit
from engine.language import compiled, composed, patterns
from engine.structure.numbering import without_number
from engine.structure.sentences import split_sentences

_WORD = r"(?:(?:sources?|evidence|docs?|documents?|passages?|refs?|来源|资料|文档|证据|引用)\s*[:#：]?\s*)?"
_MARK = re.compile(
    rf"[\[【［]\s*\^?{_WORD}(?P<numbers>\d{{1,6}}(?:\s*(?:[-–~,，、;；]|and|和)\s*{_WORD}\d{{1,6}})*)"
    r"\s*(?:†[^\]】］]*)?[\]】］](?!\()"
    r"|[\[【(（]\s*(?P<node>n[0-9a-f]{8,16}(?:-\d+)?)\s*[\]】)）]"
    # A raised number behind a unit or a short number is a power.
    r"|(?<!\b\w)(?<!\b\w{2})<sup>\s*\[?(?P<raised>\d{1,3}(?:\s*[-–,，、]\s*\d{1,3})*)\]?\s*</sup>"
    r"|##(?P<signs>\d{1,3})\$\$"
    r"|[\[【［]\s*(?P<web>W\d{1,3}(?:\s*[,，、]\s*W\d{1,3})*)\s*[\]】］](?!\()",
    re.I,
)
_CHECKED = re.compile(r"\[(\d+)\]")
_CODE = re.compile(
    r"^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\2(?!`)", re.M | re.S
)
_RANGE = 20
# "[2023]" is a year. No evidence has so many pieces.
_MOST_NUMBERED = 200


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark as a model wrote it at ``reply[start:end]``; it names evidence by number or node id, or the web."""

    start: int
    end: int
    numbers: tuple[int, ...]
    names: tuple[str, ...]
    outside: tuple[int, ...] = ()


def marks_of(reply: str) -> list[Mark]:
    """Return the marks of a reply in order; what stands in code is none."""
    code = code_spans(reply)
    marks = []
    for match in _MARK.finditer(reply):
        numbers = _numbers_in(match["numbers"] or match["raised"] or match["signs"] or "")
        in_code = any(start <= match.start() < end for start, end in code)
        if in_code or not all(0 < number <= _MOST_NUMBERED for number in numbers):
            continue  # an interval, an index or a year, not a citation
        outside = tuple(map(int, re.findall(r"\d+", match["web"] or "")))
        named = (match["node"],) if match["node"] else ()
        marks.append(Mark(match.start(), match.end(), numbers, named, outside))
    return marks


def code_spans(text: str) -> list[tuple[int, int]]:
    """Return where Markdown code stands in a text: fenced blocks and spans."""
    return [match.span() for match in _CODE.finditer(text)]


def renumbered(text: str, numbers: Mapping[int, int]) -> str:
    """Return a checked text with its marks [1] … [k] renumbered; one that is not among ``numbers`` stays."""
    return _CHECKED.sub(lambda mark: f"[{numbers.get(int(mark[1]), int(mark[1]))}]", text)


def harmless(text: str) -> str:
    """Return a text of documents whose square brackets are round, so that none looks like a mark of ours."""
    return text.replace("[", "(").replace("]", ")")


def shortened(text: str, most: int = 60) -> str:
    """Return a text on one line, cut where it has more than ``most`` letters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"


def _numbers_in(written: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for part in re.split(r"[,，、;；]|and|和", written):
        found = [int(number) for number in re.findall(r"\d+", part)]
        if len(found) == 2 and found[0] < found[1] <= found[0] + _RANGE:
            found = list(range(found[0], found[1] + 1))
        numbers.extend(found)
    return tuple(dict.fromkeys(numbers))


_LEAD = re.compile(r"\s*(?:(?:[-*+•]|\d{1,3}[.)、]|[(（]\d{1,2}[)）]|>)\s+)*")
_RULE = re.compile(r"\s*+\|?\s*+:?-{2,}.*$|\s*+(?:[-*_]\s*+){3,}$")
_LEAST_WORTH = 1.2


@dataclass(frozen=True, slots=True)
class Segment:
    """A statement at ``reply[start:end]``; ``says`` is it as a sentence, ``marks`` the numbers of its marks.

    ``follows`` is the number of the lead-in that it is an item of, -1 for none.
    """

    start: int
    end: int
    says: str
    states: bool
    marks: tuple[int, ...] = ()
    follows: int = -1


def segments_of(reply: str, marks: Sequence[Mark]) -> list[Segment]:
    """Return the stretches of a reply in order, each with its marks; ``states`` tells which are statements."""
    bare = reply
    for mark in marks:
        bare = bare[: mark.start] + " " * (mark.end - mark.start) + bare[mark.end :]
    for start, end in code_spans(reply):
        if "\n" in reply[start:end]:
            bare = bare[:start] + re.sub(r"[^\n]", " ", bare[start:end]) + bare[end:]
    found: list[Segment] = []
    heads: list[str] = []
    at, row, lines = 0, 0, bare.split("\n")
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        ruled = "|" in below and _RULE.match(below)
        if line.count("|") >= 2 and (heads or ruled or line.lstrip().startswith("|")):
            row = row + 1 if heads and not _RULE.match(line) else 0
            heads = _row(line, at, heads, row, found)
        else:
            heads = []
            found += _sentences(line, at)
        at += len(line) + 1
    return _with_marks(reply, found, marks)


def _row(line: str, at: int, heads: list[str], row: int, found: list[Segment]) -> list[str]:
    """Take a table's row, the ``row``-th; return the headings that hold for the next ones."""
    if _RULE.match(line):
        return heads
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    start, end = at + len(line) - len(line.lstrip()), at + len(line.rstrip())
    if not heads:
        found.append(Segment(start, end, line.strip(), False))
        return cells
    parts = [_said_under(head, cell) for head, cell in zip(heads[1:], cells[1:], strict=False) if cell]
    running = len(cells) > 2 and cells[0].strip("*. ") == str(row)  # which row it is states nothing
    says = ": ".join(filter(None, ("" if running else cells[0], "; ".join(parts))))
    found.append(Segment(start, end, says, any(cells[1:])))
    return heads


def _said_under(head: str, cell: str) -> str:
    """Return what a cell says below its heading, a bare number with the unit and scale that this names."""
    value, measure = parse_cell(cell.strip("* ")), header_measure(head)
    bare = value.value is not None and value.unit is None and value.scale == 1
    unit = written_unit(measure.unit, measure.scale) if bare and measure else ""
    return f"{head} {cell} {unit}".rstrip()


_BOLD = re.compile(r"(\*\*|__)((?:(?!\1).)+[^.!?。！？\s])\1[:：]?")
# Where a mark stood before the end of a sentence.
_BEFORE_STOP = re.compile(r"[ \t]+(?=[.,;!?。，；！？](?:\s|$))")


def _sentences(line: str, at: int) -> Iterator[Segment]:
    lead = _LEAD.match(line)
    begin = lead.end() if lead else 0
    heading = line.lstrip().startswith("#") or bool(_RULE.match(line))
    if bold := _BOLD.fullmatch(line[begin:].removesuffix("  ")):  # no sentence, no mark behind it
        heading = not any(value.amount for value in read(without_number(bold[2])).values)
    for sentence in split_sentences(line[begin:]):
        start, end = at + begin + sentence.start, at + begin + sentence.end
        says = _BEFORE_STOP.sub("", sentence.text)
        yield Segment(start, end, says, not heading and is_statement(says))


def is_statement(sentence: str) -> bool:
    """True for a sentence that states something: not a lead-in, a question or a word or two."""
    bare = sentence.strip(" *_#>-")
    if bare.endswith((":", "：", "?", "？")):
        return False
    said = read(bare)
    return sum(word.worth for word in said.words) >= _LEAST_WORTH or bool(said.values)


def _with_marks(reply: str, found: Sequence[Segment], marks: Sequence[Mark]) -> list[Segment]:
    """Give every mark to the stretch that it stands in or behind, or right before at the start of a line."""
    owned: list[list[int]] = [[] for _ in found]
    ends = [one.end for one in found]
    for number, mark in enumerate(marks):
        leads = not reply[reply.rfind("\n", 0, mark.start) + 1 : mark.start].strip(" \t-*•#>|")
        begun = sum(one.start <= mark.start for one in found) - 1  # the last that begins before it
        inside = begun >= 0 and mark.start < found[begun].end
        owner = begun + 1 if leads and not inside and begun + 1 < len(found) else begun
        if owner >= 0:
            owned[owner].append(number)
            ends[owner] = max(ends[owner], mark.end)
    segments: list[Segment] = []
    lead_in = -1
    for i, one in enumerate(found):
        apart = i > 0 and reply[found[i - 1].end : one.start].count("\n") > 1
        before = reply[reply.rfind("\n", 0, one.start) + 1 : one.start].strip()
        if not one.states and one.says.rstrip(" *_").endswith((":", "：")):
            lead_in = i
        elif apart and not before and reply[one.start] != "|":
            lead_in = -1
        follows = lead_in if one.states else -1
        segments.append(replace(one, end=ends[i], marks=tuple(owned[i]), follows=follows))
    return segments


_TOLD = patterns("not_told")
_IN_BRACKETS = re.compile(r"[(（][^()（）]*[)）]")
_NOT_TOLD, _ABSENT = (compiled(composed(_TOLD[name], _TOLD["parts"])) for name in ("named", "unnamed"))


def says_not_told(sentence: str, named: bool = True) -> bool:
    """True for a sentence such as "The documents do not name the price." or 文档中没有提到价格。

    What it says in brackets is said beside. Where the documents need not be ``named``, "Price: not stated" is one, too.
    """
    bare = _IN_BRACKETS.sub("", sentence).strip(" *_")
    return bool(_NOT_TOLD.search(bare) or (not named and _ABSENT.search(bare)))
