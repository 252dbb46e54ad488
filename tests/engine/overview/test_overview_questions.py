"""Questions about the documents themselves are told from all others."""

import pytest

from engine.overview.asked import means_documents, of_kind, readings, says_nothing, term_in, without_names

FILES = ("annual_report-2023.pdf", "公司法.md", "lease.docx", "slides.pptx", "note.eml")
NAMES = {name: [name, name.rpartition(".")[0]] for name in FILES}


def about(question):
    """What a question says of documents as a whole: what it asks for, and of which."""
    for kind, said in readings(question):
        named, rest = without_names(said, NAMES)
        if kind == "mentions":
            return kind, term_in(said)
        named = named or of_kind(rest, {name: name for name in FILES})[0]
        if kind == "list" and says_nothing(said):
            return kind, ""
        if kind not in ("list", "place") and says_nothing(rest) and (named or means_documents(said)):
            return kind, ",".join(named)
    return None


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        ("What is this document about?", ""), ("What are these files about?", ""), ("Summarize the report, please", ""),
        ("Summarise annual_report-2023.pdf", "annual_report-2023.pdf"),
        ("Give me a short summary of the annual report 2023", "annual_report-2023.pdf"),
        ("What does lease.docx say?", "lease.docx"), ("What are the key points of the lease?", "lease.docx"),
        ("这份文件讲了什么？", ""), ("请总结一下公司法", "公司法.md"), ("公司法主要讲了什么？", "公司法.md"),
        ("What is the presentation about?", "slides.pptx"), ("这封邮件说了什么？", "note.eml"),
        ("《公司法》的主要内容是什么？", "公司法.md"), ("概括所有文档", ""),
    ],
)  # fmt: skip
def test_it_may_be_asked_what_documents_are_about(question, documents):
    assert about(question) == ("about", documents)


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("Which documents mention Microsoft?", "Microsoft"), ("Which files mention a dog?", "dog"),
        ("In which files does the word “rent” occur?", "rent"),
        ("How many reports talk about climate change?", "climate change"), ("哪些文档提到了提示词？", "提示词"),
        ("“违约金”出现在哪些文件中？", "违约金"),
    ],
)  # fmt: skip
def test_it_may_be_asked_which_documents_mention_something(question, term):
    assert about(question) == ("mentions", term)


@pytest.mark.parametrize(
    "question",
    [
        "How many documents are there?",
        "What files do I have?",
        "List all documents",
        "有多少份文档？",
        "库里有哪些文件？",
    ],
)
def test_it_may_be_asked_which_documents_there_are(question):
    assert about(question) == ("list", "")


@pytest.mark.parametrize(
    "question",
    [
        "Summarize the risks in the report", "What is the lease's rent?", "What does the lease say about pets?",
        "How many documents must the buyer sign?", "Which report was published in 2020?", "What is AGI about?",
        "公司法对股东人数有什么规定？", "报告里净利润是多少？", "合同包括哪些附件？", "股东会行使哪些职权？",
        "总结一下公司的主要风险", "What does it mean?", "Who signed the treaty?",
        "What documents are needed for a visa?", "办理签证需要哪些材料？", "结论是什么？",
        "What does it show about rent?", "What are the findings on trust in the report?",
    ],
)  # fmt: skip
def test_a_question_for_what_stands_in_documents_is_another(question):
    assert about(question) is None


@pytest.mark.parametrize("question", ["Can a tenant keep a dog?", "How much is the rent?", "每人每年应当植树几棵？"])
def test_the_form_of_a_question_tells_at_once_that_it_is_not_about_documents(question):
    assert {one.kind for one in readings(question)} <= {"place"}
