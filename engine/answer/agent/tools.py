"""The agent's tools: what they may read, what they return, and the one place that runs them.

No tool can write, and every tool stays inside the filters of the question. None reaches beyond the library but
``search_web``, where that is switched on.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from engine.answer.agent.arguments import checked
from engine.answer.agent.plan import Gap, ObservedEvidence
from engine.answer.phrases import ENGLISH, Phrases
from engine.answer.tables.cite import Computed
from engine.config import Settings
from engine.errors import NotFoundError, UsageError
from engine.index.affordances import supports
from engine.model import Evidence, Filters, Hit, Node, SearchResult
from storage.base import Scope, Snapshot, Storage, StoredNode

if TYPE_CHECKING:
    from engine.answer.agent.search_web import FoundOnWeb
    from engine.topics.entities import Statement

Quality = Literal["good", "low_relevance", "empty", "contradictions_found", "consistent", "failed"]
Category = Literal["search", "browse", "analysis", "table", "external", "terminal"]
_TOLD: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
# Parts of a schema that are filled in or kept to whatever a model gives.
_MENDED = frozenset(["default", "minimum", "maximum"])
# The function by which a model calls the operators.
OPERATE = "compute_over_table"
_LEAST_BUDGET, _ROUNDS = 300, 4


@dataclass(frozen=True)
class Desk:
    """What the tools may read: the library through its search and storage, within the filters.

    ``web`` is what is found beside it, None where that is not searched. ``related`` gives the documents that the
    library's graph joins to one (ids, the most related first), each with why; ``said_of`` what tables and forms say of
    a name.
    """

    search: Callable[..., SearchResult]
    storage: Storage
    settings: Settings
    filters: Filters = Filters()
    web: FoundOnWeb | None = None
    related: Callable[[str], Sequence[tuple[str, str]]] = lambda _: ()
    said_of: Callable[[str], Sequence[Statement]] = lambda _: ()

    @cached_property
    def snapshot(self) -> Snapshot:
        """One state of the library for the whole loop."""
        return self.storage.snapshot()

    @cached_property
    def scope(self) -> Scope:
        """The nodes that pass the filters."""
        return self.snapshot.scope(self.filters)

    @property
    def budget(self) -> int:
        """The tokens that what one round finds may take of a context: few rounds are all used."""
        return max(_LEAST_BUDGET, self.settings.agent.tools.max_context_tokens // _ROUNDS)

    def node(self, node_id: str) -> StoredNode:
        """Return a node. Raises NotFoundError when there is none, or the filters exclude it."""
        stored = self.storage.find_node(node_id, self.filters.version)
        if not bool(self.scope.contains(np.asarray([stored.key], np.int64))[0]):
            raise NotFoundError(f"Node {node_id} is outside the documents that are searched.")
        return stored


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool found. ``text`` is for a model to read, ``summary`` a line for the trace.

    ``hits`` are passages for the evidence, with the nodes; ``worth`` (0..1) is what the best of them counts beside
    the best one for the question, None when they were found by name only. ``opened`` are whole texts that were read,
    ``observed`` and ``computed`` what an operator saw, as planners exchange it and as an answer cites it; ``gaps`` what
    it did not find.
    """

    summary: str
    text: str = ""
    quality: Quality = "good"
    hits: list[tuple[Hit, StoredNode]] = field(default_factory=list)
    worth: float | None = 0.8
    opened: list[Evidence] = field(default_factory=list)
    observed: list[ObservedEvidence] = field(default_factory=list)
    computed: list[Computed] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as planners see it; ``parameters`` is a JSON schema."""

    name: str
    category: Category
    description: str
    parameters: Mapping[str, Any]
    run: Callable[..., ToolResult]


def told_tool(name: str, run: Callable[..., ToolResult], **defaults: Any) -> Tool:
    """Return a tool as the file beside this module tells it, with these ``defaults`` of its parameters."""
    told = _TOLD[name]
    given = {
        key: {**one, "default": defaults[key]} if key in defaults else one
        for key, one in told.get("properties", {}).items()
    }
    description = " ".join(filter(None, (told["description"], told.get("when_to_use"))))
    return Tool(name, told["category"], description, schema(told.get("required", ()), **given), run)


class Toolbox:
    """The tools of one loop by name."""

    def __init__(self, tools: Iterable[Tool], phrases: Phrases = ENGLISH.tools) -> None:
        """``phrases`` tell what is wrong with a call."""
        self.tools = {tool.name: tool for tool in tools}
        self._phrases = phrases

    def prepare(self, name: str, params: Mapping[str, Any]) -> tuple[Tool, dict[str, Any]]:
        """Return the tool and its checked arguments. Raises UsageError with the names or what is wrong."""
        tool = self.tools.get(name)
        if tool is None:
            names = ", ".join(self.tools)
            raise UsageError(self._phrases.unknown_tool.format(name=name[:60], tools=names))
        try:
            return tool, checked(params, tool.parameters, self._phrases)
        except UsageError as error:
            raise UsageError(f"{name}: {error}") from error

    def offered(self, tables: Sequence[Node]) -> Toolbox:
        """Return the tools that are of use now: of those that read tables what a table of the evidence affords.

        The operators are the larger part of what a model would have to read.
        """
        kept = (
            tool
            for tool in self.tools.values()
            if tool.category != "table" or any(supports(table, tool.name) for table in tables)
        )
        return Toolbox(kept, self._phrases)

    def functions(self) -> list[dict[str, Any]]:
        """Return the tools as the chat API takes them, each argument in the one form that fits most.

        The operators share their arguments: one function stands for all of them, as they would be most of the prompt.
        """
        operators = {name: tool for name, tool in self.tools.items() if tool.category == "table"}
        others = (tool for name, tool in self.tools.items() if name not in operators)
        made = [_function(tool.name, tool.description, tool.parameters) for tool in others]
        if operators:
            told = " ".join(f"{name}: {tool.description}" for name, tool in operators.items())
            shared = {k: v for tool in operators.values() for k, v in tool.parameters.get("properties", {}).items()}
            choice = {"type": "string", "enum": [*operators]}
            made.append(_function(OPERATE, told, schema(["operator"], operator=choice, **shared)))
        return made

    def called(self, name: str, params: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return the tool that a call of a function means, with its arguments."""
        given = dict(params)
        return (str(given.pop("operator", name)), given) if name == OPERATE else (name, given)

    def as_function(self, name: str, params: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return the function, and its arguments, by which a tool is called."""
        tool = self.tools.get(name)
        if tool is not None and tool.category == "table":
            return OPERATE, {"operator": name, **params}
        return name, dict(params)

    def listing(self) -> str:
        """Return a line a tool for a prompt: ``name(parameters): description``."""
        return "\n".join(
            f"- {tool.name}({', '.join(tool.parameters.get('properties', {}))}): {tool.description}"
            for tool in self.tools.values()
        )


def _function(name: str, description: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    told = {"name": name, "description": description, "parameters": _plain(parameters)}
    return {"type": "function", "function": told}


def _plain(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema without what the check of arguments mends by itself: it would be most of what a model reads."""
    if "anyOf" in wanted:
        forms = wanted["anyOf"]
        return _plain(next((one for one in forms if one["type"] == "array"), forms[0]))
    made = {key: value for key, value in wanted.items() if key not in _MENDED and value != []}
    if "properties" in made:
        made["properties"] = {name: _plain(one) for name, one in made["properties"].items()}
    if made.get("type") == "array":
        made["items"] = _plain(made.get("items", {"type": "string"}))
    return made


def schema(required: Sequence[str] = (), **properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of an object with these properties."""
    return {"type": "object", "properties": properties, "required": list(required)}
