"""A model's reply as it is streamed and shown: without what it thought, its wrappings and the steps of a protocol.

What the model wrote for the reader stays as it is, Markdown and all; pages make it harmless where they show it.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.answer.agent.protocol import begins_a_step, read_arguments, without_protocol
from engine.answer.check.marks import says_not_told
from engine.answer.events import Discard, OnEvent, Token
from engine.errors import CancelledError
from engine.providers.llm import Llm
from engine.providers.thinking import may_hold_marks, settled, thought_in, without_thinking
from engine.structure.sentences import split_sentences

# What a model is asked to begin with when the evidence holds no answer, or a part of it.
NOT_FOUND = "NOT_IN_DOCUMENTS"
# Small models put a mark before it.
_MARKS = r"(?:[\[【]\s*\^?\d{1,3}\s*[\]】]\s*)*"
_NOT_FOUND = re.compile(_MARKS + r"[`*\"'\[(]*NOT[_\s-]?IN[_\s-]?(?:THE[_\s-])?DOCUMENTS?[`*\"'\])]*[.:。：]?\s*", re.I)
_PARTLY = re.compile(_MARKS + r"[`*\"'\[(]*PARTLY[_\s-]IN[_\s-]DOCUMENTS?[`*\"'\])]*[.:。：]?\s*", re.I)
# Under a denial: other searches that the model would try.
_SEARCH = re.compile(r"^\W*SEARCH\W*[:：](?P<queries>.*)", re.M | re.S)
_SHORT = 200
_FENCE = re.compile(r"^\s*```(?P<kind>[\w-]*)[ \t]*\n(?P<inner>.*?)\n?```\s*$", re.S)
_WRAPPINGS = frozenset(["markdown", "md", "json", "text"])
_ANSWER_KEYS = ("answer", "final_answer", "response", "text", "content", "答案", "回答")
_A_MARK = re.compile(r"[\[【]\s*\^?\d{1,3}\s*[\]】]")
# A mark in whose middle a reply was cut off.
_HALF_A_MARK = re.compile(r"\s*[\[【]\s*\d{0,4}\s*$")
_LONGEST = 200_000


def clean_reply(reply: str) -> str:
    """Return the text of a whole reply; "" when there is nothing in it that can be read."""
    text = without_thinking(reply[:_LONGEST]).strip()
    text = _unwrapped(without_protocol(text)).strip()
    text = _HALF_A_MARK.sub("", text)
    return text if re.search(r"\w", _A_MARK.sub("", text)) else ""


def says_not_found(text: str) -> bool:
    """True when a reply is the agreed marker, or a short statement that the answer is not there."""
    match = _NOT_FOUND.search(text)
    if match:
        return len(text) - len(match[0]) < _SHORT or match.start() == 0
    if re.search(r"[\[【]\D{0,10}\d", text):  # a statement with a source is an answer
        return False
    return len(text) < _SHORT and says_not_told(text) and len(split_sentences(text)) <= 2


def is_denied(text: str) -> bool:
    """True for a reply that begins by saying that the documents do not tell."""
    return bool(_NOT_FOUND.match(text))


def is_partial(text: str) -> bool:
    """True for a reply that begins by saying that the evidence tells a part of what is asked."""
    return bool(_PARTLY.match(text))


def searches_in(text: str) -> list[str]:
    """Return the searches that a reply that denies asks for, what it says is missing where it names none."""
    named = _SEARCH.search(text)
    queries = re.split(r"[;；\n]", named["queries"] if named else without_marker(text))
    return [query for one in queries if re.search(r"\w", query := one.strip(' -*`"“”'))]


def without_marker(text: str) -> str:
    """Return a reply without the marker that says how much was found; "" where only marks of places are left."""
    marker = _NOT_FOUND.match(text) or _PARTLY.match(text)
    if not marker:
        return text
    rest = _SEARCH.sub("", text[marker.end() :]).strip()
    return rest if re.search(r"\w", _A_MARK.sub("", rest)) else ""


def _unwrapped(text: str) -> str:
    """Take a fence and a JSON object with an answer in it from around a text; code that was asked for stays."""
    fenced = _FENCE.match(text)
    kind, inner = (fenced["kind"].casefold(), fenced["inner"].strip()) if fenced else ("", text)
    if fenced and not _is_wrapped(kind, inner):
        return text
    found = read_arguments(inner) if inner.startswith("{") else {}
    if not found:
        return inner
    said = next((str(found[key]) for key in _ANSWER_KEYS if isinstance(found.get(key), str)), "")
    return said or (text if kind == "json" else "")


def _is_wrapped(kind: str, inner: str) -> bool:
    answers = kind in _WRAPPINGS or (not kind and (_A_MARK.search(inner) or inner[:1] == "{"))
    return bool(answers) and "```" not in inner


def visible(pieces: Iterable[str]) -> Iterator[Token | Discard]:
    """Tell what a reader may see of streamed pieces: no thought, no marker, no JSON wrapping, no tool call.

    The first characters are held back until it is clear what they begin. Where only the end of a thought is marked,
    what was told before is discarded, and the answer begins anew. What is not shown, a wrapped reply say, is still
    read to its end.
    """
    told = ""
    coming = _readable(pieces)
    for now, begun in coming:
        if not now.startswith(told):
            told = ""
            yield Discard("")
        if not told and not begun:
            continue
        if not told and _wraps(now):
            deque(coming, maxlen=0)
            return
        if len(now) > len(told):
            yield Token(now[len(told) :])
        told = now


def _readable(pieces: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield after each piece, and at the end, what is no thought so far, and whether it is clear what that begins."""
    whole = now = ""
    plain = False  # where no mark is under way a piece without any adds to what is read
    for piece in pieces:
        whole += piece
        if plain and not may_hold_marks(piece):
            now += piece
        else:
            so_far = settled(whole)
            now = without_thinking(so_far).lstrip()
            plain = bool(now) and so_far == whole and without_thinking(so_far + "x").endswith("x")
        yield now, len(re.sub(f"^{_MARKS}", "", now[:_SHORT])) >= len(NOT_FOUND) + 2
    now = without_thinking(whole).lstrip()
    yield now, bool(now)


def _wraps(start: str) -> bool:
    """True for the beginning of what is no prose for the reader: the marker, JSON, a wrapping fence, a tool call."""
    fence = re.match(r"```([\w-]*)", start)
    wraps = fence is not None and (not fence[1] or fence[1].casefold() in _WRAPPINGS)
    return wraps or begins_a_step(start) or is_denied(start) or is_partial(start)


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote, as it came. ``stopped`` when the user ended it; ``finish`` as the endpoint says."""

    text: str
    finish: str
    stopped: bool = False

    @property
    def thought(self) -> str:
        """What it thought before it answered."""
        return thought_in(self.text[:_LONGEST])


def write(
    messages: Sequence[dict[str, Any]], llm: Llm, tell: OnEvent = lambda event: None,
    cancelled: Callable[[], bool] | None = None,
) -> Written:  # fmt: skip
    """Let the model answer what the messages ask and return its reply, unchecked.

    ``tell`` gets the readable pieces as they come, and is told where they turn out to have been thought. Raises
    ProviderError.
    """
    reply = llm.stream(list(messages), cancelled=cancelled)
    received: list[str] = []

    def recorded() -> Iterator[str]:
        for piece in reply:
            received.append(piece)
            yield piece

    try:
        for event in visible(recorded()):
            tell(event)
    except CancelledError:
        return Written("".join(received), "stopped", stopped=True)
    return Written("".join(received), reply.finish)
