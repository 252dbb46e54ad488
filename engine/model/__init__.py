"""The value types that travel between the rooms of the house.

All are frozen dataclasses with ``to_dict``/``from_dict``; identity and persistence are storage's
concern. Pages, slides and sheets are 1-based. Boxes are ``(x0, y0, x1, y1)`` in PDF points, measured
from the page's top left corner.
"""

from engine.model.answers import (
    Answer,
    AnswerState,
    Citation,
    Conversation,
    ExpectedNode,
    Manner,
    Message,
    NextAction,
    SavedQuestion,
    Statement,
    StatementState,
    StepType,
    Style,
    TraceStep,
    WebSource,
)
from engine.model.documents import AddResult, Check, Collection, Correction, Document, Job, JobState, Version
from engine.model.parsing import Block, BlockKind, ParsedFile
from engine.model.reports import Report, ReportSection, ReportState
from engine.model.retrieval import SEARCH_MODES, Condensed, Evidence, Filters, Hit, SearchMode, SearchResult
from engine.model.tree import (
    BESIDE,
    LEAVES,
    PROSE,
    ROLES,
    BBox,
    Edge,
    Node,
    NodeIds,
    Role,
    Tree,
    children_of,
    document_id_for,
    down_to,
    hull,
    own_path,
    section_path,
    tree_edges,
)
from engine.model.values import Value
