"""What a question asks of one thing, "the revenue of Acme", 锦程置业的总经理, told of others only.

A passage on Acme and one on the revenue of Borealis hold all words of the question together and answer nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.index.tokenize import tokens
from engine.structure.sentences import is_cjk

_NAME = r"[A-Z][\w'’&.-]*(?:\s+(?:(?:of|de|van|von|the)\s+)?[A-Z0-9][\w&.-]*)*"
# Only where nothing more is asked: "where was the head of Acme born?" asks for what a head does.
_OF_ENGLISH = (
    re.compile(
        rf"\b[Tt]he\s+(?P<what>[a-z][\w-]*(?:\s+[a-z][\w-]*)?)\s+(?:of|for|at)\s+(?:the\s+)?(?P<whose>{_NAME})\W*$"
    ),
    re.compile(rf"\b(?P<whose>{_NAME})['’]s?\s+(?P<what>[a-z][\w-]*(?:\s+[a-z][\w-]*)?)\W*$"),
)
_OF_CHINESE = re.compile(
    r"(?P<whose>[\u3400-\u9fffA-Za-z0-9·]{2,14}?)的(?P<what>[\u3400-\u9fff]{2,6}?)(?:是|有|为|為|在|叫)?"
    r"(?:多少|什么|什麼|谁|誰|哪[里裡个個些位家年天]?|[几幾].?)?[？?。\s]*$"
)


def told_of_others_only(question: str, nodes: Sequence[frozenset[str]]) -> bool:
    """True when what is asked of a thing stands in nodes (their terms), but in none that speaks of that thing."""
    asked = _asked(question)
    if asked is None:
        return False
    whose, what = asked
    on_it = [node for node in nodes if whose <= node]
    return bool(on_it) and not any(what <= node for node in on_it) and any(what <= node for node in nodes)


def _asked(question: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the terms of whose and of what is asked; None where a question does not say so."""
    forms = (_OF_CHINESE,) if is_cjk(question) else _OF_ENGLISH
    match = next((found for form in forms if (found := form.search(question))), None)
    if match is None:
        return None
    whose, what = frozenset(tokens(match["whose"])), frozenset(tokens(match["what"]))
    return (whose, what) if whose and what else None
