"""Headers and footers: what they say is kept once, behind everything else, where the text itself does not say it.

Pages within a web page, as files that were made for print mark them, have what runs along on each among the text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from engine.model import Block
from engine.structure.sequences import grouped

PAGE_NUMBER = re.compile(
    r"^(?:page|p\.|seite|第)?\s*[-–—\[(|•·]*\s*(?:[a-z]{1,2}-)?(\d{1,4}|[ivxlc]{1,7})\s*[-–—\])|•·]*\s*页?"
    r"(?:\s*(?:of|/|von|de|共)\s*\d{1,4}\s*页?)?$",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W_]+")
# So many blocks at the edge of a page are looked at, so long ones; left and right pages may have their own.
EDGE, LONGEST, NEAR = 4, 160, 4
# A page number behind or before two and more words; "Chapter 3" has none.
COUNTED = re.compile(r"^(\S+\s.*?\S)[\s|·•–—-]+\d{1,4}$|^\d{1,4}[\s|·•–—-]+(?=\S+\s)")
STOPS = tuple(".。!?！？:：;；")


def without_running(blocks: Sequence[Block]) -> tuple[list[Block], list[Block]]:
    """Return the blocks of the text, and those of headers and footers (``metadata["running"]``) that add to it.

    A header that only repeats words of the text (titles, names of chapters) adds nothing; what is kept has the
    ``metadata["kind"]`` "header" or "footer".
    """
    body = [block for block in blocks if "running" not in block.metadata]
    if len(body) == len(blocks):
        return body, []
    said = "\n".join(_words(block.text) for block in body)
    kept: list[Block] = []
    for block in (block for block in blocks if "running" in block.metadata):
        rows = block.metadata.get("rows", ())
        if rows and len(rows[0]) == 2:  # names and their values, as forms have them
            pairs = [dict.fromkeys(cell.rstrip(" :：") for cell in row if cell) for row in rows]
            block = replace(block, text="\n".join(map(": ".join, pairs)))
        lines = [line for line in block.text.split("\n") if not PAGE_NUMBER.match(line)]
        words = [_words(line) for line in lines]
        if any(one.strip() and one not in said for one in words):
            said = "\n".join([said, *words])
            facts = {key: value for key, value in block.metadata.items() if key == "ocr_lines"}
            facts["kind"], text = block.metadata["running"], "\n".join(lines)
            kept.append(replace(block, kind="paragraph", text=text, level=None, cell=None, metadata=facts))
    return body, kept


def _words(text: str) -> str:
    return f" {' '.join(_WORDS.findall(text.casefold()))} "


def without_pages(blocks: Sequence[Block], breaks: Sequence[int]) -> list[Block]:
    """Return the blocks without what runs along at the edges of pages, its first one kept and marked as running, and
    with paragraphs joined that a page's end has torn. ``breaks`` are the indexes at which pages begin."""
    ends = sorted({*breaks, len(blocks)} - {0})
    pages = [range(start, end) for start, end in pairwise([0, *ends])]
    running = {n for edges in ([page[:EDGE] for page in pages], [page[::-1][:EDGE] for page in pages])
               for n in _running(blocks, edges)}  # fmt: skip
    return _joined(blocks, running, set(ends))


def _running(blocks: Sequence[Block], edges: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield the indexes of what comes again, page numbers aside, at the edge of three pages close to each other, and
    of page numbers; ``edges`` are the indexes at one edge of each page, outermost first."""
    seen = grouped((words, page) for page, edge in enumerate(edges) for words in {_alike(blocks[n]) for n in edge})
    again = {words for words, on in seen.items() if any(c - a <= NEAR for a, c in zip(on, on[2:], strict=False))}
    for edge in edges:
        yield from takewhile(lambda n: _alike(blocks[n]) in again, edge)


def _alike(block: Block) -> str:
    """Return what blocks that run along have in common; no table does, nor what is long."""
    if len(block.text) > LONGEST or block.kind in ("table", "image"):
        return f"{id(block)}"
    return "" if PAGE_NUMBER.match(block.text) else COUNTED.sub(r"\1", block.text).casefold()


def _joined(blocks: Sequence[Block], running: set[int], ends: set[int]) -> list[Block]:
    """Return the blocks, those that run along marked; what goes on behind them is one with what came before."""
    result: list[Block] = []
    told, last, torn = {""}, -1, False
    for n, block in enumerate(blocks):
        torn = torn or n in ends
        if n in running:
            if _alike(block) not in told:
                told.add(_alike(block))
                facts = block.metadata | {"running": "header"}
                result.append(replace(block, kind="paragraph", level=None, metadata=facts))
            continue
        if torn and last >= 0 and _goes_on(before := result[last], block):
            result[last] = replace(before, text=f"{before.text} {block.text}")
        else:
            last = len(result)
            result.append(block)
        torn = False
    return result


def _goes_on(before: Block, block: Block) -> bool:
    kinds = before.kind in ("paragraph", "list_item") and block.kind == "paragraph"
    return kinds and block.text[:1].islower() and not before.text.endswith(STOPS)
