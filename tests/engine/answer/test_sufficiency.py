from dataclasses import replace

import pytest
from evidence_maker import evidence

from engine.answer.agent.subjects import compares_what_is_told
from engine.answer.asked_names import names_in, respelled, spoken_of, whole_names
from engine.answer.candidates import candidates
from engine.answer.readings import AnswerSpan
from engine.answer.similarity import SentenceSimilarity
from engine.answer.sufficiency import assess
from engine.config import EmbeddingSettings
from engine.providers.embedding import open_embedder

TOWN = evidence(
    1,
    "The town library of Marlow opened its reading room in 1987. It lends 40,000 books a year. "
    "The building was designed by Anna Keller and stands beside the old mill.",
    document="marlow.pdf",
    path=("Library",),
)
HANDBOOK = evidence(
    2,
    "员工入职满一年后，每年享有十五天带薪年假。未休完的年假可以结转到次年三月底。病假需要提供医院证明。",
    document="员工手册.docx",
    path=("第二章 年假",),
)
ANSWERABLE = [
    "When did the reading room of the Marlow library open?",
    "Who designed the building?",
    "员工每年有多少天带薪年假？",
    "请病假需要提供什么证明？",
]
UNANSWERABLE = [
    "Who won the football world cup in 2018?",
    "How much does a season ticket for the Oxford railway museum cost?",
    "公司的股票代码和上市时间是什么？",
    "火星表面的重力有多大？",
]


@pytest.fixture(scope="module")
def similarity():
    embedder = open_embedder(EmbeddingSettings())
    assert embedder is not None
    return SentenceSimilarity(embedder)


def verdict(question, similarity=None, items=(TOWN, HANDBOOK)):
    return assess(question, items, candidates(question, items, similarity), similarity)


@pytest.mark.parametrize("vectors", [True, False])
@pytest.mark.parametrize("question", ANSWERABLE)
def test_a_question_that_the_evidence_answers_is_sufficient(question, vectors, similarity):
    assert verdict(question, similarity if vectors else None).sufficient


@pytest.mark.parametrize("vectors", [True, False])
@pytest.mark.parametrize("question", UNANSWERABLE)
def test_a_question_about_something_else_is_not(question, vectors, similarity):
    judged = verdict(question, similarity if vectors else None)
    assert not judged.sufficient and judged.missing


def test_without_the_dictionary_evidence_in_another_language_is_judged_by_meaning(similarity, monkeypatch):
    monkeypatch.setattr("engine.answer.sufficiency.translated_pieces", lambda _: ())
    assert verdict("How many days of paid annual leave do employees have?", similarity, [HANDBOOK]).sufficient
    assert not verdict("Who discovered the planet Uranus?", similarity, [HANDBOOK]).sufficient
    assert not verdict("How many days of paid annual leave do employees have?", None, [HANDBOOK]).sufficient


def test_a_year_that_stands_nowhere_weighs_against_an_answer():
    with_year = verdict("How many books did the Marlow library lend in 2031?")
    without = verdict("How many books does the Marlow library lend a year?")
    assert with_year.score < without.score and "2031" in with_year.missing


def test_names_that_stand_nowhere_weigh_against_an_answer():
    right = verdict("Did Anna Keller design the library building?")
    wrong = verdict("Did Boris Petrov design the library building?")
    assert wrong.score < right.score and {"Boris", "Petrov"} <= set(wrong.missing)


def test_nothing_found_is_never_sufficient():
    assert not assess("Anything?", [], []).sufficient


def test_names_are_capitals_inside_a_sentence_and_latin_words_among_chinese():
    assert len(names_in("Which books did Anna Keller lend?")) == 2
    assert names_in("Which books are lent?") == []
    assert len(names_in("MIT的OpenCourseWare是什么时候开始的？")) == 2
    assert names_in("SR99是什么时候开放的？") == [frozenset({"sr99"})]


def test_a_capital_at_the_beginning_is_a_name_where_no_command_stands_there():
    assert len(names_in("Marlow is a village in which parish?")) == 1
    assert names_in("Summarize the opening hours.") == []


def test_what_all_passages_hold_shows_less_than_what_one_holds():
    rooms = [
        evidence(n, f"The {name} room of the Marlow library holds old books.", path=("Rooms",))
        for n, name in enumerate(["green", "blue", "red", "long"], 1)
    ]
    assert verdict("Which books does the red room of the Marlow library hold?", items=rooms).sufficient
    assert not verdict("Which lamp does the yellow room of the Marlow library hold?", items=rooms).sufficient


def test_a_name_of_several_words_is_spoken_of_where_they_stand_together():
    assert whole_names("Was Anna Keller born before Tom Ashby?") == ["Anna Keller", "Tom Ashby"]
    assert spoken_of("Anna Keller", ["It was designed by Anna Maria Keller."])
    assert not spoken_of("Anna Keller", ["Anna left early.", "Keller came late. He stayed."])
    assert whole_names("《青瓦 Record》是谁写的？") == ["青瓦 Record"]
    assert whole_names("What Is The Price Of The Blue Chair") == []


def test_passages_on_other_bearers_of_a_name_s_words_are_no_answer():
    others = [
        evidence(1, "Peter Keller designed the mill in 1901.", path=("Mill",)),
        evidence(2, "Anna Ashby designed the bridge in 1911.", path=("Bridge",)),
    ]
    assert verdict("When did Peter Keller design the mill?", items=others).sufficient
    right, wrong = "When did Peter Keller design the mill?", "When did Peter Ashby design the mill?"
    assert verdict(wrong, items=others).score < verdict(right, items=others).score


IN_ANOTHER_LANGUAGE = [
    ("图书馆的阅览室是什么时候开放的？", True),
    ("图书馆每年借出多少本书？", True),
    ("How many days of paid annual leave do employees have?", True),
    ("What proof does a sick leave need from the hospital?", True),
    ("谁在2018年赢得了足球世界杯？", False),
    ("火车票的价格是多少？", False),
    ("Who designed the stock exchange?", False),
]


@pytest.mark.parametrize("vectors", [True, False])
@pytest.mark.parametrize(("question", "answered"), IN_ANOTHER_LANGUAGE)
def test_evidence_in_another_language_is_judged_by_the_translated_words_too(
    question, answered, vectors, similarity
):
    items = (HANDBOOK,) if question.isascii() else (TOWN,)
    assert verdict(question, similarity if vectors else None, items).sufficient == answered


def test_missing_characters_are_told_as_they_stand_in_the_question():
    item = evidence(1, "变流器每周巡检一次，由运行二班负责。")
    assert verdict("变流器的生产厂是哪一家？", items=[item]).missing == ["生产厂"]


@pytest.mark.parametrize(
    ("question", "text", "told"),
    [
        ("What was the revenue in 2019?", "In 2018 the revenue was 12 million euros.", ["2019"]),
        ("2019年公司营业收入是多少？", "2018年公司营业收入为1240万欧元。", ["2019"]),
        ("第四届董事会的董事长是谁？", "第三届董事会的董事长为王敏。", ["第4届"]),
    ],
)
def test_what_is_told_of_another_year_or_number_answers_nothing(question, text, told, similarity):
    items = [evidence(1, text)]
    verdict = assess(question, items, candidates(question, items, similarity), similarity)
    assert not verdict.sufficient and verdict.not_of == told
    asked_there = question.replace("2019", "2018").replace("四", "三")
    verdict = assess(asked_there, items, candidates(asked_there, items, similarity), similarity)
    assert verdict.sufficient and verdict.not_of == []


@pytest.mark.parametrize(
    ("question", "on_it", "beside"),
    [
        (
            "What was the revenue in 2024?",
            "Revenue in 2022 and 2023 was 15.2 million.",
            "The term ends in March 2024.",
        ),
        ("2024年的营业收入是多少？", "2022年和2023年营业收入为1520万元。", "租期自2024年4月1日起。"),
    ],
)
def test_a_year_that_stands_only_in_texts_on_something_else_is_not_told_of(question, on_it, beside):
    items = [evidence(1, on_it), evidence(2, beside)]
    judged = verdict(question, items=items)
    assert not judged.sufficient and judged.not_of == ["2024"]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How much time did the training take?", "The training took 11 hours."),
        ("Who wrote the report?", "Anna Keller writes the report."),
    ],
)
def test_an_irregular_word_is_found_in_its_other_forms(question, text):
    assert max(one.shared for one in candidates(question, [evidence(1, text)])) >= 0.66


@pytest.mark.parametrize(
    ("question", "spelled"),
    [
        ("Who founded Sheeshanks Gallery?", "Who founded Sheepshanks Gallery?"),
        ("Sentanta Sports何时推出？", "Setanta Sports何时推出？"),
        ("Who founded Keller Gallery?", "Who founded Keller Gallery?"),
        ("what did sheeshanks found?", "what did sheeshanks found?"),
    ],
)
def test_a_name_is_read_as_the_evidence_spells_nearly_the_same(question, spelled):
    texts = ["John Sheepshanks gave paintings to Mueller.", "Setanta Sports began in March."]
    assert respelled(question, texts) == spelled


def test_a_single_word_that_is_said_in_another_language_too_tells_little():
    foreign = evidence(1, "Date: 12 March. Place: Canteen, Building C.", document="minutes.txt", path=())
    assert not verdict("房子在哪？", None, (foreign,)).sufficient


def test_the_subject_of_a_document_counts_for_each_of_its_passages():
    text = "Pneumonia of the right lower lobe."
    alone = evidence(1, text, document="a.md", path=("Diagnosis",))
    about = evidence(1, text, document="a.md", path=("Diagnosis",), subject="Patient: Edward Lin")
    question = "What is the patient's diagnosis?"
    assert verdict(question, None, (about,)).score > verdict(question, None, (alone,)).score


def test_how_old_asks_for_no_text_that_says_old():
    assert "old" not in verdict("How old is the bridge of Marlow?").missing


def test_a_sentence_is_held_against_the_question_under_the_title_that_has_its_name(similarity):
    text = "Revenue rose to 4.8 million euros, up 12 percent on last year."
    question = "What was the revenue of Harbour Bikes?"
    named, bare = (
        evidence(1, text, document="a.md", path=("Sales",), subject=subject)
        for subject in ("Harbour Bikes", "")
    )
    assert verdict(question, similarity, (named,)).sufficient
    assert not verdict(question, similarity, (bare,)).sufficient


@pytest.mark.parametrize(
    ("question", "counts"),
    [
        ("Who designed the building?", True),
        ("What does the document say about the reading room?", False),
        ("What are the rules on books?", False),
        ("员工每年有多少天带薪年假？", True),
        ("关于年假有什么规定？", False),
        ("年假是怎么约定的？", True),
    ],
)
def test_how_sure_a_reader_is_counts_but_not_where_all_that_is_said_of_a_subject_is_asked_for(
    question, counts
):
    item = HANDBOOK if "年" in question else TOWN
    found = candidates(question, [item])
    alone = assess(question, [item], found).score
    doubted = assess(question, [item], found, None, [AnswerSpan(0, 0, 4, -8.0)]).score
    assert (doubted < alone) == counts


def test_a_reader_that_is_sure_raises_nothing_where_a_name_stands_nowhere():
    read = [AnswerSpan(0, 0, 4, 8.0)]

    def scores(question):
        found = candidates(question, [TOWN])
        return assess(question, [TOWN], found).score, assess(question, [TOWN], found, None, read).score

    alone, surely_read = scores("Which clubs met there after the Marlow town library had closed?")
    assert surely_read > alone
    alone, surely_read = scores("When did the reading room of the Penrose library open?")
    assert surely_read <= alone < 0.5


def test_an_attribute_is_told_by_no_sentence_without_it_and_of_nobody_else(similarity):
    roe = evidence(
        1, "Jane Roe (1901-1980) was a painter from the north.", title="Jane Roe", document="roe.md"
    )
    other = evidence(
        2, "John Poe was born in Leeds and died of a fever.", title="John Poe", document="poe.md"
    )

    def judged(question, *items):
        found = candidates(question, items, similarity)
        return assess(
            question, items, found, similarity, [AnswerSpan(i, 0, 8, 6.0) for i in range(len(items))]
        )

    assert not judged("What did Jane Roe die of?", roe, other).sufficient
    assert judged("What did John Poe die of?", roe, other).sufficient


@pytest.mark.parametrize(
    ("question", "item"),
    [
        ("May I bring a stroller along?", TOWN),
        ("能不能把婴儿车推进去？", TOWN),
        ("可以提前多久走人？", HANDBOOK),
    ],
)
def test_a_reader_that_is_sure_answers_a_question_that_shares_no_words_and_has_no_name(question, item):
    found = candidates(question, [item])
    surely, doubtfully = (
        assess(question, [item], found, None, [AnswerSpan(0, 0, 4, certainty)]) for certainty in (6.0, -6.0)
    )
    assert surely.sufficient and not doubtfully.sufficient


def lease(*, whole):
    """A lease's term and its rents; ``whole`` as parts of one document, else a document each."""
    texts = [
        ("Term", "The lease of the warehouse ends on 28 February 2032."),
        ("Rent", "The rent of the office is 900 euros, that of the warehouse 4,200."),
    ]
    items = [
        evidence(n, text, path=(title,), document="lease.md") for n, (title, text) in enumerate(texts, 1)
    ]
    return [replace(i, hit=replace(i.hit, document_id="d1")) for i in items] if whole else items


def read_in_the_first(question, items, certainty):
    return assess(question, items, candidates(question, items), None, [AnswerSpan(0, 0, 4, certainty)])


def test_among_passages_of_one_document_a_reader_counts_and_words_do_not():
    question = "When does the lease of the warehouse end?"
    assert not read_in_the_first(question, lease(whole=True), -6.0).sufficient
    assert read_in_the_first(question, lease(whole=True), 6.0).sufficient
    of_other_words = "Until what day may we keep our goods there?"
    assert read_in_the_first(of_other_words, lease(whole=True), 6.0).score == pytest.approx(
        read_in_the_first(question, lease(whole=True), 6.0).score
    )


def test_words_that_what_is_read_lacks_and_the_document_has_elsewhere_weigh_against_it_and_are_told():
    question = "When does the lease of the office end?"
    apart, whole = (read_in_the_first(question, lease(whole=one), 6.0) for one in (False, True))
    plain = read_in_the_first("When does the lease of the warehouse end?", lease(whole=True), 6.0)
    assert whole.elsewhere == ("office",) and not apart.elsewhere and not plain.elsewhere
    assert whole.score < plain.score


def test_two_things_are_compared_where_each_has_a_passage_of_its_own():
    varga = evidence(1, "She studied law and became a judge in 1961.", document="v.txt", path=("Edda Varga",))
    aske = evidence(2, "He wrote two novels.", document="a.txt", path=("Ruben Aske (author)",))
    hall = evidence(3, "He wrote two novels.", document="h.txt", path=("Aske Hall",))
    question, doubted = "Who lived longer, Edda Varga or Ruben Aske?", [AnswerSpan(0, 0, 3, -9.0)]

    def judged(*items):
        return assess(question, items, candidates(question, items), None, doubted)

    assert judged(varga, aske).sufficient
    assert not judged(varga, hall).sufficient


def test_things_that_are_compared_without_a_title_or_a_passage_on_both_are_doubted():
    plans = evidence(1, "Plan North costs 12 euros a month.", document="plans.txt", path=("Tariffs",))
    mention = evidence(2, "Plan Coast was cheaper once.", document="news.txt", path=("News",))
    both = evidence(3, "Plan North is cheaper than Plan Coast.", document="both.txt", path=("Tariffs",))
    coast = evidence(2, "It was cheaper once.", document="b.txt", path=("Rates of Plan Coast",))
    north = evidence(1, "It costs 12 euros a month.", document="a.txt", path=("Rates of Plan North",))
    question = "Which is cheaper, Plan North or Plan Coast?"
    assert compares_what_is_told(question, [plans, mention]) is False
    assert compares_what_is_told(question, [plans, both]) is None
    assert compares_what_is_told(question, [north, coast]) is None
    assert compares_what_is_told("How much is Plan North?", [plans, mention]) is None

    def judged(*items):
        return assess(question, items, candidates(question, items)).score

    assert judged(plans, mention) < judged(plans, both)


def test_a_passage_with_a_name_in_another_script_is_in_the_language_it_is_written_in():
    plain = evidence(1, "Orange Star is a holding company for airlines.", document="o.txt", path=())
    spelled = evidence(
        1, "Orange Star (Chinese: 橘星) is a holding company for airlines.", document="o.txt", path=()
    )
    question = "Where is the airline Valuair based?"
    assert verdict(question, None, (spelled,)).score == pytest.approx(
        verdict(question, None, (plain,)).score, abs=0.02
    )
