"""A document's index artefacts as one ZIP archive, for callers that do not share this machine's files."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.errors import StorageError
from engine.export.indexes import FOLDER

MANIFEST = "export.json"


def pack(export: Callable[[Path], dict[str, Any]]) -> bytes:
    """Let artefacts be written below a temporary folder and return them as a ZIP archive.

    Beside them it holds ``export.json``: what ``export`` returned, with paths relative to the folder.
    """
    with tempfile.TemporaryDirectory(prefix="dropqa-export-") as name:
        folder = Path(name).resolve()
        told = json.dumps(export(folder), ensure_ascii=False).replace(f"{folder}/", "")
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(MANIFEST, told)
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    archive.write(path, path.relative_to(folder).as_posix())
        return packed.getvalue()


def unpack(packed: bytes, out: Path) -> dict[str, Any]:
    """Write an archive of :func:`pack` below ``out`` and return what was exported. Raises StorageError."""
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            told: dict[str, Any] = json.loads(archive.read(MANIFEST))
            for name in archive.namelist():
                if name.startswith(f"{FOLDER}/"):
                    archive.extract(name, out)  # never outside: zipfile drops ".." and absolute paths
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise StorageError(f"The artefacts could not be written to {out}: {error}.") from error
    told["folder"] = str(out / told["folder"])
    told["files"] = [{**file, "path": str(out / file["path"])} for file in told["files"]]
    return told
