"""The retrieval lab and evaluation: why a passage is missing; a set of questions, run and compared."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.visitor import App, Visitor

Visit = Callable[..., Visitor]
QUESTION = "How many barrels of oil did the lamp burn?"


def test_why_a_passage_was_missed_is_found_out(visit: Visit, app: App):
    page = visit().open("/retrieval_lab")
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_label("Question").press("Enter")
    expect(page.get_by_role("list", name="Stages of the search")).to_contain_text("Put together")
    first = page.locator("li.hit").first
    expect(first).to_contain_text("11 barrels")
    expect(first.locator(".bar i").first).to_be_visible()

    page.get_by_text("Stage by stage").click()
    words = page.get_by_role("region", name="By words").get_by_role("button").first
    expect(words).to_contain_text("barrels")
    words.hover()
    expect(page.locator(".row.pointed").nth(1)).to_be_visible()
    words.click()
    expect(page.locator(".row[aria-pressed=true]").nth(1)).to_be_visible()

    page.get_by_text("One passage").click()
    expect(page.get_by_text("It is result number 1.")).to_be_visible()
    page.get_by_label("Words of the passage").fill("granite masons")
    page.get_by_role("combobox", name=re.compile("Passage")).click()
    page.get_by_role("option").filter(has_text="granite").click()
    expect(page.get_by_text(re.compile("The tower was built of red granite")).last).to_be_visible()
    expect(
        page.get_by_text(re.compile("(Compared with the question|In the joint list) it is number")).last
    ).to_be_visible()
    expect(page).to_have_url(re.compile("q=.*node="))
    page.get_by_role("link", name="Open in the document").click()
    expect(page.get_by_role("heading", name="lighthouse.pdf")).to_be_visible()


def test_a_question_is_saved_the_set_run_and_two_settings_compared(visit: Visit):
    page = visit().open(f"/retrieval_lab?q={QUESTION}")
    page.locator("li.hit").first.get_by_label("Answers the question").check()
    page.get_by_role("button", name="Save question with 1 expected result").click()
    expect(page.get_by_text("Saved for evaluation.").first).to_be_visible()

    page.get_by_text("Try other settings").click()
    weight = page.get_by_label("Weight of meaning", exact=True)
    weight.fill("0.05")
    weight.press("Tab")
    page.get_by_role("button", name="Try", exact=True).click()
    expect(page.get_by_text("Trying 1 changed setting")).to_be_visible()
    expect(page.locator("li.hit").first).to_contain_text("same place")

    page.get_by_role("link", name="Open evaluation").click()
    expect(page.get_by_role("heading", name="1 question", exact=True)).to_be_visible()
    page.get_by_role("button", name="Run", exact=True).click()
    question = page.get_by_test_id("stExpander").filter(has_text=QUESTION)
    expect(question).to_contain_text("1.000")
    page.get_by_role("button", name="Compare with the tried settings").click()
    expect(page.get_by_text(re.compile(r"\d worse, \d better, \d the same"))).to_be_visible()
    expect(question).to_contain_text("→")
    question.locator("summary").click()
    expect(question.get_by_text("place 1")).to_be_visible()
    page.get_by_role("link", name="Why?").click()
    expect(page.get_by_text("It is result number 1.")).to_be_visible()
