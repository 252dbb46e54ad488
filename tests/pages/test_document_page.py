from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.config import Settings
from engine.index.strategies import records
from engine.ingest import Source
from engine.library import Library
from storage.base import VersionWrite
from tests.pages.page_texts import texts_of
from tests.pages.shelves import shelved

FIRST = b"# Harvest\n\n## Apples\n\nThe orchard gave nine tons of apples.\n"
SECOND = b"# Harvest\n\n## Apples\n\nThe orchard gave ten tons of apples.\n\n## Pears\n\nAnd two tons of pears.\n"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with shelved(tmp_path_factory.mktemp("document") / "shelf") as library:
        library.add([Source("harvest.md", FIRST)])
        library.add([Source("harvest.md", SECOND)])
        yield library


@pytest.fixture
def harvest(shelf: Library) -> Library:
    return shelf


def node_of(shelf: Library, text: str, version: int | None = None) -> str:
    return next(n.node_id for n in shelf.tree("harvest.md", version).nodes if text in n.title + n.text)


def test_a_deep_link_opens_the_node(harvest: Library, open_page):
    app = open_page("document", doc=harvest.document("harvest.md").document_id, node=node_of(harvest, "Pears"))
    assert "**Pears**" in texts_of(app)


def test_a_node_alone_is_enough_for_a_link(harvest: Library, open_page):
    app = open_page("document", node=node_of(harvest, "Pears"))
    assert app.title[0].value == "harvest\\.md"


@pytest.mark.parametrize(
    "parameters",
    [
        {"page": "999"}, {"page": "-1"}, {"page": "x"}, {"page": "0"}, {"page": "١"}, {"version": "99"},
        {"version": "x"}, {"node": "n-does-not-exist"}, {"node": "<script>"}, {"quote": "x" * 5000},
    ],
)  # fmt: skip
def test_a_wrong_parameter_still_opens_the_document(harvest: Library, open_page, parameters):
    app = open_page("document", doc="harvest.md", **parameters)
    assert app.title[0].value == "harvest\\.md"


@pytest.mark.parametrize("parameters", [{"doc": "d-does-not-exist"}, {"node": "n-does-not-exist"}])
def test_a_document_that_does_not_exist_is_told_calmly(harvest: Library, open_page, parameters):
    app = open_page("document", **parameters)
    assert "no longer exists" in texts_of(app)


def test_an_old_version_can_be_read_and_is_marked_as_old(harvest: Library, open_page):
    app = open_page("document", doc="harvest.md", version="1", node=node_of(harvest, "Apples", 1))
    assert "version 1" in texts_of(app) and "current one, version 2" in texts_of(app)
    assert "**Apples**" in texts_of(app)


def test_the_pages_of_a_pdf_can_be_turned_and_read_as_text(shelf: Library, open_page, make_pdf):
    path = make_pdf([[(20, "Harvest"), (11, "Nine tons of apples.")], [(20, "Winter"), (11, "Four tons kept.")]])
    shelf.add([Source("harvest.pdf", path)])
    app = open_page("document", doc="harvest.pdf", page="2")
    app.get_by_key("reader.view").set_value("text").run()
    assert not app.exception


def test_the_name_of_a_document_is_shown_as_it_stands(shelf: Library, open_page):
    shelf.add([Source("![a](https://evil.example/x.png).md", FIRST)])
    name = shelf.documents()[0].name
    app = open_page("document", doc=shelf.documents()[0].document_id)
    assert "![a](" not in app.title[0].value
    assert app.title[0].value.replace("\\", "").replace("\u2060", "") == name


@pytest.mark.parametrize(("confidence", "told"), [(0.97, "confidence 97%"), (0.61, "only 61%: check it")])
def test_what_text_recognition_has_read_says_how_sure_it_is(harvest: Library, open_page, confidence, told):
    tree = harvest.tree("harvest.md")
    tree = replace(tree, nodes=[replace(node, metadata={"ocr_confidence": confidence}) for node in tree.nodes])
    document = harvest.document("harvest.md")
    with harvest.storage.unit_of_work() as unit:
        unit.write(
            VersionWrite(
                document.document_id, document.name, document.media_type, document.sha256, document.size, None, [],
                tree.nodes, [], records(tree, Settings()), replaces=2,
            )
        )  # fmt: skip
        unit.commit()
    app = open_page("document", doc="harvest.md", node=node_of(harvest, "two tons of pears"))
    assert told in texts_of(app)
