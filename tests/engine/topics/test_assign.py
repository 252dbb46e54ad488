"""Documents that come to a library with topics: which they join, and when they make topics of their own."""

import numpy as np

from engine.topics.assign import Assignment
from engine.topics.names import NameIndex
from storage.topics import NAMES_END, TopicLink, TopicProfile

DIMENSIONS = 40


def profiles(subject, *directions, words, says=""):
    """Documents whose vectors have these directions in common, each with a little of its own."""
    found = []
    for number, word in enumerate(words):
        vector = np.ones(DIMENSIONS) * 2
        vector[list(directions)] += 6
        vector[20 + len(subject) + number] += 1
        vector = (vector / np.linalg.norm(vector)).astype(np.float32)
        name = f"{word.title()} {subject}"
        found.append(TopicProfile(f"{subject} {number}", "", name, f"{name}{NAMES_END}{says}", "m", vector))
    return found


OLD = profiles("Roses", 0, 1, words=["red", "white", "wild", "tall", "old", "rare"])
OTHERS = profiles("Ledger", 9, 10, words=["first", "second", "third", "fourth", "fifth", "sixth"])
NEW = profiles("Orchids", 0, 1, 4, 5, words=["pale", "spotted", "tropical"], says="They grow beside roses.")


def first_topics(known, pending, links):
    """The topics of the pending documents by id, the surest of each, after the known ones were sorted."""
    names = NameIndex((), None, 0.85)
    before = Assignment([*known], {}, {}, names, most=5, spread=0.06).run([p.document_id for p in known])
    links |= before.links
    done = Assignment([*known, *pending], before.topics, links, names, most=5, spread=0.06).run(
        [p.document_id for p in pending]
    )
    return {one: _surest(found) for one, found in {**before.links, **done.links}.items()}


def _surest(links: list[TopicLink]) -> str:
    return max(links, key=lambda link: link.confidence).topic_id


def test_one_document_joins_the_topic_it_is_most_like_and_says():
    first = first_topics([*OLD, *OTHERS], NEW[:1], {})
    assert first["Orchids 0"] == first["Roses 0"] != first["Ledger 0"]


def test_documents_that_come_together_and_are_much_more_alike_make_a_topic_of_their_own():
    first = first_topics([*OLD, *OTHERS], NEW, {})
    assert first["Orchids 0"] == first["Orchids 1"] == first["Orchids 2"]
    assert first["Orchids 0"] not in (first["Roses 0"], first["Ledger 0"])
