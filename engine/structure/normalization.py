"""Structure mended where the file's own says too little (seed 003, 5.1.2 and 5.1.3): titles that say nothing, and a
model's names for them; long paragraphs; long text without headings, which becomes generated sections at topic shifts.

A document without any heading is divided when it is longer than two chunks may be, a section without subsections, or
the text above its first one, when it is longer than a section may be. More than 20 parts are grouped.
Whatever is made here has ``metadata["generated"]`` and is called by its first words (``"title_generated"``),
of articles by the first and last one.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

import numpy as np

from engine.config import ParsingSettings, StructureNormalizationSettings
from engine.language import compiled, patterns
from engine.model import Node, Tree, children_of
from engine.structure.articles import FEWEST_ARTICLES, article_name, article_number
from engine.structure.cohesion import cuts, depths, likenesses, similarities, unshifted
from engine.structure.draft import Draft
from engine.structure.section_kinds import mark_kinds
from engine.structure.sentences import sentences_of, split_long
from engine.structure.terms import HAN, length_of

SIDE = 0.3
# A part of a long paragraph is at least and at most so much of the target length.
LEAST, MOST = 0.6, 1.4
SPREADSHEETS = ("spreadsheet", "excel", "csv")
# The unit vectors of texts; None where there is no model
Embed = Callable[[Sequence[str]], "np.ndarray | None"]
MOST_PARTS = 20
# Shorter texts (letters, abstracts, web passages) are found and read best as they are.
WORTH_DIVIDING = 2
FEWEST_GROUPS = 5
# A table or picture weighs like a short paragraph, however much it holds.
OBJECT_LENGTH = 200.0
LEAST_SHARE = 0.25
PROSE = ("paragraph", "list", "code")
NOT_DIVIDED = frozenset({"references", "contents"})
COMPARED = 2000
# Longer documents would wait too long for vectors; words tell where their topics shift.
MOST_EMBEDDED = 400
LONGEST_NAME, MOST_SHOWN = 200, 60
# Titles that only count ("Section 1", 第一部分, "1.", "Slide 3") or say nothing ("Untitled", 未命名).
_TITLES = patterns("document_parts")["headings"]
_COUNTED = compiled(
    _TITLES["counted"].replace("{numeral}", _TITLES["numeral"]).replace("{spelled}", _TITLES["spelled"])
)
_EMPTY = compiled(_TITLES["empty"])
LONGEST_TITLE = 26.0
TEXT_LETTERS = 2000
_TITLED = re.compile(r"^(?:title|标题|題目|题目)\s*[:：]\s*", re.IGNORECASE)
_QUOTES = "\"'“”‘’「」『』《》*#` \t"


def normalize(root: Draft, settings: ParsingSettings, media_type: str = "", embed: Embed | None = None) -> None:
    """Mark what kind of part each section is and which titles say nothing, divide long text; all in place.

    ``embed`` gives the vectors of text without headings, None: its topics are told by words.
    ``metadata["original_title"]`` lets a model put words beside a title; names of worksheets are names, not titles.
    """
    mark_kinds(root)
    if any(word in media_type for word in SPREADSHEETS):
        return
    if settings.structure_normalization.enrich_meaningless_titles:
        for node in root.walk():
            if node.role == "section" and is_meaningless(node.title) and any(leaf.text for leaf in node.walk()):
                node.metadata["original_title"] = node.title
    divide(root, settings, embed)


def paragraph_parts(text: str, settings: StructureNormalizationSettings) -> list[str]:
    """Return the parts of a paragraph, in order; one when it is not longer than allowed.

    Each part is an exact stretch of the text; only white space lies between them. Lengths are those of
    :func:`length_of`. A part ends with a sentence; only one of over 2,000 letters is cut itself.
    """
    if len(text) <= settings.max_paragraph_length or length_of(text) <= settings.max_paragraph_length:
        return [text]
    target = float(min(settings.paragraph_target_size, settings.max_paragraph_length))
    sentences = [piece for sentence in sentences_of(text) for piece in split_long(sentence, keep_space=True)]
    lengths = [length_of(sentence) for sentence in sentences]
    depth = depths(similarities(sentences, lengths, SIDE * target))
    least, ends = LEAST * target, list(accumulate(lengths))
    at_an_end = frozenset(n for n, end in enumerate(ends, 1) if min(end, ends[-1] - end) < least)
    starts = cuts(depth, lengths, least, MOST * target, at_an_end)
    parts = ("".join(sentences[a:b]).strip() for a, b in pairwise([0, *starts, len(sentences)]))
    return list(filter(None, parts))


def divide(root: Draft, settings: ParsingSettings, embed: Embed | None = None) -> None:
    """Divide whatever is too long below a root, in place; ``embed`` gives the vectors of a text without headings."""
    headed = any(child.role == "section" for child in root.children)
    whole = WORTH_DIVIDING * settings.semantic_chunking.max_chunk_size
    longest = settings.structure_normalization.max_section_length if headed else whole
    _divide(root, 0, longest, settings, None if headed else embed)


def _divide(node: Draft, level: int, limit: float, settings: ParsingSettings, embed: Embed | None) -> None:
    if node.metadata.get("kind") in NOT_DIVIDED:
        return
    lead = next((n for n, child in enumerate(node.children) if child.role == "section"), len(node.children))
    leaves, rest = node.children[:lead], node.children[lead:]
    for child in (child for child in rest if child.role == "section"):
        longest = settings.structure_normalization.max_section_length
        _divide(child, child.level or level + 1, longest, settings, embed)
    if sum(map(_prose, leaves)) > limit and len(sections := _sections(leaves, level + 1, settings, embed)) > 1:
        node.children = [*sections, *rest]


def _sections(leaves: Sequence[Draft], level: int, settings: ParsingSettings, embed: Embed | None) -> list[Draft]:
    chunks, most = settings.semantic_chunking, float(settings.semantic_chunking.max_chunk_size)
    section = settings.structure_normalization.min_section_length
    least = max(float(chunks.min_chunk_size), float(section), LEAST_SHARE * most)
    lengths = [_prose(leaf) or min(length_of(leaf.text), OBJECT_LENGTH) for leaf in leaves]
    texts = [leaf.text[:COMPARED] for leaf in leaves]
    threshold, unlikely = chunks.similarity_threshold, frozenset[int]()
    vectors = embed(texts) if embed and threshold and len(texts) <= MOST_EMBEDDED else None
    if vectors is None:
        similar = similarities(texts, lengths, most / 2)
    else:
        similar = likenesses(vectors, lengths, most / 2)
        unlikely = unshifted(similar, threshold)
    starts = cuts(depths(similar), lengths, least, most, _barred(leaves), unlikely)
    return _grouped([list(leaves[a:b]) for a, b in pairwise([0, *starts, len(leaves)])], level)


def _grouped(parts: Sequence[list[Draft]], level: int) -> list[Draft]:
    """Return a section for each part, or where they are too many for each of groups of equal size."""
    if len(parts) <= MOST_PARTS:
        return [_section(part, level) for part in parts]
    count = max(FEWEST_GROUPS, -(-len(parts) // MOST_PARTS))
    if count > MOST_PARTS:
        count = FEWEST_GROUPS
    sections = []
    for start, end in pairwise(round(n * len(parts) / count) for n in range(count + 1)):
        group = _section([leaf for part in parts[start:end] for leaf in part], level)
        group.children = _grouped(parts[start:end], level + 1)
        sections.append(group)
    return sections


def _section(leaves: list[Draft], level: int) -> Draft:
    first = leaves[0]
    if words := article_name(first.text):  # its first words are all that a short article says
        last = next(filter(None, (article_name(leaf.text) for leaf in reversed(leaves))), words)
        words += f" – {last}" if last != words else ""
    else:
        prose = (leaf.text for leaf in leaves if leaf.role in PROSE and "correction" not in leaf.metadata)
        words = " ".join(next(prose, first.text)[:LONGEST_NAME].split())
    if len(words) > MOST_SHOWN:
        words = f"{words[:MOST_SHOWN].rpartition(' ')[0] or words[:MOST_SHOWN]}…"
    facts = {"generated": True, "title_generated": True}
    return Draft("section", words or first.role, "", first.page, first.bbox, first.cell, level, facts, leaves)


def _prose(leaf: Draft) -> float:
    return length_of(leaf.text) if leaf.role in ("paragraph", "list") else 0.0


def _barred(leaves: Sequence[Draft]) -> frozenset[int]:
    """Return the indexes of leaves before which no section begins: hanging on the one before, or inside an article."""
    articles = {n for n, leaf in enumerate(leaves) if article_number(leaf.text)}
    own = len(articles) >= max(FEWEST_ARTICLES, len(leaves) / 8)
    hanging = {n for n, (before, leaf) in enumerate(pairwise(leaves), 1) if _hangs_on(leaf, before)}
    return frozenset(hanging | (set(range(1, len(leaves))) - articles if own else set()))


def _hangs_on(leaf: Draft, before: Draft) -> bool:
    """Tell whether a leaf belongs with the one before it: what a colon announces, a note, an object in the text."""
    if leaf.role in ("table", "image", "equation", "caption", "code", "list") or "correction" in leaf.metadata:
        return True  # what a reader said is no heading begins no section either
    announced = before.text.rstrip().endswith((":", "：", ",", "，"))
    return bool(announced or leaf.metadata.get("note") or leaf.text[:1].islower())


def is_meaningless(title: str) -> bool:
    """Tell whether a title only counts or says nothing about what follows."""
    title = title.strip()
    return len(title) <= 40 and bool(_COUNTED.match(title) or _EMPTY.match(title) or not any(map(str.isalnum, title)))


def with_meaning(title: str, phrase: str) -> str:
    """Return a meaningless title with a phrase that says what follows; its number, if it has one, stays in front."""
    title = title.strip()
    if _EMPTY.match(title) or not any(map(str.isalnum, title)):
        return phrase
    colon = ":" if title.isascii() and title[-1] not in ".:)]" else ""
    return f"{title}{colon} {phrase}"


def rename_generated(tree: Tree, name: Callable[[str], str | None]) -> Tree:
    """Return the tree with generated sections, and titles that said nothing, named by ``name``.

    ``name`` gets the start of the section's text, at most 2,000 letters, and returns a title or None. A title
    that :func:`checked_name` refuses changes nothing. Ids, texts and places stay; ``metadata["named_by"]`` is
    "model" where a title changed, and such a section is not named again.
    """
    children = children_of(tree.nodes)
    return replace(tree, nodes=[_renamed(node, children, name) for node in tree.nodes])


def _renamed(node: Node, children: dict[str | None, list[Node]], name: Callable[[str], str | None]) -> Node:
    original = node.metadata.get("original_title")
    wanted = node.role == "section" and (node.metadata.get("generated") or original)
    if not wanted or node.metadata.get("named_by") == "model":
        return node
    text = _text_below(node, children)
    found = checked_name(name(text) if text else None, text)
    if found is None:
        return node
    title = with_meaning(str(original), found) if original else found
    return replace(node, title=title, metadata={**node.metadata, "named_by": "model"})


def checked_name(name: str | None, text: str) -> str | None:
    """Return a model's title for a text, cleaned, or None when it does not serve.

    It must be one line of at most 26 full-width (65 other) characters that says something, in the language of
    the text; quotation marks, a leading "Title:" and a closing full stop are taken off.
    """
    line = _TITLED.sub("", (name or "").strip(_QUOTES + "\n")).strip(_QUOTES + ".。")
    if not line or "\n" in line or length_of(line) > LONGEST_TITLE or not line.isprintable():
        return None
    if is_meaningless(line) or re.search(r"https?://|[<>{}|]", line):
        return None
    return line if is_chinese(line) == is_chinese(text) or line in text else None


def is_chinese(text: str) -> bool:
    """Tell whether a text is written in Chinese, Japanese or Korean more than in letters with spaces."""
    wide = sum(map(len, HAN.findall(text)))
    words = len(re.findall(r"[A-Za-zÀ-ɏА-я]+", text))
    return wide > words


def _text_below(node: Node, children: dict[str | None, list[Node]]) -> str:
    """Return the start of each leaf below a section, all together at most TEXT_LETTERS letters."""
    leaves: list[str] = []
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.text and current.role in ("paragraph", "list", "caption", "table"):
            leaves.append(current.text)
        waiting += reversed(children.get(current.node_id, []))
    each = max(80, TEXT_LETTERS // max(1, len(leaves)))
    return "\n".join(leaf[:each] for leaf in leaves)[:TEXT_LETTERS]
