"""The value types that travel between the rooms of the house.

All are frozen dataclasses with ``to_dict``/``from_dict``; identity and persistence are storage's
concern. Pages, slides and sheets are 1-based. Boxes are ``(x0, y0, x1, y1)`` in PDF points, measured
from the page's top left corner.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self, get_args

Role = Literal["document", "section", "paragraph", "list", "table", "image", "caption", "equation", "code"]
ROLES: tuple[str, ...] = get_args(Role)
BBox = tuple[float, float, float, float]
SearchMode = Literal["hybrid", "semantic", "fulltext", "keyword"]
SEARCH_MODES: tuple[str, ...] = get_args(SearchMode)


class Value:
    """Conversion to and from plain JSON values, shared by all value types."""

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dict with the field names as keys."""
        return {f.name: _plain(getattr(self, f.name)) for f in dataclasses.fields(self)}  # type: ignore[arg-type]

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Build the value from :meth:`to_dict`'s output; unknown keys are ignored."""
        names = {f.name for f in dataclasses.fields(cls)}  # type: ignore[arg-type]
        known = {key: value for key, value in data.items() if key in names}
        if isinstance(known.get("bbox"), list):
            known["bbox"] = tuple(known["bbox"])
        return cls(**known)


def _plain(value: Any) -> Any:
    if isinstance(value, Value):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


# --- parsing ---------------------------------------------------------------------------------------

BlockKind = Literal["heading", "paragraph", "list_item", "table", "image", "caption", "equation", "code"]


@dataclass(frozen=True, slots=True)
class Block(Value):
    """One piece of a document in reading order, as a format parser saw it.

    ``level`` is a heading's or list item's depth (1 = top) where the format states it, else None and
    ``structure`` infers it from ``evidence`` (``size`` in points, ``bold``, ``numbering``, ``style``,
    ``outline`` …). A table block has ``metadata["rows"]`` (list of rows of cell texts) and may have
    ``columns``, ``caption``, ``label``; ``text`` is its rows as lines. ``metadata["spans"]`` lists
    ``{"page", "bbox"}`` for a block that continues in another column or page.
    """

    kind: BlockKind
    text: str
    page: int | None = None
    bbox: BBox | None = None
    level: int | None = None
    cell: str | None = None
    evidence: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ParsedFile(Value):
    """What a format parser returns: blocks in reading order and facts about the file.

    ``pages`` is the number of pages, slides or sheets (None where the format has none);
    ``page_sizes`` holds (width, height) in points for each. ``outline`` is the file's own table of
    contents as ``{"level", "title", "page", "y"}``. ``warnings`` say what could not be read.
    ``unread_pages`` are pictures of text that wait for text recognition.
    """

    media_type: str
    blocks: list[Block]
    title: str = ""
    pages: int | None = None
    page_sizes: list[tuple[float, float]] = field(default_factory=list)
    outline: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    unread_pages: list[int] = field(default_factory=list)


# --- the node tree -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Node(Value):
    """One node of a document's tree. ``text`` is its own text, not its children's.

    A section's ``title`` is its heading, its ``text`` is empty. ``depth`` is 0 for the document;
    ``position`` counts within the parent; ``level`` is a section's heading level.
    """

    node_id: str
    parent_id: str | None
    role: Role
    title: str = ""
    text: str = ""
    summary: str = ""
    depth: int = 0
    position: int = 0
    page: int | None = None
    bbox: BBox | None = None
    cell: str | None = None
    level: int | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Edge(Value):
    """A relation between two nodes: child, next, ref, same_page, caption_of, …"""

    source: str
    target: str
    kind: str
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Tree(Value):
    """The node tree of one version of a document: nodes in reading order, the root first.

    ``unread_pages`` and ``unread_pictures`` (their number) are known of a tree that was just parsed: pages that
    are pictures of text, and pictures on pages, that wait for text recognition.
    """

    document_id: str
    name: str
    media_type: str
    version: int
    pages: int | None
    nodes: list[Node]
    page_sizes: list[tuple[float, float]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unread_pages: list[int] = field(default_factory=list)
    unread_pictures: int = 0

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Tree:
        """Build the tree and its nodes from :meth:`to_dict`'s output."""
        return cls(
            data["document_id"], data["name"], data["media_type"], data["version"], data["pages"],
            [Node.from_dict(node) for node in data["nodes"]],
            [(w, h) for w, h in data.get("page_sizes", [])], list(data.get("warnings", [])),
            list(data.get("unread_pages", [])), int(data.get("unread_pictures", 0)),
        )  # fmt: skip

    def path(self, node_id: str) -> list[str]:
        """Return the titles of the sections above and including the node, outermost first."""
        by_id = {node.node_id: node for node in self.nodes}
        return section_path(node_id, by_id)


def section_path(node_id: str, nodes: Mapping[str, Node]) -> list[str]:
    """Return the section titles that lead to a node (itself included if it is one), outermost first."""
    titles: list[str] = []
    node = nodes.get(node_id)
    while node is not None:
        if node.role == "section":
            titles.append(node.title)
        node = nodes.get(node.parent_id) if node.parent_id else None
    return titles[::-1]


def document_id_for(name: str) -> str:
    """Return the id of the document with this name: the same name gives the same id anywhere."""
    return "d" + hashlib.sha256(name.casefold().encode()).hexdigest()[:11]


class NodeIds:
    """Hands out node ids that depend on the file's bytes and the node's own content.

    The same file gives the same ids; a paragraph keeps its id when a better parser moves it to another
    section. Equal nodes of a file are told apart by their order.
    """

    def __init__(self, sha256: str) -> None:
        self._sha256 = sha256
        self._seen: dict[str, int] = {}

    def next(self, role: str, content: str) -> str:
        """Return the id of the next node with this role and content (title and text)."""
        key = hashlib.sha256(f"{self._sha256}\0{role}\0{content}".encode()).hexdigest()[:14]
        count = self._seen[key] = self._seen.get(key, 0) + 1
        return f"n{key}" if count == 1 else f"n{key}-{count}"


# --- the library -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Version(Value):
    """One version of a document: its original file, by SHA-256, and what parsing made of it."""

    document_id: str
    version: int
    sha256: str
    size: int
    media_type: str
    pages: int | None
    nodes: int
    created_at: float
    current: bool = True
    warnings: list[str] = field(default_factory=list)
    seconds: float = 0.0
    strategy: str = "recursive"


@dataclass(frozen=True, slots=True)
class Document(Value):
    """A document as the library lists it; the figures are those of the current version.

    ``embedded`` is how many of its ``retrievable`` nodes have a vector yet.
    """

    document_id: str
    name: str
    media_type: str
    version: int
    versions: int
    sha256: str
    size: int
    pages: int | None
    nodes: int
    created_at: float
    updated_at: float
    embedded: int = 0
    retrievable: int = 0
    warnings: list[str] = field(default_factory=list)
    strategy: str = "recursive"


@dataclass(frozen=True, slots=True)
class AddResult(Value):
    """What became of one file that was added; the shape of ``dropqa add --json``."""

    document_id: str | None
    name: str
    version: int | None
    status: Literal["added", "updated", "unchanged", "failed"]
    error: str | None = None
    pages: int | None = None
    nodes: int = 0
    seconds: float = 0.0


JobState = Literal["queued", "running", "done", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class Job(Value):
    """A piece of background work. ``progress`` is 0..1; ``eta`` is in seconds, None when unknown."""

    job_id: str
    kind: str
    name: str
    owner: str
    state: JobState
    stage: str
    progress: float
    error: str | None
    payload: dict[str, Any]
    created_at: float
    updated_at: float
    eta: float | None = None


# --- retrieval ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Filters(Value):
    """What a search may return. Empty means everything; lists are "any of".

    ``documents`` are document ids or names; ``version`` is a version number, None the current one;
    ``section`` matches section titles on a node's path by substring, without case; ``pages`` is a first
    and a last page (1-based, both included), of which a node must touch one; ``levels`` are heading levels;
    ``units`` are canonical names ("%", "USD"); ``has_numbers`` asks for nodes with figures (or without).
    """

    documents: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    section: str | None = None
    version: int | None = None
    pages: tuple[int, int] | None = None
    levels: tuple[int, ...] = ()
    units: tuple[str, ...] = ()
    chart_types: tuple[str, ...] = ()
    has_numbers: bool | None = None

    @property
    def empty(self) -> bool:
        """True when nothing is filtered."""
        return self == Filters()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Filters:
        """Build the filters from :meth:`to_dict`'s output, which has lists for tuples."""
        known = {f.name: data[f.name] for f in dataclasses.fields(cls) if f.name in data}
        return cls(
            **{name: tuple(value) if isinstance(value, list) else value for name, value in known.items()}
        )


@dataclass(frozen=True, slots=True)
class Hit(Value):
    """One found node, with the ranks and scores that brought it here; shape of ``contracts.md``."""

    node_id: str
    document_id: str
    document: str
    version: int
    role: Role
    score: float
    rank: int
    page: int | None
    bbox: BBox | None
    path: list[str]
    snippet: str
    signals: dict[str, float | None] = field(default_factory=dict)
    ranks: dict[str, int | None] = field(default_factory=dict)
    why: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SearchResult(Value):
    """The hits of one search, with timings by stage in milliseconds.

    ``views`` says which views took part ("dense", "sparse", "keyword"); ``notes`` says what was
    missing, such as embeddings that are still being computed.
    """

    query: str
    mode: str
    hits: list[Hit]
    timings_ms: dict[str, float]
    views: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Evidence(Value):
    """A node's text as it is packed for an answer, with its anchor.

    ``text`` is the node's own text or a stretch of it, word for word. ``spans`` is the node's
    ``metadata["spans"]``: the pages and boxes of a node that continues in another column or page. ``table`` is
    the node itself where it is a table: operators compute with its cells.
    """

    hit: Hit
    text: str
    title: str = ""
    cell: str | None = None
    spans: list[dict[str, Any]] = field(default_factory=list)
    table: Node | None = None


# --- answers -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Citation(Value):
    """A source of an answer: ``snippet`` stands word for word in node ``node_id``."""

    n: int
    document_id: str
    document: str
    version: int
    section: str
    node_id: str
    page: int | None
    bbox: BBox | None
    cell: str | None
    snippet: str
    relevance: float


StepType = Literal["initial_assessment", "thought", "action", "evaluation", "verification"]


@dataclass(frozen=True, slots=True)
class TraceStep(Value):
    """One step on the way to an answer."""

    step: int
    type: StepType
    content: str
    tool: str | None = None
    params: dict[str, Any] | None = None
    result_summary: str | None = None


@dataclass(frozen=True, slots=True)
class Answer(Value):
    """An answer with its verified sources; the shape of ``dropqa ask --json``."""

    answer: str
    mode: Literal["direct", "agent"]
    confidence: Literal["high", "medium", "low"]
    answered: bool
    sources: list[Citation]
    identified_topics: list[str] = field(default_factory=list)
    iterations: int = 0
    reasoning_steps: int = 0
    reasoning_trace: list[TraceStep] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    timings_ms: dict[str, float] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=lambda: {"prompt": 0, "completion": 0})
    engine: Literal["llm", "extractive"] = "extractive"

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Answer:
        """Build the answer, its sources and trace from :meth:`to_dict`'s output."""
        known = {f.name: data[f.name] for f in dataclasses.fields(cls) if f.name in data}
        known["sources"] = [Citation.from_dict(source) for source in known.get("sources", [])]
        known["reasoning_trace"] = [TraceStep.from_dict(step) for step in known.get("reasoning_trace", [])]
        return cls(**known)


@dataclass(frozen=True, slots=True)
class Message(Value):
    """One turn of a conversation. ``answer`` is set on the assistant's turns once it is done.

    ``filters`` are what a question was limited to; ``rating`` is what its reader thinks of an answer: 1 good,
    -1 bad, 0 not said.
    """

    message_id: str
    conversation_id: str
    role: Literal["user", "assistant"]
    text: str
    created_at: float
    answer: dict[str, Any] | None = None
    state: Literal["running", "done", "stopped", "failed"] = "done"
    filters: Filters | None = None
    rating: int = 0


@dataclass(frozen=True, slots=True)
class Conversation(Value):
    """A stored conversation of one owner."""

    conversation_id: str
    owner: str
    title: str
    created_at: float
    updated_at: float


@dataclass(frozen=True, slots=True)
class ExpectedNode(Value):
    """A node that a saved question is to find, as it was when the question was saved."""

    node_id: str
    document_id: str
    document: str
    version: int
    role: Role
    page: int | None
    snippet: str


@dataclass(frozen=True, slots=True)
class SavedQuestion(Value):
    """A question of a user's own evaluation set. ``kind`` is a name to group by, "" for none."""

    question_id: str
    owner: str
    text: str
    expected: list[ExpectedNode]
    filters: Filters
    kind: str
    created_at: float


@dataclass(frozen=True, slots=True)
class Check(Value):
    """One line of ``dropqa doctor``; ``fix`` says what to do when ``ok`` is false."""

    name: str
    ok: bool
    detail: str
    fix: str = ""


def children_of(nodes: Iterable[Node]) -> dict[str | None, list[Node]]:
    """Group nodes by parent id, each group in position order."""
    groups: dict[str | None, list[Node]] = {}
    for node in nodes:
        groups.setdefault(node.parent_id, []).append(node)
    for group in groups.values():
        group.sort(key=lambda node: node.position)
    return groups
