"""The text protocol for models that cannot call tools.

Asked for are three lines, in either language:

    Thought: …        思考：…
    Action: tool      行动：tool
    Parameters: {…}   参数：{…}

Understood are also bold marks and fences, a JSON object that names a tool, in the tags that many models are trained
with or bare, and "Final answer: …" in place of a call of the tool. What else comes is asked for once more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.answer.grounded.thinking import without_thinking

_MARK = r"^[\s>*#_`-]*(?:{words})[*_`]*\s*[:：][*_]*[ \t]*"
_THOUGHT = re.compile(_MARK.format(words="thought|思考"), re.I | re.M)
_ACTION = re.compile(_MARK.format(words="action|行动"), re.I | re.M)
_PARAMS = re.compile(_MARK.format(words="parameters|arguments|action input|参数"), re.I | re.M)
_FINAL = re.compile(_MARK.format(words="final answer|final_answer|最终答案"), re.I | re.M)
_INVENTED = re.compile(_MARK.format(words="observation|观察") + r"|^[ \t]*<evidence\b", re.I | re.M)
_TAG = "<tool_call>"
# An action is a line with a tool's name: prose may say "Action: …", too.
_TOOL = re.compile(r"[*`\"']*([A-Za-z]\w*)[*`\"']*[ \t]*(?=[\n{]|$)")
_FENCED = re.compile(r"^```[\w-]*[ \t]*\n(.*?)\n?(?:```)?$", re.S)
_CITED = re.compile(r"[\[【]\d{1,3}[\]】]")
_TOOL_KEYS, _PARAM_KEYS = ("action", "tool", "name", "function"), ("parameters", "arguments", "action_input")
# What stands in quotation marks, else one character.
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|.", re.S)
_ANSWER = re.compile(r'"answer"\s*:\s*"((?:[^"\\]|\\.)*)', re.S)
# An escape that is still under way, or half of a pair.
_HALF_ESCAPED = re.compile(r"\\u(?:[0-9a-f]{0,3}|d[89ab][0-9a-f]{2}(?:\\u[0-9a-f]{0,3})?)$", re.I)
_LONGEST = 20_000
# The tool that ends a run.
FINAL = "final_answer"


@dataclass(frozen=True, slots=True)
class Request:
    """What a reply asks for; ``tool`` is "" where it asks for nothing that can be read."""

    thought: str
    tool: str
    params: Mapping[str, Any] = field(default_factory=dict)


def read_reply(text: str) -> Request:
    """Return the request in a reply."""
    text = _bare(text)
    action, final = _ACTION.search(text), _FINAL.search(text)
    tool = _TOOL.match(text, action.end()) if action else None
    if action is not None and tool is not None:
        params = _PARAMS.search(text, tool.end())
        given = read_arguments(text[(params or tool).end() :])
        return Request(_thought_in(text[: action.start()]), tool[1], given)
    if final is not None and text[final.end() :].strip():
        return Request(_thought_in(text[: final.start()]), FINAL, {"answer": text[final.end() :].strip()})
    before, _, after = text.partition(_TAG)
    found = read_arguments(after or text)
    if isinstance(found.get("function"), Mapping):  # {"function": {"name": …, "arguments": …}}
        found = dict(found["function"])
    thought = str(found.get("thought") or _thought_in(before.partition("{")[0]))
    named = next((found[key] for key in _TOOL_KEYS if found.get(key)), "")
    given = next((found[key] for key in _PARAM_KEYS if key in found), {})
    if isinstance(given, str):
        given = read_arguments(given)
    if isinstance(named, str) and named.strip():
        return Request(thought, named.strip(), given if isinstance(given, Mapping) else {})
    return Request(thought, FINAL, found) if isinstance(found.get("answer"), str) else Request(thought, "")


def goes_on_alone(text: str) -> bool:
    """True once a reply has called a tool and begins to write by itself what the tool finds."""
    invented = _INVENTED.search(text)
    return invented is not None and read_reply(text[: invented.start()]).tool not in ("", FINAL)


def without_protocol(text: str) -> str:
    """Return what a reply that was to be prose says to the user: of a final answer its text, of another call nothing.

    A reply that is no step of the protocol comes back as it is, without a thought in the line before it.
    """
    bare = _bare(text)
    request = read_reply(bare) if begins_a_step(bare) or bare.startswith("{") else Request("", "")
    if request.tool:
        answer = request.params.get("answer") if request.tool == FINAL else ""
        return answer if isinstance(answer, str) else ""
    thought = _THOUGHT.match(bare)
    if thought is None:
        return text
    line, _, rest = bare[thought.end() :].partition("\n")
    return rest.strip() or (line if _CITED.search(line) else "")


def answer_so_far(text: str) -> str:
    """Return what the arguments of the last word, or a step that is it, say of the answer as far as they have come."""
    found = _ANSWER.search(text) if text.lstrip().startswith("{") or FINAL in text else None
    if found is None:
        return ""
    try:
        return str(json.loads(f'"{_HALF_ESCAPED.sub("", found[1])}"', strict=False))
    except ValueError:
        return ""


def begins_a_step(text: str) -> bool:
    """True for the beginning of a reply that writes the protocol, however short it is yet."""
    return text.startswith(_TAG) or any(one.match(text) for one in (_THOUGHT, _ACTION, _FINAL))


def read_arguments(text: str) -> dict[str, Any]:
    """Return the first JSON object in a text, one that was cut off, too; {} where there is none."""
    start = text.find("{")
    whole = text[start:] if start >= 0 else ""
    for candidate in (whole, _closed(whole)):
        try:
            found, _ = json.JSONDecoder(strict=False).raw_decode(candidate)
        except (ValueError, RecursionError):
            continue
        return found if isinstance(found, dict) else {}
    return {}


def _bare(text: str) -> str:
    """Return a reply without reasoning block, and without the fence that stands around the whole of it."""
    text = without_thinking(text[:_LONGEST]).strip()
    fenced = _FENCED.match(text)
    return fenced[1].strip() if fenced else text


def _closed(text: str) -> str:
    """Close the quotation mark and brackets that a cut-off object leaves open."""
    bare, quote, _ = _QUOTED.sub(lambda found: found[0] * (len(found[0]) == 1), text).partition('"')
    brackets = "".join(character for character in bare if character in "{}[]")
    while (paired := brackets.replace("{}", "").replace("[]", "")) != brackets:
        brackets = paired
    return text.rstrip(", \n") + quote + brackets[::-1].translate(str.maketrans("{[", "}]"))


def _thought_in(text: str) -> str:
    found = _THOUGHT.search(text)
    thought = text[found.end() :] if found else text
    return " ".join(thought.replace("```", " ").split())[:600]
