"""What topics of a document are told from."""

import io

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from engine.config import Settings
from engine.errors import NotFoundError
from engine.ingest import Source
from engine.library import Library
from engine.topics import profile
from engine.topics.given_names import is_name, pieces_of, terms_in
from engine.topics.profile import profile_of

LONG = "Roses want sun, water and a rich garden soil; they are pruned in spring before the buds open. " * 4


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path, settings=Settings(), background=False) as library:
        yield library


def told(library, text, name="rose.md"):
    """The profile of a document that is added, and the vectors of its nodes by their text."""
    library.add([Source(name, text.encode())])
    library.embed_pending()
    model = library.embedder.name
    document = library.document(name)
    graph = library.storage.graph(document.document_id)
    keys = {data["key"]: data["node"] for _, data in graph.nodes(data=True) if data}
    vectors = library.storage.snapshot().vectors(list(keys), model)
    return profile_of(document, library.storage, library.embedder), {keys[k].text: v for k, v in vectors.items()}


def test_a_profile_has_title_names_and_the_beginning(library):
    found, _ = told(library, "# Roses\n\n## Winter pruning\n\nPrune in winter.\n\n## Summary\n\nWater at dawn.\n")
    assert found.title == "Roses"
    assert found.names == ["Roses", "Winter pruning"]
    assert "Winter pruning\nSummary" in found.about and "Prune in winter." in found.about


def test_what_the_cells_of_a_table_say_again_and_again_names_no_document(library):
    rows = "".join(f"Roof repair,{n},Copper gutter\n" for n in range(30))
    found, _ = told(library, f"Work,Days,Material\n{rows}", "garden_sheds.csv")
    assert (found.title, found.names) == ("garden sheds", [])


def test_a_files_name_is_written_as_the_text_writes_it(library):
    found, _ = told(library, "The HOA met in May. The HOA rules are kept by the secretary.\n", "hoa-rules.md")
    assert found.title == "HOA rules"


def test_the_number_of_a_part_is_no_name(library):
    found, _ = told(library, "# Roses\n\n## ARTICLE IV\n\nPrune roses in winter.\n\n## PART II\n\nWater.\n")
    assert found.names == ["Roses"]


def test_a_long_passage_weighs_more_than_a_short_line(library):
    found, vectors = told(library, f"# Roses\n\n{LONG}\n\nSee page 7.\n")
    short = next(vector for text, vector in vectors.items() if text == "See page 7.")
    long = next(vector for text, vector in vectors.items() if text.startswith("Roses want"))
    assert found.vector @ long > found.vector @ short
    assert np.linalg.norm(found.vector) == pytest.approx(1.0, abs=1e-5)


def test_of_a_long_document_nodes_from_beginning_to_end_are_read(library, monkeypatch):
    monkeypatch.setattr(profile, "MOST_NODES", 4)
    text = "# Log\n\n" + "\n\n".join(f"Entry {n}: the pump ran for {n} hours." for n in range(20))
    found, _ = told(library, text, "log.md")
    assert found.vector is not None
    assert profile._spread(list(range(20)), 4) == [0, 5, 10, 15]
    assert profile._spread([1, 2], 4) == [1, 2]


def test_a_document_that_is_gone_has_no_profile(library):
    library.add([Source("rose.md", b"# Roses")])
    document = library.remove("rose.md")
    with pytest.raises(NotFoundError):
        profile_of(document, library.storage, None)


def test_headings_that_nobody_wrote_are_left_out(library):
    subjects = [
        "roses",
        "pumps",
        "bonds",
        "bread",
        "goals",
        "harbours",
        "engines",
        "clouds",
        "violins",
        "glass",
    ]
    text = "\n\n".join(
        f"The {one} of town {n}: {one} need care, and {one} are kept well by whoever knows {one} in winter. " * 5
        for n, one in enumerate(subjects * 3)
    )
    library.add([Source("notes.txt", text.encode())])
    document = library.document("notes.txt")
    tree = library.storage.tree(document.document_id)
    made = [node.title for node in tree.nodes if node.metadata.get("generated")]
    found = profile_of(document, library.storage, None)
    assert made
    assert not set(made) & set(found.text.split("\n"))


def blurred_letterhead() -> bytes:
    """A page of clear lines below a name that is hardly to be read."""
    page, head = Image.new("RGB", (900, 700), "white"), Image.new("RGB", (500, 60), "white")
    ImageDraw.Draw(head).text((10, 5), "QUIRKWELD JOURNALS", "black", ImageFont.load_default(24))
    page.paste(head.filter(ImageFilter.GaussianBlur(3.2)).resize((300, 60)), (200, 40))
    lines = (
        "Roses are pruned in spring before the buds open.", "Climbing roses want a wall that faces south.",
        "Roses are watered at dawn, never at noon.", "Old roses bloom once, in June.", "Roses like a rich soil.",
    )  # fmt: skip
    for number, line in enumerate(lines):
        ImageDraw.Draw(page).text((60, 220 + 60 * number), line, "black", ImageFont.load_default(26))
    data = io.BytesIO()
    page.save(data, "PNG")
    return data.getvalue()


def test_what_text_recognition_is_in_doubt_about_names_no_document(library):
    library.add([Source("garden scan.png", blurred_letterhead())])
    library.read_pending()
    document = library.document("garden scan.png")
    [doubted] = [node.title or node.text for node in library.tree(document.document_id).nodes if node.doubtful]
    found = profile_of(document, library.storage, None)
    assert doubted and doubted not in (found.title, *found.names) and doubted not in found.about
    assert found.title == "garden scan" and "pruned in spring" in found.about


ROSES = """# Rose growing

## Winter pruning of roses

Garden roses are pruned in late winter. The rose gardener cuts old canes. Rose canes that crossed are cut too.

## Black spot on roses

Black spot is a rose disease. Rose leaves with black spot are burnt. Rose leaves fall early; rose leaves turn yellow.

## Payment of invoices

Invoices are paid in May.
"""


def test_what_a_document_says_of_something_else_names_it_less_than_its_subject(library):
    found, _ = told(library, ROSES)
    assert found.names[0] == "Rose growing"
    assert {"Winter pruning of roses", "Black spot on roses"} <= set(found.names)
    assert "Payment of invoices" not in found.names


def test_without_a_model_every_heading_may_name_a_document(library):
    library.add([Source("rose.md", ROSES.encode())])
    assert "Payment of invoices" in profile_of(library.document("rose.md"), library.storage, None).names


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Rats treated with oil sleep. Rats treated early eat. Rats treated late die. ", []),
        ("The signature agrees. One signature agrees. No signature agrees with another. ", []),
        ("A soil sample is dry. Each soil sample is heavy. No soil sample is lost. ", ["Soil sample"]),
        ("所述查询模块读取。所述查询模块写入。所述查询模块关闭。", []),
        ("水利知识的更新。水利知识的共享。水利知识。", ["水利知识"]),
    ],
)
def test_a_term_is_a_whole_phrase_that_ends_with_a_noun(text, terms):
    assert [term for term in terms_in(text) if terms_in(text)[term] > 1] == terms


@pytest.mark.parametrize("name", ["基于机器学习方法", "如何选择搜索算法"])
def test_what_wants_more_words_or_an_answer_is_no_name(name):
    assert not is_name(name)


def test_a_model_number_belongs_to_its_name():
    assert pieces_of("MPPT 1210 HUS") == ["MPPT 1210 HUS"]


def test_a_title_in_capitals_is_written_in_lower_case():
    assert pieces_of("CERTIFICATE OF CONFORMITY") == ["Certificate of Conformity"]


def test_marks_around_a_word_of_a_title_stay_and_those_around_all_of_it_go():
    assert pieces_of("“双一流”建设") == ["“双一流”建设"]
    assert pieces_of("《民法典》") == pieces_of("“民法典”") == ["民法典"]
    assert not is_name("双一流”建设")


def test_what_one_place_tells_names_a_document_less_than_what_all_of_it_comes_back_to(library):
    found, _ = told(
        library, f"# Notes\n\n{LONG}\n\n## Rose garden of Baron Harkness\n\n{LONG}\n\n## Garden soil\n\n{LONG}"
    )
    assert "Garden soil" in found.names and "Rose garden of Baron Harkness" not in found.names


def test_the_name_of_the_file_names_a_document_whose_title_says_nothing(library):
    found, _ = told(library, f"# Policy number\n\n{LONG}", "rich garden soil.md")
    assert found.names[0] == "Rich garden soil"


def test_what_a_document_says_of_its_names_is_kept_with_it(library):
    far = "\n\n".join(["Bees visit the garden at noon, when it is warm and the wind is low."] * 60)
    found, _ = told(library, f"# Garden bees\n\n{far}\n\nGarden bees sleep in hollow stems.\n")
    assert "Garden bees sleep in hollow stems." in found.about


def test_a_files_name_of_codes_is_no_title(library):
    rows = "Work,Days\nRoof,3\n"
    titles = {name: told(library, rows, name)[0].title for name in ("zh_poitl_554.csv", "sales forecast v2.csv")}
    assert titles == {"zh_poitl_554.csv": "", "sales forecast v2.csv": "sales forecast v2"}
