"""Hold a tool's arguments against its JSON schema, forgiving what small models get nearly right.

Only what the tools' schemas use is understood: type, enum, minimum, maximum, default, required, items, anyOf.
A number in quotation marks becomes a number, a single text a list of one; a parameter is also known by the beginning of
its name or another word for it ("col" for column); one that does not exist is left out.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from engine.answer.phrases import ENGLISH, Phrases
from engine.errors import UsageError

LONGEST_TEXT = 2000
MOST_ITEMS = 40
_SHORTEST_BEGINNING = 3
_IN_CHINESE = {
    "降序": "descending", "从大到小": "descending", "升序": "ascending", "从小到大": "ascending",
    "精确": "exact", "正则": "regex", "模糊": "fuzzy", "高": "high", "中": "medium", "低": "low",
}  # fmt: skip
# Seed plans speak of nodes, columns and rows so; small models, of searches.
_OTHER_WORDS = {
    "node": ("table", "nodeid"), "nodeid": ("table", "nodeids"), "tableid": ("table",), "col": ("column", "columns"),
    "colname": ("column", "columns"), "columnname": ("column", "columns"),
    "rowname": ("row", "rows"), "keyword": ("keywords",),
    "query": ("keywords", "focus"), "keywords": ("query",), "queries": ("keywords", "query"),
    "document": ("documentid",), "section": ("nodeid",), "sectionid": ("nodeid",), "sortorder": ("order",),
    "text": ("answer",), "finalanswer": ("answer",), "op": ("is",), "operator": ("is",), "comparison": ("is",),
    "列": ("column", "columns"), "行": ("row", "rows"), "表": ("table",),
    "表格": ("table",), "关键词": ("keywords", "query"),
    "查询": ("query", "keywords"), "问题": ("query",), "答案": ("answer",), "回答": ("answer",),
}  # fmt: skip


_TEXT = ConfigDict(coerce_numbers_to_str=True)
# What converts a value to a kind.
_KINDS: dict[str, TypeAdapter[Any]] = {
    "string": TypeAdapter(str, config=_TEXT), "integer": TypeAdapter(int), "number": TypeAdapter(int | float),
    "boolean": TypeAdapter(bool), "array": TypeAdapter(list), "object": TypeAdapter(dict),
}  # fmt: skip


class _UnfitError(Exception):
    """An argument is not what is wanted."""

    def __init__(self, name: str, value: Any, wanted: Mapping[str, Any]) -> None:
        super().__init__(name)
        self.name, self.value, self.wanted = name, value, wanted


def checked(
    params: Mapping[str, Any], schema: Mapping[str, Any], phrases: Phrases = ENGLISH.tools
) -> dict[str, Any]:
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
                names = ", ".join(properties)
                raise UsageError(
                    phrases.missing.format(name=name, wanted=_wanted(wanted, phrases), names=names)
                )
            if "default" in wanted:
                result[name] = wanted["default"]
            continue
        try:
            result[name] = _fitted(name, value, wanted)
        except _UnfitError as unfit:
            said, kind = str(unfit.value)[:80], _wanted(unfit.wanted, phrases)
            raise UsageError(phrases.wrong.format(name=unfit.name, value=said, wanted=kind)) from unfit
    return result


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most like a wrong one, None when none is."""
    by_form = {_form(one): one for one in known}
    found = difflib.get_close_matches(_form(name), by_form, 1, 0.6)
    return by_form[found[0]] if found else None


def _form(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())


def _renamed(params: Mapping[str, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    """Give arguments with another spelling ("nodeId", "Query") or a shorter name ("col") their names."""
    by_form = {_form(name): name for name in properties}
    given: dict[str, Any] = {}
    for written, value in params.items():
        name = by_form.get(_form(str(written))) or _meant(_form(str(written)), by_form)
        given.setdefault(name or str(written), value)
    return given


def _meant(form: str, by_form: Mapping[str, str]) -> str | None:
    """Return the one parameter whose name begins so, or for which this is another word; None when there is none."""
    words = [by_form[other] for other in _OTHER_WORDS.get(form, ()) if other in by_form]
    begun = [name for other, name in by_form.items() if other.startswith(form)]
    fitting = begun if len(form) >= _SHORTEST_BEGINNING else []
    return words[0] if words else fitting[0] if len(fitting) == 1 else None


def _fitted(name: str, value: Any, wanted: Mapping[str, Any]) -> Any:
    for one in wanted.get("anyOf", [wanted]):
        if _is(value, one.get("type", "string")):
            return _bounded(name, value, one)
    if "anyOf" in wanted:  # what may be of several kinds is not converted
        raise _UnfitError(name, value, wanted)
    kind = wanted.get("type", "string")
    if kind in ("array", "object") and isinstance(value, str):
        with suppress(ValueError, RecursionError):
            value = json.loads(value)
    if kind == "array" and not isinstance(value, list):
        value = [value]
    if kind == "string" and isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        value = " ".join(value)
    try:
        return _bounded(name, _KINDS[kind].validate_python(value), wanted)
    except ValidationError as error:
        raise _UnfitError(name, value, wanted) from error


def _is(value: Any, kind: str) -> bool:
    try:
        _KINDS[kind].validate_python(value, strict=True)
    except ValidationError:
        return False
    return True


def _bounded(name: str, value: Any, wanted: Mapping[str, Any]) -> Any:
    if isinstance(value, str):
        value = value.strip()[:LONGEST_TEXT]
        if "enum" in wanted and value not in wanted["enum"]:
            value = _chosen(name, value, wanted)
    elif isinstance(value, list):
        items = wanted.get("items")
        value = [_fitted(name, item, items) if items else item for item in value[:MOST_ITEMS]]
    elif isinstance(value, Mapping) and "properties" in wanted:
        value = _renamed(value, wanted["properties"])
    elif isinstance(value, int | float) and not isinstance(value, bool):
        value = min(max(value, wanted.get("minimum", value)), wanted.get("maximum", value))
    return value


def _chosen(name: str, value: str, wanted: Mapping[str, Any]) -> Any:
    """Return the choice that a text means: in other letters, its beginning ("desc"), or in Chinese."""
    folded = _IN_CHINESE.get(value, value).casefold()
    fitting = [one for one in wanted["enum"] if str(one).casefold() == folded]
    if not fitting and len(folded) >= _SHORTEST_BEGINNING:
        fitting = [one for one in wanted["enum"] if str(one).casefold().startswith(folded)]
    if len(fitting) != 1:
        raise _UnfitError(name, value, wanted)
    return fitting[0]


def _wanted(wanted: Mapping[str, Any], phrases: Phrases) -> str:
    if "enum" in wanted:
        return phrases.one_of.format(choices=", ".join(map(str, wanted["enum"])))
    if "anyOf" in wanted:
        return phrases.either.join(phrases.kinds[one["type"]] for one in wanted["anyOf"])
    return phrases.a_kind.format(kind=phrases.kinds[wanted.get("type", "string")])
