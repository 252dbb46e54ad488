"""What all value types share: frozen, and converted to and from plain JSON values."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Self


class Value:
    """Conversion to and from plain JSON values, shared by all value types."""

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dict with the field names as keys."""
        return {f.name: _plain(getattr(self, f.name)) for f in dataclasses.fields(self)}  # type: ignore[arg-type]

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Build the value from :meth:`to_dict`'s output; unknown keys are ignored."""
        names = {f.name for f in dataclasses.fields(cls)}  # type: ignore[arg-type]
        known = {key: value for key, value in data.items() if key in names}
        if isinstance(known.get("bbox"), list):
            known["bbox"] = tuple(known["bbox"])
        return cls(**known)


def _plain(value: Any) -> Any:
    if isinstance(value, Value):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
