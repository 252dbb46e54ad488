"""Hold a tool's arguments against its JSON schema, forgiving what small models get nearly right.

Only what the tools' schemas use is understood: type, enum, minimum, maximum, default, required, items, anyOf.
A number in quotation marks becomes a number, a single text a list of one; a parameter and a choice are also known by
the beginning of their names ("col" for columns); a parameter that does not exist is left out.
"""

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from engine.answer.phrases import ENGLISH, Phrases
from engine.errors import UsageError

LONGEST_TEXT = 2000
MOST_ITEMS = 40
_SHORTEST_BEGINNING = 3
_TEXT = ConfigDict(coerce_numbers_to_str=True)
# What converts a value to a kind.
_KINDS: dict[str, TypeAdapter[Any]] = {
    "string": TypeAdapter(str, config=_TEXT), "integer": TypeAdapter(int), "number": TypeAdapter(int | float),
    "boolean": TypeAdapter(bool), "array": TypeAdapter(list), "object": TypeAdapter(dict),
}  # fmt: skip


def checked(params: Mapping[str, Any], schema: Mapping[str, Any], phrases: Phrases = ENGLISH.tools) -> dict[str, Any]:
    """Return the arguments as the tool takes them, defaults filled in.

    Raises UsageError that says which argument is wrong and what it should be.
    """
    properties: Mapping[str, Any] = schema.get("properties", {})
    given = _renamed(params, properties)
    result: dict[str, Any] = {}
    for name, wanted in properties.items():
        value, kind = given.get(name), _wanted(wanted, phrases)
        if value is not None:
            try:
                result[name] = _fitted(value, wanted)
            except ValueError as error:
                told = phrases.wrong.format(name=name, value=str(value)[:80], wanted=kind)
                raise UsageError(told) from error
        elif name in schema.get("required", ()):
            raise UsageError(phrases.missing.format(name=name, wanted=kind, names=", ".join(properties)))
        elif "default" in wanted:
            result[name] = wanted["default"]
    return result


def _form(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())


def _renamed(params: Mapping[str, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    """Give arguments with another spelling ("nodeId", "Query") or a shorter name ("col") their names."""
    given: dict[str, Any] = {}
    for written, value in params.items():
        given.setdefault(_meant(str(written), properties) or str(written), value)
    return given


def _meant(written: str, names: Collection[str]) -> str | None:
    """Return the name that another spelling, or its beginning, stands for; None where that is not one."""
    form = _form(written)
    same = [name for name in names if name == written or (form and _form(name) == form)]
    begun = [name for name in names if len(form) >= _SHORTEST_BEGINNING and _form(name).startswith(form)]
    return same[0] if same else begun[0] if len(begun) == 1 else None


def _fitted(value: Any, wanted: Mapping[str, Any]) -> Any:
    """Return a value in the form that is wanted. Raises ValueError where it has none such."""
    for one in wanted.get("anyOf", ()):  # what may be of several kinds is not converted
        with suppress(ValidationError):
            return _bounded(_KINDS[one.get("type", "string")].validate_python(value, strict=True), one)
    if "anyOf" in wanted:
        raise ValueError
    kind = wanted.get("type", "string")
    if kind in ("array", "object") and isinstance(value, str):
        with suppress(ValueError, RecursionError):
            value = json.loads(value)
    if kind == "array" and not isinstance(value, list):
        value = [value]
    return _bounded(_KINDS[kind].validate_python(value), wanted)


def _bounded(value: Any, wanted: Mapping[str, Any]) -> Any:
    if isinstance(value, str):
        value = value.strip()[:LONGEST_TEXT]
        if "enum" in wanted and (value := _meant(value, wanted["enum"])) is None:
            raise ValueError
    elif isinstance(value, list):
        items = wanted.get("items")
        value = [_fitted(item, items) if items else item for item in value[:MOST_ITEMS]]
    elif isinstance(value, Mapping) and "properties" in wanted:
        value = _renamed(value, wanted["properties"])
    elif isinstance(value, int | float):
        value = min(max(value, wanted.get("minimum", value)), wanted.get("maximum", value))
    return value


def _wanted(wanted: Mapping[str, Any], phrases: Phrases) -> str:
    if "enum" in wanted:
        return phrases.one_of.format(choices=", ".join(map(str, wanted["enum"])))
    if "anyOf" in wanted:
        return phrases.either.join(phrases.kinds[one["type"]] for one in wanted["anyOf"])
    return phrases.a_kind.format(kind=phrases.kinds[wanted.get("type", "string")])
