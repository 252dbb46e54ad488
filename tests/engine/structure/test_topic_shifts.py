"""Text without headings is divided where its topic shifts, told by vectors; by words where there are none."""

import numpy as np
import pytest

from engine.config import ParsingSettings, SemanticChunkingSettings, Settings
from engine.ingest import Source
from engine.library import Library
from engine.structure.cohesion import likenesses, unshifted
from engine.structure.draft import Draft
from engine.structure.normalization import divide

SHIPS = "The {0} of the harbour was painted again this {1}, and nobody who lives there could say what it had cost. "
TEXTS = [SHIPS.format(f"boat {n}", f"week {n}") * 6 for n in range(8)]


def vector_of(place):
    """Texts 0 to 2 are about one thing, 3 to 7 about another."""
    return np.eye(4, dtype=np.float32)[place // 3 if place < 3 else 1] + 0.05 * np.eye(4, dtype=np.float32)[place % 4]


def embed(texts):
    made = np.stack([vector_of(TEXTS.index(text)) for text in texts])
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def parts(embed, headed=False, **chunking):
    leaves = [Draft("paragraph", "", text, 1, None, None) for text in TEXTS]
    root = Draft("document", "Boats", "")
    root.children = [Draft("section", "1 Boats", "", level=1, children=leaves)] if headed else leaves
    normal = {"max_section_length": 1000}
    settings = ParsingSettings.model_validate(
        {"semantic_chunking": {"max_chunk_size": 800, **chunking}, "structure_normalization": normal}
    )
    divide(root, settings, embed)
    top = root.children[0].children if headed else root.children
    return [len(part.children) for part in top if part.role == "section"]


def test_a_shift_of_meaning_that_no_word_tells_begins_a_section():
    assert sum(parts(embed)) == len(TEXTS)
    assert 3 in np.cumsum(parts(embed))


def test_where_it_is_as_alike_as_the_threshold_wants_the_topic_goes_on():
    vectors = np.stack([vector_of(place) for place in range(8)])
    similar = likenesses(vectors, [1.0] * 8, 1.0)
    assert set(range(1, 8)) - unshifted(similar, 0.5) == {3}
    assert unshifted([0.8, 0.8, 0.8], 0.5) == frozenset()


def test_text_under_headings_and_long_documents_wait_for_no_vectors(monkeypatch):
    def refuse(texts):
        raise AssertionError("no vectors are needed")

    assert sum(parts(refuse, headed=True)) == len(TEXTS)
    monkeypatch.setattr("engine.structure.normalization.MOST_EMBEDDED", 7)
    assert sum(parts(refuse)) == len(TEXTS)


def test_without_a_model_words_tell():
    assert parts(lambda texts: None) == parts(None)


def test_where_embeddings_are_off_files_are_parsed_without_the_model():
    off = Settings.model_validate({"embedding": {"enabled": False}})
    assert off.parsing_in_force.semantic_chunking.similarity_threshold == 0
    assert Settings().parsing_in_force.semantic_chunking == SemanticChunkingSettings()


@pytest.mark.parametrize("enabled", [True, False])
def test_a_text_of_two_subjects_is_divided_between_them(tmp_path, enabled):
    bread = "The dough rests under a cloth until it has doubled, then the baker shapes it and heats the oven. "
    stars = "The telescope follows the planet through the night while the camera gathers its faint light. "
    text = "\n\n".join(subject * 7 + f"Number {n}." for subject in (bread, stars) for n in range(6))
    settings = Settings.model_validate({"embedding": {"enabled": enabled}})
    with Library.open(tmp_path / "shelf", settings=settings, background=False) as library:
        library.add([Source("notes.txt", text.encode())])
        nodes = library.tree("notes.txt").nodes
    sections = {node.node_id for node in nodes if node.role == "section"}
    held = {one: {"dough" in n.text for n in nodes if n.parent_id == one and n.text} for one in sections}
    assert len(sections) > 1 and all(len(kinds) <= 1 for kinds in held.values())


def test_what_a_reader_said_is_no_heading_neither_begins_nor_names_a_section():
    ruled_out = Draft("paragraph", "", "Number of boats (dozens)", metadata={"correction": "text"})
    leaves = [Draft("paragraph", "", text, 1, None, None) for text in TEXTS]
    root = Draft("document", "Boats", "", children=[ruled_out, *leaves[:3], ruled_out, *leaves[3:]])
    normal = {"max_section_length": 1000}
    settings = ParsingSettings.model_validate(
        {"semantic_chunking": {"max_chunk_size": 800}, "structure_normalization": normal}
    )
    divide(root, settings, None)
    made = [part for part in root.children if part.role == "section"]
    assert len(made) > 1 and not any(part.title.startswith("Number") for part in made)
    assert all(part.children[0] is not ruled_out for part in made[1:])
