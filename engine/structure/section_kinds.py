"""Parts of a document that every reader knows: title, abstract, keywords, contents, references, appendix; and forms:
covers with check boxes and passages to tick, which say nothing of what it is about.

The title of a document is what its file states, checked against the first pages, else the largest text there.
"""

import re
from collections.abc import Sequence
from pathlib import PurePath

from engine.language import compiled, patterns
from engine.model import Block, ParsedFile, Tree
from engine.structure.captions import caption_label
from engine.structure.draft import Draft
from engine.structure.numbering import without_number
from engine.structure.outline import normal

_PARTS = {kind: compiled(f"(?:{words})") for kind, words in patterns("document_parts")["parts"].items()}
_RUN_IN = compiled(patterns("document_parts")["headings"]["run_in"])
_LEAD = " \t\u3000[【*"
FRONT = 30
LONGEST_ENTRY = 120
_OF_LEAVES = {"abstract": "abstract", "keywords": "keywords", "references": "reference"}
# Boxes as characters, and as the letters that they are in the fonts of older word processors; 是 □否, √适用 □不适用.
_BOX = re.compile(r"[☐☑☒□]|(?<![^\W\d_])[¨þý](?![^\W\d_])")
_TICKED = re.compile(r"[☐☑☒]|[□√✓✔]\s?[^\s□√✓✔]{1,12}\s*[□√✓✔]|[¨þý]\s?\w{1,12}\s*[¨þýx]\b")
SHORTEST, LONGEST = 4, 300
NOT_A_TITLE = compiled(patterns("summaries")["no_title"])


def is_contents_title(text: str) -> bool:
    """Tell whether a heading announces a table of contents."""
    return bool(_PARTS["contents"].fullmatch(text.strip(" .:：")))


def kind_of(title: str) -> str | None:
    """Return what part of a document a section with this title is, None for the most."""
    whole = title.strip().strip(" .:：[]【】*")
    parts = ((kind, pattern, text) for text in (whole, without_number(whole)) for kind, pattern in _PARTS.items())
    return next((kind for kind, pattern, text in parts if pattern.fullmatch(text)), None)


def mark_kinds(root: Draft) -> None:
    """Set ``metadata["kind"]`` of the parts of a document, in place.

    A section gets its own kind; the leaves of abstract and keywords share it, those of the references are
    "reference" each. In the front matter the paragraph that shows the document's title has the kind "title", and
    those that begin with "Abstract" or "Keywords" have theirs.
    """
    title = normal(root.title)
    front = 0
    for node in root.walk():
        if node.role == "section":
            if kind := kind_of(node.title):
                _mark(node, kind)
            elif front < FRONT and title and normal(node.title) == title:
                node.metadata["kind"] = "title"
                title = ""
        elif node.role in ("paragraph", "list") and front < FRONT:
            front += 1
            if title and len(node.text) < 400 and normal(node.text) == title:
                node.metadata["kind"] = "title"
                title = ""
            elif match := _RUN_IN.match(node.text.lstrip(_LEAD)):
                node.metadata.setdefault("kind", match.lastgroup)


def _mark(section: Draft, kind: str) -> None:
    leaves = [child for child in section.children if child.role in ("paragraph", "list")]
    if kind == "contents" and sum(len(leaf.text) for leaf in leaves) > LONGEST_ENTRY * len(leaves):
        return  # a heading that went astray: text stands below it
    section.metadata["kind"] = kind
    for leaf in leaves:
        if leaf_kind := _OF_LEAVES.get(kind):
            leaf.metadata.setdefault("kind", leaf_kind)


def cover_form(tree: Tree) -> frozenset[str]:
    """Return the ids of what stands before the first heading of the file, where it is a form and not all of it."""
    cover: list[str] = []
    boxes = False
    for node in tree.nodes[1:]:
        if node.role == "section" and not node.metadata.get("generated"):
            break
        cover.append(node.node_id)
        boxes = boxes or bool(_BOX.search(node.text))
    return frozenset(cover) if boxes and 2 * len(cover) < len(tree.nodes) else frozenset()


def is_form(text: str) -> bool:
    """Tell whether a passage is there to be ticked: "Yes ☒ No ☐", √适用 □不适用."""
    return _TICKED.search(text) is not None


def title_of(parsed: ParsedFile, blocks: Sequence[Block], name: str) -> str:
    """Return the title of a document; ``blocks`` are its blocks with headings marked, ``name`` its file name.

    In order: the file's stated title when its first pages show it; a lone top heading at the very start; the
    largest text of the first page (PDF); the stated title; the file name without its ending.
    """
    stated = parsed.title.strip()
    usable = _fits(stated) and not NOT_A_TITLE.search(stated)
    first = [block for block in blocks[:60] if block.page is None or block.page <= 2]
    if usable and any(normal(stated) in normal(block.text[:LONGEST]) for block in first):
        return stated
    if printed := _largest(first):
        return printed
    if usable:
        return stated
    start = next((block for block in blocks if block.text), None)
    written = start is not None and start.kind == "heading" and not start.metadata.get("generated")
    return start.text if start and written and _fits(start.text) else PurePath(name).stem or name


def _fits(text: str) -> bool:
    """Tell whether a text is as long as a title is; two Chinese characters are."""
    return len(text.encode("utf-8", "replace")) >= SHORTEST and len(text) <= LONGEST


def _largest(blocks: Sequence[Block]) -> str:
    """Return the largest text of the first page, with the lines of the same size that follow it, or ""."""
    page = [
        b
        for b in blocks
        if b.page == 1 and "size" in b.evidence and b.evidence.get("upright") and b.text
        and b.kind != "table" and caption_label(b.text) is None
    ]  # fmt: skip
    first = max((b for b in page if _fits(b.text)), key=lambda b: float(b.evidence["size"]), default=None)
    usual = sorted(b.evidence["size"] for b in page)[len(page) // 2] if page else 0.0
    if first is None or first.evidence["size"] < 1.15 * usual:
        return ""
    start, size = page.index(first), first.evidence["size"]
    parts = [page[start].text]
    for block in page[start + 1 : start + 3]:
        if abs(block.evidence["size"] - size) > 0.5 or block.kind == "heading":
            break
        parts.append(block.text)
    title = " ".join(parts)
    return title if len(title) <= LONGEST else ""
