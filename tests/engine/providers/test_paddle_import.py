"""PaddleOCR is imported without the packages that are left out, and nothing else notices."""

import importlib.metadata
import subprocess
import sys

import pytest

from engine.providers.paddle_import import DESKTOP_OPENCV, without_unused_packages


def test_any_build_of_opencv_will_do_inside_and_the_truth_is_told_outside():
    with without_unused_packages():
        assert importlib.metadata.version(DESKTOP_OPENCV) == importlib.metadata.version("opencv-python-headless")
        with pytest.raises(importlib.metadata.PackageNotFoundError):
            importlib.metadata.version("no-such-package")
    with pytest.raises(importlib.metadata.PackageNotFoundError):
        importlib.metadata.version(DESKTOP_OPENCV)


def test_a_model_that_only_left_out_packages_could_fetch_is_told():
    script = (
        "from engine.providers.paddle_import import without_unused_packages as w\n"
        "with w():\n"
        "    import modelscope\n"
        "    from aistudio_sdk.snapshot_download import snapshot_download\n"
        "for fetch in (modelscope.snapshot_download, snapshot_download):\n"
        "    try: fetch(repo_id='x')\n"
        "    except Exception as error: print(type(error).__name__, error)\n"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert told.count("ProviderUnavailableError") == 2 and "tiny" in told
