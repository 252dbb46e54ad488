"""Background work as the pages show it: a quiet strip in the sidebar, rows on the Documents page, what failed.

Nothing is drawn while there is no work. A timer runs then only on pages that show what is in the library: what comes
from elsewhere (the command line, another window) is looked for every few seconds.
Worker threads write rows, and these functions only read them.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import partial

import streamlit as st

from engine.export.harmless import plain
from engine.model import Job
from pages.widgets import access
from pages.widgets.buttons import link_to, tried
from pages.widgets.fragments import fragment, redraw, redrawing
from pages.widgets.services import contents, library, owner
from pages.widgets.texts import named, short, t

IDLE_PACE = "4s"
NAME_CHARACTERS = 36
JOBS_SHOWN = 2000
FOLLOWING = ("ocr", "enrich")  # on a file that is in already
KINDS = ("ingest", *FOLLOWING, "report", "embed", "topics")
LONGEST_GUESS_SECONDS = 24 * 3600


def active(jobs: Sequence[Job]) -> list[Job]:
    """Return the jobs that are waiting or running, the oldest first."""
    return [job for job in reversed(jobs) if job.state in ("queued", "running")]


def watch(draw: Callable[[list[Job]], None], shown: Hashable = None) -> None:
    """Call ``draw`` with all jobs, again every second or so while there is work.

    The whole page is drawn anew when other work is going on than was when it was drawn, but for a dialog that is open:
    then as soon as it is closed. With ``shown``, the :func:`services.contents` that the page was drawn from, also when
    these have become others, whoever changed them.
    """
    drawn = active(library().jobs(limit=JOBS_SHOWN))
    at_work = {job.job_id for job in drawn}
    pace = IDLE_PACE if shown is not None else None
    if drawn:
        pace = "1s" if any(job.kind == "ingest" for job in drawn) else "3s"

    def follow() -> None:
        jobs = library().jobs(limit=JOBS_SHOWN)
        if {job.job_id for job in active(jobs)} != at_work or (shown is not None and contents() != shown):
            redraw()
        draw(jobs)

    if pace:
        redrawing()
    fragment(follow, run_every=pace)()


def stage(job: Job) -> str:
    """Return what a job is doing, in the session's language."""
    at = (job.stage or "queued") if job.state == "running" else "queued"
    return named(f"jobs.stage.{at}", t("jobs.stage.parse"))


def draw_strip(jobs: list[Job]) -> None:
    """Draw what is being worked on, each kind in a line with the time left, and how many files failed.

    One file or all of them are cancelled where they are listed, on the Documents page.
    """
    for kind in KINDS:
        same = [job for job in jobs if job.kind == kind and (kind != "report" or job.owner == owner())]
        if not (going := active(same)):
            continue
        name = plain(short(going[0].name, NAME_CHARACTERS))
        share, seconds = of_files(same)
        st.progress(min(share, 1.0), text=f"{t(f'jobs.{kind}', count=len(going), name=name)}{told(seconds)}")
    if count := len(failed(jobs)):
        link_to("documents", t("jobs.failures", count=count), "error")


def change(how: str, job_ids: Sequence[str]) -> None:
    """``cancel`` jobs, ``retry`` or ``dismiss`` failed ones, by the rights of now; where that is refused say so."""
    act = {"cancel": library().cancel_job, "retry": library().retry_job, "dismiss": library().dismiss_job}[how]
    for job_id in job_ids:
        tried(partial(act, job_id))


def of_files(jobs: Sequence[Job]) -> tuple[float, float | None]:
    """Return the share done, 0 to 1, of work of one kind that came together, and the seconds left once none is waiting.

    What has ended counts as done, however it ended, as far back as work went on without a pause: a share that fell
    with each end would run backwards.
    """
    going, ended = active(jobs), [job for job in jobs if job.state not in ("queued", "running")]
    first, count = min((job.created_at for job in going), default=float("inf")), 0
    for job in sorted(ended, key=lambda job: -job.updated_at):
        if job.updated_at >= first:
            first, count = min(first, job.created_at), count + 1
    share = (count + sum(job.progress for job in going)) / (count + len(going)) if going else 1.0
    waits = any(job.state != "running" for job in going)
    return share, None if waits else max((job.eta or 0.0 for job in going), default=None) or None


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
    """Return the files that failed or were cancelled and have not been added again since.

    Left out are those that are not for whoever is here to try again, and work on documents that are gone.
    """
    workable = access.workable()
    found = [job for job in _newest(jobs) if job.state in ("failed", "cancelled") and workable(job)]
    there = {document.name for document in library().documents()} if found else set()
    return [job for job in found if job.kind == "ingest" or job.name in there]


def _newest(jobs: Sequence[Job]) -> list[Job]:
    """The last job of each kind for each file, the newest first."""
    newest: dict[tuple[str, str], Job] = {}
    for job in sorted(jobs, key=lambda job: job.created_at, reverse=True):
        if job.kind in ("ingest", *FOLLOWING):
            newest.setdefault((job.kind, job.name), job)
    return list(newest.values())
