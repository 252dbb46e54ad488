"""A document's versions: what each changed, opening, comparing, restoring and deleting them; what differs, as drawn."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from engine.model import Document, Version
from engine.versions.changes import KINDS, CellChange, Change, Difference, Passage
from pages.widgets import access, buttons
from pages.widgets.buttons import confirm, tell_next
from pages.widgets.fragments import component
from pages.widgets.places import QUOTE_CHARACTERS, Place, document_address
from pages.widgets.services import library, owner
from pages.widgets.texts import day, t

MOST_ROWS = 300
_component = component(
    "difference",
    "<div class='bar'><button type='button' class='previous'></button><span class='at' aria-live='polite'></span>"
    "<button type='button' class='next'></button></div><div class='rows' role='list'></div>",
)


def compared(versions: Sequence[Version]) -> tuple[int, int] | None:
    """Return the two versions that the address compares (``?compare=2..3``), None when it names none."""
    before, dots, after = st.query_params.get("compare", "").partition("..")
    known = {str(item.version): item.version for item in versions}
    if not dots or before not in known or after not in known or before == after:
        return None
    return known[before], known[after]


def button(here: Place, versions: Sequence[Version]) -> None:
    """Draw the button that opens the list of versions."""
    label = t("versions.button", count=len(versions))
    if buttons.button(label, "versions.button", "history"):
        st.dialog(t("versions.title"), width="medium")(listing)(here.document, versions)


def listing(document: Document, versions: Sequence[Version]) -> None:
    """Draw the versions, the newest first, each with what it changed and what can be done with it."""
    for item, older in zip(versions, [*versions[1:], None], strict=True):
        with st.container(border=True, gap="small"):
            _version(document, item, older, only=len(versions) == 1)


def _version(document: Document, item: Version, older: Version | None, *, only: bool) -> None:
    number = item.version
    name = "document.version.current" if item.current else "document.version.n"
    st.markdown(f"**{t(name, version=number, date=day(item.created_at))}**")
    size = f"{item.size / 1e6:.1f} MB" if item.size >= 1e6 else f"{item.size / 1e3:.1f} kB"
    st.caption(f"{size} · {_told(item, older)}")
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        buttons.link_to("document", t("versions.open"), doc=document.document_id, version=number)
        if older is not None:
            pair = f"{older.version}..{number}"
            buttons.link_to("document", t("versions.compare"), doc=document.document_id, compare=pair)
        if only or not access.changeable()(document):
            return
        for action in ("delete",) if item.current else ("restore", "delete"):
            with st.popover(t(f"versions.{action}"), type="tertiary"):
                st.markdown(t(f"versions.{action}.sure", version=number))
                sure = t(f"versions.yes.{action}", version=number)
                confirm(sure, f"versions.{action}.{number}", partial(_do, document, action, number))


def _do(document: Document, action: str, number: int) -> None:
    history = library().version_history
    if action == "restore":
        library().enqueue(history.source(document.document_id, number), owner())
        tell_next(t("versions.restoring"))
    else:
        history.delete(document.document_id, number)
        tell_next(t("versions.deleted", version=number))
    st.query_params.from_dict({"doc": document.document_id})


def _told(item: Version, older: Version | None) -> str:
    if older is None:
        return t("versions.first")
    changes = in_words(difference(str(library().folder), older, item))
    return t("versions.changes", changes=changes) if changes else t("versions.same")


def comparison(here: Place, versions: Sequence[Version], pair: tuple[int, int]) -> None:
    """Draw what differs between two versions, instead of the document."""
    document = here.document
    by_number = {item.version: item for item in versions}
    labels = {n: t("difference.version", version=n, date=day(by_number[n].created_at)) for n in by_number}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        chosen = [
            st.selectbox(
                t(f"difference.{side}"), list(labels), index=list(labels).index(number), width=240,
                format_func=lambda n: labels[n], key=f"difference.{side}.{document.document_id}.{pair[0]}.{pair[1]}",
            )
            for side, number in zip(("before", "after"), pair, strict=True)
        ]  # fmt: skip
        buttons.link_to("document", t("difference.back"), "article", doc=document.document_id)
    if tuple(chosen) != pair and chosen[0] != chosen[1]:
        st.query_params.from_dict({"doc": document.document_id, "compare": f"{chosen[0]}..{chosen[1]}"})
        st.rerun()
    found = difference(str(library().folder), by_number[pair[0]], by_number[pair[1]])
    st.subheader(t("difference.title", before=pair[0], after=pair[1]), anchor=False)
    notes = [in_words(found) or t("difference.none")]
    if found.renumbered:
        notes.append(t("difference.renumbered", count=len(found.renumbered)))
    if len(rows := rows_of(found)) > MOST_ROWS:
        notes.append(t("difference.shown", count=MOST_ROWS))
    st.caption(" · ".join(notes))
    if rows:
        _rows(found, rows[:MOST_ROWS])


_KEYS: dict[str | type[Any], Callable[[Any], Any]] = {
    Version: lambda one: (one.document_id, one.version, one.nodes, one.sha256)
}


@st.cache_resource(show_spinner=False, max_entries=32, hash_funcs=_KEYS)
def difference(folder: str, before: Version, after: Version) -> Difference:
    """Return what differs between two versions of a document in the library's folder."""
    return library().version_history.difference(before.document_id, before.version, after.version)


def rows_of(found: Difference) -> list[dict[str, Any]]:
    """Return the changes as plain values, each with its kind, place and passages on both sides."""
    return [
        {
            "place": " › ".join(change.path) or t("difference.top"),
            "passages": [
                {
                    "kind": kind if kind in ("added", "removed") else one.kind,
                    "before": _side(one, newer=False) if one.before else [],
                    "after": _side(one, newer=True) if one.after else [],
                    "links": _links(found, one, one.before, one.after),
                } for one in change.passages
            ] or [_whole(kind, change, found)],
        }
        for kind in KINDS
        for change in getattr(found, kind)
    ]  # fmt: skip


def _rows(found: Difference, rows: Sequence[dict[str, Any]]) -> None:
    says = {key: t(f"difference.{key}") for key in (*KINDS, "next", "previous", "nothing", "more")}
    count = sum(len(row["passages"]) for row in rows)
    place = [t("difference.place", n=n + 1, count=count) for n in range(count)]
    data = {
        "rows": rows, "says": says, "place": place,
        "label": t("difference.label", before=found.before, after=found.after),
        "titles": [t("difference.open", version=version) for version in (found.before, found.after)],
        "versions": [t("versions.n", version=version) for version in (found.before, found.after)],
        "key": f"{found.document_id}.{found.before}.{found.after}",
    }  # fmt: skip
    _component(data, "difference")


def in_words(found: Difference) -> str:
    """Return what changed in a few words, passage by passage: 2 changed, 1 added."""
    return ", ".join(t(f"versions.count.{kind}", count=count) for kind, count in found.counts.items())


def _whole(kind: str, change: Change, found: Difference) -> dict[str, Any]:
    """Return a change that is told by the names on both sides, of a section that was moved or renamed."""
    before, after = change.before, change.after
    if kind in ("added", "removed"):
        before, after = (change.path[-1], "") if kind == "removed" else ("", change.path[-1])
    return {
        "kind": kind,
        "before": [["same" if kind == "moved" else "removed", before]] if before else [],
        "after": [["same" if kind == "moved" else "added", after]] if after else [],
        "links": _links(found, change, "", ""),
    }  # fmt: skip


def _side(passage: Passage, *, newer: bool) -> list[list[str]]:
    """Return one side as [kind, text]: of a row in lines of its own each cell that differs, of a new table its rows."""
    own, without = ("added", "removed") if newer else ("removed", "added")
    if not passage.cells:
        apart = "\t" if passage.role in ("row", "table") else " | "
        return [[one.kind, one.text.replace(" | ", apart)] for one in passage.spans if one.kind != without]
    lines: list[list[str]] = []
    for cell in passage.cells:
        value = (cell.after if newer else cell.before) or "—"
        names = " · ".join(filter(None, _names(cell, passage.kind == "changed"))) or "—"
        lines += [["same", f"{names}:\u2002"], [own, value], ["same", "\n"]]
    return lines[:-1]


def _names(cell: CellChange, with_row: bool) -> list[str]:
    return [cell.address.rpartition("!")[2], cell.row if with_row else "", cell.column]


def _links(found: Difference, of: Change | Passage, before: str, after: str) -> list[str]:
    """Return the addresses of the older and the newer node, each with its words; "" where a version has none."""
    sides = ((found.before, of.before_node, before), (found.after, of.after_node, after))
    return [
        document_address(
            doc=found.document_id, version=version, node=node, quote=" ".join(words.split())[:QUOTE_CHARACTERS]
        ) if node is not None else ""
        for version, node, words in sides
    ]  # fmt: skip
