"""The steps that were taken as messages of a chat: tool calls and their results, or the lines of the text protocol."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from engine.answer.agent.state import Done, Move
from engine.answer.agent.tools import Toolbox


def as_calls(done: Sequence[Done], told: Sequence[str], toolbox: Toolbox) -> list[dict[str, Any]]:
    """Return the steps as the chat API has them: the calls of a reply in one message, a "tool" message for each result.

    ``told`` is what came of each step. Steps that rules took stand as calls, too.
    """
    messages: list[dict[str, Any]] = []
    for _, steps in groupby(enumerate(done), lambda step: step[1].move.reply or -1 - step[0]):
        calls, results = [], []
        thought = ""
        for number, one in steps:
            thought = thought or one.move.thought
            name, params = toolbox.as_function(one.move.tool, one.move.params)
            # Nine letters and digits: some endpoints take no other ids.
            called = f"call{number:05d}"
            function = {"name": name, "arguments": json.dumps(params, ensure_ascii=False)}
            calls.append({"id": called, "type": "function", "function": function})
            results.append({"role": "tool", "tool_call_id": called, "content": told[number]})
        messages += [{"role": "assistant", "content": thought, "tool_calls": calls}, *results]
    return messages


def as_text(done: Sequence[Done], told: Sequence[str]) -> list[dict[str, Any]]:
    """Return the steps as the text protocol has them, each with what came of it from the user."""
    pairs = (
        ({"role": "assistant", "content": _step(one.move)}, {"role": "user", "content": result})
        for one, result in zip(done, told, strict=True)
    )
    return [message for pair in pairs for message in pair]


def _step(move: Move) -> str:
    params = json.dumps(dict(move.params), ensure_ascii=False)
    return f"Thought: {move.thought}\nAction: {move.tool}\nParameters: {params}"
