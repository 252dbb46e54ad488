"""The subjects of a question that compares: "Who is older, A or B?", "A和B哪个更大？"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from engine.answer.understand.terms import content_terms, coverage
from engine.index.tokenize import tokens

_WORD = r"[A-Z0-9][\w'’.&-]*"
_CAPITALISED = rf"(?:[\"“][^\"”]{{2,60}}[\"”]|{_WORD}(?:\s+(?:(?:of|the|de|la|and|in|for)\s+)*{_WORD})*)"
_ENGLISH = re.compile(
    rf"(?P<a>{_CAPITALISED})(?:,?\s+(?:or|and|versus|vs\.?|than|with|to)\s+)(?:the\s+|in\s+)?(?P<b>{_CAPITALISED})"
)
_BOTH = re.compile(
    r"\b(?:both|same|either|older|younger|first|earlier|later|more|less|higher|lower|larger|smaller|longer|taller"
    r"|compar\w+|differ\w*|versus|vs|than|between|which|who)\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"(?P<a>[^，,。？?、\s的]{2,20}?)(?:和|与|跟|同|还是|比|相比)(?P<b>[^，,。？?、\s的]{2,20}?)"
    r"(?=相比|的|哪|谁|谁|都|是否|是不是|有什么|之间|更|在|[，,。？?])"
)
# A verb that asks begins with a capital, too: "Are Aladdin and ...".
_ASKS = re.compile(
    r"(?:Are|Is|Was|Were|Do|Does|Did|Have|Has|Had|Can|Could|Both)\s+(?:both\s+)?(?:the\s+)?", re.IGNORECASE
)
_COMPARING = re.compile(r"哪|谁|更|比|相差|区别|不同|是否|都|一样|相同")


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing that is compared, and the question for it alone."""

    name: str
    query: str

    def covered_by(self, texts: Iterable[str]) -> bool:
        """True when one of the texts speaks of the subject."""
        wanted = content_terms(self.name)
        return any(coverage(wanted, tokens(text)) >= 0.99 for text in texts)


def subjects_of(question: str) -> list[Subject]:
    """Return the two subjects of a question that compares; none for other questions."""
    match = _ENGLISH.search(question) if _BOTH.search(question) else None
    if match is None and _COMPARING.search(question):
        match = _CHINESE.search(question)
    if match is None:
        return []
    first = match["a"] if match.start() else _ASKS.sub("", match["a"], count=1)
    names = [first.strip('"“” '), match["b"].strip('"“” ')]
    rest = question[: match.start()] + " " + question[match.end() :]
    rest = " ".join(rest.split()).strip(" ?？,，")
    return [Subject(name, f"{name} {rest}".strip()) for name in names]
