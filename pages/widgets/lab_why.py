"""Why is this passage not among the hits? Its way through the search, told in sentences."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import streamlit as st

from engine.export.harmless import plain
from engine.model import Hit, Node
from engine.retrieve.document_names import named_documents
from engine.retrieve.inspect import Inspection
from engine.retrieve.journey import Journey, Stop
from pages.widgets import lab, lab_data, question_set, trial
from pages.widgets.buttons import button, link_to
from pages.widgets.services import document_view, library, node
from pages.widgets.texts import TEXTS, named, t

OFFERED = 50
_MARKS = {
    "passed": ":green[:material/check_circle:]",
    "stopped": ":red[:material/block:]",
    "absent": ":gray[:material/remove_circle_outline:]",
}


def show(here: lab.Asked, inspection: Inspection) -> None:
    """Draw the choice of a passage and the way of the one that is chosen."""
    st.caption(t("why.help"))
    choose(here, inspection.hits)
    if here.node_id is None:
        return
    stored = node(here.node_id)
    if stored is None:
        st.caption(t("document.gone"))
        return
    journey = library().finder.journey(
        here.question, here.node_id, mode=here.mode, filters=here.filters, settings=trial.tried()
    )
    with st.container(border=True):
        st.markdown(f"**{plain(lab.name_of(here.node_id))}**")
        st.caption(plain(" › ".join([journey.document, *journey.path])))
        tell(journey)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            place = {"doc": stored.document_id, "version": stored.version, "node": here.node_id}
            link_to("document", t("lab.open"), "article", **place)
            if question_set.is_saved(here.question, [here.node_id]):
                st.markdown(f":green[:material/check:] {t('lab.saved')}", width="content")
            else:
                given = here.question, [here.node_id], here.filters
                button(t("eval.from_answer"), "why.save", "bookmark_add", question_set.save, *given)


def choose(here: lab.Asked, hits: Sequence[Hit]) -> None:
    """Draw the choice of a document, then of one of its passages by words of it."""
    documents = {document.document_id: document.name for document in library().documents()}
    given = node(here.node_id) if here.node_id else None
    its = given.document_id if given else ""
    chosen = its if its in documents else _asked_document(here, hits, documents)
    left, right = st.columns(2, gap="small")
    document_id = left.selectbox(
        t("why.document"), list(documents), list(documents).index(chosen), format_func=documents.__getitem__,
        key=f"why.document.{chosen}",
    )  # fmt: skip
    words = right.text_input(
        t("why.find"), key="why.words", placeholder=t("why.find.placeholder"), type="search", live=True
    )
    found = matching(document_id, str(words or ""))
    if not found:
        st.caption(t("why.no_match"))
        return
    labels = {one.node_id: _line(one) for one in found}
    ids = list(labels)
    key = f"why.node.{here.node_id}.{document_id}"
    st.selectbox(
        t("why.node"), ids, ids.index(here.node_id) if here.node_id in ids else None, key=key,
        format_func=lambda one: labels.get(one, one), placeholder=t("why.choose", count=len(ids)),
        on_change=lambda: lab.go(replace(here, node_id=st.session_state[key], view="why")),
    )  # fmt: skip


def matching(document_id: str, words: str) -> list[Node]:
    """Return the first passages of a document that have all the words, in reading order."""
    wanted = words.casefold().split()
    nodes = document_view(document_id, library().document(document_id).version).tree.nodes[1:]
    texts = ((one, f"{one.title}\n{one.text}".casefold()) for one in nodes)
    found = (one for one, text in texts if text.strip() and all(word in text for word in wanted))
    return list(islice(found, OFFERED))


def tell(journey: Journey) -> None:
    """Draw what became of the node, then each stage in a sentence."""
    verdict = t("why.shown", rank=journey.rank) if journey.rank else t("why.not_shown")
    colour = "green" if journey.rank else "orange"
    st.markdown(f":{colour}[**{verdict}**]")
    for stop in journey.stops:
        st.markdown(f"{_MARKS[stop.verdict]} **{stage_name(stop.stage)}** · {plain(sentence(stop, lab.name_of))}")
    with st.expander(t("why.figures"), type="compact"):
        for stop in journey.stops:
            st.caption(plain(figures(stop, lab.name_of)))


def figures(stop: Stop, name_of: Callable[[str], str]) -> str:
    """Return what a stage measured of the node, under the names that the engine gives it."""
    return f"{stop.stage} · {_facts(stop.facts, name_of)['given']}"


def stage_name(stage: str) -> str:
    """Return what a stage of a journey is called."""
    return named(f"lab.stage.{'scope' if stage == 'filters' else stage}", stage)


def sentence(stop: Stop, name_of: Callable[[str], str]) -> str:
    """Return in plain words what a stage made of the node; ``name_of`` gives a label for a node's id."""
    key = f"why.{stop.stage}.{stop.reason}"
    if key not in TEXTS:
        return t("why.untold", stage=stage_name(stop.stage), reason=stop.reason)
    told = t(key, **_facts(stop.facts, name_of))
    for more in ("shared", "missing") if stop.stage == "sparse" else ():
        if stop.facts.get(more):
            end = "why.sparse.words" if more == "shared" else "why.sparse.words.missing"
            told += f" {t(end, **{more: stop.facts[more]})}"
    return told


def _facts(facts: Mapping[str, Any], name_of: Callable[[str], str]) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for name, value in facts.items():
        if name in ("origin", "leaf"):
            shown[name] = name_of(str(value))
        else:
            shown[name] = "–" if value is None else f"{value:,}" if isinstance(value, int) else value
    return {"given": ", ".join(f"{name} = {value}" for name, value in shown.items()) or "–"} | shown


def _asked_document(here: lab.Asked, hits: Sequence[Hit], documents: Mapping[str, str]) -> str:
    """Return the document that a question is about: the one it names best, else the one of the first hit."""
    searched = {key: documents[key] for key in here.documents or documents}
    if naming := named_documents(here.question, searched):
        return max(naming.documents, key=lambda key: naming.documents[key])
    found = (hit.document_id for hit in hits if hit.document_id in searched)
    return next(found, next(iter(searched)))


def _line(node: Node) -> str:
    page = f" · {node.page}" if node.page else ""
    return f"{t(f'role.{node.role}')}{page} · {lab_data.label(node.text or node.title, [])}"
