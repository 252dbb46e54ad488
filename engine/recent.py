"""What was computed lately, kept by what it was computed from, so that the same is not computed twice."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, TypeVar

from engine.metrics import looked_up

Key = TypeVar("Key", bound=Hashable)
Kept = TypeVar("Kept")
# Paging, filters and feedback ask for the vectors of the last questions again.
QUERIES_REMEMBERED = 512


class Recent(Generic[Key, Kept]):
    """Values by key, the last ``size`` that were used; ``name`` is what the metrics call them. Thread-safe."""

    def __init__(self, name: str, size: int) -> None:
        self._name, self._size = name, size
        self._kept: OrderedDict[Key, Kept] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, keys: Sequence[Key], fresh: Callable[[Sequence[Key]], Iterable[Kept]]) -> list[Kept]:
        """Return the value of each key; ``fresh`` computes those that are new together. Raises what it raises."""
        wanted = list(dict.fromkeys(keys))
        with self._lock:
            found = {key: self._kept[key] for key in wanted if key in self._kept}
        new = [key for key in wanted if key not in found]
        looked_up(self._name, len(wanted), len(new))
        if new:
            found.update(zip(new, fresh(new), strict=True))
        with self._lock:
            for key in wanted:
                self._kept[key] = found[key]
                self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
        return [found[key] for key in keys]
