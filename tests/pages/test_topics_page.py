"""The Topics page: all topics, one topic, and changing them by hand."""

import pytest

from engine.ingest import Source
from engine.library import Library
from pages.widgets import names, topic_overview
from tests.pages.page_texts import texts_of

TEXTS = {
    "rose.md": "# Garden roses\n\nRoses want sun and water. Prune garden roses in spring before the buds open.",
    "tulip.md": "# Garden tulips\n\nTulips want sun and sandy soil. Plant tulip bulbs in autumn before frost.",
    "bond.md": "# Bonds\n\nBonds pay interest twice a year. Their market price falls as rates rise.",
}


def filled(shelf: Library) -> Library:
    shelf.add([Source(name, text.encode()) for name, text in TEXTS.items()])
    shelf.topics.refresh()
    return shelf


def topic_of(shelf: Library, name: str = "rose.md"):
    return shelf.topics.of_document(shelf.document(name).document_id)[0][0]


def test_an_empty_library_is_told_what_to_do(open_page):
    app = open_page("topics")
    assert "No topics yet" in texts_of(app)
    assert "还没有主题" in texts_of(open_page("topics", "zh-CN"))


def test_topics_are_shown_and_searched(shelf, open_page):
    filled(shelf)
    app = open_page("topics")
    assert "3 documents" in texts_of(app)
    app.text_input(key="topics.query").set_value("nothing like it").run()
    assert "No topic matches." in texts_of(app)


def test_topics_of_one_document_stand_beside_those_of_several(shelf, open_page, monkeypatch):
    filled(shelf)
    assert any(len(topic.documents) == 1 for topic in shelf.topics.all())
    drawn = []
    monkeypatch.setattr(topic_overview, "_cards", lambda data, key: drawn.append(data["rows"]))
    open_page("topics")
    assert {row["name"] for row in drawn[-1]} == {topic.name for topic in shelf.topics.known().browsed}


def test_every_document_is_under_a_topic_that_is_shown_and_one_alone_only_where_it_has_no_other(shelf, open_page):
    said = "are used by divers in the bay from May to June. They dry slowly in the wind."
    kelp = "".join(f"## {name}\n\n{name} {said}\n\n" for name in ("Drying racks", "Rubber gloves", "Kelp knives"))
    filled(shelf).add([Source("kelp.md", f"# Kelp\n\n{kelp}".encode())])
    shelf.topics.refresh()
    shown = shelf.topics.known().browsed
    assert {one.document_id for topic in shown for one in topic.documents} == {
        one.document_id for one in shelf.documents()
    }
    shared = {one.document_id for topic in shown if len(topic.documents) > 1 for one in topic.documents}
    assert not any(topic.documents[0].document_id in shared for topic in shown if len(topic.documents) == 1)
    renamed = shelf.topics.rename(next(t for t in shelf.topics.all() if t not in shown).topic_id, "Mine")
    assert renamed.topic_id in {topic.topic_id for topic in shelf.topics.known().browsed}


def test_a_topic_is_described_in_a_sentence_of_one_of_its_documents(shelf, open_page):
    shelf.add(
        [Source("kelp.md", b"# Kelp\n\nKelp grows in cold water. Divers cut it by hand in May and dry it on racks.")]
    )
    shelf.topics.refresh()
    topic = topic_of(shelf, "kelp.md")
    told = shelf.topics.described([topic])[topic.topic_id]
    assert told == ("Kelp grows in cold water.", shelf.document("kelp.md").document_id)


def test_the_cloud_is_drawn(shelf, open_page):
    filled(shelf)
    app = open_page("topics")
    app.radio(key="topics.view").set_value("cloud").run()
    assert not app.exception


def test_the_graph_is_drawn(shelf, open_page):
    filled(shelf)
    app = open_page("topics")
    app.radio(key="topics.view").set_value("graph").run()
    assert not app.exception


def test_a_link_opens_a_topic(shelf, open_page):
    topic = topic_of(filled(shelf))
    app = open_page("topics", topic=topic.topic_id)
    assert app.title[0].value == topic.name
    assert topic_overview.address_of(topic) == f"topics?topic={topic.topic_id}"


def test_a_topic_that_is_gone_is_told(shelf, open_page):
    filled(shelf)
    app = open_page("topics", topic="t000")
    assert "no longer exists" in texts_of(app)
    assert app.title[0].value == "Topics"


def test_a_summary_is_made_on_demand(shelf, open_page):
    topic = topic_of(filled(shelf))
    app = open_page("topics", topic=topic.topic_id)
    app.button(key="topics.summarize").click().run()
    assert not app.exception
    assert "Roses" in texts_of(app)


@pytest.mark.parametrize("action", ["rename", "merge", "delete"])
def test_each_way_to_change_a_topic_says_what_it_does(shelf, open_page, action):
    topic = max(filled(shelf).topics.all(), key=lambda one: len(one.documents))
    app = open_page("topics", topic=topic.topic_id)
    app.button(key=f"topics.{action}").click().run()
    assert not app.exception
    assert app.button(key=f"topics.{action}.do")


def test_a_topic_of_one_document_cannot_be_split(shelf, open_page):
    topic = min(filled(shelf).topics.all(), key=lambda one: len(one.documents))
    assert open_page("topics", topic=topic.topic_id).button(key="topics.split").disabled


def test_the_graph_draws_the_strongest_ties_of_each_topic():
    members = {name: {"hub", name} for name in "abcdefgh"} | {"hub": {"hub", "a"}, "alone": {"x"}}
    found = topic_overview.ties(members)
    assert ("a", "hub", 2) in found
    assert not any("alone" in (one, other) for one, other, _ in found)
    assert len(found) <= topic_overview.MOST_TIES * len(members)


STAFF = "# Staff\n\n| Name | Room | Since |\n|---|---|---|\n| Edda Varga | North wing | 2019 |\n"
STAFF += "| Ruben Aske | South wing | 2021 |\n| Li Na | North wing | 2023 |\n"


def names_page(open_page):
    """The page with its names."""
    return open_page("topics").radio(key="topics.view").set_value("names").run()


def cards_of(monkeypatch, app):
    """What the cards of names on a page say after another run."""
    drawn = []
    monkeypatch.setattr(names, "_cards", lambda data, key: drawn.append(data["rows"]))
    app.run()
    assert not app.exception
    return drawn[-1] if drawn else []


def test_names_are_browsed_searched_and_lead_to_their_places(shelf, open_page, monkeypatch):
    filled(shelf).add(
        [Source("staff.md", STAFF.encode()), Source("mail.eml", b"From: Li Na <na@example.org>\n\nHello")]
    )
    shelf.topics.refresh()
    app = names_page(open_page)
    assert "in several places of the documents: 1" in texts_of(app)
    assert [one["name"] for one in cards_of(monkeypatch, app)] == ["Li Na"]
    assert app.toggle(key="names.every").set_value(True).run().toggle(key="names.every").label.startswith("Show all")
    assert [one["name"] for one in cards_of(monkeypatch, app)] == ["Li Na", "Edda Varga", "Ruben Aske"]
    app.text_input(key="topics.query").set_value("ruben").run()
    assert [(one["name"], one["href"]) for one in cards_of(monkeypatch, app)] == [
        ("Ruben Aske", "topics?name=Ruben%20Aske")
    ]
    app = open_page("topics", "zh-CN", name="Ruben Aske")
    assert app.title[0].value == "Ruben Aske" and "所有名称" in app.get("page_link")[0].proto.label
    said = cards_of(monkeypatch, app)
    assert [one["name"] for one in said] == ["Room: South wing · Since: 2021"]
    node = shelf.topics.said_of("Ruben Aske")[0].node_id
    assert said[0]["size"] == "staff.md" and f"node={node}" in said[0]["href"] and "cell=B3" in said[0]["href"]


def test_a_value_is_said_of_what_has_it(shelf, open_page, monkeypatch):
    filled(shelf).add([Source("staff.md", STAFF.encode())])
    shelf.topics.refresh()
    app = names_page(open_page)
    app.text_input(key="topics.query").set_value("north wing").run()
    assert [one["name"] for one in cards_of(monkeypatch, app)] == ["Room of Edda Varga", "Room of Li Na"]


def test_a_library_without_names_offers_none(shelf, open_page):
    filled(shelf)
    assert open_page("topics").radio(key="topics.view").options == ["Cards", "Cloud", "Graph"]
