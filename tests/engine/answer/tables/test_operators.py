"""The operators by name: each is an operation of the algebra and has a schema and a line in both languages."""

import json

import pytest

from engine.answer.tables.query import COMPARISONS, OPERATIONS, OPERATORS


def test_every_operation_of_the_algebra_is_an_operator():
    assert [operator.operation for operator in OPERATORS.values()] == list(OPERATIONS)


@pytest.mark.parametrize("operator", OPERATORS.values(), ids=list(OPERATORS))
def test_an_operator_says_what_it_takes_and_does(operator):
    schema = json.loads(json.dumps(dict(operator.parameters)))
    assert schema["type"] == "object" and "table" in schema["properties"]
    assert set(schema["required"]) <= set(schema["properties"])
    assert operator.description.endswith(".") and operator.description_zh.endswith("。")


def test_conditions_take_the_comparisons_of_the_algebra():
    where = OPERATORS["LOOKUP"].parameters["properties"]["where"]
    assert where["items"]["properties"]["is"]["enum"] == list(COMPARISONS)
