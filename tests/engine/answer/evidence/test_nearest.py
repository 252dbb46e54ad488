from dataclasses import replace

from engine.answer.evidence.features import Place
from engine.answer.evidence.judging import Judged, Span
from engine.answer.evidence.quotes import nearest
from engine.answer.evidence.units import Window
from tests.engine.answer.evidence_maker import evidence

SENSOR = "Every sensor hangs two metres up. "


def quoted(items, places):
    """Return the texts quoted for (evidence, words, probability) places, a list for each place."""
    spans = []
    for index, words, probability in places:
        start = items[index].text.index(words)
        end = start + len(words)
        spans.append(Span(index, start, end, start, end, probability))
    found = nearest(Judged(tuple(spans), 0.1, "closest", ()), items)
    return [[items[one.index].text[one.start : one.end] for one in place] for place in found]


def paragraphs(*texts, path=("1 Camp",), page=1):
    """Return paragraphs that follow each other in one document."""
    made = [evidence(n, text, path=path, page=page, position=n) for n, text in enumerate(texts, 1)]
    return [replace(item, hit=replace(item.hit, document_id="d1")) for item in made]


def test_the_paragraph_of_the_best_place_is_quoted_whole_where_it_is_not_too_long():
    text = SENSOR + "The walls are of brick. " * 15 + "At that height people breathe, and nobody reaches it."
    assert quoted([evidence(1, text)], [(0, SENSOR.strip(), 0.1)]) == [[text]]
    long = evidence(1, SENSOR + "The walls are of brick. " * 50)
    ((part,),) = quoted([long], [(0, SENSOR.strip(), 0.1)])
    assert part.startswith("Every sensor") and 600 < len(part) <= 900


def test_a_place_further_behind_takes_less_room():
    starts = [f"Sensor {n} hangs two metres up." for n in range(4)]
    items = [evidence(n, f"{one} {'The walls are brick. ' * 50}") for n, one in enumerate(starts, 1)]
    told = quoted(items, [(n, one, 0.4 - 0.1 * n) for n, one in enumerate(starts)])
    assert all(len(place[0]) <= most for place, most in zip(told, (900, 600, 320, 320), strict=True))


def test_a_page_number_between_paragraphs_is_not_quoted():
    items = paragraphs(
        "The club lends a racket to every child that has none.", "17", "Please bring a hat and a bottle."
    )
    assert quoted(items, [(0, items[0].text, 0.2)])[0] == [items[0].text, items[2].text]


def test_a_short_paragraph_is_quoted_with_those_next_to_it_in_its_section():
    items = paragraphs(
        "Refunds are made in June.",
        "The club lends a racket to every child that has none.",
        "Please give your child a hat and a bottle of water.",
    )
    elsewhere = replace(paragraphs("Parents sign here for their child.", path=("2 Consent",))[0], position=4)
    places = [(1, items[1].text, 0.2), (0, items[0].text, 0.1), (3, elsewhere.text, 0.1)]
    assert quoted([*items, elsewhere], places) == [
        [item.text for item in items],
        [elsewhere.text],
    ]


def test_short_lines_stand_together_on_their_page_and_none_is_quoted_twice():
    slides = [*paragraphs("Opening", "Two goals"), *paragraphs("Outlook", "Three risks", page=2)]
    slides = [replace(item, position=n) for n, item in enumerate(slides)]
    places = [(0, "Opening", 0.2), (1, "Two goals", 0.15), (2, "Outlook", 0.1)]
    assert quoted(slides, places) == [["Opening", "Two goals"], ["Outlook", "Three risks"]]


def test_what_announces_a_list_is_quoted_with_its_items_and_not_with_the_lines_beside_it():
    opening, line = paragraphs("The board decides on:", "Chapter three")
    item = replace(evidence(3, "- its budget"), announced=(opening.hit.node_id, 1))
    assert quoted([opening, line, item], [(0, opening.text, 0.2)])[0] == [opening.text, item.text]


def test_of_a_longer_table_the_row_found_is_quoted_below_the_header():
    rows = ["Item | Spent", *(f"Grant number {n} | {n}00" for n in range(30, 60)), "Insurance | 1,346"]
    items = [evidence(1, "\n".join(rows), role="table")]
    assert quoted(items, [(0, rows[-1], 0.1)]) == [[rows[0], rows[-1]]]


def test_a_short_table_is_read_whole_where_it_is_among_the_first():
    tables = [evidence(n, f"Item | Cost\nSteel | {n}\nPaint | {n}0", role="table") for n in range(1, 4)]
    told = quoted(tables, [(n, f"Steel | {n + 1}", 0.3 - 0.1 * n) for n in range(3)])
    assert [len(place) for place in told] == [3, 3, 2]


def test_a_row_that_may_not_answer_is_quoted_below_its_header():
    item = evidence(1, "Item of the shop | Cost\nSteel of the best kind | 4,500", role="table")
    assert quoted([item], []) == [item.text.split("\n")]


def near(*places):
    """Return which of some (text, probability, height, shared) passages of other documents are quoted as nearest."""
    items = [evidence(n, text) for n, (text, *_) in enumerate(places, 1)]
    spans = tuple(
        Place(
            n, 0, len(text), 0, len(text), probability, window=Window(n, 0, len(text)), height=height, read=None,
            shared=shared,
        )
        for n, (text, probability, height, shared) in enumerate(places)
    )  # fmt: skip
    found = nearest(Judged(spans, spans[0].probability, "not_found", ()), items)
    return [items[place[0].index].text for place in found]


def test_what_is_unlike_the_question_or_far_behind_the_best_does_not_come_near():
    alike = "The deposit for a boat is 40 euro."
    in_words = "A boat may be rented by the hour from May on."
    unlike = "Compound interest is paid to holders of the bond every June."
    assert near((alike, 0.04, 0.9, 0.4), (in_words, 0.03, 0.2, 0.3), (unlike, 0.02, 0.1, 0.0)) == [alike, in_words]
    assert near((alike, 0.3, 0.9, 0.4), (in_words, 0.01, 0.6, 0.3)) == [alike]
    assert near((unlike, 0.02, 0.1, 0.0)) == []


def test_a_footer_a_slide_number_or_a_single_word_does_not_come_near():
    alike = "The deposit for a boat is 40 euro."
    for bare in ("Boats", "Page 3", "押金", "https://boats.example/a https://boats.example/b https://boats.example/c"):
        assert near((bare, 0.04, 0.9, 0.5), (alike, 0.03, 0.8, 0.4)) == [alike]
