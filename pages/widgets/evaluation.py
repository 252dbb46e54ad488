"""Running the set of saved questions and what came of it: figures, questions, what got worse."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from engine.config import Settings
from engine.errors import DropQAError, StorageError
from engine.evaluate.intake import peak_memory_mb
from engine.evaluate.metrics import MEASURES
from engine.evaluate.saved import Change, Comparison, QuestionResult, SavedRun, run_history
from engine.export.harmless import plain
from engine.metrics import hit_rates
from engine.model import ExpectedNode, SavedQuestion
from pages.widgets import question_set, trial
from pages.widgets.background import Background
from pages.widgets.buttons import button, link_to
from pages.widgets.fragments import follow
from pages.widgets.services import library, owner
from pages.widgets.texts import moment, named, said, short, t

AT_ONCE_SECONDS = 1.0
_RUN = "eval.run.last"
LISTED = 10
LABEL_CHARACTERS, SNIPPET_CHARACTERS = 160, 180
METRICS = {"ndcg": "ndcg@10", "recall": "recall@10", "mrr": "mrr@10", "all": "all@10"}
Colour = Literal["green", "orange", "red", "gray"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to: the figures, for a comparison those of both settings too."""

    run: SavedRun
    comparison: Comparison | None = None


def start(compare: bool = False) -> None:
    """Run this reader's set, under the tried settings as well if asked to."""
    st.session_state[_RUN] = running(trial.tried(), trial.changes()) if compare else running(None, {})


def running(second: Settings | None, tried: Mapping[str, Any]) -> Background[Outcome]:
    """Begin to run this reader's set, under ``second`` as well as under the settings in force if that is given."""
    questions, me, past = library().questions, owner(), run_history(library().folder)

    def work(report: Callable[[int, int], None]) -> Outcome:
        if second is None:
            outcome = Outcome(questions.run(me, on_progress=report))
        else:
            both = questions.compare(second, owner=me, on_progress=report)
            outcome = Outcome(both.second, both)
        with suppress(DropQAError):  # a run is no worse for not being in the history
            past.add(me, outcome.run, time.time(), tried)
        return outcome

    return Background(work)


def actions() -> None:
    """Draw what can be done with the set."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        button(t("eval.run"), "eval.run", "play_arrow", start, type="primary")
        if trial.changes():
            button(t("eval.compare"), "eval.compare", "compare_arrows", start, True, type="secondary")
        link_to("retrieval_lab", t("eval.add"), "add")
        st.space("stretch")
        st.toggle(t("lab.settings"), key="lab.settings", persist_state="session")
        trial.state()


def outcome() -> Outcome | None:
    """Return what the last run came to; while one goes on, draw its progress and return None."""
    last: Background[Outcome] | None = st.session_state.get(_RUN)
    if last is None:
        return None
    if not last.ended(AT_ONCE_SECONDS):
        follow(last.ended, lambda: _progress(last), "1s")
        return None
    if last.stopped:
        st.caption(f":material/info: {t('eval.stopped')}")
    elif last.problem:
        st.error(said(last.problem))
    return last.found


def _progress(last: Background[Outcome]) -> None:
    done, total = last.progress
    st.progress(last.share, text=t("eval.running", done=done, total=total or "…"))
    button(t("eval.stop"), "eval.stop", "stop_circle", last.cancel)


def figures(found: Outcome, questions: Sequence[SavedQuestion]) -> None:
    """Draw the mean measures, for a comparison with what they were, and what they mean."""
    run = found.run
    before = found.comparison.first if found.comparison else None
    _measures(run, before)
    _circumstances(run)
    if found.comparison:
        both = found.comparison
        st.markdown(t("eval.verdict.summary", worse=both.worse, better=both.better, same=both.same))
        if trial.changes():
            trial.decide()
    if {one.question_id for one in run.questions} != {one.question_id for one in questions}:
        st.caption(f":material/info: {t('eval.outdated')}")
    if len(run.by_kind) > 1:
        with st.expander(t("eval.groups"), type="compact", icon=":material/category:"):
            for name, group in run.by_kind.items():
                ndcg = f"{group['metrics']['ndcg@10']:.3f}"
                st.markdown(t("eval.group.line", name=plain(name), count=group["queries"], ndcg=ndcg))


def _measures(run: SavedRun, before: SavedRun | None) -> None:
    with st.grid(4, min_column_width=130, gap="small"):
        for name, metric in METRICS.items():
            change = run.metrics[metric] - before.metrics[metric] if before else None
            same = change is not None and abs(change) < 0.0005
            st.metric(
                t(f"eval.metric.{name}"), f"{run.metrics[metric]:.3f}", border=True, help=t(f"eval.means.{name}"),
                delta=None if change is None else t("eval.verdict.same") if same else f"{change:+.3f}",
                delta_color="off" if same else "normal", delta_arrow="off" if same else "auto",
            )  # fmt: skip


def _circumstances(run: SavedRun) -> None:
    """Tell how fast the searches were, how answers did where they were asked for, and what the process holds."""
    told = {"p50": f"{run.latency_ms['p50']:.0f}", "p95": f"{run.latency_ms['p95']:.0f}"}
    st.caption(t("eval.latency", **told))
    if run.answers:
        figures = {name: f"{run.answers[name]:.2f}" if name in run.answers else "–" for name in MEASURES}
        st.caption(t("eval.answers", count=run.answers["questions"], **figures))
    rates = ", ".join(f"{name} {100 * share:.0f} %" for name, share in hit_rates().items())
    st.caption(t("eval.process", memory=f"{peak_memory_mb() or 0:.0f}", caches=rates or "–"))


def history() -> None:
    """Draw the measures of this reader's runs as lines, once there are two."""
    try:
        runs = run_history(library().folder).list(owner())
    except StorageError as error:
        st.caption(f":material/error: {said(error)}")
        return
    if len(runs) < 2:
        return
    label = t("eval.history", count=len(runs))
    opened = st.expander(label, type="compact", icon=":material/show_chart:", key="eval.history", on_change="rerun")
    if not opened.open:  # what draws the chart is loaded with the first one
        return
    with opened:
        at = t("eval.history.at")
        figures = {t(f"eval.metric.{name}"): [run.metrics[metric] for run in runs] for name, metric in METRICS.items()}
        # By the time, runs of one minute would lie on a point.
        numbers = [f"{number:3}" for number in range(1, len(runs) + 1)]
        st.line_chart({at: numbers, **figures}, x=at, height=260, alt=label)
        for number, run in [*zip(numbers, runs, strict=True)][: -LISTED - 1 : -1]:
            told = " · ".join(f"{named(f'set.{name}', name)} = {value}" for name, value in run.tried.items())
            settings = plain(told) or t("eval.history.in_force")
            ndcg = f"{run.metrics['ndcg@10']:.3f}"
            about = {"number": number.strip(), "at": moment(run.at), "count": run.questions, "ndcg": ndcg}
            st.markdown(t("eval.history.line", **about, settings=settings))


def questions_list(questions: Sequence[SavedQuestion], found: Outcome | None) -> None:
    """Draw the questions, each with the passages that it must find; what got worse, or is worst, comes first."""
    st.subheader(t("eval.set", count=len(questions)), anchor=False)
    results = {one.question_id: one for one in found.run.questions} if found else {}
    changes = {one.question_id: one for one in found.comparison.changes} if found and found.comparison else {}

    def order(question: SavedQuestion) -> float:
        if change := changes.get(question.question_id):
            return change.after - change.before
        result = results.get(question.question_id)
        return result.metrics.get("ndcg@10", 1.5) if result else 2.0

    for one in sorted(questions, key=order):
        result, change = results.get(one.question_id), changes.get(one.question_id)
        label, key = told(one, result, change), f"eval.question.{one.question_id}"
        opened = st.expander(label, type="compact", key=key, on_change="rerun")
        if opened.open:
            with opened:
                _one(one, result)


def told(question: SavedQuestion, result: QuestionResult | None, change: Change | None) -> str:
    """Return a question as Markdown, after how it fared."""
    colour, fared = "gray", t("eval.not_run")
    if change is not None:
        colour = {"worse": "red", "better": "green", "same": "gray"}[change.verdict]
        fared = f"{t(f'eval.verdict.{change.verdict}')} {change.before:.3f} → {change.after:.3f}"
    elif result is not None:
        fared = f"{result.metrics['ndcg@10']:.3f}" if result.metrics else "–"
    return f":{colour}-badge[{fared}] {plain(short(question.text, LABEL_CHARACTERS))}"


def _one(question: SavedQuestion, result: QuestionResult | None) -> None:
    for expected in question.expected:
        _expected(question, expected, result)
    if result and result.missing:
        st.caption(f":material/info: {t('eval.missing.help', count=len(result.missing))}")
    question_set.edit(question)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        link_to("retrieval_lab", t("eval.to_lab"), "biotech", **lab_parameters(question))
        delete = f"eval.delete.{question.question_id}"
        button(t("eval.delete"), delete, "delete", question_set.delete, question.question_id)


def _expected(question: SavedQuestion, expected: ExpectedNode, result: QuestionResult | None) -> None:
    said, about = st.columns([5, 3], gap="small", vertical_alignment="center")
    said.markdown(plain(short(expected.snippet, SNIPPET_CHARACTERS)))
    said.caption(plain(expected.document))
    with about.container(horizontal=True, vertical_alignment="center", horizontal_alignment="right", gap="small"):
        node = expected.node_id
        if result and node in result.ranks:
            where, colour = _rank(node, result)
            st.badge(where, color=colour)
        link_to("retrieval_lab", t("eval.why"), "help", **lab_parameters(question), node=node, view="why")
        link_to(
            "document", t("nav.document"), "article", doc=expected.document_id, version=expected.version, node=node,
            page=expected.page,
        )  # fmt: skip


def _rank(node_id: str, result: QuestionResult) -> tuple[str, Colour]:
    if node_id in result.missing:
        return t("eval.missing"), "gray"
    if (rank := result.ranks[node_id]) is None:
        return t("eval.not_found"), "red"
    return t("eval.rank", rank=rank), "green" if rank <= 10 else "orange"


def lab_parameters(question: SavedQuestion) -> dict[str, Any]:
    """Return the query parameters that open a question in the lab."""
    return {"q": question.text, "doc": list(question.filters.documents)}
