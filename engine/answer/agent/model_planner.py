"""Planning by a model: tool calls where the endpoint has them, else the text protocol, within the model's context."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from engine.answer.agent.context import Context, tokens_in
from engine.answer.agent.plan import PlanStep
from engine.answer.agent.protocol import (
    FINAL,
    Request,
    answer_so_far,
    goes_on_alone,
    read_arguments,
    read_reply,
)
from engine.answer.agent.state import AgentState, Done, Move, PlannerFailedError
from engine.answer.agent.tools import Toolbox
from engine.answer.grounded.prompt import block, prompt
from engine.answer.grounded.reply import says_not_found, visible
from engine.answer.grounded.thinking import without_thinking
from engine.answer.phrases import Phrases
from engine.answer.understand.language import is_chinese
from engine.config import Settings
from engine.errors import CancelledError, ContextExceededError, ProviderError, ToolsRefusedError
from engine.model import Evidence
from engine.retrieve.pack import tokens_of

if TYPE_CHECKING:
    from engine.providers.llm import Llm, Reply, ToolCall

_MAX_TOKENS = 1024
# Functions that would take a larger share of the room are only listed, and called in text.
_FUNCTIONS_SHARE = 1 / 3
# A prompt that is too long is made shorter so many times.
_SHORTENED = 2
_LEAST_BLOCK = 200
_MARKED = re.compile(r"\[W?\d{1,3}\]")


@dataclass
class ModelPlanner:
    """A :class:`engine.answer.agent.state.Planner` that asks a language model.

    ``evidence`` is what the first search found, shown with the question; ``on_text`` gets the final answer.
    """

    llm: Llm
    toolbox: Toolbox
    settings: Settings
    phrases: Phrases
    evidence: Sequence[Evidence]
    on_text: Callable[[str], None] | None = None
    cancelled: Callable[[], bool] | None = None

    def __post_init__(self) -> None:
        self._calls_tools = True
        self._replies = 0
        self._moves: deque[Move] = deque()
        reply = min(_MAX_TOKENS, self.settings.llm.max_tokens)
        self._context = Context(self.llm.context_tokens, reply)

    def next(self, state: AgentState) -> Move:
        """Return the next step of the last reply, else ask for more; what cannot be read is asked for once more.

        Raises PlannerFailedError for two unreadable replies, ProviderError, CancelledError.
        """
        if self._moves:
            return self._moves.popleft()
        last = state.round >= state.rounds
        offered = self.toolbox.only(FINAL) if last else self.toolbox.offered(bool(state.tables()))
        repairs: list[dict[str, Any]] = []
        for _ in range(2):
            text, calls = self._reply(state, offered, repairs)
            requests = self._requests(text, calls)
            if requests:
                self._replies += 1
                state.problem = ""
                self._moves.extend(self._planned(state, requests))
                return self._moves.popleft()
            repairs = [
                {"role": "assistant", "content": text[:600] or "…"},
                {"role": "user", "content": _REPAIR.format(tools=", ".join(offered.tools))},
            ]
        raise PlannerFailedError(self.phrases.agent_unreadable)

    def _planned(self, state: AgentState, requests: Sequence[Request]) -> Iterator[Move]:
        for number, one in enumerate(requests, 1):
            step = PlanStep(one.tool, None, dict(one.params), self._budget(state))
            plan = None if one.tool == FINAL else state.plan([step])
            yield Move(one.thought, one.tool, one.params, plan, self._replies, number < len(requests))

    def _reply(
        self, state: AgentState, offered: Toolbox, repairs: Sequence[dict[str, Any]]
    ) -> tuple[str, Sequence[ToolCall]]:
        """Ask; in text where the endpoint has no tools, with a shorter prompt where it says that one is too long."""
        shortened = 0
        while True:
            functions = self._functions(offered)
            messages = self._messages(state, offered, functions, repairs)
            try:
                return self._asked(state, messages, functions)
            except ToolsRefusedError:
                self._calls_tools = False
            except ContextExceededError as error:
                if shortened == _SHORTENED:
                    raise
                shortened += 1
                self._context.exceeded(tokens_in(messages, functions), error.limit)

    def _functions(self, offered: Toolbox) -> list[dict[str, Any]]:
        functions = offered.functions() if self._calls_tools else []
        room = self._context.room
        return functions if room is None or tokens_in((), functions) <= room * _FUNCTIONS_SHARE else []

    def _asked(
        self, state: AgentState, messages: list[dict[str, Any]], functions: list[dict[str, Any]]
    ) -> tuple[str, Sequence[ToolCall]]:
        reply = self.llm.stream(messages, max_tokens=_MAX_TOKENS, tools=functions, cancelled=self.cancelled)
        pieces: list[str] = []
        answering = self._answering(reply, pieces)
        try:
            for said in visible(answering):
                if self.on_text is not None:
                    self.on_text(said)
            for _ in answering:  # what is not shown is still read to its end
                pass
        except CancelledError:
            raise
        except ProviderError:
            if not read_reply("".join(pieces)).tool:
                raise
        finally:
            state.spend(reply.usage)
            self._context.counted(tokens_in(messages, functions), reply.usage)
        return "".join(pieces), reply.tool_calls

    def _answering(self, reply: Reply, pieces: list[str]) -> Iterator[str]:
        """Read a step into ``pieces`` and yield what it says of the final answer, as that comes.

        What a model goes on to invent in place of a tool is not waited for.
        """
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
            if goes_on_alone(text):
                return

    def _requests(self, text: str, calls: Sequence[ToolCall]) -> list[Request]:
        """Return the calls of a reply, of which the last word makes others needless; [] where there is none."""
        said = without_thinking(text).strip()
        thought = " ".join(said.split())[:600]
        asked = [self.toolbox.called(call.name, read_arguments(call.arguments)) for call in calls]
        if asked:
            final = [one for one in asked if one[0] == FINAL]
            return [Request(thought, name, params) for name, params in final[:1] or asked]
        request = read_reply(text)
        if not request.tool and _is_answer(said):
            return [Request("", FINAL, {"answer": said})]
        return [request] if request.tool else []

    def _messages(
        self,
        state: AgentState,
        offered: Toolbox,
        functions: Sequence[dict[str, Any]],
        repairs: Sequence[dict[str, Any]],
    ) -> list[dict[str, Any]]:
        """Return the prompt, within the room: without the oldest observations, then with less of the first search."""
        evidence, room, native = self._budget(state), self._context.room, bool(functions)
        messages = [*self._written(state, offered, native, evidence), *repairs]
        if room is None:
            return messages
        left_out = 0
        while (over := tokens_in(messages, functions) - room) > 0 and left_out < len(state.done) - 1:
            left_out += 1
            messages = [*self._written(state, offered, native, evidence, left_out), *repairs]
        while over > 0 and evidence > 0:
            evidence -= max(over, _LEAST_BLOCK)
            messages = [*self._written(state, offered, native, evidence, left_out), *repairs]
            over = tokens_in(messages, functions) - room
        return messages

    def _written(
        self, state: AgentState, offered: Toolbox, native: bool, evidence: int, left_out: int = 0
    ) -> list[dict[str, Any]]:
        """Return the prompt with ``evidence`` tokens of the first search, without the oldest observations.

        What is the same for every question comes first, so that an endpoint that caches prompts need not read it again.
        """
        how = "Call them as functions; several at once where none needs what another finds."
        if not native:
            how = prompt("agent_text").replace("{tools}", offered.listing(self.phrases.language == "zh"))
        system = prompt("agent").replace("{how}", how).replace("{rounds}", str(state.rounds))
        system = "\n".join(filter(None, (system, self.settings.llm.system_prompt.strip())))
        told = [
            self._observation(state, done) if number >= left_out else _left_out(done)
            for number, done in enumerate(state.done)
        ]
        messages = [
            {"role": "system", "content": system},
            {"role": "user", "content": self._opening(state, evidence)},
            *(_as_calls(state.done, told, self.toolbox) if native else _as_text(state.done, told)),
        ]
        if state.problem:
            messages.append({"role": "user", "content": f"That step cannot be taken: {state.problem}"})
        elif state.done:
            left = state.rounds - state.round
            told_left = (
                f"{left} rounds of tool calls left" if left > 0 else f"no tool calls left: call {FINAL} now"
            )
            messages[-1]["content"] += f"\n\n({told_left})"
        return messages

    def _opening(self, state: AgentState, budget: int) -> str:
        shown = self._blocks(state, self.evidence, budget) if budget > 0 else ""
        if not shown:
            shown = f"The first search found {'passages, left out here' if self.evidence else 'nothing'}."
        language = "Chinese" if is_chinese(state.question) else "English"
        return f"{shown}\n\nAnswer in {language}.\n\nQuestion: {state.question}"

    def _observation(self, state: AgentState, done: Done) -> str:
        items = [state.quoted[number - 1] for number in done.shown]
        text = _inside(done.result.text, self._budget(state))
        shown = self._blocks(state, items, self._budget(state))
        return f"Observation ({done.assessment.quality}):\n" + "\n\n".join(
            part for part in (text, shown) if part
        )

    def _blocks(self, state: AgentState, items: Sequence[Evidence], budget: int) -> str:
        blocks: list[str] = []
        for item in items:
            written = block(state.number(item), item, node_id=item.hit.node_id)
            budget -= tokens_of(written)
            if blocks and budget < 0:
                break
            blocks.append(
                written if budget > 0 else _inside(written, max(_LEAST_BLOCK, budget + tokens_of(written)))
            )
        return "\n\n".join(blocks)

    def _budget(self, state: AgentState) -> int:
        return max(300, self.settings.agent.tools.max_context_tokens // (state.rounds + 1))


_REPAIR = (
    "That could not be read. Call one tool ({tools}), or write:\nThought: …\nAction: tool name\n"
    'Parameters: {{"name": "value"}}'
)


def _left_out(done: Done) -> str:
    return f"Observation ({done.assessment.quality}): left out here, as it is long ago."


def _inside(text: str, budget: int) -> str:
    """Cut a text to about so many tokens."""
    while tokens_of(text) > budget:
        text = text[: max(1, int(len(text) * 0.8))]
    return text


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
    """Return the steps as the text protocol has them, each with what came of it from the user."""
    pairs = (
        ({"role": "assistant", "content": _as_step(one.move)}, {"role": "user", "content": result})
        for one, result in zip(done, told, strict=True)
    )
    return [message for pair in pairs for message in pair]


def _as_step(move: Move) -> str:
    params = json.dumps(dict(move.params), ensure_ascii=False)
    return f"Thought: {move.thought}\nAction: {move.tool}\nParameters: {params}"
