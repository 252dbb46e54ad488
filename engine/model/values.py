"""What all value types share: frozen, and converted to and from plain JSON values."""

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache, partial
from types import UnionType
from typing import Any, Self, get_args, get_origin, get_type_hints


class Value:
    """Conversion to and from plain JSON values, shared by all value types."""

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dict with the field names as keys."""
        return {f.name: _plain(getattr(self, f.name)) for f in dataclasses.fields(self)}  # type: ignore[arg-type]

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Build the value, and those that it holds, from :meth:`to_dict`'s output; unknown keys are ignored."""
        readers = _readers(cls)  # type: ignore[arg-type]
        known = {key: value for key, value in data.items() if key in readers}
        for name, value in known.items():
            if value is not None and (read := readers[name]):
                known[name] = read(value)
        return cls(**known)


def _plain(value: Any) -> Any:
    if isinstance(value, Value):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


Reader = Callable[[Any], Any]


@cache
def _readers(cls: type[Value]) -> dict[str, Reader | None]:
    """Return for each field what turns a plain value into the field's, None where it is that already."""
    return {name: _reader(hint) for name, hint in get_type_hints(cls).items()}


def _reader(hint: Any) -> Reader | None:
    kind, inside = get_origin(hint), [_reader(one) for one in get_args(hint)]
    if kind is tuple:
        return tuple
    if kind is UnionType:
        return next(filter(None, inside), None)
    if kind is list and inside[0] is not None:
        return partial(_listed, inside[0])
    return hint.from_dict if isinstance(hint, type) and issubclass(hint, Value) else None


def _listed(read: Reader, values: list[Any]) -> list[Any]:
    return [read(value) for value in values]
