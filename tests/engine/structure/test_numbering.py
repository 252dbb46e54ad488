import pytest

from engine.structure.numbering import numbering_of, without_number


@pytest.mark.parametrize(
    ("title", "kind", "values"),
    [
        ("1 Introduction", "number", (1,)),
        ("3. Results", "number", (3,)),
        ("2.1 Methods", "decimal", (2, 1)),
        ("2.1.10. Methods", "decimal", (2, 1, 10)),
        ("A.2 Proofs", "decimal", (1, 2)),
        ("IV. Results", "roman", (4,)),
        ("B. Scope", "letter", (2,)),
        ("Chapter 7: Ferries", "word", (7,)),
        ("Item 1A. Risk Factors", "word", (0,)),
        ("PART II", "word", (2,)),
        ("第一章 总则", "chinese_unit", (1,)),
        ("第二十三节 附则", "chinese_unit", (23,)),
        ("第12条 公司", "chinese_unit", (12,)),
        ("一、公司信息", "chinese", (1,)),
        ("十二、其他", "chinese", (12,)),
        ("（三）主要指标", "chinese_paren", (3,)),
        ("(2) 说明", "paren", (2,)),
    ],
)
def test_numbers_of_headings_are_understood(title, kind, values):
    number = numbering_of(title)
    assert number is not None and (number.kind, number.values) == (kind, values)


@pytest.mark.parametrize(
    "title", ["Introduction", "2023 was a good year", "3.5% of sales", "A bridge", "总则", "I think so"]
)
def test_other_beginnings_are_no_numbers(title):
    assert numbering_of(title) is None


def test_a_title_can_be_had_without_its_number():
    assert without_number("2.1. Methods") == "Methods"
    assert without_number("第一章 总则") == "总则"
    assert without_number("Methods") == "Methods"


def test_plain_and_decimal_numbers_are_one_family_and_state_their_depth():
    first, second = numbering_of("2 Methods"), numbering_of("2.1 Data")
    assert first and second and first.family == second.family
    assert (first.depth, second.depth) == (1, 2)


@pytest.mark.parametrize(
    ("line", "divides", "order", "value"),
    [
        ("第二编 物权", True, -9, 2), ("第十二章 附则", True, -8, 12), ("第三回 贾雨村", True, -8, 3),
        ("第五节 其他", True, -7, 5), ("第一百零三条 公司", False, -6, 103), ("PART TWO: Ferries", True, -8, 2),
        ("Appendix B Tables", True, -7, 2), ("附录 B 表格", True, -7, 2), ("§ 12 Duties", True, -6, 12),
        ("Item 7. Properties", False, -7, 7),
    ],
)  # fmt: skip
def test_a_number_says_what_it_counts(line, divides, order, value):
    number = numbering_of(line)
    assert number is not None and (number.divides, number.order[0], number.value) == (divides, order, value)


def test_the_rest_of_a_line_follows_its_number():
    number = numbering_of("（三）主要指标")
    assert number is not None and (number.label, number.rest) == ("（三）", "主要指标")
