"""Hold a tool's arguments against its JSON schema, forgiving what small models get nearly right.

Only what the tools' schemas use is understood: type, enum, minimum, maximum, default, required, items, anyOf.
A number in quotation marks becomes a number, a single text a list of one; a parameter that does not exist is left
out, with a note.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from engine.errors import UsageError

LONGEST_TEXT = 2000
MOST_ITEMS = 40
_KINDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false",
          "array": "list", "object": "object"}  # fmt: skip


def checked(params: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments as the tool takes them, defaults filled in.

    Raises UsageError that says which argument is wrong and what it should be.
    """
    properties: Mapping[str, Any] = schema.get("properties", {})
    given = _renamed(params, properties)
    result: dict[str, Any] = {}
    for name, wanted in properties.items():
        value = given.get(name)
        if value is None:
            if name in schema.get("required", ()):
                raise UsageError(
                    f"{name!r} is missing ({_wanted(wanted)}). Arguments: {', '.join(properties)}."
                )
            if "default" in wanted:
                result[name] = wanted["default"]
            continue
        result[name] = _fitted(name, value, wanted)
    return result


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most like a wrong one, None when none is."""
    by_form = {_form(one): one for one in known}
    found = difflib.get_close_matches(_form(name), by_form, 1, 0.6)
    return by_form[found[0]] if found else None


def _form(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())


def _renamed(params: Mapping[str, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    """Give arguments with another spelling ("nodeId", "Query") their names."""
    by_form = {_form(name): name for name in properties}
    return {by_form.get(_form(str(name)), str(name)): value for name, value in params.items()}


def _fitted(name: str, value: Any, wanted: Mapping[str, Any]) -> Any:
    if "anyOf" in wanted:
        for one in wanted["anyOf"]:
            if _is(value, one["type"]):
                return _bounded(name, value, one)
        raise _wrong(name, value, wanted)
    kind = wanted.get("type", "string")
    if not _is(value, kind):
        value = _converted(name, value, wanted, kind)
    return _bounded(name, value, wanted)


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    types: dict[str, Any] = {
        "string": str, "integer": int, "number": int | float, "boolean": bool, "array": list, "object": dict,
    }  # fmt: skip
    return isinstance(value, types[kind])


def _converted(name: str, value: Any, wanted: Mapping[str, Any], kind: str) -> Any:
    if kind == "array":
        if isinstance(value, str) and value.strip().startswith("["):
            value = _parsed(name, value, wanted)
        return value if isinstance(value, list) else [value]
    if kind == "object" and isinstance(value, str):
        value = _parsed(name, value, wanted)
        if isinstance(value, dict):
            return value
    if kind == "string" and isinstance(value, int | float):
        return str(value)
    if kind == "boolean" and str(value).casefold() in ("true", "false"):
        return str(value).casefold() == "true"
    if kind in ("integer", "number"):
        try:
            number = float(str(value))
        except ValueError as error:
            raise _wrong(name, value, wanted) from error
        if kind == "number" or number.is_integer():
            return int(number) if number.is_integer() else number
    raise _wrong(name, value, wanted)


def _parsed(name: str, value: str, wanted: Mapping[str, Any]) -> Any:
    try:
        return json.loads(value)
    except ValueError as error:
        raise _wrong(name, value, wanted) from error


def _bounded(name: str, value: Any, wanted: Mapping[str, Any]) -> Any:
    if isinstance(value, str):
        value = value.strip()[:LONGEST_TEXT]
        if "enum" in wanted and value not in wanted["enum"]:
            folded = {str(one).casefold(): one for one in wanted["enum"]}
            if value.casefold() not in folded:
                raise _wrong(name, value, wanted)
            value = folded[value.casefold()]
    elif isinstance(value, list):
        items = wanted.get("items")
        value = [_fitted(name, item, items) if items else item for item in value[:MOST_ITEMS]]
    elif isinstance(value, int | float) and not isinstance(value, bool):
        value = min(max(value, wanted.get("minimum", value)), wanted.get("maximum", value))
    return value


def _wrong(name: str, value: Any, wanted: Mapping[str, Any]) -> UsageError:
    return UsageError(f"{name!r} is {str(value)[:80]!r}, but should be {_wanted(wanted)}.")


def _wanted(wanted: Mapping[str, Any]) -> str:
    if "enum" in wanted:
        return "one of " + ", ".join(map(str, wanted["enum"]))
    if "anyOf" in wanted:
        return " or ".join(_KINDS[one["type"]] for one in wanted["anyOf"])
    return f"a {_KINDS[wanted.get('type', 'string')]}"
