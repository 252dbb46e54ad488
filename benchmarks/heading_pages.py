"""Made pages for training on headings: Markdown set as PDF, and parts of documents as short documents of their own."""

from __future__ import annotations

import html
import importlib
import itertools
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from engine.export.paper import set_on_pages
from engine.model import Block

PARTS = {"编": 1, "章": 2, "节": 3}
UNIT = re.compile(r"第[一二三四五六七八九十百零]+([编章节])\s*")
ARTICLE = re.compile(r"^第[一二三四五六七八九十百零]+条\s*")
COUNT = "零一二三四五六七八九十"
LENGTHS = (6, 9, 14, 22, 35)
NAMES = "Jane Smith;John Miller;Anna Berg and Tom Fischer;Maria Rossi, Li Wei;A. Novak".split(";")
ROLES = ("Chief Executive Officer", "Director", "Treasurer and Secretary")
COMPANIES = ("Northern Light Corporation", "HARBOUR FOODS, INC.", "Steel and Stone Ltd.", "First Bank, N.A.")


def statute(text: str, kind: int) -> list[tuple[str, str]]:
    """Return the (HTML element, text) of a statute in Markdown, its parts numbered in one of four ways."""
    parts: list[tuple[str, str]] = []
    counts = [0, 0, 0, 0]
    for line in filter(None, map(str.strip, text.splitlines())):
        title = line.lstrip("# ")
        if line.startswith("#") and (match := UNIT.match(title)):
            depth = PARTS[match[1]]
            counts = [count + (n == depth) if n <= depth else 0 for n, count in enumerate(counts)]
            parts.append((f"h{depth}", numbered(title, title[match.end() :], counts, depth, kind)))
        elif line.startswith("#"):
            parts += [] if parts else [("title", title)]
        elif not line.startswith("<"):
            parts.append(("p", line if kind == 0 else ARTICLE.sub("", line)))
    return parts


def numbered(title: str, bare: str, counts: Sequence[int], depth: int, kind: int) -> str:
    """Return a part's title with another kind of number."""
    count, han = counts[depth], han_number(counts[depth])
    numbers = {
        1: {1: f"第{han}部分 ", 2: f"{han}、", 3: f"（{han}）"},
        2: {1: f"{han}、", 2: f"{count}. ", 3: f"({count}) "},
        3: {1: f"{count} ", 2: f"{count} ", 3: f"{counts[2]}.{count} "},
    }
    return title if kind == 0 else numbers[kind][depth] + bare


def han_number(count: int) -> str:
    """Return a number up to 99 in Chinese."""
    tens, ones = divmod(count, 10)
    return (COUNT[tens] if tens > 1 else "") + ("十" if tens else "") + (COUNT[ones] if ones or not tens else "")


def article(text: str) -> list[tuple[str, str]]:
    """Return the (HTML element, text) of a page of Markdown."""
    text = re.sub(r"(?s)^---.*?---\n|\{[%{].*?[%}]\}", "", text)
    tokens = MarkdownIt().parse(text)
    parts: list[tuple[str, str]] = []
    depth = 0
    for opening, inline in itertools.pairwise(tokens):
        depth += (opening.type == "list_item_open") - (opening.type == "list_item_close")
        words = re.sub(r"[*_`]|\[([^\]]*)\]\([^)]*\)", lambda m: m[1] or "", inline.content)
        if inline.type == "inline" and (words := " ".join(words.split())):
            tag = opening.tag if opening.type == "heading_open" else "li" if depth else "p"
            parts.append((tag, words))
    return parts


def is_long_enough(parts: Sequence[tuple[str, str]]) -> bool:
    """Tell whether a page has five headings and 4,000 letters, and no more than a chapter of either."""
    headings = sum(tag[0] == "h" for tag, _ in parts)
    return 5 <= headings < 60 and 4000 <= sum(len(text) for _, text in parts) < 30_000


def set_as_pdf(parts: Sequence[tuple[str, str]], path: Path, rng: random.Random) -> None:
    """Write the parts as a PDF whose type and headings look as chance has it."""
    tags = {"title": '<p class="t">{}</p>', "li": "<p>• {}</p>"}
    body = "".join(tags.get(tag, f"<{tag}>{{}}</{tag}>").format(html.escape(text)) for tag, text in parts)
    pymupdf: Any = importlib.import_module("pymupdf")
    story = pymupdf.Story(html=body, user_css=looks(rng))
    writer = pymupdf.DocumentWriter(str(path))
    page, margin = pymupdf.paper_rect("a4"), rng.choice((50, 72, 90))
    inside = (margin, margin, page.width - margin, page.height - margin)
    set_on_pages(story, writer, page, inside)


def looks(rng: random.Random) -> str:
    """Return a style sheet: headings larger than the text, or of its size in bold or italics."""
    size = rng.choice((9, 10, 10.5, 11, 12))
    css = (
        f"body{{font-family:{rng.choice(('serif', 'sans-serif'))};font-size:{size}px;line-height:1.3}}"
        f"p{{margin:0 0 {rng.choice((0, 4, 7))}px 0;text-indent:{rng.choice((0, 0, 20))}px}}"
        f".t{{font-size:{size * 1.8}px;text-align:center}}"
    )
    largest = rng.choice((1, 1, 1.15, 1.3, 1.5))
    for depth in range(6):
        factor = max(1, largest * (1 - 0.12 * depth))
        weight, slant = rng.choice(
            (("bold", "normal"), ("normal", "normal")) if factor > 1.1
            else (("bold", "normal"), ("bold", "normal"), ("normal", "italic"), ("bold", "italic"))
        )  # fmt: skip
        css += (
            f"h{depth + 1}{{font-size:{size * factor:.1f}px;font-weight:{weight};font-style:{slant};text-indent:0;"
            f"margin:{rng.choice((4, 8, 12))}px 0 {rng.choice((2, 4))}px 0;"
            f"text-align:{'center' if depth < 2 and rng.random() < 0.3 else 'left'};"
            f"text-transform:{'uppercase' if rng.random() < 0.2 else 'none'}}}"
        )
    return css


def without_pages(block: Block) -> Block:
    """Return a block as a format without pages tells it (``engine.parse.docx_styles``)."""
    if "size" not in block.evidence:
        return block
    size = block.evidence["size"]
    evidence = {
        "size": size, "top": size, "bold": float(block.evidence["bold"] > 0.7), "italic": False, "font": "", "color": 0,
        "lines": 1, "column": (0.0, 0.0), "gap": 0.0, "upright": True,
    }  # fmt: skip
    return replace(block, page=None, bbox=None, evidence=evidence)


def short_documents(
    blocks: Sequence[Block], labels: Sequence[int], rng: random.Random, count: int
) -> Iterator[tuple[list[Block], list[int]]]:
    """Yield parts of a document, some with a title and authors, signatures or a company's name put in.

    ``labels`` are 1 for headings, 0 for other blocks, -1 where it is not known. The last block heads nothing.
    """
    starts = [n for n, label in enumerate(labels) if label == 1]
    for _ in range(count):
        length = rng.choice(LENGTHS)
        if len(blocks) < length + 3:
            continue
        start = rng.choice(starts) if starts and rng.random() < 0.5 else rng.randrange(len(blocks) - length)
        part, own = list(blocks[start : start + length]), list(labels[start : start + length])
        paged = rng.random() < 0.65
        if any("size" in block.evidence for block in part):
            part, own = with_more(part, own, paged, rng)
        own[-1] = min(own[-1], 0)
        if paged:
            first = min(block.page or 1 for block in part)
            part = [replace(block, page=block.page - first + 1) if block.page else block for block in part]
        else:
            part = [without_pages(block) for block in part]
        yield part, own


def with_more(part: list[Block], labels: list[int], paged: bool, rng: random.Random) -> tuple[list[Block], list[int]]:
    """Put in what is no heading: title and authors at the top, who signed at the end, a company over headings.

    Only without pages is a title a heading: the largest text of a first page is known otherwise.
    """
    chance = rng.random()
    plain = next(block for block in part if "size" in block.evidence)
    look = {**plain.evidence, "lines": 1, "bold": 0.0, "gap": 0.0}

    def line(text: str, **evidence: Any) -> Block:
        return replace(plain, kind="paragraph", text=text, evidence={**look, **evidence}, metadata={})

    if chance < 0.25:
        size = plain.evidence["size"] * rng.choice((1.3, 1.6, 2.0))
        title = line(f"On {rng.choice(COMPANIES)} and Others", size=size, top=size, above=None)
        authors = [line(rng.choice(NAMES))][: rng.randrange(2)]
        return [title, *authors, *part], [int(not paged), *[0] * len(authors), *labels]
    if chance < 0.55:
        signed = [line(name, bold=rng.choice((0.0, 1.0)), above=24.0) for name in rng.sample(NAMES, 2)]
        company = line(rng.choice(COMPANIES), bold=rng.choice((0.0, 1.0)), above=24.0)
        by = line(rng.choice(("By: /s/ A. Novak", "Date: May 4, 2023 By: /s/ A. Novak")), above=20.0)
        end = [company, by][: 2 * rng.randrange(2)]
        end += [block for name in signed for block in (name, line(rng.choice(ROLES), above=14.0))]
        return [*part, *end], [*labels, *[0] * len(end)]
    if chance < 0.7:
        company_name, found = rng.choice(COMPANIES), []
        for block, label in zip(part, labels, strict=True):
            found += [(replace(block, text=company_name), 0)] if label == 1 else []
            found.append((block, label))
        return [block for block, _ in found], [label for _, label in found]
    return part, labels
