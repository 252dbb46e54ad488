"""Structure mended where the file's own says too little (seed 003, 5.1.3): titles that say nothing, long text."""

from itertools import accumulate, pairwise

from engine.config import ParsingSettings, StructureNormalizationSettings
from engine.structure.cohesion import cuts, depths, similarities
from engine.structure.draft import Draft
from engine.structure.rename import is_meaningless
from engine.structure.section_kinds import mark_kinds
from engine.structure.sentences import sentences_of, split_long
from engine.structure.subsections import Embed, Subsections
from engine.structure.terms import length_of

SIDE = 0.3
# A part of a long paragraph is at least and at most so much of the target length.
LEAST, MOST = 0.6, 1.4
SPREADSHEETS = ("spreadsheet", "excel", "csv")


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
    Subsections(root, settings, embed).divide()


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
