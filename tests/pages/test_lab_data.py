import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.ingest import Source
from engine.library import Library
from engine.retrieve import journey
from engine.retrieve.inspect import Inspection
from pages.widgets import lab, lab_data
from pages.widgets.lab_data import moved, scores_data, stages_data, views_data
from pages.widgets.texts import TEXTS, named
from tests.pages.shelves import shelved

NOTE = "# Harvest\n\n## Apples\n\nNine tons of apples.\n\nThe cellar is cool.\n\n## Pears\n\nTwo tons of pears.\n"
KINDS = ("parent", "child", "sibling", "same_page", "caption", "caption_of", "refers_to", "referred_by")


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with shelved(tmp_path_factory.mktemp("data") / "shelf") as library:
        library.add([Source("note.md", NOTE.encode())])
        yield library


@pytest.fixture
def inspection(shelf: Library) -> Inspection:
    return shelf.finder.inspect("tons of apples")


def test_stages_come_in_order_with_times_and_counts(inspection):
    names = [row["name"] for row in stages_data(inspection)["rows"]]
    assert names[0] == "Where to look" and names[-1] == "Results"
    assert names.index("By words") < names.index("Put together") < names.index("Compared")
    assert stages_data(inspection)["rows"][-1]["count"].endswith(("passage", "passages"))


def test_the_parts_of_a_score_fill_its_bar_and_no_more(inspection):
    data = scores_data(inspection, None, {})
    widths = [sum(part["share"] for part in row["parts"]) for row in data["rows"]]
    assert max(widths) == pytest.approx(1)
    assert {part["label"] for part in data["legend"]} >= {"words"}


def test_columns_know_which_nodes_became_hits(inspection):
    data = views_data(inspection, None)
    hits = {hit.node_id for hit in inspection.hits}
    rows = [row for column in data["columns"] for row in column["rows"]]
    assert rows and all(row["hit"] == (row["id"] in hits) for row in rows)


def test_hits_tell_where_they_stood_under_other_settings(shelf: Library, inspection):
    other = shelf.finder.inspect("pears", top_k=1)
    (hit,) = other.hits
    assert set(moved(other, other).values()) == {"same place"}
    told = moved(inspection, other)[hit.node_id]
    assert told == "new" or told.startswith(("up", "down", "same"))
    row = scores_data(other, None, {hit.node_id: "up 2"})["rows"][0]
    assert row["notes"] == ["up 2"]


def test_every_reason_of_a_journey_has_a_sentence():
    source = Path(journey.__file__).read_text()
    told = set(re.findall(r"Stop\(\s*\"(\w+)\",\s*\"\w+\",\s*\"(\w+)\"", source))
    assert len(told) >= 15
    told |= {("expand", kind) for kind in KINDS}
    assert not [f"why.{stage}.{reason}" for stage, reason in told if f"why.{stage}.{reason}" not in TEXTS]


def test_a_sentence_tells_the_facts_and_names_the_nodes():
    stop = journey.Stop("expand", "passed", "sibling", {"origin": "n1"})
    assert lab.sentence(stop, lambda node_id: "Apples") == "It was added because it stands beside “Apples”."
    stop = journey.Stop("dense", "absent", "below_k", {"cosine": 0.2, "last": None, "k": 1000})
    assert "1,000" in lab.sentence(stop, str)
    assert lab.figures(stop, str) == "dense · cosine = 0.2, last = –, k = 1,000"
    stop = journey.Stop("sparse", "absent", "no_shared_words", {"shared": "", "missing": "tons, apples"})
    assert lab.sentence(stop, str).endswith("Missing: tons, apples.")
    assert "brand_new" in lab.sentence(journey.Stop("dense", "absent", "brand_new", {}), str)


def test_what_has_no_name_yet_goes_by_its_own():
    assert named("lab.part.window", "window") == "window"


def test_every_part_of_a_score_has_a_colour_and_a_name():
    drawn = Path(lab_data.__file__).with_name("lab_scores.css").read_text(encoding="utf-8")
    for name in lab_data.TERMS:
        assert f"--{name}:" in drawn and f"lab.part.{name}" in TEXTS
