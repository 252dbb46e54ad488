"""The subjects of a question that compares: "Who is older, A or B?", "A和B哪个更大？"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.answer.agent.names import title_terms, titles_of
from engine.answer.understand.terms import content_terms, coverage
from engine.index.tokenize import tokens
from engine.model import Evidence

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


def compares_what_is_told(question: str, evidence: Sequence[Evidence]) -> bool | None:
    """Return whether a question compares two things that are told of; None where it compares none, or may be.

    They are where each is what a passage is about, by its own title. They are not where one stands in no title and
    no passage speaks of both: that a name is mentioned tells nothing to compare.
    """
    subjects = subjects_of(question)
    if not subjects:
        return None
    titles = {title for item in evidence for title in titles_of(item.hit.document, item.hit.path, item.title)}
    if all(title_terms(one.name) in titles for one in subjects):
        return True
    if all(any(title_terms(one.name) <= title for title in titles) for one in subjects):
        return None
    texts = ["\n".join([item.hit.document, *item.hit.path, item.title, item.text]) for item in evidence]
    return None if any(all(one.covered_by([text]) for one in subjects) for text in texts) else False
