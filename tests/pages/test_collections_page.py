"""Collections on the pages: made, filled, asked of alone, shared, and hidden from whom they are not for."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine import doctor
from engine.ingest import Source
from engine.interfaces.identity import LOCAL_OWNER, owner_of_user
from engine.interfaces.shared_links import shared_links
from engine.library import Library
from engine.model import Filters
from engine.shared_library import close_shared_libraries, shared_library
from tests.pages.page_texts import texts_of
from tests.pages.shelves import go_to, new_app, shelved

SECRETS = re.compile(r"kestrel|falconry|Sales|9,417", re.IGNORECASE)
OIDC = '[access]\noidc = true\nshared_links = true\nowners = ["Boss@example.org"]\n'


def test_a_collection_is_made_on_the_documents_page(shelf: Library, open_page):
    shelf.add([Source("a.md", b"# A\n\nApples."), Source("b.md", b"# B\n\nPears.")])
    app = open_page("documents")
    app.text_input(key="collections.new").set_value("合同 📁")
    app.button(key="collections.create").click().run()
    (made,) = shelf.collections.all()
    assert made.name == "合同 📁" and app.text_input(key="collections.new").value == ""
    app.text_input(key="collections.new").set_value("a/b")
    app.button(key="collections.create").click().run()
    assert "no slash" in texts_of(app)
    assert [one.name for one in shelf.collections.all()] == ["合同 📁"]


def test_the_list_shows_a_collection_alone_and_takes_new_files_into_it(shelf: Library, open_page):
    shelf.add([Source("a.md", b"# A\n\nApples."), Source("b.md", b"# B\n\nPears.")])
    made = shelf.collections.create("Contracts")
    shelf.collections.move(["a.md"], "Contracts")
    app = open_page("documents")
    app.selectbox(key="documents.collection").set_value(made.collection_id).run()
    choice = app.selectbox(key="documents.collection")
    assert choice.options == ["Contracts", "Not in a collection"] and choice.value == made.collection_id
    assert len(re.findall(r"count\W+1\W+current", everything(app))) == 2  # where documents can be dragged
    shown = everything(app)
    assert "a.md" in shown and "b.md" not in shown
    app.file_uploader[0].upload("c.md", b"# C\n\nPlums.").run()
    (job,) = [one for one in shelf.jobs() if one.kind == "ingest"]
    members = shelf.storage.collections.members()
    assert members[job.payload["received"]["document_id"]] == made.collection_id


def test_a_question_is_limited_to_a_collection_in_the_chat(shelf: Library, open_page):
    shelf.add([Source("a.md", b"# A\n\nApples weigh 9 kg."), Source("b.md", b"# B\n\nPears.")])
    made = shelf.collections.create("Fruit")
    shelf.collections.move(["a.md"], "Fruit")
    app = open_page("chat")
    field(app, "Collections").set_value([made.collection_id]).run()
    assert app.session_state["chat.scope.chosen"].collections == (made.collection_id,)
    assert field(app, "Answer only from these documents").options == ["a.md"]


def field(app: AppTest, label: str):
    return next(one for one in app.multiselect if one.label == label)


def test_a_refusal_names_the_collection_that_was_asked_and_all_documents_are_one_click_away(shelf: Library, open_page):
    shelf.add([Source("a.md", b"# A\n\nApples weigh 9 kg."), Source("b.md", b"# Pears\n\nPears keep for 3 weeks.")])
    made = shelf.collections.create("Fruit")
    shelf.collections.move(["a.md"], "Fruit")
    app = open_page("chat")
    field(app, "Collections").set_value([made.collection_id]).run()
    app.chat_input(key="chat.input").set_value("How long do pears keep?").run()
    told = texts_of(app)
    assert re.search("(Not found|No certain answer) in: Fruit", told)
    [every] = [one for one in app.button if one.label == "Ask all 2 documents"]
    every.click().run()
    assert "3 weeks" in texts_of(app) and app.session_state["chat.scope.chosen"].empty
    assert not [one for one in app.button if one.label.startswith("Ask all")]
    [talk] = shelf.conversations.list(LOCAL_OWNER, 9)
    asked = shelf.conversations.get(LOCAL_OWNER, talk.conversation_id)[1]
    assert [one.filters for one in asked if one.role == "user"] == [Filters(collections=(made.collection_id,)), None]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("house") / "shelf"
    with shelved(folder) as library:
        library.add([
            Source("robin.md", b"# Robin rules\n\nRobin rules: 28 days of holiday a year."),
            Source("kestrel.md", b"# Kestrel deal\n\n## Falconry\n\nThe Kestrel deal is worth 9,417 EUR."),
            Source("osprey.md", b"# Osprey contract\n\nThe Osprey contract ends in 2031."),
        ])  # fmt: skip
        for name, document, reader in (
            ("Sales", "kestrel.md", "ben@example.org"), ("Legal", "osprey.md", "lawyers"),
        ):  # fmt: skip
            library.collections.create(name)
            library.collections.move([document], name)
            library.collections.share(name, [reader], [])
        library.topics.refresh()
        close_shared_libraries()
        with (folder / "dropqa.toml").open("a") as settings:
            settings.write(OIDC)
        yield shared_library(folder)


def opened_by(email: str, page: str, *, groups: tuple[str, ...] = (), **parameters: str) -> AppTest:
    app = new_app()
    app.session_state["access.returned"] = True  # no browser kept where one had wanted to go
    app.user = {"is_logged_in": True, "email": email, "iss": "i", "sub": email, "groups": list(groups)}
    return go_to(app, page, parameters)


def everything(app: AppTest) -> str:
    """All that was sent to the browser."""
    found, open_ = [], [app._tree]
    while open_:
        one = open_.pop()
        found.append(str(getattr(one, "proto", "")))
        open_ += getattr(one, "children", {}).values()
    return "\n".join(found)


PAGES = [
    ("dashboard", {}), ("documents", {}), ("topics", {}), ("chat", {}), ("evaluation", {}), ("settings", {}),
    ("document", {"doc": "kestrel.md"}), ("document", {"doc": "robin.md"}), ("retrieval_lab", {"q": "deal worth"}),
    ("chat", {"about": "kestrel.md"}), ("documents", {"documents.query": "deal"}),
]  # fmt: skip


@pytest.mark.parametrize(("page", "parameters"), PAGES)
def test_no_page_shows_what_is_not_for_who_is_here(house: Library, page: str, parameters: dict[str, str]):
    told = everything(opened_by("ann@example.org", page, groups=("lawyers",), **parameters))
    told = re.sub(r"kestrel\\*\.md", "", told)  # what was asked for is named
    assert not SECRETS.search(told)


def test_each_sees_their_collections_and_the_owner_all(house: Library):
    for email, groups, names in (
        ("ann@example.org", ("lawyers",), {"robin.md", "osprey.md"}),
        ("ben@example.org", (), {"robin.md", "kestrel.md"}),
        ("boss@example.org", (), {"robin.md", "osprey.md", "kestrel.md"}),
    ):
        told = everything(opened_by(email, "documents", groups=groups))
        assert {name for name in ("robin.md", "osprey.md", "kestrel.md") if name in told} == names
    assert "kestrel.md" in everything(opened_by("ben@example.org", "document", doc="kestrel.md"))


def test_only_an_owner_changes_settings_and_collections(house: Library):
    ann = opened_by("ann@example.org", "settings", groups=("lawyers",))
    assert "Only owners of the library" in texts_of(ann) and not ann.tabs
    documents = opened_by("ann@example.org", "documents")
    assert not [one for one in documents.button if str(one.key).startswith("collections.")]
    boss = opened_by("boss@example.org", "settings")
    field = boss.text_input(key=f"collections.readers.{house.collections.get('Sales').collection_id}")
    assert field.value == "ben@example.org"
    field.set_value("ben@example.org, @example.com").run()
    assert house.collections.get("Sales").readers == ("ben@example.org", "@example.com")


def test_who_may_only_read_is_offered_nothing_that_would_be_refused(house: Library):
    reader = opened_by("ann@example.org", "documents", groups=("lawyers",))
    told = everything(reader)
    for name, may in (("robin.md", "true"), ("osprey.md", "false")):  # in no collection, and in one to read
        found = re.search(rf"{re.escape(name)}.*?change\W+(true|false)", told, re.DOTALL)
        assert found and found[1] == may, name


@pytest.mark.parametrize("missing", [True, False])
def test_where_what_signing_in_needs_is_missing_the_way_in_says_so(house: Library, monkeypatch, missing: bool):
    monkeypatch.setattr(doctor, "find_spec", lambda name: None if missing else name)
    app = new_app()
    app.user = {"is_logged_in": False}
    app.run()
    assert ("extra oidc dropqa" in texts_of(app)) == missing
    assert bool([one for one in app.button if one.key == "access.in"]) != missing
    assert [one.ok for one in doctor.signing_in(house.settings)] == [not missing]


@pytest.fixture
def work_under_way(house: Library) -> Iterator[dict[str, str]]:
    """Work on a document that ann may only read, and on one that she may change: running, and failed."""
    jobs, made = house.storage.jobs, {}
    for name in ("osprey.md", "robin.md"):
        received = {"received": {"document_id": house.document(name).document_id}}
        made[f"{name} failed"] = jobs.enqueue("ocr", name, received)
        jobs.lease(["ocr"])
        jobs.fail(made[f"{name} failed"], "It cannot be read.")
        made[name] = jobs.enqueue("enrich", name, received)
        jobs.lease(["enrich"])
    yield made
    for job_id in made.values():
        jobs.cancel(job_id)
        jobs.dismiss(job_id)


def test_work_on_a_document_is_for_those_to_stop_who_may_change_it(house: Library, work_under_way):
    ann = opened_by("ann@example.org", "documents", groups=("lawyers",))
    keys = {str(one.key) for one in ann.button}
    for name, offered in (("robin.md", True), ("osprey.md", False)):
        running, failed = work_under_way[name], work_under_way[f"{name} failed"]
        assert (f"cancel.{running}" in keys, f"retry.{failed}" in keys) == (offered, offered)
    ann.button(key=f"cancel.{work_under_way['robin.md']}").click().run()
    states = {name: house.storage.jobs.get(work_under_way[name]).state for name in ("robin.md", "osprey.md")}
    assert states == {"robin.md": "cancelled", "osprey.md": "running"}


def test_what_is_refused_since_the_page_was_drawn_is_told(house: Library, work_under_way):
    house.collections.share("Legal", ["lawyers"], ["ann@example.org"])
    ann = opened_by("ann@example.org", "documents", groups=("lawyers",))
    house.collections.share("Legal", ["lawyers"], [])
    ann.button(key=f"cancel.{work_under_way['osprey.md']}").click().run()
    assert not ann.exception and "not change it" in ann.toast[0].value
    assert house.storage.jobs.get(work_under_way["osprey.md"]).state == "running"


def test_a_shared_link_withholds_answers_from_what_its_reader_may_not_read(house: Library):
    owner = owner_of_user("i", "ben@example.org")
    kept = house.conversations.create(owner, "A deal")
    for question in ("What is the Kestrel deal worth?", "Which documents are in the library?"):
        answer = house.ask(question)
        house.conversations.append(owner, kept.conversation_id, "user", "A question")
        house.conversations.append(owner, kept.conversation_id, "assistant", answer.answer, answer.to_dict())
    link = shared_links(Path(house.folder)).begin(owner, kept.conversation_id)
    ann, boss = (opened_by(f"{who}@example.org", "chat", shared=link) for who in ("ann", "boss"))
    assert texts_of(ann).count("documents you do not have access to") == 2 and not SECRETS.search(everything(ann))
    assert "9,417" in everything(boss) and "not have access" not in texts_of(boss)


def test_documents_can_be_dragged_only_to_where_one_may_change_them(house: Library):
    for editors, offered in (([], []), (["ann@example.org"], ["Legal", "Not in a collection"])):
        house.collections.share("Legal", ["lawyers"], editors)
        ann = opened_by("ann@example.org", "documents", groups=("lawyers",))
        assert re.findall(r"name\W+([\w ]+?)\W+count\W+\d", everything(ann)) == offered
    house.collections.share("Legal", ["lawyers"], [])
