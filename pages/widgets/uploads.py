"""Adding files: the drop zone, what is being read, could not be read, or is nearly the same as what is there."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from engine.config import Strategy
from engine.errors import DropQAError, NotFoundError
from engine.export.harmless import plain
from engine.index.strategies import STRATEGIES, WITHOUT_MODEL_NOTHING
from engine.ingest import Source
from engine.model import AddResult, Document, Job
from engine.near_duplicates import near_duplicate
from pages.widgets import access, collections, job_strip
from pages.widgets.buttons import button, link_to, show_problem, tried
from pages.widgets.samples import FOLDER, QUESTIONS
from pages.widgets.services import library, owner
from pages.widgets.texts import in_language, said, t

ROWS = 6
_ROUND = "uploads.round"
_UNCHANGED, _REFUSED = "uploads.unchanged", "uploads.refused"
_PROBLEM = "web.problem"
_STRATEGY = "uploads.strategy"
# Files that were queued here, to be compared with all others once they are read, so many in one run of the page.
_ADDED, _FOUND = "alike.added", "alike.found"
AT_ONCE = 2


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
    """Fetch, once, the page or file of the web whose address was entered."""
    from engine.web_source import fetch

    settings, address = library().settings, st.session_state[key] or ""
    most, private = settings.parsing.max_file_mb * 1_000_000, not settings.access.shared
    tried(lambda: _queue([fetch(address, most_bytes=most, private=private)]), _PROBLEM)


def _take(key: str) -> None:
    """Queue the files that have just arrived, and empty the field."""
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
    """Draw what is being worked on and what failed, each with what can be done about it."""
    at_work = job_strip.active(jobs)
    files = [job for job in at_work if job.kind == "ingest"]
    if files:
        with st.container(border=True, gap="small"):
            label = t("jobs.ingest", count=len(files), name=plain(files[0].name))
            share = job_strip.of_files([job for job in jobs if job.kind == "ingest"])[1]
            st.markdown(f"**{label}**{job_strip.told(share)}")
            _rows(sorted(files, key=lambda job: job.state != "running"), _row)
    _rows([job for job in at_work if job.kind in job_strip.FOLLOWING], _row)
    for job in at_work:
        if job.kind in ("embed", "topics"):
            st.progress(min(job.progress, 1.0), text=f"{t(f'jobs.{job.kind}')}{job_strip.left(job)}")
    if failed := job_strip.failed(jobs):
        _failures(failed)
    _alike(jobs)


def _rows(jobs: Sequence[Job], draw: Callable[[Job], None]) -> None:
    for job in jobs[:ROWS]:
        draw(job)
    if jobs[ROWS:]:
        st.caption(t("jobs.more", count=len(jobs) - ROWS))


def _row(job: Job) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.progress(min(job.progress, 1.0), text=f"{plain(job.name)} · {job_strip.stage(job)}{job_strip.left(job)}")
        if access.workable()(job):
            key, told = f"cancel.{job.job_id}", t("jobs.cancel", name=plain(job.name))
            button(t("documents.cancel"), key, "close", job_strip.change, "cancel", [job.job_id], help=told)


def _failures(failed: Sequence[Job]) -> None:
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":material/error: **{t('jobs.failed.title')}**", width="stretch")
            if len(failed) > 1:
                ids = [job.job_id for job in failed]
                button(t("jobs.retry.all"), "retry.all", "", job_strip.change, "retry", ids)
                button(t("jobs.dismiss.all"), "dismiss.all", "", job_strip.change, "dismiss", ids)
        _rows(failed, _failure)


def _failure(job: Job) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        why = in_language(job.error or "") or t(f"jobs.{job.state}")
        reason = why.removeprefix(job.name) if why.startswith(job.name) else f" · {why}"
        st.markdown(f"**{plain(job.name)}**{plain(reason)}", width="stretch")
        with st.container(horizontal=True, gap="small", width="content"):
            button(t("jobs.retry"), f"retry.{job.job_id}", "refresh", job_strip.change, "retry", [job.job_id])
            button(t("jobs.dismiss"), f"dismiss.{job.job_id}", "close", job_strip.change, "dismiss", [job.job_id])


def _alike(jobs: Sequence[Job]) -> None:
    """Compare what has been read since, and draw what is nearly the same as another document."""
    found: dict[str, tuple[str, float]] = st.session_state.setdefault(_FOUND, {})
    added: set[str] = st.session_state.get(_ADDED, set())
    for job in [job for job in jobs if job.job_id in added and job.state == "done"][:AT_ONCE]:
        added.discard(job.job_id)  # another part of the page that is drawn meanwhile may have taken it
        document_id = job.document_id
        with suppress(NotFoundError):  # removed since
            if other := near_duplicate(library().storage, library().search, document_id):
                found[document_id] = other[0].document_id, other[1]
    known = {document.document_id: document for document in library().documents()}
    for document_id, (other_id, share) in found.items():
        if document_id in known and other_id in known:
            _pair(known[document_id], known[other_id], share)


def _pair(new: Document, old: Document, share: float) -> None:
    with st.container(border=True, gap="small", key=f"alike.{new.document_id}"):
        told = t("alike.told", name=plain(new.name), other=plain(old.name), percent=int(100 * share))
        st.markdown(f":material/content_copy: {told}")
        with st.container(horizontal=True, gap="small"):
            for document in (new, old):
                link_to("document", plain(document.name), "article", doc=document.document_id)
            st.space("stretch")
            if access.changeable()(new):
                button(t("alike.remove"), f"alike.remove.{new.document_id}", "delete", _remove, new.document_id)
            button(t("alike.keep"), f"alike.keep.{new.document_id}", "check", _keep, new.document_id)


def _keep(document_id: str) -> None:
    st.session_state[_FOUND].pop(document_id, None)


def _remove(document_id: str) -> None:
    _keep(document_id)
    tried(lambda: library().remove(document_id), gone=True)
