"""The text protocol for models that cannot call tools, and tolerance for what small models really send.

Asked for are three lines, in either language:

    Thought: …        思考：…
    Action: tool      行动：tool
    Parameters: {…}   参数：{…}

Understood are also: other words for the three marks, bold marks, code fences around any part or the whole, a JSON
object or XML tags in their place, ``tool(name="value")``, parameters without quotation marks, with full-width marks or
as a bare text, a reasoning block before, and "Final answer: …" in place of a call of the tool.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from engine.answer.grounded.thinking import without_thinking

# A back tick behind the colon begins what is marked, a fence say.
_MARK = r"^[\s>*#_`-]*(?:{words})[*_`]*\s*[:：][*_]*[ \t]*"
_THOUGHT = re.compile(_MARK.format(words="thought|thinking|reasoning|思考|想法|推理"), re.I | re.M)
_ACTION = re.compile(_MARK.format(words="action|tool|tool name|function|行动|动作|工具"), re.I | re.M)
_PARAMS = re.compile(
    _MARK.format(words="parameters?|params?|arguments?|args|action input|input|参数|输入"), re.I | re.M
)
_FINAL = re.compile(_MARK.format(words="final answer|final_answer|最终答案|最终回答|最后答案"), re.I | re.M)
_OBSERVATION = re.compile(_MARK.format(words="observation|result|观察|结果"), re.I | re.M)
_INVENTED = re.compile(_MARK.format(words="observation|观察") + r"|^[ \t]*<evidence\b", re.I | re.M)
_FENCE = re.compile(r"```[\w-]*\s*\n?(.*?)(?:```|$)", re.S)
_FENCED = re.compile(r"^```[\w-]*[ \t]*\n(.*?)\n?(?:```)?$", re.S)
_TAGGED = re.compile(r"<tool_call>\s*(.*?)\s*(?:</tool_call>|$)", re.S)
_CALL = re.compile(r"^\s*([A-Za-z_]\w*)\s*\((.*)\)\s*$", re.S)
_NAME = re.compile(r"[A-Za-z_][\w.-]*")
# The brace before another, as a template writes them.
_DOUBLED = re.compile(r"\{(?=\{\s*[\"'“])")
_CITED = re.compile(r"[\[【]\d{1,3}[\]】]")
_TOOL_LINE = re.compile(r"\s*[*`\"']*([A-Za-z]\w*)[*`\"']*\s*(?:\(.*\)\s*)?")
_TOOL_KEYS = ("action", "tool", "name", "function", "tool_name", "op", "行动", "工具")
_PARAM_KEYS = ("parameters", "params", "arguments", "args", "action_input", "input", "参数")
_THOUGHT_KEYS = ("thought", "thinking", "reasoning", "思考")
_ASCII, _CURLY = str.maketrans("｛｝［］【】：，＝", "{}[][]:,="), str.maketrans("“”＂", '"""')
# What stands in quotation marks, else one character.
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|.", re.S)
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


def read_reply(text: str, known: Collection[str]) -> Request:
    """Return the request in a reply; ``known`` are the names of the tools."""
    text = _bare(text)
    action, final = _ACTION.search(text), _FINAL.search(text)
    if action is not None:
        return _by_marks(text, action)
    if final is not None and text[final.end() :].strip():
        return Request(_thought_in(text[: final.start()]), FINAL, {"answer": text[final.end() :].strip()})
    tagged = _TAGGED.search(text)
    for part in [*([tagged[1]] if tagged else []), *_FENCE.findall(text), text]:
        request = _by_object(part, text)
        if request is not None:
            return request
    called = _called(text, known)
    return called or Request(_thought_in(text), "")


def goes_on_alone(text: str, known: Collection[str]) -> bool:
    """True once a reply has called a tool and begins to write by itself what the tool finds."""
    invented = _INVENTED.search(text)
    if invented is None:
        return False
    return _form(read_reply(text[: invented.start()], known).tool) not in ("", _form(FINAL))


def without_protocol(text: str) -> str:
    """Return what a reply that was to be prose says to the user: of a final answer its text, of another call nothing.

    A reply that is no step of the protocol comes back as it is, without a thought in the line before it.
    """
    bare = _bare(text)
    if _is_step(bare):
        steps = [_by_marks(bare, action) for action in _ACTION.finditer(bare)] or [read_reply(bare, ())]
        answers = (step.params.get("answer") for step in steps if _form(step.tool) == _form(FINAL))
        return next((answer for answer in answers if isinstance(answer, str)), "")
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
    return bool(_TAGGED.match(text) or any(one.match(text) for one in (_THOUGHT, _ACTION, _FINAL)))


def read_arguments(text: str) -> dict[str, Any]:
    """Return the arguments in a text: JSON, nearly JSON, or ``name=value`` pairs; {} when there are none."""
    inner = next((part for part in map(str.strip, _FENCE.findall(text)) if part), text.replace("```", " "))
    if text.lstrip().startswith(("{", "｛")):
        inner = text
    for part in (inner, text):
        found = _object_in(part)
        if found is not None:
            return found
    pairs = re.findall(
        r"[\"']?(\w+)[\"']?\s*[=:：]\s*(\[[^\]]*\]|\"[^\"]*\"|'[^']*'|[^,\n，]+)",
        _with_ascii_marks(inner.strip()),
    )
    found = {}
    for name, value in pairs:
        with suppress(ValueError, RecursionError):
            found[name] = json.loads(value)
        found.setdefault(name, value.strip().strip("\"'“” "))
    return found


def _bare(text: str) -> str:
    """Return a reply without reasoning block, and without the fence that stands around the whole of it."""
    text = without_thinking(text[:_LONGEST]).strip()
    fenced = _FENCED.match(text)
    return fenced[1].strip() if fenced else text


def _form(tool: str) -> str:
    return "".join(character for character in tool.casefold() if character.isalnum())


def _is_step(text: str) -> bool:
    """True when a reply is a step: marked so, or an object or tag that calls a tool; prose may say "Action: …", too."""
    action = _ACTION.search(text)
    if action is not None:
        line = text[action.end() :].partition("\n")[0]
        named = _TOOL_LINE.fullmatch(line)
        marked = _THOUGHT.search(text, 0, action.start()) or _PARAMS.search(text, action.end())
        return named is not None and bool(marked or "_" in named[1] or "(" in line)
    if _FINAL.match(text) or (_THOUGHT.match(text) and _FINAL.search(text)):
        return True
    if text.startswith(("{", "<tool_call>")):
        found = _object_in(text)
        return found is not None and any(key in found for key in _TOOL_KEYS)
    return False


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
    given = read_arguments(after) if params else _object_in(after) or {}
    whole = _from_object(given, "") if any(key in given for key in _PARAM_KEYS) else None
    if whole is not None and _form(whole.tool) == _form(tool):  # the call once more instead of its arguments
        given = dict(whole.params)
    return Request(_thought_in(text[: action.start()]), tool, given)


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
    return Request(thought, FINAL, {**found, "answer": answer}) if isinstance(answer, str) else None


def _object_in(text: str) -> dict[str, Any] | None:
    """Return the first JSON object in a text; one that was cut off, in two braces or in Python's marks is read, too."""
    start = min((at for at in (text.find("{"), text.find("｛")) if at >= 0), default=-1)
    if start < 0:
        return None
    start += bool(_DOUBLED.match(text, start))
    decoder = json.JSONDecoder(strict=False)
    marked = _with_ascii_marks(text[start:])
    for candidate in (text[start:], marked, _closed(text[start:]), _closed(marked)):
        try:
            found, _ = decoder.raw_decode(candidate)
        except (ValueError, RecursionError):
            continue
        return found if isinstance(found, dict) else None
    try:
        found = ast.literal_eval(marked[: marked.rfind("}") + 1])
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):  # all that it raises
        return None
    return found if isinstance(found, dict) else None


def _with_ascii_marks(text: str) -> str:
    """Write the full-width marks of an object in ASCII; what stands in quotation marks stays as it is."""
    return _QUOTED.sub(lambda found: found[0].translate(_ASCII) if len(found[0]) == 1 else found[0],
                       text.translate(_CURLY))  # fmt: skip


def _closed(text: str) -> str:
    """Close the quotation mark and brackets that a cut-off object leaves open."""
    bare, quote, _ = _QUOTED.sub(lambda found: found[0] * (len(found[0]) == 1), text).partition('"')
    brackets = "".join(character for character in bare if character in "{}[]")
    while (paired := brackets.replace("{}", "").replace("[]", "")) != brackets:
        brackets = paired
    return text.rstrip(", \n") + quote + brackets[::-1].translate(str.maketrans("{[", "}]"))


def _called(text: str, known: Collection[str]) -> Request | None:
    """Find ``tool(…)`` in a text without marks."""
    found = (match for match in re.finditer(r"([A-Za-z_]\w*)\s*\(([^)]*)", text) if match[1] in known)
    match = next(found, None)
    return match and Request(_thought_in(text[: match.start()]), match[1], read_arguments(match[2]))


def _thought_in(text: str) -> str:
    found = _THOUGHT.search(text)
    thought = text[found.end() :] if found else text
    return " ".join(thought.replace("```", " ").split())[:600]
