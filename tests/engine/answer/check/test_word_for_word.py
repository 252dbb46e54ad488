"""What stands word for word is supported, figures and all; one word put for another is not; lists are cited whole."""

import pytest
from evidence_maker import evidence

from engine.answer.check.checking import check
from engine.answer.check.compare import Comparison, swapped
from engine.answer.phrases import phrases_for
from engine.answer.tables.cite import MOST_CITED, Computed
from engine.model import Citation
from engine.providers.entailment import open_judge


def checked(reply, text, role="paragraph"):
    return check(
        reply, [evidence(1, text, role=role)], question="", phrases=phrases_for(reply), entailment=open_judge()
    )


ONLINE = "申请人可以通过线上平台提交报销申请，并在五个工作日内收到审核结果。"
PORTAL = "Applicants may submit claims online through the portal and receive a decision within five working days."


@pytest.mark.parametrize(
    ("text", "reply", "there", "instead"),
    [
        (ONLINE, "申请人可以通过线下平台提交报销申请，并在五个工作日内收到审核结果[1]。", "线上", "线下"),
        (PORTAL, "Applicants may submit claims offline through the portal [1].", "online", "offline"),
        (PORTAL, "Applicants may submit claims by post through the portal [1].", "online", "by post"),
    ],
)
def test_a_sentence_with_one_word_put_for_another_is_not_supported_and_both_words_are_told(text, reply, there, instead):
    [one] = checked(reply, text).statements
    assert one.state in ("unverified", "contradicted")
    assert there in one.reason and instead in one.reason


def test_only_one_short_thing_in_another_s_place_is_such_a_word():
    said = "The lessee pays property tax and insurance of the building every year."
    one = swapped("The lessor pays property tax and insurance of the building every year.", said)
    assert one is not None and (one.a_differs, one.b_differs, one.clear) == ("lessor", "lessee", True)
    assert swapped("Every year property tax and insurance are paid by the lessor.", said) is None
    assert swapped("The lessee pays property tax every year.", said) == Comparison("agree")


NUTS = (
    "与完全不吃坚果的人相比，每周吃了1盎司份量的人，减少11％的死亡率；每周吃2份量的人，减低13％；每周5至6份量者，减少了15％；"
    "一周7份以上的人，死亡率则减少20％；只吃半份的人，减少7％。"
)


@pytest.mark.parametrize("opening", ["", "研究人员指出，"])
def test_a_clause_that_stands_there_is_supported_whatever_other_figures_stand_beside_it(opening):
    [one] = checked(f"{opening}每周吃2份量的人，减低13％[1]。", NUTS).statements
    assert one.state == "supported"


def test_the_number_of_a_section_is_not_computed():
    text = "The paint of section 2 is described below, at 1.1 and 2.2 and 3.3. See 4 and 0.4."
    assert checked("Section 2.2 and Section 4.4 describe the paint [1].", text).statements[0].state != "computed"


def test_words_that_stand_nowhere_are_named():
    [one] = checked("Applicants may submit claims and appeals through the portal [1].", PORTAL).statements
    assert one.state == "supported" or "appeals" in one.reason


@pytest.mark.parametrize(
    "reply",
    [
        "The guide is silent on appeals [1].",
        "Who decides on an appeal is left open [1].",
        "The guide does not say who decides [1].",
        "对申诉未作规定[1]。",
        "从文中无法判断由谁受理[1]。",
    ],
)
def test_that_the_texts_leave_something_open_carries_no_mark(reply):
    assert not checked(reply, PORTAL).statements


BENEFITS = "Benefits:\n- dental cover\n- gym membership\n- 25 days of leave\n- an allowance of 200 euros\n- free fruit"


def test_the_items_of_a_list_that_are_told_are_cited():
    made = checked("Employees get dental cover, a gym membership and free fruit [1].", BENEFITS, "list")
    assert [one.snippet for one in made.citations] == ["- dental cover\n- gym membership", "- free fruit"]
    made = checked("Employees get free fruit [1].", BENEFITS, "list")
    assert [one.snippet for one in made.citations] == ["- free fruit"]


def test_cells_as_many_as_are_cited_one_by_one_are_told_together():
    cells = [
        Citation(0, "d1", "a.xlsx", 1, "", "n1", 1, None, f"Sheet!B{row}", f"r{row} | {row}", 1.0)
        for row in range(2, 2 + MOST_CITED)
    ]
    [block] = Computed(["44"], "The sum is 44", cells).cells_of("The sum is 44.", False)
    assert block.cell == f"Sheet!B2:B{1 + MOST_CITED}"
