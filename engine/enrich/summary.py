"""Extractive summaries, bottom-up: sentences word for word, chosen by maximal marginal relevance.

A sentence's score is the product of its TF-IDF weight within the document, its alignment with the titles
above it, its position, cue words and numbers (seed 002, 5.1). MMR (Carbonell & Goldstein, 1998) then
takes the best ones that do not repeat each other. A section is summarised from its own text and the
summaries of its subsections, so the cost is linear in the document.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.config import SummarySettings
from engine.language import compiled, patterns
from engine.model import PROSE, Edge, Node, Tree, children_of
from engine.providers.llm import estimate_tokens
from engine.structure.section_kinds import cover_form, is_form
from engine.structure.sentences import sentences_of
from engine.structure.sequences import grouped
from engine.structure.terms import HAN, terms_of

DEFAULTS = SummarySettings()
SECTION_TOKENS, LONG_SECTION_TOKENS, OBJECT_TOKENS, LEAF_TOKENS = 128, 512, 112, 64
# How fast the weight of a sentence falls with its place.
SECTION_DECAY, OBJECT_DECAY = 0.04, 0.15
# A section of so many sentences is long; a leaf of so many letters gets a summary of its own.
LONG_SECTION = 40
LONG_LEAF = 1200
# Only the best candidates enter MMR, whose cost is their square.
MMR_CANDIDATES = 24
MOST_SENTENCES = 400
LONGEST_SENTENCE = 1200
_TOLD = patterns("summaries")
_CUES, _BACK_MATTER = compiled(_TOLD["cues"]), compiled(_TOLD["back_matter"])
_NUMBER = re.compile(r"\d")
_QUANTITY = re.compile(r"\d\s?(?:%|％|‰|[A-Za-z°℃]{1,4}\b|[万亿元年月日人个倍])|[$€£¥￥]\s?\d")
# Forms, leaders of contents, addresses: hardly a sentence that says something.
_CLUTTER = re.compile(r"[□☑☐■|\ufffd]|\.{4,}|https?://|\w@\w|(?:[^,，、;]{1,24}[,，、;]){7}")
_FACTORS = ((_CUES, 1.2), (_CLUTTER, 0.25))


@dataclass(slots=True)
class Sentence:
    """A candidate: its text, terms, and once weighed their weights, norm and what it is worth by itself."""

    text: str
    terms: Counter[str]
    weights: dict[str, float] = field(default_factory=dict)
    norm: float = 0.0
    worth: float = 0.0


def summarized(tree: Tree, references: Iterable[Edge] = (), settings: SummarySettings = DEFAULTS) -> Tree:
    """Return the tree with ``summary`` set on its root, sections, tables, images and long leaves.

    ``references`` are the ``ref`` edges: a table or image is described by the sentences that name it.
    ``settings`` say how many sentences each kind of node gets. Summaries that are there already stay.
    """
    summaries = _Summaries(tree, references, settings)
    nodes = [replace(node, summary=node.summary or summaries.of(node)) for node in reversed(tree.nodes)]
    return replace(tree, nodes=nodes[::-1])


def summarize(text: str, *, title: str = "", k: int = DEFAULTS.k_section, budget: int = SECTION_TOKENS) -> str:
    """Return up to ``k`` sentences of a text in their order, at most ``budget`` tokens; any text is fine."""
    sentences = _sentences(text)
    idf = inverse_frequencies(sentences)
    return _joined(chosen(sentences, title=title, k=k, budget=budget, idf=idf, decay=SECTION_DECAY))


def chosen(
    sentences: Sequence[Sentence], *, title: str, k: int, budget: int, idf: Mapping[str, float], decay: float,
    mmr_lambda: float = DEFAULTS.mmr_lambda,
) -> list[Sentence]:  # fmt: skip
    """Return the best sentences by MMR, in their order; the budget counts :func:`estimate_tokens`.

    The n-th sentence (from 0) counts ``1 / (1 + decay * n)``; ``mmr_lambda`` is what its worth counts beside not
    repeating what was chosen. One that alone is over the budget is cut.
    """
    sentences = sentences[:MOST_SENTENCES]
    if not sentences:
        return []
    scores = _scores(sentences, terms_of(title), idf, decay)
    if picked := _mmr(sentences, scores, k, budget, mmr_lambda):
        return [sentences[i] for i in sorted(picked)]
    text = _cut(sentences[max(range(len(sentences)), key=scores.__getitem__)].text, budget)
    return [Sentence(text, terms_of(text))] if text else []


def _mmr(sentences: Sequence[Sentence], scores: Sequence[float], k: int, budget: int, mmr_lambda: float) -> list[int]:
    """Return the places of the best sentences by maximal marginal relevance, the best first."""
    ranked = sorted(range(len(sentences)), key=lambda i: (-scores[i], i))[:MMR_CANDIDATES]
    costs = {i: estimate_tokens(sentences[i].text) for i in ranked}
    repeated = dict.fromkeys(ranked, 0.0)
    picked: list[int] = []
    while len(picked) < k and (ranked := [i for i in ranked if costs[i] <= budget]):
        best = max(ranked, key=lambda i: mmr_lambda * scores[i] - (1 - mmr_lambda) * repeated[i])
        ranked.remove(best)
        picked.append(best)
        budget -= costs[best]
        for i in ranked:
            repeated[i] = max(repeated[i], _cosine(sentences[i], sentences[best]))
    return picked


def inverse_frequencies(sentences: Sequence[Sentence]) -> dict[str, float]:
    """Return the IDF of each term over the sentences."""
    found = Counter(term for sentence in sentences for term in sentence.terms)
    return {term: math.log(1 + len(sentences) / count) for term, count in found.items()}


class _Summaries:
    """Summaries of a tree's nodes; children are asked before their parents."""

    def __init__(self, tree: Tree, references: Iterable[Edge], settings: SummarySettings) -> None:
        self._settings = settings
        self._nodes = {node.node_id: node for node in tree.nodes}
        self._children = children_of(tree.nodes)
        self._sentences = {
            node.node_id: _sentences(node.text)
            for node in tree.nodes
            if node.role in PROSE and node.text and not is_form(node.text)
        }
        self._cover = cover_form(tree)
        self._idf = inverse_frequencies([s for sentences in self._sentences.values() for s in sentences])
        self._named = grouped((edge.target, (edge.source, edge.label or "")) for edge in references)
        self._made: dict[str, list[Sentence]] = {}

    def of(self, node: Node) -> str:
        if node.role in ("section", "document"):
            return self._section(node)
        if node.role in ("table", "image"):
            return self._object(node)
        if node.role in PROSE and len(node.text) * (1 if node.text.isascii() else 2) > LONG_LEAF:
            own = self._sentences.get(node.node_id, [])
            return _joined(self._choose(own, self._title(node), self._settings.k_leaf, LEAF_TOKENS))
        return ""

    def _section(self, node: Node) -> str:
        sentences: list[Sentence] = []
        for child in self._children.get(node.node_id, []):
            if child.node_id in self._cover:
                continue
            if child.role == "section" and not _BACK_MATTER.match(child.title):
                sentences += self._made.get(child.node_id, [])
            elif child.role in PROSE:
                sentences += self._sentences.get(child.node_id, [])
        long = len(sentences) > LONG_SECTION
        k = self._settings.k_section_long if long else self._settings.k_section
        budget = LONG_SECTION_TOKENS if long else SECTION_TOKENS
        self._made[node.node_id] = self._choose(sentences, self._title(node), k, budget)
        return _joined(self._made[node.node_id])

    def _object(self, node: Node) -> str:
        facts = [str(node.metadata.get(key) or "") for key in ("caption", "description", "ocr_text")]
        notes = node.metadata.get("notes") or []
        sentences = [s for text in [*facts[:2], *notes] for s in _sentences(str(text))]
        sentences += self._naming(node)
        unique = {sentence.text: sentence for sentence in sentences or _sentences(facts[2])}
        k = self._settings.k_table if node.role == "table" else self._settings.k_image
        return _joined(self._choose(list(unique.values()), self._title(node), k, OBJECT_TOKENS, OBJECT_DECAY))

    def _naming(self, node: Node) -> Iterator[Sentence]:
        """Yield the sentences that name a table or picture by its label, or the number in it alone."""
        for source, label in self._named.get(node.node_id, [])[:8]:
            number = re.compile(rf"(?<![\w.]){re.escape(''.join(label.split()[-1:]))}(?!\w)")
            for sentence in self._sentences.get(source, []):
                if label in sentence.text or number.search(sentence.text):
                    yield sentence

    def _choose(
        self, sentences: Sequence[Sentence], title: str, k: int, budget: int, decay: float = SECTION_DECAY
    ) -> list[Sentence]:
        return chosen(
            sentences, title=title, k=k, budget=budget, idf=self._idf, decay=decay,
            mmr_lambda=self._settings.mmr_lambda,
        )  # fmt: skip

    def _title(self, node: Node) -> str:
        parent = self._nodes.get(node.parent_id or "")
        return f"{node.title}\n{parent.title if parent and parent.role == 'section' else ''}"


def _sentences(text: str) -> list[Sentence]:
    """Return the sentences of a text; a list's lines are its sentences."""
    found = [piece for line in text[:200_000].split("\n") for piece in sentences_of(line)]
    stripped = [piece.strip()[:LONGEST_SENTENCE] for piece in found]
    return [Sentence(piece, terms_of(piece)) for piece in stripped if len(piece) > 2]


def _scores(sentences: Sequence[Sentence], title: Counter[str], idf: Mapping[str, float], decay: float) -> list[float]:
    """Return the scores of sentences, the best 1."""
    heading = sum(idf.get(term, 0.0) for term in title) or 1.0
    scores = []
    for index, sentence in enumerate(sentences):
        if not sentence.norm:
            _weigh(sentence, idf)
        aligned = sum(idf.get(term, 0.0) for term in title if term in sentence.weights) / heading
        scores.append(sentence.worth * (1 + aligned) / (1 + decay * index))
    best = max(scores) or 1.0
    return [score / best for score in scores]


def _weigh(sentence: Sentence, idf: Mapping[str, float]) -> None:
    unknown = math.log(1 + len(idf)) or 1.0
    weights = {term: idf.get(term, unknown) * (1 + math.log(count)) for term, count in sentence.terms.items()}
    sentence.weights = weights
    sentence.norm = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
    # By the root of the length: neither the longest nor the rarest words alone decide.
    relevance = sum(weights.values()) / math.sqrt(len(weights) + 1)
    complete = 1.0 if len(weights) >= 4 and sentence.text[-1] in '.。!！?？;；”"）)' else 0.6
    factors = (factor for pattern, factor in _FACTORS if pattern.search(sentence.text))
    sentence.worth = math.prod(factors, start=relevance) * _figures(sentence.text) * complete


def _figures(text: str) -> float:
    """Return what a sentence with a quantity, or with any number, is worth beside one without."""
    return 1.15 if _QUANTITY.search(text) else 1.05 if _NUMBER.search(text) else 1.0


def _cosine(one: Sentence, other: Sentence) -> float:
    small, large = (one, other) if len(one.weights) < len(other.weights) else (other, one)
    shared = sum(weight * large.weights[term] for term, weight in small.weights.items() if term in large.weights)
    return shared / (one.norm * other.norm)


def _cut(text: str, budget: int) -> str:
    """Return the start of a sentence that is longer than the budget, cut at a clause or a space."""
    end = next((n for n in range(min(len(text), budget * 4), 0, -1) if estimate_tokens(text[:n]) <= budget), 0)
    if end == len(text):
        return text
    at = max(text.rfind(mark, 0, end) for mark in ", ，；、; ")
    return text[: at if at > end // 2 else end].rstrip(" ,，；、;")


def _joined(sentences: Iterable[Sentence]) -> str:
    joined = ""
    for sentence in sentences:
        wide = joined and not joined[-1].isascii() and HAN.match(sentence.text)
        joined += sentence.text if wide or not joined else f" {sentence.text}"
    return joined
