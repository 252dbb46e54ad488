"""REST of questions: an answer from the documents, kept in a conversation, by the routes of seed 003, 7.1."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse

from engine.interfaces import library_commands
from engine.interfaces import rest_shapes as shapes
from engine.interfaces.rest_shapes import Paging, Text, gives
from engine.interfaces.streaming import LINES, SSE, SSE_HEADERS, Made, answer_events, as_lines, as_sse
from engine.library import Library
from engine.model import Answer
from engine.summaries import Summary

OwnerOf = Callable[[Request], str]
LONGEST_TITLE = 60
MOST_CONVERSATIONS = 1_000_000


def question_routes(get_library: Callable[[], Library], owner_of: OwnerOf) -> APIRouter:
    """Return the routes that answer; ``owner_of`` tells whose conversations a request may see."""
    router = APIRouter(tags=["questions"])

    @router.post("/ask", **gives(Answer))
    def ask(body: shapes.AskBody) -> dict[str, Any] | StreamingResponse:
        """Answer a question, nothing kept; with ``stream`` events come as lines of JSON."""
        make = _asking(get_library(), body, body.turns())
        if not body.stream:
            return make(lambda _: None, lambda: False)
        return StreamingResponse(as_lines(answer_events(make)), media_type=LINES)

    @router.post("/qa/ask", **gives(shapes.Reply))
    def ask_and_keep(body: shapes.QuestionBody, request: Request) -> dict[str, Any] | StreamingResponse:
        """Answer a question and keep both in a conversation; with ``stream`` events come as server-sent events."""
        make = _keeping(get_library(), owner_of(request), body)
        if not body.stream:
            return make(lambda _: None, lambda: False)
        return StreamingResponse(as_sse(answer_events(make)), media_type=SSE, headers=SSE_HEADERS)

    @router.post("/qa/summarize", **gives(Summary))
    def summarize(body: shapes.SummaryBody) -> dict[str, Any]:
        """Summarise a document or part of it, a topic or a collection, each sentence with its source."""
        return library_commands.summarize(get_library(), **body.model_dump())

    @router.get("/qa/history", **gives(shapes.History))
    def history(
        request: Request, page: Annotated[Paging, Query()], conversation_id: Text | None = None
    ) -> dict[str, Any]:
        """Return the caller's conversations with their messages, or one of them."""
        owner, kept = owner_of(request), get_library().conversations
        names = [conversation_id] if conversation_id else [
            one.conversation_id for one in kept.list(owner, MOST_CONVERSATIONS)
        ]  # fmt: skip
        found = [kept.get(owner, name) for name in names[page.offset : page.offset + page.limit]]
        told = [one.to_dict() | {"messages": library_commands.dicts(messages)} for one, messages in found]
        for one in told:
            del one["owner"]
        return page.of("history", told, len(names))

    return router


def _asking(library: Library, body: shapes.AskBody, history: list[tuple[str, str]]) -> Made:
    return lambda on_event, cancelled: library.ask(
        body.question, filters=body.filters(), on_event=on_event, cancelled=cancelled, path=body.path,
        max_iterations=body.max_iterations, history=history, manner=body.manner(),
    ).to_dict()  # fmt: skip


def _keeping(library: Library, owner: str, body: shapes.QuestionBody) -> Made:
    """Return what answers and keeps it; the conversation is looked up at once. Raises NotFoundError."""
    kept, history, named = library.conversations, body.turns(), body.conversation_id
    if named:
        earlier = kept.get(owner, named)[1]
        history = history or [(one.role, one.text) for one in earlier if one.state == "done"]
    asking = _asking(library, body, history)

    def make(on_event: Callable[[Any], None], cancelled: Callable[[], bool]) -> dict[str, Any]:
        answer = asking(on_event, cancelled)
        name = named or kept.create(owner, body.question[:LONGEST_TITLE]).conversation_id
        kept.append(owner, name, "user", body.question, filters=body.filters())
        kept.append(owner, name, "assistant", answer["answer"], answer)
        sources = [source | {"document_name": source["document"]} for source in answer["sources"]]
        trace = answer["reasoning_trace"] if body.show_reasoning else []
        return answer | {"sources": sources, "reasoning_trace": trace, "conversation_id": name}

    return make
