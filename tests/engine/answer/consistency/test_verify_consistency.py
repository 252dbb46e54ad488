import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from evidence_maker import evidence, finder

from engine.answer.answerer import answer
from engine.answer.consistency.check import check
from engine.answer.consistency.verify import statements_of, verify
from engine.config import Settings


def documents():
    """Two documents that disagree, and one that speaks of another year."""
    return [
        evidence(1, "The Harbour Bridge is long. The Harbour Bridge opened in 1932 to great crowds.", page=3),
        evidence(
            2, "A guide. The Harbour Bridge opened in 1933 to great crowds.", document="guide.docx", page=None
        ),
        evidence(3, "In 2021 the bridge had 5 million visitors.", document="visits.md"),
        evidence(4, "In 2022 the bridge had 6 million visitors.", document="more.md"),
    ]


def ask(question, items, **more):
    return answer(question, retrieve=finder(items), llm=None, embedder=None, settings=Settings(), **more)


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
    assert {first.a.document, first.b.document} == {"bridge.pdf", "guide.docx"}
    assert {first.a.page, first.b.page} == {3, None} and first.a.version == 1
    assert [one.verdict for one in rest] == ["scope"]


def test_the_tool_compares_all_evidence_or_the_statements_it_is_given():
    items = documents()
    assert [one.verdict for one in check(items).contradictions] == ["date"]
    given = check(items, ["The Harbour Bridge opened in 1932", "The bridge sank in the sea"])
    assert [one.verdict for one in given.contradictions] == ["date"]
    assert given.missing == ["The bridge sank in the sea"]
    assert "guide.docx" in given.text and "1 contradictions" in given.summary
    assert not check(items, node_ids=[items[0].hit.node_id]).contradictions


def test_the_answer_tells_both_sides_with_both_citations():
    items = documents()
    made = ask("When did the Harbour Bridge open?", items)
    assert "The documents disagree on a date" in made.answer and made.confidence != "high"
    assert "1932" in made.answer and "1933" in made.answer
    assert {"bridge.pdf", "guide.docx"} <= {source.document for source in made.sources}
    assert any(
        "1933 in guide.docx" in warning or "1932 in bridge.pdf" in warning for warning in made.warnings
    )
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
        evidence(
            1, "Oak is a town. The population was 6,924 at the last census.", document="oak.md", path=("Oak",)
        ),
        evidence(
            2, "Elm is a town. The population was 5,000 at the last census.", document="elm.md", path=("Elm",)
        ),
    ]
    assert "disagree" not in ask("What was the population of Oak at the last census?", items).answer


def test_versions_of_one_document_are_told_apart():
    from dataclasses import replace

    old, new = documents()[:2]
    new = replace(
        new, hit=replace(new.hit, document_id=old.hit.document_id, document="bridge.pdf", version=2)
    )
    made = ask("When did the Harbour Bridge open?", [old, new])
    assert "version 1" in made.answer and "version 2" in made.answer
