"""An answer tells where its evidence disagrees: both sides, each with its place and a citation.

Told are only clear contradictions between documents, or versions of one, of which one side is cited by the answer and
both sides are about what was asked. Where the question names its document, another one is about something else: a
second recipe may well serve fewer.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.answer.check.contradictions import Finding, statements_of, verify
from engine.answer.check.marks import harmless
from engine.answer.extractive import quotable
from engine.answer.phrases import Phrases
from engine.answer.understand.exact import names_in
from engine.answer.understand.terms import pieces_covered, pieces_of, terms_with_forms, translated_pieces
from engine.index.tokenize import tokens
from engine.model import Answer, Evidence
from engine.providers.entailment import EntailmentJudge
from engine.retrieve.document_names import named_documents
from engine.retrieve.sources import Sources, place_of
from engine.structure.sentences import is_cjk

_MOST_TOLD = 2
# Both sides' nodes hold this share of the question's words, and all of its names.
_ABOUT = 0.5
# A statement that by itself says what is asked for holds this share of the question's words.
_ASKED = 0.75


def tell_disagreements(
    answer: Answer, question: str, evidence: Sequence[Evidence], phrases: Phrases, judge: EntailmentJudge | None = None,
) -> Answer:  # fmt: skip
    """Return the answer with what contradicts its cited statements told, in text, sources and warnings.

    The text and the confidence of a model's answer stay as they are; quotations that are contradicted are never of
    high confidence.
    """
    evidence = _of_the_named(question, evidence)
    if not answer.answered or len({(e.hit.document_id, e.hit.version) for e in evidence}) < 2:
        return answer
    found = disagreements(answer, question, evidence, judge)
    if not found:
        return answer
    sources = Sources(evidence)
    sources.citations = list(answer.sources)
    lines = [_sentence(finding, sources, phrases) for finding in found]
    warnings = [_warning(finding, phrases) for finding in found]
    told = replace(answer, sources=sources.citations, warnings=[*answer.warnings, *warnings])
    if answer.engine == "llm":
        return told
    sure = "medium" if answer.confidence == "high" else answer.confidence
    return replace(told, answer="\n\n".join([answer.answer, *lines]), confidence=sure)


def disagreements(
    answer: Answer, question: str, evidence: Sequence[Evidence], judge: EntailmentJudge | None = None
) -> list[Finding]:
    """Return the contradictions between a cited statement and one of another source, at most two."""
    statements = statements_of(evidence)
    quoted = [(source.node_id, source.snippet) for source in answer.sources]
    cited = [
        one
        for one in statements
        if any(node == one.hit.node_id and (text in one.quote or one.quote in text) for node, text in quoted)
    ]
    told: dict[frozenset[str], Finding] = {}
    for finding in verify(statements, cited, judge) if cited else ():
        sides = (finding.a, finding.b)
        said = (terms_with_forms(side.quote) for side in sides)
        asked = finding.plain and all(pieces_covered(pieces_of(question), one) >= _ASKED for one in said)
        apart = finding.contradicts and not finding.a.same_source(finding.b)
        if apart and (finding.clear or asked) and all(_is_about(question, side.item) for side in sides):
            told.setdefault(frozenset({finding.a_differs, finding.b_differs}), finding)
    return list(told.values())[:_MOST_TOLD]


def _of_the_named(question: str, evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    """Return the evidence of the documents that a question names, all of it where the passages say the name, too."""
    naming = named_documents(question, {item.hit.document_id: item.hit.document for item in evidence})
    if naming is None or not naming.whole:
        return evidence
    own = [item for item in evidence if item.hit.document_id in naming.documents]
    saying = sum(any(name.casefold() in item.text.casefold() for name in naming.names) for item in own)
    return evidence if 2 * saying > len(own) else own


def _is_about(question: str, item: Evidence) -> bool:
    """True when a node speaks of what was asked; one in another language, by the question in translation."""
    hit = item.hit
    terms = terms_with_forms(" ".join([item.text, item.title, *hit.path, hit.document, item.subject]))
    if is_cjk(question) == is_cjk(item.text):
        named = all(terms.intersection(tokens(name)) for name in names_in(question))
        return named and pieces_covered(pieces_of(question), terms) >= _ABOUT
    return pieces_covered(translated_pieces(question), terms) >= _ABOUT


def _sentence(finding: Finding, sources: Sources, phrases: Phrases) -> str:
    told: dict[str, str] = {}
    for name, side in (("a", finding.a), ("b", finding.b)):
        hit, (page, _) = side.hit, place_of(side.item, side.start, side.end)
        parts = [hit.document, phrases.version.format(version=hit.version), " > ".join(hit.path)]
        parts += [phrases.page.format(page=page)] if page else []
        told |= {
            name: quotable(side.quote).rstrip("。."), f"place_{name}": harmless(", ".join(filter(None, parts))),
            f"mark_{name}": f"[{sources.add(side.index, side.start, side.end)}]",
        }  # fmt: skip
    return phrases.disagree.format(kind=phrases.disagree_kinds[finding.verdict], **told)


def _warning(finding: Finding, phrases: Phrases) -> str:
    a, b = finding.a.hit, finding.b.hit
    version = "" if a.document_id != b.document_id else f" ({phrases.version})"
    return phrases.disagree_warning.format(
        kind=phrases.disagree_kinds[finding.verdict],
        a=finding.a_differs or "—", place_a=a.document + version.format(version=a.version),
        b=finding.b_differs or "—", place_b=b.document + version.format(version=b.version),
    )  # fmt: skip
