"""Tables that continue on the next page become one (repeated header rows once, every row with its page)."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.model import Block
from engine.structure.outline import normal

CONTINUED = re.compile(r"\bcont(?:inued|['’]?d)?\b\.?|接上[页表]|[（(]\s*续\s*[)）]|^\s*续\s*表", re.IGNORECASE)
MOST_HEADER_ROWS, MOST_BETWEEN, LONGEST_NOTE = 4, 3, 400
SIDE, SHARE = 6.0, 0.6
# A table that a page cuts ends below this share of the page's height.
FULL = 0.75
_NOTE = re.compile(r"\W*(?:\(?\d{1,2}\)?|[*†‡§#]|notes?\b|source|注|资料来源)", re.IGNORECASE)
_NUMBER = re.compile(r"[\d.,%()$€£¥￥*+\-–— ]*\d[\d.,%()$€£¥￥*+\-–— ]*")


def with_continued_tables(blocks: Sequence[Block], page_sizes: Sequence[tuple[float, float]] = ()) -> list[Block]:
    """Return the blocks with each table and what continues it at the top of the next page as one block.

    A table continues when nothing but notes stands between, its columns are as many and as wide, and it
    repeats the header or goes on with rows of the same kind, of which its page (of ``page_sizes``) had no room for
    the first. The joined table lies where it begins;
    ``metadata["spans"]`` has its parts (page, box, letters of the text, index of their first row, and the
    ``edges`` of their cells where the parser knows them), ``metadata["row_pages"]`` the page of each row.
    """
    result: list[Block] = []
    skipped: set[int] = set()
    for index, block in enumerate(blocks):
        if index in skipped:
            continue
        if _can_continue(block):
            at = index
            while found := _continuation(blocks, at, block, page_sizes):
                at = found[-1]
                block = _joined(block, blocks[at])
                skipped.update(found)
        result.append(block)
    return result


def _can_continue(block: Block) -> bool:
    return block.kind == "table" and bool(block.page and block.bbox and block.metadata.get("rows"))


def _continuation(blocks: Sequence[Block], at: int, table: Block, sizes: Sequence[tuple[float, float]]) -> list[int]:
    """Return the index of what continues a table, whose last part is ``at``, behind those of lines that say so."""
    page = blocks[at].page or 0
    announced: list[int] = []
    for index in range(at + 1, min(len(blocks), at + 2 + MOST_BETWEEN)):
        block = blocks[index]
        if block.kind == "table":
            next_one = block.page == page + 1 and _can_continue(block)
            height = sizes[page - 1][1] if page <= len(sizes) else 0.0
            room = bool(height) and not announced and _has_room(blocks[at:index], block, FULL * height)
            goes_on = next_one and _goes_on(table, blocks[at], block, bool(announced), room)
            return [*announced, index] if goes_on else []
        if block.page == page + 1 and len(block.text) <= LONGEST_NOTE and CONTINUED.search(block.text):
            announced.append(index)
        elif block.page != page or not _is_note(block):
            return []
    return []


def _has_room(last: Sequence[Block], block: Block, bottom: float) -> bool:
    """Tell whether the first row of a table had room below the last blocks of the page before."""
    ys = (block.metadata.get("edges") or {"y": (0.0, 0.0)})["y"]
    return max(part.bbox[3] for part in last if part.bbox) + ys[1] - ys[0] < bottom


def _is_note(block: Block) -> bool:
    """Tell whether a block below a table is a comment or a footnote: short, and set apart by a mark."""
    short = block.kind in ("paragraph", "list_item") and len(block.text) <= LONGEST_NOTE
    return bool(block.metadata.get("note") or (short and _NOTE.match(block.text)))


def _goes_on(table: Block, last: Block, block: Block, announced: bool, room: bool) -> bool:
    rows, more = table.metadata["rows"], block.metadata["rows"]
    if len(rows[0]) != len(more[0]) or last.bbox is None or block.bbox is None:
        return False
    apart = max(abs(last.bbox[0] - block.bbox[0]), abs(last.bbox[2] - block.bbox[2]))
    if repeated_rows(rows, more):
        return True
    overlap = min(last.bbox[2], block.bbox[2]) - max(last.bbox[0], block.bbox[0])
    # A part without rules is as wide as its texts.
    narrow, wide = sorted((last.bbox[2] - last.bbox[0], block.bbox[2] - block.bbox[0]))
    if room or overlap < 0.8 * narrow or overlap < SHARE * wide:
        return False
    kinds = _kinds(rows[1:])
    # Its first row has numbers where the columns have them, not words as a new header would.
    cells = [cell.strip() for kind, cell in zip(kinds, more[0], strict=False) if kind and cell.strip()]
    alike = all(_NUMBER.fullmatch(cell) or cell in {"-", "–", "—", "n/a", "N/A"} for cell in cells)
    return alike and (announced or True in kinds or apart < SIDE)


def repeated_rows(rows: Sequence[Sequence[str]], more: Sequence[Sequence[str]]) -> int:
    """Return how many rows at the start of a table's continuation repeat the table's own first rows."""
    pairs = zip(rows[:MOST_HEADER_ROWS], more[:MOST_HEADER_ROWS], strict=False)
    alike = itertools.takewhile(lambda pair: any(pair[0]) and [*map(normal, pair[0])] == [*map(normal, pair[1])], pairs)
    count = sum(1 for _ in alike)
    return count if count < len(more) else 0


def _kinds(rows: Sequence[Sequence[str]]) -> list[bool | None]:
    """Return for each column whether it holds numbers, None where it holds little."""
    columns = [[cell.strip() for cell in column if cell.strip()] for column in zip(*rows, strict=True)]
    numbers = (sum(bool(_NUMBER.fullmatch(cell)) for cell in cells) for cells in columns)
    return [None if len(own) < 2 else n >= SHARE * len(own) for own, n in zip(columns, numbers, strict=True)]


def _joined(table: Block, block: Block) -> Block:
    rows, more = table.metadata["rows"], block.metadata["rows"]
    dropped = repeated_rows(rows, more)
    lines = block.text.split("\n")
    text = "\n".join(lines[dropped:] if len(lines) == len(more) else (" | ".join(row) for row in more[dropped:]))
    pages = table.metadata.get("row_pages") or [table.page] * len(rows)
    spans = table.metadata.get("spans") or [_span(table, table.text, 0, 0)]
    facts = {key: value for key, value in table.metadata.items() if key != "edges"}
    for key, value in block.metadata.items():
        if isinstance(value, list) and value and all(isinstance(item, dict) and "row" in item for item in value):
            moved = [{**item, "row": item["row"] - dropped + len(rows)} for item in value if item["row"] >= dropped]
            facts[key] = [*(table.metadata.get(key) or []), *moved]
    facts["rows"] = [*rows, *more[dropped:]]
    facts["row_pages"] = [*pages, *[block.page] * (len(more) - dropped)]
    # The line break between two parts belongs to the first.
    last = {**spans[-1], "chars": spans[-1]["chars"] + 1}
    facts["spans"] = [*spans[:-1], last, _span(block, text, len(rows), dropped)]
    return replace(table, text=f"{table.text}\n{text}", metadata=facts)


def _span(block: Block, text: str, first: int, dropped: int) -> dict[str, Any]:
    edges = block.metadata.get("edges")
    placed = {"edges": {"x": edges["x"], "y": edges["y"][dropped:]}} if edges else {}
    return {"page": block.page, "bbox": list(block.bbox or ()), "chars": len(text), "row": first, **placed}
