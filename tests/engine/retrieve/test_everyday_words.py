"""Questions in everyday words find what documents write in formal ones."""

import pytest

from engine.ingest import Source
from engine.retrieve.everyday_words import FILE, formal_words
from engine.settings_sources import with_changes

LEASE = """# Agreement

Carriage is for the account of the consignee.

Either party may bring the agreement to an end by a termination in writing.

The parties keep the agreement in two copies.
"""
STATUTE = """# 劳动条例

第一条 用人单位解除劳动合同的，应当提前三十日书面通知劳动者。

第二条 仓库管理员不得在屋顶堆放杂物。

第三条 食堂应当保证饭菜卫生。
"""


@pytest.fixture
def agreement(library):
    library.add([Source("agreement.md", LEASE.encode()), Source("条例.md", STATUTE.encode())])
    return library


def said_for(library, question):
    return {one.word: one.said for one in formal_words(question, library.storage.snapshot())}


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who has to bear shipping?", "Carriage"),
        ("Can we cancel?", "Either party"),
        ("炒鱿鱼怎么办", "第一条"),
    ],
)
def test_a_question_finds_by_formal_words_what_it_shares_no_word_with(agreement, question, text):
    def first(formal_words):
        settings = with_changes(agreement.settings, {"retrieval.formal_words": formal_words})
        return agreement.search(question, mode="fulltext", settings=settings).hits[:1]

    assert first(True)[0].snippet.startswith(text)
    assert not any(hit.snippet.startswith(text) for hit in first(False))


def test_only_words_that_the_library_has_are_looked_for(agreement):
    assert said_for(agreement, "Who pays for shipping?") == {"shipping": ("carriage",)}
    assert said_for(agreement, "Is there a flat for the boss?") == {}


def test_the_longest_everyday_word_counts(agreement):
    assert said_for(agreement, "What is the shipping cost?") == {"shipping cost": ("carriage",)}


def test_a_word_that_the_library_itself_uses_is_taken_as_it_is(library):
    letters = "\n\n".join(f"The shipping of parcel {i} was late." for i in range(30))
    library.add([Source("letters.md", f"# Letters\n\nCarriage is dear.\n\n{letters}\n".encode())])
    assert said_for(library, "Who pays for shipping?") == {}


def test_words_in_the_question_are_not_looked_for_twice(agreement):
    assert said_for(agreement, "被辞退了，用人单位解除劳动合同合法吗") == {}


def test_the_lab_tells_the_formal_words_and_where_they_were_found(agreement):
    question = "Who has to bear shipping?"
    seen = agreement.finder.inspect(question, mode="fulltext")
    assert seen.understood["formal"] == [["shipping", ["carriage"]]]
    hit = seen.hits[0]
    stops = {stop.stage: stop for stop in agreement.finder.journey(question, hit.node_id, mode="fulltext").stops}
    assert stops["sparse"].facts["shared"].endswith("carriage")


def test_a_search_by_meaning_is_moved_towards_them(agreement):
    agreement.embed_pending()

    def score(formal_words):
        settings = with_changes(agreement.settings, {"retrieval.formal_words": formal_words})
        hits = agreement.search("Who has to bear shipping?", mode="semantic", settings=settings).hits
        return next(hit.score for hit in hits if hit.snippet.startswith("Carriage"))

    assert score(True) > score(False)


def test_every_line_of_the_list_has_words_on_both_sides():
    for line in FILE.read_text("utf-8").splitlines():
        everyday, _, formal = line.partition(":")
        if line and not line.startswith("#"):
            assert all(one.strip() for one in everyday.split(",")), line
            assert all(one.strip() for one in formal.split(",")), line
