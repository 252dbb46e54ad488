"""Topics put right by hand: renamed and merged in the browser, and still so when they are told again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.browser.faults import assert_no_serious_fault
from tests.browser.visitor import App, Visitor, app_with
from tests.waiting import wait_until

NOTES = {
    "reef.md": "# Reefs\n\nReefs are charted every spring. Reefs off the north cape are marked by buoys.",
    "buoy.md": "# Buoys\n\nBuoys are painted every spring. Buoys mark the channel to the harbour.",
    "bread.md": "# Rye bread\n\nRye bread bakes for an hour. Rye bread keeps for a week.",
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, playwright: Playwright) -> Iterator[App]:
    with app_with(NOTES, tmp_path_factory.mktemp("topics")) as running:
        yield running


def topics(app: App) -> list[dict[str, Any]]:
    """Return all topics."""
    return list(httpx.get(f"{app.url}/api/topics", timeout=60).json()["topics"])


def first_topic(app: App, name: str) -> dict[str, Any]:
    """Return the topic that a document belongs to most surely."""
    documents = httpx.get(f"{app.url}/api/documents", timeout=60).json()["documents"]
    wanted = next(one["document_id"] for one in documents if one["name"] == name)

    def sure() -> list[tuple[float, dict[str, Any]]]:
        found = topics(app)
        return [(m["confidence"], t) for t in found for m in t["documents"] if m["document_id"] == wanted]

    wait_until(lambda: bool(sure()))  # the background tells them
    return max(sure(), key=lambda one: one[0])[1]


def press(page: Page, action: str) -> None:
    """Open the dialog of an action."""
    page.get_by_role("button", name=action).first.click()
    expect(page.get_by_role("dialog")).to_be_visible()


def test_topics_are_renamed_and_merged_by_hand_and_stay_so(app: App, visit: Callable[..., Visitor]):
    reefs, buoys = first_topic(app, "reef.md"), first_topic(app, "buoy.md")
    assert reefs["topic_id"] != buoys["topic_id"]
    page = visit().open(f"/topics?topic={reefs['topic_id']}")
    expect(page.get_by_role("heading", name=reefs["name"])).to_be_visible()

    press(page, "Rename")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("Dangers at sea")
    dialog.get_by_role("textbox").press("Enter")
    dialog.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", name="Dangers at sea")).to_be_visible()

    press(page, "Merge")
    dialog.get_by_role("combobox").fill(buoys["name"])
    page.get_by_role("option", name=buoys["name"]).first.click()
    dialog.get_by_role("button", name="Merge").click()
    expect(dialog).to_be_hidden()
    members = page.get_by_role("list", name="Documents", exact=True)
    expect(members.get_by_role("link")).to_have_count(2)
    expect(members).to_contain_text("buoy.md")

    app.add("reef.md", f"{NOTES['reef.md']} New reefs were found in autumn.".encode())
    app.add("wreck.md", b"# Wrecks\n\nWrecks lie beside the reefs. Wrecks are marked by buoys.")
    told = {topic["topic_id"]: topic for topic in topics(app)}
    assert told[reefs["topic_id"]]["name"] == "Dangers at sea"
    assert buoys["topic_id"] not in told
    page.reload()
    expect(page.get_by_role("heading", name="Dangers at sea")).to_be_visible()
    expect(members).to_contain_text("reef.md")
    expect(members).to_contain_text("buoy.md")


def test_a_topic_of_the_address_leads_to_its_documents_and_back(app: App, visit: Callable[..., Visitor]):
    bread = first_topic(app, "bread.md")
    page = visit(locale="zh-CN", viewport={"width": 390, "height": 844}, color_scheme="dark").open(
        f"/topics?topic={bread['topic_id']}"
    )
    page.get_by_role("list", name="文档", exact=True).get_by_role("link", name="bread.md").click()
    expect(page.get_by_text("此文档的主题")).to_be_visible()
    topic = page.get_by_test_id("stPageLink").get_by_role("link", name=bread["name"], exact=True)
    expect(topic).to_be_visible()
    page.mouse.move(0, 0)
    assert_no_serious_fault(page, "a document with topics")
    topic.click()
    expect(page.get_by_role("heading", name=bread["name"])).to_be_visible()


def test_chosen_documents_are_summarised_together(app: App, visit: Callable[..., Visitor]):
    page = visit(color_scheme="dark").open("/documents")
    for name in ("reef.md", "bread.md"):
        chosen = page.get_by_role("checkbox", name=f"Select: {name}")
        chosen.click()
        expect(chosen).to_be_checked()  # also where the list is drawn anew just then
    page.get_by_role("button", name="Summarise", exact=True).click()
    dialog = page.get_by_role("dialog")
    sources = dialog.get_by_role("list", name="Sources")
    expect(sources).to_contain_text("bread.md")
    expect(sources).to_contain_text("reef.md")
    expect(dialog).to_contain_text("Rye bread bakes for an hour.")
    assert_no_serious_fault(page, "a summary of documents")
