"""The Retrieval lab: what is asked (the address says it), the searches, their views, why a passage is not found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import streamlit as st

from engine.export.harmless import plain
from engine.index.tokenize import as_written
from engine.model import SEARCH_MODES, Filters, Hit, Node
from engine.retrieve.document_names import named_documents
from engine.retrieve.inspect import Inspection
from engine.retrieve.journey import Journey, Stop
from pages.widgets import lab_data, question_set, trial
from pages.widgets.buttons import button, link_to
from pages.widgets.fragments import component
from pages.widgets.services import document_view, generation, library, node
from pages.widgets.texts import TEXTS, named, t

VIEWS = ("scores", "views", "understood", "why")
QUESTION_CHARACTERS = 2000
KEPT_SEARCHES = 4
TERMS, WAYS = 60, 4
_SEEN = "lab.seen"
_stages = component("lab_stages", "<ol></ol>")
_views = component("lab_views", "<button type='button'></button><div class='columns'></div>")
_scores = component("lab_scores", "<ul class='legend'></ul><ol></ol>")
OFFERED = 50
_MARKS = {
    "passed": ":green[:material/check_circle:]",
    "stopped": ":red[:material/block:]",
    "absent": ":gray[:material/remove_circle_outline:]",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for: ``?q=&mode=&doc=&node=&view=``, all optional, ``doc`` any number of times."""

    question: str = ""
    mode: str = "hybrid"
    documents: tuple[str, ...] = ()
    node_id: str | None = None
    view: str = "scores"

    @property
    def filters(self) -> Filters:
        """The filters of the search."""
        return Filters(documents=self.documents)

    def parameters(self) -> dict[str, Any]:
        """Return the query parameters that ask for this."""
        values = {
            "q": self.question, "mode": self.mode if self.mode != "hybrid" else "", "doc": list(self.documents),
            "node": self.node_id, "view": self.view if self.view != "scores" else "",
        }  # fmt: skip
        return {name: value for name, value in values.items() if value}


def asked() -> Asked:
    """Return what the address asks for; what it cannot mean is left out."""
    given = st.query_params
    known = {key: one.document_id for one in library().documents() for key in (one.document_id, one.name)}
    mode, view, node_id = given.get("mode", ""), given.get("view", ""), given.get("node") or None
    return Asked(
        question=" ".join(given.get("q", "")[:QUESTION_CHARACTERS].split()),
        mode=mode if mode in SEARCH_MODES else "hybrid",
        documents=tuple(dict.fromkeys(known[one] for one in given.get_all("doc") if one in known)),
        node_id=node_id,
        view=view if view in VIEWS else "why" if node_id and not view else "scores",
    )


def go(to: Asked) -> None:
    """Write what is asked for into the address."""
    st.query_params.from_dict(to.parameters())


def question_form(here: Asked) -> None:
    """Draw the question, how and where to search."""
    documents = {document.document_id: document.name for document in library().documents()}
    modes = {mode: t(f"lab.mode.{mode}") for mode in SEARCH_MODES}
    with st.form(f"lab.form.{here.question}", border=False):
        question = st.text_input(
            t("lab.question"), here.question, placeholder=t("lab.question.placeholder"),
            max_chars=QUESTION_CHARACTERS, key=f"lab.question.{here.question}", label_visibility="collapsed",
        )  # fmt: skip
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            mode = st.selectbox(
                t("lab.mode"), SEARCH_MODES, SEARCH_MODES.index(here.mode), width=200,
                format_func=modes.__getitem__, key=f"lab.mode.{here.mode}",
            )  # fmt: skip
            scope = st.multiselect(
                t("lab.scope"), list(documents), list(here.documents), placeholder=t("lab.scope.all"), width=260,
                format_func=documents.__getitem__, key=f"lab.scope.{','.join(here.documents)}",
            )  # fmt: skip
            submitted = st.form_submit_button(t("lab.search"), type="primary", icon=":material/search:")
    if submitted and (question or "").strip():
        st.session_state.pop(_SEEN, None)
        asked_now = " ".join(str(question).split())
        node_id = here.node_id if here.question in ("", asked_now) else None
        view = here.view if node_id or here.view != "why" else "scores"
        go(Asked(asked_now, mode, tuple(scope), node_id, view))
        st.rerun()


def searched(here: Asked, changed: bool) -> Inspection:
    """Return the search taken apart, under the settings in force or those that are tried. Raises DropQAError."""
    settings = trial.tried() if changed else None
    in_force = settings or library().settings
    key = here.question, here.mode, here.documents, generation(), repr((in_force.retrieval, in_force.rerank))
    seen: dict[Any, Inspection] = st.session_state.setdefault(_SEEN, {})
    if key not in seen:
        with st.spinner(t("lab.running")):
            seen[key] = library().finder.inspect(here.question, mode=here.mode, filters=here.filters, settings=settings)
        while len(seen) > KEPT_SEARCHES:
            seen.pop(next(iter(seen)))
    return seen[key]


def strip(inspection: Inspection) -> None:
    """Draw the stages with their times, and what the search remarked."""
    _stages(data=lab_data.stages_data(inspection), key="lab.stages")
    for note in inspection.notes:
        st.caption(f":material/info: {plain(note)}")


def choose_view(here: Asked) -> None:
    """Draw the choice of views; the address keeps it."""
    key, names = "lab.view", {view: t(f"lab.view.{view}") for view in VIEWS}
    st.session_state[key] = here.view
    # Streamlit's segmented control has too little contrast in the dark.
    st.radio(
        t("lab.view"), VIEWS, format_func=names.__getitem__, key=key, horizontal=True,
        label_visibility="collapsed", on_change=lambda: go(replace(here, view=st.session_state[key])),
    )  # fmt: skip


def scores(here: Asked, inspection: Inspection) -> None:
    """Draw the hits with their scores taken apart; ticked ones can be saved as what the question must find.

    Where other settings are tried each hit says where it stands under those in force.
    """
    if not inspection.hits:
        st.caption(t("lab.none"))
        return
    moved = lab_data.moved(searched(here, changed=False), inspection) if trial.changes() else {}
    above = st.container(horizontal=True, vertical_alignment="center", gap="small")
    data = lab_data.scores_data(inspection, here.node_id, moved)
    result = _scores(data, f"lab.scores.{here.question}", "picked", "expected")
    _mark(here, result.picked)
    hits = [hit.node_id for hit in inspection.hits]
    expected = [one for one in hits if one in (result.expected or ())]
    with above:
        st.caption(t("lab.scores.help"), width="stretch")
        if expected and question_set.is_saved(here.question, expected):
            st.markdown(f":green[:material/check:] {t('lab.saved')}", width="content")
        elif expected:
            label = t("lab.save", count=len(expected))
            given = here.question, expected, here.filters
            button(label, "lab.save", "bookmark_add", question_set.save, *given, type="primary")


def side_by_side(here: Asked, inspection: Inspection) -> None:
    """Draw the rankings of all stages beside each other."""
    st.caption(t("lab.views.help"))
    data = lab_data.views_data(inspection, here.node_id)
    _mark(here, _views(data, "lab.views", "picked").picked)


def understood(_: Asked, inspection: Inspection) -> None:
    """Draw what was understood; what else was asked for makes no difference."""
    told = inspection.understood
    words = as_written(inspection.query, told["terms"])
    st.markdown(f"**{t('lab.understood.terms')}** &nbsp; " + (" ".join(_badge(one, "blue") for one in words) or "–"))
    if inspection.mode == "hybrid":
        st.caption(t("lab.understood.matched", percent=round(100 * inspection.matched)))
    with st.expander(t("why.figures"), type="compact"):
        ranked = sorted(told["terms"], key=lambda item: -item[1])[:TERMS]
        st.caption(plain(" · ".join(f"{term} {weight:g}" for term, weight in ranked)))
    rows = asked_for(told)
    if not rows:
        st.caption(t("lab.understood.plain"))
    for label, values in rows:
        st.markdown(f"**{label}** &nbsp; " + " ".join(_badge(value, "gray") for value in values))


def asked_for(told: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """Return what is asked for beside the words: a label and its values; nothing that is not there."""
    places = [t("lab.understood.named.n", printed=one["printed"], count=one["nodes"]) for one in told["named"]]
    values: dict[str, list[str]] = {
        "translated": [f"{word}: {', '.join(ways[:WAYS])}" for word, ways, _ in told["translated"]],
        "formal": [f"{word}: {', '.join(said[:WAYS])}" for word, said in told["formal"]],
        "phrases": list(told["phrases"]),
        "labels": list(told["labels"]),
        "roles": [t(f"role.{role}") for role in told["roles"]],
        "operations": [named(f"lab.operation.{name}", name) for name in told["operations"]],
        "section": [told["section"]] if told["section"] else [],
        "named": places,
    }
    return [(t(f"lab.understood.{name}"), found) for name, found in values.items() if found]


def _badge(text: str, colour: str) -> str:
    return f":{colour}-badge[{plain(text)}]"


def name_of(node_id: str) -> str:
    """Return a line that stands for a node; its id where it is gone."""
    if (stored := node(node_id)) is None:
        return node_id
    return lab_data.label(stored.node.text or stored.node.title, [stored.document, *stored.path])


def _mark(here: Asked, picked: Any) -> None:
    """Mark a node that was clicked in all views; a second click takes the mark away."""
    if isinstance(picked, str):
        go(replace(here, node_id=None if picked == here.node_id else picked))
        st.rerun()


def why(here: Asked, inspection: Inspection) -> None:
    """Draw the choice of a passage and the way of the one that is chosen."""
    st.caption(t("why.help"))
    choose(here, inspection.hits)
    if here.node_id is None:
        return
    if (stored := node(here.node_id)) is None:
        st.caption(t("document.gone"))
        return
    journey = library().finder.journey(
        here.question, here.node_id, mode=here.mode, filters=here.filters, settings=trial.tried()
    )
    with st.container(border=True):
        st.markdown(f"**{plain(name_of(here.node_id))}**")
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


def choose(here: Asked, hits: Sequence[Hit]) -> None:
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
        on_change=lambda: go(replace(here, node_id=st.session_state[key], view="why")),
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
        st.markdown(f"{_MARKS[stop.verdict]} **{stage_name(stop.stage)}** · {plain(sentence(stop, name_of))}")
    with st.expander(t("why.figures"), type="compact"):
        for stop in journey.stops:
            st.caption(plain(figures(stop, name_of)))


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


def _asked_document(here: Asked, hits: Sequence[Hit], documents: Mapping[str, str]) -> str:
    """Return the document that a question is about: the one it names best, else the one of the first hit."""
    searched = {key: documents[key] for key in here.documents or documents}
    if naming := named_documents(here.question, searched):
        return max(naming.documents, key=lambda key: naming.documents[key])
    found = (hit.document_id for hit in hits if hit.document_id in searched)
    return next(found, next(iter(searched)))


def _line(node: Node) -> str:
    page = f" · {node.page}" if node.page else ""
    return f"{t(f'role.{node.role}')}{page} · {lab_data.label(node.text or node.title, [])}"
