import pytest

from engine.answer.numbers import scaled_form, written_numbers


def test_written_numbers_come_in_order_in_normal_form():
    assert written_numbers("In 2023, 1,234.50 of 007") == [
        ("2023", "2023"),
        ("1,234.50", "1234.5"),
        ("007", "7"),
    ]


def test_a_unit_behind_a_number_is_multiplied_in():
    assert scaled_form("约3.2万人", "3.2") == "32000"
    assert scaled_form("3.2 cm", "3.2") is None


@pytest.mark.parametrize(
    ("claim", "form"),
    [
        ("3 years", "36 months"),
        ("24 months", "24 months"),
        ("14 days", "14 days"),
        ("2周", "14 days"),
        ("3年", "36 months"),
    ],
)
def test_a_time_may_be_said_in_another_unit(claim, form):
    assert scaled_form(claim, written_numbers(claim)[0][0]) == form


def test_the_power_of_a_unit_is_no_number():
    assert [normal for _, normal in written_numbers("1,350 万m³ of 12 m² and 5㎡")] == ["1350", "12", "5"]
