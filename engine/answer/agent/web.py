"""The evidence as a web: passages, and which of them leads to which.

Questions of several hops name only the first passage of a chain. The next one is named in that passage; its
own words hold what the question still asks for. So a passage is worth what the search gave it, and a share of
the worth of the best passage that names it by its title, the larger the more of what that one leaves open it holds.

The passages are expanded best first, some a round (a beam search over chains of passages, as in multi-hop retrieval:
Xiong et al. 2021; the links are those of Asai et al. 2020, told by titles).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import PurePath

from engine.answer.understand.exact import names_in
from engine.answer.understand.language import is_chinese
from engine.answer.understand.terms import content_terms, coverage, words_missing
from engine.enrich.labels import label_key
from engine.index.tokenize import tokens
from engine.language import language_data
from engine.model import Hit
from engine.structure.sentences import is_cjk, split_sentences
from storage.base import StoredNode

# Between two Chinese characters that build a sentence may stand a name.
_HAN_RUN = re.compile(rf"[^\W\dA-Za-z{''.join(language_data('zh').function_characters)}]{{2,12}}")
_BRACKETS = re.compile(r"\s*[(（][^)）]*[)）]\s*$")
_MOST = 40


def without_brackets(title: str) -> str:
    """Return a title without what follows in brackets: "Mercury (planet)" is called Mercury in texts."""
    return _BRACKETS.sub("", title)


def entities_of(text: str) -> list[str]:
    """Return the distinct names of a text that are worth a query, the next hop of a chain, in order of appearance.

    Left out is a word that has its capital from the beginning of a sentence, and the heads of a table.
    """
    if " | " in text:
        cells = (cell.strip() for line in text.splitlines()[1:] for cell in line.split(" | "))
        stretches = [f"of {cell}" for cell in cells]
    else:
        stretches = [_opened(sentence.text) for sentence in split_sentences(text)]
    found = chain.from_iterable(map(_names, stretches))
    return [name for name in dict.fromkeys(found) if not name.isdigit() and tokens(name)][:_MOST]


def _opened(sentence: str) -> str:
    """Return a sentence with a small word before the name that it begins with: behind one a capital tells."""
    first, _, rest = sentence.partition(" ")
    return sentence if content_terms(first) else f"of {rest}"


def _names(stretch: str) -> Iterator[str]:
    yield from names_in(stretch)
    if is_cjk(stretch):
        yield from _HAN_RUN.findall(stretch)


# A link's worth: for the name alone, and for what was left open.
_ALONE, _OPEN = 0.3, 1.0
# The share of a passage's worth that its links pass on.
_PASSED = 0.7
# What a passage is worth that no search for the question itself has found, beside the least that one did find.
_UNSEEN = 0.9
_NO_LEAF = ("section", "document")


@dataclass
class Strand:
    """A passage in the web; ``direct`` is what searches gave it, ``score`` with what its links add."""

    hit: Hit
    stored: StoredNode
    terms: frozenset[str]
    titles: tuple[str, ...]
    direct: float
    score: float
    named_by: str | None = None
    expanded: bool = False


class EvidenceWeb:
    """The passages found so far."""

    def __init__(self, question: str) -> None:
        self._question = question
        self._asked = content_terms(question)
        self._chinese = is_cjk(question)
        self._strands: dict[str, Strand] = {}
        self._best = 0.0
        self._least = 1.0

    def start(self, found: Sequence[tuple[Hit, StoredNode]]) -> None:
        """Take the hits of the search for the question itself, best first."""
        self._best = max((hit.score for hit, _ in found), default=0.0)
        if self._best <= 0:
            return
        self._least = min(hit.score for hit, _ in found) / self._best
        for hit, stored in found:
            self._take(hit, stored, hit.score / self._best)

    def add(self, found: Sequence[tuple[Hit, StoredNode]], worth: float | None = None) -> int:
        """Take what another search found and return how many passages are new.

        ``worth`` (0..1) is what its best hit counts beside the best one for the question; None when the search
        was for names alone and only links make its hits worth something.
        """
        before = len(self._strands)
        best = max((hit.score for hit, _ in found), default=0.0) or 1.0
        for hit, stored in found:
            least = self._least * _UNSEEN if self._best else 0.1
            self._take(hit, stored, least if worth is None else max(least, worth * hit.score / best))
        return len(self._strands) - before

    def frontier(self, most: int) -> list[Strand]:
        """Return the best passages whose names were not followed yet."""
        return [one for one in self._ranked() if not one.expanded and one.hit.role not in _NO_LEAF][:most]

    def names(self, strands: Sequence[Strand]) -> list[str]:
        """Return the names in these passages that are worth a query: not their titles nor wholly in the question.

        Passages in another language than the question's are looked at where there are no others.
        """
        found: dict[frozenset[str], str] = {}
        at_home = [one for one in strands if is_chinese(one.stored.node.text) == self._chinese]
        for strand in at_home or strands:
            for name in entities_of(strand.stored.node.text):
                terms = frozenset(tokens(name))
                if not terms <= self._asked.keys() and name not in strand.titles:
                    found.setdefault(terms, name)
        return list(found.values())

    def follow(self, strands: Sequence[Strand]) -> None:
        """Give the passages that these ones name their share."""
        for parent in strands:
            parent.expanded = True
            for child in self._strands.values():
                if child is parent or child.hit.role in _NO_LEAF:
                    continue
                link = self._link(parent, child)
                score = child.direct + _PASSED * parent.score * link
                if link and score > child.score:
                    child.score, child.named_by = score, parent.hit.node_id

    def ranked(self) -> list[Hit]:
        """Return all passages as hits, the best first; ``why`` names the passage that led to one."""
        hits = []
        for rank, one in enumerate(self._ranked(), 1):
            why = [*one.hit.why, *([f"named_in:{one.named_by}"] if one.named_by else [])]
            score = round(one.score * (self._best or 1.0), 4)
            hits.append(replace(one.hit, rank=rank, score=score, why=why))
        return hits

    def open_words(self) -> list[str]:
        """Return the words of the question, as written, that none of the three best passages holds."""
        return words_missing(self._question, frozenset().union(*(one.terms for one in self._ranked()[:3])))

    def is_labelled(self, key: str) -> bool:
        """True when a passage bears a label, a "figure 3b" say."""
        nodes = (one.stored.node for one in self._strands.values())
        return any(label_key(str(one.metadata.get("label") or one.title or one.text)) == key for one in nodes)

    def covered(self) -> float:
        """Return the share (0..1) of the question in the best passage and the one that it leads to or comes from."""
        best = 0.0
        for one in self._ranked()[:5]:
            parent = self._strands.get(one.named_by) if one.named_by else None
            best = max(best, coverage(self._asked, one.terms | (parent.terms if parent else frozenset())))
        return best

    def _take(self, hit: Hit, stored: StoredNode, direct: float) -> None:
        known = self._strands.get(hit.node_id)
        if known is not None:
            gain = max(0.0, direct - known.direct)
            known.direct += gain
            known.score += gain
            return
        node, path = stored.node, stored.path
        printed = [PurePath(stored.document).stem.replace("_", " "), *path[:1], *path[-1:], node.title]
        titles = tuple(dict.fromkeys(name for one in printed if len(name := without_brackets(one)) > 1))
        terms = frozenset(tokens(" ".join([*path, node.title, node.text])))
        self._strands[hit.node_id] = Strand(hit, stored, terms, titles, direct, direct)

    def _ranked(self) -> list[Strand]:
        return sorted(self._strands.values(), key=lambda one: -one.score)

    def _link(self, parent: Strand, child: Strand) -> float:
        """Return how surely the parent leads to the child, 0 when it does not name it."""
        text = parent.stored.node.text
        if not any(title not in parent.titles and _stands_in(title, text) for title in child.titles):
            return 0.0
        open_terms = {term: w for term, w in self._asked.items() if term not in parent.terms}
        return _ALONE + _OPEN * coverage(open_terms, child.terms)


def _stands_in(title: str, text: str) -> bool:
    """True where a text says a title, as no part of a longer word."""
    if title not in text or is_cjk(title):
        return title in text
    return re.search(rf"(?<!\w){re.escape(title)}(?!\w)", text) is not None
