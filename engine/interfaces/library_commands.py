"""What commands do with a library: in their own process, or in the app that has it open and is sent their options."""

import time
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.errors import UsageError
from engine.evaluate.runs import evaluate
from engine.export.nodes import write_node_files
from engine.folders.sync import sources_in
from engine.ingest import OnProgress, Source
from engine.interfaces.identity import LOCAL_OWNER
from engine.interfaces.render import Result
from engine.library import Library
from engine.model import ROLES, SEARCH_MODES, AddResult, Filters
from engine.parse.detect import SUFFIXES
from engine.topics.library_topics import SUMMARISED
from engine.visited_library import within

# So often it is looked how far a report is, in seconds.
REPORT_LOOKS = 0.5


def add(library: Library, options: Namespace, on_progress: OnProgress) -> Result:
    """Add files and folders; with ``wait`` also wait until their vectors are there."""
    found = sources_in(map(Path, options.paths), options.recursive, SUFFIXES)
    chosen = {"strategy": options.strategy, "collection": options.collection}
    return add_sources(library, [replace(one, **chosen) for one in found], options.wait, on_progress)


def add_sources(library: Library, sources: Sequence[Source], wait: bool, on_progress: OnProgress) -> Result:
    """Add files; where no background goes on with them, or who adds them waits, do at once what comes after."""
    results = library.add(sources, on_progress=on_progress)
    if wait or not library.runs_background:
        read = _finish(library, on_progress)
        results = [  # with the nodes that there are once scanned pages are read
            replace(one, nodes=read[one.document_id].nodes) if one.document_id in read else one for one in results
        ]
    return added(results)


def _finish(library: Library, on_progress: OnProgress) -> dict[str | None, AddResult]:
    """Do what the background does with added files; return those whose scanned pages were read, by document."""
    read = {done.document_id: done for done in library.read_pending(on_progress)}
    library.enrich_pending(on_progress)
    status = library.status()
    missing = status.retrievable - status.embedded
    library.embed_pending(lambda done: on_progress("", "embed", min(1.0, done / max(missing, 1))))
    library.settle(lambda share: on_progress("", "topics", share))
    while not library.runs_background and library.storage.maintain():
        pass
    return read


def _follow(library: Library, options: Namespace, on_progress: OnProgress) -> Result:
    """Look at folders once and take in what has changed."""
    found = library.follow(options.folders)
    if not library.runs_background and not found.waiting:
        _finish(library, on_progress)
    return found.to_dict()


def _reindex(library: Library, options: Namespace, on_progress: OnProgress) -> Result:
    results = library.reindex(None if options.all else options.document, on_progress)
    if not library.runs_background:
        _finish(library, on_progress)
    return added(results)


def _search(library: Library, options: Namespace, _on_progress: OnProgress) -> Result:
    if options.regex and options.mode != "keyword":
        raise UsageError("--regex goes with --mode keyword.")
    return search(library, options, _filters(options))


def search(library: Library, asked: Any, filters: Filters) -> Result:
    """Search for ``asked.query``; with ``text`` also give what other agents read where no model changed the hits."""
    finder = library.finder.pinned()
    found = finder.search(asked.query, mode=asked.mode, regex=asked.regex, top_k=asked.top_k, filters=filters)
    told = finder.enhanced(found, always_as_text=asked.text).to_dict()
    return {name: value for name, value in told.items() if value or name not in ("condensed", "text")}


def _ask(library: Library, options: Namespace, _on_progress: OnProgress) -> Result:
    answer = library.ask(
        options.question, filters=_filters(options), path=options.path, max_iterations=options.max_iterations,
        history=[(role, text) for role, text in options.history or ()],
    )  # fmt: skip
    return answer.to_dict()


def _filters(options: Namespace) -> Filters:
    for role in options.role:
        if role not in ROLES:
            raise UsageError(f"{role} is not a role; the roles are {', '.join(ROLES)}.")
    options.pages = options.pages and tuple(options.pages)  # a list where they were sent
    return Filters.of(options)


def _report(library: Library, options: Namespace, on_progress: OnProgress) -> Result:
    """Write a report, or what is missing of the one named, and wait for it; or list them."""
    kept = library.reports
    if options.list:
        return {"reports": dicts(kept.list(LOCAL_OWNER))}
    if options.resume:
        begun = kept.resume(LOCAL_OWNER, options.resume)
    else:
        begun = kept.start(LOCAL_OWNER, options.subject, filters=_filters(options), model=options.model)
    if not library.runs_background:
        kept.write_waiting(on_progress)
    while (made := kept.get(LOCAL_OWNER, begun.report_id)).under_way and library.works:
        on_progress("report", made.stage or "waiting", made.progress)
        time.sleep(REPORT_LOOKS)
    return made.to_dict()


def versions(library: Library, reference: str) -> Result:
    """Return a document's versions."""
    document = library.document(reference)
    found = dicts(library.versions(document.document_id))
    return {"document_id": document.document_id, "name": document.name, "versions": found}


def summarize(
    library: Library, document: str | None, topic: str | None, collection: str | None,
    version: int | None = None, section: str = "", nodes: Sequence[str] = (),
) -> Result:  # fmt: skip
    """Summarise a topic, the documents of a collection, or a document, a section of it or chosen nodes."""
    if topic:
        return library.topics.summary(topic).to_dict()
    if collection:
        title = library.collections.get(collection).name
        ids = [one.document_id for one in within(library, [collection]).documents()]
        return library.summaries.documents(ids[:SUMMARISED], title=title).to_dict()
    made = library.summaries.document(document or "", version=version, section=section, node_ids=nodes)
    return made.to_dict()


def _topics(library: Library, options: Namespace, _on_progress: OnProgress) -> Result:
    """List the topics, told anew where documents have changed; before that put one into another, if asked to."""
    if options.merge:
        library.topics.merge(*options.merge)
    if not library.runs_background:
        library.topics.refresh()
    return {"topics": dicts(within(library, options.collection).topics.all())}


def _collections(library: Library, options: Namespace, _on_progress: OnProgress) -> Result:
    """List the collections, make, rename or delete one, say who may see it, or move documents."""
    if (options.reader or options.editor) and not options.share:
        raise UsageError("--reader and --editor go with --share.")
    known = library.collections
    result: Result = {}
    if options.create is not None:
        result["created"] = known.create(options.create).to_dict()
    elif options.rename:
        result["renamed"] = known.rename(*options.rename).to_dict()
    elif options.delete is not None:
        result["deleted"] = known.delete(options.delete).to_dict()
    elif options.share is not None:
        result["shared"] = known.share(options.share, options.reader, options.editor).to_dict()
    elif options.move:
        result["moved"] = known.move(options.move[1:], options.move[0] or None)
    return result | {"collections": dicts(known.all())}


def _evaluate(library: Library, options: Namespace, _on_progress: OnProgress) -> Result:
    """Take a dataset into the library and measure how well its questions are answered from there."""
    return evaluate(
        library, Path(options.dataset), modes=[options.mode] if options.mode else SEARCH_MODES, limit=options.limit,
        ablate=options.ablate, answers=options.answers, strategy=options.strategy,
    )  # fmt: skip


def _export(library: Library, options: Namespace, _on_progress: OnProgress) -> Result:
    """Write a document's index artefacts, or the nodes that a question finds, a file a document."""
    out = Path(options.out)
    if options.what == "indexes":
        return library.export_indexes(options.document, out)
    files = library.finder.retrieved_nodes(options.question, filters=_filters(options), top_k=options.top_k)
    return write_node_files(files, out)


def removed(library: Library, reference: str) -> Result:
    """Remove a document, and return what was removed."""
    document = library.remove(reference)
    return {"removed": [{"document_id": document.document_id, "name": document.name}]}


def copied(folder: str, files: Mapping[str, tuple[int, str]]) -> Result:
    """Return the JSON of ``dropqa backup`` and ``restore``."""
    return {"folder": folder, "files": len(files), "bytes": sum(size for size, _ in files.values())}


def added(results: Sequence[AddResult]) -> Result:
    """Return the JSON of ``dropqa add``."""
    return {"documents": dicts(results)}


def dicts(values: Iterable[Any]) -> list[dict[str, Any]]:
    """Return values as plain dicts."""
    return [one.to_dict() for one in values]


Call = Callable[[Library, Namespace, OnProgress], Result]
ON_LIBRARY: dict[str, Call] = {
    "add": add,
    "follow": _follow,
    "list": lambda library, options, _: {"documents": dicts(within(library, options.collection).documents())},
    "collections": _collections,
    # What a key is to be bound to: the ids of collections.
    "collection_ids": lambda library, options, _: {
        "ids": [library.collections.get(one).collection_id for one in options.collection]
    },
    "tree": lambda library, options, _: library.tree(options.document, options.version).to_dict(),
    "search": _search,
    "ask": _ask,
    "report": _report,
    "versions": lambda library, options, _: versions(library, options.document),
    "diff": lambda library, options, _: library.version_history.difference(
        options.document, options.before, options.after
    ).to_dict(),
    "topics": _topics,
    "summarize": lambda library, options, _: summarize(
        library, options.document, options.topic, options.collection, options.version, options.section
    ),
    "remove": lambda library, options, _: removed(library, options.document),
    "reindex": _reindex,
    "eval": _evaluate,
    "export": _export,
    "doctor": lambda library, options, _: {"checks": dicts(library.doctor(options.deep))},
    "backup": lambda library, options, _: copied(options.folder, library.back_up(Path(options.folder))),
}
