"""Plain-text renderings of the commands' JSON, for people at a terminal."""

import argparse
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.answer.phrases import phrases_for

Result = dict[str, Any]
Told = Callable[[Result, argparse.Namespace], str]


def lines(name: str, line: Callable[[Any], str], empty: str = "") -> Told:
    """Return what gives a line for each item of a result's list; ``empty`` where there is none."""
    return lambda result, _options: "\n".join(map(line, result[name])) or empty


def _added(document: Result) -> str:
    if document["status"] == "failed":
        return f"failed     {document['name']}: {document['error']}"
    pages = f", {document['pages']} pages" if document["pages"] else ""
    return (
        f"{document['status']:<10} {document['name']} (version {document['version']}{pages}, "
        f"{document['nodes']} nodes, {document['seconds']:.1f} s)"
    )


added = lines("documents", _added)
repaired = lines("documents", _added, "Nothing is missing: the catalog knows every original.")
removed = lines("removed", lambda document: f"removed {document['name']}")
documents = lines(
    "documents",
    lambda one: f"{one['document_id']}  v{one['version']:<3} {one['nodes']:>6} nodes  {one['name']}",
    "The library is empty. Add files with `dropqa add PATH`.",
)
versions = lines(
    "versions",
    lambda version: (
        f"version {version['version']}{' (current)' if version['current'] else ''}: "
        f"{version['nodes']} nodes, {version['size']} bytes, sha256 {version['sha256'][:12]}"
    ),
)
topics = lines(
    "topics",
    lambda topic: (
        f"{topic['topic_id']:<14} {len(topic['documents']):>5} documents  {topic['name']}"
        + (f" ({topic['description']})" if topic["description"] else "")
    ),
    "There are no topics yet. They come with documents: `dropqa add PATH`.",
)
exported = lines(
    "files",
    lambda file: f"{file.get('records', file.get('nodes'))!s:>7}  {file['path']}",
    "Nothing was found, nothing was written.",
)


def copied(result: Result, _options: argparse.Namespace) -> str:
    """Return where a backup or a library was copied to."""
    return f"{result['files']} files ({result['bytes'] / 1e6:.1f} MB) are in {result['folder']}."


def migrated(result: Result, _options: argparse.Namespace) -> str:
    """Return what was copied from where to where."""
    copied = ", ".join(f"{count} {what}" for what, count in result["copied"].items())
    return f"Copied from {result['from']} to {result['to']}: {copied}."


def keys(result: Result, _options: argparse.Namespace) -> str:
    """Return a line a key, and the text of a new one, which is shown this once."""
    lines = [
        f"{key['key_id']}  {key['scope']:<5}  {key['name']}"
        + (f"  (collections {', '.join(key['collections'])})" if key["collections"] else "")
        for key in result["keys"]
    ]
    if text := result.get("key"):
        lines += ["", text, "Keep it: it is shown this once. Programs send it as `Authorization: Bearer …`."]
    return "\n".join(lines) or "There are no keys. `dropqa keys --create NAME` makes one."


def _collection(one: Result) -> str:
    who = [f"{', '.join(one[kind])} {verb}" for kind, verb in (("readers", "read"), ("editors", "edit")) if one[kind]]
    told = f"  ({'; '.join(who)})" if who else ""
    return f"{one['collection_id']}  {one['documents']:>6} documents  {one['name']}{told}"


collections = lines(
    "collections", _collection, "There are no collections. `dropqa collections --create NAME` makes one."
)


def watched(result: Result, _options: argparse.Namespace) -> str:
    """Return how much became of files in folders, and what was left alone."""
    counts = Counter(document["status"] for document in result["documents"])
    lines = [", ".join(f"{count} {status}" for status, count in counts.items()) or "Nothing has changed."]
    lines += [f"{folder} is not there or empty: nothing was put away." for folder in result["missing"]]
    if result["waiting"]:
        lines.append(f"{result['waiting']} files are still being written.")
    return "\n".join(lines)


def tree(result: Result, _options: argparse.Namespace) -> str:
    """Return the tree, indented, a line a node."""
    lines = []
    for node in result["nodes"]:
        text = (node["title"] or node["text"]).replace("\n", " ")
        page = f" (p. {node['page']})" if node["page"] else ""
        lines.append(f"{'  ' * node['depth']}{node['role']}: {text[:100]}{page}")
    lines += [f"warning: {warning}" for warning in result.get("warnings", [])]
    return "\n".join(lines)


def hits(result: Result, _options: argparse.Namespace) -> str:
    """Return the hits, or the text that other agents read, with the notes of the search."""
    if not result["hits"]:
        return "Nothing found. Try other words or another --mode."
    lines = [result["text"]] if result.get("text") else []
    for hit in () if lines else result["hits"]:
        place = _place(hit["document"], hit["path"], hit["page"])
        lines += [f"{hit['rank']:>2}. {place}  [{hit['score']:.3f}]", f"    {hit['snippet']}"]
    return "\n".join(lines + [f"note: {note}" for note in result.get("notes", [])])


def answer(result: Result, options: argparse.Namespace) -> str:
    """Return the answer with its numbered sources, and its steps where they were asked for."""
    lines = []
    if getattr(options, "trace", False):
        lines += [*map(_step, result["reasoning_trace"]), ""]
    lines += [result["answer"], ""]
    lines += ["Nearest passages:"] if result["sources"] and result.get("state") == "not_found" else []
    for source in result["sources"]:
        path = [source["section"]] if source["section"] else []
        place = _place(f"{source['document']} (version {source['version']})", path, source["page"])
        lines.append(f"[{source['n']}] {place}")
        lines.append(f"    “{source['snippet']}”")
    lines += [outside_told(result)] if result.get("web_sources") else []
    lines += [f"warning: {warning}" for warning in result["warnings"]]
    return "\n".join(lines).strip()


def _step(step: Result) -> str:
    tool = f" {step['tool']}" if step["tool"] else ""
    summary = f" -> {step['result_summary']}" if step["result_summary"] else ""
    return f"({step['step']}) {step['type']}{tool}: {step['content']}{summary}"


def difference(result: Result, _options: argparse.Namespace) -> str:
    """Return the changes with their section, the words that differ as [-old-] and {+new+}."""
    lines = []
    for kind in ("added", "removed", "changed", "moved", "renamed", "renumbered"):
        for change in result[kind]:
            lines.append(f"{kind:<10} {' > '.join(change['path']) or result['document']}")
            if kind in ("moved", "renamed", "renumbered"):
                text = f": {change['text']}" if change["text"] else ""
                lines.append(f"    {change['before']} -> {change['after']}{text}")
            marked = ["".join(map(_span, passage["spans"])) for passage in change["passages"]]
            lines += ["    " + text.replace("\n", "\n    ") for text in marked]
    return "\n".join(lines) or "Nothing differs."


def _span(span: dict[str, str]) -> str:
    form = {"removed": "[-{}-]", "added": "{{+{}+}}"}.get(span["kind"], "{}")
    return form.format(span["text"])


def summary(result: Result, options: argparse.Namespace) -> str:
    """Return the summary with its numbered sources."""
    return answer(result | {"answer": result["summary"]}, options)


def evaluation(result: Result, _options: argparse.Namespace) -> str:
    """Return the metrics as a table, a row a mode or stage; ``--json`` has their parts by type and by role, too."""
    names = list(result["metrics"])
    lines = [
        f"{result['queries']} questions, {result['index']['nodes']:,} nodes indexed in {result['index_seconds']:.1f} s",
        " " * 24 + "".join(f"{name:>11}" for name in [*names, "p50 ms", "p95 ms"]),
    ]
    runs = {stage["stage"]: stage for stage in result.get("ablation", [])} or result["by_mode"]
    for title, run in runs.items():
        figures = "".join(f"{run['metrics'][name]:>11.3f}" for name in names)
        times = "".join(f"{run['latency_ms'][name]:>11.0f}" for name in ("p50", "p95"))
        lines.append(f"{title:<24}{figures}{times}")
    if answers := result.get("answers"):
        told = [f"{name} {value:.3f}" for name, value in answers.items() if name != "questions"]
        lines.append(f"{answers['questions']} answers: {', '.join(told)}")
    return "\n".join(lines)


def _check(check: Result) -> str:
    fix = "" if check["ok"] or not check["fix"] else f"\n     {check['fix']}"
    return f"{'ok  ' if check['ok'] else 'FAIL'} {check['name']}: {check['detail']}{fix}"


checks = lines("checks", _check)


def _place(document: str, path: list[str], page: int | None) -> str:
    return " > ".join([document, *path]) + (f", p. {page}" if page else "")


def password(result: Result, _options: argparse.Namespace) -> str:
    """Tell what the app will ask for from its next start, or the hash that was only to be printed."""
    if not result["saved"]:
        return str(result["password_hash"])
    asks = "asks for this password" if result["password_hash"] else "asks for no password"
    return f"From its next start the app {asks} (library {result['library']})."


def report(result: Result, options: argparse.Namespace) -> str:
    """Return where a report is, or its text; or a line a report."""
    from engine.export.report_file import report_file
    from engine.model import Report

    if options.list:
        lines = [f"{one['report_id']}  {one['state']:<8} {one['title'] or one['subject']}" for one in result["reports"]]
        return "\n".join(lines) or "There are no reports. `dropqa report SUBJECT` writes one."
    if result["state"] == "done" and result.get("file"):
        return f"The report is in {result['file']}."
    lines = [] if result.get("file") else [report_file(Report.from_dict(result), "md").decode()]
    if result["state"] != "done":
        reason = result["error"] or "sections are missing"
        lines.append(f"The report is not complete: {reason}. Go on: dropqa report --resume {result['report_id']}")
    return "\n".join(lines)


def outside_told(answer: Mapping[str, Any]) -> str:
    """Return what an answer (as JSON) names of the web as text below it, said to be from outside; "" for nothing."""
    sources: Sequence[Mapping[str, Any]] = answer.get("web_sources") or ()
    lines = [f"[W{one['n']}] {one['title']} <{one['url']}>: {one['snippet']}" for one in sources]
    return "\n".join([phrases_for(answer["answer"]).from_web, *lines]) if lines else ""
