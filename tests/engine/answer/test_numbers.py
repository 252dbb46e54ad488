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


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("3 years", "a warranty of 36 months"),
        ("24 months", "It runs for two years."),
        ("14 days", "two weeks"),
        ("24个月", "租期为两年"),
        ("3年", "保修期为36个月"),
    ],
)
def test_a_time_may_be_said_in_another_unit(claim, source):
    assert scaled_form(claim, written_numbers(claim)[0][0]) in number_forms(source)


def test_another_time_is_another_number():
    assert not {scaled_form("3 years", "3"), "3"} & number_forms("a warranty of 24 months")
    assert not {scaled_form("3 years", "3"), "3"} & number_forms("36 kg in all")


def test_the_power_of_a_unit_is_no_number():
    assert [normal for _, normal in written_numbers("1,350 万m³ of 12 m² and 5㎡")] == ["1350", "12", "5"]
    assert "3" not in number_forms("1,350 m³")
