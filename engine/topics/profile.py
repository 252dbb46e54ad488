"""What topics of a document are told from: its title, the names in it, a summary, and a mean of its vectors."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath

import numpy as np

from engine.model import PROSE, Document, Filters, Node
from engine.providers.embedding import Embedder
from engine.structure.terms import singular, terms_of
from engine.topics.given_names import Nearness, given_names, lexicon
from engine.topics.known import sentence_on
from engine.topics.likeness import nearness
from storage.base import Storage
from storage.topics import NAMES_END, TopicProfile

# Raised when profiles are made otherwise: topics of all documents are told again then, and stay where they fit.
PROFILE_VERSION = 9
HEADING_LEVEL, MOST_HEADINGS = 3, 40
TEXT_LETTERS = 2000
HEADING_LETTERS = 80
LEAST_SUMMARY = 80
# It stands before the title of every statute of its country and says nothing of the subject.
STATE = "中华人民共和国"
STEM_LETTERS = 5
_LATIN = re.compile(r"[A-Za-z]+")
OPENING_LINES = 3
# What a form tells of itself line by line, or a sentence, opens with no name.
_TOLD = re.compile(r"[:：,，;；\d]|\W$")
BEGINNING_NODES, BEGINNING_LETTERS = 50, 600
# So many nodes stand for a long document, and so much of one is embedded, about.
MOST_NODES, MOST_SECTIONS, READ_LETTERS = 400, 400, 500


def state_of(document: Document, model: str) -> str:
    """Return what a profile of a document's current version is marked with; another one wants a new profile."""
    return f"{PROFILE_VERSION} {document.sha256} {model}"


def profile_of(document: Document, storage: Storage, embedder: Embedder | None) -> TopicProfile:
    """Return the profile of a document's current version.

    However long the document is, a bounded number of its nodes is read; what text recognition is in doubt about names
    nothing. Raises NotFoundError when it is gone.
    """
    model = embedder.name if embedder else ""
    snapshot = storage.snapshot()
    inside = Filters((document.document_id,))
    keys: list[int] = snapshot.scope(inside).keys.tolist()
    vectors = snapshot.vectors(_spread(keys, MOST_NODES), model) if model else {}
    coarse = snapshot.scope(replace(inside, roles=("document", "section"))).keys
    sections: list[int] = coarse[:MOST_SECTIONS].tolist()
    wanted = sorted({*keys[:BEGINNING_NODES], *sections, *vectors})
    nodes = {one.key: one.node for one in snapshot.nodes(wanted)}
    mean = _mean([(vector, nodes[key]) for key, vector in vectors.items() if key in nodes])
    near = partial(nearness, mean, embedder) if embedder and mean is not None else None
    title, text = _told(document.name, nodes, sections, near)
    return TopicProfile(document.document_id, state_of(document, model), title, text, model, mean)


def _told(name: str, nodes: Mapping[int, Node], sections: Iterable[int], near: Nearness | None) -> tuple[str, str]:
    """Return the title of a document, and what is told of it; ``nodes`` are what was read of it, by their keys."""
    sure = {key: node for key, node in nodes.items() if not node.doubtful}
    body = "\n".join(node.text for node in sure.values())
    root = next((node for node in nodes.values() if node.role == "document"), Node("", None, "document"))
    titles = _titles("" if _is_doubted(root.title, nodes.values()) else root.title, name, body)
    title = next(iter(titles), _readable(_called(name)))
    headings = _headings(map(sure.__getitem__, filter(sure.__contains__, sections)), title)
    prose = _prose(sure.values())
    names = given_names(titles, [*_opening(sure.values()), *headings] if near else headings, body, prose, near)
    said = dict.fromkeys(filter(None, (sentence_on([name], prose) for name in names)))
    about = "\n".join([*headings[:MOST_HEADINGS], _summary(root, list(nodes.values()))])
    return title, "\n".join(names) + NAMES_END + "\n".join([about[:TEXT_LETTERS], *said])


def _is_doubted(title: str, nodes: Iterable[Node]) -> bool:
    return title in {node.title or node.text for node in nodes if node.doubtful}


def _spread(keys: list[int], most: int) -> list[int]:
    """Return up to ``most`` of the keys, evenly spread."""
    return [keys[at * len(keys) // most] for at in range(most)] if len(keys) > most else keys


def _mean(vectors: list[tuple[np.ndarray, Node]]) -> np.ndarray | None:
    """Return the mean of vectors by the letters of their nodes, so that short lines do not drown what is told."""
    if not vectors:
        return None
    weights = [max(1, min(len(node.title) + len(node.text), READ_LETTERS)) for _, node in vectors]
    mean = np.average(np.stack([vector for vector, _ in vectors]), axis=0, weights=weights)
    norm = float(np.linalg.norm(mean))
    return np.asarray(mean / norm, np.float32) if norm > 0 else None


def _headings(sections: Iterable[Node], title: str) -> list[str]:
    """Return the headings that somebody wrote, each once."""
    levels = ((node, node.level if node.level is not None else node.depth) for node in sections)
    written = (node for node, level in levels if level <= HEADING_LEVEL and not node.metadata.get("generated"))
    titles = (node.title for node in written if node.role == "section")
    return list(dict.fromkeys(one[:HEADING_LETTERS] for one in titles if one not in ("", title)))


def _titles(title: str, name: str, body: str) -> list[str]:
    """Return the title of a document and, where the document says its words, the name of its file."""
    titles = [title] if title not in ("", name, PurePath(name).stem) else []
    words = terms_of(_called(name))
    if 2 * sum(word[:STEM_LETTERS] in body.casefold() for word in words) > len(words):
        held = set(_LATIN.findall(body))
        titles.append(_LATIN.sub(lambda word: _as_written(word[0], held), _called(name)))
    return [title.replace(STATE, "") or title for title in titles]


def _called(name: str) -> str:
    stem = PurePath(name).stem
    return stem if " " in stem else re.sub(r"_|(?<!\d)-|-(?!\d)", " ", stem)


def _readable(called: str) -> str:
    """Return the name of a file, "" where most of it is codes rather than words: "zh poitl 554"."""
    words = [word for word in map(singular, re.findall(r"[^\W_]+", called.casefold())) if not word.isdigit()]
    known = lexicon().english  # empty without the dictionary
    told = sum(not word.isascii() or word in known for word in words)
    return called if not known or 2 * told > len(words) else ""


def _as_written(word: str, held: Collection[str]) -> str:
    """Return a word of a file's name in capitals where the text has it so and in no other way: hoa is HOA."""
    return word.upper() if word.upper() in held and word not in held else word


def _prose(nodes: Iterable[Node]) -> str:
    return "\n".join(node.text for node in nodes if node.role in PROSE)


def _opening(nodes: Iterable[Node]) -> list[str]:
    """Return the short lines that a document begins with, which may say what it is about before any heading does."""
    lines = [node.text for node in nodes if node.role == "paragraph"][:OPENING_LINES]
    return [line for line in lines if len(line) <= HEADING_LETTERS and not _TOLD.search(line)]


def _summary(root: Node, nodes: Sequence[Node]) -> str:
    summary = root.summary
    if len(summary) < LEAST_SUMMARY:
        summary = f"{summary}\n{_prose(nodes[:BEGINNING_NODES])[:BEGINNING_LETTERS]}".strip()
    return summary.replace(STATE, "")
