"""Topics of a library: told from documents, kept where they are, changed by hand."""

import io
from pathlib import Path

import pytest
from PIL import Image

from engine.config import Settings
from engine.errors import NotFoundError, UsageError
from engine.ingest import Source
from engine.library import Library
from engine.model import Filters
from tests.openai_server import OpenAiServer

SAMPLES = Path(__file__).resolve().parents[3] / "static" / "samples"
SUBJECTS = {
    "rose": (
        "Growing roses",
        "Roses want sun, water and a rich garden soil. Prune roses in spring before buds open.",
    ),
    "tulip": (
        "Growing tulips",
        "Tulips want sun and a sandy garden soil. Plant tulip bulbs in autumn before frost.",
    ),
    "lily": (
        "Growing lilies",
        "Lilies want a cool garden soil. Plant lily bulbs in autumn and water them in summer.",
    ),
    "bond": (
        "Government bonds",
        "Bonds pay interest twice a year. The market price of bonds falls as rates rise.",
    ),
    "share": (
        "Company shares",
        "Shares pay a dividend once a year. The market price of shares follows profits.",
    ),
    "fund": ("Index funds", "Funds hold many shares and bonds. The market price of funds follows an index."),
    "goal": (
        "Scoring goals",
        "A goal in football counts when the whole ball has passed the line. Players kick it.",
    ),
    "pass": (
        "Passing the ball",
        "A pass in football moves the ball to other players. Short passes keep the ball.",
    ),
    "foul": (
        "Football fouls",
        "A foul in football gives the other players a free kick. The referee shows a card.",
    ),
}


def source(name, title=None, text=None):
    known = SUBJECTS.get(name, ("", ""))
    return Source(f"{name}.md", f"# {title or known[0]}\n\n{text or known[1]}\n".encode())


def opened(folder, **settings):
    return Library.open(folder, settings=Settings(**settings), background=False)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """A library with all subjects, their vectors and topics; not to be changed."""
    with opened(tmp_path_factory.mktemp("shelf")) as library:
        library.add([source(name) for name in SUBJECTS])
        library.embed_pending()
        library.topics.refresh()
        yield library


@pytest.fixture
def words(tmp_path):
    """A library without an embedding model, with all subjects and topics told from words alone."""
    with opened(tmp_path / "words", embedding={"enabled": False}) as library:
        library.add([source(name) for name in SUBJECTS])
        library.topics.refresh()
        yield library


def first_topics(library):
    """The surest topic of each document, by the name of the document."""
    return {
        document.name.removesuffix(".md"): library.topics.of_document(document.document_id)[0][0].topic_id
        for document in library.documents()
    }


def as_lists(library):
    return [topic.to_dict() for topic in library.topics.all()]


def test_documents_on_one_subject_share_their_first_topic(shelf):
    first = first_topics(shelf)
    assert first["tulip"] == first["lily"]
    assert len({first["rose"], first["bond"], first["goal"]}) == 3


def test_a_document_has_up_to_five_topics_with_a_confidence(shelf):
    for document in shelf.documents():
        topics = shelf.topics.of_document(document.document_id)
        assert 1 <= len(topics) <= 5
        assert all(0 < confidence <= 1 for _, confidence in topics)
        assert len({topic.topic_id for topic, _ in topics}) == len(topics)


def test_topics_are_named_in_words_of_their_documents(shelf):
    texts = " ".join(f"{title} {text}" for title, text in SUBJECTS.values()).casefold()
    for topic in shelf.topics.all():
        assert topic.name.casefold() in texts


def test_two_runs_give_the_same_topics(shelf, tmp_path):
    with opened(tmp_path / "again") as library:
        library.add([source(name) for name in reversed(SUBJECTS)])
        library.embed_pending()
        library.topics.refresh()
        assert as_lists(library) == as_lists(shelf)


def test_nothing_is_told_twice(words):
    before = as_lists(words)
    assert words.topics.refresh() == 0
    assert as_lists(words) == before


def test_a_document_waits_for_its_vectors(tmp_path):
    with opened(tmp_path / "waiting") as library:
        library.add([source("rose")])
        assert library.topics.pending() == []
        library.embed_pending()
        assert [document.name for document in library.topics.pending()] == ["rose.md"]


def test_a_new_document_changes_no_other(words):
    before = {d.document_id: words.topics.of_document(d.document_id) for d in words.documents()}
    words.add([source("daisy", "Growing daisies", "Daisies want sun and a plain garden soil.")])
    assert words.topics.refresh() == 1
    for document_id, topics in before.items():
        now = words.topics.of_document(document_id)
        assert [(t.topic_id, t.name, c) for t, c in now] == [(t.topic_id, t.name, c) for t, c in topics]


def test_a_document_added_again_is_where_it_was(words):
    before = as_lists(words)
    words.remove("rose.md")
    words.topics.refresh()
    assert all("rose" not in topic.name.casefold() or topic.documents for topic in words.topics.all())
    words.add([source("rose")])
    words.topics.refresh()
    assert as_lists(words) == before


def test_a_removed_document_is_in_no_topic(words):
    document = words.remove("rose.md")
    assert all(one.document_id != document.document_id for t in words.topics.all() for one in t.documents)


def test_a_document_is_in_no_topic_whose_name_it_does_not_say(tmp_path):
    """A file that resembles a sample beside it is told by its own words, also once the samples are gone."""
    rules = "# 青山公司制度\n\n职工每年有带薪假期十天，请假须提前三天报主管批准。考勤每天打卡两次，出差费用实报实销。\n"
    with opened(tmp_path) as library:
        samples = [path for path in SAMPLES.glob("*.*") if path.suffix in (".md", ".docx")]
        library.add([Source(path.name, path) for path in samples])
        library.embed_pending()
        library.topics.refresh()
        mine = library.add([Source("制度.md", rules.encode()), *(source(name) for name in SUBJECTS)])[0]
        library.embed_pending()
        library.topics.refresh()
        for _ in range(2):
            names = [topic.name for topic, _ in library.topics.of_document(mine.document_id)]
            assert names and all(name in rules for name in names)
            for path in samples:
                if path.name in {document.name for document in library.documents()}:
                    library.remove(path.name)
            library.topics.refresh()


def test_a_topic_of_which_one_document_goes_keeps_the_others(words):
    before = first_topics(words)
    words.remove("goal.md")
    words.topics.refresh()
    assert first_topics(words) == {name: one for name, one in before.items() if name != "goal"}


def test_a_search_within_a_topic_finds_only_its_documents(shelf):
    topic = next(t for t in shelf.topics.all() if len(t.documents) > 1)
    inside = {one.document_id for one in topic.documents}
    for mode in ("hybrid", "semantic", "fulltext", "keyword"):
        hits = shelf.search("the", mode=mode, filters=Filters(topics=(topic.name,)), top_k=50).hits
        assert {hit.document_id for hit in hits} <= inside


# --- by hand -------------------------------------------------------------------------------------------


def again(library):
    """Tell the topics of changed documents."""
    library.add([source("rose", text="Roses want sun and water. Roses smell in the garden.")])
    assert library.topics.refresh() == 1


def test_a_chosen_name_outlives_telling_again(words):
    topic, _ = words.topics.of_document(words.document("rose.md").document_id)[0]
    words.topics.rename(topic.topic_id, "Flowers I love")
    again(words)
    names = [one.name for one, _ in words.topics.of_document(words.document("rose.md").document_id)]
    assert "Flowers I love" in names
    assert words.topics.get(topic.topic_id).name == "Flowers I love"


def test_a_name_that_another_topic_has_is_refused(words):
    one, other = words.topics.all()[:2]
    with pytest.raises(UsageError, match="Merge"):
        words.topics.rename(one.topic_id, other.name)
    for name in ("  ", "x" * 61, "…"):
        with pytest.raises(UsageError):
            words.topics.rename(one.topic_id, name)


def test_merged_topics_stay_one(words):
    rose = words.document("rose.md").document_id
    gone = words.topics.of_document(rose)[0][0]
    kept = next(t for t in words.topics.all() if rose not in {one.document_id for one in t.documents})
    merged = words.topics.merge(kept.topic_id, gone.topic_id)
    expected = {one.document_id for one in [*kept.documents, *gone.documents]}
    assert {one.document_id for one in merged.documents} == expected
    again(words)
    assert gone.topic_id not in {topic.topic_id for topic in words.topics.all()}
    assert words.topics.get(gone.topic_id).topic_id == kept.topic_id
    with pytest.raises(UsageError):
        words.topics.merge(kept.topic_id, gone.topic_id)


def test_documents_that_were_split_off_stay_so(words):
    rose = words.document("rose.md").document_id
    topic = words.topics.of_document(rose)[0][0]
    new = words.topics.split(topic.topic_id, "Thorny plants", [rose, "unknown"])
    assert [one.document_id for one in new.documents] == [rose]
    again(words)
    ids = [one.topic_id for one, _ in words.topics.of_document(rose)]
    assert new.topic_id in ids
    assert topic.topic_id not in ids


def test_a_deleted_topic_does_not_come_back(words):
    rose = words.document("rose.md").document_id
    topic = words.topics.of_document(rose)[0][0]
    words.topics.delete(topic.topic_id)
    again(words)
    assert topic.name not in [one.name for one in words.topics.all()]
    with pytest.raises(NotFoundError):
        words.topics.get(topic.topic_id)


def test_a_changed_document_stays_in_its_topic_when_that_was_renamed(words):
    topic, _ = words.topics.of_document(words.document("rose.md").document_id)[0]
    words.topics.rename(topic.topic_id, "What the neighbours envy")
    words.add([source("rose", text=f"{SUBJECTS['rose'][1]} A new bed was dug.")])
    words.topics.refresh()
    assert words.topics.of_document(words.document("rose.md").document_id)[0][0].topic_id == topic.topic_id


def test_no_topic_is_called_by_a_number_or_by_what_every_document_says(tmp_path):
    with opened(tmp_path, embedding={"enabled": False}) as library:
        for number, name in enumerate("一二三四五六七八九十"):
            text = f"# 第{name}号船\n\n第十六条 本办法适用于全部船舶。第{number}条 船舶每年检验。"
            library.add([Source(f"{name}.md", text.encode())])
        library.topics.refresh()
        names = {topic.name for topic in library.topics.all()}
    assert not names & {
        "第十六条",
        "十六条",
        "第十六",
        "船舶",
        "办法",
        *(f"第{n}" for n in "一二三四五六七八九十"),
    }


def test_no_topic_is_called_by_the_number_of_a_file_or_by_a_piece_of_a_word(tmp_path):
    with opened(tmp_path, embedding={"enabled": False}) as library:
        for number in range(4):
            text = f"鼓励个体工商户申请行政许可{'。' * number}个体工商户的行政许可，无效宣告除外。"
            library.add([Source(f"p4{number}.md", text.encode())])
        library.topics.refresh()
        names = {topic.name for topic in library.topics.all()}
    assert names
    assert not names & {"体工商户", "行政许", "效宣告", *(f"P4{number}" for number in range(4))}


def test_a_document_that_nothing_tells_from_others_goes_by_its_title(tmp_path):
    with opened(tmp_path, embedding={"enabled": False}) as library:
        library.add([Source(f"scan {number}.md", b"Water.") for number in range(6)])
        library.topics.refresh()
        assert {topic.name for topic in library.topics.all()} == {f"scan {number}" for number in range(6)}


# --- questions and summaries ---------------------------------------------------------------------------------


def test_an_answer_tells_what_topics_its_question_is_about(shelf):
    answer = shelf.ask("When are tulip bulbs planted?")
    topic = first_topics(shelf)["tulip"]
    assert shelf.topics.get(topic).name in answer.identified_topics
    assert len(answer.identified_topics) <= 3


def test_a_refusal_names_the_topic_it_was_limited_to(shelf):
    topic = next(t for t in shelf.topics.all() if 1 < len(t.documents) < len(SUBJECTS))
    answer = shelf.ask("Who invented the zeppelin?", filters=Filters(topics=(topic.topic_id,)))
    assert not answer.answered
    assert topic.name in answer.answer and topic.topic_id not in answer.answer


def test_every_sentence_of_a_summary_stands_in_a_document_of_the_topic(words):
    topic = words.topics.all()[0]
    summary = words.topics.summary(topic.name)
    assert summary.sources
    for source_ in summary.sources:
        assert source_.document_id in {one.document_id for one in topic.documents}
        assert source_.snippet in words.node(source_.node_id).node.text


# --- with a model ----------------------------------------------------------------------------------------------


def test_a_model_names_the_topics_and_is_asked_once(tmp_path):
    with OpenAiServer() as server, _named_by(server, tmp_path) as library:
        library.add([source("rose")])
        library.topics.refresh()
        names = [topic.name for topic, _ in library.topics.of_document(library.documents()[0].document_id)]
        assert names == ["Flowers", "Garden soil", "Spring work"]
        library.add([source("rose", text="Other words.")])
        library.topics.refresh()
        library.add([source("rose")])
        library.topics.refresh()
        assert len(library.topics.all()) == 3
        assert len(server.chats) == 2


def _named_by(server, folder, *, with_model=True):
    server.default = lambda _body: "Flowers; Garden soil; Spring work"
    llm = {"api_base": server.base_url, "api_key": server.key, "model": "scripted-1"}
    return opened(folder / "model", llm=llm, embedding={"enabled": False}, summary={"with_model": with_model})


def test_a_model_that_answers_is_not_asked_for_topics_unless_it_may_see_what_is_added(tmp_path):
    with OpenAiServer() as server, _named_by(server, tmp_path, with_model=False) as library:
        library.add([source("rose")])
        library.topics.refresh()
        assert library.topics.all()
        assert not server.chats


def test_topics_are_told_without_a_model_that_fails(tmp_path):
    llm = {"api_base": "http://127.0.0.1:9", "api_key": "k", "model": "m", "retries": 0, "timeout": 1}
    with opened(tmp_path / "down", llm=llm, embedding={"enabled": False}, summary={"with_model": True}) as library:
        library.add([source("rose")])
        library.topics.refresh()
        assert library.topics.all()
        assert library.topics.problem


def test_a_question_that_found_no_document_has_the_topics_of_those_most_alike_to_it_in_meaning(tmp_path):
    with opened(tmp_path / "shelf") as library:
        library.add([source(name) for name in SUBJECTS])
        library.embed_pending()
        library.topics.refresh()
        about = {name: library.topics.of_document(library.document(f"{name}.md").document_id) for name in SUBJECTS}
        told = library.topics.identify("When may a striker be awarded a penalty?", [])
        assert set(told) & {topic.name for name in ("goal", "pass", "foul") for topic, _ in about[name]}
        assert not set(told) & {topic.name for name in ("rose", "tulip", "bond") for topic, _ in about[name]}


def test_a_model_is_not_asked_what_a_document_without_text_is_about(tmp_path):
    blank = io.BytesIO()
    Image.new("RGB", (60, 80), "white").save(blank, "PDF")
    with OpenAiServer() as server, _named_by(server, tmp_path) as library:
        library.add([Source("blank.pdf", blank.getvalue()), Source("dash.txt", b"---\n")])
        library.topics.refresh()
        told = [str(chat["messages"]) for chat in server.chats]
        assert not any("<text>\\n\\n</text>" in one or "Title: blank" in one for one in told)
        assert library.topics.of_document(library.document("blank.pdf").document_id), "it is called by its name"


def test_what_else_an_english_document_tells_of_is_listed_with_commas(tmp_path):
    text = "\n\n".join(f"## {title}\n\n{said}" for title, said in SUBJECTS.values())
    with opened(tmp_path / "shelf", embedding={"enabled": False}) as library:
        library.add([Source("code.md", f"# The gardener’s code of bylaws\n\n{text}\n".encode())])
        library.topics.refresh()
        told = [topic.description for topic in library.topics.all() if "’" in topic.name]
    assert told and ", " in told[0] and "、" not in told[0]
