from engine.model import Block
from engine.parse.text import parse_text


def blocks_of(text: str) -> list[Block]:
    return parse_text(text.encode(), "file.txt").blocks


def shown(text: str) -> list[tuple[str, int | None, str]]:
    return [(block.kind, block.level, block.text) for block in blocks_of(text)]


def headings(text: str) -> list[tuple[int | None, str]]:
    return [(level, words) for kind, level, words in shown(text) if kind == "heading"]


LONG = "It was the best of times, it was the worst of times, it was the age of wisdom and of foolishness."


def test_blank_lines_set_paragraphs_off():
    text = f"{LONG}\n\n{LONG}\n\n\n{LONG}\n"
    assert shown(text) == [("paragraph", None, LONG)] * 3


def test_wrapped_lines_are_joined():
    text = (
        "A first line that says what it is about.\n\n"
        "The quick brown fox jumps over the lazy dog and goes on to run over\n"
        "the hill, where it meets another fox and both of them look out over\n"
        "the valley.\n"
    )
    assert blocks_of(text)[1].text.endswith("goes on to run over the hill, where it meets another fox and both of "
                                            "them look out over the valley.")  # fmt: skip


def test_wrapped_chinese_is_joined_without_spaces():
    line = "为了规范公司的组织和行为保护公司股东和债权人的合法权益维护社会"
    assert blocks_of(f"{line}\n{line}\n{line}经济秩序。\n")[0].text == line * 3 + "经济秩序。"


def test_a_chinese_line_that_ends_in_a_digit_goes_on_where_its_word_did_not_fit():
    line = "为了规范公司的组织和行为保护公司股东和债权人的合法权益维护社会"
    text = f"  {line}\n  {line}\n  委员会由代表和专家组成并独立履行职责，它的成员人数应当为5\n人以上单数。\n"
    assert blocks_of(text)[-1].text.endswith("成员人数应当为5 人以上单数。")


def test_lines_of_unwrapped_text_are_paragraphs():
    text = "".join(f"　　第{n}段说了一些话，这些话有长有短，{'很长' * (n * 7)}。\n" for n in range(1, 6))
    assert [kind for kind, _, _ in shown(text)] == ["paragraph"] * 5


def test_short_lines_of_a_group_stay_lines():
    text = f"{LONG}\n\nAnn Example\nMain Street 1\nSpringfield\n\n{LONG}\n"
    assert blocks_of(text)[1].text == "Ann Example\nMain Street 1\nSpringfield"


def test_a_title_line_is_the_title():
    parsed = parse_text(f"Cape sparrow\n\n{LONG}\n".encode(), "x")
    assert parsed.title == "Cape sparrow"
    assert (parsed.blocks[0].kind, parsed.blocks[0].level) == ("heading", 1)


def test_a_first_sentence_is_no_title():
    assert parse_text(f"This is a sentence.\n\n{LONG}\n".encode(), "x").title == ""


def test_numbers_give_headings_their_level():
    text = f"1 Scope\n\n{LONG}\n\n1.1 Terms\n\n{LONG}\n\n1.2 Aims\n\n{LONG}\n\n2 Rules\n\n{LONG}\n"
    assert headings("Manual\n\n" + text) == [
        (1, "Manual"),
        (2, "1 Scope"),
        (3, "1.1 Terms"),
        (3, "1.2 Aims"),
        (2, "2 Rules"),
    ]


def test_chinese_numbering_gives_parts_chapters_and_sections():
    text = (
        "关于某事的办法\n第一编 总则\n第一章 目的\n第一条 为了规范某事，制定本办法。\n"
        "第二章 范围\n第二条 适用于某处。\n"
        "第二编 分则\n第三章 罚则\n第一节 一般规定\n第三条 违反的处以罚款。\n"
    )
    assert headings(text) == [
        (1, "关于某事的办法"),
        (2, "第一编 总则"),
        (3, "第一章 目的"),
        (3, "第二章 范围"),
        (2, "第二编 分则"),
        (3, "第三章 罚则"),
        (4, "第一节 一般规定"),
    ]


def test_han_numbers_and_brackets_nest():
    text = "一、总体要求\n　　坚持安全第一。\n（一）加强领导\n　　各单位要重视。\n二、工作安排\n　　按时完成。\n"
    assert headings(text) == [(1, "一、总体要求"), (2, "（一）加强领导"), (1, "二、工作安排")]


def test_numbered_lines_without_text_between_are_a_list():
    text = f"{LONG}\n\n1. Apples\n2. Pears\n3. Plums\n\n{LONG}\n"
    assert [kind for kind, _, _ in shown(text)] == [
        "paragraph",
        "list_item",
        "list_item",
        "list_item",
        "paragraph",
    ]
    spaced = f"{LONG}\n\n1. Apples\n\n2. Pears\n\n3. Plums\n\n{LONG}\n"
    assert [kind for kind, _, _ in shown(spaced)] == [
        "paragraph",
        "list_item",
        "list_item",
        "list_item",
        "paragraph",
    ]


def test_underlined_lines_are_headings_and_rules_are_dropped():
    text = f"Big\n===\n\n{LONG}\n\nSmall\n-----\n{LONG}\n\n----------\n\n{LONG}\n"
    assert headings(text) == [(1, "Big"), (2, "Small")]
    assert not any(set(words) <= set("-= ") for _, _, words in shown(text))


def test_lines_in_capitals_are_headings():
    assert headings(f"{LONG}\n\nRISK FACTORS\n\n{LONG}\n") == [(1, "RISK FACTORS")]


def test_bullets_are_items_with_levels_and_hanging_lines():
    text = f"{LONG}\n\n- apples which are red and\n  round\n- pears\n    * green\n"
    items = [(level, words) for kind, level, words in shown(text) if kind == "list_item"]
    assert items == [(1, "apples which are red and\nround"), (1, "pears"), (2, "green")]


def test_one_endless_line_is_cut_into_pieces():
    blocks = blocks_of("word " * 100_000)
    assert max(len(block.text) for block in blocks) <= 2000
    assert " ".join(block.text for block in blocks).split() == ["word"] * 100_000


def test_white_space_alone_is_nothing():
    assert blocks_of(" \n\t\n\f\n") == []


def test_chinese_lines_of_one_width_below_an_indented_first_line_are_one_paragraph():
    first = "  第一条 为了加强港口岸线资源的保护和合理利用，规范港口岸线使用审批"
    text = (
        f"第一章 总 则\n{first}\n管理，保障港口岸线资源的合理开发与利用，保护当事人的合法权益，根据国\n"
        "家有关法律和行政法规的规定，制定本办法。\n"
        "  第二条 港口岸线是指港口深水岸线和非深水岸线，包括维持港口设施正常\n"
        "运营所需要的水域和陆域，使用时应当报经主管部门批准，未经批准不得使\n用。\n"
        "  第三条 国务院交通运输主管部门主管全国的港口岸线工作，会同有关部门\n具体实施对港口深水岸线的使用审批。\n"
    )
    said = [block.text for block in parse_text(text.encode(), "a.txt").blocks if block.kind == "paragraph"]
    assert [one[:3] for one in said] == ["第一条", "第二条", "第三条"]
    assert "使用审批管理" in said[0] and "设施正常运营" in said[1] and said[1].endswith("不得使用。")


def test_a_list_below_a_full_line_that_ends_with_a_colon_begins_with_its_first_item():
    text = (
        "  第一条 有下列情形之一的，港口岸线的使用审批应当由国务院主管部门办理：\n  （一）需要使用港口深水岸线的；\n"
        "  （二）跨越两个行政区域的。\n  第二条 港口岸线是指港口深水岸线和非深水岸线，包括维持港口设施正常\n"
        "运营所需要的水域和陆域，使用时应当报经主管部门批准，未经批准不得使\n用，也不得改变用途，不得转让给其他单位和个人使用。\n"
    )
    kinds = [block.kind for block in parse_text(text.encode(), "a.txt").blocks]
    assert kinds == ["paragraph", "list_item", "list_item", "paragraph"]


def test_a_chinese_line_goes_on_with_a_number_that_did_not_fit():
    full = "双方在履行本合同的过程中发生争议的应当先行友好协商协商不成的任何一方均可以"
    first = "合同签订后甲方应当向乙方支付全部价款的百分之三十作为预付款项乙方应当"
    then = "15 个工作日内完成设备的采购与运输工作。"
    text = "\n\n".join(["\n".join([full] * 3), f"{first}\n{then}", "\n".join([full] * 3)])
    assert blocks_of(text)[1].text == f"{first} {then}"
