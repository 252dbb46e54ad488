"""The index of cell values: which a text names, in which columns they stand."""

import pytest
from read_tables import ORDERS, STAFF, relation_of

from engine.answer.tables.lexis import forms
from engine.answer.tables.query import LABEL
from engine.answer.tables.relation import Relation
from engine.answer.tables.values import ValueIndex
from engine.model import Node


@pytest.fixture(scope="module")
def staff(tmp_path_factory):
    return ValueIndex(relation_of(tmp_path_factory.mktemp("staff"), STAFF))


@pytest.fixture(scope="module")
def orders(tmp_path_factory):
    return ValueIndex(relation_of(tmp_path_factory.mktemp("orders"), ORDERS))


def index(rows):
    text = "\n".join(" | ".join(row) for row in rows)
    return ValueIndex(Relation([Node("n1", None, "table", text=text, metadata={"rows": rows})]))


def test_a_value_is_named_in_full_with_its_column(staff):
    assert staff.named_by(forms("ana costa")) == {1: ["Ana Costa"]}
    assert staff.named_by(forms("costa")) == {}


def test_values_are_counted_by_their_rows(staff):
    assert staff.texts[2] == {"Sales": 2, "Research": 2}


def test_names_of_rows_are_one_column_more(orders):
    assert orders.named_by(forms("A-002")) == {LABEL: ["A-002"]}


def test_measures_are_not_indexed_but_numbers_that_name_things_are(staff, orders):
    assert set(staff.texts) == {0, 1, 2, 3, 4, 5, 6}  # 4 has short whole numbers without a unit
    assert 4 not in orders.texts  # amounts in EUR
    assert staff.named_by(("0007",)) == {0: ["0007"]}
    assert staff.named_by(("7",)) == {}


def test_long_whole_numbers_of_one_length_name_things():
    found = index([["Account", "Kind", "Balance"], ["10023", "a", "5"], ["10024", "b", "1,700"], ["10025", "a", "1"]])
    assert found.named_by(("10024",)) == {0: ["10024"]}


def test_a_part_of_a_name_is_found_in_the_values_that_hold_it(staff):
    assert staff.holding(forms("Costa")) == {1: ["Ana Costa"]}
    assert staff.holding(forms("Costa Ana")) == {}
    assert staff.holding(()) == {}


@pytest.mark.parametrize("name", ["一、营业收入", "(2) 营业收入", "①营业收入", "3. 营业收入"])
def test_numbered_rows_are_found_without_their_numbers(name):
    found = index([["项目", "2023年", "2022年"], [name, "5", "4"], ["净利润", "7", "6"]])
    assert found.holding(forms("营业收入")) == {LABEL: [name]}


def test_what_most_values_hold_names_none_of_them():
    rows = [["Plot", "Size"], *([f"Plot {number}", f"{number} m"] for number in range(100))]
    assert index(rows).holding(("plot",)) == {}
