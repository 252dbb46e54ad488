"""Where many documents are on one subject, what answers is said by several of them, or plainly by one."""

from dataclasses import replace

import pytest
from evidence_maker import evidence

from engine.answer.candidates import candidates
from engine.answer.corroboration import corroboration
from engine.answer.phrases import phrases_for
from engine.answer.readings import read
from engine.answer.refusal import refuse
from engine.answer.sufficiency import assess, terms_of
from engine.providers.reading import Reading, open_reader

ASKED = "海岭市第五届龙舟公开赛的冠军队伍叫什么？"
# All on the very subject, none with what is asked.
TALK = [
    "海岭市第五届龙舟公开赛的报名工作已经全面展开。冠军队伍将获得奖杯和奖金。",
    "记者走访了海岭市第五届龙舟公开赛的赛场，看台和码头正在加固，志愿者忙着布置。",
    "有市民担心海岭市第五届龙舟公开赛期间的交通，交管部门为此准备了接驳巴士。",
    "海岭市第五届龙舟公开赛的队伍名单没有变化，上届亚军因伤退出的传闻并不属实。",
    "专家回顾了龙舟运动的历史，认为海岭市第五届龙舟公开赛会带动旅游消费。",
]
TOLD = [
    "决赛中青鸥湾队力压群雄，夺得海岭市第五届龙舟公开赛冠军。",
    "海岭市第五届龙舟公开赛落幕，青鸥湾队以两分零三秒的成绩拿下冠军。",
    "赛后采访时，冠军队伍青鸥湾队的队长感谢了海岭市第五届龙舟公开赛的观众。",
]
WHEN = "海岭市第五届龙舟公开赛的开幕时间？"
OPENED = [
    "海岭市第五届龙舟公开赛于6月18日开幕，四十支队伍参赛。",
    "6月18日上午，海岭市第五届龙舟公开赛在望潮码头开幕。",
    "2031-06-18，海岭市第五届龙舟公开赛正式开幕。",
]


def documents(*texts):
    return [evidence(n, text, document=f"news-{n}.txt") for n, text in enumerate(texts, 1)]


def looked_at(question, items):
    found = candidates(question, items)
    return corroboration(question, items, found, {n: terms_of(item) for n, item in enumerate(items)})


def verdict(question, items):
    return assess(question, items, candidates(question, items))


def test_documents_that_only_speak_of_the_subject_do_not_answer():
    judged = verdict(ASKED, documents(*TALK))
    assert not judged.sufficient and judged.unsaid >= 3


def test_what_several_of_them_say_together_answers():
    with_answer, without = looked_at(ASKED, documents(*TOLD, *TALK)), looked_at(ASKED, documents(*TALK))
    assert with_answer.echoed > 1.5 * without.echoed
    judged = verdict(ASKED, documents(*TOLD, *TALK))
    assert judged.sufficient and not judged.unsaid


def test_one_document_that_says_it_plainly_is_enough():
    plain = "海岭市第五届龙舟公开赛的冠军队伍叫青鸥湾队。"
    judged = verdict(ASKED, documents(*TALK, plain))
    assert judged.sufficient and judged.score < 0.8


def test_a_date_is_the_same_however_it_is_written():
    all_three, two = (
        looked_at(WHEN, documents(*TALK, *OPENED)),
        looked_at(WHEN, documents(*TALK, *OPENED[:2])),
    )
    assert all_three.value > two.value > looked_at(WHEN, documents(*TALK)).value == 0


def test_amounts_count_once_a_document_and_not_where_the_question_holds_them():
    question = "How many barrels of the 300 barrels in the Norwick cellar were sold last spring?"
    texts = [
        "Of the 300 barrels in the Norwick cellar 120 were sold last spring, 120 barrels in all.",
        "Last spring 120 of the 300 barrels in the Norwick cellar were sold.",
        "The Norwick cellar held 300 barrels, many of which were sold last spring.",
    ]
    assert 1 < looked_at(question, documents(*texts)).value <= 2


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (ASKED, TALK[:2]),
        ("龙舟多长？", ["龙舟很长。", "龙舟漂亮。", "龙舟下水。", "龙舟出发。"]),
    ],
)
def test_a_few_documents_or_words_tell_nothing_of_it(question, texts):
    assert looked_at(question, documents(*texts)) is None


def test_paragraphs_of_one_document_are_not_many_documents():
    items = [replace(item, hit=replace(item.hit, document_id="one")) for item in documents(*TALK)]
    assert looked_at(ASKED, items) is None


@pytest.mark.parametrize(
    ("question", "told"), [(ASKED, "有 5 份文档谈到"), ("Who won?", "5 documents speak of")]
)
def test_the_refusal_says_that_documents_are_on_the_subject(question, told):
    text, _ = refuse(question, [], [], mode="hybrid", searched=None, phrases=phrases_for(question), unsaid=5)
    assert told in text


def test_an_answer_in_another_language_is_not_refused_for_what_the_others_lack():
    asked = "第五届龙舟比赛的冠军队伍叫什么？"
    talk = documents(*(text.replace("海岭市第五届龙舟公开赛", "第五届龙舟比赛") for text in TALK))
    english = "The champion team of the fifth dragon boat competition received a bonus of 9,000 euro."
    told = evidence(9, english, document="result.txt")
    assert not verdict(asked, talk).sufficient
    judged = verdict(asked, [*talk, told])
    assert judged.sufficient and not judged.unsaid


def test_where_only_one_document_knows_it_the_reader_tells():
    reader = open_reader()
    told = "海岭市第五届龙舟公开赛昨日落幕，青鸥湾队力压群雄夺冠，白鹭队获得亚军。"
    items, others = documents(told, *TALK), documents(*TALK)
    for asked in (ASKED, "海岭市第五届龙舟公开赛谁得了冠军？"):
        for found_in, answers in ((items, True), (others, False)):
            found = candidates(asked, found_in)
            spans = read(asked, found_in, found, reader)
            assert assess(asked, found_in, found, None, spans).sufficient == answers


def test_what_documents_are_read_to_say_differently_is_told_by_none_of_them():
    class Contradicted:
        name = "contradicted"

        def read(self, question, passages):
            return [Reading(3.0, n, n + 4) for n in range(len(passages))]

    items = documents(*TALK)
    found = candidates(ASKED, items)
    nodes = {n: terms_of(item) for n, item in enumerate(items)}
    looked = corroboration(ASKED, items, found, nodes, read(ASKED, items, found, Contradicted()))
    assert looked.read < 3 and not looked.plainly
