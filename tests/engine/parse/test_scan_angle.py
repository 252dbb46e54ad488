"""The direction of a scanned page, told from boxes as a detector sets them."""

import math

import pytest

from engine.parse.scan_text import page_angle
from engine.providers.ocr import OcrLine


def boxed(text: str, x: float, y: float, width: float, own: float, turn: float) -> OcrLine:
    """Return a text whose middle is turned with the page by ``turn`` degrees and whose box is turned by ``own``."""

    def turned(px: float, py: float, degrees: float) -> tuple[float, float]:
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        return px * cos - py * sin, px * sin + py * cos

    middle_x, middle_y = turned(x + width / 2, y, turn)
    corners = [(-width / 2, -6), (width / 2, -6), (width / 2, 6), (-width / 2, 6)]
    a, b, c, d = ((middle_x + dx, middle_y + dy) for dx, dy in (turned(*corner, own) for corner in corners))
    return OcrLine(text, (a, b, c, d), 0.99)


def test_long_lines_tell_their_own_direction() -> None:
    lines = [boxed("a line of running text", 50, 100 + 16 * row, 400, 1.5, 1.5) for row in range(8)]
    assert page_angle(lines) == pytest.approx(1.5)


def test_a_page_upside_down_or_without_text_has_its_direction() -> None:
    assert abs(page_angle([boxed("a line of text", 50, 16 * row, 300, 180, 180) for row in range(5)])) == pytest.approx(
        180
    )
    assert page_angle([]) == 0.0
