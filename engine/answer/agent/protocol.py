"""A step in text, for models that cannot call tools: one JSON object, {"thought": …, "tool": …, "arguments": {…}}.

An object with an "answer" is the last word. What stands around the object is not read; what is no step is asked for
once more.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from pydantic_core import from_json

from engine.answer.agent.plan import Move
from engine.providers.thinking import without_thinking

# The tool that ends a run.
FINAL = "final_answer"
_TOOL_KEYS, _ARGUMENT_KEYS = ("tool", "name", "action", "function"), ("arguments", "parameters")
_BEGINNING = re.compile(r"\s*(?:<tool_call>|```\w*\s*\{|\{)")
_LONGEST, _LONGEST_THOUGHT = 20_000, 600


def read_reply(text: str) -> Move:
    """Return the step that a reply asks for."""
    text = without_thinking(text[:_LONGEST])
    found = read_arguments(text)
    if isinstance(found.get("function"), Mapping):  # {"function": {"name": …, "arguments": …}}
        found = dict(found["function"])
    named, given = _first_of(_TOOL_KEYS, found), _first_of(_ARGUMENT_KEYS, found)
    if isinstance(given, str):
        given = read_arguments(given)
    thought = one_line(str(found.get("thought") or text.partition("{")[0].removesuffix("<tool_call>")))
    if isinstance(named, str) and named.strip():
        return Move(thought, named.strip(), given if isinstance(given, Mapping) else {})
    return Move(thought, FINAL if isinstance(found.get("answer"), str) else "", found)


def _first_of(keys: Sequence[str], found: Mapping[str, Any]) -> Any:
    return next((found[key] for key in keys if found.get(key)), {})


def without_protocol(text: str) -> str:
    """Return what a reply that was to be prose says to the user: of a last word its answer, of another step nothing."""
    said = begins_a_step(without_thinking(text)) and read_reply(text).tool
    return answer_so_far(text) if said else text


def answer_so_far(text: str) -> str:
    """Return what the arguments of the last word, or a step that is it, say of the answer as far as they have come."""
    step = read_reply(text)
    answer = step.params.get("answer") if step.tool == FINAL else ""
    return answer if isinstance(answer, str) else ""


def begins_a_step(text: str) -> bool:
    """True for the beginning of a reply that is an object, not prose."""
    return bool(_BEGINNING.match(text))


def read_arguments(text: str) -> dict[str, Any]:
    """Return the first JSON object in a text, one that was cut off, too; {} where there is none."""
    start = text.find("{")
    ways: tuple[Callable[[str], Any], ...] = (_whole, partial(from_json, allow_partial="trailing-strings"))
    for read in ways if start >= 0 else ():
        with suppress(ValueError, RecursionError):
            found = read(text[start:])
            return found if isinstance(found, dict) else {}
    return {}


def _whole(text: str) -> Any:
    """Return the object that a text begins with, line breaks in its texts as models write them."""
    return json.JSONDecoder(strict=False).raw_decode(text)[0]


def one_line(text: str) -> str:
    """Return a thought as a trace tells it."""
    return " ".join(text.replace("```", " ").split())[:_LONGEST_THOUGHT]
