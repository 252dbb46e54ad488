"""What a question names is never lost on the way, whatever else matches."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.ingest import Source
from engine.library import Library
from engine.model import Filters
from engine.retrieve.named import quoting
from engine.structure.terms import fold

NOISE = "\n\n".join(
    f"The annual survey of the northern harbour, part {n}: figure, table and share of the catch, described."
    for n in range(60)
)
SURVEY = f"""# Survey

{NOISE}

## Results

Table 7: Catch by month

| Month | Catch (t) |
| --- | --- |
| May | 12 |

As Table 7 shows, May was poor.

## Gear

The nets had a mesh of 38 mm and the duty rose by 7.25 % after the war, he said “the gulls knew first”.

## Third chapter

Nothing else is said here.
"""
PHRASE = "“the gulls knew first”"


@pytest.fixture(scope="module")
def survey(tmp_path_factory):
    with Library.open(tmp_path_factory.mktemp("named"), background=False) as library:
        library.add([Source("survey.md", SURVEY.encode())])
        library.embed_pending()
        yield library


WORDS = st.lists(
    st.sampled_from("annual survey northern harbour part figure table share catch described".split()),
    max_size=6,
)


@given(before=WORDS, after=WORDS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_quoted_phrase_is_among_the_hits(survey, before, after):
    hits = survey.search(" ".join([*before, PHRASE, *after]), top_k=3).hits
    assert any(hit.path[-1] == "Gear" for hit in hits)


@given(before=WORDS, after=WORDS)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_labelled_table_is_among_the_hits(survey, before, after):
    hits = survey.search(" ".join([*before, "Table 7", *after]), top_k=3).hits
    assert any("Table 7" in str(survey.node(hit.node_id).node.metadata.get("label")) for hit in hits)


@given(before=WORDS, after=WORDS)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_labelled_table_of_the_only_document_with_it_comes_first(survey, before, after):
    first = survey.search(" ".join([*before, "Table 7", *after])).hits[0]
    assert first.role == "table"


@pytest.fixture(scope="module")
def statutes(tmp_path_factory):
    """Sixty statutes with three articles each, all about much the same."""
    kinds = "渔业 港口 仓储 航运 造船 盐业 水产 码头 引航 救助 打捞 拖航".split()
    topics = [f"{kind}{what}" for kind in kinds for what in ("管理", "税收", "安全", "保险", "登记")]
    with Library.open(tmp_path_factory.mktemp("statutes"), background=False) as library:
        library.add(
            Source(
                f"{topic}条例.md",
                f"# {topic}条例\n\n第一条 为了规范{topic}，制定本条例。\n\n第二条 本条例所称主管机关，是指市政府。\n\n"
                "第三条 主管机关规定第二条的规定由谁来规定。\n".encode(),
            )
            for topic in topics
        )
        yield library


@pytest.mark.parametrize(
    "question", ["航运税收条例第二条", "航运税收条例第二条规定了什么？", "《拖航登记条例》第二条说的主管机关"]
)
def test_an_article_named_with_its_law_comes_first(statutes, question):
    first = statutes.search(question).hits[0]
    assert first.snippet.startswith("第二条")
    assert first.document.removesuffix(".md") in question


def test_an_article_of_no_law_in_particular_stays_where_its_words_put_it(statutes):
    hits = statutes.search("第二条主管机关规定第二条的规定由谁来规定").hits
    assert hits[0].snippet.startswith("第三条")


def test_a_label_is_a_reason_and_counts_as_intent(survey):
    bearers = [hit for hit in survey.search("What does Table 7 show?").hits[:3] if "labels:Table 7" in hit.why]
    assert "table" in [hit.role for hit in bearers]
    assert bearers[0].signals["intent"] == 1.0


def test_a_question_that_insists_on_a_section_gets_nothing_else(survey):
    result = survey.search("Only the Gear section: what about the annual survey?")
    assert {tuple(hit.path[-1:]) for hit in result.hits} == {("Gear",)}
    assert "only in sections" in result.notes[-1]


STRASSE = "Die Straße zum Hafen hat 3.5 Meilen. 渔船的数据处理系统每年更新，资料由港务局保存。rocket science for gulls"


@pytest.fixture(scope="module")
def harbour(tmp_path_factory):
    with Library.open(tmp_path_factory.mktemp("phrases"), background=False) as library:
        library.add([Source("harbour.md", f"{SURVEY}\n\n## Road\n\n{STRASSE}\n".encode())])
        yield library.storage.snapshot()


@given(start=st.integers(0, len(STRASSE) - 2), size=st.integers(2, 25))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_phrase_cut_anywhere_from_a_text_is_found_there(harbour, start, size):
    phrase = fold(STRASSE[start : start + size])
    found = quoting(phrase, harbour, harbour.scope(Filters())) if phrase else ()
    assert not phrase or any(phrase in fold(one.node.text) for one in harbour.nodes(found))


@pytest.mark.parametrize("phrase", ["部门预算", "every single gull laughed last", "the annual zebra of the harbour"])
def test_a_phrase_with_words_that_stand_nowhere_is_not_looked_for_in_the_texts(harbour, monkeypatch, phrase):
    monkeypatch.setattr(type(harbour), "keyword_search", lambda *_: pytest.fail("all texts were read"))
    assert quoting(phrase, harbour, harbour.scope(Filters())) == ()


def test_a_phrase_of_common_words_below_the_best_nodes_is_found_by_its_rarest(harbour):
    phrase = "part 47: figure, table"
    found = quoting(phrase, harbour, harbour.scope(Filters()))
    assert [phrase in fold(one.node.text) for one in harbour.nodes(found)] == [True]
