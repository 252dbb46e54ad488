"""Background work as the pages show it: a quiet strip in the sidebar, rows on the Documents page, what failed.

Nothing is drawn and no timer runs while there is no work; when a file is done the page is drawn anew.
Worker threads write rows, and these functions only read them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from engine.model import Job
from pages.widgets.places import page_file
from pages.widgets.sanitize import plain
from pages.widgets.services import library
from pages.widgets.texts import TEXTS, t

_WATCHED = "jobs.watched"
_TOAST = "jobs.toast"
_DONE = "jobs.done"
NAME_CHARACTERS = 36
JOBS_SHOWN = 2000
# Work on a file that is in already.
FOLLOWING = ("ocr", "enrich")
FAILURES_KEPT_SECONDS = 7 * 24 * 3600
LONGEST_GUESS_SECONDS = 24 * 3600


def active(jobs: Sequence[Job]) -> list[Job]:
    """Return the jobs that are waiting or running, the oldest first."""
    return [job for job in reversed(jobs) if job.state in ("queued", "running")]


def strip(*, quiet: bool = False) -> None:
    """Draw the strip in the sidebar; not when ``quiet``, where the page shows the work itself."""
    message = st.session_state.pop(_TOAST, None)
    if message and not quiet:
        st.toast(message, icon=":material/check_circle:")
    if not quiet:
        watch(draw_strip)


def watch(draw: Callable[[list[Job]], None]) -> None:
    """Call ``draw`` with all jobs, again every second or so while there is work.

    The whole page is drawn anew when a file is done and when all work of a kind has ended.
    """

    def follow() -> None:
        jobs = library().jobs(limit=JOBS_SHOWN)
        if _changed(jobs):
            st.rerun()
        draw(jobs)

    at_work = active(library().jobs(limit=JOBS_SHOWN))
    pace = None if not at_work else "1s" if any(job.kind == "ingest" for job in at_work) else "3s"
    st.session_state[_WATCHED] = [(job.job_id, job.kind) for job in at_work]
    st.fragment(follow, run_every=pace)()


def stage(job: Job) -> str:
    """Return what a job is doing, in the session's language."""
    key = f"jobs.stage.{job.stage or 'queued'}" if job.state == "running" else "jobs.stage.queued"
    return t(key if key in TEXTS else "jobs.stage.parse")


def label_of(job: Job) -> str:
    """Return what is said of a job that runs after its file is in: text recognition, models, vectors."""
    if job.kind in FOLLOWING:
        return t("jobs.ocr" if job.kind == "ocr" else "jobs.enrich", name=plain(_short(job.name)))
    return t("jobs.topics" if job.kind == "topics" else "jobs.embedding")


def _changed(jobs: Sequence[Job]) -> bool:
    """Tell whether a file that this session watched is done, or all work of a kind; note what to say of the end."""
    watched: list[tuple[str, str]] = st.session_state.get(_WATCHED, [])
    at_work = active(jobs)
    st.session_state[_WATCHED] = list({*watched, *((job.job_id, job.kind) for job in at_work)})
    ids = {job_id for job_id, _ in watched}
    done = [job.name for job in jobs if job.job_id in ids and job.state == "done" and job.kind == "ingest"]
    names = st.session_state.setdefault(_DONE, [])
    names += done
    ended = {kind for _, kind in watched} - {job.kind for job in at_work}
    if "ingest" in ended and names:
        told = t("jobs.done.one", name=plain(names[0]))
        st.session_state[_TOAST] = told if len(names) == 1 else t("jobs.done.many", count=len(names))
        st.session_state[_DONE] = []
    return bool(done or ended)


def draw_strip(jobs: list[Job]) -> None:
    """Draw what is being worked on, with time left and a way to cancel, and how many files failed."""
    at_work = active(jobs)
    files = [job for job in at_work if job.kind == "ingest"]
    if files:
        label = t("jobs.reading.one", name=plain(_short(files[0].name)))
        if len(files) > 1:
            label = t("jobs.reading", count=len(files))
        running = next((job for job in files if job.state == "running"), None)
        _strip_row(running.progress if running else 0.0, f"{label}{left(running) if running else ''}", files)
    for job in at_work:
        if job.kind != "ingest":
            _strip_row(job.progress, f"{label_of(job)}{left(job)}", [job] if job.kind in FOLLOWING else [])
    if over := failed(jobs):
        st.page_link(
            page_file("documents"), icon=":material/error:",
            label=t("jobs.failed.one") if len(over) == 1 else t("jobs.failed.many", count=len(over)),
        )  # fmt: skip


def _strip_row(share: float, label: str, cancels: Sequence[Job]) -> None:
    st.progress(min(share, 1.0), text=label)
    if cancels and not library().settings.access.read_only:
        st.button(
            t("documents.cancel") if len(cancels) == 1 else t("jobs.cancel.all"), type="tertiary",
            key=f"strip.cancel.{cancels[0].kind}.{cancels[0].job_id}", icon=":material/close:",
            on_click=_cancel, args=([job.job_id for job in cancels],),
        )  # fmt: skip


def _cancel(job_ids: Sequence[str]) -> None:
    for job_id in job_ids:
        library().cancel_job(job_id)


def left(job: Job) -> str:
    """Return " · about 2 min left" once that can be told, else nothing."""
    if job.state != "running" or job.eta is None or job.eta > LONGEST_GUESS_SECONDS:
        return ""
    if job.eta < 60:
        return f" · {t('jobs.left.seconds', count=max(5, 5 * round(job.eta / 5)))}"
    return f" · {t('jobs.left.minutes', count=round(job.eta / 60))}"


def failed(jobs: list[Job]) -> list[Job]:
    """Return the files that failed or were cancelled lately and have not been added again since."""
    if not jobs:
        return []
    newest = max(job.updated_at for job in jobs)
    seen: set[tuple[str, str]] = set()
    found = []
    for job in sorted(jobs, key=lambda job: job.created_at, reverse=True):
        if job.kind not in ("ingest", *FOLLOWING) or (job.kind, job.name) in seen:
            continue
        seen.add((job.kind, job.name))
        if job.state in ("failed", "cancelled") and newest - job.updated_at < FAILURES_KEPT_SECONDS:
            found.append(job)
    if any(job.kind in FOLLOWING for job in found):
        there = {document.name for document in library().documents()}
        found = [job for job in found if job.kind not in FOLLOWING or job.name in there]
    return found


def _short(name: str) -> str:
    return name if len(name) <= NAME_CHARACTERS else name[: NAME_CHARACTERS - 1].rstrip() + "…"
