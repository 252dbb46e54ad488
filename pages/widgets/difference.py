"""The difference between two versions as the browser draws it: sections, both sides, the words that differ."""

from collections.abc import Sequence
from typing import Any

from engine.versions.changes import Change, Difference, Passage
from engine.versions.words import Span
from pages.widgets.frontend import component
from pages.widgets.places import document_address
from pages.widgets.texts import t

KINDS = ("changed", "added", "removed", "moved", "renamed")
MOST_ROWS = 300
QUOTE_CHARACTERS = 240
_component = component(
    "difference",
    "<div class='bar'><button type='button' class='previous'></button><span class='at' aria-live='polite'></span>"
    "<button type='button' class='next'></button></div><div class='rows' role='list'></div>",
)


def rows_of(found: Difference) -> list[dict[str, Any]]:
    """Return the changes as plain values, each with its kind, place and passages on both sides."""
    return [_row(kind, change, found) for kind in KINDS for change in getattr(found, kind)]


def show(found: Difference) -> None:
    """Draw the changes, with buttons that lead from one to the next."""
    says = {key: t(f"difference.{key}") for key in (*KINDS, "next", "previous", "nothing")}
    rows = rows_of(found)[:MOST_ROWS]
    place = [t("difference.place", n=n + 1, count=len(rows)) for n in range(len(rows))]
    data = {
        "rows": rows, "says": says, "place": place,
        "label": t("difference.label", before=found.before, after=found.after),
        "titles": [t("difference.open", version=version) for version in (found.before, found.after)],
        "versions": [t("versions.n", version=version) for version in (found.before, found.after)],
        "key": f"{found.document_id}.{found.before}.{found.after}",
    }  # fmt: skip
    _component(data, "difference")


def short(found: Difference) -> str:
    """Return what changed in a few words: 2 changed, 1 added."""
    counts = [(kind, len(getattr(found, kind))) for kind in KINDS]
    return ", ".join(t(f"versions.count.{kind}", count=count) for kind, count in counts if count)


def _row(kind: str, change: Change, found: Difference) -> dict[str, Any]:
    passages = [_passage(passage, found) for passage in change.passages] or [_whole(kind, change, found)]
    return {"kind": kind, "place": " › ".join(change.path) or t("difference.top"), "passages": passages}


def _whole(kind: str, change: Change, found: Difference) -> dict[str, Any]:
    """Return a change that is told by the names on both sides, of a section that was moved or renamed."""
    before, after = change.before, change.after
    if kind in ("added", "removed"):
        before, after = (change.path[-1], "") if kind == "removed" else ("", change.path[-1])
    return {
        "before": [["same" if kind == "moved" else "removed", before]] if before else [],
        "after": [["same" if kind == "moved" else "added", after]] if after else [],
        "links": _links(found, change, "", ""),
    }  # fmt: skip


def _passage(passage: Passage, found: Difference) -> dict[str, Any]:
    return {
        "before": _side(passage.spans, "added") if passage.before else [],
        "after": _side(passage.spans, "removed") if passage.after else [],
        "links": _links(found, passage, passage.before, passage.after),
    }  # fmt: skip


def _side(spans: Sequence[Span], without: str) -> list[list[str]]:
    """Return one side as [kind, text]."""
    return [[span.kind, span.text] for span in spans if span.kind != without]


def _links(found: Difference, of: Change | Passage, before: str, after: str) -> list[str]:
    """Return the addresses of the older and the newer node, each with its words; "" where a version has none."""
    sides = ((found.before, of.before_node, before), (found.after, of.after_node, after))
    return [
        document_address(
            doc=found.document_id, version=version, node=node, quote=" ".join(words.split())[:QUOTE_CHARACTERS]
        ) if node is not None else ""
        for version, node, words in sides
    ]  # fmt: skip
