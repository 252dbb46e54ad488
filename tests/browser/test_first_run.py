"""A library that is empty: its pages, the sample documents, and thirty files at once."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Playwright, expect

from tests.browser.faults import see
from tests.browser.visitor import App, Visitor, keepers, scan, write_pdf
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory, playwright: Playwright) -> Iterator[App]:
    running = App(tmp_path_factory.mktemp("fresh") / "library", {"DROPQA_EMBEDDING__ENABLED": "false"})
    running.start()
    yield running
    running.stop()


@pytest.fixture
def newcomer(fresh: App, browser: Browser) -> Iterator[Visitor]:
    context = browser.new_context(locale="en-US", color_scheme="light", viewport={"width": 1280, "height": 800})
    visitor = Visitor(fresh, context.new_page())
    visitor.watch(visitor.page)
    yield visitor
    context.close()
    assert not visitor.problems, "\n".join(visitor.problems)


def test_no_page_of_an_empty_library_has_a_serious_fault(newcomer: Visitor):
    page = newcomer.open("/dashboard")
    for address, heading in (
        ("/dashboard", "Ask your own documents"), ("/documents", "Drop in your first documents"),
        ("/topics", "Topics"), ("/chat", "Ask your documents"), ("/retrieval_lab", "Retrieval lab"),
        ("/evaluation", "Evaluation"), ("/settings", "Settings"), ("/document", "Document"),
    ):  # fmt: skip
        see(page, address, heading)


def test_from_an_empty_library_to_a_cited_answer_in_two_clicks(newcomer: Visitor):
    page = newcomer.open("/")
    page.get_by_role("button", name="five sample documents").click()
    page.get_by_role("button", name="How much revenue does one percent less wind cost?").click(timeout=60_000)
    expect(page.get_by_text("Sources", exact=True).last).to_be_visible(timeout=60_000)
    expect(page.get_by_test_id("stChatMessage").last).to_contain_text("14 million euros")


def mixed_files(folder: Path) -> list[Path]:
    """Write thirty files of five kinds, two of them broken."""
    contents = {f"note {n:02}.md": f"# Note {n}\n\nBuoy {n} was painted red.\n".encode() for n in range(10)}
    contents |= {f"log {n:02}.txt": f"The log of day {n}. The wind was calm.".encode() for n in range(9)}
    contents |= {f"list {n:02}.csv": f"Buoy,Depth\nB{n},{n + 3}\n".encode() for n in range(5)}
    contents |= {"keepers.xlsx": keepers(), "sign.png": scan()}
    for n in range(2):
        contents[f"sheet {n}.pdf"] = write_pdf(folder / "sheet.pdf", [[(12, 700, f"Chart {n} of the bay.")]])
    contents |= {
        "broken.pdf": b"%PDF-1.7\n" + bytes(range(256)) * 8,
        "torn.docx": b"PK\x03\x04" + bytes(2000),
    }
    (folder / "sheet.pdf").unlink()
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return sorted(folder.iterdir())


def at_work(app: App) -> list[str]:
    jobs = httpx.get(f"{app.url}/api/jobs", params={"limit": 100}, timeout=60).json()["jobs"]
    return [job["name"] for job in jobs if job["state"] in ("queued", "running")]


def test_thirty_files_at_once_are_read_and_the_two_broken_ones_are_named(newcomer: Visitor, tmp_path: Path):
    page = newcomer.open("/documents")
    files = mixed_files(tmp_path)
    assert len(files) == 30
    page.locator("input[type=file]").first.set_input_files(files)
    failed = page.get_by_text("Could not be read")
    expect(failed).to_be_visible(timeout=90_000)
    wait_until(lambda: not at_work(newcomer.app), 90)  # the count passes 28 on the way to 33
    expect(page.get_by_text(re.compile(r"^(28|33) documents"))).to_be_visible(timeout=90_000)
    for name in ("broken.pdf", "torn.docx"):
        expect(page.get_by_text(name).first).to_be_visible()
    expect(page.get_by_role("button", name="Dismiss", exact=True)).to_have_count(2)
    page.get_by_role("button", name="Dismiss all").click()
    expect(failed).to_have_count(0)
    page.get_by_placeholder("Find a document by name").fill("note 07")
    expect(page.get_by_role("listitem").filter(has_text="note 07.md")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="note 08.md")).to_have_count(0)
