"""Verification of what every backend has: the tables of the catalog, and the original files."""

from engine.errors import NotFoundError, StorageError
from engine.model import Check
from storage.base import Files
from storage.catalog.database import Catalog

RESTORE = "Restore the library folder from a backup, or remove the named documents and add them again."
_REPAIR = "Run `dropqa repair`, which takes them in again."
_HASHED_BYTES = 1 << 30


def rows(catalog: Catalog, faults: list[str], kept_in: str) -> Check:
    """Check that the tables agree, beside ``faults`` that were found; ``kept_in`` names the database."""
    for what, statement in {
        "nodes of documents are missing": "SELECT count(*) FROM version v WHERE v.live AND v.nodes !="
        " (SELECT count(*) FROM node n WHERE n.key >= v.first_key AND n.key < v.first_key + v.nodes"
        " AND n.version_id = v.id)",
        "documents have no current version": "SELECT count(*) FROM document d WHERE NOT EXISTS"
        " (SELECT 1 FROM version v WHERE v.id = d.current AND v.live AND v.document_id = d.document_id)",
        "versions belong to no document": "SELECT count(*) FROM version v WHERE v.live AND NOT EXISTS"
        " (SELECT 1 FROM document d WHERE d.document_id = v.document_id)",
    }.items():
        if count := catalog.read(statement)[0][0]:
            faults.append(f"{count} {what}")
    documents, nodes = catalog.read(
        "SELECT count(*), coalesce(sum(v.nodes), 0) FROM document d JOIN version v ON v.id = d.current"
    )[0]
    return line("catalog", faults, f"{documents} documents, {nodes} nodes, in {kept_in}", RESTORE)


def originals(catalog: Catalog, files: Files, strays: int, deep: bool, fix: str = RESTORE) -> Check:
    """Check that every version's original file is there and is what its name says.

    ``strays`` is how many the catalog does not know. With ``deep`` all are read; else, beyond the first gigabyte,
    only their size is compared.
    """
    faults, seen = [], 0
    stored = catalog.read("SELECT sha256, min(size), min(name) FROM version WHERE live GROUP BY sha256")
    for sha256, size, name in stored:
        seen += size
        try:
            if not deep and seen > _HASHED_BYTES:
                whole = files.size(sha256) == size
            else:
                whole = files.verified(sha256).is_file()
        except NotFoundError:
            faults.append(f"the original of {name} is missing")
            continue
        except StorageError:
            whole = False
        if not whole:
            faults.append(f"the original of {name} is damaged")
    if strays and not faults:
        return line("files", [f"{strays} originals are not in the catalog"], "", _REPAIR)
    return line("files", faults, f"{len(stored)} originals", fix)


def line(name: str, faults: list[str], detail: str, fix: str) -> Check:
    """Return a check with the first faults that were found, or with what is there."""
    if not faults:
        return Check(name, True, detail)
    more = f" and {len(faults) - 5} more" if len(faults) > 5 else ""
    return Check(name, False, "; ".join(faults[:5]) + more, fix)
