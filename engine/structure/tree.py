"""Blocks to the node tree: document > section > … > paragraph, list, table, image, caption, equation, code."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, cast
from unicodedata import category

from engine.config import ParsingSettings
from engine.model import Block, Correction, Node, NodeIds, ParsedFile, Role, Tree, hull
from engine.structure.articles import name_articles
from engine.structure.captions import alternative_caption, caption_label, owners_of, title_above
from engine.structure.continued_tables import with_continued_tables
from engine.structure.corrections import with_corrections
from engine.structure.draft import Draft
from engine.structure.heading_levels import with_headings
from engine.structure.normalization import Embed, normalize, paragraph_parts
from engine.structure.running_texts import without_running
from engine.structure.section_kinds import title_of
from engine.structure.sentences import HARD_LIMIT, split_long
from engine.structure.sequences import grouped, runs

# Letters (Hangul fillers) and a sign (an empty Braille pattern) that are drawn as nothing.
_BLANK_LETTERS = "\u115f\u1160\u3164\uffa0\u2800"
_ADDRESS = ("http://", "https://", "file://")
IMAGE_FACTS: dict[str, Any] = {
    "caption": "", "label": None, "ocr_text": "", "description": "", "description_method": None, "width": None,
    "height": None,
}  # fmt: skip


def build_tree(
    parsed: ParsedFile, *, document_id: str, name: str, sha256: str, version: int, settings: ParsingSettings,
    embed: Embed | None = None, corrections: Sequence[Correction] = (),
) -> Tree:  # fmt: skip
    """Return the node tree of a parsed file, nodes in reading order, the root first.

    Heading levels that the format states are used; otherwise bookmarks, else looks and numbering decide.
    What was corrected by hand comes before all that. Then the structure is mended where it says too little
    (``engine.structure.normalization``).
    """
    body, running = without_running([block for block in parsed.blocks if not block.text or _shows(block.text)])
    blocks = with_continued_tables(with_headings(replace(parsed, blocks=body)), parsed.page_sizes)
    title = next((one.text for one in corrections if one.kind == "title"), "")
    root = Draft("document", title=title or title_of(parsed, blocks, name))
    root.metadata |= {"correction": "title"} if title else {}
    blocks = with_corrections(blocks, corrections, settings.structure_normalization)
    open_sections: list[tuple[int, Draft]] = [(0, root)]
    for are_headings, group in groupby(blocks, lambda block: block.kind == "heading"):
        if not are_headings:
            open_sections[-1][1].children += leaves_of(list(group), settings)
            continue
        for block in group:
            level = block.level or 1
            while open_sections[-1][0] >= level:
                open_sections.pop()
            facts = {**block.metadata, **_recognition(block)}
            section = Draft("section", block.text, "", block.page, block.bbox, block.cell, level, facts)
            open_sections[-1][1].children.append(section)
            open_sections.append((level, section))
    normalize(root, settings, parsed.media_type, embed)
    root.children += leaves_of(running, settings)
    nodes = list(_nodes(root, None, 0, 0, NodeIds(sha256)))
    name_articles(nodes)
    return Tree(
        document_id, name, parsed.media_type, version, parsed.pages, nodes, list(parsed.page_sizes),
        list(parsed.warnings), list(parsed.unread_pages),
    )  # fmt: skip


def _shows(text: str) -> bool:
    """Tell whether a text has a character that can be seen: pages are kept apart by blanks of many kinds."""
    return any(category(char)[0] in "LNPS" and char not in _BLANK_LETTERS for char in text)


def leaves_of(blocks: Sequence[Block], settings: ParsingSettings) -> list[Draft]:
    """Return the drafts of the blocks of one section: lists gathered, captions put under what they name."""
    labels = {n: label for n, block in enumerate(blocks) if (label := _label(block)) is not None}
    owners = owners_of(blocks, labels)
    captions = {owner: _caption(blocks[index], labels[index]) for index, owner in owners.items()}
    drafts: list[Draft] = []
    items: list[Block] = []
    for index, block in enumerate(blocks):
        if block.kind == "list_item":
            items.append(block)
            continue
        drafts += _lists(items)
        items = []
        if index in labels:
            drafts += [] if index in owners else [_caption(block, labels[index])]
        elif block.kind == "paragraph":
            drafts += _paragraphs(block, settings)
        else:
            drafts.append(_leaf(block, captions.get(index)))
            if block.kind == "table" and not drafts[-1].metadata["caption"]:
                drafts[-1].metadata["caption"] = title_above(blocks, index)
    return drafts + _lists(items)


def _label(block: Block) -> str | None:
    """Return the label of a caption, "" for one that only its format tells, None for what is none."""
    told = block.kind == "caption"
    if not told and block.kind != "paragraph":
        return None
    return block.metadata.get("label") or caption_label(block.text, prominent=told) or ("" if told else None)


def _caption(block: Block, label: str) -> Draft:
    metadata = {**block.metadata, **_recognition(block), "label": label}
    return Draft("caption", "", block.text, block.page, block.bbox, block.cell, None, metadata)


def _leaf(block: Block, caption: Draft | None) -> Draft:
    role = cast(Role, block.kind)  # of what is no heading and no item of a list
    metadata = {**block.metadata, **_recognition(block)}
    if role == "image":
        metadata = {**IMAGE_FACTS, **metadata}
        if block.text.startswith(_ADDRESS) and " " not in block.text:  # where it once lay says nothing of it
            block = replace(block, text="")
    if role == "table":
        metadata = {"columns": [], "rows": [], "caption": "", "label": None, **metadata}
    if caption is not None:
        metadata |= {"caption": caption.text, "label": caption.metadata["label"] or metadata.get("label")}
    elif role == "image":
        said, label = alternative_caption(block)
        metadata |= {"caption": said, "label": label} if said else {}
    inside = [caption] if caption is not None else []
    return Draft(role, "", block.text, block.page, block.bbox, block.cell, None, metadata, inside)


def _paragraphs(block: Block, settings: ParsingSettings) -> list[Draft]:
    """Return one leaf a part of a paragraph, each on the pages where its own text stands; none without text."""
    texts = paragraph_parts(block.text, settings.structure_normalization)
    block = replace(block, metadata=block.metadata | _recognition(block))
    drafts: list[Draft] = []
    at = 0
    for text in filter(None, texts):
        start = max(at, block.text.find(text, at))
        at = start + len(text)
        part = block.part(start, at) if len(texts) > 1 else block
        drafts.append(Draft("paragraph", "", text, part.page, part.bbox, block.cell, None, part.metadata))
    return drafts


def _lists(items: Sequence[Block]) -> list[Draft]:
    """Return list nodes for items that follow each other: one, or several where it would grow too long."""
    pieces = (replace(item, text=text) for item in items for text in split_long(item.text))

    def fits(run: Sequence[Block], piece: Block) -> bool:
        return sum(len(one.text) + 1 for one in run) + len(piece.text) <= HARD_LIMIT

    return [_list(run) for run in runs(pieces, fits)]


def _list_as_read(items: Sequence[Block]) -> dict[str, Any]:
    """Return how surely the items were read, as the least sure one was, with their lines."""
    lines = [line for item in items for line in item.metadata.get("ocr_lines", ())]
    return _recognition(min(items, key=lambda item: float(item.evidence["confidence"]))) | {"ocr_lines": lines}


def _list(items: Sequence[Block]) -> Draft:
    """Return one list node for items that follow each other; it lies on the first item's page."""
    first, spans = items[0], _spans(items)
    metadata: dict[str, Any] = {"spans": spans} if len(spans) > 1 else {}
    if read := [item for item in items if item.evidence.get("ocr")]:
        metadata |= _list_as_read(read)
    depth = [item.level or 1 for item in items]
    text = "\n".join("  " * (level - min(depth)) + item.text for item, level in zip(items, depth, strict=True))
    box = tuple(spans[0]["bbox"]) if spans else first.bbox
    return Draft("list", "", text, first.page, box, first.cell, None, metadata)


def _spans(items: Sequence[Block]) -> list[dict[str, Any]]:
    """Return where a list stands, each page once, with its letters where they are known of all items."""
    told = [span for item in items for span in item.spans]
    counted = all("chars" in span for span in told)
    pages = grouped((span["page"], span) for span in told).items()
    return [
        {"page": page, "bbox": list(hull(span["bbox"] for span in own))}
        | ({"chars": sum(span["chars"] + 1 for span in own)} if counted else {})
        for page, own in pages
    ]


def _recognition(block: Block) -> dict[str, Any]:
    """Return how sure text recognition is of what it has read, 0..1; nothing for other text."""
    return {"ocr_confidence": block.evidence["confidence"]} if block.evidence.get("ocr") else {}


def _nodes(draft: Draft, parent: str | None, depth: int, position: int, ids: NodeIds) -> Iterator[Node]:
    node_id = ids.next(draft.role, f"{draft.title}\n{draft.text}")
    yield Node(
        node_id, parent, draft.role, draft.title, draft.text, "", depth, position, draft.page, draft.bbox,
        draft.cell, draft.level, draft.metadata,
    )  # fmt: skip
    for index, child in enumerate(draft.children):
        yield from _nodes(child, node_id, depth + 1, index, ids)
