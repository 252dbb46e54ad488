"""When a term ends whose documents tell a start and a length, and where nothing is computed."""

from dataclasses import replace
from datetime import date

import pytest

from engine.answer.agent.tools import Desk
from engine.answer.answerer import answer
from engine.answer.expiry.clauses import Term
from engine.answer.expiry.term_end import end_of_term, last_day
from engine.config import LlmSettings, Settings
from engine.ingest import Source
from engine.providers.llm import open_llm
from tests.engine.answer.evidence_maker import check_sources, evidence, finder
from tests.openai_server import Script

STARTS = "This Agreement starts on 17 February 2025 and continues for 18 months."
ON_THE_DATE = "This Agreement takes effect on the Commencement Date and runs for eighteen (18) months."
MEANS = '"Commencement Date" means 17 February 2025.'
REPLACED = 'In clause 2.1 of the Agreement, "eighteen (18) months" is replaced by "twenty-seven (27) months".'
LEASE = "2.1 租赁期限为五年，自2024年7月1日起计算。"
RENT_FREE = "2.2 甲方给予乙方75天免租期，自起租日起连续计算。"


def of_document(*texts, document="Consultancy_Calder.docx", key="d1", first=1):
    """Return nodes of one document."""
    items = [evidence(n, text, document=document, path=()) for n, text in enumerate(texts, first)]
    return [replace(item, hit=replace(item.hit, document_id=key)) for item in items]


def end(question, items):
    """Return the values of what is computed, None without."""
    made, _ = end_of_term(question, items)
    return made.answer.values[0] if made else None


# --- the calendar ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "count", "unit", "end"),
    [
        (date(2025, 2, 17), 18, "months", date(2026, 8, 16)),
        (date(2024, 7, 1), 60, "months", date(2029, 6, 30)),
        (date(2024, 2, 29), 12, "months", date(2025, 2, 28)),
        (date(2024, 2, 29), 48, "months", date(2028, 2, 28)),
        (date(2025, 1, 31), 1, "months", date(2025, 2, 28)),
        (date(2024, 12, 1), 1, "months", date(2024, 12, 31)),
        (date(2024, 7, 1), 75, "days", date(2024, 9, 13)),
        (date(2024, 7, 1), 1, "days", date(2024, 7, 1)),
    ],
)
def test_a_term_ends_on_the_day_before_the_same_day_and_counts_its_first(start, count, unit, end):
    assert last_day(start, Term(count, unit, "")) == end


# --- computed -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "texts", "day"),
    [
        ("When does the agreement end?", [STARTS], "16 August 2026"),
        ("When does the agreement end?", [ON_THE_DATE, MEANS], "16 August 2026"),
        ("When does the consultancy agreement with Calder expire?", [STARTS], "16 August 2026"),
        ("When is the last day of the trial period?",
         ["The trial period is 90 days from the Commencement Date.", MEANS], "17 May 2025"),
        ("租约什么时候到期？", [LEASE], "2029年6月30日"),
        ("免租期到哪一天结束？", [LEASE, RENT_FREE], "2024年9月13日"),
        ("质保期到什么时候？", ["质保期为验收合格之日起24个月。", "设备于2024年5月6日（验收合格之日）移交。"],
         "2026年5月5日"),
        ("保修期什么时候到期？", ["本产品保修期为两年，自购买之日起计算。", "购买日期：2024年3月5日"], "2026年3月4日"),
        ("When does my warranty run out?",
         ["The warranty period is 24 months from the Purchase Date.", "Purchase Date | 5 March 2024"], "4 March 2026"),
        ("When does the pilot end?", ["The pilot runs for six weeks from 3 March 2025."], "13 April 2025"),
        ("When does the lease expire?", [LEASE], "30 June 2029"),
    ],
)  # fmt: skip
def test_a_start_and_a_term_give_the_last_day(question, texts, day):
    assert end(question, of_document(*texts)) == day


def test_a_replaced_term_counts_as_it_is_now_and_both_are_cited():
    items = of_document(f"2.1 {ON_THE_DATE}", MEANS)
    items += of_document(REPLACED, document="Amendment_Consultancy.docx", key="d2", first=3)
    made, _ = end_of_term("When does the agreement end?", items)
    assert made is not None and made.answer.values == ["16 May 2027"]
    assert "17 February 2025 + 27 months → 16 May 2027" in made.text and "was 18 months" in made.text
    assert [source.snippet for source in made.citations] == [MEANS, f"2.1 {ON_THE_DATE}", REPLACED]


def test_a_term_that_was_changed_in_chinese_counts_as_it_is_now():
    items = of_document(LEASE, "租赁期限由五年变更为八年。", document="租赁合同.docx")
    assert end("租约什么时候到期？", items) == "2032年6月30日"


def test_the_first_term_ends_though_it_renews_itself():
    items = of_document(STARTS, "After that it is extended automatically by twelve months at a time.")
    assert end("When does the initial term of the agreement end?", items) == "16 August 2026"
    assert end("When does the agreement end?", items) is None


def test_a_start_and_a_change_that_were_not_found_are_looked_for(library):
    texts = [f"2.1 {ON_THE_DATE}", "1.1 The Services are described in Schedule 1.", MEANS]
    sources = [Source("Consultancy_Calder.md", "\n\n".join(texts).encode())]
    library.add([*sources, Source("Amendment_Consultancy.md", REPLACED.encode())])
    desk = Desk(library.finder.search, library.storage, library.settings)
    document = library.document("Consultancy_Calder.md")
    found = of_document(texts[0], key=document.document_id)
    made, with_more = end_of_term("When does the agreement end?", found, desk)
    assert made is not None and made.answer.values == ["16 May 2027"]
    assert [item.text for item in with_more] == [texts[0], MEANS, REPLACED]


# --- not computed ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        # two terms, two starts, no start
        ("When does the agreement end?", [STARTS, "The term of this Agreement is 24 months."]),
        ("When does the agreement end?", [STARTS, STARTS.replace("17", "24")]),
        ("When does the agreement end?", [ON_THE_DATE]),
        ("When does the agreement end?", [ON_THE_DATE, MEANS, MEANS.replace("17", "24")]),
        ("免租期到哪一天结束？", [RENT_FREE]),
        # an end in print
        ("When does the agreement end?", [STARTS, "This Agreement expires on 31 August 2026."]),
        ("租约什么时候到期？", [LEASE, "租赁期限延长至2030年12月31日。"]),
        # a change that is not plain
        ("When does the agreement end?", [STARTS, "The term of this Agreement is extended to 24 months or 30 months."]),
        ("租约什么时候到期？", [LEASE, "租赁期限由三年变更为八年。"]),
        # another question, or another thing
        ("How long does the agreement last?", [STARTS]),
        ("When does the warranty end?", [STARTS]),
        ("When does the agreement end?", ["The warranty under this Agreement is 12 months from 1 March 2025."]),
        ("When does the agreement end?", ["This Agreement may be ended on 60 days' notice from 1 March 2025."]),
        ("When does the lease of the office end?",
         ["The lease of the warehouse runs for five years from 1 March 2024.", "The rent of the office is 900 euros."]),
        ("When does the agreement with Solvane end?", [STARTS]),
    ],
)  # fmt: skip
def test_what_is_not_plain_is_not_computed(question, texts):
    assert end(question, of_document(*texts)) is None


def test_a_change_in_a_document_of_another_name_computes_nothing():
    items = of_document(f"2.1 {ON_THE_DATE}", MEANS)
    items += of_document(REPLACED, document="Amendment_Orvane.docx", key="d2", first=3)
    assert end("When does the agreement end?", items) is None


def test_two_contracts_that_end_on_different_days_compute_nothing_unless_one_is_named():
    items = of_document(STARTS)
    items += of_document(STARTS.replace("18", "24"), document="Cleaning_Orvane.docx", key="d2", first=2)
    assert end("When does the agreement end?", items) is None
    assert end("When does the agreement with Orvane end?", items) == "16 February 2027"


# --- as an answer ---------------------------------------------------------------------------------


def ask(question, items):
    made = answer(question, retrieve=finder(items), llm=None, embedder=None, settings=Settings())
    check_sources(made, items)
    return made


def test_the_answer_says_how_it_was_computed_and_quotes_what_it_rests_on():
    made = ask("When does the agreement end?", of_document(ON_THE_DATE, MEANS))
    assert made.answer.startswith(
        "The last day is 16 August 2026: 17 February 2025 + 18 months → 16 August 2026 ("
    )
    assert "the day before the same day" in made.answer and f"- {MEANS} [1]" in made.answer
    assert made.confidence == "high" and made.engine == "extractive"
    step = next(step for step in made.reasoning_trace if step.tool == "term_end")
    assert (
        step.params == {"start": "2025-02-17", "term": "18 months"}
        and step.result_summary == "16 August 2026"
    )


def test_a_chinese_question_is_answered_in_chinese_and_a_guessed_start_is_less_sure():
    made = ask("免租期到哪一天结束？", of_document(LEASE, RENT_FREE, document="租赁合同.docx"))
    assert "2024年7月1日 + 75天 → 2024年9月13日（起始日计入期限）" in made.answer
    assert made.confidence == "medium" and len(made.sources) == 2


def test_a_model_is_told_the_day_and_what_it_says_is_cited(server):
    items = of_document(ON_THE_DATE, MEANS)
    llm = open_llm(LlmSettings(api_base=server.base_url, api_key=server.key, retries=0, timeout=5))
    server.enqueue(Script("The agreement ends on 16 August 2026."))
    retrieve = finder(items)
    made = answer(
        "When does the agreement end?", retrieve=retrieve, llm=llm, embedder=None, settings=Settings()
    )
    assert "17 February 2025 + 18 months → 16 August 2026" in str(server.chats[-1])
    assert {source.snippet for source in made.sources} == {MEANS, ON_THE_DATE} and made.engine == "llm"


def test_a_printed_end_is_quoted():
    made = ask("When does the lease end?", of_document("The lease of the yard ends on 28 February 2032."))
    assert "28 February 2032. [1]" in made.answer and all(
        step.tool != "term_end" for step in made.reasoning_trace
    )
