"""Optical character recognition: the Protocol, and the one place that chooses an implementation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from engine.config import OcrSettings
from engine.model import BBox, Value

WEIGHTS = Path(__file__).parent / "weights" / "ppocrv6_tiny"
Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]


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
        xs, ys = [x for x, _ in self.quad], [y for _, y in self.quad]
        return (min(xs), min(ys), max(xs), max(ys))


class Ocr(Protocol):
    """Reads the text in a picture. All methods are thread-safe."""

    @property
    def name(self) -> str:
        """The model's identity, version included; readings of different names are kept apart."""
        ...

    def read(self, image: np.ndarray) -> list[OcrLine]:
        """Return the lines in a picture of shape (height, width, 3), BGR, uint8; corners in pixels.

        Lines come in no reliable order. Raises ProviderUnavailableError when the recogniser cannot start.
        """
        ...


def open_ocr(settings: OcrSettings) -> Ocr | None:
    """Return the recogniser that the settings name, or None when recognition is switched off.

    Nothing is loaded before the first picture is read.
    """
    if not settings.enabled:
        return None
    from engine.providers.ocr_paddle import PaddleOcr

    return PaddleOcr(settings, WEIGHTS)
