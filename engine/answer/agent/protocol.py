"""The text protocol for models that cannot call tools, and tolerance for what small models really send.

Asked for are three lines, in either language:

    Thought: …        思考：…
    Action: tool      行动：tool
    Parameters: {…}   参数：{…}

Understood are also: other words for the three marks, bold marks, code fences, a JSON object or XML tags in their
place, ``tool(name="value")``, parameters without quotation marks or as a bare text, a reasoning block before.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|$)", re.S | re.I)
_MARK = r"^[\s>*#_`-]*(?:{words})[*_`]*\s*[:：][*_`]*[ \t]*"
_THOUGHT = re.compile(_MARK.format(words="thought|thinking|reasoning|思考|想法|推理"), re.I | re.M)
_ACTION = re.compile(_MARK.format(words="action|tool|tool name|function|行动|动作|工具"), re.I | re.M)
_PARAMS = re.compile(
    _MARK.format(words="parameters?|params?|arguments?|args|action input|input|参数|输入"), re.I | re.M
)
_OBSERVATION = re.compile(_MARK.format(words="observation|result|观察|结果"), re.I | re.M)
_FENCE = re.compile(r"```[\w-]*\s*\n?(.*?)(?:```|$)", re.S)
_TAGGED = re.compile(r"<tool_call>\s*(.*?)\s*(?:</tool_call>|$)", re.S)
_CALL = re.compile(r"^\s*([A-Za-z_]\w*)\s*\((.*)\)\s*$", re.S)
_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_TOOL_KEYS = ("action", "tool", "name", "function", "tool_name", "行动", "工具")
_PARAM_KEYS = ("parameters", "params", "arguments", "args", "action_input", "input", "参数")
_THOUGHT_KEYS = ("thought", "thinking", "reasoning", "思考")
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Request:
    """What a reply asks for; ``tool`` is "" where it asks for nothing that can be read."""

    thought: str
    tool: str
    params: Mapping[str, Any] = field(default_factory=dict)


def read_reply(text: str, known: Collection[str]) -> Request:
    """Return the request in a reply; ``known`` are the names of the tools."""
    text = _THINKING.sub("", text[:_LONGEST]).strip()
    action = _ACTION.search(text)
    if action is not None:
        return _by_marks(text, action)
    tagged = _TAGGED.search(text)
    for part in [*([tagged[1]] if tagged else []), *_FENCE.findall(text), text]:
        request = _by_object(part, text)
        if request is not None:
            return request
    called = _called(text, known)
    return called or Request(_thought_in(text), "")


def read_arguments(text: str) -> dict[str, Any]:
    """Return the arguments in a text: JSON, nearly JSON, or ``name=value`` pairs; {} when there are none."""
    fenced = _FENCE.search(text)
    inner = (fenced[1] if fenced else text).strip()
    found = _object_in(inner)
    if found is not None:
        return found
    pairs = re.findall(r"[\"']?(\w+)[\"']?\s*[=:：]\s*(\[[^\]]*\]|\"[^\"]*\"|'[^']*'|[^,\n，]+)", inner)
    return {name: _value(value) for name, value in pairs}


def _by_marks(text: str, action: re.Match[str]) -> Request:
    params = _PARAMS.search(text, action.end())
    line = text[action.end() : params.start() if params else len(text)].strip()
    line = line.splitlines()[0] if params is None and line else line
    after = text[params.end() :] if params else text[action.end() :]
    stop = _OBSERVATION.search(after)
    after = after[: stop.start()] if stop else after
    call = _CALL.match(line.strip('`*" '))
    name = _NAME.search(line)
    if call and params is None:
        return Request(_thought_in(text[: action.start()]), call[1], read_arguments(call[2]))
    as_object = _object_in(line)
    if as_object is not None:
        request = _from_object(as_object, "")
        if request is not None:
            return Request(_thought_in(text[: action.start()]), request.tool, request.params)
    tool = name[0] if name else ""
    return Request(
        _thought_in(text[: action.start()]), tool, read_arguments(after) if params else _rest(after)
    )


def _rest(after: str) -> dict[str, Any]:
    """The arguments of a call whose mark for them is missing."""
    return _object_in(after) or {}


def _by_object(part: str, text: str) -> Request | None:
    found = _object_in(part)
    return _from_object(found, _thought_in(text[: text.find("{")])) if found is not None else None


def _from_object(found: Mapping[str, Any], thought: str) -> Request | None:
    tool = next((found[key] for key in _TOOL_KEYS if key in found), None)
    if isinstance(tool, Mapping):  # {"function": {"name": …, "arguments": …}}
        return _from_object(tool, thought)
    params = next((found[key] for key in _PARAM_KEYS if key in found), None)
    thought = str(next((found[key] for key in _THOUGHT_KEYS if key in found), thought))
    if isinstance(params, str):
        params = read_arguments(params)
    if isinstance(tool, str) and tool.strip():
        used = {*_TOOL_KEYS, *_PARAM_KEYS, *_THOUGHT_KEYS}
        rest = {key: value for key, value in found.items() if key not in used}
        return Request(thought, tool.strip(), params if isinstance(params, Mapping) else rest)
    answer = next((found[key] for key in ("answer", "final_answer", "答案", "回答") if key in found), None)
    return Request(thought, "final_answer", {**found, "answer": answer}) if isinstance(answer, str) else None


def _object_in(text: str) -> dict[str, Any] | None:
    """Return the first JSON object in a text, one that was cut off or uses Python's marks included."""
    start = text.find("{")
    if start < 0:
        return None
    decoder = json.JSONDecoder(strict=False)
    for candidate in (text[start:], text[start:].replace("“", '"').replace("”", '"'), _closed(text[start:])):
        try:
            found, _ = decoder.raw_decode(candidate)
        except ValueError:
            continue
        return found if isinstance(found, dict) else None
    try:
        found = ast.literal_eval(text[start : text.rfind("}") + 1])
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _closed(text: str) -> str:
    """Close the quotation mark and brackets that a cut-off object leaves open."""
    stack: list[str] = []
    quoted = escaped = False
    for character in text:
        if quoted:
            quoted = escaped or character != '"'
            escaped = character == "\\" and not escaped
        elif character == '"':
            quoted = True
        elif character in "{[":
            stack.append("}" if character == "{" else "]")
        elif character in "}]" and stack:
            stack.pop()
    return text.rstrip(", \n") + ('"' if quoted else "") + "".join(reversed(stack))


def _called(text: str, known: Collection[str]) -> Request | None:
    """Find ``tool(…)`` in a text without marks."""
    for match in re.finditer(r"([A-Za-z_]\w*)\s*\(", text):
        if match[1] in known:
            end = text.find(")", match.end())
            inner = text[match.end() : end if end >= 0 else len(text)]
            return Request(_thought_in(text[: match.start()]), match[1], read_arguments(inner))
    return None


def _thought_in(text: str) -> str:
    found = _THOUGHT.search(text)
    thought = text[found.end() :] if found else text
    return " ".join(thought.replace("```", " ").split())[:600]


def _value(text: str) -> Any:
    text = text.strip()
    try:
        return json.loads(text)
    except ValueError:
        return text.strip("\"'“” ")
