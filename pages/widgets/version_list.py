"""A document's versions: what each changed, opening, comparing, restoring and deleting them; their comparison."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from engine.model import Document, Version
from engine.versions.changes import Difference
from pages.widgets import access, buttons, difference
from pages.widgets.confirm import confirm
from pages.widgets.messages import tell_next
from pages.widgets.reader import Place
from pages.widgets.services import library, owner
from pages.widgets.texts import day, t


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
    st.caption(f"{_size(item.size)} · {_told(item, older)}")
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
    changes = difference.short(_difference(str(library().folder), older, item))
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
    found = _difference(str(library().folder), by_number[pair[0]], by_number[pair[1]])
    st.subheader(t("difference.title", before=pair[0], after=pair[1]), anchor=False)
    notes = [difference.short(found) or t("difference.none")]
    if found.renumbered:
        notes.append(t("difference.renumbered", count=len(found.renumbered)))
    if found.count > difference.MOST_ROWS:
        notes.append(t("difference.shown", count=difference.MOST_ROWS))
    st.caption(" · ".join(notes))
    if found.count:
        difference.show(found)


def _key(version: Version) -> tuple[str, int, int, str]:
    return version.document_id, version.version, version.nodes, version.sha256


@st.cache_resource(show_spinner=False, max_entries=32, hash_funcs={Version: _key})
def _difference(folder: str, before: Version, after: Version) -> Difference:
    return library().version_history.difference(before.document_id, before.version, after.version)


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"
