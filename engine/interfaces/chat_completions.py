"""``/v1`` as chat clients of OpenAI's API know it: a model is the library, or a collection, topic or document of it.

The last message of the user is the question, the others are the conversation. Marks ``[n]`` in an answer number the
top-level list ``citations``.
"""

import re
import time
from collections.abc import Callable, Iterator
from typing import Annotated, Any
from uuid import uuid4

from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from engine.errors import NotFoundError, UsageError
from engine.interfaces.render import outside_told
from engine.interfaces.rest import create_app, guard
from engine.interfaces.rest_shapes import Text
from engine.interfaces.streaming import SSE, SSE_HEADERS, Made, answer_events, as_json
from engine.library import Library
from engine.model import Filters

WHOLE = "dropqa"
# What a part of the library is named by, and the filter that it stands for.
TOPIC, COLLECTION, DOCUMENT = (f"{WHOLE}/{kind}/" for kind in ("topic", "collection", "document"))
_NO_MODEL = "There is no model {}. GET /v1/models lists them."
_FILTERS = {TOPIC: "topics", COLLECTION: "collections", DOCUMENT: "documents"}
# A stream that was checked as a whole comes in pieces of this shape, so that clients show it growing.
_PIECE = re.compile(r"\S+\s*|\s+|[^\x00-\x7f]{1,8}")


class Part(BaseModel):
    """A part of a message; only texts are read."""

    type: str
    text: Text = ""


def _parts(content: Any) -> Any:
    """Return the parts of what a message holds, which may be one text, or nothing."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else content or []


Content = Annotated[list[Part], BeforeValidator(_parts, json_schema_input_type=Text | list[Part] | None)]


class ChatMessage(BaseModel):
    """One message; those of the system are not read: how answers are made is the library's own affair."""

    role: str
    content: Content = []

    @property
    def text(self) -> str:
        """The words of the message."""
        return "\n".join(part.text for part in self.content)


class StreamOptions(BaseModel):
    """What a stream tells besides."""

    include_usage: bool = False


class ChatBody(BaseModel):
    """A conversation; parameters that a model would take, such as the temperature, change nothing."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={"examples": [{
            "model": WHOLE, "messages": [{"role": "user", "content": "How many foundries supply the chips?"}],
        }]},
    )  # fmt: skip

    model: Text = WHOLE
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=200)]
    stream: bool = False
    stream_options: StreamOptions | None = None


def create_chat_api(get_library: Callable[[], Library]) -> FastAPI:
    """Return the app to be mounted at ``/v1``."""
    app = create_app("DropQA as a model")

    @app.get("/models")
    def models() -> dict[str, Any]:
        return {"object": "list", "data": _models(get_library())}

    @app.get("/models/{name:path}")
    def model(name: str) -> dict[str, Any]:
        if found := next((one for one in _models(get_library()) if one["id"] == name), None):
            return found
        raise NotFoundError(_NO_MODEL.format(name[:100]))

    @app.post("/chat/completions", response_model=None)
    def complete(body: ChatBody) -> dict[str, Any] | StreamingResponse:
        make = _asking(get_library(), body)
        if body.stream:
            return StreamingResponse(_chunks(make, body), media_type=SSE, headers=SSE_HEADERS)
        answer = make(lambda _: None, lambda: False)
        message = {"role": "assistant", "content": _content(answer)}
        told = _head(body, "chat.completion") | {"usage": _usage(answer)} | _places(answer)
        return told | {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}

    guard(app, get_library)
    return app


def _models(library: Library) -> list[dict[str, Any]]:
    documents = library.documents()
    opened = min((one.created_at for one in documents), default=time.time())
    found = [(WHOLE, opened)]
    found += [(COLLECTION + one.name, opened) for one in library.collections.all()]
    found += [(TOPIC + topic.name, opened) for topic in library.topics.all()]
    found += [(DOCUMENT + one.name, one.created_at) for one in documents]
    return [{"id": name, "object": "model", "created": int(made), "owned_by": WHOLE} for name, made in found]


def _within(model: str) -> Filters:
    """Return the filters that a model stands for. Raises NotFoundError."""
    if model == WHOLE:
        return Filters()
    for beginning, name in _FILTERS.items():
        if model.startswith(beginning):
            return Filters.from_dict({name: [model.removeprefix(beginning)]})
    raise NotFoundError(_NO_MODEL.format(model[:100]))


def _asking(library: Library, body: ChatBody) -> Made:
    said = [(one.role, one.text) for one in body.messages if one.role in ("user", "assistant") and one.text]
    if not said or said[-1][0] != "user":
        raise UsageError("The last message is to be the user's, with the question.")
    filters = _within(body.model)
    return lambda on_event, cancelled: library.ask(
        said[-1][1], filters=filters, history=said[:-1], on_event=on_event, cancelled=cancelled
    ).to_dict()


def _chunks(make: Made, body: ChatBody) -> Iterator[str]:
    """Yield the chunks of a stream: the steps while the answer is made, as reasoning, then the checked answer.

    What comes from the model in between is a preview that may be taken back, which no chat client could do.
    """
    head = _head(body, "chat.completion.chunk")

    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> str:
        return _data(head | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]} | more)

    yield chunk({"role": "assistant", "content": ""})
    for event in answer_events(make):
        if event is None:
            yield ": \n\n"
        elif "step" in event:
            yield chunk({"reasoning_content": event["step"]["content"] + "\n"})
        elif "error" in event:
            yield _data(event)
            return
        elif "answer" in event:
            answer = event["answer"]
            yield from (chunk({"content": piece}) for piece in _PIECE.findall(_content(answer)))
            yield chunk({}, "stop", **_places(answer))
            if body.stream_options and body.stream_options.include_usage:
                yield _data(head | {"choices": [], "usage": _usage(answer)})
    yield "data: [DONE]\n\n"


def _content(answer: dict[str, Any]) -> str:
    """Return what a client shows: the answer, and below it what the web says where the documents do not."""
    return "\n\n".join(filter(None, (answer["answer"], outside_told(answer))))


def _places(answer: dict[str, Any]) -> dict[str, Any]:
    return {"citations": answer["sources"], "web_sources": answer["web_sources"]}


def _head(body: ChatBody, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{uuid4().hex}", "object": kind, "created": int(time.time()), "model": body.model}


def _usage(answer: dict[str, Any]) -> dict[str, int]:
    prompt, completion = answer["tokens"]["prompt"], answer["tokens"]["completion"]
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _data(value: dict[str, Any]) -> str:
    return f"data: {as_json(value)}\n\n"
