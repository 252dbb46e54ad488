"""A list comes with the sentence that announces it, whichever of the two was found."""

import pytest

from engine.ingest import Source
from engine.model import Filters
from engine.retrieve.expand import prose_in_graph
from engine.retrieve.pack import pack
from engine.retrieve.window import announces, list_of

LEASE = """# Lease

## Duties

The rent is due on the first day of a month.

Article 9 The tenant shall do the following:

(a) pay the rent on time;

(b) keep the rooms clean and aired;

(c) tell the owner of any damage.

The owner may visit once a month.
"""
ITEMS = [
    "(a) pay the rent on time;",
    "(b) keep the rooms clean and aired;",
    "(c) tell the owner of any damage.",
]


@pytest.fixture
def lease(library):
    library.add([Source("lease.md", LEASE.encode())])
    return library


def hit(library, question):
    return library.search(question, top_k=1, mode="fulltext").hits[0]


def list_around(library, found):
    return list_of(*prose_in_graph(found, library.storage))


@pytest.mark.parametrize(
    ("text", "announcing"),
    [
        ("The tenant shall:", True), ("应当载明下列事项：", True), ("The steps are as follows.", True),
        ("具体情况如下。", True), ("The rent is due.", False), ("Note: the rent is due.", False),
    ],
)  # fmt: skip
def test_a_text_announces_a_list_by_how_it_ends(text, announcing):
    assert announces(text) is announcing


def test_a_list_is_found_from_what_announces_it_and_from_an_item(lease):
    announcement = "Article 9 The tenant shall do the following:"
    for question in ("tenant shall following", "rooms clean aired"):
        found = list_around(lease, hit(lease, question))
        assert [node.text for node in found] == [announcement, *ITEMS]


def test_prose_belongs_to_no_list(lease):
    assert list_around(lease, hit(lease, "owner visit month")) == []


def test_what_announces_a_list_brings_its_items_each_with_its_place(lease):
    found = pack([hit(lease, "tenant shall following")], lease.storage, 4000, "What shall the tenant do?")
    places = {item.text: item.announced for item in found}
    assert [places[item] for item in ITEMS] == [(found[0].hit.node_id, n) for n in (1, 2, 3)]


def test_an_item_brings_what_announces_it_and_not_the_other_items(lease):
    found = pack([hit(lease, "rooms clean aired")], lease.storage, 4000, "Who keeps the rooms clean?")
    texts = [item.text for item in found]
    assert "Article 9 The tenant shall do the following:" in texts and ITEMS[2] not in texts


def test_what_announces_a_list_brings_it_however_far_behind_and_an_item_only_among_the_first(lease):
    lease.add([Source(f"note{n}.md", f"Note {n} on the house of the owner.".encode()) for n in range(6)])
    first = [hit for hit in lease.search("note on the house of the owner", top_k=6).hits if hit.document != "lease.md"]
    for question, brings in (("tenant shall following", True), ("rooms clean aired", False)):
        found = pack([*first[:5], hit(lease, question)], lease.storage, 4000, "What shall the tenant do?")
        assert (ITEMS[2] in [item.text for item in found]) is brings


RENT = """# Rent

Rent is paid according to the following schedule:

| Year | Rent |
| --- | --- |
| 1 | 900 |
| 2 | 950 |

Heating is not part of it.
"""


def test_a_short_table_comes_with_the_sentence_that_announces_it(library):
    library.add([Source("rent.md", RENT.encode())])
    found = library.search("rent paid according to schedule", filters=Filters(roles=("paragraph",)), top_k=1).hits[0]
    assert [node.role for node in list_around(library, found)] == ["paragraph", "table"]


SPANS = "".join(f"| Grade {n} of the older service | {n * 3} weeks |\n" for n in range(1, 60))
RULES = f"""# Rules

## Notice

The periods that apply on dismissal are set out in the following table:

| Who | Span |
|---|---|
{SPANS}

## Balance

The balance is calibrated as follows:

### Prepare

Switch it on and wait.

### Weigh

Put on the weight and press CAL.

## Tablets

Side effects of the tablets

Some people felt dizzy, tired or sick for an hour or two after they took the first one in the morning.

Storage of the tablets

Keep them below 25 degrees.

## Charges

The charges for late return are in the table below.

| Days | EUR |
|---|---|
| 7 | 40 |
"""


@pytest.mark.parametrize(
    ("question", "brings", "not_this"),
    [
        ("periods apply dismissal", "Grade 30 of", "Grade 59 of"),
        ("balance calibrated", "Put on the weight and press CAL.", "dizzy"),
        ("side effects tablets", "Some people felt dizzy", "below 25 degrees"),
        ("charges late return", "7 | 40", "Switch"),
    ],
)
def test_what_says_nothing_alone_brings_what_stands_below_it(library, question, brings, not_this):
    library.add([Source("rules.md", RULES.encode())])
    alone = hit(library, question)
    asked = f"{question}, of Grade 30" if "dismissal" in question else question
    texts = "\n".join(item.text for item in pack([alone], library.storage, 4000, asked))
    assert alone.role == "paragraph" and brings in texts and not_this not in texts
