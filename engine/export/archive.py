"""Exported files as one ZIP archive, for callers that do not share this machine's files."""

import io
import json
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

MANIFEST = "export.json"


def pack(export: Callable[[Path], dict[str, Any]]) -> bytes:
    """Let files be written below a temporary folder and return them as a ZIP archive.

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
