"""What leads from a question to a passage that it does not name.

Of "Where was the director of The Salt Ledger born?" the passage that answers is the director's, and he is named in the
one on the film. Read by itself his tells nothing that was asked; read under the sentence that names him ("The Salt
Ledger is a film directed by Augustin Revell") it does. A sentence leads to a passage when it has the name that the
passage goes by and words of the question that the passage lacks; one more may lead to that sentence in the same way.
Such questions are the bridge questions of HotpotQA (Yang et al. 2018).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.answer.agent.web import without_brackets
from engine.answer.understand.terms import content_terms
from engine.index.tokenize import tokens
from engine.structure.sentences import is_cjk

# Words of the question (by weight) that a sentence must add, and letters of all that leads to a passage.
_LEAST_ADDED = 1.0
_LETTERS, _LETTERS_CHINESE = 300, 140
_LEAST_NAME, _LEAST_NAME_CHINESE = 4, 2


class Article(NamedTuple):
    """A passage as it is led to: the names it goes by, its title, and its sentences."""

    names: tuple[str, ...]
    title: str
    sentences: tuple[str, ...]


class _Step(NamedTuple):
    """A sentence of the article ``other`` that names the next one, under its title, and the question's words there."""

    other: int
    line: str
    held: frozenset[str]


def article(titles: Sequence[str], sentences: Sequence[str]) -> Article:
    """Return a passage by the titles over it, the first of which is its own."""
    bare = dict.fromkeys(without_brackets(title).strip() for title in titles)
    names = (name for name in bare if len(name) >= (_LEAST_NAME_CHINESE if is_cjk(name) else _LEAST_NAME))
    return Article(tuple(names), titles[0] if titles else "", tuple(sentences))


def bridges(question: str, articles: Sequence[Article]) -> list[str]:
    """Return for each article what leads from the question to it through the others, "" for nothing."""
    wanted = content_terms(question)
    steps = {
        index: _steps(index, articles, wanted)
        for index, one in enumerate(articles)
        if one.names and not any(name in question for name in one.names)
    }
    return [_line(index, articles[index], steps, wanted) if steps.get(index) else "" for index in range(len(articles))]


def _steps(index: int, articles: Sequence[Article], wanted: dict[str, float]) -> list[_Step]:
    found = []
    for other, one in enumerate(articles):
        names = [name for name in articles[index].names if name not in one.names]
        for sentence in one.sentences if names else ():
            if any(name in sentence for name in names):
                named = not one.title or without_brackets(one.title) in sentence
                line = sentence.strip() if named else f"{one.title}: {sentence.strip()}"
                found.append(_Step(other, line, frozenset(tokens(line)) & wanted.keys()))
    return found


def _line(index: int, one: Article, steps: dict[int, list[_Step]], wanted: dict[str, float]) -> str:
    """Return the sentence that leads to an article, after the one that leads to it if there is one."""
    known = frozenset(tokens(" ".join([*one.names, *one.sentences])))
    last = _best(steps[index], known, wanted)
    if last is None:
        return ""
    before = [step for step in steps.get(last.other, ()) if step.other != index and step.line != last.line]
    first = _best(before, known | last.held, wanted)
    line = f"{first.line} {last.line}" if first else last.line
    return line[: _LETTERS_CHINESE if is_cjk(line) else _LETTERS]


def _best(steps: Sequence[_Step], known: frozenset[str], wanted: dict[str, float]) -> _Step | None:
    """Return the step that adds most words of the question to those known; None where none adds enough."""

    def added(step: _Step) -> float:
        return sum(wanted[term] for term in step.held - known)

    best = max(steps, key=added, default=None)
    return best if best is not None and added(best) >= _LEAST_ADDED else None
