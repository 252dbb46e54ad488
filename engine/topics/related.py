"""Documents that belong beside one: one names the other, they are alike in meaning, or they share topics.

A document is named where a text has its title, its file's name or its number ("ISO 9001", 国发〔2019〕5号) as these
are printed. Titles that could stand in any text by chance name nothing; of two titles one inside the other, the
longer is meant.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

from engine.index.tokenize import query_terms
from engine.model import Document, Filters, Value
from engine.retrieve.query import is_unspaced
from engine.topics.known import KnownTopics
from engine.topics.likeness import ENOUGH, Space
from engine.topics.names import stands_in
from storage.base import Storage
from storage.topics import TopicProfile

Kind = Literal["names", "named_by", "alike", "topics"]

MOST = 8
# What each reason is worth in full; being named says most, a topic in common least.
WORTH: Mapping[Kind, float] = {"names": 1.0, "named_by": 0.9, "alike": 0.7, "topics": 0.5}
LEAST_ALIKE, FULLY_ALIKE = 0.3, 0.7
LEAST_SHARED = 0.1
SHOWN_TOPICS = 3
# So much of a text is read for the names of others, and so many nodes are looked at for one's own.
READ_LETTERS, READ_NODES = 200_000, 40
SHORTEST_TITLE, SHORTEST_HAN_TITLE = 8, 4
_NUMBER = re.compile(
    r"(?<![A-Za-z])[A-Z]{2,8}(?:[/-][A-Z]{1,3})?[ -]?\d{2,6}(?:[.\-:]\d{1,6})*(?!\d)"
    r"|[\u3400-\u9fff]{1,8}[〔\[(]\d{4}[〕\])]\s?\d{1,5}\s?号"
)


@dataclass(frozen=True, slots=True)
class Reason(Value):
    """Why a document is related: it is named in this one or names it (``words`` are the name as printed), is alike,
    or shares topics (``words`` are theirs). ``strength`` is 0 to 1."""

    kind: Kind
    strength: float
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Related(Value):
    """A related document with the reasons, the strongest first; ``score`` ranks the documents related to one."""

    document_id: str
    name: str
    score: float
    reasons: list[Reason]


def related(
    document_id: str,
    storage: Storage,
    known: KnownTopics,
    spread: Callable[[], float | None],
    most: int = MOST,
) -> list[Related]:
    """Return the documents most related to one, the most related first.

    ``spread`` gives that of the embedding model (see :class:`Space`); it is asked only where documents are few, for
    a model may have to be loaded to tell. Raises NotFoundError.
    """
    document = storage.document(document_id)
    others = {one.document_id: one for one in storage.documents() if one.document_id != document_id}
    profiles = {profile.document_id: profile for profile in storage.topics.profiles()}
    found: dict[str, list[Reason]] = {}
    for one, reason in (
        *_named(document, others, profiles, storage),
        *_naming(document, profiles.get(document_id), storage),
        *_alike(document_id, profiles.values(), spread),
        *_sharing(document_id, known, len(others) + 1),
    ):
        if one in others:
            found.setdefault(one, []).append(reason)
    ranked = [
        Related(
            one, others[one].name, round(sum(WORTH[reason.kind] * reason.strength for reason in reasons), 4),
            sorted(reasons, key=lambda reason: -WORTH[reason.kind] * reason.strength),
        )
        for one, reasons in found.items()
    ]  # fmt: skip
    return sorted(ranked, key=lambda one: (-one.score, one.name))[:most]


def names_of(document: Document, profile: TopicProfile | None) -> list[str]:
    """Return what a document is named by in other texts: title, file name, numbers in these; the longest first."""
    stem = PurePath(document.name).stem.replace("_", " ")
    given = [_spaced(text) for text in (profile.title if profile else "", stem)]
    titles = [text for text in given if _telling(text)]
    numbers = [number for text in given for number in _NUMBER.findall(text)]
    quoted = [f"《{text}》" for text in given if is_unspaced(text) and 1 < len(text) < SHORTEST_HAN_TITLE]
    return sorted(dict.fromkeys([*titles, *numbers, *quoted]), key=lambda name: -len(name))


def _named(
    document: Document,
    others: Mapping[str, Document],
    profiles: Mapping[str, TopicProfile],
    storage: Storage,
) -> list[tuple[str, Reason]]:
    """The others that this document names."""
    own = names_of(document, profiles.get(document.document_id))
    text = _text_of(document, storage)
    for name in own:
        text = text.replace(name, "\n")
    names = [
        (name, one) for one, other in others.items() for name in names_of(other, profiles.get(one))
        if name in text
    ]  # fmt: skip
    found: dict[str, Reason] = {}
    for name, one in sorted(names, key=lambda pair: -len(pair[0])):
        if stands_in(name, text):
            found.setdefault(one, Reason("names", 1.0, (name,)))
            text = text.replace(name, "\n") if sum(other == name for other, _ in names) == 1 else text
    return list(found.items())


def _naming(document: Document, profile: TopicProfile | None, storage: Storage) -> list[tuple[str, Reason]]:
    """The others that name this document: the best nodes for the words of its names that have one in full."""
    snapshot = storage.snapshot()
    everywhere = snapshot.scope(Filters())
    found: dict[str, Reason] = {}
    for name in names_of(document, profile):
        best = snapshot.sparse_search(query_terms(name), READ_NODES, everywhere)
        for stored in snapshot.nodes([one.key for one in best]):
            if stands_in(name, _spaced(f"{stored.node.title}\n{stored.node.text}"[:READ_LETTERS])):
                found.setdefault(stored.document_id, Reason("named_by", 1.0, (name,)))
    return list(found.items())


def _alike(
    document_id: str, profiles: Iterable[TopicProfile], spread: Callable[[], float | None]
) -> list[tuple[str, Reason]]:
    by_id = {profile.document_id: profile for profile in profiles}
    here = by_id.get(document_id)
    if here is None or here.vector is None:
        return []
    vectors = {one: p.vector for one, p in by_id.items() if p.vector is not None and p.model == here.model}
    space = Space(vectors, spread() if len(vectors) < ENOUGH else None)
    return [
        (one, Reason("alike", round(min(1.0, (value - LEAST_ALIKE) / (FULLY_ALIKE - LEAST_ALIKE)), 3)))
        for one, value in space.nearest(document_id, MOST)
        if value > LEAST_ALIKE
    ]


def _sharing(document_id: str, known: KnownTopics, count: int) -> list[tuple[str, Reason]]:
    """The others in the same topics; a topic says the more, the fewer documents are in it."""
    shared: dict[str, list[tuple[float, str]]] = {}
    for topic, confidence in known.of_document(document_id):
        rarity = math.log((count + 1) / len(topic.documents)) / math.log(count + 1)
        for member in topic.documents:
            worth = rarity * min(confidence, member.confidence)
            if member.document_id != document_id and worth >= LEAST_SHARED:
                shared.setdefault(member.document_id, []).append((worth, topic.name))
    return [
        (
            one,
            Reason(
                "topics", round(min(1.0, sum(worth for worth, _ in topics)), 3),
                tuple(name for _, name in sorted(topics, reverse=True)[:SHOWN_TOPICS]),
            ),
        )
        for one, topics in shared.items()
    ]  # fmt: skip


def _text_of(document: Document, storage: Storage) -> str:
    pieces: list[str] = []
    letters = 0
    for node in storage.tree(document.document_id).nodes:
        pieces += [node.title, node.text]
        letters += len(node.title) + len(node.text)
        if letters > READ_LETTERS:
            break
    return _spaced("\n".join(pieces)[:READ_LETTERS])


def _telling(title: str) -> bool:
    """Tell whether a title could hardly stand in a text by chance: two words and eight letters, four characters."""
    if is_unspaced(title):
        return len(title) >= SHORTEST_HAN_TITLE
    return " " in title and len(title) >= SHORTEST_TITLE


def _spaced(text: str) -> str:
    """A text of one width, with runs of space as one; names keep their case, which tells them from other words."""
    return " ".join(unicodedata.normalize("NFKC", text).split())
