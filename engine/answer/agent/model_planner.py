"""Planning by a model: tool calls where the endpoint has them, else steps in text."""

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import filterfalse, groupby
from typing import Any

from engine.answer.agent.plan import Move
from engine.answer.agent.protocol import FINAL, answer_so_far, one_line, read_arguments, read_reply
from engine.answer.agent.state import AgentState, Done
from engine.answer.agent.tools import Toolbox
from engine.answer.events import OnEvent
from engine.answer.grounded.prompt import block, filled, language_name
from engine.answer.grounded.reply import says_not_found, visible
from engine.answer.phrases import ENGLISH, Phrases
from engine.config import Settings
from engine.errors import ProviderError, ToolsRefusedError
from engine.index.tokenize import query_terms
from engine.model import Evidence
from engine.providers.llm import Llm, Reply, ToolCall, estimate_tokens
from engine.providers.prompts import prompt
from engine.providers.thinking import without_thinking
from engine.retrieve.pack import beginning, cut_table, header_line
from engine.retrieve.snippet import Sought

_MAX_TOKENS = 1024
_LEAST_BLOCK = 200
_MARKED = re.compile(r"\[W?\d{1,3}\]")


@dataclass
class ModelPlanner:
    """Decides one step at a time by asking a language model; a reply may decide some ``ahead``.

    ``evidence`` is what the first search found, shown with the question; ``tell`` gets the final answer as it comes.
    """

    llm: Llm
    toolbox: Toolbox
    settings: Settings
    phrases: Phrases
    evidence: Sequence[Evidence]
    tell: OnEvent
    cancelled: Callable[[], bool] | None

    def __post_init__(self) -> None:
        self._calls_tools = True
        self._replies = 0
        self.ahead: deque[Move] = deque()

    def next(self, state: AgentState) -> Move:
        """Return the next step of the last reply, else ask for more: one without a tool where that cannot be read.

        Raises ProviderError, CancelledError.
        """
        if not self.ahead:
            tools, last = self.toolbox, state.round >= state.rounds
            offered = Toolbox([tools.tools[FINAL]]) if last else tools.offered(state.tables())
            text, calls = self._reply(state, offered)
            moves = self._moves(text, calls)
            self._replies += 1
            state.problem = ""
            self.ahead.extend(replace(one, reply=self._replies, more=one is not moves[-1]) for one in moves)
        return self.ahead.popleft()

    def _reply(self, state: AgentState, offered: Toolbox) -> tuple[str, Sequence[ToolCall]]:
        """Ask; in text where the endpoint has no tools."""
        functions = offered.functions() if self._calls_tools else []
        try:
            return self._asked(self._messages(state, offered, functions), functions)
        except ToolsRefusedError:
            self._calls_tools = False
            return self._asked(self._messages(state, offered, []), [])

    def _asked(self, messages: list[dict[str, Any]], functions: list[dict[str, Any]]) -> tuple[str, Sequence[ToolCall]]:
        reply = self.llm.stream(messages, max_tokens=_MAX_TOKENS, tools=functions, cancelled=self.cancelled)
        pieces: list[str] = []
        try:
            for event in visible(self._answering(reply, pieces)):
                self.tell(event)
        except ProviderError:
            if not read_reply("".join(pieces)).tool:
                raise
        return "".join(pieces), reply.tool_calls

    def _answering(self, reply: Reply, pieces: list[str]) -> Iterator[str]:
        """Read a step into ``pieces`` and yield what it says of the final answer, as that comes."""
        text = told = ""
        for piece in reply:
            pieces.append(piece)
            text += piece
            final = next((call.arguments for call in reply.tool_calls if call.name == FINAL), "")
            said = answer_so_far(final or text)
            if not said and not reply.tool_calls and _is_answer(without_thinking(text).strip()):
                said = text
            if said.startswith(told):
                yield said[len(told) :]
                told = said

    def _moves(self, text: str, calls: Sequence[ToolCall]) -> list[Move]:
        """Return the calls of a reply, of which the last word makes others needless, else the step in its text."""
        said = without_thinking(text).strip()
        asked = [self.toolbox.called(call.name, read_arguments(call.arguments)) for call in calls]
        if asked:
            final = [one for one in asked if one[0] == FINAL]
            return [Move(one_line(said), name, params) for name, params in final[:1] or asked]
        step = read_reply(text)
        return [Move("", FINAL, {"answer": said}) if not step.tool and _is_answer(said) else step]

    def _messages(
        self, state: AgentState, offered: Toolbox, functions: Sequence[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        """Return the prompt: question and first search, and each step with what came of it, nothing shown twice.

        What is the same for every question comes first, so that an endpoint that caches prompts need not read it again.
        """
        how = "Several at once where none needs what another finds."
        if not functions:
            how = filled(prompt("agent_text"), tools=offered.listing())
        system = filled(prompt("agent"), how=how, rounds=str(state.rounds))
        system = "\n".join(filter(None, (system, self.settings.llm.system_prompt.strip())))
        shown: dict[int, set[str]] = {}
        # What was not enough for an answer is not to be found again.
        whole = self.settings.agent.tools.max_context_tokens
        first = self._blocks(state, self.evidence, whole, shown) or "The first search found nothing."
        opening = f"{first}\n\nAnswer in {language_name(state.question)}.\n\nQuestion: {state.question}"
        told = [self._observation(state, done, shown) for done in state.done]
        steps = _as_calls(state.done, told, self.toolbox) if functions else _as_text(state.done, told)
        messages = [{"role": "system", "content": system}, {"role": "user", "content": opening}, *steps]
        if state.problem:
            messages.append({"role": "user", "content": f"That step cannot be taken: {state.problem}"})
        elif state.done:
            left = state.rounds - state.round
            rest = f"{left} rounds of tool calls left" if left > 0 else f"no tool calls left: call {FINAL} now"
            messages[-1]["content"] += f"\n\n({rest})"
        return messages

    def _observation(self, state: AgentState, done: Done, shown: dict[int, set[str]]) -> str:
        items = [] if done.result.computed else done.shown
        text = beginning(done.result.text, state.desk.budget)
        text += "".join(f" [{state.number(item)}]" for item in done.shown if done.result.computed)
        blocks = self._blocks(state, items, state.desk.budget, shown)
        quality = done.assessment.quality
        grade = "" if quality == "good" else f" ({ENGLISH.tools.qualities[quality]})"
        return f"Observation{grade}:\n" + "\n\n".join(filter(None, (text, blocks)))

    def _blocks(self, state: AgentState, items: Sequence[Evidence], budget: int, shown: dict[int, set[str]]) -> str:
        """Return evidence as blocks of about ``budget`` tokens; of what was ``shown`` above only the number.

        Of a table that was shown its other rows come, under the header.
        """
        blocks: list[str] = []
        again: list[str] = []
        for item in items:
            number, text = state.number(item), item.text
            known = shown.setdefault(number, set())
            if known.issuperset(text.split("\n")):
                again.append(f"[{number}]")
                continue
            if item.table:
                known.discard(header_line(item.table))
                text = "\n".join(filterfalse(known.__contains__, text.split("\n")))
            budget -= estimate_tokens(text)
            if blocks and budget < 0:
                break
            if budget <= 0:
                room = max(_LEAST_BLOCK, budget + estimate_tokens(text))
                sought = Sought(query_terms(state.question))
                text = cut_table(item.table, room, sought) if item.table else beginning(text, room)
            known.update(text.split("\n"))
            blocks.append(block(number, replace(item, text=text), node_id=item.hit.node_id))
        return "\n\n".join([*blocks, *([f"Shown above: {''.join(again)}"] if again else [])])


def _is_answer(text: str) -> bool:
    """True for a plain reply that answers: with marks of evidence, or saying that there is none."""
    return bool(_MARKED.search(text)) or says_not_found(text)


def _as_calls(done: Sequence[Done], told: Sequence[str], toolbox: Toolbox) -> list[dict[str, Any]]:
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


def _as_text(done: Sequence[Done], told: Sequence[str]) -> list[dict[str, Any]]:
    """Return the steps as objects in text, each with what came of it from the user."""
    messages: list[dict[str, Any]] = []
    for one, result in zip(done, told, strict=True):
        step = {"thought": one.move.thought, "tool": one.move.tool, "arguments": dict(one.move.params)}
        messages.append({"role": "assistant", "content": json.dumps(step, ensure_ascii=False)})
        messages.append({"role": "user", "content": result})
    return messages
