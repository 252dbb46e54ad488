"""Questions about the documents themselves are told from all others."""

from types import SimpleNamespace

import pytest

from engine.overview.asking import may_ask_of_documents, read

DOCUMENTS = [
    SimpleNamespace(name=name)
    for name in ("annual_report-2023.pdf", "公司法.md", "lease.docx", "slides.pptx", "note.eml")
]


def kind(question):
    found = read(question, DOCUMENTS)
    return found and (found.kind, found.term or ",".join(one.name for one in found.documents))


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
    assert kind(question) == ("about", documents)


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("第三章讲什么？", "第三章"), ("总结公司法第二章第一节", "第二章第一节"),
        ("What is chapter 3 about?", "chapter 3"),
        ("Summarize section 2.1 of the lease", "section 2.1"),
    ],
)  # fmt: skip
def test_it_may_be_asked_what_a_part_is_about(question, part):
    assert kind(question)[0] == "part" and read(question, DOCUMENTS).term == part


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
    assert kind(question) == ("mentions", term)


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
    assert kind(question) == ("list", "")


@pytest.mark.parametrize(
    "question",
    [
        "Summarize the risks in the report", "What is the lease's rent?", "What does the lease say about pets?",
        "How many documents must the buyer sign?", "Which report was published in 2020?", "What is AGI about?",
        "公司法对股东人数有什么规定？", "报告里净利润是多少？", "合同包括哪些附件？", "股东会行使哪些职权？",
        "总结一下公司的主要风险", "What does it mean?", "Who wrote this?", "Who signed the treaty?",
        "What does the flag stand for?",
        "What documents are needed for a visa?", "办理签证需要哪些材料？",
    ],
)  # fmt: skip
def test_a_question_for_what_stands_in_documents_is_another(question):
    assert kind(question) is None


@pytest.mark.parametrize(
    ("question", "may"),
    [
        ("What is the lease about?", True), ("Which documents mention a dog?", True),
        ("How many files are there?", True), ("What does IFC stand for?", True),
        ("谁写了这份报告？", True), ("第三章讲什么？", True),
        ("Can a tenant keep a dog?", False), ("How much is the rent?", False), ("每人每年应当植树几棵？", False),
    ],
)  # fmt: skip
def test_the_form_of_a_question_tells_at_once_that_it_is_not_about_documents(question, may):
    assert may_ask_of_documents(question) is may


@pytest.mark.parametrize(
    "question",
    [
        "What are the main findings of annual_report-2023.pdf?", "What does lease.docx conclude?",
        "公司法的主要结论是什么？",
    ],
)  # fmt: skip
def test_it_may_be_asked_what_a_document_found(question):
    assert kind(question)[0] == "findings"


@pytest.mark.parametrize(
    "question",
    ["What are the findings on trust in the report?", "结论是什么？", "What does it show about rent?"],
)
def test_a_question_for_a_finding_is_none_for_all(question):
    assert kind(question) is None
