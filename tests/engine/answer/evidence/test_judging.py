import pytest

from engine.answer.evidence.features import things_missing
from engine.answer.evidence.judging import judge
from engine.answer.understand import understand
from engine.config import Settings
from engine.errors import ProviderError
from engine.providers.embedding import open_embedder
from engine.providers.reading import open_reader
from engine.providers.similarity import SentenceSimilarity
from tests.engine.answer.evidence_maker import evidence

ROOMS = "Room 6 has 12 seats. Room 16 has 40 seats. Room 26 has 8 seats."
PUMP = "The pump is serviced every 800 hours. Its seal is replaced by the workshop. The pump stands in hall 3."
LEAVE = "第七条 员工出差住宿标准：一线城市每晚不超过六百元。第八条 病假须在三日内提交医院证明。"


def judged(question, *texts, reader=None, **more):
    embedder = open_embedder(Settings().embedding)
    items = [evidence(i, text, **more) for i, text in enumerate(texts, 1)]
    made = judge(understand(question), items, reader or open_reader(), SentenceSimilarity(embedder))
    return made, items


def said(made, items, place=0):
    span = made.spans[place]
    return items[span.evidence].text[span.start : span.end]


@pytest.mark.parametrize(
    ("question", "sentence", "words"),
    [
        ("How often is the pump serviced?", "The pump is serviced every 800 hours.", "800 hours"),
        ("Where does the pump stand?", "The pump stands in hall 3.", "hall 3"),
        ("Who replaces the seal of the pump?", "Its seal is replaced by the workshop.", "workshop"),
        ("How many seats has room 16?", "Room 16 has 40 seats.", "40"),
        ("病假证明几天内提交？", "第八条 病假须在三日内提交医院证明。", "三日"),
    ],
)
def test_the_best_place_is_a_whole_sentence_with_the_words_that_answer(question, sentence, words):
    made, items = judged(question, ROOMS, PUMP, LEAVE)
    best = made.spans[0]
    assert made.state == "answered" and said(made, items) == sentence
    assert words in items[best.evidence].text[best.answer_start : best.answer_end]
    assert made.probability == best.probability == max(span.probability for span in made.spans)


HOLIDAYS = "Full-time employees receive 24 days of holiday a year. Holidays are asked for two weeks ahead."
ALLOWANCE = "境外出差每天补助五十美元。补助随工资发放。"


@pytest.mark.parametrize(
    ("text", "its_own", "another"),
    [
        (
            HOLIDAYS,
            "How many days of holiday do full-time employees receive?",
            "How many holidays do part-time employees get?",
        ),
        (ALLOWANCE, "境外出差每天补助多少？", "境内出差每天补助多少？"),
    ],
)
def test_what_is_said_of_one_kind_answers_no_question_on_another(text, its_own, another):
    assert judged(its_own, text, PUMP)[0].state == "answered"
    assert judged(another, text, PUMP)[0].state == "closest"


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("How many seats has room 7?", ("room 7",)),
        ("How often is the pump of 1987 serviced?", ("1987",)),
        ("What does E-77 of the pump mean?", ("E-77",)),
    ],
)
def test_what_names_a_thing_told_of_nowhere_is_not_answered_and_the_thing_is_told(question, missing):
    made, _ = judged(question, ROOMS, PUMP)
    assert made.state != "answered" and made.missing == missing


def test_what_has_nothing_to_do_with_the_question_does_not_answer():
    made, _ = judged("Who painted the ceiling of the chapel?", ROOMS, PUMP)
    assert made.state == "not_found" and made.probability < 0.2


def test_no_evidence_has_no_place():
    made, _ = judged("Who?")
    assert made.spans == () and made.state == "not_found"


def test_a_heading_a_label_and_a_question_are_never_the_place():
    made, items = judged(
        "What is the serial number?", "Serial number:", "What is the serial number?", "Serial number: K-4471"
    )
    assert made.state == "answered" and said(made, items) == "Serial number: K-4471"
    assert all(items[span.evidence].text == "Serial number: K-4471" for span in made.spans)


def test_a_form_is_read_line_by_line():
    form = "合同编号：HT-31\n甲方：青禾公司\n乙方：北岭物流有限公司\n签订日期：2025年3月8日"
    made, items = judged("合同编号是多少？", form)
    assert made.state == "answered" and said(made, items) == "合同编号：HT-31"


class _Gone:
    name = "gone"

    def read(self, question, passages):
        raise ProviderError("The weights are gone.")


def test_without_a_reader_words_and_vectors_still_judge():
    made, items = judged("How many seats has room 16?", ROOMS, PUMP, reader=_Gone())
    assert made.spans and "Room 16 has 40 seats." in said(made, items)
    unread, _ = judged("Who painted the chapel?", ROOMS, PUMP, reader=_Gone())
    assert unread.probability < made.probability


@pytest.mark.parametrize(
    ("question", "text", "missing"),
    [
        ("第三笔款什么时候付？", "第一期于五月支付，第三期于八月支付。", ()),
        ("6月27号停水吗？", "6月27日停水，3号库除外。", ()),
        ("第三个年度的租金是多少？", "第一年租金5个月一付，第三年按季付。", ()),
        ("第九条规定了什么？", "第七条 租金每年调整。", ("第九条",)),
        ("Why was the Indian plant late?", "The plant in India was late because of the rain.", ()),
        ("Why was the Austrian plant late?", "The plant in Australia was late.", ("Austrian",)),
        ("Kestrel的水箱多大？", "The Kestrel holds six litres in its tank.", ()),
    ],
)
def test_what_is_told_nowhere_is_a_thing_whose_kind_is_numbered_or_a_name_in_no_spelling(question, text, missing):
    assert things_missing(understand(question), [evidence(1, text)]) == missing


@pytest.mark.parametrize("question", ["doc.md里有几条？", "What does doc.md tell?", "章节在doc_2.md里吗？"])
def test_the_name_of_a_file_with_its_suffix_is_no_missing_thing(question):
    document = "doc_2.md" if "_2" in question else "doc.md"
    assert things_missing(understand(question), [evidence(1, LEAVE, document=document)]) == ()


def test_what_is_said_of_another_thing_of_the_kind_comes_close_and_answers_nothing():
    other = "Room 16 has no projector. Room 26 has a projector."
    made, items = judged("Does room 6 have a projector?", ROOMS, other)
    assert made.state == "closest" and "projector" in said(made, items)
    made, _ = judged("Does room 26 have a projector?", ROOMS, other)
    assert made.state == "answered"
    # A number like that of a year numbers a thing, too, where it stands behind its name.
    products = (
        "The AquaPure 2000 filters 80 litres an hour and needs a new cartridge every six months. "
        "The AquaPure 20 is for travel and filters 2 litres."
    )
    made, items = judged("How many litres does the AquaPure 2000 filter?", products)
    assert made.state != "answered" or "80" in said(made, items)


def test_a_place_in_another_language_answers_only_where_the_question_s_own_tells_nothing_nearer():
    asked, foreign = "How often is the pump serviced?", "水泵每500小时检修一次。"
    made, items = judged(asked, PUMP, foreign)
    assert made.state == "answered" and said(made, items) == "The pump is serviced every 800 hours."
    made, items = judged(asked, "The pump stands in hall 3.", foreign)
    assert made.state != "answered"
    made, items = judged(asked, foreign, "The hall is old.")
    assert made.state == "answered" and said(made, items) == foreign


BREACH = [
    "甲方无故解除合同的，应向乙方支付合同金额百分之二十的赔偿金。",
    "乙方无故解除合同的，应向甲方支付合同金额百分之三十的赔偿金。",
]


@pytest.mark.parametrize("texts", [BREACH, ["".join(BREACH)], BREACH[::-1]])
@pytest.mark.parametrize(("party", "sentence"), [("甲方", BREACH[0]), ("乙方", BREACH[1])])
def test_of_two_clauses_alike_the_one_on_the_party_asked_about_answers(party, sentence, texts):
    made, items = judged(f"{party}无故解除合同要赔多少？", *texts)
    assert said(made, items) == sentence and made.state == "answered"
    assert all(other.probability < made.probability for other in made.spans[1:])
