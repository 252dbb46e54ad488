"""Parts of a document that every reader knows: title, abstract, keywords, contents, references, appendix."""

from __future__ import annotations

import re

from engine.structure.draft import Draft
from engine.structure.numbering import without_number
from engine.structure.outline import normal

_CONTENTS = re.compile(
    r"^(?:table\s+of\s+contents?|contents?|list\s+of\s+(?:figures|tables)|目\s*录|目\s*次|目\s*錄|inhalt(?:sverzeichnis)?"
    r"|table\s+des\s+mati[eè]res|sommaire|índice|contenido)$",
    re.IGNORECASE,
)
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("abstract", r"abstract|(?:executive\s+)?summary|synopsis|(?:内容)?(?:摘\s*要|提\s*要)|概要|要旨"),
        ("keywords", r"key\s?words?|index\s+terms|关\s*键\s*[词字]|關\s*鍵\s*[詞字]"),
        (
            "references",
            r"(?:references?|bibliography|works\s+cited|literature(?:\s+cited)?|literaturverzeichnis|cited\s+works|"
            r"参\s*考\s*(?:文\s*献|资料|书目)|參\s*考\s*文\s*獻|引用文献)(?:\s+(?:and|&)\s+notes)?",
        ),
        ("acknowledgements", r"acknowledge?ments?|致\s*谢|致\s*謝|鸣\s*谢"),
        (
            "appendix",
            r"(?:appendix|appendices|annex|附\s*[录錄件])(?:\s*[A-Z\d一二三四五六七八九十]{1,3})?"
            r"(?:[\s:：.—–-].{0,120})?",
        ),
    )
)
# "Abstract—We show …", 摘要：…, set in front of the paragraph itself.
_RUN_IN = re.compile(
    r"(?:(?P<abstract>abstract|摘\s*要)|(?P<keywords>key\s?words?|index\s+terms|关\s*键\s*[词字]))"
    r"(?:\s*[:：.—–\]】]|\s+-\s|\s*\n|\u3000|(?<=[^\x00-\x7f])\s{2,})",
    re.IGNORECASE,
)
_LEAD = " \t\u3000[【*"
FRONT = 30
LONGEST_ENTRY = 120
_OF_LEAVES = {"abstract": "abstract", "keywords": "keywords", "references": "reference"}


def is_contents_title(text: str) -> bool:
    """Tell whether a heading announces a table of contents."""
    return bool(_CONTENTS.match(text.strip(" .:：")))


def kind_of(title: str) -> str | None:
    """Return what part of a document a section with this title is, None for the most."""
    whole = title.strip().strip(" .:：[]【】*")
    for text in (whole, without_number(whole)):
        if is_contents_title(text):
            return "contents"
        for kind, pattern in _KINDS:
            if pattern.fullmatch(text):
                return kind
    return None


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
