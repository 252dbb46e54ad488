"""What stands beside found texts in their documents is at hand where none of them answers."""

import pytest

from engine.ingest import Source
from engine.retrieve.beside import beside, tells_date
from engine.retrieve.pack import pack, retrieved

MINUTES = """Minutes of the second meeting

Date: 13/03/18

Venue: Room 308

Ida had read what others wrote on the matter.

Minutes of the third meeting

Date: 20/03/18

Venue: Room 309

We agreed to use Kotlin for the client of the library.

The supervisor was told by mail on the same evening.
"""


@pytest.fixture
def minutes(library):
    library.add([Source("minutes.txt", MINUTES.encode())])
    return library


def found(library, question):
    hits = library.search(question, top_k=1).hits
    return pack(hits, library.storage, 4000)


def test_the_paragraphs_next_to_a_text_and_the_date_above_it_are_brought_in_their_places(minutes):
    (item,) = found(minutes, "We agreed to use Kotlin for the client")
    near = {one.text: one for one in beside([item], minutes.storage)}
    assert "The supervisor was told by mail on the same evening." in near and "Date: 20/03/18" in near
    assert item.text not in near
    assert near["Date: 20/03/18"].position < near["Venue: Room 309"].position
    assert near["Date: 20/03/18"].hit.document == "minutes.txt"


def test_what_was_removed_meanwhile_brings_nothing(minutes):
    items = found(minutes, "We agreed to use Kotlin for the client")
    minutes.remove(items[0].hit.document_id)
    assert beside(items, minutes.storage) == []


def test_a_search_for_an_answer_gives_what_stands_beside_its_evidence(minutes):
    from engine.config import RetrievalSettings
    from engine.model import Filters

    search = minutes.search
    made = retrieved(
        search, minutes.storage, "Who agreed to use Kotlin?", Filters(), 4000, RetrievalSettings()
    )
    assert any("supervisor" in one.text for one in [*made.evidence, *made.beside(made.evidence)])


@pytest.mark.parametrize(
    "line", ["Date:20/03/18", "2025-04-14（晴），气温：-2°~16°", "March 13, 2018", "日期：2024年3月1日"]
)
def test_a_line_that_is_or_has_a_date_tells_one(line):
    assert tells_date(line)


@pytest.mark.parametrize(
    "line", ["Venue: Rm 308", "3. We met on 20/03/18 in the hall.", "Time: 12.30pm", "2018"]
)
def test_a_sentence_or_another_label_tells_none(line):
    assert not tells_date(line)
