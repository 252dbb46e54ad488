from dataclasses import replace

from evidence_maker import evidence

from engine.answer.candidates import candidates
from engine.answer.extractive import best_sentences, quoted, write

DUTIES = "Article 9 The tenant shall do the following:"
ITEMS = ["(a) pay the rent on time;", "(b) keep the rooms clean;", "(c) tell the owner of any damage."]


def lines(question, items):
    found = candidates(question, items)
    text, citations = write(quoted(best_sentences(question, found, items).sentences, items), items, "Quoted:")
    assert all(citation.snippet in items[int(citation.node_id[1:], 16) - 1].text for citation in citations)
    return text.splitlines()[2:]


def announced(place):
    """Return an item of the list that node 1 announces, found at another place than it stands at."""
    n = {1: 4, 2: 2, 3: 3}[place]
    item = evidence(n, ITEMS[place - 1])
    return replace(item, announced=(evidence(1, DUTIES).hit.node_id, place))


def test_a_sentence_that_announces_a_list_is_quoted_with_the_items_behind_it():
    items = [evidence(1, "\n".join([DUTIES, *ITEMS, "The owner may visit once a month."]))]
    assert lines("What are the duties of the tenant?", items) == [
        "- Article 9 The tenant shall do the following: [1]",
        "  - (a) pay the rent on time; [2]",
        "  - (b) keep the rooms clean; [3]",
        "  - (c) tell the owner of any damage. [4]",
    ]


def test_items_that_are_nodes_of_their_own_follow_in_the_order_of_the_list():
    items = [evidence(1, DUTIES), announced(2), announced(3), announced(1)]
    quotes = lines("What are the duties of the tenant?", items)
    assert [line.split(")")[0] for line in quotes[1:]] == ["  - (a", "  - (b", "  - (c"]


def test_an_item_is_quoted_below_what_announces_its_list():
    items = [evidence(1, DUTIES), announced(2)]
    assert lines("Who must keep the rooms clean?", items) == [
        "- Article 9 The tenant shall do the following: [1]",
        "  - (b) keep the rooms clean; [2]",
    ]


def test_an_exception_is_quoted_with_the_rule_before_it():
    rule = "公司不得收购本公司股份。但是，有下列情形之一的除外：\n（一）减少公司注册资本；\n（二）与其他公司合并。"
    quotes = lines("公司可以收购本公司股份的情形有哪些？", [evidence(1, rule)])
    assert quotes[0].startswith("- 公司不得收购本公司股份。但是，有下列情形之一的除外：") and len(quotes) == 3


def test_sentences_that_follow_each_other_are_quoted_as_one():
    text = "The museum opened in May 1904. The museum opened again in June 1950 after a fire."
    assert lines("When was the museum opened?", [evidence(1, text)]) == [f"- {text} [1]"]


def test_of_a_long_list_the_first_fifteen_items_are_quoted():
    items = [evidence(1, "\n".join([DUTIES, *(f"{n}. pay bill number {n};" for n in range(1, 31))]))]
    assert len(lines("What are the duties of the tenant?", items)) == 16


def test_a_sentence_that_begins_with_a_pronoun_is_quoted_with_what_names_it():
    text = "Dr. Ilse Marten leads the cardiology department. She studied medicine in Utrecht."
    assert lines("Who studied medicine in Utrecht?", [evidence(1, text)]) == [f"- {text} [1]"]
    zh = "顾青禾是青年队的教练。她在杭州学习体育管理。队员共有二十人。"
    assert lines("谁在杭州学习体育管理？", [evidence(1, zh)]) == [
        "- 顾青禾是青年队的教练。她在杭州学习体育管理。 [1]"
    ]


def test_what_stands_far_before_a_pronoun_or_in_another_paragraph_is_not_quoted():
    far = "Dr. Ilse Marten leads " + "a very " * 60 + "large department. She studied medicine in Utrecht."
    for text in (far, "Dr. Ilse Marten leads it.\nShe studied medicine in Utrecht."):
        items = [evidence(1, text)]
        (quote,) = quoted(candidates("Who studied medicine?", items)[-1:], items)
        assert text[quote.start : quote.end] == "She studied medicine in Utrecht."
