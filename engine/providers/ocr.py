"""Optical character recognition: PP-OCRv6 (PaddleOCR) on onnxruntime.

The tiny model is shipped, larger ones PaddleOCR fetches itself.

Detection is differentiable binarisation (Liao et al. 2020), recognition CTC. The models for page
orientation, unwarping and line orientation stay off: each would be another download, and turned pages are
told from the lines.
"""

import hashlib
import logging
import math
import os
import threading
import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from engine.config import OcrSettings
from engine.errors import ProviderUnavailableError
from engine.model import BBox, Value, hull
from engine.providers.paddle_import import without_unused_packages

WEIGHTS = Path(__file__).parent / "weights" / "ppocrv6_tiny"
Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
# The longer side at which lines are looked for: an A4 page at 200 dpi (2339 pixels) is shrunk by 0.62.
# Larger pages keep that scale up to A3; beyond it memory would pass a gigabyte.
SIDE, LARGEST_SIDE, SCALE = 1440, 2048, 0.62


@dataclass(frozen=True, slots=True)
class OcrLine(Value):
    """One line of recognised text.

    ``quad`` are its corners in reading direction: where the text begins above, ends above, ends below,
    begins below. ``confidence`` is the recogniser's mean over the letters, 0..1.
    """

    text: str
    quad: Quad
    confidence: float

    @property
    def box(self) -> BBox:
        """The upright box around the corners, in their unit."""
        return hull((x, y, x, y) for x, y in self.quad)


class Ocr:
    """PaddleOCR with one model size; one instance, loaded on first use, one picture at a time."""

    def __init__(self, settings: OcrSettings, weights: Path) -> None:
        self._settings, self._weights = settings, weights
        self._lock = threading.Lock()
        self._loaded: Any = None

    @cached_property
    def name(self) -> str:
        """Model and size; for the shipped weights the first digits of their SHA-256 as well.

        Readings of different names are kept apart.
        """
        if self._settings.model != "tiny":
            return f"PP-OCRv6_{self._settings.model}"
        digest = hashlib.sha256()
        for part in ("det", "rec"):
            try:
                digest.update((self._folder(part) / "inference.onnx").read_bytes())
            except OSError as error:
                raise self._missing(error) from error
        return f"PP-OCRv6_tiny@{digest.hexdigest()[:12]}"

    def read(self, image: np.ndarray) -> list[OcrLine]:
        """Return the lines in a picture of shape (height, width, 3), BGR, uint8; corners in pixels.

        Lines come in no reliable order. Raises ProviderUnavailableError when the recogniser cannot start.
        """
        side = min(max(SIDE, round(SCALE * max(image.shape[:2]))), LARGEST_SIDE)
        with self._lock:
            if self._loaded is None:
                self._loaded = self._open()
            [found] = self._loaded.predict(np.ascontiguousarray(image), text_det_limit_side_len=side)
        return [
            OcrLine(text.strip(), _quad(corners), round(float(score), 4))
            for text, score, corners in zip(found["rec_texts"], found["rec_scores"], found["rec_polys"], strict=True)
            if text.strip()
        ]

    def _open(self) -> Any:
        # Without this, PaddleOCR looks for reachable model hubs when it starts.
        os.environ.setdefault("PADDLE_PDX_DISABLE_MODEL_SOURCE_CHECK", "True")
        for logger in ("paddlex", "paddleocr", "modelscope"):
            logging.getLogger(logger).setLevel(logging.ERROR)
        try:
            with warnings.catch_warnings(), without_unused_packages():
                warnings.simplefilter("ignore")
                import onnxruntime

                onnxruntime.disable_telemetry_events()  # else it keeps a database of what it does
                from paddleocr import PaddleOCR

                logging.getLogger("paddlex").setLevel(logging.ERROR)  # its import sets the level back
                return PaddleOCR(**self._arguments())
        except ImportError as error:
            raise ProviderUnavailableError(_import_advice(error)) from error
        except OSError as error:
            raise self._missing(error) from error
        except Exception as error:  # PaddleX raises bare Exception when a download fails
            raise ProviderUnavailableError(
                f"Text recognition cannot start: {error} The model ocr.model = tiny needs no download."
            ) from error

    def _arguments(self) -> dict[str, Any]:
        size = self._settings.model
        shipped = size == "tiny"
        return {
            "text_detection_model_name": f"PP-OCRv6_{size}_det",
            "text_detection_model_dir": str(self._folder("det")) if shipped else None,
            "text_recognition_model_name": f"PP-OCRv6_{size}_rec",
            "text_recognition_model_dir": str(self._folder("rec")) if shipped else None,
            "use_doc_orientation_classify": False,
            "use_doc_unwarping": False,
            "use_textline_orientation": False,
            "text_det_limit_type": "max",
            # The model's own 1.4 cuts off marks at line ends: 0.1 to 0.2 % of all letters.
            "text_det_unclip_ratio": 1.8,
            # Line by line: batches gain nothing on a processor, and their widest line sizes the memory.
            "text_recognition_batch_size": 1,
            "engine": "onnxruntime",
            "engine_config": {
                "device_type": "gpu" if self._settings.use_gpu else "cpu",
                "intra_op_num_threads": 1,
                "inter_op_num_threads": 1,
                "enable_mem_pattern": False,
                "log_severity_level": 3,
            },
        }

    def _folder(self, part: str) -> Path:
        return self._weights / f"PP-OCRv6_tiny_{part}_onnx"

    def _missing(self, error: OSError) -> ProviderUnavailableError:
        return ProviderUnavailableError(
            f"The weights of the text recognition cannot be read ({error}). Install DropQA again, "
            "or set ocr.model to tiny."
        )


def open_ocr(settings: OcrSettings) -> Ocr | None:
    """Return the recogniser that the settings name, or None when recognition is switched off.

    Nothing is loaded before the first picture is read.
    """
    return Ocr(settings, WEIGHTS) if settings.enabled else None


def _quad(corners: Any) -> Quad:
    """Return the corners from where the text begins.

    PaddleOCR gives them from the top left and reads a tall box as text that runs from top to bottom.
    """
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    tall = math.dist(a, d) >= 1.5 * math.dist(a, b)
    return (b, c, d, a) if tall else (a, b, c, d)


def _import_advice(error: ImportError) -> str:
    if "libGL" in str(error) or "libgthread" in str(error) or "libglib" in str(error):
        return (
            f"Text recognition needs two system libraries ({error}). Install them, on Debian and Ubuntu "
            "with: apt-get install libgl1 libglib2.0-0"
        )
    return f"Text recognition is not installed ({error}). Install DropQA again."
