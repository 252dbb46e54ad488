"""Who sent a mail, to whom and when, is told where the mail is named by what it says."""

import pytest

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library


def mail(sender: str, to: str, copied: str, subject: str, text: str) -> bytes:
    head = f"From: {sender} <a@x.example>\nTo: {to} <b@x.example>\nCc: {copied} <c@x.example>\n"
    head += f"Subject: {subject}\nDate: Tue, 14 May 2024 09:12:00 +0200\nContent-Type: text/plain; charset=utf-8\n"
    return f"{head}\n{text}\n".encode()


@pytest.fixture(scope="module")
def post(tmp_path_factory):
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    folder = tmp_path_factory.mktemp("mails")
    with Library.open(folder / "post", settings=settings, background=False) as opened:
        opened.add(
            [
                Source("1.eml", mail("Maria", "Tom", "Ines", "Thursday", "The two trucks come on Friday.")),
                Source("2.eml", mail("Ben", "Ann", "Kim", "Lunch", "The canteen is closed.")),
                Source("3.eml", mail("Wang", "Zhao", "Zhou", "Plan", "机房空调将于下周更换。")),
                Source("trucks.md", b"# Trucks\n\nTrucks were invented in 1896 by Gottlieb Daimler.\n"),
            ]
        )
        yield opened


@pytest.mark.parametrize(
    ("question", "told", "document"),
    [
        ("Who sent the mail about the trucks?", "Maria", "1.eml"),
        ("When was the e-mail about the trucks sent?", "14 May 2024", "1.eml"),
        ("To whom was the message about the trucks sent?", "Tom", "1.eml"),
        ("Who was in cc of the mail about the trucks?", "Ines", "1.eml"),
        ("关于空调的邮件是谁发的？", "Wang", "3.eml"),
        ("机房空调那封邮件抄送给了谁？", "Zhou", "3.eml"),
    ],
)
def test_the_head_of_a_mail_is_told_by_what_its_text_says(post, question, told, document):
    made = post.ask(question)
    assert made.answered and told in made.answer
    assert {source.document for source in made.sources} == {document}


def test_no_mail_speaks_of_what_is_asked(post):
    made = post.ask("Who sent the mail about the helicopters?")
    assert "head" not in made.answer


@pytest.mark.parametrize(
    "question",
    [
        "What does the mail about the trucks say?",
        "Who told the customer in the mail about the trucks?",
        "How many trucks does the mail about the delay mention?",
        "关于空调的邮件说了什么？",
    ],
)
def test_another_question_is_not_answered_by_the_head(post, question):
    assert "head of" not in post.ask(question).answer
