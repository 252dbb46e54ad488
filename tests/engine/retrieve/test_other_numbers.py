"""A text that tells of another year, article or congress than the question is told apart from the one asked for."""

import pytest

from engine.retrieve.other_numbers import asked_numbers, other_numbers


def against(question: str, *texts: str) -> list[str]:
    return other_numbers(asked_numbers(question), texts)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was the revenue in 2019?", "In 2018 revenue rose to 12 million."),
        ("2019年的营业收入是多少？", "2018 年营业收入为 12 亿元。"),
        ("第49届大会在哪里举行？", "第四十八届大会在广州举行。"),
        ("第三十二条规定了什么？", "第三十三条 公司应当公告。"),
        ("Where did the 49th Congress meet?", "The 48th Congress met in Geneva."),
        ("What does Article 12 say?", "Article 13. The buyer pays."),
        ("Who won World War II?", "World War I ended in 1918."),
    ],
)
def test_a_text_of_another_number_of_the_kind_speaks_against_itself(question: str, text: str) -> None:
    assert against(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was the revenue in 2019?", "In 2018 and 2019 revenue rose."),
        ("What was the revenue in 2019?", "Revenue rose to 12 million."),
        ("Where did the 49th Congress meet?", "The 48th Parliament met in Geneva."),
        ("第49届大会在哪里举行？", "大会举行了3次，第2次在广州。"),
        ("第49届大会在哪里举行？", "第四十九届大会在广州举行。"),
        ("How many employees has the firm?", "In 2018 it had 40 employees."),
        ("What does Figure 3 show?", "Fig. 3 shows the dam, Figure 2 the river."),
        ("What did Version 2 say of the rent?", "Version 1 was signed in May."),
    ],
)
def test_a_text_that_tells_of_it_or_of_no_number_of_the_kind_is_left_alone(question: str, text: str) -> None:
    assert against(question, text) == []


@pytest.mark.parametrize(
    "question",
    [
        "What has changed since 2015?",
        "2015年以来有什么变化？",
        "Which laws were passed after the year 2015?",
        "How did sales develop between 2015 and 2020?",
    ],
)
def test_a_range_asks_for_the_years_within_it(question: str) -> None:
    assert against(question, "In 2018 sales doubled.") == []


def test_the_first_of_a_row_is_said_in_two_ways() -> None:
    assert not against("第一届大会在哪里举行？", "首届大会在广州举行。")
    assert against("第三届大会在哪里举行？", "首届大会在广州举行。") == ["第3届"]


def test_what_stands_over_a_text_tells_its_number_too() -> None:
    assert (
        against("Revenue in 2019?", "Annual report 2019", "Revenue was 12 million, after 10 in 2018.") == []
    )


def test_a_number_that_stands_there_in_another_form_is_not_missing() -> None:
    assert against("Where did the 49th Congress meet?", "Congress no. 49 followed the 48th Congress.") == []


def test_amounts_prices_and_shares_are_no_years() -> None:
    assert asked_numbers("Why did it cost $2000 and lose 19.5% of 1,900 units?") == {}


def test_decades_are_no_years() -> None:
    assert asked_numbers("Which composer of the 1800's wrote it? 1990年代呢？") == {}


def test_what_is_contradicted_is_told_as_it_is_said() -> None:
    assert against("第四届董事会的董事长是谁？", "第三届董事会的董事长为王敏，持股 12.4 万。") == ["第4届"]
    assert against("Who was paid in 2019?", "He was paid in 2018.") == ["2019"]


@pytest.mark.parametrize(
    ("question", "text", "contradicted"),
    [
        ("HY-U30水表的防护等级是多少？", "HY-U20是户用水表，防护等级为IP68，可使用30天。", ["HY-U30"]),
        ("What is the range of the MX5?", "The MX4 reaches 5 m.", ["MX5"]),
        ("What is the range of the MX5?", "The MX4 and the MX5 reach 5 m.", []),
        ("Is it certified to ISO9001?", "The site was inspected in May.", []),
    ],
)
def test_the_code_of_another_model_is_another_thing(question, text, contradicted):
    assert other_numbers(asked_numbers(question), [text]) == contradicted
