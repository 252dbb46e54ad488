"""Does a sentence say the opposite of what the text says that it cites?

Both are cut into clauses. Of the text those clauses are taken that hold the words of the sentence's clause, and
what turns the one and the others is counted: two turns cancel ("not without consent" is "only with consent").
What denies a word counts only where the other side speaks of that word, too; a turn that cannot be told to count
or not keeps the verdict open, so that other words for the same are never called the opposite. The turns are those
of :mod:`engine.answer.check.contradictions.negation`; sentences in another language than the text are not judged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from engine.answer.check.contradictions.negation import Turn, in_one_word, sides_of, turns_of
from engine.answer.check.locate import find_folded, sentences_of
from engine.answer.numbers import number_forms
from engine.answer.terms import Piece, pieces_covered, pieces_of, weight
from engine.index.tokenize import tokens
from engine.structure.sentences import is_cjk

# This much of a clause stands in the text's clauses that it is held against, and each adds so much of it.
_SPOKEN_OF, _ADDS = 0.5, 0.12
_LEFT = 0.2
# Of two sentences that speak of a clause nearly alike, one that says the same clears it.
_NEARLY = 0.1
_LEAST_WEIGHT = 1.5
_FOCUS_WORDS, _FOCUS_CHARACTERS = 2, 4
_CUT = re.compile(
    r"[,;:，；：。.!?！？、](?!\d)\s*|\s[–—-]\s|\n"
    r"|\s(?=(?:but|although|though|while|whereas|because|since|unless|nor)\s)"
    r"|\s(?=and\s(?:is|are|was|were|has|have|had|does|do|did|will|shall|must|may|can|never|not|no|it|they|he|she)\s)"
    r"|(?=但|却|而且|并且|也不|也没|又不)",
    re.I,
)
# A clause that opens or ends like this says under what condition the next one holds.
_OPENS_CONDITION = re.compile(
    r"\s*(?:(?:if|when|where|unless|without|after|before|in|on|at|for|with|by|once|during|while(?=\s\w+ing)"
    r"|under)\b|如果|若|如|经|未经|只有|除非|当|在|对于|按照|根据)",
    re.I,
)
_ENDS_CONDITION = re.compile(r"(?:的|时|后|前|下|者|期间|的话)\s*$")
_AFFIXED = re.compile(r"(?:un|in|im|ir|dis|non)(?P<rest>[a-z]{4,})$|(?P<stem>[a-z]{3,})less$")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*|\d[\d.,]*")
_HAN = re.compile(r"[\u3400-\u9fff]")
_BOUND_AFTER = {"以内": "upper", "之内": "upper", "以下": "upper", "以上": "lower"}
_BOUND_ZH = re.compile("|".join(_BOUND_AFTER))
_NEAR = 14
_EDGES = " \t\n*_#>`\"'“”‘’「」()（）.,;:!?。，；：！？、-•|"


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause: ``bare`` is its text with the turns blanked out, ``terms`` what it speaks of."""

    text: str
    turns: tuple[Turn, ...]
    bare: str
    terms: frozenset[str]

    @property
    def pieces(self) -> list[Piece]:
        """The pieces of the clause; what has a contrary is covered by its contrary, too."""
        return [
            piece._replace(terms=piece.terms | _sides(piece.terms))
            for piece in pieces_of(self.bare)
            if piece.weight > 0
        ]


def denies(claim: str, text: str, role: str = "paragraph") -> bool:
    """True when ``claim`` says the opposite of the sentence of ``text`` that speaks of the same.

    ``role`` is the text's role in its document. False wherever that cannot be told.
    """
    if is_cjk(claim) != is_cjk(text) or stands_there(claim, text):
        return False
    sentences = [clauses_of(sentence.text) for sentence in sentences_of(text, role)]
    return any(_denied(part, sentences) for part in _parts(claim))


def stands_there(claim: str, text: str) -> bool:
    """True for what stands word for word from the beginning of a clause on."""
    place = find_folded(claim.strip(_EDGES), text)
    before = text[: place[0]].rstrip() if place else ""
    return place is not None and (not before or before[-1] in _EDGES)


@lru_cache(maxsize=2048)
def clauses_of(sentence: str) -> tuple[_Clause, ...]:
    """Return the clauses of a sentence that say anything."""
    found = [_clause(part) for part in _CUT.split(sentence) if part and part.strip()]
    return tuple(one for one in found if one.terms or one.turns)


def _clause(text: str) -> _Clause:
    text = in_one_word(text)
    turns = turns_of(text)
    bare = text
    for turn in (turn for turn in turns if turn.kind not in ("plain", "perhaps")):
        bare = bare[: turn.start] + " " * (turn.end - turn.start) + bare[turn.end :]
    terms = frozenset(tokens(bare))
    return _Clause(text, tuple(turns), bare, terms | _sides(terms))


def _sides(terms: frozenset[str]) -> frozenset[str]:
    return frozenset(f"~{pair}" for term in terms for pair, _ in sides_of(term))


def _parts(claim: str) -> list[_Clause]:
    """Return the clauses of a claim that say enough to be held against a text, each with its conditions."""
    parts: list[str] = []
    held = ""
    for piece in (part for part in _CUT.split(claim) if part and part.strip()):
        held = f"{held}, {piece}" if held else piece
        own = _clause(piece)
        weighs = sum(one.weight for one in own.pieces)
        if weighs < _LEAST_WEIGHT or _OPENS_CONDITION.match(piece) or _ENDS_CONDITION.search(piece):
            continue
        parts.append(held)
        held = ""
    if held:
        parts[-1:] = [f"{parts[-1]}, {held}"] if parts else [held]
    return [_clause(part) for part in parts]


def _denied(part: _Clause, sentences: Sequence[Sequence[_Clause]]) -> bool:
    """True when the sentences that speak of a claim's clause turn it round, and none says the same."""
    pieces = part.pieces
    if sum(piece.weight for piece in pieces) < _LEAST_WEIGHT / 2:
        return False
    covered = [pieces_covered(pieces, frozenset().union(*(_speaks(c) for c in one))) for one in sentences]
    best = max(covered, default=0.0)
    if not best:
        return False
    verdicts = []
    for at, share in enumerate(covered):
        if share < best - _NEARLY:
            continue
        near = [clause for one in sentences[max(0, at - 1) : at + 2] for clause in one]
        about = _about(pieces, sentences[at], near)
        verdicts.append(
            bool(about) and _opposed(part, about, near) and not _unheard(pieces, about, sentences[at])
        )
    return bool(verdicts) and all(verdicts)


def _about(pieces: Sequence[Piece], own: Sequence[_Clause], near: Sequence[_Clause]) -> list[_Clause]:
    """Return the clauses that together hold a claim's pieces, the fullest first: of a sentence, then near it."""
    chosen: list[_Clause] = []
    have: frozenset[str] = frozenset()
    share = 0.0
    candidates: Sequence[_Clause] = own
    while True:
        gains = [(pieces_covered(pieces, have | _speaks(clause)), clause) for clause in candidates]
        best = max(gains, key=lambda gain: (round(gain[0], 3), _on_it(pieces, gain[1])), default=None)
        if best is None or best[0] - share < _ADDS:
            break
        share = best[0]
        have |= _speaks(best[1])
        chosen.append(best[1])
        candidates = near
    return chosen if share >= _SPOKEN_OF else []


def _unheard(pieces: Sequence[Piece], about: Sequence[_Clause], own: Sequence[_Clause]) -> bool:
    """True when the clauses leave something open that other clauses of the sentence may deny in other words."""
    rest = [clause for clause in own if clause not in about]
    left = 1 - pieces_covered(pieces, frozenset().union(*(_speaks(clause) for clause in about)))
    return left > _LEFT and any(turn.kind in ("not", "bar") for clause in rest for turn in clause.turns)


def _on_it(pieces: Sequence[Piece], clause: _Clause) -> float:
    """Return which share of a clause speaks of a claim's pieces."""
    terms = frozenset(term for piece in pieces for term in piece.terms)
    return pieces_covered(clause.pieces, terms)


def _opposed(part: _Clause, about: Sequence[_Clause], near: Sequence[_Clause]) -> bool:
    """True when a claim's clause and the clauses of the text are turned differently, with nothing left open."""
    if _other_bound(part, about):
        return True
    if _unbounded([part]) != _unbounded(about) and (_bounded([part]) or _bounded(about)):
        return True
    there: frozenset[str] = frozenset().union(*(clause.terms for clause in about))
    flips, contrary, ambiguous = _contrary(part, about)
    affixed, here, there = _affixes(part, about, there)
    turned = _turned([part], there) + _turned(about, here) + flips + affixed
    if turned % 2 == 0 or ambiguous:
        return False
    return (
        not _left_open([part], there)
        and not _left_open(about[:1], here)
        and not _uncertain(part, [*about, *_conditions(about, near)], contrary)
    )


def _turned(clauses: Sequence[_Clause], other: frozenset[str]) -> int:
    """Count the turns of clauses that deny what the other side (its terms) speaks of."""
    return sum(
        turn.kind == "bar" or (turn.kind == "not" and _speaks_of(clause, turn, other))
        for clause in clauses
        for turn in clause.turns
    )


def _left_open(clauses: Sequence[_Clause], other: frozenset[str]) -> bool:
    """True when a clause denies something that the other side does not speak of, or says in other words."""
    return any(
        turn.kind == "not" and not _speaks_of(clause, turn, other)
        for clause in clauses
        for turn in clause.turns
    )


def _speaks_of(clause: _Clause, turn: Turn, other: frozenset[str]) -> bool:
    """True when the other side (its terms) speaks of the words that a turn denies.

    These are the words right behind it, else those before it.
    """
    after, before = clause.bare[turn.end :], clause.bare[: turn.start]
    if is_cjk(clause.text):
        behind, ahead = after.split(), before.split()
        if behind and _HAN.match(behind[0]):
            run = behind[0][:_FOCUS_CHARACTERS]
        else:
            run = ahead[-1][-_FOCUS_CHARACTERS:] if ahead else ""
        if len(run) == 1:
            return any(run in term for term in other)
        words = frozenset(tokens(run))
    else:
        found = [stem for word in _WORD.findall(after) if not word.endswith("ly") for stem in _stems(word)]
        found = found or [stem for word in _WORD.findall(before) for stem in _stems(word)][::-1]
        words = frozenset(found[:_FOCUS_WORDS])
    return bool((words | _sides(words)) & other)


def _stems(word: str) -> list[str]:
    return [stem for stem in tokens(word) if weight(stem) > 0]


def _contrary(part: _Clause, about: Sequence[_Clause]) -> tuple[int, frozenset[str], bool]:
    """Return how many words of the claim have only their contrary in the text, the pairs held, and any doubt."""
    mine, theirs = _sides_in([part]), _sides_in(about)
    pairs = [pair for pair in mine if pair in theirs]
    flips = sum(len(mine[pair]) == len(theirs[pair]) == 1 and mine[pair] != theirs[pair] for pair in pairs)
    doubt = any(len(mine[pair]) != len(theirs[pair]) for pair in pairs)
    return flips, frozenset(f"~{pair}" for pair in pairs), doubt


def _sides_in(clauses: Sequence[_Clause]) -> dict[int, set[int]]:
    """Return the sides of each pair as the first clause says them that knows the pair."""
    found: dict[int, set[int]] = {}
    for clause in clauses:
        own: dict[int, set[int]] = {}
        for pair, side in (one for term in tokens(clause.text) for one in sides_of(term)):
            own.setdefault(pair, set()).add(side)
        found = own | found
    return found


def _uncertain(part: _Clause, about: Sequence[_Clause], contrary: frozenset[str]) -> bool:
    """True when one side has a word that may turn it and that the other has not; contrary words were held already."""
    return _perhaps([part], contrary) != _perhaps(about, contrary)


def _perhaps(clauses: Sequence[_Clause], contrary: frozenset[str]) -> set[str]:
    words = [
        " ".join(tokens(clause.text[turn.start : turn.end]))
        for clause in clauses
        for turn in clause.turns
        if turn.kind == "perhaps"
    ]
    return {word for word in words if not _sides(frozenset(word.split())) & contrary}


def _conditions(about: Sequence[_Clause], near: Sequence[_Clause]) -> list[_Clause]:
    """Return the clauses that say under what condition the chosen ones hold."""
    return [
        before
        for before, clause in pairwise(near)
        if clause in about and before not in about and _ENDS_CONDITION.search(before.text)
    ]


def _affixes(
    part: _Clause, about: Sequence[_Clause], there: frozenset[str]
) -> tuple[int, frozenset[str], frozenset[str]]:
    """Count the words that deny by how they begin or end what the other side says plainly: unsigned, fanless."""
    here = part.terms
    count = 0
    mine, theirs = _unaffixed([part]), _unaffixed(about)
    for stem, whole in mine.items():
        if stem in there and whole not in there:
            count, here = count + 1, here | {stem}
    for stem, whole in theirs.items():
        if stem in here and whole not in here:
            count, there = count + 1, there | {stem}
    return count, here, there


@lru_cache(maxsize=2048)
def _speaks(clause: _Clause) -> frozenset[str]:
    """Return the terms of a clause with those that its words deny: a fanless machine is one that speaks of fans."""
    return clause.terms | frozenset(_unaffixed([clause]))


def _unaffixed(clauses: Sequence[_Clause]) -> dict[str, str]:
    found: dict[str, str] = {}
    for clause in clauses:
        for word in _WORD.findall(clause.bare.lower()):
            if (match := _AFFIXED.match(word)) and (stems := tokens(match["rest"] or match["stem"])):
                found[stems[0]] = (tokens(word) or [word])[0]
    return found


def _unbounded(clauses: Sequence[_Clause]) -> bool:
    return any(turn.kind == "unlimited" for clause in clauses for turn in clause.turns)


def _bounded(clauses: Sequence[_Clause]) -> bool:
    return any(turn.kind in ("upper", "lower") for clause in clauses for turn in clause.turns)


def _other_bound(part: _Clause, about: Sequence[_Clause]) -> bool:
    """True when one amount is the most on one side and the least on the other."""
    mine, theirs = _bounds([part]), _bounds(about)
    return any(n in theirs and len(mine[n]) == len(theirs[n]) == 1 and mine[n] != theirs[n] for n in mine)


def _bounds(clauses: Sequence[_Clause]) -> dict[str, set[str]]:
    """Return how each number is bounded."""
    found: dict[str, set[str]] = {}
    for clause in clauses:
        for turn in clause.turns:
            if turn.kind in ("upper", "lower"):
                for number in number_forms(clause.text[turn.end : turn.end + _NEAR]):
                    found.setdefault(number, set()).add(turn.kind)
        for match in _BOUND_ZH.finditer(clause.text):
            for number in number_forms(clause.text[max(0, match.start() - _NEAR // 2) : match.start()]):
                found.setdefault(number, set()).add(_BOUND_AFTER[match[0]])
    return found
