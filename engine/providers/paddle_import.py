"""PaddleOCR without the packages that it asks for and that are never used here.

PaddleX imports ModelScope and Baidu's AI Studio, two of the places that it downloads models from, whether it is to
download anything or not, and takes no OpenCV but the build that it names. They are 180 MB, so that they are not
installed (``exclude-dependencies`` in ``pyproject.toml``): modules without content stand in for them, and any build of
OpenCV will do. Where they are installed nothing is changed.
"""

import contextlib
import importlib.metadata
import importlib.util
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from engine.errors import ProviderUnavailableError

DESKTOP_OPENCV, ANY_OPENCV = "opencv-contrib-python", "opencv-python-headless"


class _NotFound(Exception):
    """What a place to download from raises that has no such model."""


def _no_download(*_: Any, **__: Any) -> None:
    raise ProviderUnavailableError(
        "Models of text recognition are not fetched from ModelScope or AI Studio. Set ocr.model to tiny, which "
        "comes along."
    )


# The modules that are stood in for, and what PaddleX takes from them as it is imported.
STAND_INS: dict[str, dict[str, Any]] = {
    "modelscope": {"snapshot_download": _no_download},
    "aistudio_sdk": {},
    "aistudio_sdk.errors": {"NotExistError": _NotFound},
    "aistudio_sdk.snapshot_download": {"snapshot_download": _no_download},
}


@contextlib.contextmanager
def without_unused_packages() -> Iterator[None]:
    """Let PaddleOCR be imported and opened inside, whichever of its packages are missing."""
    missing = {root for root in ("modelscope", "aistudio_sdk") if importlib.util.find_spec(root) is None}
    for name, content in STAND_INS.items():
        if name.partition(".")[0] in missing and name not in sys.modules:
            module = ModuleType(name)
            module.__spec__ = ModuleSpec(name, None)
            vars(module).update(content)
            if any(other.startswith(f"{name}.") for other in STAND_INS):
                module.__path__ = []
            sys.modules[name] = module
    real = importlib.metadata.version

    def version(name: str) -> str:
        try:
            return real(name)
        except importlib.metadata.PackageNotFoundError:
            if name != DESKTOP_OPENCV:
                raise
            return real(ANY_OPENCV)

    importlib.metadata.version = version  # type: ignore[assignment]
    try:
        yield
    finally:
        importlib.metadata.version = real
