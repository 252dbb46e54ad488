"""Whether a sentence is about another thing of the kind: part-time employees, where full-time ones are asked about."""

from __future__ import annotations

import re
from itertools import pairwise

from engine.answer.understand.language import is_chinese
from engine.answer.understand.terms import terms_with_forms, weight
from engine.index.tokenize import tokens

_WORD = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")
_HAN = re.compile(r"[\u3400-\u9fff]+")


def contrasts(question: str, sentence: str, above: str) -> bool:
    """True where a word of the question's is qualified otherwise in a sentence, and its own qualifier is nowhere near.

    ``above`` is what stands over the sentence: its titles may qualify it, too.
    """
    if is_chinese(question):
        return _contrasts_chinese(question, sentence, above)
    held = terms_with_forms(f"{above} {sentence}")
    asked = terms_with_forms(question)
    said = [(word, *_stems(word)) for word in _WORD.findall(sentence.lower())]
    for qualifier, noun in pairwise(_WORD.findall(question.lower())):
        own, name = _stems(qualifier), _stems(noun)
        if not own or not name or set(own) <= held or not set(name) <= held:
            continue
        for (_, *before), (_, *here) in pairwise(said):
            if here == list(name) and before and not set(before) <= asked:
                return True
    return False


def _stems(word: str) -> tuple[str, ...]:
    return tuple(term for term in tokens(word) if weight(term) > 0)


def _contrasts_chinese(question: str, sentence: str, above: str) -> bool:
    for run in _HAN.findall(question):
        for i in range(2, len(run) - 1):
            own, noun = run[i - 2 : i], run[i : i + 2]
            if min(weight(own), weight(noun)) < 1 or own in sentence or own in above or noun not in sentence:
                continue
            at = sentence.index(noun)
            before = sentence[max(0, at - 2) : at]
            if len(before) == 2 and _HAN.fullmatch(before) and weight(before) >= 1 and before not in question:
                return True
    return False
