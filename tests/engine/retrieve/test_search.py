"""Search through the whole library: modes, filters, reasons."""

import pytest
from sample_texts import REPORT

from engine.errors import NotFoundError, UsageError
from engine.ingest import Source
from engine.model import Filters
from engine.providers.llm import estimate_tokens
from engine.retrieve.pack import LEAST_TOKENS, pack


@pytest.fixture
def embedded(filled):
    filled.embed_pending()
    return filled


def test_text_is_found_before_vectors_are_there_and_the_result_says_so(filled):
    result = filled.search("foundries")
    assert result.hits[0].document == "report.md"
    assert result.views == ["sparse"]
    assert "words only" in result.notes[0]


def test_meaning_joins_when_vectors_are_there(embedded):
    result = embedded.search("Who makes the semiconductors?")
    assert result.views == ["dense", "sparse"]
    assert result.hits[0].path[-1] == "Risks"
    assert result.hits[0].signals["dense"] is not None
    assert not result.notes


def test_a_question_in_one_language_finds_text_in_the_other(embedded):
    assert embedded.search("How many days of annual leave do employees get?").hits[0].document == "手册.md"
    assert embedded.search("云业务增长了多少？").hits[0].path[-1] == "Revenue"


def test_exact_search_finds_text_as_it_stands_in_any_case_and_width(filled):
    assert filled.search("ELEVEN  weeks", mode="keyword").hits[0].path[-1] == "Risks"
    assert filled.search("十五天带薪", mode="keyword").hits[0].document == "手册.md"
    assert not filled.search("eleven month", mode="keyword").hits


def test_a_pattern_finds_what_it_matches_and_a_bad_one_is_told(filled):
    assert filled.search(r"\d+ percent", mode="keyword", regex=True).hits
    with pytest.raises(UsageError, match="not a regular expression"):
        filled.search("(", mode="keyword", regex=True)


def test_filters_by_document_role_and_section_lose_nothing_and_let_nothing_through(embedded):
    for mode in ("hybrid", "fulltext", "semantic"):
        found = embedded.search("chips revenue 年假", mode=mode, filters=Filters(documents=("手册.md",))).hits
        assert {hit.document for hit in found} <= {"手册.md"}
        found = embedded.search("revenue chips", mode=mode, filters=Filters(section="risk")).hits
        assert found
        assert all("Risks" in hit.path for hit in found)
        found = embedded.search("revenue", mode=mode, filters=Filters(roles=("paragraph",))).hits
        assert {hit.role for hit in found} == {"paragraph"}


def test_a_document_that_is_not_there_is_told(filled):
    with pytest.raises(NotFoundError, match=r"nowhere\.pdf"):
        filled.search("x", filters=Filters(documents=("nowhere.pdf",)))


@pytest.mark.parametrize("arguments", [{"query": " "}, {"query": "x", "mode": "magic"}, {"query": "x" * 20_000}])
def test_bad_questions_are_told(filled, arguments):
    query = arguments.pop("query")
    with pytest.raises(UsageError):
        filled.search(query, **arguments)


def test_a_snippet_stands_word_for_word_in_its_node(embedded):
    for hit in embedded.search("revenue cloud 年假").hits:
        node = embedded.node(hit.node_id).node
        assert hit.snippet in (node.text or node.title)


def test_a_hit_says_why_it_is_there(embedded):
    hit = embedded.search('cloud "31 percent"').hits[0]
    assert 'phrase:"31 percent"' in hit.why
    assert any(reason.startswith("terms:") for reason in hit.why)


def test_packing_keeps_the_best_and_stays_in_its_budget(embedded):
    hits = embedded.search("revenue chips 年假").hits
    everything = pack(hits, embedded.storage, 4000)
    assert [evidence.hit.rank for evidence in everything] == sorted(e.hit.rank for e in everything)
    for evidence in everything:
        assert evidence.text in embedded.node(evidence.hit.node_id).node.text
    little = pack(hits, embedded.storage, 30)
    assert 0 < sum(estimate_tokens(evidence.text) for evidence in little) <= 32
    placed = pack(hits, embedded.storage, 200, beside=50)
    assert 0 < len(placed) <= 4 and len(placed) < len(pack(hits, embedded.storage, 200))


def test_nothing_is_cut_to_a_few_letters_to_fill_a_small_budget(embedded):
    hits = embedded.search("revenue chips 年假").hits
    for budget in range(40, 160, 10):
        packed = pack(hits, embedded.storage, budget)
        cut = [one for one in packed[1:] if one.text != embedded.node(one.hit.node_id).node.text]
        assert packed and all(estimate_tokens(one.text) >= LEAST_TOKENS // 2 for one in cut)


def test_a_full_text_hit_has_the_least_share_of_the_best_score(library):
    library.add([Source("report.md", REPORT.encode())])
    question = "cloud revenue growth"
    every = library.search(question, mode="fulltext", settings=with_search(library, "fulltext", min_rank=0.0)).hits
    close = library.search(question, mode="fulltext", settings=with_search(library, "fulltext", min_rank=0.9)).hits
    best = every[0].signals["sparse"]
    assert {hit.node_id for hit in close} == {h.node_id for h in every if h.signals["sparse"] >= 0.9 * best}
    assert len(close) < len(every)


def test_an_exact_hit_is_shown_with_the_lines_around_it(library):
    listing = "\n".join(f"line {n} of the listing" for n in range(30))
    library.add([Source("code.md", f"# Code\n\n```\n{listing}\n```\n".encode())])

    def shown(count):
        settings = with_search(library, "keyword", context_lines=count)
        return library.search("line 12 of", mode="keyword", settings=settings).hits[0].snippet

    assert shown(0) == "line 12 of the listing"
    assert shown(1).splitlines() == [f"line {n} of the listing" for n in (11, 12, 13)]


def with_search(library, part, **values):
    search = library.settings.search
    changed = search.model_copy(update={part: getattr(search, part).model_copy(update=values)})
    return library.settings.model_copy(update={"search": changed})
