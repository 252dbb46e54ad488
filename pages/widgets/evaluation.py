"""Running the set of saved questions and what came of it: figures, questions, what got worse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from engine.errors import StorageError
from engine.evaluate.answers import MEASURES
from engine.evaluate.intake import peak_memory_mb
from engine.evaluate.saved import run_history
from engine.export.harmless import plain
from engine.metrics import hit_rates
from engine.model import ExpectedNode, SavedQuestion
from pages.widgets import lab_data, question_set, trial
from pages.widgets.buttons import button, link_to
from pages.widgets.evaluating import Evaluating, Outcome
from pages.widgets.fragments import fragment
from pages.widgets.frontend import component
from pages.widgets.messages import said
from pages.widgets.services import library, owner
from pages.widgets.texts import moment, named, t

if TYPE_CHECKING:
    from engine.evaluate.saved import Change, PastRun, QuestionResult, SavedRun

AT_ONCE_SECONDS = 1.0
KEPT_OWNERS = 200
LISTED = 10
SNIPPET_CHARACTERS = 180
METRICS = {"ndcg": "ndcg@10", "recall": "recall@10", "mrr": "mrr@10", "all": "all@10"}
_table = component("evaluation_table", "<table></table>")


@st.cache_resource(show_spinner=False)
def _runs() -> dict[str, Evaluating]:
    return {}


def start(compare: bool = False) -> None:
    """Run this reader's set, under the tried settings as well if asked to."""
    runs, me = _runs(), owner()
    runs.pop(me, None)
    while len(runs) >= KEPT_OWNERS:
        runs.pop(next(iter(runs)))
    history, tried = run_history(library().folder), trial.changes() if compare else {}
    runs[me] = Evaluating(
        library().questions, me, trial.tried() if compare else None,
        lambda run, at: history.add(me, run, at, tried),
    )  # fmt: skip
    runs[me].start()


def actions(questions: Sequence[SavedQuestion]) -> None:
    """Draw what can be done with the set."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if questions:
            button(t("eval.run"), "eval.run", "play_arrow", start, type="primary")
            if trial.changes():
                button(t("eval.compare"), "eval.compare", "compare_arrows", start, True, type="secondary")
        button(t("eval.add"), "eval.add", "add", st.query_params.from_dict, {"ask": ""}, type="secondary")
        st.space("stretch")
        if questions:
            st.toggle(t("lab.settings"), key="lab.settings", persist_state="session")
        trial.state()


def outcome() -> Outcome | None:
    """Return what the last run came to; while one goes on, draw its progress and return None."""
    running = _runs().get(owner())
    if running is None:
        return None
    found = running.wait(AT_ONCE_SECONDS)
    if found is None:
        fragment(_watch, run_every="1s")(running)
        return None
    if found.stopped:
        st.caption(f":material/info: {t('eval.stopped')}")
    elif found.error:
        st.error(plain(found.error))
    return found if found.run else None


def _watch(running: Evaluating) -> None:
    if running.wait(0) is not None:
        st.rerun()
    done, total = running.progress
    st.progress(done / total if total else 0.0, text=t("eval.running", done=done, total=total or "…"))
    button(t("eval.stop"), "eval.stop", "stop_circle", running.cancel)


def figures(found: Outcome, questions: Sequence[SavedQuestion]) -> None:
    """Draw the mean measures, for a comparison with what they were, and what they mean."""
    run = found.run
    assert run is not None
    before = found.comparison.first if found.comparison else None
    with st.grid(4, min_column_width=130, gap="small"):
        for name, metric in METRICS.items():
            change = run.metrics[metric] - before.metrics[metric] if before else None
            st.metric(
                t(f"eval.metric.{name}"), f"{run.metrics[metric]:.3f}", border=True, help=t(f"eval.means.{name}"),
                delta=None if change is None else f"{change:+.3f}",
                delta_color="off" if change is not None and abs(change) < 0.0005 else "normal",
            )  # fmt: skip
    st.caption(_latency(run, before))
    if run.answers:
        figures = {name: f"{run.answers[name]:.2f}" if name in run.answers else "–" for name in MEASURES}
        st.caption(t("eval.answers", count=run.answers["questions"], **figures))
    rates = ", ".join(f"{name} {100 * share:.0f} %" for name, share in hit_rates().items())
    st.caption(t("eval.process", memory=f"{peak_memory_mb() or 0:.0f}", caches=rates or "–"))
    if found.comparison:
        both = found.comparison
        st.markdown(t("eval.verdict.summary", worse=both.worse, better=both.better, same=both.same))
        if trial.changes():
            trial.decide()
    if {one.question_id for one in run.questions} != {one.question_id for one in questions}:
        st.caption(f":material/info: {t('eval.outdated')}")
    _groups(run)


def history() -> None:
    """Draw the measures of this reader's runs as lines, once there are two."""
    try:
        runs = run_history(library().folder).list(owner())
    except StorageError as error:
        st.caption(f":material/error: {said(error)}")
        return
    if len(runs) < 2:
        return
    with st.expander(t("eval.history", count=len(runs)), type="compact", icon=":material/show_chart:"):
        st.echarts_chart(_lines(runs, dark=st.context.theme.type == "dark"), height=260)
        st.caption(t("eval.history.help"))
        for run in reversed(runs[-LISTED:]):
            called = {name: named(f"set.{name}", name) for name in run.tried}
            told = " · ".join(f"{called[name]} = {value}" for name, value in run.tried.items())
            figures = {"count": run.questions, "ndcg": f"{run.metrics['ndcg@10']:.3f}"}
            settings = plain(told) or t("eval.history.in_force")
            st.markdown(t("eval.history.line", at=moment(run.at), settings=settings, **figures))


def _lines(runs: Sequence[PastRun], *, dark: bool) -> dict[str, Any]:
    """Return the chart: a line for each measure over the runs; those of tried settings are hollow."""
    ink = "#c3c9d6" if dark else "#5a6275"
    return {
        "textStyle": {"color": ink}, "legend": {"top": 0, "textStyle": {"color": ink}}, "tooltip": {"trigger": "axis"},
        "grid": {"left": 44, "right": 16, "top": 36, "bottom": 28}, "aria": {"enabled": True},
        "xAxis": {"type": "category", "data": [moment(run.at) for run in runs]},
        "yAxis": {"type": "value", "min": 0, "max": 1},
        "series": [
            {
                "type": "line", "name": t(f"eval.metric.{name}"), "symbolSize": 7,
                "data": [
                    {"value": round(run.metrics[metric], 3), "symbol": "emptyCircle" if run.tried else "circle"}
                    for run in runs
                ],
            }
            for name, metric in METRICS.items()
        ],
    }  # fmt: skip


def _latency(run: SavedRun, before: SavedRun | None) -> str:
    figures = {"p50": f"{run.latency_ms['p50']:.0f}", "p95": f"{run.latency_ms['p95']:.0f}"}
    if before is None:
        return t("eval.latency", **figures)
    return t("eval.latency.before", **figures, before=f"{before.latency_ms['p50']:.0f}")


def _groups(run: SavedRun) -> None:
    if len(run.by_kind) < 2:
        return
    with st.expander(t("eval.groups"), type="compact", icon=":material/category:"):
        for name, group in run.by_kind.items():
            ndcg = f"{group['metrics']['ndcg@10']:.3f}"
            st.markdown(t("eval.group.line", name=plain(name), count=group["queries"], ndcg=ndcg))


def questions_table(questions: Sequence[SavedQuestion], found: Outcome | None) -> None:
    """Draw the questions, the worst first, and below them the one that is chosen."""
    st.subheader(t("eval.set", count=len(questions)), anchor=False)
    chosen = st.query_params.get("question", "")
    rows, columns = rows_of(questions, found), _columns(found)
    data = {"rows": rows, "columns": columns, "chosen": chosen, "label": t("eval.table")}
    picked = _table(data, "eval.table", "picked").picked
    if isinstance(picked, str):
        st.query_params.from_dict({} if picked == chosen else {"question": picked})
        st.rerun()
    if one := next((one for one in questions if one.question_id == chosen), None):
        _one(one, _results(found).get(chosen))
    else:
        st.caption(t("eval.selected.none"))


def rows_of(questions: Sequence[SavedQuestion], found: Outcome | None) -> list[dict[str, Any]]:
    """Return the rows of the table; after a comparison what got worse first, after a run the worst first."""
    results = _results(found)
    changes = {one.question_id: one for one in found.comparison.changes} if found and found.comparison else {}
    rows = [_row(one, results.get(one.question_id), changes.get(one.question_id)) for one in questions]
    return sorted(rows, key=lambda row: row["order"])


def _results(found: Outcome | None) -> dict[str, QuestionResult]:
    return {one.question_id: one for one in found.run.questions} if found and found.run else {}


def _row(question: SavedQuestion, result: QuestionResult | None, change: Change | None) -> dict[str, Any]:
    row: dict[str, Any] = {"id": question.question_id, "text": question.text, "kind": question.kind}
    if result is None:
        return row | {"ranks": [], "note": t("eval.not_run"), "order": 2.0}
    score = result.metrics.get("ndcg@10")
    row |= {
        "ranks": [_rank(node_id, result) for node_id in result.ranks],
        "score": None if score is None else round(score, 3),
        "time": t("eval.ms", ms=f"{result.milliseconds:.0f}"),
        "order": 1.5 if score is None else score,
    }
    if change is not None:
        row |= {
            "before": round(change.before, 3),
            "verdict": change.verdict,
            "told": t(f"eval.verdict.{change.verdict}"),
            "order": change.after - change.before,
        }
    return row


def _rank(node_id: str, result: QuestionResult) -> dict[str, str]:
    if node_id in result.missing:
        return {"told": t("eval.missing"), "look": "gone"}
    rank = result.ranks[node_id]
    look = "far" if rank is None else "near" if rank <= 10 else "low"
    return {"told": str(rank) if rank else t("eval.not_found"), "look": look}


def _columns(found: Outcome | None) -> list[str]:
    if found is None:
        return [t("eval.column.question")]
    scores = ("before", "after") if found.comparison else ("score",)
    return [t(f"eval.column.{name}") for name in ("question", "ranks", *scores, "time")]


def _one(question: SavedQuestion, result: QuestionResult | None) -> None:
    with st.container(border=True):
        st.markdown(f"**{plain(question.text)}**")
        for expected in question.expected:
            _expected(question, expected, result)
        if result and result.missing:
            st.caption(f":material/info: {t('eval.missing.help', count=len(result.missing))}")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            link_to("retrieval_lab", t("eval.to_lab"), "biotech", **lab_parameters(question))
            chosen = question.question_id
            button(t("eval.edit"), "eval.edit", "edit", st.query_params.from_dict, {"edit": chosen})
            button(t("eval.delete"), "eval.delete", "delete", question_set.delete, chosen)


def _expected(question: SavedQuestion, expected: ExpectedNode, result: QuestionResult | None) -> None:
    rank = _rank(expected.node_id, result) if result and expected.node_id in result.ranks else None
    said, about = st.columns([5, 3], gap="small", vertical_alignment="center")
    said.markdown(plain(lab_data.label(expected.snippet, [], SNIPPET_CHARACTERS)))
    said.caption(plain(expected.document))
    with about.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="right", gap="small"
    ):
        if rank:
            colour = {"near": "green", "low": "orange", "far": "red", "gone": "gray"}[rank["look"]]
            told = t("eval.rank", rank=rank["told"]) if rank["told"].isdigit() else rank["told"]
            st.badge(told, color=colour)  # type: ignore[arg-type]
        node = expected.node_id
        link_to("retrieval_lab", t("eval.why"), "help", **lab_parameters(question), node=node, view="why")
        link_to(
            "document", t("nav.document"), "article", doc=expected.document_id, version=expected.version, node=node,
            page=expected.page,
        )  # fmt: skip


def lab_parameters(question: SavedQuestion) -> dict[str, Any]:
    """Return the query parameters that open a question in the lab."""
    return {"q": question.text, "doc": list(question.filters.documents)}
