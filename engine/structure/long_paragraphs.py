"""Long paragraphs into several, where one sentence has least to do with the next (seed 003, 5.1.3)."""

from __future__ import annotations

from itertools import accumulate

from engine.config import StructureNormalizationSettings
from engine.structure.cohesion import similarities
from engine.structure.sentences import sentences_of, split_long
from engine.structure.terms import length_of

NEAR = 0.2
LEAST = 0.4
SIDE = 0.3
LINE_BREAK = 0.15


def paragraph_parts(text: str, settings: StructureNormalizationSettings) -> list[str]:
    """Return the parts of a paragraph, in order; one when it is not longer than allowed.

    Each part is an exact stretch of the text; only white space lies between them. Lengths are those of
    :func:`length_of`. A part ends with a sentence, within a fifth of the target length where one does; only a
    sentence of over 2,000 letters is cut itself.
    """
    if len(text) <= settings.max_paragraph_length or length_of(text) <= settings.max_paragraph_length:
        return [text]
    target = float(min(settings.paragraph_target_size, settings.max_paragraph_length))
    sentences = [piece for sentence in sentences_of(text) for piece in split_long(sentence, keep_space=True)]
    lengths = [length_of(sentence) for sentence in sentences]
    similar = similarities(sentences, lengths, SIDE * target)
    parts, start = [], 0
    while start < len(sentences):
        end = _break_after(sentences, lengths, similar, start, target)
        parts.append("".join(sentences[start:end]).strip())
        start = end
    return [part for part in parts if part]


def _break_after(
    sentences: list[str], lengths: list[float], similar: list[float], start: int, target: float
) -> int:
    """Return the index of the sentence before which the part that begins at ``start`` ends."""
    ends = list(accumulate(lengths[start:]))
    whole = ends[-1]
    if whole <= (1 + NEAR) * target:
        return len(sentences)
    near = [
        start + n + 1
        for n, length in enumerate(ends)
        if (1 - NEAR) * target <= length <= (1 + NEAR) * target and whole - length >= LEAST * target
    ]
    if near:
        return min(near, key=lambda at: similar[at - 1] - LINE_BREAK * sentences[at - 1].endswith("\n"))
    if whole < (1 + NEAR + LEAST) * target:
        return len(sentences)
    # A long sentence leaves no end near the target: take the nearest one.
    return start + 1 + min(range(len(ends)), key=lambda n: abs(ends[n] - target))
