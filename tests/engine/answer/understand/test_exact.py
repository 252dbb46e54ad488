import pytest

from engine.answer.understand.exact import (
    codes_in,
    days_missing,
    is_of_another,
    names_in,
    numbered_in,
    numbers_in,
    says_year,
    stands_in,
    years_in,
)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1,234.50 euros", {"1234.5"}),
        ("第十二条", {"12"}),
        ("二〇二四年", {"2024"}),
        ("两百三十元", {"230"}),
        ("AquaPure 2000", {"2000"}),
        ("007", {"7"}),
        ("no number", set()),
    ],
)
def test_numbers_are_told_as_plain_digits(text, numbers):
    assert numbers_in(text) == numbers


@pytest.mark.parametrize(
    ("question", "text", "stands"),
    [
        ("Who sits in room 7?", "Rooms 5, 6 and 7 are free.", True),
        ("AGG01有什么功效？", "AGG01是一种蛋白质。", True),
        ("Who sits in room 7?", "Rooms 6, 17 and 26 are free.", False),
        ("Who sits in room 7?", "Room 6 is open 7 days a week from the first of the coming month on.", False),
        ("What does note 6 say?", "Note 16 tells of leases.", False),
        ("What is the flow of the Hydra 200?", "The Hydra 2000 gives 25 litres.", False),
        ("What is the flow of the Hydra 200?", "The Hydra 200 gives 4 litres.", True),
        ("What does E-1037 mean?", "E-10377 is a fuse.", False),
        ("What does E-1037 mean?", "e-1037: the battery is worn", True),
        ("第七条规定了什么？", "第十七条 员工休假", False),
        ("第7条规定了什么？", "第七条 员工休假", True),
    ],
)
def test_a_thing_with_a_number_is_no_other_one(question, text, stands):
    (thing,) = numbered_in(question)
    assert stands_in(thing, text) is stands


def test_what_is_counted_is_no_thing_with_a_number():
    assert not numbered_in("Who signed before June 29, 2024?")
    assert not numbered_in("Do we pay 300 dollars?") and not numbered_in("What happened in 2019?")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who leads the Ministry of Health?", ("Ministry of Health",)),
        ("When was Procter and Gamble founded?", ("Procter and Gamble",)),
        ("Compare Plan A and Plan B", ("Plan A", "Plan B")),
        ("谁写了《平凡的世界》？", ("平凡的世界",)),
        ("首趟RCEP班列的起点？", ("RCEP",)),
        ("What is the rent?", ()),
        ("What did eBay pay on May 5, 2020?", ("eBay",)),
    ],
)
def test_names_are_words_in_capitals_latin_words_among_chinese_and_titles(question, names):
    assert names_in(question) == names


def test_years_and_codes_are_found_in_order():
    assert years_in("from 1999 to 2004, item 20045") == (1999, 2004)
    assert codes_in("QP-0827 and LX447, not 12") == ("QP-0827", "LX447")


@pytest.mark.parametrize(
    ("question", "sentence", "above"),
    [
        ("Does room 6 have a projector?", "Room 16 has no projector.", "Rooms"),
        ("What does E-1037 mean?", "E-1038 means that the battery is worn.", "Errors"),
        ("What does note 16 cover?", "Note 26 covers pensions.", "Notes"),
        ("第五条的期限是多久？", "第九条的期限为三年。", "合同"),
        ("How much does the AquaPure 2000 filter?", "AquaPure 20 filters two litres.", "Products"),
    ],
)
def test_a_sentence_on_another_thing_of_the_kind_is_not_on_the_one_asked_about(question, sentence, above):
    assert is_of_another(numbered_in(question, years=True), sentence, above)


@pytest.mark.parametrize(
    ("question", "sentence", "above"),
    [
        ("Does room 6 have a projector?", "Room 6 has a projector.", ""),
        ("Does room 6 have a projector?", "It has a projector.", ""),
        ("How does room 6 differ from room 16?", "Room 16 has no projector.", ""),
        ("德国的第一大邦是哪个？", "其面积仅次于巴伐利亚，是德国第二大邦。", ""),
        ("How long is the term of article 5?", "The term named in article 9 counts.", ""),
        ("How long is the term of article 5?", "Article 9 counts as well.", "Article 5"),
        ("How long lasts the LX-4470?", "Its battery BT-9 lasts ten hours.", ""),
        ("What was the revenue 2019?", "Revenue 2018: 5 million, 2019: 6 million.", ""),
    ],
)
def test_a_sentence_that_may_be_on_the_thing_is_not_taken_for_one_on_another(question, sentence, above):
    assert not is_of_another(numbered_in(question, years=True), sentence, above)


def test_a_number_before_the_verb_of_an_auxiliary_numbers_what_stands_before_it():
    assert [one.written for one in numbered_in("What does note 6 cover?")] == ["note 6"]
    assert numbered_in("Who has to pay 300 dollars?") == ()


def test_inch_marks_around_a_joining_word_do_no_harm():
    assert names_in('What do 5" and 6" pipes of Halden cost?')[-1] == "Halden"


@pytest.mark.parametrize("text", ["the year 2016", "二〇一六年", "车次表_20160310.xlsx", "report-201603.pdf"])
def test_a_year_is_named_by_itself_or_in_a_date_of_one_number(text):
    assert says_year(2016, text)


@pytest.mark.parametrize("text", ["20170310", "no. 2016789", "12016", "nothing"])
def test_a_year_is_not_named_by_digits_of_another_number(text):
    assert not says_year(2016, text)


def test_a_day_that_is_asked_for_is_missing_where_only_others_are_told():
    told = ["On 4 March 2024 the price was 2.", "2023年12月31日的净值为1.20元。"]
    assert days_missing("What was the price on March 5, 2024?", told) == ["March 5, 2024"]
    assert days_missing("2024年3月4日的价格是多少？", told) == []
    assert days_missing("What was the price in March 2024?", told) == []
    assert days_missing("What was the price on March 5, 2024?", ["It fell at the beginning of March."]) == []
