"""Adding files, and background work: a quiet strip in the sidebar, rows on the Documents page, what failed or is alike.

Nothing is drawn while there is no work. A timer runs then only on pages that show what is in the library: what comes
from elsewhere (the command line, another window) is looked for every few seconds. Worker threads write rows, and these
functions only read them.
"""

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import streamlit as st

from engine.config import Strategy
from engine.errors import DropQAError, NotFoundError
from engine.export.harmless import plain
from engine.index.strategies import STRATEGIES, WITHOUT_MODEL_NOTHING
from engine.ingest import Source
from engine.model import AddResult, Document, Job
from engine.near_duplicates import near_duplicate
from pages.widgets import access, collections, version_list
from pages.widgets.buttons import button, link_to, show_problem, tried
from pages.widgets.fragments import fragment, redraw, redrawing
from pages.widgets.samples import FOLDER, QUESTIONS
from pages.widgets.services import contents, library, owner
from pages.widgets.texts import in_language, named, said, short, t

ROWS = 6
_ROUND = "uploads.round"
_UNCHANGED, _REFUSED = "uploads.unchanged", "uploads.refused"
_PROBLEM = "web.problem"
_STRATEGY = "uploads.strategy"
# Files that were queued here, to be compared with all others once they are read, so many in one run of the page.
_ADDED, _FOUND, _RENEWED = "alike.added", "alike.found", "uploads.renewed"
AT_ONCE = 2
IDLE_PACE = "4s"
NAME_CHARACTERS = 36
JOBS_SHOWN = 2000
FOLLOWING = ("ocr", "enrich")  # on a file that is in already
KINDS = ("ingest", *FOLLOWING, "report", "embed", "topics")
LONGEST_GUESS_SECONDS = 24 * 3600


def drop_zone() -> None:
    """Draw the field that takes files; they are queued as soon as they are here. Who may only read is told so."""
    if not access.adds():
        st.caption(f":material/visibility: {t('access.read_only')}")
        return
    key = f"uploads.files.{st.session_state.setdefault(_ROUND, 0)}"
    most = library().settings.parsing.max_file_mb
    st.file_uploader(
        t("documents.upload.hint"), accept_multiple_files=True, key=key, max_upload_size=most, on_change=_take,
        args=(key,),
    )  # fmt: skip
    if into := collections.current():
        st.caption(t("collections.into", name=plain(into.name)))
    with st.container(horizontal=True, gap="small"):
        with st.popover(t("documents.folder"), icon=":material/drive_folder_upload:", type="tertiary"):
            st.file_uploader(
                t("documents.folder.hint"), accept_multiple_files="directory", key=f"{key}.folder",
                max_upload_size=most, on_change=_take, args=(f"{key}.folder",),
            )  # fmt: skip
        with st.popover(t("documents.web"), icon=":material/link:", type="tertiary"):
            with st.form(f"{key}.web", border=False, clear_on_submit=False):
                at, example = f"{key}.address", "https://example.org/guide"
                st.text_input(t("documents.web.label"), key=at, placeholder=example)
                st.form_submit_button(t("documents.web.fetch"), type="primary", on_click=_fetch, args=(at,))
            show_problem(_PROBLEM)
        _choose_strategy()
    for told in st.session_state.get(_REFUSED, []):  # until the next files come
        st.error(told)
    if names := st.session_state.pop(_UNCHANGED, None):
        told = t("documents.unchanged", count=len(names), name=plain(names[0]))
        st.toast(told, icon=":material/check:", duration="long")


def _choose_strategy() -> None:
    """Draw how the files are to be indexed; what cannot be had without a model is named with the reason."""
    settings = library().settings
    usual = settings.indexing.strategy
    missing = () if settings.indexing_llm.configured else WITHOUT_MODEL_NOTHING
    names = {one: t(f"set.indexing.strategy.{one}") for one in STRATEGIES}
    with st.popover(t("strategy.options"), icon=":material/account_tree:", type="tertiary"):
        chosen = st.selectbox(
            t("strategy.options"), [one for one in STRATEGIES if one not in missing], index=None, key=_STRATEGY,
            format_func=names.__getitem__, placeholder=t("strategy.default", name=names[usual]),
        )  # fmt: skip
        st.caption(t(f"strategy.{chosen or usual}.help"))
        for one in (one for one in STRATEGIES if one in missing):
            st.caption(f":material/lock: {t('strategy.needs_model', name=names[one])}")


def _fetch(key: str) -> None:
    from engine.web_source import fetch

    settings, address = library().settings, st.session_state[key] or ""
    most, private = settings.parsing.max_file_mb * 1_000_000, not settings.access.shared
    tried(lambda: _queue([fetch(address, most_bytes=most, private=private)]), _PROBLEM)


def _take(key: str) -> None:
    strategy: Strategy | None = st.session_state.get(_STRATEGY)
    name_of = of_folder if key.endswith(".folder") else str
    files = st.session_state[key] or []
    sources = [Source(name, file.getvalue(), strategy) for file in files if (name := name_of(file.name))]
    if files and not sources:
        st.toast(t("documents.folder.none"), icon=":material/error:")
    st.session_state[_ROUND] += 1
    _queue(sources)


def of_folder(path: str) -> str:
    """Return the name of a file in a folder that was given, below that folder; "" for one to leave out."""
    from engine.parse.detect import SUFFIXES

    parts = path.replace("\\", "/").split("/")
    below = parts[1:] if len(parts) > 1 else parts
    hidden = any(part.startswith((".", "~$")) for part in below)
    suffix = below[-1].rpartition(".")[2].lower()
    return "" if hidden or f".{suffix}" not in SUFFIXES else "/".join(below)


def _queue(sources: Sequence[Source]) -> None:
    into = collections.current()
    refused = st.session_state[_REFUSED] = []
    for source in sources:
        try:
            outcome = library().enqueue(replace(source, collection=into.collection_id) if into else source, owner())
        except DropQAError as error:
            refused.append(said(error))
            continue
        if isinstance(outcome, AddResult):
            st.session_state.setdefault(_UNCHANGED, []).append(outcome.name)
        else:
            st.session_state.setdefault(_ADDED, set()).add(outcome)


def add_samples() -> None:
    """Queue the documents of the sample library."""
    for name in QUESTIONS:
        library().enqueue(Source(name, FOLDER / name), owner())


def work(jobs: list[Job]) -> None:
    """Draw what failed, which would stand twice for a moment below rows that come and go, and what is worked on."""
    if again := failed(jobs):
        _failures(again)
    at_work = active(jobs)
    if files := [job for job in at_work if job.kind == "ingest"]:
        with st.container(border=True, gap="small"):
            label = t("jobs.ingest", count=len(files), name=plain(files[0].name))
            share = of_files([job for job in jobs if job.kind == "ingest"])[1]
            st.markdown(f"**{label}**{told(share)}")
            _rows(sorted(files, key=lambda job: job.state != "running"), _row)
    _rows([job for job in at_work if job.kind in FOLLOWING], _row)
    for job in (one for one in at_work if one.kind in ("embed", "topics")):
        st.progress(min(job.progress, 1.0), text=f"{t(f'jobs.{job.kind}')}{left(job)}")
    _alike(jobs)


def _rows(jobs: Sequence[Job], draw: Callable[[Job], None]) -> None:
    for job in jobs[:ROWS]:
        draw(job)
    if jobs[ROWS:]:
        st.caption(t("jobs.more", count=len(jobs) - ROWS))


def _row(job: Job) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.progress(min(job.progress, 1.0), text=f"{plain(job.name)} · {stage(job)}{left(job)}")
        if access.changeable()(job):
            key, told = f"cancel.{job.job_id}", t("jobs.cancel", name=plain(job.name))
            button(t("documents.cancel"), key, "close", change, "cancel", [job.job_id], help=told)


def _failures(failed: Sequence[Job]) -> None:
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":material/error: **{t('jobs.failed.title')}**", width="stretch")
            if len(failed) > 1:
                ids = [job.job_id for job in failed]
                button(t("jobs.retry.all"), "retry.all", "", change, "retry", ids)
                button(t("jobs.dismiss.all"), "dismiss.all", "", change, "dismiss", ids)
        _rows(failed, _failure)


def _failure(job: Job) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        why = in_language(job.error or "") or t(f"jobs.{job.state}")
        reason = why.removeprefix(job.name) if why.startswith(job.name) else f" · {why}"
        gap = reason[: len(reason) - len(reason.lstrip())]  # which :func:`plain` takes off
        st.markdown(f"**{plain(job.name)}**{gap}{plain(reason)}", width="stretch")
        with st.container(horizontal=True, gap="small", width="content"):
            button(t("jobs.retry"), f"retry.{job.job_id}", "refresh", change, "retry", [job.job_id])
            button(t("jobs.dismiss"), f"dismiss.{job.job_id}", "close", change, "dismiss", [job.job_id])


def _alike(jobs: Sequence[Job]) -> None:
    """Compare what has been read since; draw what a new version changed, and what is nearly the same as another."""
    renewed: set[str] = st.session_state.setdefault(_RENEWED, set())
    found: dict[str, tuple[str, float]] = st.session_state.setdefault(_FOUND, {})
    added: set[str] = st.session_state.get(_ADDED, set())
    for job in [job for job in jobs if job.job_id in added and job.state == "done"][:AT_ONCE]:
        added.discard(job.job_id)  # another part of the page that is drawn meanwhile may have taken it
        document_id = job.document_id
        with suppress(NotFoundError):  # removed since
            if library().document(document_id).versions > 1:
                renewed.add(document_id)
            if other := near_duplicate(library().storage, library().search, document_id):
                found[document_id] = other[0].document_id, other[1]
    known = {document.document_id: document for document in library().documents()}
    for document_id in renewed & known.keys():
        _renewed(known[document_id])
    for document_id, (other_id, share) in found.items():
        if document_id in known and other_id in known:
            _pair(known[document_id], known[other_id], share)


def _renewed(document: Document) -> None:
    new, *older = library().versions(document.document_id)
    if not older:  # deleted since
        return
    changes = version_list.in_words(version_list.difference(str(library().folder), older[0], new))
    told = t("versions.changes", changes=changes) if changes else t("versions.same")
    with st.container(border=True, gap="small", key=f"renewed.{document.document_id}"):
        st.markdown(f":material/history: **{plain(document.name)}** · {t('versions.n', version=new.version)}. {told}")
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            pair = f"{older[0].version}..{new.version}"
            link_to("document", t("versions.compare"), "compare", doc=document.document_id, compare=pair)
            st.space("stretch")
            let_go = st.session_state[_RENEWED].discard
            button(t("jobs.dismiss"), f"renewed.gone.{document.document_id}", "close", let_go, document.document_id)


def _pair(new: Document, old: Document, share: float) -> None:
    with st.container(border=True, gap="small", key=f"alike.{new.document_id}"):
        told = t("alike.told", name=plain(new.name), other=plain(old.name), percent=int(100 * share))
        st.markdown(f":material/content_copy: {told}")
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            for document in (new, old):
                link_to("document", plain(document.name), "article", doc=document.document_id)
            st.space("stretch")
            if access.changeable()(new):
                button(t("alike.remove"), f"alike.remove.{new.document_id}", "delete", _remove, new.document_id)
            keep = st.session_state[_FOUND].pop
            button(t("alike.keep"), f"alike.keep.{new.document_id}", "check", keep, new.document_id, None)


def _remove(document_id: str) -> None:
    st.session_state[_FOUND].pop(document_id, None)
    tried(lambda: library().remove(document_id), gone=True)


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
    changeable = access.changeable()
    found = [job for job in _newest(jobs) if job.state in ("failed", "cancelled") and changeable(job)]
    there = {document.name for document in library().documents()} if found else set()
    return [job for job in found if job.kind == "ingest" or job.name in there]


def _newest(jobs: Sequence[Job]) -> list[Job]:
    """The last job of each kind for each file, the newest first."""
    newest: dict[tuple[str, str], Job] = {}
    for job in sorted(jobs, key=lambda job: job.created_at, reverse=True):
        if job.kind in ("ingest", *FOLLOWING):
            newest.setdefault((job.kind, job.name), job)
    return list(newest.values())
