"""Names of topics: candidates from a document's own words, and whether two names mean the same."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import ProviderError
from engine.retrieve.query import is_unspaced
from engine.structure.terms import HAN, STOP_WORDS, singular
from engine.topics.key_phrase import LONGEST_HAN, background_of, key_phrases
from engine.topics.library_text import LibraryText
from engine.topics.likeness import name_likeness
from storage.topics import StoredTopic, TopicProfile

if TYPE_CHECKING:
    from engine.providers.embedding import Embedder

CANDIDATES = 16
TITLE_CANDIDATES = 3
IN_TITLE = 2.0
# A phrase that stands in more of the documents than this is the form of the collection, not a topic of it.
COMMONPLACE_SHARE, COMMONPLACE_FROM = 0.1, 4
LONGEST_NAME = 60
# 第十六条, 十八: where something stands, not what it is about.
_ORDINAL = re.compile(r"第?[〇零一二三四五六七八九十百千两\d]+[条條章节節编編款项項号號届次]?|第[^\W\d]?")
_SHORT_WORD = re.compile(r"[A-Za-z]?[a-z]")
_WORD = re.compile(r"[^\W_]+")


def fold(name: str) -> str:
    """Return a name as it is compared: no case, width, hyphens or plural "s"."""
    words = _WORD.findall(unicodedata.normalize("NFKC", name).casefold())
    return "".join(singular(word) for word in words)


def topic_id_for(name: str) -> str:
    """Return the id of a topic that is first called so: the same name gives the same id anywhere."""
    return "t" + hashlib.sha256(fold(name).encode()).hexdigest()[:11]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A phrase that could name a topic of a document, and how much it says of it, above 0."""

    name: str
    weight: float
    in_title: bool = False


class Phrases(LibraryText):
    """The phrases of documents, weighed against the whole library. Made once for all documents looked at together."""

    def __init__(self, profiles: Sequence[TopicProfile]) -> None:
        super().__init__(profiles)
        self._background = background_of(profile.text for profile in profiles)
        self._count = len(profiles)

    def of(self, profile: TopicProfile) -> list[Candidate]:
        """Return the candidates of a document, the best first."""
        weights: dict[str, float] = {}
        folded = fold(profile.title)
        titles = [
            *_title_pieces(profile.title),
            *key_phrases(profile.title, self._background, TITLE_CANDIDATES),
        ]
        phrases = key_phrases(
            f"{profile.title}\n{profile.title}\n{profile.text}", self._background, CANDIDATES
        )
        for ranked in (titles, phrases):
            for rank, phrase in enumerate(ranked):
                name = self.whole(phrase)
                if name is not None:
                    title = IN_TITLE if fold(name) in folded else 1.0
                    weights[name] = max(weights.get(name, 0.0), title / (1 + rank))
        if not weights and folded and len(profile.title) <= LONGEST_NAME:
            weights[profile.title] = IN_TITLE  # nothing tells it from others, or it has no text
        found = [Candidate(name, weight, fold(name) in folded) for name, weight in weights.items()]
        return sorted(found, key=lambda one: (-one.weight, one.name))

    def whole(self, phrase: str) -> str | None:
        """Return a phrase as it may name a topic, with what it never stands without; None where it may not."""
        name = super().whole(phrase)
        if name is None or len(name) > LONGEST_NAME or not self.telling(name):
            return None
        return name[0].upper() + name[1:]

    def telling(self, name: str) -> bool:
        """Tell whether a phrase says what a document is about.

        One that stands in many others does not, nor does the number of a place in it, nor a file's number.
        """
        common = self.documents_with(name) > max(COMMONPLACE_FROM, COMMONPLACE_SHARE * self._count)
        numbered = any(map(str.isdigit, name)) and not self.in_a_text(name)
        return (
            not common and not numbered and not _ORDINAL.fullmatch(name) and not _SHORT_WORD.fullmatch(name)
        )


def _title_pieces(title: str) -> list[str]:
    """Return the runs of Chinese characters in a title, parted by 的, that are short enough for a name."""
    return [
        piece for run in HAN.findall(title) for piece in run.split("的") if 2 <= len(piece) <= LONGEST_HAN
    ]


def shared_names(group: Sequence[Sequence[Candidate]], texts: Sequence[str], phrases: Phrases) -> list[str]:
    """Return the names for a group of documents, the best first: said of many of them, and of few others.

    ``group`` has the candidates of each document, ``texts`` their texts, case-folded. What several candidates
    have in common is a name, too: documents on apple pie and on apple juice are on apples.
    """
    scores: defaultdict[str, float] = defaultdict(float)
    shown: dict[str, str] = {}
    said: defaultdict[str, set[int]] = defaultdict(set)
    for number, candidates in enumerate(group):
        weights: dict[str, float] = {}
        for one in candidates:
            for piece in sorted({one.name, *(_pieces(one.name) if len(group) > 1 else ())}):
                shown.setdefault(piece.casefold(), piece)
                weights[piece.casefold()] = max(weights.get(piece.casefold(), 0.0), one.weight)
        for key, weight in weights.items():
            scores[key] += weight
            said[key].add(number)
    own = {one.name.casefold() for candidates in group for one in candidates}
    kept = [key for key in scores if key in own or len(said[key]) > 1]
    kept = [key for key in kept if not _inside_another(key, kept, said)]
    ranked = {
        key: scores[key]
        * sum(key in text for text in texts)
        / max(1, phrases.documents_with(key))
        * (IN_TITLE if any(key in text.partition("\n")[0] for text in texts) else 1.0)
        for key in kept
    }
    # A group is not called after one of its documents while anything is common to two of them.
    single = {key for key in ranked if len(group) > 1 and len(said[key]) < 2}
    best = sorted(ranked, key=lambda key: (key in single, -ranked[key], key))
    names = (phrases.whole(shown[key]) for key in best)
    return list(dict.fromkeys(name for name in names if name is not None)) or [shown[key] for key in best[:1]]


def _pieces(name: str) -> set[str]:
    """Return the parts of a name: runs of at least two Chinese characters, and of words."""
    found = set()
    for run in HAN.findall(name):
        found |= {run[a:b] for a in range(len(run) - 1) for b in range(a + 2, len(run) + 1)}
    words = HAN.sub(" ", name).split()
    found |= {" ".join(words[a:b]) for a in range(len(words)) for b in range(a + 1, len(words) + 1)}
    return {piece for piece in found if len(fold(piece)) > 1 and piece.casefold() not in STOP_WORDS}


def _inside_another(key: str, others: Sequence[str], said: Mapping[str, set[int]]) -> bool:
    """Tell whether a name is only ever said as part of a longer one."""
    return any(len(other) > len(key) and key in other and said[other] == said[key] for other in others)


class NameIndex:
    """The names by which topics are known, merged and deleted ones too."""

    def __init__(self, topics: Iterable[StoredTopic], embedder: Embedder | None, threshold: float) -> None:
        self._embedder = embedder
        self._threshold = threshold
        self._model = embedder.name if embedder else ""
        self._forms: dict[str, str] = {}
        self._ids: list[str] = []
        self._vectors: list[np.ndarray] = []
        self._made: dict[str, np.ndarray | None] = {}
        for topic in topics:
            self.add(topic)

    def add(self, topic: StoredTopic) -> None:
        """Know a topic by its name and its earlier ones."""
        for form in (topic.name, *topic.forms):
            self._forms.setdefault(fold(form), topic.topic_id)
        if topic.vector is not None and topic.model == self._model:
            self._ids.append(topic.topic_id)
            self._vectors.append(topic.vector)

    def find(self, name: str) -> str | None:
        """Return the id of the topic that a name means: known by it, or by one as alike as the threshold asks."""
        if known := self._forms.get(fold(name)):
            return known
        vector = self.vector(name) if self._vectors else None
        if vector is None or self._embedder is None:
            return None
        cosines = np.stack(self._vectors) @ vector
        best = int(cosines.argmax())
        alike = name_likeness(float(cosines[best]), self._embedder.spread)
        return self._ids[best] if alike >= self._threshold else None

    def new(self, name: str, description: str = "") -> StoredTopic:
        """Return a new topic of this name, known from now on."""
        vector = self.vector(name)
        model = self._model if vector is not None else ""
        topic = StoredTopic(topic_id_for(name), name, description, forms=(name,), model=model, vector=vector)
        self.add(topic)
        return topic

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
    if at < 0 or is_unspaced(name):
        return at >= 0
    around = text[max(0, at - 1) : at] + text[at + len(name) : at + len(name) + 1]
    return not any(character.isalnum() and not is_unspaced(character) for character in around)


def resolved(topic_id: str | None, topics: Mapping[str, StoredTopic]) -> StoredTopic | None:
    """Return the topic that an id stands for, along merges; None for an unknown or deleted one."""
    topic = topics.get(topic_id or "")
    while topic is not None and topic.state == "merged":
        topic = topics.get(topic.into or "")
    return topic if topic is not None and topic.state == "live" else None
