"""Names of topics: the one that documents share, and whether two names mean the same."""

import hashlib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import filterfalse

import numpy as np

from engine.errors import ProviderError
from engine.providers.embedding import Embedder
from engine.retrieve.query import is_unspaced
from engine.structure.numbering import without_number
from engine.structure.terms import singular
from engine.topics.given_names import LONGEST_NAME, NEAR, SHORTEST_TERM, is_name, parts_of, terms_in
from engine.topics.likeness import name_likeness, nearness
from storage.topics import StoredTopic, TopicProfile

# What more of the documents are named by is the form of the collection, not a topic of it.
COMMONPLACE_SHARE, COMMONPLACE_FROM = 0.2, 6
# A term of texts names a group when so many of its documents say it.
SAID_BY = 0.6
# What a part of a name, and a term, is worth beside a whole name, 1.
PART, TERM = 0.5, 0.3
# How near the documents that share it a part of a name is: part of their titles, it is near them anyway.
NEAR_PART = 0.4
_WORD = re.compile(r"[^\W_]+")
# What a title has at least to name anything: a whole word of letters, or two Chinese characters.
_A_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{3,}(?![^\W_])|[\u3400-\u9fff]{2}")


def fold(name: str) -> str:
    """Return a name as it is compared: no case, width, hyphens or plural "s"."""
    return "".join(map(singular, _WORD.findall(unicodedata.normalize("NFKC", name).casefold())))


class LibraryNames:
    """The names in the documents of a library, without what is common to many of them."""

    def __init__(self, profiles: Sequence[TopicProfile], index: "NameIndex") -> None:
        self._index = index
        self._profiles = {profile.document_id: profile for profile in profiles}
        self._naming = _having({p.document_id: "\n".join([p.title, *p.names]) for p in profiles})
        self._most = max(COMMONPLACE_FROM, COMMONPLACE_SHARE * len(profiles))

    def of(self, document_id: str) -> list[str]:
        """Return the names in a document, the best first; its title where nothing tells it from others."""
        profile = self._profiles[document_id]
        found = list(dict.fromkeys(filterfalse(self._is_commonplace, map(self._telling, profile.names))))
        title = without_number(profile.title) or profile.title
        told = profile.vector is not None or not profile.model  # a document without any text says no title either
        tells = told and _A_WORD.search(title) and len(title) <= LONGEST_NAME
        return found or ([title] if tells else [])

    def _telling(self, name: str) -> str:
        """Return a name without what is common to many: of 汤的做法 among recipes 汤."""
        before, _, after = name.rpartition("的")
        return before if before and after and self._is_commonplace(after) else name

    def _is_commonplace(self, name: str) -> bool:
        return len(self._naming(name)) > self._most

    def shared(self, documents: Sequence[str]) -> list[tuple[list[str], list[str]]]:
        """Return some documents in parts that share a name, each with its names, the best first.

        Shared are names, parts of names ("fried rice" of two dishes), and terms that most of the texts have. A document
        that shares nothing is a part by itself.
        """
        worth, having = self._worth(documents)
        left, found = list(documents), []
        while left:
            rest = set(left)
            shared = {name: count for name in worth if (count := len(having[name] & rest)) > 1}
            best = sorted(shared, key=lambda name: (-shared[name] * worth[name] ** 0.5, name))
            part = [one for one in left if one in having[best[0]]] if best else left[:1]
            found.append((best or self.of(part[0]), part))
            left = [one for one in left if one not in part]
        return found

    def _worth(self, documents: Sequence[str]) -> tuple[dict[str, float], dict[str, set[str]]]:
        """Return what names documents could share: what each is worth, and which documents have it."""
        group, saying = set(documents), _having({one: text_of(self._profiles[one]) for one in documents})
        worth, parts, terms = self._said_by(documents)
        having = {name: self._naming(name) & group for name in worth}
        for part in self._near(self._shared_parts(parts, worth), documents, NEAR_PART):
            worth[part], having[part] = PART * parts[part], self._naming(part) & group
        least = max(2, SAID_BY * len(documents))
        said = {term: n for term, n in terms.items() if n >= least and len(having.get(term, ())) < n <= self._most}
        for term in self._near(list(said), documents, NEAR):
            worth[term], having[term] = max(worth[term], TERM * said[term]), saying(term)
        return worth, having

    def _shared_parts(self, parts: Counter[str], names: Mapping[str, float]) -> list[str]:
        telling = filterfalse(self._is_commonplace, parts)
        return [part for part in telling if parts[part] > 1 and part not in names]

    def _near(self, names: list[str], documents: Sequence[str], least: float) -> list[str]:
        """Return those of names that are near some documents in meaning; all where no model tells."""
        vectors = [vector for one in documents if (vector := self._profiles[one].vector) is not None]
        return self._index.near(names, np.mean(vectors, axis=0), least) if vectors and names else names

    def _said_by(self, documents: Sequence[str]) -> tuple[defaultdict[str, float], Counter[str], Counter[str]]:
        """Return what the names in documents are worth, and how many have each part of a name and each term."""
        worth: defaultdict[str, float] = defaultdict(float)
        shown: dict[str, str] = {}
        parts, terms = Counter[str](), Counter[str]()

        def said(names: Iterable[str]) -> list[str]:
            """Names as the first document says them, each once."""
            return [shown.setdefault(key, name) for key, name in {fold(name): name for name in names}.items()]

        for one in documents:
            names, profile = self.of(one), self._profiles[one]
            for rank, name in enumerate(names):
                worth[shown.setdefault(fold(name), name)] += 1 / (1 + rank)
            parts.update(said(part for name in names if profile.names for part in parts_of(name)))
            terms.update(said(_terms(profile.about)))
        return worth, parts, terms


def _having(texts: Mapping[str, str]) -> Callable[[str], set[str]]:
    """Return what tells which of some texts, by id, have a phrase. Letters are compared without case."""
    folded = {one: text.casefold() for one, text in texts.items()}

    @cache
    def having(phrase: str) -> set[str]:
        key = phrase.casefold()
        return {one for one, text in folded.items() if key in text and stands_in(key, text)}

    return having


def _terms(text: str) -> list[str]:
    """Return the terms of a text and the parts of several words that they have in common with others."""
    terms = [term for term in terms_in(text) if is_name(term)]
    parts = [part for term in terms for part in parts_of(term)]
    return [*(one for one in parts if " " in one or (is_unspaced(one) and len(one) >= SHORTEST_TERM)), *terms]


def text_of(profile: TopicProfile) -> str:
    """Return what a document says of itself, case-folded: its title, names and summary."""
    return f"{profile.title}\n{profile.text}".casefold()


class NameIndex:
    """The names by which topics are known, merged and deleted ones too."""

    def __init__(self, topics: Iterable[StoredTopic], embedder: Embedder | None, threshold: float) -> None:
        self._embedder, self._threshold = embedder, threshold
        self._model = embedder.name if embedder else ""
        self._forms: dict[str, str] = {}
        self._vectors: dict[str, np.ndarray] = {}
        self._made: dict[str, np.ndarray | None] = {}
        for topic in topics:
            self.add(topic)

    def add(self, topic: StoredTopic) -> None:
        """Know a topic by its name and its earlier ones."""
        for form in (topic.name, *topic.forms):
            self._forms.setdefault(fold(form), topic.topic_id)
        if topic.vector is not None and topic.model == self._model:
            self._vectors[topic.topic_id] = topic.vector

    def find(self, name: str) -> str | None:
        """Return the id of the topic that a name means: known by it, or by one as alike as the threshold asks."""
        if known := self._forms.get(fold(name)):
            return known
        vector = self.vector(name) if self._vectors else None
        if vector is None or self._embedder is None:
            return None
        cosines = np.stack(list(self._vectors.values())) @ vector
        best = int(cosines.argmax())
        alike = name_likeness(float(cosines[best]), self._embedder.spread)
        return list(self._vectors)[best] if alike >= self._threshold else None

    def new(self, name: str, description: str = "") -> StoredTopic:
        """Return a new topic of this name, known from now on: the same name gives the same id anywhere."""
        topic_id = "t" + hashlib.sha256(fold(name).encode()).hexdigest()[:11]
        vector = self.vector(name)
        model = self._model if vector is not None else ""
        topic = StoredTopic(topic_id, name, description, forms=(name,), model=model, vector=vector)
        self.add(topic)
        return topic

    def near(self, names: list[str], vector: np.ndarray, least: float) -> list[str]:
        """Return those of names that are near a vector in meaning; all where no model tells."""
        with suppress(ProviderError):
            if self._embedder is not None:
                near, _ = nearness(vector, self._embedder, names)
                return [name for name, value in zip(names, near.tolist(), strict=True) if value >= least]
        return names

    def vector(self, name: str) -> np.ndarray | None:
        """Return the unit vector of a name; None where no model can tell."""
        if name not in self._made:
            try:
                self._made[name] = self._embedder.passages([name])[0] if self._embedder else None
            except ProviderError:
                self._made[name] = None
        return self._made[name]


def stands_in(name: str, text: str) -> bool:
    """Tell whether a name stands in a text, both folded, as words of its own; Chinese has no gaps to look for."""
    at = text.find(name)
    while at >= 0 and not is_unspaced(name):
        around = text[max(0, at - 1) : at] + text[at + len(name) : at + len(name) + 1]
        if not any(character.isalnum() and not is_unspaced(character) for character in around):
            break
        at = text.find(name, at + 1)
    return at >= 0
