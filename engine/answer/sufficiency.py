"""Is the question answerable from the evidence?

Few things are looked at, each of which can be told to the user:

- *words*: the share of the question's pieces in the best node (text, title, section, document name), a piece
  counting the more the fewer of the found nodes hold it: what all of them hold is the subject, what few of them
  hold tells the answer, and what none holds is missing;
- *meaning*: the height of the best sentence, alone or under the title that has the name asked for, between unrelated
  and answering ones (:mod:`engine.answer.calibration`);
- *names*: whether a name of the question stands nowhere in the evidence (:mod:`engine.answer.asked_names`);
- *numbers*: whether a number or year of the question stands nowhere in the evidence.

Evidence that tells only of other years or numbers of the kind than the question answers another question, however
like it is (:mod:`engine.retrieve.other_numbers`): of 60 such cases in six sets of questions 50 had no answer there.
Only what is on the question's subject counts: a lease that ends in 2024 tells nothing of the revenue in 2024.
Where many documents are on the very subject, what answers is said by several of them, or plainly by one
(:mod:`engine.answer.corroboration`). How sure a reader is of the passage that it finds the likeliest to answer
(:mod:`engine.answer.readings`) counts beside all of this (:mod:`engine.answer.reader_weight`), where what was found
is prose; what words mean, and what is said about a subject at all, it was not taught. A question that compares two
things is answered where each of them has a passage of its own (:mod:`engine.answer.agent.subjects`), which no reader
of one passage can tell, and hardly where they have none and no passage speaks of both.

A logistic function joins the rest. Its weights were fitted on question-answering sets in Chinese and
English, each question asked once with its passage in the library and once without
(``benchmarks/refusals.py``), and on laws asked one at a time about themselves and about others: in one long
document everything is about the same, and how far an answer stands out from the rest tells nothing. Of evidence
in another language than the question a dictionary tells which words it shares, its sentences are held against the
question in both languages, and how far the best one stands out counts, too; without the dictionary it is judged by
meaning alone. What this cannot tell is one passage on the very subject that merely lacks the detail asked for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.answer.agent.subjects import compares_what_is_told
from engine.answer.asked_names import names_in, respelled, spoken_of, whole_names
from engine.answer.attribute import told_of_others_only
from engine.answer.calibration import Baseline, baseline
from engine.answer.candidates import Candidate
from engine.answer.computations import states, wants_computed
from engine.answer.contrast import said_of_others
from engine.answer.corroboration import corroboration
from engine.answer.definitions import asks_meaning
from engine.answer.expected import lacks_measure
from engine.answer.irregular_forms import with_other_forms
from engine.answer.numbers import number_forms, written_numbers
from engine.answer.reader_weight import place_of, with_reader
from engine.answer.readings import AnswerSpan
from engine.answer.similarity import SentenceSimilarity
from engine.answer.terms import Piece, pieces_covered, pieces_of, words_missing
from engine.answer.told_as_plan import only_planned
from engine.answer.told_attribute import attribute_of_named, lacks_attribute
from engine.answer.translated import translated_pieces, translated_share
from engine.index.tokenize import tokens
from engine.model import Evidence
from engine.providers.logistic import log_odds, logistic
from engine.retrieve.other_numbers import asked_numbers, other_numbers
from engine.retrieve.query import is_unspaced
from engine.structure.sentences import is_cjk, split_sentences

# (bias, words, names, numbers, meaning); without vectors; for another language (bias, translated words, meaning,
# gap); without a dictionary (bias, meaning, gap).
_WEIGHTS = (-7.8, 4.1, -3.2, -0.5, 6.8)
_WEIGHTS_BY_WORDS = (-3.5, 7.9, -1.8, -1.0)
_WEIGHTS_TRANSLATED = (-5.8, 2.6, 2.0, 5.9)
_WEIGHTS_BY_MEANING = (-3.9, 2.8, 3.6)
# Chinese pieces are single characters, of which an answer in other words shares fewer.
_CHINESE = 1.2
# What is asked of a thing stands only where others are spoken of.
_TOLD_OF_OTHERS = -2.0
_ENOUGH = 0.5
# Two things are compared that have a passage each; two that have none, in log odds.
_COMPARED, _NOT_COMPARED = 0.6, -0.8
_OF_OTHERS = 0.3
# "How heavy is it" is answered by no sentence without a number, "actual" by no plan.
_TELLS_ELSE = 0.4
_NODES = 6
_BEST_NODES = 3
_MOST_MISSING = 5
_TITLED = 3
_ABOUT_AS_WELL = 0.5
_DIGIT = re.compile(r"\d")
_ABOUT = re.compile(
    r"\b(?:says?|said|states?|provides?|mentions?|tells?)\b.*\b(?:about|on|regarding|concerning)\b"
    r"|\bwhat (?:is|are) the (?:rules?|provisions?|policy|regulations?) (?:on|for|about)\b"
    r"|(?:关于|對於|对于|關於).*(?:怎么|怎樣|怎样|如何|什么|哪些)[^。]{0,4}(?:说|說|规定|規定|要求|约定)|有(?:什么|哪些|何)(?:规定|約定|约定|要求|说法)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """The verdict: ``score`` is the certainty (0..1) that the evidence answers the question.

    ``missing`` names words of the question that stand nowhere in the evidence; ``not_of`` the years and numbers that
    it asks for where the evidence tells only of others; ``unsaid`` the number of documents on its subject that
    do not tell together what it asks for; ``elsewhere`` words that what is read to answer lacks, and other parts of
    its document have.
    """

    score: float
    sufficient: bool
    missing: list[str] = field(default_factory=list)
    not_of: list[str] = field(default_factory=list)
    unsaid: int = 0
    elsewhere: tuple[str, ...] = ()


def assess(
    question: str,
    evidence: Sequence[Evidence],
    found: Sequence[Candidate],
    similarity: SentenceSimilarity | None = None,
    spans: Sequence[AnswerSpan] | None = None,
) -> Sufficiency:
    """Judge the evidence by its sentences, and by what a reader made of it (``spans``; None where there is none).

    Raises ProviderError as the embedder does.
    """
    if not found:
        return Sufficiency(0.0, False)
    chinese = is_cjk(question)
    same = [c for c in found if is_unspaced(evidence[c.evidence].text) == chinese]
    other = [c for c in found if is_unspaced(evidence[c.evidence].text) != chinese]
    items = {index: evidence[index] for index in dict.fromkeys(c.evidence for c in found)}
    home = {index: terms_of(evidence[index]) for index in dict.fromkeys(c.evidence for c in same)}
    score, lacks_name = _by_words(question, evidence, same, home, similarity) if same else (0.0, False)
    on_subject = 0
    elsewhere: tuple[str, ...] = ()
    if score >= _ENOUGH and (agreed := corroboration(question, evidence, same, home, spans)):
        on_subject = agreed.documents
        score = min(score, agreed.certainty(same, _baseline(question, same, similarity)))
    if other:
        score = max(score, _by_translation(question, evidence, other, similarity))
    if (
        spans
        and not on_subject
        and _prose(evidence)
        and not (asks_meaning(question) or _ABOUT.search(question))
    ):
        ranked = sorted(spans, key=lambda one: -one.certainty)
        telling = next((one for one in ranked if _tells(question, items, one)), None)
        surest = telling or ranked[0]
        place = place_of(question, items, home, surest.evidence)
        elsewhere = _elsewhere(question, items, home, surest.evidence) if place.among else ()
        score = with_reader(question, score, surest.certainty, place, lacks_name=lacks_name)
        if telling is None:
            score = min(score, _TELLS_ELSE)
    looked_at = list(items.values())
    told = compares_what_is_told(question, looked_at)
    if told:
        score = max(score, _COMPARED)
    elif told is False and not other:
        score = logistic(log_odds(score) + _NOT_COMPARED)
    unsaid = on_subject if score < _ENOUGH else 0
    others = other_numbers(asked_numbers(question), map(with_titles, _on_subject(question, looked_at)))
    if others:
        score = min(score, _OF_OTHERS)
    missing = _missing(question, evidence) if same else []
    return Sufficiency(round(score, 3), score >= _ENOUGH, missing, others, unsaid, elsewhere)


def _tells(question: str, items: Mapping[int, Evidence], span: AnswerSpan) -> bool:
    """False for what is read in a text of another number, or in a sentence of a plan or without what is asked for."""
    item = items[span.evidence]
    sentence = _sentence_of(item.text, span)
    if only_planned(question, sentence) or lacks_measure(sentence, question):
        return False
    if lacks_attribute(sentence, question) or _of_somebody_else(question, item):
        return False
    # Where tables were found, too, which is the highest is told by what says so or by them, not by what names one.
    ranked = wants_computed(question) & {"rank"}
    if ranked and not states(sentence, ranked) and any(map(_is_table, items.values())):
        return False
    return not other_numbers(asked_numbers(question), [with_titles(item)])


def _of_somebody_else(question: str, item: Evidence) -> bool:
    """True where an attribute of a named person or thing is asked for, and a text in that language names none of these.

    "Born in Rome" is told of many.
    """
    if not attribute_of_named(question) or is_unspaced(item.text) != is_cjk(question):
        return False
    names = whole_names(question)
    return bool(names) and not any(spoken_of(name, [f"{with_titles(item)} {item.subject}"]) for name in names)


def _sentence_of(text: str, span: AnswerSpan) -> str:
    """Return the sentences of a text that a span is within."""
    said = [one for one in split_sentences(text) if one.start < span.end and span.start < one.end]
    return text[said[0].start : said[-1].end] if said else text


def _elsewhere(
    question: str, items: Mapping[int, Evidence], home: Mapping[int, frozenset[str]], read: int
) -> tuple[str, ...]:
    """Return the words of a question that what is ``read`` lacks, and others of its document say as they are asked."""
    document = items[read].hit.document_id
    own = {index: terms for index, terms in home.items() if items[index].hit.document_id == document}
    words = said_of_others(question, own, read).words
    texts = [with_titles(items[index]).casefold() for index in own if index != read]
    here = with_titles(items[read]).casefold()
    # Pairs of characters over the border of two words are none.
    return tuple(
        word
        for word in words
        if word.casefold() not in here and (not is_cjk(word) or any(word in text for text in texts))
    )


def _prose(evidence: Sequence[Evidence]) -> bool:
    """True where no table is among the best evidence: what it answers, no reader reads."""
    return not any(map(_is_table, evidence[:_BEST_NODES]))


def _is_table(item: Evidence) -> bool:
    return item.hit.role == "table"


def _baseline(
    question: str, found: Sequence[Candidate], similarity: SentenceSimilarity | None
) -> Baseline | None:
    """Return what the cosines of sentences in the question's language are worth; None where there are none."""
    if similarity is None or all(c.cosine is None for c in found):
        return None
    chinese = is_cjk(question)
    return baseline(similarity.embedder, chinese, chinese)


def _on_subject(question: str, items: Sequence[Evidence]) -> list[Evidence]:
    """Return the nodes that hold the question's words, numbers aside, about as well as the best of them."""
    words = [piece for piece in pieces_of(question) if not _DIGIT.search(piece.text)]
    held = [pieces_covered(words, terms_of(item)) for item in items]
    least = _ABOUT_AS_WELL * max(held, default=0.0)
    return [item for item, share in zip(items, held, strict=True) if share >= least]


def _by_words(
    question: str,
    evidence: Sequence[Evidence],
    found: Sequence[Candidate],
    terms: Mapping[int, frozenset[str]],
    similarity: SentenceSimilarity | None,
) -> tuple[float, bool]:
    """Return the certainty for evidence in the question's language, and whether it lacks a name of the question.

    ``terms`` are those of the evidence that sentences were found in, by its place.
    """
    items, nodes = [evidence[index] for index in terms], list(terms.values())
    question = respelled(question, [item.text for item in items])
    words = _told_apart(pieces_of(question), nodes)
    near = frozenset().union(*nodes[:_NODES])
    lacks_name = _misses_a_name(question, items, near)
    no_number = float(bool(_missing_numbers(question, items)))
    meaning = _meaning(question, found, evidence, similarity)
    bias, by_words, by_names, by_numbers = _WEIGHTS_BY_WORDS if meaning is None else _WEIGHTS[:4]
    value = bias + by_words * words + by_names * lacks_name + by_numbers * no_number
    value += _TOLD_OF_OTHERS * told_of_others_only(question, nodes)
    if meaning is not None:
        value += _CHINESE * is_cjk(question) + _WEIGHTS[4] * meaning
    return logistic(value), lacks_name


def _told_apart(pieces: Sequence[Piece], nodes: Sequence[frozenset[str]]) -> float:
    """Return the share (0..1) of the pieces in the best node, each the heavier the fewer nodes hold it."""
    held = [sum(bool(piece.terms & node) for node in nodes) for piece in pieces]
    weighed = [piece._replace(weight=piece.weight / (1 + n)) for piece, n in zip(pieces, held, strict=True)]
    return max(pieces_covered(weighed, node) for node in nodes[:_BEST_NODES])


def _by_translation(
    question: str,
    evidence: Sequence[Evidence],
    found: Sequence[Candidate],
    similarity: SentenceSimilarity | None,
) -> float:
    """Return the certainty for evidence in another language."""
    meaning = _meaning(question, found, evidence, similarity)
    items = [evidence[index] for index in dict.fromkeys(c.evidence for c in found)]
    pieces = translated_pieces(question)
    words = max(translated_share(pieces, terms_of(item)) for item in items[:_BEST_NODES])
    if meaning is None or similarity is None:
        return logistic(_WEIGHTS_BY_WORDS[0] + _WEIGHTS_BY_WORDS[1] * words) if pieces else 0.0
    heights = sorted(c.cosine for c in found if c.cosine is not None)
    base = baseline(similarity.embedder, is_cjk(question), is_unspaced(evidence[found[0].evidence].text))
    gap = meaning - base.height(heights[len(heights) // 2])
    if pieces:
        bias, by_words, by_meaning, by_gap = _WEIGHTS_TRANSLATED
        return logistic(bias + by_words * words + by_meaning * meaning + by_gap * gap)
    bias, by_meaning, by_gap = _WEIGHTS_BY_MEANING
    missing = _WEIGHTS[3] if _missing_numbers(question, items) else 0.0
    return logistic(bias + by_meaning * meaning + by_gap * gap + missing)


def _meaning(
    question: str,
    found: Sequence[Candidate],
    evidence: Sequence[Evidence],
    similarity: SentenceSimilarity | None,
) -> float | None:
    """Return the height of the best sentence between unrelated and answering ones; None without vectors."""
    best = max((c for c in found if c.cosine is not None), key=lambda c: c.cosine or 0.0, default=None)
    if best is None or best.cosine is None or similarity is None:
        return None
    base = baseline(similarity.embedder, is_cjk(question), is_unspaced(evidence[best.evidence].text))
    titled = _under_titles(question, found, evidence)
    cosines = [best.cosine, *(similarity(question, titled) if titled else ())]
    return base.height(float(max(cosines)))


def _under_titles(question: str, found: Sequence[Candidate], evidence: Sequence[Evidence]) -> list[str]:
    """Return the nearest sentences that lack a name of the question with the title above them that has it."""
    titled = []
    names = names_in(question)
    for candidate in sorted(found, key=lambda c: -(c.cosine or 0.0))[: _TITLED if names else 0]:
        item = evidence[candidate.evidence]
        lacking = [name for name in names if not name & candidate.terms]
        titles = [*item.hit.path, item.title, item.subject.partition("\n")[0]]
        over = (title for title in titles if lacking and all(name & set(tokens(title)) for name in lacking))
        titled += [f"{title}: {candidate.sentence.text}" for title in over][:1]
    return titled


def terms_of(item: Evidence) -> frozenset[str]:
    """Return the terms of a node with its title, its sections, its document's name and what that is about."""
    return with_other_forms(tokens(f"{with_titles(item)} {item.subject}"))


def with_titles(item: Evidence) -> str:
    """Return a node's text with its title, its sections and its document's name."""
    return " ".join([item.text, item.title, *item.hit.path, item.hit.document])


def _misses_a_name(question: str, items: Sequence[Evidence], near: frozenset[str]) -> bool:
    """True when a name of the question, or the words of one together, stand nowhere in the evidence."""
    if any(not name & near for name in names_in(question)):
        return True
    whole = whole_names(question)
    return any(
        not spoken_of(name, [f"{with_titles(item)} {item.subject}" for item in items]) for name in whole
    )


def _missing_numbers(question: str, items: Sequence[Evidence]) -> list[str]:
    asked = written_numbers(question)
    if not asked:
        return []
    present: set[str] = set()
    for item in items:
        present |= number_forms(with_titles(item))
    return [written for written, normal in asked if normal not in present]


def _missing(question: str, evidence: Sequence[Evidence]) -> list[str]:
    """Return the words (or runs of Chinese characters) of the question that no evidence has."""
    everything = frozenset().union(*(terms_of(item) for item in evidence))
    return words_missing(question, everything)[:_MOST_MISSING]
