import pytest

from engine.answer.agent.arguments import checked
from engine.answer.tables.query import OPERATORS
from engine.errors import UsageError

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "top_k": {"type": "integer", "minimum": 1, "maximum": 20, "default": 5},
        "mode": {"type": "string", "enum": ["exact", "fuzzy"], "default": "exact"},
        "words": {"type": "array", "items": {"type": "string"}},
        "row": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string"}]},
    },
    "required": ["query"],
}


def test_defaults_are_filled_in_and_near_misses_mended():
    given = {"Query": "pears", "topK": "7", "mode": "FUZZY", "words": "one", "unknown": 1, "row": "North"}
    expected = {"query": "pears", "top_k": 7, "mode": "fuzzy", "words": ["one"], "row": "North"}
    assert checked(given, SCHEMA) == expected
    assert checked({"query": "pears", "top_k": 500}, SCHEMA)["top_k"] == 20


@pytest.mark.parametrize(
    ("given", "said"),
    [({}, "'query' is missing"), ({"query": "a", "top_k": "many"}, "'top_k' is 'many'"),
     ({"query": "a", "mode": "odd"}, "one of exact, fuzzy"), ({"query": {"a": 1}}, "should be a text"),
     ({"query": "a", "row": []}, "whole number or text")],
)  # fmt: skip
def test_what_is_wrong_with_an_argument_is_said(given, said):
    with pytest.raises(UsageError, match=said):
        checked(given, SCHEMA)


def test_a_parameter_and_its_value_are_known_by_their_beginnings():
    lookup = OPERATORS["LOOKUP"].parameters
    assert checked({"row": "A", "col": "Prod."}, lookup) == {"rows": "A", "columns": "Prod."}
    two = checked({"a": {"row": "A", "col": "2023"}, "b": {"row": "A", "col": "2022"}}, OPERATORS["DIFF"].parameters)
    assert two["a"] == {"row": "A", "column": "2023"}
    for order in ("desc", "Descending"):
        assert checked({"order": order}, OPERATORS["RANK"].parameters)["order"] == "descending"
    with pytest.raises(UsageError, match="descending, ascending"):
        checked({"order": "up"}, OPERATORS["RANK"].parameters)
    where = [{"column": "2023", "is": ">=", "value": 3}]
    assert checked({"where": where}, lookup) == {"where": where}
