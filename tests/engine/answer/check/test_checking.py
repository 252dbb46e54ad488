"""A model's reply arrives as it was written; its marks lead somewhere and its statements are told for what they are."""

import re
from dataclasses import replace

import pytest
from evidence_maker import BRIDGE, COSTS, bridges, evidence

from engine.answer.check.checking import check
from engine.answer.phrases import phrases_for
from engine.answer.tables.cite import Computed
from engine.export.signs import with_signs
from engine.model import Citation, Node
from engine.providers.entailment import open_judge


def checked(reply, items=None, question="When did the Harbour Bridge open?", **more):
    return check(
        reply, bridges() if items is None else items, question=question, phrases=phrases_for(reply),
        entailment=open_judge(), **more,
    )  # fmt: skip


def states(made):
    return [one.state for one in made.statements]


MARKDOWN = """# Cost

Use `List<String>` or `a[1]`, mail <a@b.org>, and see:

| Item | Cost |
|---|---|
| Steel | 4,500 [3] |
| Paint | 300 [3] |

```csv
Item,Cost [1]
Steel,"4,500"
```

1. It opened in **1932** [1]
2. It took *eight years* to build [1]
"""


def test_markdown_arrives_byte_for_byte_but_for_the_numbers_of_marks():
    made = checked(MARKDOWN)
    assert re.sub(r"\[\d\]", "[]", made.text) == re.sub(r"\[\d\]", "[]", MARKDOWN)
    assert "Item,Cost [1]" in made.text and "`a[1]`" in made.text
    assert set(states(made)) == {"supported"} and made.confidence == "high"


@pytest.mark.parametrize(
    "mark", ["[1]", "【1】", "[^1]", "[source 1]", "[1†L3-L9]", "[n00000000000001]", "<sup>1</sup>", "##1$$"]
)
def test_marks_of_any_form_become_numbers(mark):
    made = checked(f"The Harbour Bridge opened in 1932{mark}.")
    assert made.text == "The Harbour Bridge opened in 1932[1]."
    assert made.citations[0].snippet == "The Harbour Bridge opened in 1932."


def test_a_raised_number_behind_a_unit_is_a_power():
    assert "km<sup>2</sup>" in checked("The deck covers 5 km<sup>2</sup> [1].").text


def test_marks_are_numbered_in_the_order_of_appearance():
    made = checked("Paint cost 300 [3]. The bridge opened in 1932 [1]. Paint cost 300 [3].")
    assert made.text == "Paint cost 300 [1]. The bridge opened in 1932 [2]. Paint cost 300 [1]."
    assert [one.node_id[-1] for one in made.citations] == ["3", "1"]


def test_a_mark_that_leads_nowhere_is_removed_and_told():
    made = checked("The Harbour Bridge opened in 1932 [9]. It took eight years to build [1].")
    assert made.text == "The Harbour Bridge opened in 1932. It took eight years to build [1]."
    assert made.removed == 1 and "9" in made.warnings[0]


@pytest.mark.parametrize(
    "text", ["In [2023] it was repainted, it says.", "The interval [0, 1] is meant.", "See [1](http://a.b)."]
)
def test_years_intervals_and_links_are_no_marks(text):
    assert checked(text).text == text


def test_every_snippet_stands_word_for_word_in_its_node():
    items = bridges()
    made = checked("Open since 1932 [1], 桥长1149米 [2], steel for 4,500 [3].", items)
    texts = {item.hit.node_id: item.text for item in items}
    assert len(made.citations) == 3 and all(one.snippet in texts[one.node_id] for one in made.citations)


def test_statements_stand_where_the_text_has_them():
    reply = "Well. The Harbour Bridge opened in 1932 【1】. It cost 9 million pounds【1】."
    made = checked(reply)
    told = [made.text[one.start : one.end] for one in made.statements]
    assert told == ["The Harbour Bridge opened in 1932 [1].", "It cost 9 million pounds[2]."]


def test_another_number_than_the_place_has_is_contradicted_with_both_quotes():
    made = checked("The bridge took nine years to build [1].")
    one = made.statements[0]
    assert one.state == "contradicted" and "eight years" in one.reason
    assert one.quotes[0] == "The bridge took nine years to build." and "eight years" in one.quotes[1]
    assert made.text == "The bridge took nine years to build [1]." and made.confidence == "low"


def test_what_is_nearly_a_sentence_of_a_longer_text_is_supported():
    text = (
        "1. Amendments to the rules need a majority vote of the board after they were discussed at one meeting, and "
        "are made only after elections.\n2. Membership. 2.1. Rowing Club dues will be $12 per quarter."
    )
    made = checked("Rowing Club dues are **$12 per quarter** [1].", [evidence(1, text)], "What are the dues?")
    assert states(made) == ["supported"]


def test_a_sentence_repeated_behind_a_lead_in_is_supported():
    text = "（4）甲方有权监督项目进度。\n（5）乙方不得将本合同标的委托或外包给他人完成。\n（6）乙方应按时交付。"
    made = checked(
        "合同同时明确规定，乙方不得将本合同标的委托或外包给他人完成[1]。", [evidence(1, text)], "可以转包吗？"
    )
    assert states(made) == ["supported"]


def test_what_no_evidence_says_is_not_verified_but_stays():
    made = checked("Violet penguins audit the warehouse on Sunday [1].")
    assert states(made) == ["unverified"] and "penguins" in made.text and made.statements[0].reason


def test_a_statement_without_a_mark_rests_on_the_place_that_says_it_and_the_text_stays():
    made = checked("The Harbour Bridge opened in 1932.")
    assert made.text == "The Harbour Bridge opened in 1932."
    assert states(made) == ["supported"] and made.statements[0].sources == [1]
    assert made.citations[0].snippet in BRIDGE


def test_a_mark_at_the_wrong_place_is_led_to_the_right_one():
    made = checked("The Harbour Bridge opened in 1932 [3].")
    assert states(made) == ["supported"] and made.citations[0].node_id.endswith("1")
    assert made.text == "The Harbour Bridge opened in 1932 [1]."


def test_another_language_is_held_against_the_source_too():
    made = checked("大桥历时八年建成，于1932年开放 [1]。", question="大桥是哪一年开放的？")
    assert states(made) == ["supported"]
    made = checked("The bridge is 1,149 metres long [2].", question="How long is the bridge?")
    assert states(made) == ["supported"]
    made = checked("大桥历时九年建成 [1]。", question="大桥建了几年？")
    assert states(made) != ["supported"] and "eight years" in made.statements[0].reason


def test_what_follows_from_cells_is_computed():
    made = checked("Steel cost 4,200 more than paint [3].")
    assert states(made) == ["computed"] and made.confidence == "high"


def test_what_operators_computed_rests_on_their_cells():
    cell = Citation(0, "d3", "bridge.pdf", 1, "2 Costs", "n00000000000003", 3, None, "B2", "Steel | 4,500", 1.0)
    table = Node(
        "n00000000000003",
        None,
        "table",
        text=COSTS,
        metadata={"rows": [["Item", "Cost"], ["Steel", "4,500"]]},
    )
    items = [evidence(3, COSTS, role="table", table=table)]
    made = checked("In total it is 4,800 [1].", items, computed=[Computed(["4,800"], "Total: 4,800", [cell])])
    assert states(made) == ["computed"] and [one.cell for one in made.citations] == ["B2"]
    made = checked("Steel cost 4,500 [1].", items, computed=[Computed(["4,500"], "Steel: 4,500", [cell])])
    assert states(made) == ["supported"] and [one.cell for one in made.citations] == ["B2"]
    counted = Computed(["2"], "2 found", [replace(cell, cell="A2")])
    both = [counted, Computed(["4,800"], "Total: 4,800", [cell])]
    made = checked("The 2 items cost 4,800 in all [1].", items, computed=both)
    assert [one.cell for one in made.citations][:1] == ["B2"]
    made = checked("There are 4 [1].", items, computed=[Computed(["4"], "4 found", [cell])])
    assert states(made) == ["computed"]


def test_what_stands_in_the_cells_is_supported_though_other_values_were_computed_from_them():
    rows = "Item | Cost\n510 Shots | 4,500\nWheel 3x6 | 6,600\nFountain | 9,200"
    table = Node("n00000000000003", None, "table", text=rows)
    items = [evidence(3, rows, role="table", table=table)]
    cells = [
        Citation(0, "d3", "a.xlsx", 1, "", "n00000000000003", 1, None, f"B{n}", row, 1.0)
        for n, row in enumerate(rows.split("\n")[1:], 2)
    ]
    told = [("510 Shots", "4,500"), ("Wheel 3x6", "6,600"), ("Fountain", "9,200")]
    listed = Computed([], "- 510 Shots: 4,500\n- Wheel 3x6: 6,600\n- Fountain: 9,200", cells, [0, 1, 2], told=told)
    total = Computed(["20,300"], "The total is 20,300. (4,500 + 6,600 + 9,200)", cells)
    reply = "| Item | Cost |\n|---|---|\n| 510 Shots | 4,500 [1] |\n| Wheel 3x6 | 6,600 [1] |"
    assert states(checked(reply, items, computed=[listed])) == ["supported", "supported"]
    made = checked(f"{reply}\n| Total | 20,300 [1] |", items, computed=[total])
    assert states(made) == ["supported", "supported", "computed"]


def test_the_number_of_a_row_and_which_of_several_years_it_is_are_no_values():
    rents = "\n".join(f"{rent}元×12个月 = {rent * 12:,}.00 元。" for rent in (12200, 12950, 13750))
    items = [evidence(n, line, position=n) for n, line in enumerate(rents.split("\n"), 1)]
    rows = [("第一年", "146,400.00 元 [1]"), ("第二年", "155,400.00 元 [2]"), ("合计", "466,800.00 元 [1][2][3]")]
    reply = "| 年度 | 年租金 |\n|---|---|\n" + "\n".join(f"| {a} | {b} |" for a, b in rows)
    assert states(checked(reply, items, question="三年租金一共多少？")) == ["supported", "supported", "computed"]
    reply = "| No. | Opened | Built |\n|---|---|---|\n| 1 | 1932 [1] | in eight years [1] |"
    assert states(checked(reply)) == states(checked(reply.replace("| 1 |", "| It |"))) == ["supported"]


SALES = (
    "Zone | Sales (million CHF) | Profit (million CHF)\nNA | 12,553 | 2,713\nEUR | 9,467 | 1,570\nAOA | 9,060 | 2,068"
)


def test_another_amount_beside_what_was_computed_is_marked_and_its_sign_is_shown():
    items = [evidence(1, SALES, role="table", path=("Results by segment, 2023",))]
    result = Computed(["12,553"], "NA, Sales is 12,553 million CHF.", [], found=True)
    question = "What were the sales of zone NA in 2023, more than 9,000 million?"
    for false in ("Zone NA had sales of 99,999 million CHF in 2023 [1].", "Zone NA had sales of 99,999 million CHF."):
        made = checked(f"{false}\n\nThat is sales of 12,553 million CHF [1].", items, question, computed=[result])
        assert states(made) == ["unverified", "supported"] and made.confidence != "high"
        shown = with_signs(made.text, made.statements)
        assert (
            shown.startswith(f"{made.text[: made.statements[0].end]} [500]") and "99,999" in made.statements[0].reason
        )
    made = checked("Zone NA sold for more than 9,000 million CHF [1].", items, question, computed=[result])
    assert states(made) == ["supported"]  # an amount that was asked with


@pytest.mark.parametrize(
    "reply",
    [
        "The documents do not name the architect. They only say that it opened in 1932 [1].",
        "文档中没有提到设计费用。只说大桥于1932年通车 [2]。",
    ],
)
def test_that_the_documents_do_not_tell_is_no_statement_to_verify(reply):
    made = checked(reply)
    assert made.not_found and made.text == reply.replace("[2]", "[1]")
    assert states(made) == ["supported"]


@pytest.mark.parametrize(
    "reply",
    [
        "Missing: the architect's name and the budget.",
        "The name of the architect is not stated [1].",
        "Architect: not given",
        "No toll is specified.",
        "缺少：通车费用、养护单位。",
        "没有标明养护单位 [2]。",
        "未注明造价。",
    ],
)
def test_that_something_is_missing_carries_no_mark_though_no_document_is_named(reply):
    made = checked(f"It opened in 1932 [1].\n\n- {reply}")
    assert states(made) == ["supported"] and reply[:8] in made.text and not made.not_found


def test_a_heading_in_bold_on_a_line_of_its_own_and_a_lead_in_carry_no_mark():
    reply = (
        "**History and cost of the Harbour Bridge**\nIt opened in 1932 [1].\n\n**The steps are:**\n- It opened in 1932"
    )
    assert states(checked(reply)) == ["supported", "supported"]


@pytest.mark.parametrize("reply", ["**The Harbour Bridge opened in 1931.**", "**Length: 1,149 metres**"])
def test_a_line_in_bold_that_is_a_sentence_or_states_an_amount_is_checked(reply):
    made = checked(f"{reply}\n\nThat is what the files tell.")
    assert made.text[made.statements[0].start : made.statements[0].end] == reply


def test_titles_of_slides_are_not_computed_and_what_was_looked_up_is_supported():
    text = "Shops | Sales\n5 | 120\n2 | 80"
    items = [
        evidence(1, "5 shops opened and 2 closed.", page=3, path=("Market overview",), title="Market overview"),
        evidence(2, text, page=7, path=("Figures by region",), title="Figures by region", role="table"),
    ]
    slides = "- Slide 3: Market overview [1]\n- Slide 7: Figures by region [2]\n- Figures by region"
    results = [Computed(["120", "80"], "Sales in Figures by region, 2 found:\n\n- 5 shops: 120\n- 2 shops: 80", [])]
    for computed in ([], results):
        assert states(checked(slides, items, "What are the slides called?", computed=computed)) == ["supported"] * 3
    looked_up = [Computed(["120"], "Sales: 120", [], found=True)]
    assert states(checked("The sales were 120.", items, "Sales?", computed=looked_up)) == ["supported"]
    assert states(checked("The sales were 200.", items, "Sales?", computed=[Computed(["200"], "Sales: 200", [])])) == [
        "computed"
    ]


def test_items_rest_on_the_mark_of_their_lead_in():
    made = checked("Two things are told [1]:\n\n- it opened in 1932\n- it took eight years to build")
    assert states(made) == ["supported", "supported"]
    assert all(one.sources for one in made.statements)
    assert {one.node_id[-1] for one in made.citations} == {"1"}


def test_without_a_judge_words_and_values_decide():
    plain = check(
        "The Harbour Bridge opened in 1932 [1]. It cost 9 million pounds [1].", bridges(), question="",
        phrases=phrases_for("x"),
    )  # fmt: skip
    assert plain.statements[0].state == "supported" and plain.statements[1].state != "supported"


def test_an_empty_reply_and_no_evidence_are_no_error():
    assert checked("", []).statements == [] and checked("It is so [1].", []).removed == 1


def test_a_title_without_text_can_be_cited():
    made = checked("Chapter two is on corrosion [1].", [evidence(1, "", title="2 Corrosion", path=("2 Corrosion",))])
    assert made.citations[0].snippet == "2 Corrosion"


SITES = "Site | Gas, Q1 (MWh) | Gas, Q2 (MWh) | Gas, Q3 (MWh)\nAldgate | 244 | 95 | 45\nBrixton | 152 | 63 | 28"


def sites():
    return [evidence(1, SITES, role="table", document="energy.xlsx", path=("Energy",))]


def test_one_of_a_list_of_results_is_told_of_what_it_is_of():
    text = "The total of Gas by Site, 2 found:\n\n- Aldgate: 891 MWh\n- Brixton: 512 MWh"
    results = [Computed(["891", "512"], text, [])]
    reply = "Brixton used 512 MWh [1]. Aldgate used 512 MWh [1]."
    told, wrong = states(checked(reply, sites(), "How much gas by site?", computed=results))
    assert told == "computed" and wrong in ("unverified", "contradicted")


def test_cells_side_by_side_are_added_up_in_the_unit_of_their_headings():
    made = checked("Aldgate used 384 MWh of gas in the three quarters [1].", sites(), "How much gas?")
    assert states(made) == ["computed"]
    made = checked("Aldgate used 389 MWh of gas in the three quarters [1].", sites(), "How much gas?")
    assert states(made) != ["computed"]


def test_a_statement_may_follow_from_those_before_it():
    items = [
        evidence(1, "The accident of the first airplane resulted in 189 fatalities."),
        evidence(2, "The accident of the second airplane resulted in 157 fatalities."),
    ]
    reply = (
        "The first accident had 189 fatalities [1]. The second had 157 fatalities [2]. "
        "Together that is {} deaths [1][2]."
    )
    question = "How many people died?"
    assert states(checked(reply.format(346), items, question))[-1] == "computed"
    assert states(checked(reply.format(356), items, question))[-1] != "computed"


def test_what_a_reply_says_the_documents_do_not_tell_is_held_against_no_place():
    reply = "The bridge's file has no price for paint: it names only steel [1]. The bridge opened in 1932 [1]."
    assert states(checked(reply, not_told=True)) == ["supported"]


def test_a_word_with_a_no_in_it_said_twice_denies_nothing():
    items = [evidence(1, "公共图书馆应当通过配备无障碍设施设备等方式，为老年人、残疾人提供便利化服务。")]
    reply = "无障碍设施：公共图书馆应当配备无障碍设施设备，为老年人、残疾人提供便利 [1]。"
    assert states(checked(reply, items, "图书馆对残疾人有什么照顾？")) == ["supported"]


def test_a_value_behind_which_its_sentence_ends_belongs_to_that_sentence_alone():
    pumps = [evidence(1, "The S-10 weighs 41 kg. The S-12 weighs 62 kg. The S-14 weighs 58 kg.")]
    [wrong] = checked("The S-12 weighs 58 kg [1].", pumps).statements
    assert wrong.state == "contradicted" and "62 kg" in wrong.reason
    assert states(checked("The S-12 weighs 62 kg [1].", pumps)) == ["supported"]


def test_a_date_that_the_source_has_is_not_another_s_for_a_nearer_one():
    text = "The first exchange opened in 1817 and closed in the war. In April 1991 it was founded anew."
    assert states(checked("The exchange was founded anew in 1991 [1].", [evidence(1, text)])) == ["supported"]


def test_a_sentence_with_a_word_left_out_is_said_there_but_not_one_without_its_denial():
    items = [evidence(1, "4. 员工入职即视为知晓并认同本手册所有条款。试用期内的员工不可以申请长期的远程办公。")]
    assert states(checked("员工入职即视为知晓并认同手册所有条款 [1]。", items)) == ["supported"]
    assert states(checked("试用期内的员工可以申请长期的远程办公 [1]。", items)) != ["supported"]


def test_only_what_has_something_else_in_its_place_is_contradicted():
    items = [evidence(1, "3、在供货过程中，因买方要求变更所增加的运费，由买卖双方另行予以书面约定。")]
    assert states(checked("因买方要求变更增加的运费不在此列，由双方另行书面约定 [1]。", items)) == ["unverified"]
    made = checked("The bridge opened in 1947 [1].", [evidence(1, "The bridge opened in 1932.")])
    assert states(made) == ["contradicted"] and "1932" in made.statements[0].reason


LIABLE = [
    evidence(1, "Party A is liable for damage up to 50,000 euros for each event.", path=("6 Liability",)),
    evidence(2, "Party B is liable for damage up to 250,000 euros for each event.", path=("6 Liability",)),
]
MIXERS = [
    evidence(1, "The warranty is 24 months. Spare parts are held for 5 years.", path=("Mixers", "Aron")),
    evidence(2, "The warranty is 36 months. Spare parts are held for 8 years.", path=("Mixers", "Bela")),
]
DELAYED = [
    evidence(
        1,
        "甲方逾期付款的，每逾期一日按应付金额的万分之五支付违约金。\n乙方逾期交货的，每逾期一日按货款的千分之一支付违约金。",
    ),
]


@pytest.mark.parametrize(
    ("items", "true", "false"),
    [
        (LIABLE, "Party B is liable for up to 250,000 euros [2].", "Party A is liable for up to 250,000 euros [2]."),
        (MIXERS, "Parts for the Aron are held for 5 years [1].", "Parts for the Bela are held for 5 years [1]."),
        (DELAYED, "乙方逾期交货，违约金为每日千分之一[1]。", "甲方逾期付款，违约金为每日千分之一[1]。"),
    ],
)
def test_what_a_place_says_of_one_party_or_product_is_not_said_of_another(items, true, false):
    assert states(checked(true, items)) == ["supported"]
    [wrong] = checked(false, items).statements
    assert wrong.state == "contradicted" and len(wrong.quotes) == 2


def test_a_mark_on_the_other_party_s_clause_is_led_to_the_right_one():
    made = checked("Party B is liable for up to 250,000 euros for each event [1].", LIABLE)
    assert states(made) == ["supported"] and made.citations[0].snippet == LIABLE[1].text


SLIDES = [
    evidence(1, "We close the Oslo office in May.", document="kick-off.pptx", path=("Offices",), page=3),
    evidence(2, "Sales rose by 12 percent.", document="kick-off.pptx", path=("Sales",), page=7),
]


@pytest.mark.parametrize(
    "reply", ["The closing of the Oslo office is on slide {} [1].", "关闭奥斯陆办公室的内容在第{}张幻灯片上[1]。"]
)
def test_on_which_slide_something_stands_is_supported_by_where_it_stands(reply):
    assert states(checked(reply.format(3), SLIDES)) == ["supported"]
    assert states(checked(reply.format(5), SLIDES)) != ["supported"]


def test_a_repeated_sentence_is_supported_behind_a_label_though_its_item_has_a_number():
    items = [evidence(1, "四、如遇雨雪天气，检修顺延至12月19日同一时间。")]
    made = checked("- **遇到下雪：** 如遇雨雪天气，检修顺延至12月19日同一时间 [1]。", items, "遇到下雪怎么办？")
    assert states(made) == ["supported"]


def test_a_sentence_and_its_beginning_are_not_of_two_things():
    """A sentence's beginning stands in a line of its own in a list, as PDF files have them."""
    begun = "1.乙方交付软件后进入试运行期，试运行期限为2个月，如发现软件有缺陷，乙方有责任对其进行修改和更正。"
    items = [evidence(1, f"{begun}同时试运行期依据修改、更正期间相应顺延。"), evidence(2, begun)]
    made = checked(
        "如试运行期间发现软件有缺陷，乙方有责任修改和更正，试运行期依据修改、更正期间相应顺延 [1]。",
        items,
        "试运行期多长？",
    )
    assert states(made) == ["supported"]


def test_a_cell_that_is_named_is_supported_where_the_statement_says_what_stands_in_it():
    rows = [["Company", "Sales (CHF m)"], ["Alpenwerk", "40,830"], ["Bergtal", "2,600"]]
    text = "Company | Sales (CHF m)\nAlpenwerk | 40,830\nBergtal | 2,600"
    facts = {"rows": rows, "row_numbers": [4, 5, 6]}
    table = Node("n00000000000001", None, "table", text=text, cell="'2016'!E4:F6", metadata=facts)
    items = [evidence(1, text, role="table", table=table)]
    asked = "What were the sales of Alpenwerk, and in which cell are they?"
    made = checked("Alpenwerk had sales of 40,830, in cell F5 [1].", items, asked)
    assert states(made) == ["supported"]
    made = checked("Alpenwerk had sales of 40,830, in cell F6 [1].", items, asked)
    assert states(made) != ["supported"]


def test_the_numbers_in_the_name_of_a_cited_file_state_nothing():
    items = [evidence(1, "The bridge has 97 spans and opened in 1932.")]
    items = [replace(one, hit=replace(one.hit, document="top-100-bridges-2002-2016.xlsx")) for one in items]
    made = checked("By top-100-bridges-2002-2016.xlsx the bridge has 97 spans [1].", items, "How many spans?")
    assert states(made) == ["supported"]


def test_where_the_check_itself_fails_the_marks_lead_to_their_places_and_that_is_told(monkeypatch):
    def overrun(*_):
        raise RecursionError

    monkeypatch.setattr("engine.answer.check.judging.figures_of", overrun)
    made = checked("Paint cost 300 [3]. The bridge opened in 1932 [1].")
    assert made.text == "Paint cost 300 [1]. The bridge opened in 1932 [2]."
    assert [one.node_id[-1] for one in made.citations] == ["3", "1"]
    assert made.statements == [] and made.confidence == "low" and "could not be held" in made.warnings[0]


def test_what_its_own_place_contradicts_is_not_given_to_one_on_another_party():
    late_goods = evidence(
        1, "6.1 乙方逾期交货的，每逾期一日，按逾期交货部分价款的0.5‰支付违约金。", document="采购合同.docx"
    )
    late_pay = evidence(2, "6.2 甲方逾期付款的，每逾期一日，按逾期付款金额的0.3‰支付违约金。", document="采购合同.docx")
    made = checked(
        "甲方逾期付款的，每逾期一日按逾期金额的0.5‰支付违约金 [2]。", [late_goods, late_pay], "违约金怎么算？"
    )
    assert states(made) == ["contradicted"] and made.citations[0].node_id == late_pay.hit.node_id
