import pytest

from engine.answer.understand.kinds import expects, holds_kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many crates were shipped?", "number"),
        ("What is the total rent per month?", "number"),
        ("When was the dam finished?", "date"),
        ("In which year did the mill close?", "date"),
        ("How often is the valve tested?", "duration"),
        ("Who signs the report?", "person"),
        ("Where is the archive?", "place"),
        ("Which company built the tower?", "organisation"),
        ("Why was the trial stopped?", "reason"),
        ("How is the seal replaced?", "manner"),
        ("Is smoking allowed?", "yes_no"),
        ("What does MTBF mean?", "definition"),
        ("What happens when the alarm rings?", "text"),
        ("违约金是多少？", "number"),
        ("试用期多久？", "duration"),
        ("合同什么时候到期？", "date"),
        ("谁负责验收？", "person"),
        ("仓库在哪里？", "place"),
        ("为什么暂停施工？", "reason"),
        ("需要提交哪些材料？", "list"),
        ("可以转租吗？", "yes_no"),
        ("展览的地点", "place"),
        ("怎样申请退款？", "manner"),
    ],
)
def test_the_question_words_tell_what_is_asked_for(question, kind):
    assert expects(question) == kind


@pytest.mark.parametrize(
    ("kind", "text", "question", "holds"),
    [
        ("number", "It carries 85 kg.", "What does shelf 12 carry?", True),
        ("number", "Shelf 12 carries crates.", "What does shelf 12 carry?", False),
        ("number", "It has four doors.", "How many doors has it?", True),
        ("date", "The council meets in March.", "When does the council meet?", True),
        ("date", "The council meets in the hall.", "When does the council meet?", False),
        ("duration", "每三个月检查一次。", "多久检查一次？", True),
        ("duration", "由物业检查。", "多久检查一次？", False),
        ("person", "The hall is old.", "Who owns the hall?", True),
    ],
)
def test_what_is_measured_needs_a_figure_that_the_question_does_not_have(kind, text, question, holds):
    assert holds_kind(kind, text, question) is holds
