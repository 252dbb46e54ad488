from engine.answer.evidence.judging import Span
from engine.answer.evidence.quotes import MOST_ITEMS, quotes_of
from engine.model import Node
from tests.engine.answer.evidence_maker import evidence


def quoted(items, words, whole=False, exact=True):
    index = next(i for i, item in enumerate(items) if words in item.text)
    start = items[index].text.index(words)
    span = Span(index, start, start + len(words), start, start + len(words), 0.9)
    return [(items[one.index].text[one.start : one.end], one.item) for one in quotes_of(span, items, whole, exact)]


def test_what_announces_a_list_is_quoted_with_its_items():
    item = evidence(1, "The tenant brings:\n- a passport\n- proof of income\n\nThe office is closed.")
    assert quoted([item], "The tenant brings:") == [
        ("The tenant brings:", False), ("- a passport", True), ("- proof of income", True),
    ]  # fmt: skip


def test_a_sentence_brings_the_list_that_the_next_one_beside_it_announces():
    opening = evidence(1, "Riders wear a hard hat at all times. These kinds are approved:", role="paragraph")
    kinds = evidence(2, "• climbing hats\n• hockey hats", role="list", announced=(opening.hit.node_id, 1))
    told = quoted([opening, kinds], "Riders wear a hard hat at all times.", exact=False)
    assert [text for text, _ in told] == [opening.text, "• climbing hats", "• hockey hats"]


def test_an_item_is_quoted_below_what_announces_it_or_with_the_whole_list():
    item = evidence(1, "The tenant brings:\n- a passport\n- proof of income")
    assert quoted([item], "- proof of income") == [("The tenant brings:", False), ("- proof of income", True)]
    assert len(quoted([item], "- proof of income", whole=True)) == 3


def test_items_that_are_nodes_of_their_own_follow_in_the_order_of_the_list():
    opening = evidence(1, "申请须提交以下材料：")
    later = evidence(2, "（二）收入证明", announced=(opening.hit.node_id, 2))
    first = evidence(3, "（一）身份证", announced=(opening.hit.node_id, 1))
    items = [opening, later, first]
    assert [text for text, _ in quoted(items, "申请须提交以下材料：")] == [
        "申请须提交以下材料：", "（一）身份证", "（二）收入证明",
    ]  # fmt: skip
    assert quoted(items, "（二）收入证明") == [("申请须提交以下材料：", False), ("（二）收入证明", True)]


def test_items_of_an_inner_list_are_quoted_below_the_item_that_announces_them_and_no_further():
    inner = ["1. Funds cannot be used for:", "  1. Alcohol", "  2. Gift cards", "2. Funds expire in May."]
    told = [("1. Funds cannot be used for:", False), ("1. Alcohol", True), ("2. Gift cards", True)]
    item = evidence(1, "\n".join(inner), role="list")
    assert quoted([item], "1. Funds cannot") == told and quoted([item], "1. Alcohol", whole=True) == told
    assert quoted([item], "2. Funds expire in May.") == [("2. Funds expire in May.", False)]
    flat = evidence(1, "一、下列人员免费：\n（一）儿童\n（二）老人\n二、其他人员收费。", role="list")
    assert [text for text, _ in quoted([flat], "一、下列")] == [
        "一、下列人员免费：",
        "（一）儿童",
        "（二）老人",
    ]
    assert [text for text, _ in quoted([flat], "（二）老人")] == ["一、下列人员免费：", "（二）老人"]


def test_of_a_long_list_the_first_items_are_quoted():
    item = evidence(1, "Bring:\n" + "\n".join(f"- thing {i}" for i in range(40)))
    assert len(quoted([item], "Bring:")) == MOST_ITEMS + 1


def test_a_row_is_quoted_below_its_header():
    item = evidence(1, "Item | Cost\nSteel | 4,500\nPaint | 300", role="table")
    assert quoted([item], "Paint | 300") == [("Item | Cost", False), ("Paint | 300", True)]


def test_a_row_of_a_table_without_a_header_is_quoted_alone():
    rows = "\n".join(f"Wine {number} | {number * 7}" for number in range(9))
    node = Node("n1", None, "table", text=rows, metadata={"header_rows": 0})
    bare, headed = evidence(1, rows, role="table", table=node), evidence(1, rows, role="table")
    assert quoted([bare], "Wine 5 | 35") == [("Wine 5 | 35", False)]
    assert quoted([headed], "Wine 5 | 35") == [("Wine 0 | 0", False), ("Wine 5 | 35", True)]
