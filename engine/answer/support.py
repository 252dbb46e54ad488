"""How far each sentence of an answer is supported by what it cites: wholly, partly or not at all.

A sentence that states something is supported when a citation was located for it and its figures and
quotations stand in the cited nodes (or were computed by operators); partly when some of them do not, or when it
shares less than half of its words with the nodes cited; not at all when nothing was located, or when the nodes say
the opposite of it, or say it of another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.answer.check.contradictions.denial import denies
from engine.answer.check.contradictions.exchanged import exchanges
from engine.answer.check.locate import find_folded, locate, quotations
from engine.answer.check.marks import shortened
from engine.answer.numbers import number_forms, scaled_form, written_numbers
from engine.answer.phrases import Phrases
from engine.answer.strange_names import strange_names
from engine.answer.sufficiency import with_titles
from engine.answer.terms import content_terms, coverage
from engine.index.tokenize import tokens
from engine.model import Evidence
from engine.structure.sentences import is_cjk

Support = Literal["supported", "partly", "unsupported"]
_HALF = 0.5
_MOST_NAMED = 8
# A clause of this weight of which so little stands in the cited nodes is not what they say.
_TELLING, _NEXT_TO_NOTHING = 3.0, 0.15
_CLAUSES = re.compile(r"[，；：,;:](?!\d)\s*|\s[–—|-]\s|\n")
# A reply to yes or no before the sentence that gives it at length.
_REPLY = re.compile(
    r"^\W*(?:(?:yes|no|nope|correct|right|true|false|indeed)\b|不?是的?|否|不|不?可以|不?能|没有|有|不?对|不?行|不?会|不?需要)"
    r"\s*[,.;:!，。；：！–—-]\s*",
    re.I,
)
_SHORT_REPLIES = frozenset(
    "yes no nope okay ok sure certainly correct right true false indeed really absolutely exactly great thank thanks "
    "none summary note 是的 不是 可以 不可 不可以 好的 没有 不能 正确 错误 当然 谢谢 需要 不需 "
    "不需要 不行 不会 总之 综上 综上所述".split()
)
_ENUMERATION = re.compile(r"^\s*(?:[-*•#]+\s*)?\d{1,2}[.)、]\s")


@dataclass(frozen=True, slots=True)
class Written:
    """A sentence of an answer before it is judged.

    ``cited`` is the evidence that was located for it, ``shared`` (0..1) how much of it stands at one place there;
    ``claim`` says that it states something.
    """

    text: str
    cited: frozenset[int]
    shared: float
    claim: bool


@dataclass(frozen=True, slots=True)
class SupportedSentence:
    """A sentence of an answer and how far it is supported; ``problems`` say what was missing.

    ``contradicted`` tells that what it cites says the opposite, or says it of another.
    """

    text: str
    support: Support
    problems: tuple[str, ...] = ()
    contradicted: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """The claims of an answer in order, the warnings for the reader, and the numbers that stand nowhere."""

    sentences: tuple[SupportedSentence, ...]
    warnings: tuple[str, ...]
    wrong_numbers: int


def judge(
    written: Sequence[Written],
    evidence: Sequence[Evidence],
    phrases: Phrases,
    computed: str = "",
    asked: str = "",
) -> Judged:
    """Judge every sentence of an answer to the question ``asked``.

    ``computed`` holds what operators have computed: its numbers may be stated.
    """
    forms = [forms_of(item) for item in evidence]
    cited = frozenset().union(*(sentence.cited for sentence in written))
    everywhere = number_forms(computed).union(*(forms[i] for i in cited))
    sentences: list[SupportedSentence] = []
    warnings: list[str] = []
    wrong = 0
    for sentence in written:
        own = (
            number_forms(computed).union(*(forms[i] for i in sentence.cited))
            if sentence.cited
            else everywhere
        )
        nowhere, elsewhere = _strange_numbers(sentence.text, own, everywhere) if cited else ([], [])
        wrong += len(nowhere)
        problems = [phrases.number_missing.format(number=number) for number in nowhere]
        problems += [phrases.number_elsewhere.format(number=number) for number in elsewhere]
        problems += [
            phrases.name_missing.format(name=name)
            for name in strange_names(sentence.text, sentence.cited, evidence, asked)
        ]
        problems += [
            phrases.quote_missing.format(quote=shortened(quote))
            for quote in _missing_quotes(sentence, evidence)
        ]
        problems += [
            phrases.clause_unsupported.format(clause=shortened(clause))
            for clause in _bare_clauses(sentence, evidence)
        ]
        contradicted = _contradicted(sentence, evidence)
        if contradicted:
            problems.append(phrases.sentence_contradicted.format(sentence=shortened(sentence.text)))
        warnings += problems
        if sentence.claim or sentence.cited:
            support = "unsupported" if contradicted else _support(sentence, problems, evidence)
            sentences.append(SupportedSentence(sentence.text, support, tuple(problems), contradicted))
    return Judged(tuple(sentences), tuple(dict.fromkeys(warnings)), wrong)


def _support(sentence: Written, problems: Sequence[str], evidence: Sequence[Evidence]) -> Support:
    if not sentence.cited:
        return "unsupported"
    if problems:
        return "partly"
    if sentence.shared >= _HALF:
        return "supported"
    present = frozenset().union(*(tokens(evidence[i].text) for i in sentence.cited))
    return "supported" if coverage(content_terms(sentence.text), present) >= _HALF else "partly"


def _contradicted(sentence: Written, evidence: Sequence[Evidence]) -> bool:
    """True when a cited node denies a sentence and no other says it; cells are left to their operators."""
    text = _REPLY.sub("", sentence.text)
    prose = [
        item
        for i in sentence.cited
        if (item := evidence[i]).table is None and item.hit.role not in ("table", "code")
    ]
    denying = [
        item
        for item in prose
        if denies(text, item.text, item.hit.role) or exchanges(text, item.text, item.hit.role)
    ]
    others = [locate(text, item.text, item.hit.role) for item in prose if item not in denying]
    return bool(denying) and not any(place and place.score >= _HALF for place in others)


def says_other_things(sentence: str, known: frozenset[str]) -> bool:
    """True for a sentence, however short, that has no ``known`` word; headings and replies like "Yes." aside."""
    bare = sentence.strip(" *_#>-")
    if sentence.lstrip().startswith("#") or bare.endswith((":", "：", "?", "？")):
        return False
    if bare.strip(" .。!！,，;；").lower() in _SHORT_REPLIES:
        return False
    terms = set(content_terms(bare)) - _SHORT_REPLIES
    return bool(terms) and not terms & known


def forms_of(item: Evidence) -> set[str]:
    """Return every form under which the numbers of a node, its titles and its document may be referred to."""
    return number_forms(" ".join([item.text, item.title, item.hit.document, *item.hit.path]))


def _strange_numbers(text: str, own: set[str], everywhere: set[str]) -> tuple[list[str], list[str]]:
    """Return the numbers of a sentence that no cited node has, and those that only other sentences' nodes have."""
    body = _ENUMERATION.sub("", text)
    nowhere: list[str] = []
    elsewhere: list[str] = []
    for number, normal in written_numbers(body):
        scaled = scaled_form(body, number)
        if normal in own or scaled in own:
            continue
        (elsewhere if normal in everywhere or scaled in everywhere else nowhere).append(number)
    return nowhere, elsewhere


def _missing_quotes(sentence: Written, evidence: Sequence[Evidence]) -> list[str]:
    """Return the quotations that stand in none of the sentence's nodes; a word or two are no quotation.

    Those of a sentence that cites nothing may stand anywhere in the evidence.
    """
    items = [evidence[i] for i in sentence.cited] or evidence
    return [
        quote
        for quote in quotations(sentence.text)
        if (len(quote) >= 6 if is_cjk(quote) else len(quote.split()) >= 3)
        and not any(find_folded(quote, item.text) for item in items)
    ]


def _bare_clauses(sentence: Written, evidence: Sequence[Evidence]) -> list[str]:
    """Return the clauses of a cited sentence that have next to nothing in common with its nodes.

    Short ones, and nodes in another language, tell nothing.
    """
    clauses = [part.strip() for part in _CLAUSES.split(sentence.text) if part.strip()]
    items = [evidence[i] for i in sentence.cited if is_cjk(evidence[i].text) == is_cjk(sentence.text)]
    if len(clauses) < 2 or len(items) < len(sentence.cited) or not items:
        return []
    present = frozenset(term for item in items for term in tokens(with_titles(item)))
    found = []
    for clause in clauses:
        wanted = content_terms(clause)
        if sum(wanted.values()) >= _TELLING and coverage(wanted, present) < _NEXT_TO_NOTHING:
            found.append(clause)
    return found


def support_of(sentences: Sequence[SupportedSentence]) -> list[dict[str, object]]:
    """Return the sentences as plain values, for the trace: text, support and problems."""
    return [{"text": s.text, "support": s.support, "problems": list(s.problems)} for s in sentences]


def unsupported_warning(sentences: Sequence[SupportedSentence], phrases: Phrases) -> str | None:
    """Return the warning that names the sentences without support, or None where there is none."""
    bare = [s.text for s in sentences if s.support == "unsupported"]
    if not bare:
        return None
    named = " ".join(f"“{shortened(text)}”" for text in bare[:_MOST_NAMED])
    return phrases.sentences_unsupported.format(count=len(bare), total=len(sentences), sentences=named)
