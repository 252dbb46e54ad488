"""The sentences of the evidence, with what each has in common with the question.

These are what an extractive answer is chosen from and what sufficiency is judged by.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.answer.check.locate import sentences_of
from engine.answer.irregular_forms import with_other_forms
from engine.answer.similarity import SentenceSimilarity
from engine.answer.terms import content_terms, coverage
from engine.answer.translated import translated_pieces, translated_share, with_translations
from engine.index.tokenize import tokens
from engine.model import Evidence
from engine.retrieve.query import is_unspaced
from engine.structure.sentences import Sentence, is_cjk

_FROM_EVIDENCE = 12
_PER_EVIDENCE = 60
# So many sentences are embedded to quote from; to judge whether they answer, fewer do.
TO_QUOTE, TO_JUDGE = 18, 12


@dataclass(frozen=True, slots=True)
class Candidate:
    """One sentence of the evidence.

    ``shared`` is the share (0..1) of the question's terms in the sentence, ``context`` with its
    neighbours, title, section and (in a table) header row added; ``cosine`` is None where no vector was computed;
    ``read`` is how sure (0..1) a reader is that it holds the answer.
    """

    evidence: int
    sentence: Sentence
    terms: frozenset[str]
    shared: float
    context: float
    cosine: float | None = None
    position: int = 0
    role: str = "paragraph"
    read: float = 0.0


def candidates(
    question: str,
    evidence: Sequence[Evidence],
    similarity: SentenceSimilarity | None = None,
    embedded: int = TO_QUOTE,
    within: frozenset[str] | None = None,
) -> list[Candidate]:
    """Return the sentences of the best evidence, in order of evidence and text; so many have a cosine.

    Only the documents ``within`` (ids) are looked at, None for all.
    """
    wanted, here = content_terms(question), is_cjk(question)
    found: list[Candidate] = []
    abroad: set[str] = set()
    for index, item in enumerate(evidence[:_FROM_EVIDENCE]):
        if within is not None and item.hit.document_id not in within:
            continue
        heading = " ".join([item.title, item.hit.document, *item.hit.path, item.subject])
        sentences = sentences_of(item.text, item.hit.role)[:_PER_EVIDENCE]
        if item.hit.role == "table" and sentences:
            heading += " " + sentences[0].text  # the header row says what the cells of the others are
        around = with_other_forms(tokens(heading))
        terms = [with_other_forms(tokens(sentence.text)) for sentence in sentences]
        translated = translated_pieces(question) if is_unspaced(item.text) != here else ()
        if translated:
            abroad = abroad.union(around, *terms)
        for position, sentence in enumerate(sentences):
            if not re.search(r"\w", sentence.text):
                continue
            near = frozenset().union(around, *terms[max(0, position - 1) : position + 2])
            shared, context = (
                max(coverage(wanted, held), translated_share(translated, held))
                for held in (terms[position], near)
            )
            found.append(
                Candidate(index, sentence, terms[position], shared, context, None, position, item.hit.role)
            )
    if not similarity:
        return found
    asked = {here: question, not here: with_translations(question, abroad)}
    return _with_cosines(
        [asked[is_unspaced(evidence[c.evidence].text)] for c in found], found, similarity, embedded
    )


def _with_cosines(
    asked: Sequence[str], found: list[Candidate], similarity: SentenceSimilarity, embedded: int
) -> list[Candidate]:
    """Embed the sentences that share most with the question, and the first ones of the best evidence.

    ``asked`` is the question as it is held against each sentence.
    """
    order = sorted(
        range(len(found)),
        key=lambda i: (found[i].shared + 0.5 * found[i].context - 0.05 * found[i].evidence, -i),
        reverse=True,
    )
    by_index: dict[int, float] = {}
    for question in dict.fromkeys(asked):
        chosen = sorted(i for i in order[:embedded] if asked[i] == question)
        cosines = similarity(question, [found[i].sentence.text for i in chosen])
        by_index.update(zip(chosen, cosines, strict=True))
    return [replace(c, cosine=float(by_index[i])) if i in by_index else c for i, c in enumerate(found)]
