"""The shapes of REST as its description tells them: what bodies hold, and what is answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import GenericAlias
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, create_model, model_validator

from engine.model import (
    AddResult,
    Answer,
    Check,
    Citation,
    Collection,
    Document,
    Filters,
    Job,
    Manner,
    Message,
    Style,
    Version,
)
from engine.topics.entities import Named, Statement
from engine.topics.known import Topic

LONGEST_TEXT = 100_000


def _whole(text: str) -> str:
    """Return a text whose characters are whole; halves (lone surrogates) and NUL stand in no document."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("holds characters that no text has")
    return text


Text = Annotated[str, AfterValidator(_whole), Field(max_length=LONGEST_TEXT)]
# Levels, pages, versions, counts: the largest that the stores can hold is far beyond any of them.
Number = Annotated[int, Field(ge=1, le=1_000_000)]
# A document, a topic or a collection, by its id or its name.
Reference = Annotated[Text, Field(description="id or name", examples=["report.md"])]


def gives(shape: Any, media_type: str = "application/json") -> dict[str, Any]:
    """Return the arguments of a route that answers in this shape; what it returns is sent as it is."""
    told: dict[str, Any] = {"description": "Done"}
    if media_type == "application/json":
        told["model"] = shape
    else:
        told["content"] = {media_type: {"schema": {"type": "string", "format": "binary"}}}
    return {"response_model": None, "responses": {200: told}}


def example(**values: Any) -> ConfigDict:
    """Return the configuration of a body with an example; a field that it has not is an error."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [values]})


# --- bodies --------------------------------------------------------------------------------------------


class FilterBody(BaseModel):
    """The filters that search and ask share."""

    model_config = ConfigDict(extra="forbid")

    document: list[Text] = []
    topic: list[Text] = []
    role: list[Text] = []
    section: Text | None = None
    version: Number | None = None
    pages: tuple[Number, Number] | None = None
    level: list[Number] = []
    unit: list[Text] = []
    chart_type: list[Text] = []
    col_type: list[Text] = []
    has_numbers: bool | None = None
    collection: list[Text] = []

    def filters(self) -> Filters:
        """Return them as the engine's value."""
        return Filters.of(self)


class SearchBody(FilterBody):
    """A search; ``text`` asks for the hits as the text that other agents read, too."""

    model_config = example(query="foundries", mode="hybrid", top_k=3)

    query: Text
    top_k: Number | None = None
    mode: Text = "hybrid"
    regex: bool = False
    text: bool = False


class TurnBody(BaseModel):
    """One earlier message of a conversation."""

    role: Literal["user", "assistant"]
    text: str = Field(max_length=100_000)


class AskBody(FilterBody):
    """A question; ``stream`` sends events and the answer as the last.

    ``path`` is auto, direct (one search) or agent (a loop of at most ``max_iterations`` rounds). ``history`` holds the
    earlier messages of the conversation, the oldest first. ``model``, of the endpoint or of the one of ``[endpoints]``
    that ``endpoint`` names, answers in place of the one set up; ``temperature``, ``style``, ``language`` (by its
    English name) and ``instructions`` say how.
    """

    model_config = example(question="How many foundries supply the chips?", document=["report.md"])

    question: Text
    history: list[TurnBody] = Field(default_factory=list, max_length=100)
    stream: bool = False
    path: Literal["auto", "direct", "agent"] = "auto"
    max_iterations: int | None = Field(None, ge=1, le=20)
    model: str = Field("", max_length=200)
    instructions: str = Field("", max_length=4000)
    endpoint: str = Field("", max_length=40)
    temperature: float | None = Field(None, ge=0, le=2)
    language: str = Field("", max_length=40)
    style: Style = ""

    def manner(self) -> Manner:
        """Return how the question is to be answered."""
        return Manner(self.endpoint, self.model, self.temperature, self.language, self.style, self.instructions)

    def turns(self) -> list[tuple[str, str]]:
        """Return the earlier messages as (role, text)."""
        return [(turn.role, turn.text) for turn in self.history]


class QuestionBody(AskBody):
    """A question as seed 003 puts it, and all that :class:`AskBody` takes.

    ``topic_filter`` are ids or names of topics, ``version`` null is the newest; without ``show_reasoning`` the trace
    stays empty. ``conversation_id`` goes on with a conversation that an earlier answer named.
    """

    model_config = example(
        question="How many foundries supply the chips?", topic_filter=[], version=None, show_reasoning=False
    )

    topic_filter: list[Text] = []
    show_reasoning: bool = False
    conversation_id: Text | None = None

    def filters(self) -> Filters:
        """Return the filters, with the topics of both names."""
        topics = [*self.topic, *self.topic_filter]
        return FilterBody.filters(self.model_copy(update={"topic": topics}))


class SummaryBody(BaseModel):
    """What to summarise: a topic, a collection, or a document, the section with this title, or chosen nodes of it."""

    model_config = example(document="report.md")

    document: Text | None = None
    topic: Text | None = None
    collection: Text | None = None
    version: Number | None = None
    section: Text = ""
    nodes: list[Text] = []

    @model_validator(mode="after")
    def _one_subject(self) -> SummaryBody:
        if sum(map(bool, (self.document, self.topic, self.collection))) != 1:
            raise ValueError("name one document, topic or collection")
        return self


class MergeBody(BaseModel):
    """A topic, and the one whose documents it takes over, by id or name."""

    model_config = example(topic="Chips", other="Foundries")

    topic: Text
    other: Text


class Paging(BaseModel):
    """Which part of a list is wanted."""

    offset: int = Field(0, ge=0, le=1_000_000)
    limit: int = Field(1000, ge=1, le=1000)

    def of(self, name: str, items: Sequence[dict[str, Any]], total: int | None = None) -> dict[str, Any]:
        """Return a page under a name; ``total`` where ``items`` are the page's alone."""
        whole = len(items) if total is None else total
        part = items[self.offset : self.offset + self.limit] if total is None else items
        after = self.offset + self.limit
        return {name: list(part), "total": whole, "next": after if after < whole else None}


# --- answers -------------------------------------------------------------------------------------------


def _shape(shape: str, base: type[BaseModel] = BaseModel, told: str | None = None, /, **fields: Any) -> Any:
    """Return the shape of an answer by its name and the types of its fields, none of which may lack.

    ``told`` is what the description of REST says of it.
    """
    of_fields: dict[str, Any] = {field: (kind, ...) for field, kind in fields.items()}
    return create_model(shape, __base__=base, __module__=__name__, __doc__=told, **of_fields)


class Page(BaseModel):
    """A part of a list; ``next`` is the offset of the part that follows, null at the end."""

    total: int
    next: int | None


@dataclass(frozen=True)
class ListedDocument(Document):
    """A document, also by the seed's names."""

    id: str = ""
    filename: str = ""


class DocumentDetail(BaseModel):
    """A document with its topics, or one that waits to be read, of which only the name is known."""

    model_config = ConfigDict(extra="allow")

    id: str
    filename: str
    status: Literal["ready", "processing", "failed"]
    error: str | None = None
    topics: list[str] = []


@dataclass(frozen=True)
class TopicMember(ListedDocument):
    """A document of a topic, and how sure that is, 0 to 1."""

    confidence: float = 0.0


@dataclass(frozen=True)
class NamedCitation(Citation):
    """A source, its document also by the seed's name."""

    document_name: str


@dataclass(frozen=True)
class Reply(Answer):
    """An answer, its sources by the seed's names too, and the conversation that it was kept in."""

    sources: list[NamedCitation]  # type: ignore[assignment]
    conversation_id: str = ""


Problem = _shape(
    "Problem", BaseModel, "What went wrong; `fix` says what to do, `request_id` names the request in the log.",
    error=_shape("Told", type=str, message=str, fix=str), request_id=str | None,
)  # fmt: skip
_File = _shape(
    "File", id=str | None, filename=str, status=Literal["processing", "unchanged", "failed"], error=str | None
)
Uploaded = _shape(
    "Uploaded", BaseModel, "What became of files that were uploaded; they are read in the background.",
    success=bool, documents=GenericAlias(list, _File),
)  # fmt: skip
_Kept = _shape("Kept", conversation_id=str, title=str, created_at=float, updated_at=float, messages=list[Message])
History = _shape(
    "History", Page, "Conversations with their messages, the last used first.", history=GenericAlias(list, _Kept)
)
Documents = _shape("Documents", Page, documents=list[ListedDocument])
Collections = _shape("Collections", Page, collections=list[Collection])
Topics = _shape("Topics", Page, topics=list[Topic])
TopicDetail = _shape("TopicDetail", topic_id=str, name=str, description=str, documents=list[TopicMember])
TopicDocuments = _shape("TopicDocuments", Page, documents=list[TopicMember])
Names = _shape("Names", Page, names=list[Named])
Statements = _shape("Statements", Page, statements=list[Statement])
Versions = _shape("Versions", Page, document_id=str, name=str, versions=list[Version])
Added = _shape("Added", documents=list[AddResult])
Removed = _shape("Removed", removed=GenericAlias(list, _shape("RemovedDocument", document_id=str, name=str)))
Jobs = _shape("Jobs", Page, jobs=list[Job])
Checks = _shape("Checks", checks=list[Check])
Alive = _shape("Alive", ok=bool, library=str)
