import pytest

from engine.retrieve.document_names import named_documents, without_names
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


@pytest.mark.parametrize(
    "question", ["Netflix 2018", "What is Netflix?", "2018?", "How do rivers freeze in 2018?"]
)
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
