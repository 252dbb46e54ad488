"""The graph of a library: documents, topics, collections and what joins them, kept in one file."""

from concurrent.futures import ThreadPoolExecutor

import networkx
import orjson
import pytest

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library
from engine.topics.library_graph import FILE, LibraryGraph
from engine.visited_library import within

TEXTS = {
    "pumps.md": "# Handbook of bilge pumps\n\nPumps are tested by ISO 15083 once a year and after every repair.",
    "ISO 15083.md": "# Bilge pumping systems\n\nThis standard says how pumps of small craft are tested.",
    "log.md": "# Log\n\nAs the Handbook of bilge pumps asks, both pumps ran for an hour on Sunday.",
    "bread.md": "# Rye bread\n\nRye flour, water and salt rest over night. The loaf bakes for an hour.",
}


@pytest.fixture
def shelf(tmp_path):
    with Library.open(tmp_path / "shelf", settings=Settings(embedding={"enabled": False}), background=False) as library:
        library.add([Source(name, text.encode()) for name, text in TEXTS.items()])
        library.collections.create("Boats")
        library.collections.move(["pumps.md", "ISO 15083.md"], "Boats")
        library.topics.refresh()
        yield library


def read(library):
    """The graph as networkx itself reads the file."""
    return networkx.node_link_graph(orjson.loads((library.folder / FILE).read_bytes()), edges="edges")


def joined(graph, kind):
    """The names at both ends of the edges of a kind."""
    name = dict(graph.nodes(data="name"))
    return {(name[one], name[other]) for one, other, key in graph.edges(keys=True) if key == kind}


def test_it_is_a_node_link_file_of_documents_topics_and_collections(shelf):
    graph = read(shelf)
    assert {name for _, name in graph.nodes(data="name")} >= {*TEXTS, "Boats"}
    assert joined(graph, "in") == {("pumps.md", "Boats"), ("ISO 15083.md", "Boats")}
    assert joined(graph, "names") == {("pumps.md", "ISO 15083.md"), ("log.md", "pumps.md")}
    topics = {
        (shelf.document(one.document_id).name, topic.name) for topic in shelf.topics.all() for one in topic.documents
    }
    assert joined(graph, "about") == topics and topics


def test_documents_that_are_alike_are_joined(tmp_path):
    texts = ["Bilge pumps lift water out of a boat.", "Rye bread bakes for an hour."]
    with Library.open(tmp_path, background=False) as library:
        library.add([Source(f"{n} {at}.md", f"{texts[at]} Note {n}.".encode()) for n in range(5) for at in (0, 1)])
        library.embed_pending()
        library.topics.refresh()
        pairs = joined(read(library), "alike")
    assert pairs and all(one.split()[1] == other.split()[1] for one, other in pairs)


def test_it_follows_what_is_added_changed_moved_and_removed(shelf):
    shelf.add([Source("note.md", b"# Note\n\nThe oven of the Rye bread was mended, see Handbook of bilge pumps.")])
    shelf.add([Source("log.md", b"# Log\n\nNothing happened.")])
    shelf.collections.move(["pumps.md"], None)
    shelf.remove("ISO 15083.md")
    shelf.topics.refresh()
    graph = read(shelf)
    assert joined(graph, "names") == {("note.md", "bread.md"), ("note.md", "pumps.md")}
    assert joined(graph, "in") == set()


def test_a_new_document_is_found_in_the_texts_that_name_it_already(shelf):
    shelf.add([Source("early.md", b"# Early\n\nThis follows the Rules of the harbour master.")])
    shelf.topics.refresh()
    shelf.add([Source("rules.md", b"# Rules of the harbour master\n\nNobody swims here.")])
    shelf.topics.refresh()
    assert ("early.md", "rules.md") in joined(read(shelf), "names")


@pytest.mark.parametrize("content", [None, b"", b"{}", b"[1]", b'{"nodes": [], "edges": [{}]}', b"\xff"])
def test_a_file_that_is_missing_or_damaged_is_made_again(shelf, content):
    path, whole = shelf.folder / FILE, read(shelf)
    path.unlink() if content is None else path.write_bytes(content)
    graph = LibraryGraph(shelf.folder, shelf.storage, lambda: None)
    graph.tell()
    assert networkx.utils.graphs_equal(read(shelf), whole)


def test_what_did_not_change_is_not_written_again(shelf):
    before = (shelf.folder / FILE).stat().st_mtime_ns
    shelf.topics.refresh()
    assert (shelf.folder / FILE).stat().st_mtime_ns == before


def test_what_was_stopped_is_told_the_next_time(shelf):
    shelf.add([Source("note.md", b"# Note\n\nSee Handbook of bilge pumps.")])
    shelf._graph.tell(stopped=lambda: True)
    assert ("note.md", "pumps.md") not in joined(read(shelf), "names")
    shelf._graph.tell()
    assert ("note.md", "pumps.md") in joined(read(shelf), "names")


def test_who_reads_one_collection_sees_its_part_of_the_graph(shelf):
    seen = within(shelf, ["Boats"]).topics.graph()
    assert {name for _, name in seen.nodes(data="name")} >= {"pumps.md", "ISO 15083.md", "Boats"}
    assert not {"log.md", "bread.md"} & {name for _, name in seen.nodes(data="name")}
    assert [one.name for one in within(shelf, ["Boats"]).topics.related("pumps.md")] == ["ISO 15083.md"]


def test_it_is_exported_beside_the_indexes(shelf, tmp_path):
    shelf.export_indexes("pumps.md", tmp_path)
    exported = networkx.node_link_graph(orjson.loads((tmp_path / "indexes/library.json").read_bytes()), edges="edges")
    assert networkx.utils.graphs_equal(exported, read(shelf))


def test_several_may_tell_it_at_once(shelf):
    def anew(_):
        (shelf.folder / FILE).unlink(missing_ok=True)
        return shelf.topics.refresh()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(anew, range(64))) == [0] * 64
    anew(0)
    assert set(TEXTS) <= {name for _, name in read(shelf).nodes(data="name")}
