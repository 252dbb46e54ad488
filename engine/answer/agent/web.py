"""The evidence as a web: passages, and which of them leads to which.

Questions of several hops name only the first passage of a chain. The next one is named in that passage; its
own words hold what the question still asks for. So a passage is worth what the search gave it, and a share of
the worth of the best passage that names it, the larger

- the better the name agrees with its title,
- the more of what the naming passage leaves open it holds.

The passages are expanded best first, some a round (a beam search over chains of passages, as in multi-hop retrieval:
Xiong et al. 2021; the links are those of Asai et al. 2020, told by titles).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from engine.answer.understand.terms import content_terms, coverage, words_missing
from engine.enrich.labels import label_key
from engine.index.tokenize import tokens
from engine.model import Hit
from engine.structure.sentences import is_cjk, split_sentences
from storage.base import StoredNode

# Short words inside names ("Bay of Pigs"); those that also join two names are tried both ways.
_INSIDE = "of|the|de|la|le|les|du|des|del|da|di|van|von|der|den|and|in|for|on|at|to|&"
_JOINS = re.compile(r"\s+(?:and|in|at|on|of|for|to|&)\s+")
_QUOTED = re.compile(r"[\"“「『《]([^\"“”「」『』《》\n]{2,80})[\"”」』》]")
# A full stop belongs to a name only after an initial or a short form of address.
_WORD = r"(?:(?:[A-Z]\.)+|(?:St|Dr|Mr|Mrs|Ms|Jr|Sr|Mt|Ft|No|Vol)\.|[A-Z][\w'’\-]*(?:\.\w+)*)"
# No name goes on in another line: there another cell or item begins.
_GAP = r"[^\S\n]+"
_CAPITALS = re.compile(
    rf"(?:{_WORD}|\d{{2,4}}(?=[^\S\n][A-Z]))(?:{_GAP}(?:(?:{_INSIDE}){_GAP}){{0,2}}(?:{_WORD}|\d+))*"
)
_FUNCTION = (
    "的了是在与及或等为對对于由以并其这這那我你您他她它们們个個也都就不很有上下中来來去着過过把被让讓给給从從向到说說道又还還"
    "而但却則则所之乎者呢吗吧啊么什怎和将將会會能可应如若因此每各某本要没無无些只再才已曾更太非常"
)
_HAN_RUN = re.compile(rf"(?:(?![{_FUNCTION}])[\u3400-\u9fff·]){{2,12}}")
_BRACKETS = re.compile(r"\s*[(（][^)）]*[)）]\s*$")
_MOST = 40


@dataclass(frozen=True, slots=True)
class Name:
    """A name as printed, its terms, and where it first stands in the text."""

    printed: str
    terms: frozenset[str]
    position: int


def names_of(text: str) -> list[Name]:
    """Return the distinct names of a text in order of appearance, those in quotation marks first."""
    found: dict[str, int] = {}
    for match in _QUOTED.finditer(text):
        _note(match[1], match.start(), found)
    for match in _CAPITALS.finditer(text):
        _note(match[0], match.start(), found)
        parts = _JOINS.split(match[0])
        for part in parts if len(parts) > 1 else ():
            _note(part, match.start(), found)
    if is_cjk(text):
        for match in _HAN_RUN.finditer(text):
            _note(match[0], match.start(), found)
    return [name for printed, at in list(found.items())[:_MOST] if (name := _name(printed, at)).terms]


def without_brackets(title: str) -> str:
    """Return a title without what follows in brackets: "Mercury (planet)" is called Mercury in texts."""
    return _BRACKETS.sub("", title)


@lru_cache(maxsize=4096)
def title_terms(title: str) -> frozenset[str]:
    """Return the terms of a title as names are compared with it."""
    return frozenset(tokens(without_brackets(title)))


def titles_of(document: str, path: Sequence[str], title: str) -> tuple[frozenset[str], ...]:
    """Return the terms of each title that a passage goes by: of its document, its outer and inner section, its own."""
    printed = [document.rsplit(".", 1)[0], *path[:1], *path[-1:], title]
    return tuple(dict.fromkeys(terms for one in printed if one and (terms := title_terms(one))))


def agreement(name: frozenset[str], title: frozenset[str]) -> float:
    """Return how well a name and a title agree, 0..1 (Jaccard, 1901)."""
    return len(name & title) / len(name | title) if name and title else 0.0


def _note(printed: str, position: int, found: dict[str, int]) -> None:
    printed = printed.strip(" .,'’·")
    printed = re.sub(r"['’]s$", "", printed)
    if (len(printed) > 2 or is_cjk(printed)) and not printed.isdigit():
        found.setdefault(printed, position)


def _name(printed: str, position: int) -> Name:
    return Name(printed, title_terms(printed), position)


def entities_of(text: str) -> list[Name]:
    """Return the distinct names of a text that are worth a query, the next hop of a chain, in order of appearance.

    Left out is a word that has its capital from the beginning of a sentence, and the heads of a table.
    """
    is_table = " | " in text
    header = text.find("\n") if is_table else -1
    starts = set() if is_table else {one.start for one in split_sentences(text)}
    found: dict[str, Name] = {}
    for name in names_of(text):
        printed = _without_grammar(name.printed)
        opens = name.position in starts and printed == name.printed and " " not in printed
        if name.position > header and printed and (is_cjk(printed) or not opens):
            found.setdefault(printed, _name(printed, name.position))
    return [name for name in found.values() if name.terms]


def _without_grammar(printed: str) -> str:
    """Take from the beginning of a name what only builds grammar: "The Tenant" is Tenant."""
    words = printed.split()
    while words and not is_cjk(words[0]) and not content_terms(words[0]) and not words[0][0].isdigit():
        words = words[1:]
    return " ".join(words)


# A link's worth: for agreeing alone, and for what was left open.
_ALONE, _OPEN = 0.3, 1.0
# The share of a passage's worth that its links pass on.
_PASSED = 0.7
# What a passage is worth that no search for the question itself has found, beside the least that one did find.
_UNSEEN = 0.9
_AGREES = 0.5
_NO_LEAF = ("section", "document")

_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]")


@dataclass
class Strand:
    """A passage in the web; ``direct`` is what searches gave it, ``score`` with what its links add."""

    hit: Hit
    stored: StoredNode
    terms: frozenset[str]
    titles: tuple[frozenset[str], ...]
    direct: float
    score: float
    place: int
    named_by: str | None = None
    expanded: bool = False
    names: list[Name] | None = field(default=None, repr=False)


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
        waiting = [one for one in self._ranked() if not one.expanded and one.hit.role not in _NO_LEAF]
        return waiting[:most]

    def names(self, strands: Sequence[Strand]) -> list[Name]:
        """Return the names in these passages that are worth a query: not their titles nor wholly in the question.

        Passages in another language than the question's are looked at where there are no others.
        """
        asked = self._asked.keys()
        found: dict[frozenset[str], Name] = {}
        at_home = [one for one in strands if _mostly_chinese(one.stored.node.text) == self._chinese]
        for strand in at_home or strands:
            for name in entities_of(strand.stored.node.text):
                if not name.terms <= asked and all(agreement(name.terms, t) < 1 for t in strand.titles):
                    found.setdefault(name.terms, name)
        return list(found.values())

    def follow(self, strands: Sequence[Strand]) -> int:
        """Give the passages that these ones name their share, and return how many have gained."""
        gained: set[str] = set()
        for parent in strands:
            parent.expanded = True
            for child in self._strands.values():
                if child is parent or child.hit.role in _NO_LEAF:
                    continue
                link = self._link(parent, child)
                score = child.direct + _PASSED * parent.score * link
                if link and score > child.score:
                    child.score, child.named_by = score, parent.hit.node_id
                    gained.add(child.hit.node_id)
        return len(gained)

    def ranked(self) -> list[Hit]:
        """Return all passages as hits, the best first; ``why`` names the passage that led to one."""
        hits = []
        for rank, one in enumerate(self._ranked(), 1):
            why = [*one.hit.why, *([f"named_in:{one.named_by}"] if one.named_by else [])]
            score = round(one.score * (self._best or 1.0), 4)
            hits.append(replace(one.hit, rank=rank, score=score, why=why))
        return hits

    def left_open(self, most: int = 3) -> dict[str, float]:
        """Return the terms of the question, weighted, that none of the best passages holds."""
        have = frozenset().union(*(one.terms for one in self._ranked()[:most]))
        return {term: weight for term, weight in self._asked.items() if term not in have}

    def open_words(self, most: int = 3) -> list[str]:
        """Return the words of the question, as written, that none of the best passages holds."""
        return words_missing(self._question, frozenset().union(*(one.terms for one in self._ranked()[:most])))

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

    # --- inside -------------------------------------------------------------------------------------

    def _take(self, hit: Hit, stored: StoredNode, direct: float) -> None:
        known = self._strands.get(hit.node_id)
        if known is not None:
            gain = direct - known.direct
            if gain > 0:
                known.direct += gain
                known.score += gain
            return
        node, path = stored.node, stored.path
        titles = titles_of(stored.document, path, node.title)
        terms = frozenset(tokens(" ".join([*path, node.title, node.text])))
        strand = Strand(hit, stored, terms, titles, direct, direct, len(self._strands))
        self._strands[hit.node_id] = strand

    def _ranked(self) -> list[Strand]:
        return sorted(self._strands.values(), key=lambda one: (-one.score, one.place))

    def _link(self, parent: Strand, child: Strand) -> float:
        """Return how surely the parent leads to the child, 0 when it does not name it."""
        best, name = max(
            ((agreement(one.terms, title), one) for one in _names(parent) for title in child.titles),
            key=lambda pair: pair[0],
            default=(0.0, None),
        )
        if name is None or best < _AGREES or any(agreement(name.terms, t) == 1 for t in parent.titles):
            return 0.0
        open_terms = {term: w for term, w in self._asked.items() if term not in parent.terms}
        return best * (_ALONE + _OPEN * coverage(open_terms, child.terms))


def _mostly_chinese(text: str) -> bool:
    """True for a text of which Chinese characters, two to a word of Latin letters, are the larger part."""
    return 3 * len(_HAN.findall(text)) > len(_LATIN.findall(text))


def _names(strand: Strand) -> list[Name]:
    if strand.names is None:
        strand.names = names_of(strand.stored.node.text)
    return strand.names
