"""Long paragraphs into several, where one sentence has least to do with the next (seed 003, 5.1.3)."""

from __future__ import annotations

from itertools import accumulate, pairwise

from engine.config import StructureNormalizationSettings
from engine.structure.cohesion import cuts, depths, similarities
from engine.structure.sentences import sentences_of, split_long
from engine.structure.terms import length_of

SIDE = 0.3
# A part is at least and at most so much of the target length.
LEAST, MOST = 0.6, 1.4


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
    return [part for part in parts if part]
