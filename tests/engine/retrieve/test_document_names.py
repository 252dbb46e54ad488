import pytest

from engine.ingest import Source
from engine.model import Filters
from engine.retrieve.document_names import named_documents, properly_named, without_names
from engine.retrieve.query import understand

REPORTS = {"a": "BESTBUY_2023_10K.pdf", "b": "BESTBUY_2018_10K.pdf", "c": "NETFLIX_2018_10K.pdf"}


def test_the_name_in_a_question_is_taken_out_and_the_rest_is_asked():
    naming = named_documents("What was Best Buy's inventory turnover in 2018?", REPORTS)
    assert naming is not None
    assert naming.rest == "What was inventory turnover in 2018?"
    assert naming.names == ("Best Buy",)


def test_the_year_tells_one_report_from_the_other():
    naming = named_documents("What was Best Buy's inventory turnover in 2018?", REPORTS)
    assert naming is not None
    assert naming.documents["b"] == 1
    assert 0 < naming.documents["a"] < 1
    assert "c" not in naming.documents


def test_a_chinese_company_is_named_with_its_legal_form():
    naming = named_documents(
        "北方机械集团股份有限公司2021年的流动资产合计是多少元？", {"a": "北方机械_2021年度报告.pdf"}
    )
    assert naming is not None
    assert naming.rest.endswith("流动资产合计是多少元?")
    assert "公司" not in naming.rest


@pytest.mark.parametrize("question", ["Netflix 2018", "What is Netflix?", "2018?", "How do rivers freeze in 2018?"])
def test_a_question_that_asks_for_nothing_else_is_left_alone(question):
    assert named_documents(question, REPORTS) is None


def test_other_forms_of_words_are_kept_when_the_name_goes():
    query = understand("What was Netflix inventory turnover growth?", also=["stock"])
    naming = named_documents(query.text, REPORTS)
    assert naming is not None
    terms = dict(without_names(query, naming).terms)
    assert "stock" in terms
    assert "netflix" not in terms


FILINGS = {
    "a": "ACME_2018_10K.pdf",
    "b": "ACME_2022_10K.pdf",
    "c": "ACME_2023Q1_report.pdf",
    "d": "ACME_FY2023Q2.pdf",
}


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("What was the FY2018 capital expenditure of Acme?", "a"),
        ("How much debt had Acme at the end of 2022?", "b"),
        ("Why did Acme raise its guidance in Q1 of FY2023?", "c"),
        ("Why did Acme raise its guidance as of FY2023Q1?", "c"),
        ("Did Acme's revenue fall in Q22023?", "d"),
    ],
)
def test_years_and_quarters_tell_one_report_from_the_next(question, best):
    naming = named_documents(question, FILINGS)
    assert naming is not None
    assert [key for key, share in naming.documents.items() if share == 1] == [best]
    assert "2" in naming.rest and "Acme" not in naming.rest


def test_a_period_alone_names_no_document():
    assert named_documents("What happened to the northern harbour in Q1 of FY2023?", FILINGS) is None


def _report(company: str, figure: int) -> Source:
    paragraphs = "\n\n".join(
        f"Part {n}: the board reviewed order {n} and found that demand for steel had been steady." for n in range(40)
    )
    text = f"# {company}\n\n{paragraphs}\n\nThe plant in the north employed {figure} people at the end of the year."
    return Source(f"{company.upper()}_2022_report.md", text.encode())


COMPANIES = [
    f"{first}{last}" for first in ("Bel", "Cor", "Dun", "Fal", "Gor") for last in ("tek", "mor", "van", "lin", "dex")
]


def test_the_document_of_a_proper_name_is_found_among_many_that_say_the_same(library):
    library.add([_report(company, 1000 + n) for n, company in enumerate(COMPANIES)])
    for company, figure in (("Dunvan", 1012), ("Gordex", 1024)):
        found = library.search(f"How many people did the plant in the north of {company} employ?", top_k=3)
        assert found.hits[0].document == f"{company.upper()}_2022_report.md"
        assert str(figure) in found.hits[0].snippet
        assert any(company.upper() in note for note in found.notes)


def test_a_long_document_that_shares_a_word_with_the_short_one_that_is_named_is_not_meant(library):
    library.add([_report("Beltek", 7), Source("WARN report.md", b"# Notices\n\nMaxim closed a plant for good.")])
    found = library.search("Which company in the WARN report closed a plant?")
    assert not any("BELTEK" in note for note in found.notes)


def test_a_filter_to_other_documents_is_kept_whatever_the_question_names(library):
    library.add([_report(company, 1000 + n) for n, company in enumerate(COMPANIES[:3])])
    only = Filters(documents=("BELMOR_2022_report.md",))
    hits = library.search("How many people did the plant of Beltek employ?", filters=only, top_k=10).hits
    assert {hit.document for hit in hits} == {"BELMOR_2022_report.md"}


@pytest.mark.parametrize(
    "question", ["How steady was demand in the report?", "Report: how steady was demand for steel?"]
)
def test_a_word_that_many_texts_have_or_a_common_one_is_no_proper_name(library, question):
    steel = "\n\n".join(f"Report {n} says that demand was steady." for n in range(80))
    library.add([Source("report.md", b"# Summary\n\nShort."), Source("steel.md", f"# Steel\n\n{steel}".encode())])
    assert properly_named(question, library.storage.snapshot()) == {}


def test_a_document_that_is_gone_is_named_no_more(library):
    library.add([_report("Beltek", 7)])
    question = "How many people did the plant of Beltek employ?"
    assert list(properly_named(question, library.storage.snapshot()).values()) == ["BELTEK_2022_report.md"]
    library.remove("BELTEK_2022_report.md")
    assert properly_named(question, library.storage.snapshot()) == {}


def test_a_piece_of_a_chinese_name_is_not_the_whole_of_it():
    laws = {"a": "劳动合同法.md", "b": "公司法.md"}
    naming = named_documents("劳动合同到期后工资怎样支付？", laws)
    assert naming is not None and naming.whole == frozenset()
    naming = named_documents("按照公司法，股东会怎样召集？", laws)
    assert naming is not None and naming.whole == {"b"}


SQUARE = {"a": "四方科技_2019年度报告.pdf", "b": "NETFLIX_2015_10K.pdf"}


@pytest.mark.parametrize(
    ("question", "names", "numbers"),
    [
        ("What was Netflix's streaming revenue in 2015?", {"b"}, ["2015"]),
        ("四方科技2019年的营业收入是多少？", {"a"}, ["2019"]),
        ("四方科技2019年度报告中2018年的营业收入是多少？", {"a"}, ["2019", "2018"]),
        ("How did Netflix's 201 offices spend 2019 dollars?", {"b"}, ["201", "2019"]),
    ],
)
def test_no_number_of_a_question_is_ever_cut(question, names, numbers):
    naming = named_documents(question, SQUARE)
    assert naming is not None
    assert {key for key, share in naming.documents.items() if share == 1} == names
    assert all(number in naming.rest for number in numbers)


def test_a_number_in_the_name_of_a_file_stays_in_the_question():
    naming = named_documents("What does the torque of Falcon 300 depend on?", {"a": "FALCON300.pdf"})
    assert naming is not None and set(naming.documents) == {"a"}
    assert "300" in naming.rest
    assert named_documents("What does section 404 say about controls?", {"a": "404.pdf"}) is None


def test_a_fragment_from_the_middle_of_a_name_names_nothing():
    assert named_documents("电站巡的意思是什么东西？", {"a": "储能电站巡检规程.docx"}) is None


def test_a_piece_of_a_name_tells_the_document_and_stays_in_the_question():
    law = {"a": "中华人民共和国公司法(2023修订).docx"}
    naming = named_documents("公司法规定股东会怎样召集？", law)
    assert naming is not None and set(naming.documents) == {"a"}
    assert naming.rest == "公司法规定股东会怎样召集?"
