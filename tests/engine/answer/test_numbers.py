import pytest

from engine.answer.numbers import number_forms, scaled_form, written_numbers


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("1,200 people", "1200"), ("3.50 m", "3.5"), ("05 March", "5"), ("３２人", "32"), ("3.2万人", "32000"),
        ("1.5 million", "1500000"), ("twelve men", "12"), ("三百二十人", "320"), ("二〇二三年", "2023"), ("十二", "12"),
        ("两万", "20000"), ("第三", "3"), ("7.5%", "7.5"),
    ],
)  # fmt: skip
def test_a_number_is_known_under_its_forms(text, form):
    assert form in number_forms(text)


def test_written_numbers_come_in_order_in_normal_form():
    assert written_numbers("In 2023, 1,234.50 of 007") == [
        ("2023", "2023"),
        ("1,234.50", "1234.5"),
        ("007", "7"),
    ]


def test_a_unit_behind_a_number_is_multiplied_in():
    assert scaled_form("约3.2万人", "3.2") == "32000"
    assert scaled_form("3.2 cm", "3.2") is None
