"""Background work as the pages show it: a quiet strip in the sidebar, rows on the Documents page.

Nothing is drawn and no timer runs while there is no work; when the last file is done the page is drawn anew
once. Worker threads write rows, and these functions only read them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from engine.model import Job
from pages.widgets.sanitize import plain
from pages.widgets.services import library
from pages.widgets.texts import TEXTS, t

_WATCHED = "jobs.watched"
_TOAST = "jobs.toast"
NAME_CHARACTERS = 36


def active(jobs: Sequence[Job]) -> list[Job]:
    """Return the jobs that are waiting or running, the oldest first."""
    return [job for job in reversed(jobs) if job.state in ("queued", "running")]


def strip() -> None:
    """Draw the strip in the sidebar."""
    if message := st.session_state.pop(_TOAST, None):
        st.toast(message, icon=":material/check_circle:")
    watch(_draw_strip)


def watch(draw: Callable[[list[Job]], None], *, until_first_done: bool = False) -> None:
    """Call ``draw`` with all jobs, again every second or so while there is work; one full rerun ends it.

    ``until_first_done`` ends it with the first file that is done.
    """

    def follow() -> None:
        jobs = library().jobs()
        if _over(jobs) or (until_first_done and _any_done(jobs)):
            st.rerun()
        draw(jobs)

    at_work = active(library().jobs())
    pace = None if not at_work else "1s" if any(job.kind == "ingest" for job in at_work) else "3s"
    st.session_state[_WATCHED] = [(job.job_id, job.kind) for job in at_work]
    st.fragment(follow, run_every=pace)()


def stage(job: Job) -> str:
    """Return what a job is doing, in the session's language."""
    key = f"jobs.stage.{job.stage or 'queued'}" if job.state == "running" else "jobs.stage.queued"
    return t(key if key in TEXTS else "jobs.stage.parse")


def label_of(job: Job) -> str:
    """Return what is said of a job that runs after its file is in: text recognition, vectors."""
    return t("jobs.ocr", name=plain(_short(job.name))) if job.kind == "ocr" else t("jobs.embedding")


def _over(jobs: Sequence[Job]) -> bool:
    """Tell whether all work of one kind that this session watched has ended, and note what to say of it."""
    watched: list[tuple[str, str]] = st.session_state.get(_WATCHED, [])
    at_work = active(jobs)
    ended = {kind for _, kind in watched} - {job.kind for job in at_work}
    st.session_state[_WATCHED] = list({*watched, *((job.job_id, job.kind) for job in at_work)})
    if not ended:
        return False
    ids = {job_id for job_id, _ in watched}
    done = [job for job in jobs if job.job_id in ids and job.state == "done" and job.kind == "ingest"]
    if len(done) == 1:
        st.session_state[_TOAST] = t("jobs.done.one", name=plain(done[0].name))
    elif done:
        st.session_state[_TOAST] = t("jobs.done.many", count=len(done))
    return True


def _any_done(jobs: Sequence[Job]) -> bool:
    watched = {job_id for job_id, _ in st.session_state.get(_WATCHED, [])}
    return any(job.job_id in watched and job.state == "done" for job in jobs)


def _draw_strip(jobs: list[Job]) -> None:
    at_work = active(jobs)
    files = [job for job in at_work if job.kind == "ingest"]
    if files:
        label = t("jobs.reading.one", name=plain(_short(files[0].name)))
        if len(files) > 1:
            label = t("jobs.reading", count=len(files))
        running = [job for job in files if job.state == "running"]
        st.progress(running[0].progress if running else 0.0, text=label)
    for job in at_work:
        if job.kind != "ingest":
            st.progress(min(job.progress, 1.0), text=label_of(job))


def _short(name: str) -> str:
    return name if len(name) <= NAME_CHARACTERS else name[: NAME_CHARACTERS - 1].rstrip() + "…"
