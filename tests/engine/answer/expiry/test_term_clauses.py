"""Sentences that give a term with its start, and those that only look like it."""

from datetime import date

import pytest

from engine.answer.expiry.clauses import clause_of, days_in, terms_in


@pytest.mark.parametrize(
    ("sentence", "kind", "length", "start"),
    [
        ("This Agreement starts on 17 February 2025 and continues for 18 months.", "agreement", (18, "months"),
         date(2025, 2, 17)),
        ("From 1 July 2024, the lease runs for five years.", "lease", (60, "months"), date(2024, 7, 1)),
        ("The term of this Agreement is three (3) years from and including 1 January 2024.", "agreement",
         (36, "months"), date(2024, 1, 1)),
        ("The warranty lasts twenty-four months, starting on 3 May 2024.", "warranty", (24, "months"),
         date(2024, 5, 3)),
        ("The Landlord grants the Tenant a 75-day rent-free period starting on 1 July 2024.", "rent-free",
         (75, "days"), date(2024, 7, 1)),
        ("The Landlord leases the Premises to the Tenant for a term of five years commencing on 1 July 2024.",
         "agreement", (60, "months"), date(2024, 7, 1)),
        ("Probation: 3 months from 1 March 2025", "probation", (3, "months"), date(2025, 3, 1)),
        ("The pilot runs for six weeks from 3 March 2025.", "", (42, "days"), date(2025, 3, 3)),
        ("The lease commenced on 1 September 2020 for a term of 7 years.", "lease", (84, "months"),
         date(2020, 9, 1)),
        ("Lease: five (5) years from the Commencement Date (1 April 2022).", "lease", (60, "months"),
         date(2022, 4, 1)),
        ("租赁期为3年，起租日为2024年3月15日。", "lease", (36, "months"), date(2024, 3, 15)),
        ("2.1 租赁期限为五年，自2024年7月1日起计算。", "lease", (60, "months"), date(2024, 7, 1)),
        ("租期三年（36个月），自2024年7月1日起。", "lease", (36, "months"), date(2024, 7, 1)),
        ("本合同自2024年7月1日起生效，有效期三年。", "agreement", (36, "months"), date(2024, 7, 1)),
        ("甲方将房屋出租给乙方，租赁期限自2024年7月1日起共五年。", "lease", (60, "months"), date(2024, 7, 1)),
        ("试用期自2024年3月1日起，为期三个月。", "probation", (3, "months"), date(2024, 3, 1)),
        ("租期為三年，自二〇二四年七月一日起計算。", "lease", (36, "months"), date(2024, 7, 1)),
    ],
)  # fmt: skip
def test_a_clause_tells_whose_term_how_long_and_from_when(sentence, kind, length, start):
    clause = clause_of(sentence)
    assert clause is not None
    assert (clause.thing.kind, clause.term.length, clause.start) == (kind, length, start)


@pytest.mark.parametrize(
    ("sentence", "kind", "name"),
    [
        ("The trial period is 90 days from the Commencement Date.", "probation", "Commencement Date"),
        ("2.1 This Agreement takes effect on the Commencement Date and, unless terminated earlier under clause 12, "
         "continues for eighteen (18) months from that date, when it expires automatically.", "agreement",
         "Commencement Date"),
        ("2.2 甲方给予乙方75天免租期，自起租日起连续计算。", "rent-free", "起租日"),
        ("2.2 货物质量保证期为验收合格之日起18个月。", "warranty", "验收合格之日"),
    ],
)  # fmt: skip
def test_a_start_may_have_a_name(sentence, kind, name):
    clause = clause_of(sentence)
    assert clause is not None
    assert (clause.thing.kind, clause.start, clause.start_name) == (kind, None, name)


@pytest.mark.parametrize(
    "sentence",
    [
        "Either party may terminate this Agreement by giving 60 days' notice from 1 March 2025.",
        "The deposit is returned within 15 days from 1 July 2024.",
        "Rent is fixed for the first twelve months from 1 March 2025.",
        "The lease is for a term of 12 months from 1 March 2025 and renews automatically.",
        "During the Term and for nine (9) months afterwards, neither party shall solicit any employee.",
        "This Agreement starts on 17 February 2025 and the Consultant shall keep records for 6 years.",
        "Fees are due in ten (10) Business Days from 1 March 2025.",
        "The lease runs for 3 years from 1 July 2024, the warranty for 2 years.",
        "租赁期限自2024年7月1日起至2029年6月30日止，共五年。",
        "租期满24个月后，乙方可提前90日书面通知甲方解除本合同。",
        "租赁期限为五年，自2024年7月1日起，期满自动续期一年。",
        "截至2024年末，公司员工总数4,286人。",
    ],
)
def test_what_limits_renews_or_ends_in_print_is_no_clause(sentence):
    assert clause_of(sentence) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "This Agreement starts on 1 March 2025 and the warranty lasts 12 months.",
        "租赁期限五年，租金自2024年9月14日起支付。", "本合同自2024年7月1日起生效，试用期三个月。",
        "The lease shall be for 5 years commencing on 01/07/2024.",
    ],
)  # fmt: skip
def test_the_start_of_another_thing_or_one_with_two_readings_is_none(sentence):
    clause = clause_of(sentence)
    assert clause is not None and clause.start is None and not clause.start_name


def test_a_thing_under_a_contract_is_not_the_contract():
    clause = clause_of(
        "The confidentiality obligations under this Agreement last for 5 years from 1 March 2025."
    )
    assert clause is not None and clause.thing.kind != "agreement"


def test_a_number_may_be_written_twice():
    (_, _, term), *more = terms_in("continues for eighteen (18) months")
    assert term.length == (18, "months") and not more


def test_a_day_that_no_calendar_has_is_none():
    assert days_in("30 February 2024") == [] and days_in("2024年2月29日")[0][2] == date(2024, 2, 29)
