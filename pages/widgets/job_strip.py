"""Background work as the pages show it: a quiet strip in the sidebar, rows on the Documents page, what failed.

Nothing is drawn while there is no work. A timer runs then only on pages that show what is in the library: what comes
from elsewhere (the command line, another window) is looked for every few seconds. When a file is done the page is drawn
anew, once no dialog is open that this would close.
Worker threads write rows, and these functions only read them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial

import streamlit as st

from engine.export.harmless import plain
from engine.model import Job
from pages.widgets import access
from pages.widgets.buttons import button, link_to
from pages.widgets.fragments import fragment, redraw, redrawing
from pages.widgets.messages import tried
from pages.widgets.services import contents, library, owner
from pages.widgets.texts import named, short, t

_WATCHED = "jobs.watched"
IDLE_PACE = "4s"
_TOAST = "jobs.toast"
_DONE = "jobs.done"
_REFUSED = "jobs.refused"
NAME_CHARACTERS = 36
JOBS_SHOWN = 2000
# Work on a file that is in already, and work on the whole library.
FOLLOWING = ("ocr", "enrich")
OF_LIBRARY = ("embed", "topics")
FAILURES_KEPT_SECONDS = 7 * 24 * 3600
LONGEST_GUESS_SECONDS = 24 * 3600


def active(jobs: Sequence[Job]) -> list[Job]:
    """Return the jobs that are waiting or running, the oldest first."""
    return [job for job in reversed(jobs) if job.state in ("queued", "running")]


def strip(*, quiet: bool = False, shown: Hashable = None) -> None:
    """Draw the strip in the sidebar; not when ``quiet``, where the page shows the work itself.

    ``shown`` is as in :func:`watch`.
    """
    message = st.session_state.pop(_TOAST, None)
    if message:
        st.session_state.pop(_DONE, None)
    if message and not quiet:
        st.toast(message, icon=":material/check_circle:")
    if not quiet:
        watch(draw_strip, shown)


def watch(draw: Callable[[list[Job]], None], shown: Hashable = None) -> None:
    """Call ``draw`` with all jobs, again every second or so while there is work.

    The whole page is drawn anew when a file is done and when all work of a kind has ended, but for a dialog that is
    open: then as soon as it is closed. With ``shown``, the :func:`services.contents` that the page was drawn from, also
    when these have become others, whoever changed them.
    """

    def follow() -> None:
        jobs = library().jobs(limit=JOBS_SHOWN)
        others = shown is not None and contents() != shown
        started = pace == IDLE_PACE and bool(active(jobs))
        if _changed(jobs) or others or started:
            redraw()
        draw(jobs)

    at_work = active(library().jobs(limit=JOBS_SHOWN))
    pace = IDLE_PACE if shown is not None else None
    if at_work:
        pace = "1s" if any(job.kind == "ingest" for job in at_work) else "3s"
    st.session_state[_WATCHED] = [(job.job_id, job.kind) for job in at_work]
    if pace:
        redrawing()
    fragment(follow, run_every=pace)()


def stage(job: Job) -> str:
    """Return what a job is doing, in the session's language."""
    at = (job.stage or "queued") if job.state == "running" else "queued"
    return named(f"jobs.stage.{at}", t("jobs.stage.parse"))


def _changed(jobs: Sequence[Job]) -> bool:
    """Tell whether a file that this session watched is done, or all work of a kind; note what to say of the end."""
    watched: list[tuple[str, str]] = st.session_state.get(_WATCHED, [])
    at_work = active(jobs)
    st.session_state[_WATCHED] = list({*watched, *((job.job_id, job.kind) for job in at_work)})
    ids = {job_id for job_id, _ in watched}
    done = {
        job.job_id: job.name
        for job in jobs
        if job.job_id in ids and job.state == "done" and job.kind == "ingest"
    }
    # Kept until it is told: the same end is seen again and again while a dialog is open.
    st.session_state[_DONE] = st.session_state.get(_DONE, {}) | done
    names = list(st.session_state[_DONE].values())
    ended = {kind for _, kind in watched} - {job.kind for job in at_work}
    if "ingest" in ended and names:
        st.session_state[_TOAST] = t("jobs.done", count=len(names), name=plain(names[0]))
    return bool(done or ended)


def draw_strip(jobs: list[Job]) -> None:
    """Draw what is being worked on, with time left and a way to cancel, and how many files failed."""
    at_work = active(jobs)
    files = [job for job in at_work if job.kind == "ingest"]
    if files:
        label = t("jobs.reading", count=len(files), name=plain(short(files[0].name, NAME_CHARACTERS)))
        share, seconds = of_files(jobs)
        _strip_row(share, f"{label}{told(seconds)}", files)
    for kind in FOLLOWING:
        if follow := [job for job in at_work if job.kind == kind]:
            name = plain(short(follow[0].name, NAME_CHARACTERS))
            label = t(f"jobs.{kind}", count=len(follow), name=name)
            ends = left(follow[0]) if len(follow) == 1 else ""
            _strip_row(sum(job.progress for job in follow) / len(follow), f"{label}{ends}", follow)
    for job in at_work:
        if job.kind == "report" and job.owner == owner():
            _strip_row(job.progress, f"{t('reports.strip')}{left(job)}", ())
    of_library(jobs)
    if count := len(failed(jobs)) + len(refused()):
        link_to("documents", t("jobs.failures", count=count), "error")


def of_library(jobs: Sequence[Job]) -> None:
    """Draw the work on the whole library."""
    for job in jobs:
        if job.kind in OF_LIBRARY:
            label = t("jobs.topics" if job.kind == "topics" else "jobs.embedding")
            st.progress(min(job.progress, 1.0), text=f"{label}{left(job)}")


def _strip_row(share: float, label: str, cancels: Sequence[Job]) -> None:
    st.progress(min(share, 1.0), text=label)
    if cancels := list(filter(access.workable(), cancels)):
        label = t("documents.cancel" if len(cancels) == 1 else "jobs.cancel.all")
        key = f"strip.cancel.{cancels[0].kind}.{cancels[0].job_id}"
        button(label, key, "close", cancel, [job.job_id for job in cancels])


def cancel(job_ids: Sequence[str]) -> None:
    """Cancel jobs that are under way."""
    _each(library().cancel_job, job_ids)


def go_on(job_ids: Sequence[str]) -> None:
    """Try jobs again that have failed."""
    _each(library().retry_job, job_ids)


def dismiss(job_ids: Sequence[str]) -> None:
    """Take failed jobs out of sight."""
    _each(library().dismiss_job, job_ids)


def _each(change: Callable[[str], bool], job_ids: Sequence[str]) -> None:
    """Change jobs, by the rights of now; where that is refused say so."""
    for job_id in job_ids:
        tried(partial(change, job_id))


def of_files(jobs: Sequence[Job]) -> tuple[float, float | None]:
    """Return the share done, 0 to 1, of the files that came together, and the seconds left, None when unknown.

    Files that wait will take as long as those of them that are done did, on the average.
    """
    files = [job for job in active(jobs) if job.kind == "ingest"]
    if not files:
        return 1.0, None
    first = min(job.created_at for job in files)
    done = [job for job in jobs if job.kind == "ingest" and job.state == "done" and job.updated_at >= first]
    running = [job for job in files if job.state == "running"]
    share = (len(done) + sum(job.progress for job in running)) / (len(done) + len(files))
    if len(running) == len(files):
        return share, max((job.eta or 0.0 for job in running), default=None) or None
    if not done:
        return share, None
    began = min(max(job.created_at, first) for job in done)
    each = (max(job.updated_at for job in done) - began) / len(done)
    return share, each * (len(files) - sum(job.progress for job in running))


def left(job: Job) -> str:
    """Return " · about 2 min left" once that can be told, else nothing."""
    return told(job.eta) if job.state == "running" else ""


def told(seconds: float | None) -> str:
    """Return a time left in words, with a dot before it; "" where it is unknown."""
    if seconds is None or seconds > LONGEST_GUESS_SECONDS:
        return ""
    if seconds < 60:
        return f" · {t('jobs.left.seconds', count=max(5, 5 * round(seconds / 5)))}"
    return f" · {t('jobs.left.minutes', count=round(seconds / 60))}"


def failed(jobs: list[Job]) -> list[Job]:
    """Return the files that failed or were cancelled lately and have not been added again since.

    Left out are those that are not for whoever is here to try again.
    """
    if not jobs:
        return []
    newest, workable = max(job.updated_at for job in jobs), access.workable()
    seen: set[tuple[str, str]] = set()
    found = []
    for job in sorted(jobs, key=lambda job: job.created_at, reverse=True):
        if job.kind not in ("ingest", *FOLLOWING) or (job.kind, job.name) in seen:
            continue
        seen.add((job.kind, job.name))
        lately = newest - job.updated_at < FAILURES_KEPT_SECONDS
        if job.state in ("failed", "cancelled") and lately and workable(job):
            found.append(job)
    if any(job.kind in FOLLOWING for job in found):
        there = {document.name for document in library().documents()}
        found = [job for job in found if job.kind not in FOLLOWING or job.name in there]
    return found


def refused() -> list[tuple[str, str, str]]:
    """Return the files that this session gave and that were not taken, each with a key, its name and the reason."""
    found: list[tuple[str, str, str]] = st.session_state.setdefault(_REFUSED, [])
    return found
