import pytest

from engine.answer.follow_up import in_context
from engine.answer.phrases import CHINESE as SAID_IN_CHINESE
from engine.answer.phrases import ENGLISH as SAID_IN_ENGLISH
from engine.ingest import Source
from engine.library import Library
from engine.model import Filters
from engine.settings_sources import load_settings

ENGLISH = [("user", "How much revenue did Acme report in 2022?"), ("assistant", "412 million [1].")]
CHINESE = [("user", "公司2022年的营业收入是多少？"), ("assistant", "4.12亿元[1]。")]


def after(*questions):
    """Return the last of several questions as the conversation makes it."""
    *before, last = questions
    return in_context(last, [turn for one in before for turn in (("user", one), ("assistant", "…"))])


@pytest.mark.parametrize("question", ["What about it?", "And last year?"])
def test_a_question_that_points_back_is_asked_together_with_the_one_before(question):
    asked = in_context(question, ENGLISH)
    assert asked.question == f"{ENGLISH[0][1]} {question}" and asked.exactly == question and not asked.whole


@pytest.mark.parametrize("question", ["那去年呢？", "那费用呢，贵吗？"])
def test_a_chinese_question_that_points_back_too(question):
    asked = in_context(question, CHINESE)
    assert asked.question.startswith("公司2022年的营业收入是多少？") and asked.exactly == question


@pytest.mark.parametrize(
    ("questions", "question"),
    [
        (["How long did the drill take?", "and why?"], "the drill take why?"),
        (["When is the next drill?", "Where?"], "the next drill Where?"),
        (["Who repairs the heating?", "How soon?"], "repairs the heating How soon?"),
        (["Who is responsible for repairs?", "And who pays?"], "responsible for repairs who pays?"),
        (["谁负责维修？", "那谁来付？"], "负责维修，谁来付？"),
        (["押金是多少？", "什么时候退？"], "押金，什么时候退？"),
        (["公司2022年的营业收入是多少？", "为什么？"], "公司2022年的营业收入，为什么？"),
    ],
)
def test_something_else_asked_of_the_same_leaves_out_what_was_asked_before(questions, question):
    asked = after(*questions)
    assert asked.question == question and asked.exactly == questions[-1] and not asked.whole


@pytest.mark.parametrize("question", ["And in 2023?", "2023?", "and 2023", "What about 2023?"])
def test_a_question_that_says_only_a_year_is_the_one_before_asked_of_that_year(question):
    assert in_context(question, ENGLISH).question == "How much revenue did Acme report in 2023?"


@pytest.mark.parametrize("question", ["那2023年呢？", "2023年呢", "2023年？"])
def test_a_chinese_one_too(question):
    assert in_context(question, CHINESE).question == "公司2023年的营业收入是多少？"


@pytest.mark.parametrize(
    ("questions", "whole"),
    [
        (["What was the revenue in 2022?", "and the costs?"], "What was the costs in 2022?"),
        (["What is the latency of DenseBig?", "What about GraDis?"], "What is the latency of GraDis?"),
        (["What does the lease say about pets?", "And about repairs?"], "What does the lease say about repairs?"),
        (["How many orders did Borealis place?", "And Acme?"], "How many orders did Acme place?"),
        (["What is the rent in the lease?", "Thanks!", "and the deposit?"], "What is the deposit in the lease?"),
        (["What is the ticket price for adults?", "and for children?"], "What is the ticket price for children?"),
        (["What is the price of apples?", "and pears?"], "What is the price of pears?"),
        (["What is the CEO's salary?", "And the bonus?"], "What is the CEO's bonus?"),
        (["When was the bridge opened?", "And the tower?"], "When was the tower opened?"),
        (["What does Table 2 say about cost?", "And Table 1?"], "What does Table 1 say about cost?"),
        (["What does the policy say about hotels?", "and in version 1?"],
         "What does the policy say about hotels in version 1?"),
        (["How much did Acme earn in 2022?", "And in 2023 in Europe?"], "How much did Acme earn in 2023 in Europe?"),
        (["How much did Acme earn in 2022?", "And the year before?"], "How much did Acme earn in 2021?"),
        (["How much did Acme earn in 2022?", "And in 2021?", "And Borealis?"], "How much did Borealis earn in 2021?"),
        (["第二章讲什么？", "第三章呢？"], "第三章讲什么？"),
        (["表1中2023年云门水库的蓄水量是多少？", "白鹿水库呢？"], "表1中2023年白鹿水库的蓄水量是多少？"),
        (["表1中2023年云门水库的蓄水量是多少？", "那白鹿水库2024年呢？"], "表1中2024年白鹿水库的蓄水量是多少？"),
        (["青溪水库2023年的蓄水量是多少？", "面积呢？"], "青溪水库2023年的面积是多少？"),
        (["月租金是多少？", "押金呢？"], "押金是多少？"),
        (["王伟的职位是什么？", "李娜呢？"], "李娜的职位是什么？"),
        (["DenseBig的延迟是多少？", "那GraDis呢？"], "GraDis的延迟是多少？"),
        (["青溪水库2023年的蓄水量是多少？", "后一年呢？"], "青溪水库2024年的蓄水量是多少？"),
    ],
)  # fmt: skip
def test_what_a_follow_up_names_takes_the_place_of_what_is_of_its_kind(questions, whole):
    asked = after(*questions)
    assert asked.question == whole and asked.whole and asked.follows


@pytest.mark.parametrize(
    ("questions", "whole"),
    [
        (["What is the latency of DenseBig?", "How many parameters does it have?"],
         "How many parameters does DenseBig have?"),
        (["What does the lease say about pets?", "And about repairs?", "Who pays them?"], "Who pays repairs?"),
        (["When was the bridge opened?", "Who designed it?"], "Who designed the bridge?"),
        (["Who is responsible for repairs?", "Who pays them?"], "Who pays repairs?"),
        (["How much do the ear plugs cost?", "Who pays for them?"], "Who pays for the ear plugs?"),
        (["When does the shop in Ghent open?", "Who runs it?"], "Who runs the shop in Ghent?"),
        (["Who leads Falke Logistics?", "Where is its head office?"], "Where is Falke Logistics' head office?"),
        (["公司2022年的营业收入是多少？", "它的总部在哪里？"], "公司的总部在哪里？"),
    ],
)  # fmt: skip
def test_what_a_pronoun_stands_for_is_named(questions, whole):
    assert after(*questions).question == whole


@pytest.mark.parametrize(
    ("questions", "whole"),
    [
        (["What is the latency of DenseBig?", "What about GraDis?", "Which one is faster?"],
         "Which has the lower latency, DenseBig or GraDis?"),
        (["What is the price of apples?", "and pears?", "Which is higher?"],
         "Which has the higher price, apples or pears?"),
        (["青溪水库2023年的蓄水量是多少？", "白鹿水库呢？", "哪个更高？"], "青溪水库和白鹿水库哪个的蓄水量更高？"),
    ],
)  # fmt: skip
def test_which_one_is_asked_of_the_subjects_of_the_conversation(questions, whole):
    assert after(*questions).question == whole


def test_what_an_answer_named_is_not_taken_from_the_question_before():
    assert not after("Who leads Falke Logistics?", "Where was she born?").whole


@pytest.mark.parametrize(
    "question",
    ["Which foundries supply chips to the company in Dresden?", "Is it allowed to keep dogs?", "Are there any pets?",
     "员工每年有多少天带薪年假？"],
)  # fmt: skip
def test_a_question_that_stands_alone_is_left_as_it_is(question):
    assert in_context(question, ENGLISH).question == question and not in_context(question, ENGLISH).follows
    assert in_context(question, CHINESE).question == question


def test_the_first_question_has_nothing_to_lean_on():
    assert in_context("And in 2023?", []).question == "And in 2023?"


def test_the_trace_says_how_a_follow_up_is_understood():
    assert "“How much revenue did Acme report in 2023?”" in in_context("And in 2023?", ENGLISH).told(
        SAID_IN_ENGLISH
    )
    assert "“公司2023年的营业收入是多少？”" in in_context("那2023年呢？", CHINESE).told(SAID_IN_CHINESE)
    assert in_context("Why?", ENGLISH).told(SAID_IN_ENGLISH) == SAID_IN_ENGLISH.step_plan_follow_up


POLICY = "# Travel policy\n\n## Hotels\n\nEmployees may spend up to EUR {limit} per night on hotels.\n"
CHAPTERS = "# 租约\n\n## 第一章 租期\n\n租期为两年。\n\n## 第二章 宠物\n\n饲养犬只须经出租方书面同意。\n"
TABLE = (
    b"# Results\n\n| System | Latency (ms) | Cost (USD) |\n| --- | --- | --- |\n| DenseBig | 61 | 900 |\n"
    b"| GraDis | 19 | 1320 |\n"
)


@pytest.fixture
def ask(tmp_path):
    settings = load_settings(tmp_path, environ={}, flags={"embedding.enabled": False})
    with Library.open(tmp_path, settings=settings, background=False) as lib:
        lib.add([Source("policy.md", POLICY.format(limit=140).encode())])
        lib.add([Source("policy.md", POLICY.format(limit=165).encode())])
        lib.add([Source("租约.md", CHAPTERS.encode()), Source("results.md", TABLE)])

        def asked(*questions, **more):
            history = []
            for question in questions:
                made = lib.ask(question, history=history, **more)
                history += [("user", question), ("assistant", made.answer)]
            return made

        yield asked


def test_the_follow_up_of_a_question_about_a_cell_is_answered_by_its_own_cell(ask):
    assert "19" in ask("What is the latency of DenseBig?", "What about GraDis?").answer
    assert "1320" in ask("What is the latency of GraDis?", "and the cost?").answer.replace(",", "")
    which = ask("What is the latency of DenseBig?", "What about GraDis?", "Which one is faster?").answer
    assert "GraDis" in which and "61" in which and "19" in which


def test_what_the_operators_observed_stands_in_the_trace(ask):
    steps = ask("What is the latency of DenseBig?").reasoning_trace
    [seen] = next(step.params["observed"] for step in steps if step.params and "observed" in step.params)
    assert (seen["value"], seen["unit"], seen["source"]["cell"]["col"]) == ("61", "ms", "Latency (ms)")


def test_a_follow_up_that_cannot_be_told_is_not_answered_by_the_cell_before(ask):
    made = ask("What is the latency of DenseBig?", "how much is that in total?")
    assert not (made.answered and made.confidence == "high")


def test_a_follow_up_about_another_version_or_chapter_reaches_those_who_answer_such_questions(ask):
    made = ask("What does the travel policy say about hotels?", "and in version 1?")
    assert "140" in made.answer and "165" not in made.answer
    within = ask(
        "What does the travel policy say about hotels?", "and in version 1?", filters=Filters(version=1)
    )
    assert "140" in within.answer
    assert "犬" in ask("租约第一章讲什么？", "第二章呢？").answer


def test_a_question_of_two_parts_says_itself_whom_the_second_one_means():
    history = [("user", "When does the lease end?")]
    asked = "Who was the top seller and how much did they sell?"
    assert in_context(asked, history).question == asked
    assert not in_context("Is it due, and what does it cost?", history).question.startswith("Is it due")
