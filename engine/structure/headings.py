"""Headings inferred from how a text looks: size, weight, numbers and white space, where a format states none.

Each short block collects evidence for and against being a heading. A style (font, size, weight, colour) then
pulls its blocks to one decision: where most pass, near misses pass too; where few do, more is asked. What stands
above the first running text of the first pages (authors, dates) is not a heading unless its style comes again.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.language import compiled, patterns
from engine.model import Block
from engine.structure.captions import caption_label
from engine.structure.numbering import Numbering, numbering_of
from engine.structure.section_kinds import is_contents_title

LONGEST = 220
MOST_LINES = 4
THRESHOLD = 2.0
# What a size counts that is so many times that of the text or more, from the largest down.
LARGER = ((1.5, 3.0), (1.2, 2.2), (1.07, 1.3), (0.93, 0.0))
WORDS = re.compile(r"[^\W\d_]+")
VOWEL = re.compile(r"[aeiouy]|[^\x00-\x7f]", re.IGNORECASE)
LETTERS = re.compile(r"[^\W\d_]")
NAMED, CONTINUED = (compiled(patterns("document_parts")["headings"][name]) for name in ("named", "continued"))
# "Meetings: 4": a label with its value.
PAIR = re.compile(r"[:：]\s*[^\w\s]?\d[\d.,%\s]*$")
BOX = re.compile("[☐☑☒]")
# "ON <table name>": what is to be put in for something, in commands.
PLACEHOLDER = re.compile(r"<[^<>]{2,60}>")
RUNNING = 50  # letters from which a text is more than a line of an address or under a signature
Style = tuple[float, bool, bool, bool, str, int]


@dataclass(frozen=True, slots=True)
class Heading:
    """A block found to be a heading: its index among the blocks, its score, its number, its style."""

    index: int
    score: float
    number: Numbering | None
    style: Style


@dataclass(frozen=True, slots=True)
class Look:
    """What ordinary text of the document looks like: ``leading`` is its distance of baselines in points."""

    size: float
    bold: bool
    font: str
    color: int
    leading: float


def look_of(blocks: Sequence[Block]) -> Look:
    """Return the look of most of the document's text."""
    sizes: Counter[float] = Counter()
    for block in blocks:
        if "size" in block.evidence:
            sizes[block.evidence["size"]] += len(block.text)
    size = sizes.most_common(1)[0][0] if sizes else 10.0
    fonts: Counter[tuple[str, int, bool]] = Counter()
    leadings: Counter[float] = Counter()
    for block in blocks:
        evidence = block.evidence
        if "size" in evidence and abs(evidence["size"] - size) < 0.6:
            fonts[evidence["font"], evidence["color"], evidence["bold"] > 0.8] += len(block.text)
            if evidence["lines"] > 2 and block.bbox and not block.metadata.get("spans"):
                height = block.bbox[3] - block.bbox[1] - 1.1 * size
                leadings[round(2 * height / (evidence["lines"] - 1)) / 2] += evidence["lines"]
    font, color, bold = fonts.most_common(1)[0][0] if fonts else ("", 0, False)
    leading = leadings.most_common(1)[0][0] if leadings else 1.25 * size
    return Look(size, bold, font, color, leading)


def style_of(block: Block) -> Style:
    """Return what makes two headings look alike: size, bold, italic, capitals, font, colour."""
    evidence = block.evidence
    letters = [char for char in block.text if char.isalpha()]
    caps = (
        len(letters) > 3
        and letters[0].isascii()
        and sum(char.isupper() for char in letters) >= 0.9 * len(letters)
    )
    size = round(size_of(block, caps) * 2) / 2
    return (size, evidence.get("bold", 0) > 0.7, bool(evidence.get("italic")), caps,
            evidence.get("font", ""), evidence.get("color", 0))  # fmt: skip


def size_of(block: Block, caps: bool) -> float:
    """Return a block's size in points; small capitals count with the size of their first letters."""
    return float(block.evidence.get("top" if caps else "size", 10.0))


def is_named(text: str) -> bool:
    """Tell whether a text is a heading by its words alone ("Abstract", "References", 参考文献)."""
    return bool(NAMED.fullmatch(text.strip(" .:：")))


def find_headings(blocks: Sequence[Block]) -> list[Heading]:
    """Return the blocks that are headings, in reading order."""
    look = look_of(blocks)
    numbers = [numbering_of(block.text) if "size" in block.evidence else None for block in blocks]
    purity = _purity(blocks, numbers)
    candidates = []
    for index, block in enumerate(blocks):
        if not _possible(block):
            continue
        style, number = style_of(block), numbers[index]
        score = _score(block, look, number, style) + 1.2 * (purity[style, _kind(number)] - 0.6)
        score += _context(blocks, index, look, numbers) + _slant(blocks, index, look, style)
        candidates.append(Heading(index, score, number, style))
    passed = _by_style(candidates)
    passed = _without_listings(blocks, _without_front_matter(blocks, passed))
    return _over_text(blocks, _without_repeats(blocks, passed), look)


def _possible(block: Block) -> bool:
    evidence = block.evidence
    if block.kind not in ("paragraph", "list_item", "heading") or "size" not in evidence:
        return False
    text = block.text
    if len(text) > LONGEST or evidence["lines"] > MOST_LINES or not evidence["upright"]:
        return False
    letters = len(LETTERS.findall(text))
    if letters < 2 or letters < 0.5 * len(text.replace(" ", "")):
        return False
    if (
        (text[0] in "(（[【" and text[-1] in ")）]】")
        or BOX.search(text)
        or PLACEHOLDER.search(text)
        or text[-1] in ",，;；、"
        or text[0] in ",.;:)]、，。•●▪■–—-"
    ):
        return False
    return _wordlike(text) and not PAIR.search(text) and caption_label(text) is None


def _wordlike(text: str) -> bool:
    """Tell words from the debris of drawings and of text recognition: half of the letters stand in real words."""
    words = WORDS.findall(text)
    real = sum(
        len(word)
        for word in words
        if is_han(word) or (len(word) > 2 and (VOWEL.search(word) or word.isupper()))
    )
    return real * 2 >= sum(len(word) for word in words)


def _kind(number: Numbering | None) -> str:
    return number.family if number else ""


def _purity(blocks: Sequence[Block], numbers: Sequence[Numbering | None]) -> dict[tuple[Style, str], float]:
    """Return for each style and kind of number the share of its text that stands in short blocks."""
    short: Counter[tuple[Style, str]] = Counter()
    total: Counter[tuple[Style, str]] = Counter()
    for block, number in zip(blocks, numbers, strict=True):
        if "size" in block.evidence:
            key = (style_of(block), _kind(number))
            total[key] += len(block.text)
            short[key] += len(block.text) if len(block.text) < 120 else 0
    return {key: short[key] / count for key, count in total.items() if count}


def _score(block: Block, look: Look, number: Numbering | None, style: Style) -> float:
    """Weigh what the block itself shows."""
    evidence, text = block.evidence, block.text
    ratio = size_of(block, style[3]) / look.size
    score = next((weight for least, weight in LARGER if ratio >= least), -1.0)
    if style[1] and not look.bold:
        score += 1.3
    if style[3] and (" " in text or len(text) > 6):
        score += 0.8
    if evidence["font"] != look.font:
        score += 0.3
    if evidence["color"] != look.color:
        score += 0.4
    if number is not None and (number.order[0] <= 0 or is_han(text)):  # (3) is an item, or an amount
        score += -1.0 if number.unit.endswith(("条", "款")) else 1.5 if number.unit else 1.0
    if is_named(text) or is_contents_title(text):
        score += 1.0
    if text[-1] in ".。":
        score -= 1.5
    elif text[-1] in ":：":
        score -= 0.8
    if text[0].islower():
        score -= 1.5
    if len(text) > 110:
        score -= 1
    if evidence["pieces"] > 2:
        score -= 1
    elif evidence["gap"] > 3 and number is None:
        score -= 0.4
    return score


def is_han(text: str) -> bool:
    """Tell whether a text is mostly Chinese characters."""
    return sum("\u4e00" <= char <= "\u9fff" for char in text) * 2 > len(text)


def _context(blocks: Sequence[Block], index: int, look: Look, numbers: Sequence[Numbering | None]) -> float:
    """Weigh the white space around a block and what stands before and after it."""
    block, number = blocks[index], numbers[index]
    score = 0.2  # where the format leaves the white space to the program that shows it
    if "above" in block.evidence:
        above = block.evidence["above"]
        spaced = above is None or above > 1.35 * look.leading
        score = 0.5 if spaced else 0.0 if number and is_han(block.text) else -0.7
    following = blocks[index + 1] if index + 1 < len(blocks) else None
    if following is not None and (
        following.kind in ("table", "image")
        or (len(following.text) > 100 and not following.text[:1].islower())
    ):
        score += 0.3
    left, right = block.evidence["column"]
    box = block.bbox
    if block.evidence["lines"] == 1 and box and box[2] - box[0] < 0.7 * (right - left):
        score += 0.2
    return score


def _slant(blocks: Sequence[Block], index: int, look: Look, style: Style) -> float:
    """Weigh italics of a line over running text; under a table or a picture they tell where it is from."""
    if not style[2] or style[1] or blocks[index].evidence["font"] == look.font:
        return 0.0
    before, after = blocks[index - 1 : index] if index else [], blocks[index + 1 : index + 2]
    if any(block.kind in ("table", "image") for block in before):
        return 0.0
    return 0.9 if any(len(block.text) > 60 or block.kind == "table" for block in after) else 0.0


def _by_style(candidates: Sequence[Heading]) -> list[Heading]:
    """Decide by score, pulled by what most candidates of the style come to."""
    groups: dict[tuple[Style, str], list[Heading]] = defaultdict(list)
    for candidate in candidates:
        groups[candidate.style, _kind(candidate.number)].append(candidate)
    passed = []
    for group in groups.values():
        share = sum(c.score >= THRESHOLD for c in group) / len(group)
        pull = 0.6 - 1.2 * share if len(group) > 2 else 0.0
        passed += [c for c in group if c.score >= THRESHOLD + pull]
    return sorted(passed, key=lambda c: c.index)


def _without_front_matter(blocks: Sequence[Block], headings: Sequence[Heading]) -> list[Heading]:
    """Drop what stands above the first running text on the first two pages, has no number or known name, and whose
    style does not recur."""
    if headings and blocks[headings[0].index].page is None:
        return _recurring(blocks, headings)
    longest = max((len(block.text) for block in blocks if block.kind == "paragraph"), default=0)
    # In a short document no paragraph is long, yet not everything is front matter.
    running = min(200, longest / 2)
    first_text = next(
        (i for i, b in enumerate(blocks) if b.kind == "paragraph" and len(b.text) > running), len(blocks)
    )
    later = Counter(h.style for h in headings if h.index > first_text and (blocks[h.index].page or 0) > 1)
    return [
        heading
        for heading in headings
        if heading.index >= first_text - 1 or (blocks[heading.index].page or 0) > 2 or heading.number
        or is_named(blocks[heading.index].text) or later[heading.style] > 1
    ]  # fmt: skip


def _recurring(blocks: Sequence[Block], headings: Sequence[Heading]) -> list[Heading]:
    """Keep, of a format without pages, numbers, names, looks that come again and what is larger than these."""
    counts = Counter(heading.style for heading in headings)
    least = min((style[0] for style, count in counts.items() if count > 2), default=float("inf"))
    return [
        heading
        for heading in headings
        if heading.number or is_named(blocks[heading.index].text) or counts[heading.style] > 2
        or heading.style[0] > least
    ]  # fmt: skip


def _over_text(blocks: Sequence[Block], headings: Sequence[Heading], look: Look) -> list[Heading]:
    """Drop what is no larger than the text, has no number and no text below: signatories, addresses, labels.

    So are lines of one look that follow each other, as terms beside their definitions, and one that comes again and
    again over others of its look, as a company's name over its statements.
    """
    kept: list[Heading] = []
    names = Counter(blocks[heading.index].text for heading in headings)
    directly = {
        heading.index
        for heading, after in itertools.pairwise(headings)
        if after.index == heading.index + 1 and after.style == heading.style and after.number is None
    }
    end = len(blocks)
    for heading in reversed(headings):
        below = [block for block in blocks[heading.index + 1 : end] if not block.text.isdecimal()]
        block = blocks[heading.index]
        bare = heading.number is None and not is_named(block.text)
        plain = bare and size_of(block, heading.style[3]) < 1.2 * look.size
        stands = any(
            block.kind not in ("paragraph", "heading")
            or len(block.text) * (2 if is_han(block.text) else 1) > RUNNING
            or block.text[-1:] in ".。"
            for block in below
        )
        often = names[block.text] > 1 or {heading.index - 1, heading.index + 1} & directly
        over = not kept or (often and kept[-1].style == heading.style)
        if plain and not stands and (below or over):
            continue
        kept.append(heading)
        end = heading.index
    return kept[::-1]


def _without_listings(blocks: Sequence[Block], headings: Sequence[Heading]) -> list[Heading]:
    """Drop runs of headings without text between them that all come again later: a chapter's own contents."""
    again: Mapping[str, int] = {blocks[h.index].text.casefold(): h.index for h in headings}
    kept: list[Heading] = []
    run: list[Heading] = []

    def close() -> None:
        titled = kept and run and is_contents_title(blocks[kept[-1].index].text)
        if len(run) < (1 if titled else 3):
            kept.extend(run)
        run.clear()

    for heading in headings:
        repeated = again[blocks[heading.index].text.casefold()] > heading.index
        if run and not (repeated and heading.index - run[-1].index <= 2):
            close()
        if repeated:
            run.append(heading)
        else:
            kept.append(heading)
    close()
    return kept


def _without_repeats(blocks: Sequence[Block], headings: Sequence[Heading]) -> list[Heading]:
    """Drop headings at the top of a page that only say what section goes on ("3 Results (continued)")."""
    last: dict[Style, tuple[str, int]] = {}
    tops: dict[int | None, int] = {}
    for index, block in enumerate(blocks):
        tops.setdefault(block.page, index)
    kept = []
    for heading in headings:
        block = blocks[heading.index]
        text, page = CONTINUED.sub("", block.text).casefold().strip(), block.page or 0
        before = last.get(heading.style)
        last[heading.style] = (text, page)
        at_top = heading.index == tops[block.page]
        if not at_top or before is None or before[0] != text or page != before[1] + 1:
            kept.append(heading)
    return kept
