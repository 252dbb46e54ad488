import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from evidence_maker import answer, evidence, finder

from engine.answer.check import contradictions, disagreements
from engine.answer.check.contradictions import statements_of
from engine.answer.phrases import ENGLISH, phrases_for
from engine.model import Answer
from engine.providers.entailment import open_judge
from engine.retrieve.sources import Sources

check = partial(contradictions.check, judge=open_judge())
verify = partial(contradictions.verify, judge=open_judge())
tell_disagreements = partial(disagreements.tell_disagreements, judge=open_judge())


def documents():
    """Two documents that disagree, and one that speaks of another year."""
    return [
        evidence(1, "The Harbour Bridge is long. The Harbour Bridge opened in 1932 to great crowds.", page=3),
        evidence(2, "A guide. The Harbour Bridge opened in 1933 to great crowds.", document="guide.docx", page=None),
        evidence(3, "In 2021 the bridge had 5 million visitors.", document="visits.md"),
        evidence(4, "In 2022 the bridge had 6 million visitors.", document="more.md"),
    ]


def ask(question, items, **more):
    return answer(question, retrieve=finder(items), **more)


def test_both_quotes_stand_word_for_word_in_their_nodes():
    items = documents()
    for found in verify(statements_of(items)):
        for side in (found.a, found.b):
            assert items[side.index].text[side.start : side.end] == side.quote


def test_a_contradiction_is_found_with_both_places_and_another_year_is_none():
    first, *rest = verify(statements_of(documents()))
    assert (first.verdict, first.clear, {first.a_differs, first.b_differs}) == (
        "date",
        True,
        {"1932", "1933"},
    )
    assert {first.a.hit.document, first.b.hit.document} == {"bridge.pdf", "guide.docx"}
    assert {first.a.hit.page, first.b.hit.page} == {3, None} and first.a.hit.version == 1
    assert [one.verdict for one in rest] == ["scope"]


def test_the_tool_compares_all_evidence_or_the_statements_it_is_given():
    items = documents()
    assert [one.verdict for one in check(items).contradictions] == ["date"]
    given = check(items, ["The Harbour Bridge opened in 1932", "The bridge sank in the sea"])
    assert [one.verdict for one in given.contradictions] == ["date"]
    assert given.missing == ["The bridge sank in the sea"]
    assert len(given.contradictions) == 1
    assert not check(items, node_ids=[items[0].hit.node_id]).contradictions


def test_the_answer_tells_both_sides_with_both_citations():
    items = documents()
    made = ask("When did the Harbour Bridge open?", items)
    assert "The documents disagree on a date" in made.answer and made.confidence != "high"
    assert "1932" in made.answer and "1933" in made.answer
    assert {"bridge.pdf", "guide.docx"} <= {source.document for source in made.sources}
    assert any("1933 in guide.docx" in warning or "1932 in bridge.pdf" in warning for warning in made.warnings)
    assert any(step.tool == "verify_consistency" for step in made.reasoning_trace)
    for source in made.sources:
        assert any(source.snippet in item.text for item in items if item.hit.node_id == source.node_id)


def test_a_chinese_question_is_told_so_in_chinese():
    items = [
        evidence(1, "海港大桥于1932年3月19日通车。", document="甲.docx"),
        evidence(2, "海港大桥于1933年3月19日通车。", document="乙.docx"),
    ]
    assert "说法不一致" in ask("海港大桥什么时候通车？", items).answer


def test_evidence_that_agrees_or_speaks_of_another_scope_is_answered_quietly():
    quiet = [
        documents()[0],
        evidence(2, "The Harbour Bridge opened in 1932 to great crowds.", document="b.md"),
    ]
    for question, items in (
        ("When did the Harbour Bridge open?", quiet),
        ("How many visitors had the bridge?", documents()[2:]),
    ):
        made = ask(question, items)
        assert "disagree" not in made.answer and not any("disagree" in warning for warning in made.warnings)


def test_two_towns_with_other_populations_are_no_contradiction():
    items = [
        evidence(1, "Oak is a town. The population was 6,924 at the last census.", document="oak.md", path=("Oak",)),
        evidence(2, "Elm is a town. The population was 5,000 at the last census.", document="elm.md", path=("Elm",)),
    ]
    assert "disagree" not in ask("What was the population of Oak at the last census?", items).answer


def test_versions_of_one_document_are_told_apart():
    old, new = documents()[:2]
    new = replace(new, hit=replace(new.hit, document_id=old.hit.document_id, document="bridge.pdf", version=2))
    made = tell_disagreements(cited_answer(old), "When did the Harbour Bridge open?", [old, new], ENGLISH)
    assert "version 1" in made.answer and "version 2" in made.answer


def mails():
    """Two mails on one subject: what the first is about, its subject says."""
    return [
        evidence(
            1,
            "The trucks are booked. The budget of the warehouse move is EUR 284,000 after the new quote.",
            document="second.eml",
            path=("Re: Warehouse move",),
        ),
        evidence(2, "The budget is EUR 248,000. Please hurry.", document="first.eml", path=("Warehouse move",)),
    ]


def test_the_subject_of_a_mail_is_part_of_what_its_sentences_say():
    made = ask("What is the budget of the warehouse move?", mails())
    assert "EUR 284,000" in made.answer and "EUR 248,000" in made.answer and made.confidence != "high"
    first, second = mails()
    other = replace(second, hit=replace(second.hit, path=["Summer party"]))
    assert "disagree" not in ask("What is the budget of the warehouse move?", [first, other]).answer


def test_titles_complete_chinese_statements_too():
    a = evidence(1, "仓库搬迁的预算为284000元，已含新报价。", document="乙.md", path=("进展",))
    b = evidence(2, "预算为248000元。", document="甲.md", path=("仓库搬迁",))
    first = verify(statements_of([a, b]))[0]
    assert (first.verdict, first.clear) == ("number", True)
    bare = replace(b, hit=replace(b.hit, path=["其他"]))
    assert not any(found.clear for found in verify(statements_of([a, bare])))


def test_a_question_in_another_language_than_the_documents_is_told_both_sides():
    english = [
        evidence(1, "Employees may spend up to EUR 120 per night on hotels.", document="a.md", path=("Hotels",)),
        evidence(2, "Employees may spend up to EUR 165 per night on hotels.", document="b.md", path=("Hotels",)),
    ]
    asked = "酒店每晚最多可以花多少钱？"
    made = tell_disagreements(cited_answer(english[0]), asked, english, phrases_for(asked))
    assert "说法不一致" in made.answer and "165" in made.answer and "120" in made.answer
    chinese = [
        evidence(1, "员工住酒店每晚最多可以花费120欧元。", document="甲.md", path=("酒店",)),
        evidence(2, "员工住酒店每晚最多可以花费165欧元。", document="乙.md", path=("酒店",)),
    ]
    answer_to = "How much may employees spend on a hotel per night?"
    made = tell_disagreements(cited_answer(chinese[0]), answer_to, chinese, ENGLISH)
    assert "disagree" in made.answer and "165" in made.answer


def cited_answer(item):
    """An answer that cites the whole of a node."""
    sources = Sources([item])
    sources.add(0, 0, len(item.text))
    return Answer(f"{item.text} [1]", "direct", "high", True, sources.citations)


@pytest.mark.parametrize(
    ("one", "other", "question", "value"),
    [
        ("项目预算为520万元。", "项目预算为450万元。", "项目预算是多少？", "450万元"),
        ("公司成立于2010年。", "公司成立于2012年。", "公司成立于哪一年？", "2012年"),
        ("会议定于3月5日召开。", "会议定于3月8日召开。", "会议定于几号召开？", "3月8日"),
        ("The warranty lasts two years.", "The warranty lasts three years.", "How long is the warranty?", "three"),
    ],
)  # fmt: skip
def test_short_statements_that_differ_in_nothing_else_are_told_to_whoever_asks_for_them(one, other, question, value):
    items = [evidence(1, one, document="a.md"), evidence(2, other, document="b.md")]
    told = tell_disagreements(cited_answer(items[0]), question, items, ENGLISH)
    assert value in told.answer and "disagree" in told.answer


def test_another_document_than_the_one_that_is_named_is_about_something_else():
    def dish(n, name, energy):
        texts = [f"预估卡路里：{energy} 大卡", "锅中放入清水，烧开后关火。"]
        path, called = (f"{name}的做法",), f"{name}.md"
        items = [
            evidence(10 * n + i, text, document=called, path=path, subject=path[0]) for i, text in enumerate(texts)
        ]
        return [replace(item, hit=replace(item.hit, document_id=name)) for item in items]

    noodles, dumplings = dish(1, "柴火面", 1341), dish(2, "槐花饺", 1313)
    made = ask("柴火面的预估卡路里是多少？", [*noodles, *dumplings])
    assert made.answered and "1341" in made.answer and "1313" not in made.answer
    assert not any("不一致" in warning for warning in made.warnings)


def test_who_is_absent_is_another_list_than_who_is_there():
    june = evidence(
        1,
        "Members not in attendance: Sanae Ferrier, Robert Harrison, Mary Ann Schierman",
        document="june.pdf",
    )
    may = evidence(2, "Members in attendance: Steven Campbell, Sanae Ferrier, Mary Ann Schierman", document="may.pdf")
    made = cited_answer(june)
    asked = "Which members were not in attendance?"
    assert tell_disagreements(made, asked, [june, may], ENGLISH) is made
