"""What is recommended: documents near to what was opened and asked, each with the reason, none that is known."""

import pytest

from engine.ingest import Source
from engine.library import Library
from engine.model import Filters
from engine.topics.recommended import MOST, recommended

BREAD = "Knead flour, water, yeast and salt to a dough, let the bread dough rise for two hours and bake the bread."
PUMPS = "Bilge pumps lift water out of the boat. Test the bilge pumps of a boat in spring and oil their valves."
TEXTS = {
    "pumps.md": f"# Bilge pumps\n\n{PUMPS} A boat has two of these pumps.",
    "pump repair.md": f"# Repair of bilge pumps\n\n{PUMPS} A broken valve of a pump is changed on land.",
    "pump list.md": f"# Which bilge pumps to buy\n\n{PUMPS} A small boat needs a pump of 40 litres.",
    "rye.md": f"# Rye bread\n\n{BREAD} Rye bread keeps for a week.",
    "wheat.md": f"# Wheat bread\n\n{BREAD} Wheat bread is best on the first day.",
    "tax.md": "# Income tax\n\nIncome tax returns are due on 31 July. Late returns cost a penalty of 25 euros.",
    "rent.md": "# Lease\n\nThe tenant of the flat pays for heating, and leaves the keys with the landlord.",
    "cats.md": "# Cats\n\nCats sleep sixteen hours a day, hunt at dusk and clean their fur with the tongue.",
    "bees.md": "# Bees\n\nBees gather nectar and pollen. In winter the colony keeps its queen warm.",
    "chess.md": "# Chess\n\nWhite opens the game. A pawn that reaches the last row becomes a queen or a knight.",
}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    with Library.open(tmp_path_factory.mktemp("recommended"), background=False) as library:
        library.add([Source(name, text.encode()) for name, text in TEXTS.items()])
        library.embed_pending()
        library.topics.refresh()
        yield library


def near(library, messages=(), opened=()):
    """What is recommended, as (name, reason, the name or question that it is for)."""
    ids = [library.document(name).document_id for name in opened]
    names = {one.document_id: one.name for one in library.documents()}
    found = recommended(library.topics, messages, ids)
    return [(names[one.document_id], one.reason, names.get(one.of, one.of)) for one in found]


def asked(library, question, **filters):
    """The messages of a conversation with one question and its answer, the last first."""
    kept = library.conversations.create("me")
    library.conversations.append("me", kept.conversation_id, "user", question, filters=Filters(**filters))
    answer = library.ask(question, filters=Filters(**filters))
    library.conversations.append("me", kept.conversation_id, "assistant", answer.answer, answer.to_dict())
    return library.conversations.get("me", kept.conversation_id)[1][::-1]


def test_a_document_like_one_that_was_opened_is_recommended(shelf):
    found = near(shelf, opened=["rye.md"])
    assert found[0][0] == "wheat.md" and found[0][2] == "rye.md"
    assert len(found) <= MOST and not {"rye.md", "tax.md", "rent.md"} & {name for name, _, _ in found}


def test_what_tells_of_a_question_is_recommended_unless_the_answer_cited_it(shelf):
    question = "How do the bilge pumps lift water out of a boat?"
    messages = asked(shelf, question)
    cited = {source["document"] for one in messages if one.answer for source in one.answer["sources"]}
    found = near(shelf, messages)
    assert found and {name for name, _, _ in found} <= {"pumps.md", "pump repair.md", "pump list.md"} - cited
    assert {(reason, of) for _, reason, of in found} <= {("asked", question)}


def test_a_document_that_was_asked_about_counts_as_opened(shelf):
    rye = shelf.document("rye.md").document_id
    found = near(shelf, asked(shelf, "How long does it bake?", documents=(rye,)))
    assert "rye.md" not in {name for name, _, _ in found}
    assert ("wheat.md", "rye.md") in {(name, of) for name, _, of in found}


def test_nothing_is_recommended_without_anything_near(shelf):
    assert near(shelf) == []
    assert near(shelf, opened=[]) == [] and near(shelf, asked(shelf, "What is the capital of Peru?")) == []
    assert near(shelf, opened=list(TEXTS)) == []


def test_what_was_removed_since_is_passed_over(tmp_path):
    with Library.open(tmp_path, background=False) as library:
        library.update_settings({"embedding.enabled": False})
        assert recommended(library.topics, (), ["d00000000000"]) == []
