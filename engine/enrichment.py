"""What models add to a version after it is in: names, summaries, descriptions of pictures, texts for the index.

The tree that was parsed stays as it is in ids, texts and places; what a model said goes into titles, summaries
and metadata, marked with the model's name, in one commit. Replies are kept, so that a document that is parsed
or added again costs nothing, and a run that was cut off goes on where it stopped.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from engine.config import Settings
from engine.enrich.asking import Asking, OnShare, instruction
from engine.enrich.by_model import (
    ASKED,
    descriptions_by_model,
    index_texts_by_model,
    needs_summaries,
    pictures_to_describe,
    relations_by_model,
    summaries_by_model,
)
from engine.enrich.figures import enrich_figure
from engine.errors import NotFoundError, ProviderError
from engine.ingest import Ingest, OnStage, Received
from engine.model import AddResult, Node, Tree
from engine.page_image import node_image
from engine.providers.cancelling import Cancelled
from engine.providers.llm import Llm
from engine.providers.opened import OpenedProviders
from engine.structure.normalization import rename_generated
from storage.base import Storage

STAGE = "enrich"
MOST_CALLS = 500
NAME_PROMPT_VERSION = "1"
NAME_TOKENS = 60
PICTURE_SIDE = 1024
_NOTES = (
    "Some descriptions of pictures are missing",
    "Some summaries and names are not by the model",
    "Some passages are indexed as without a model",
    "What some passages say of names is not read",
)
_SPENT = "The budget (indexing.max_calls, indexing.max_tokens) is spent."


@dataclass(slots=True)
class _Said:
    """What models said of one ``tree``, unless they are ``stopped``: by node id, names by the text that was named."""

    tree: Tree
    received: Received
    stopped: Cancelled
    names: dict[str, str] = field(default_factory=dict)
    summaries: dict[str, str] = field(default_factory=dict)
    descriptions: dict[str, dict[str, Any]] = field(default_factory=dict)
    indexed: dict[str, dict[str, Any]] = field(default_factory=dict)
    relations: dict[str, dict[str, Any]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    how: str = ""
    unavailable: ProviderError | None = None


@dataclass(eq=False)
class Enrichment:
    """The job "enrich". Safe to call from several threads."""

    _storage: Storage
    _ingest: Ingest
    _settings: Callable[[], Settings]
    _providers: OpenedProviders

    def enrich(self, received: Received, report: OnStage, stopped: Cancelled) -> AddResult:
        """Let the models that are set up speak about a version, and replace its tree by the richer one.

        A node that fails keeps what it has. Raises ProviderError when a model cannot be reached at all, after
        what there is was stored, so that the job can be tried again; CancelledError. A version that is gone
        is left alone.
        """
        unchanged = AddResult(received.document_id, received.name, received.replaces, "unchanged")
        try:
            tree = self._storage.tree(received.document_id, received.replaces)
            said = self._asked(_Said(tree, received, stopped), lambda share: report(STAGE, share))
            self._ingest.revise(received, lambda current: _with(current, said))
        except NotFoundError:
            return unchanged
        if said.unavailable is not None:
            raise said.unavailable
        return replace(unchanged, status="updated", pages=tree.pages, nodes=len(tree.nodes))

    def _asked(self, said: _Said, report: OnShare) -> _Said:
        settings, llm = self._settings(), self._providers.indexing_llm

        def told(number: int, share: float) -> None:
            report((number + share) / len(steps))

        steps = (
            (self._describe, self._providers.vision),
            (self._summarise, llm if settings.summary.with_model else None),
            (self._index, llm if said.received.strategy in ASKED else None),
            (self._relate, llm if settings.indexing.relations else None),
        )  # fmt: skip
        report(0.0)
        try:
            for number, (step, model) in enumerate(steps):
                if model is not None:
                    step(said, model, partial(told, number))
        except ProviderError as error:  # a model that does not even tell its name
            said.unavailable = error
        return said

    def _describe(self, said: _Said, vision: Llm, report: OnShare) -> None:
        nodes = pictures_to_describe(said.tree)
        if not nodes:
            return
        asking = Asking(vision.model, self._storage.replies, MOST_CALLS)
        picture = partial(_picture, self._storage.files.verified(said.received.sha256), said.tree.media_type)
        said.descriptions = descriptions_by_model(nodes, picture, vision, asking, report, said.stopped)
        _conclude(said, asking, _NOTES[0])

    def _summarise(self, said: _Said, llm: Llm, report: OnShare) -> None:
        asking = Asking(llm.model, self._storage.replies, MOST_CALLS)
        said.how = asking.how

        def name(text: str) -> str | None:
            if found := _name(text, llm, asking, said.stopped):
                said.names[text] = found
            return found

        named = rename_generated(_with(said.tree, said), name)
        said.summaries = summaries_by_model(named, llm, asking, report, said.stopped)
        _conclude(said, asking, _NOTES[1])

    def _index(self, said: _Said, llm: Llm, report: OnShare) -> None:
        tree, strategy, asking = said.tree, said.received.strategy, self._budgeted(llm)
        if not said.summaries and needs_summaries(tree, strategy):
            said.how = asking.how
            said.summaries = summaries_by_model(tree, llm, asking, lambda _: None, said.stopped)
        said.indexed = index_texts_by_model(_with(tree, said), strategy, llm, asking, report, said.stopped)
        _conclude(said, asking, _NOTES[2], _SPENT)

    def _relate(self, said: _Said, llm: Llm, report: OnShare) -> None:
        asking = self._budgeted(llm)
        found = relations_by_model(said.tree, llm, asking, report, said.stopped)
        said.relations = {key: {"method": asking.how, "said": list(map(list, one))} for key, one in found.items()}
        _conclude(said, asking, _NOTES[3], _SPENT)

    def _budgeted(self, llm: Llm) -> Asking:
        budget = self._settings().indexing
        return Asking(llm.model, self._storage.replies, budget.max_calls, budget.max_tokens)


def _name(text: str, llm: Llm, asking: Asking, stopped: Cancelled) -> str | None:
    system, user = instruction("section_name", text), f"<text>\n{text}\n</text>"
    return asking.complete(llm, f"name {NAME_PROMPT_VERSION}", system, user, NAME_TOKENS, stopped, about=text)


def _picture(path: Any, media_type: str, node: Node) -> tuple[bytes, int]:
    """Return the picture of a node, at most PICTURE_SIDE a side, and its shorter side in pixels."""
    from PIL import Image

    picture = node_image(path, media_type, node, PICTURE_SIDE)
    return picture, min(Image.open(io.BytesIO(picture)).size)


def _conclude(said: _Said, asking: Asking, note: str, limit: str = "The document has too many for one run.") -> None:
    if asking.unavailable is not None:
        said.unavailable = asking.unavailable
    if missing := asking.failed + asking.left_out:
        said.notes.append(f"{note} ({missing}). {asking.error or limit}")


def _with(tree: Tree, said: _Said) -> Tree:
    """Return a tree of the same nodes with what the models said, and the notes of this run for earlier ones."""
    nodes = []
    for node in rename_generated(tree, said.names.get).nodes:
        if facts := said.descriptions.get(node.node_id):
            metadata = node.metadata | {"description_error": None} | facts
            if not metadata["description_error"]:
                del metadata["description_error"]
            node = enrich_figure(replace(node, metadata=metadata))
        if summary := said.summaries.get(node.node_id):
            node = replace(node, summary=summary, metadata=node.metadata | {"summary_method": said.how})
        made = {"indexed": said.indexed.get(node.node_id), "relations": said.relations.get(node.node_id)}
        if any(made.values()):
            node = replace(node, metadata=node.metadata | {name: one for name, one in made.items() if one})
        nodes.append(node)
    warnings = [warning for warning in tree.warnings if not warning.startswith(_NOTES)]
    return replace(tree, nodes=nodes, warnings=[*warnings, *said.notes])
