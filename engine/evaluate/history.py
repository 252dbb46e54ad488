"""What the runs of saved questions came to, one after the other, so that it is seen whether searches get better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from engine.evaluate.saved import SavedRun
from engine.kept_file import KeptFile
from engine.model import Value

FILE_NAME = "evaluation-runs.json"
MOST = 200


@dataclass(frozen=True, slots=True)
class PastRun(Value):
    """A run: when, over how many questions, its mean measures, and the settings that were tried with it, if any."""

    at: float
    questions: int
    metrics: dict[str, float]
    tried: dict[str, Any]


class RunHistory:
    """The runs of one library, each owner's own. All methods are thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._file = KeptFile(folder / FILE_NAME)

    def add(self, owner: str, run: SavedRun, at: float, tried: Mapping[str, Any]) -> None:
        """Keep what a run came to; of very many the oldest are forgotten. Raises StorageError."""
        made = PastRun(at, len(run.questions), run.metrics, dict(tried))
        with self._file.changing("runs") as runs:
            runs[owner] = [*runs.get(owner, []), made.to_dict()][-MOST:]

    def list(self, owner: str) -> Sequence[PastRun]:
        """Return an owner's runs, the oldest first. Raises StorageError."""
        return [PastRun.from_dict(one) for one in self._file.read("runs").get(owner, [])]


@lru_cache(maxsize=4)
def run_history(folder: Path) -> RunHistory:
    """Return the runs of a library folder, the same object each time."""
    return RunHistory(folder)
