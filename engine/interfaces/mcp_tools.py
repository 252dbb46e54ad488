"""The library as tools for agents: those of its own agent (seed 003, 6.2), `rag_search` (seed 001) and a few more.

Calls stand for themselves: what a tool of analysis looks at is searched for anew.
"""

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any

from engine.answer.agent.analysis_tools import analysis_tools
from engine.answer.agent.library_tools import library_tools, node_of, texts_of
from engine.answer.agent.protocol import FINAL
from engine.answer.agent.search_web import SEARCH_WEB
from engine.answer.agent.tools import Category, Desk, Tool, Toolbox, ToolResult, schema
from engine.errors import NotFoundError, UsageError
from engine.ingest import Source
from engine.interfaces.render import outside_told
from engine.library import Library
from engine.model import Evidence, Filters
from engine.visited_library import within

ADD = "add_document"
ADDED = ("name", "text", "content_base64", "collection")
_ALSO = 10
_TEXTS = {"type": "array", "items": {"type": "string"}, "default": []}
_COUNT = {"type": "integer", "minimum": 1}
_OFF = " Off: none is set up here."
_COLLECTION = {"type": "string", "default": "", "description": "only in this collection: its id or name"}


@dataclass(frozen=True)
class Told:
    """What a call gives: a text for a model to read, and the same as JSON."""

    text: str
    data: dict[str, Any] = field(default_factory=dict)


class LibraryTools:
    """The tools of one library, in the order in which they are listed."""

    def __init__(self, library: Library) -> None:
        self._library = library
        desk = library.desk()
        own: list[tuple[Tool, Callable[..., Told]]] = [
            (_tool(SEARCH_WEB, "external", "Search the web, where the documents do not tell. What it says is not "
                   "theirs and not checked: say so of what rests on it." + ("" if desk.web else _OFF),
                   schema(["query"], query={"type": "string"})), self._search_web),
            (_tool("rag_search", "search",
                   "Search with all views at once; passages as text with citations, scores and, where a model is set "
                   "up for it, key facts and summaries.",
                   schema(["query"], query={"type": "string"},
                          json_path={"type": "string", "default": "",
                                     "description": "search in this document alone: its id, name or path"},
                          collection=_COLLECTION,
                          top_k={**_COUNT, "maximum": 50, "default": 10})), self._rag_search),
            (_tool("ask", "terminal", "Answer a question from the documents, every statement with its source.",
                   schema(["question"], question={"type": "string"},
                          topic_filter={**_TEXTS, "description": "ids or names of topics"},
                          document_filter={**_TEXTS, "description": "ids or names of documents"},
                          collection=_COLLECTION,
                          version={**_COUNT, "description": "a version's number; the current one without it"},
                          show_reasoning={"type": "boolean", "default": False})), self._ask),
            (_tool("list_documents", "browse", "List the documents, the last changed first.",
                   schema(offset={"type": "integer", "minimum": 0, "default": 0},
                          limit={**_COUNT, "maximum": 1000, "default": 100}, collection=_COLLECTION)), self._list),
        ]  # fmt: skip
        if not library.settings.access.read_only:
            own.append((_tool(ADD, "external", "Add a document, or a new version of the one of this name.",
                   schema(["name"], name={"type": "string", "description": "with its ending, such as notes.md"},
                          text={"type": "string", "default": ""},
                          content_base64={"type": "string", "default": "", "description": "instead of a text"},
                          collection={"type": "string", "default": "", "description": "put it into this one"}),
                   ), lambda **_: Told("")))  # fmt: skip
        self._own = {tool.name: run for tool, run in own}
        engine = [*map(_within, library_tools(desk)), *analysis_tools(list, "")]
        ordered = [*engine[:-1], own[0][0], engine[-1], *(tool for tool, _ in own[1:])]
        self._toolbox = Toolbox(ordered)
        self.all: list[Tool] = ordered

    def call(self, name: str, given: Mapping[str, Any]) -> Told:
        """Run a tool. Raises UsageError for what it does not take, and what it raises itself."""
        if name == ADD:
            return self._add(given)
        tool, args = self._toolbox.prepare(name, given)
        if name in self._own:
            return self._own[name](**args)
        desk = self._library.desk(Filters(collections=_one(args.pop("collection", ""))))
        if name == FINAL:
            return _final(desk, **args)
        by_name = {one.name: one for one in library_tools(desk)}
        by_name |= {one.name: one for one in analysis_tools(lambda: _evidence(desk, args), "")}
        return _told(by_name[tool.name].run(**args))

    def _search_web(self, query: str) -> Told:
        if (web := self._library.desk().web) is None:
            raise UsageError("No web search is set up here. Answer from the documents.")
        sources = [one.to_dict() for one in web.find(query)]
        return Told(outside_told({"answer": query, "web_sources": sources}), {"web_sources": sources})

    def _rag_search(self, query: str, json_path: str, collection: str, top_k: int) -> Told:
        named = (self._named(json_path),) if json_path else ()
        filters = Filters(documents=named, collections=_one(collection))
        finder = self._library.finder.pinned()
        found = finder.enhanced(finder.search(query, top_k=top_k, filters=filters), always_as_text=True)
        return Told(found.text, found.to_dict())

    def _named(self, path: str) -> str:
        """Return the reference to a document that a path, a name or an id stands for. Raises NotFoundError."""
        try:
            return self._library.document(path).document_id
        except NotFoundError:
            return self._library.document(PurePath(path.replace("\\", "/")).name).document_id

    def _ask(
        self, question: str, topic_filter: list[str], document_filter: list[str], collection: str,
        show_reasoning: bool, version: int | None = None,
    ) -> Told:  # fmt: skip
        filters = Filters(tuple(document_filter), tuple(topic_filter), version=version, collections=_one(collection))
        answer = self._library.ask(question, filters=filters).to_dict()
        if not show_reasoning:
            answer["reasoning_trace"] = []
        sources = [f"[{one['n']}] {one['document']} > {one['section']}: {one['snippet']}" for one in answer["sources"]]
        return Told("\n".join([answer["answer"], "", *sources, outside_told(answer)]).rstrip(), answer)

    def _list(self, offset: int, limit: int, collection: str) -> Told:
        documents = within(self._library, _one(collection)).documents()
        shown = documents[offset : offset + limit]
        lines = [f"{one.name} (document {one.document_id}, version {one.version})" for one in shown]
        data = {"documents": [one.to_dict() for one in shown], "total": len(documents)}
        return Told("\n".join([f"{len(shown)} of {len(documents)} documents", *lines]), data)

    def _add(self, given: Mapping[str, Any]) -> Told:
        """Add a document; what it holds is taken as it stands, not mended as other arguments are."""
        wrong = [key for key, one in given.items() if key not in ADDED or not isinstance(one, str)]
        name, text, content_base64, collection = (given.get(key, "") for key in ADDED)
        if wrong or not name or bool(text) == bool(content_base64):
            raise UsageError("Give name and either text or content_base64, each as a string, and nothing else.")
        content = _content(text, content_base64)
        (result,) = self._library.add([Source(name, content, collection=collection or None)])
        return Told(f"{result.name}: {result.status}. {result.error or ''}".strip(), result.to_dict())


def _content(text: str, content_base64: str) -> bytes:
    """Return the bytes of a document that is given in one of two ways. Raises UsageError."""
    try:
        return text.encode() if text else base64.b64decode(content_base64, validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise UsageError(f"The content cannot be read: {error}.") from error


def _within(tool: Tool) -> Tool:
    """Return a tool that searches, to be limited to a collection; other tools as they are."""
    if tool.category != "search":
        return tool
    properties = {**tool.parameters["properties"], "collection": _COLLECTION}
    return replace(tool, parameters={**tool.parameters, "properties": properties})


def _one(collection: str) -> tuple[str, ...]:
    return (collection,) if collection else ()


def _tool(name: str, category: Category, description: str, parameters: dict[str, Any]) -> Tool:
    """Return a tool of which only the description is used; what it does stands beside it."""
    return Tool(name, category, description, parameters, lambda **_: ToolResult(""))


def _evidence(desk: Desk, args: Mapping[str, Any]) -> list[Evidence]:
    """Return what a call of an analysis tool is about: the nodes it names, and what its texts find."""
    texts = [*(args.get("statements") or ()), *([args["focus"]] if args.get("focus") else [])]
    found = [hit.node_id for text in texts for hit in desk.search(text, mode="hybrid", top_k=_ALSO).hits]
    return texts_of(desk, dict.fromkeys([*(args.get("node_ids") or ()), *found]))


def _final(desk: Desk, answer: str, confidence: str, sources: list[Any]) -> Told:
    """Return the last word of a foreign agent with the places that its sources name."""
    places = []
    for one in sources:
        stored = node_of(desk, one) if isinstance(one, str) else None
        place = [stored.document, *stored.path] if stored else []
        places.append({"source": one, "place": " > ".join(place), "found": stored is not None})
    data = {"answer": answer, "confidence": confidence, "sources": places}
    return Told(json.dumps(data, ensure_ascii=False), data)


def _told(result: ToolResult) -> Told:
    """Return what a tool of the engine found: its text, whole texts that it opened, else the hits by their snippets."""
    whole = {one.hit.node_id: one.text for one in result.opened}
    lines = [result.text] if result.text else []
    for hit, _ in result.hits:
        page = f", p. {hit.page}" if hit.page else ""
        place = " > ".join([hit.document, *hit.path])
        lines.append(f"[{hit.node_id}] {place}{page}: {whole.get(hit.node_id, hit.snippet)}")
    data = {
        "summary": result.summary, "quality": result.quality, "text": result.text,
        "hits": [hit.to_dict() for hit, _ in result.hits],
        "opened": [{"node_id": node_id, "text": text} for node_id, text in whole.items()],
    }  # fmt: skip
    return Told("\n".join(lines) or result.summary, data)
