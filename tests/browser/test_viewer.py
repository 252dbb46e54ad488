"""The viewer: pages by number and as thumbnails, zoom, words found and selected, and what is done with them."""

import io
import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect
from pptx import Presentation
from pptx.util import Inches

from tests.browser.faults import assert_no_serious_fault
from tests.browser.visitor import App, Visitor

Visit = Callable[..., Visitor]
PICTURE = b"data:image/png"
LINE = "The tower was built of red granite"


def number_of(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Page")


def select(page: Page, line: Locator) -> None:
    line.scroll_into_view_if_needed()
    box = line.bounding_box()
    middle = box["y"] + min(box["height"] / 2, 10)  # within the first line
    page.mouse.move(box["x"] + 1, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, middle, steps=6)
    page.mouse.up()


def test_pages_are_reached_by_number_by_thumbnail_and_by_the_words_on_them(visit: Visit):
    page = visit().open("/document?doc=lighthouse.pdf")
    number_of(page).fill("3")
    number_of(page).press("Enter")
    expect(page.get_by_role("img", name="Page 3 of lighthouse.pdf")).to_be_visible()
    page.get_by_role("button", name="Thumbnails").click()
    first = page.get_by_role("option", name="Page 1")
    expect(first.locator("img")).to_be_visible()
    assert_no_serious_fault(page, "the viewer with thumbnails")
    first.click()
    expect(number_of(page)).to_have_value("1")

    field = page.get_by_role("searchbox", name="Find in the document")
    field.fill("the LAMP")
    expect(page.get_by_text("3 passages")).to_be_visible()
    field.press("Enter")
    expect(number_of(page)).to_have_value("2")
    expect(page.get_by_text("1/3")).to_be_visible()
    expect(page.locator(".cited").first).to_be_in_viewport()
    assert page.evaluate("CSS.highlights.get('dropqa-sought').size") == 1
    field.press("Shift+Enter")
    expect(page.get_by_text("3/3")).to_be_visible()
    expect(number_of(page)).to_have_value("3")
    field.fill("no such words")
    expect(page.get_by_role("status").filter(has_text="Not found")).to_be_visible()


def test_a_picture_comes_once_however_often_the_page_is_drawn_anew(visit: Visit):
    visitor, frames = visit(), []
    visitor.page.on("websocket", lambda socket: socket.on("framereceived", lambda data: frames.append(data)))
    page = visitor.open("/document?doc=lighthouse.pdf")
    picture = page.get_by_role("img", name="Page 1 of lighthouse.pdf")
    expect(picture).to_be_visible()
    assert sum(PICTURE in frame for frame in frames) == 1
    frames.clear()
    page.get_by_role("searchbox", name="Find in the document").fill("lamp")
    expect(page.get_by_text("3 passages")).to_be_visible()
    page.locator(".line").filter(has_text=LINE).click()
    expect(page.locator(".box.active")).to_be_visible()
    assert frames and not any(PICTURE in frame for frame in frames)
    page.get_by_role("link", name="Topics").first.click()
    page.go_back()
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.naturalWidth") > 500


def test_a_page_is_made_larger_and_smaller_by_key(visit: Visit):
    page = visit().open("/document?doc=lighthouse.pdf")
    picture = page.get_by_role("img", name="Page 1 of lighthouse.pdf")
    expect(picture).to_be_visible()
    usual = picture.bounding_box()["width"]
    panel = page.get_by_role("group", name="Page 1 of lighthouse.pdf")
    panel.press("+")
    expect(page.get_by_role("button", name="Fit the width")).to_have_text("125%")
    assert abs(picture.bounding_box()["width"] - 1.25 * usual) < 3
    panel.press("+")
    # Looked at closely, it is drawn finer.
    page.wait_for_function(
        "width => document.activeElement.shadowRoot.querySelector('img').naturalWidth > width", arg=1800
    )
    panel.press("0")
    expect(page.get_by_role("button", name="Fit the width")).to_have_text("100%")


def test_selected_words_are_copied_and_asked_about_in_the_chat(visit: Visit):
    page = visit().open("/document?doc=lighthouse.pdf")
    select(page, page.locator(".line").filter(has_text=LINE))
    bar = page.get_by_role("toolbar", name="Selected text")
    expect(bar).to_be_visible()
    assert LINE in page.evaluate("String(getSelection())")
    bar.get_by_role("button", name="Ask about this").click()
    expect(page.get_by_test_id("stChatInputTextArea")).to_have_value(re.compile(f"^About “{LINE}"))
    expect(page.get_by_test_id("stChatInputTextArea")).to_be_focused()
    expect(page.get_by_role("button", name="lighthouse.pdf")).to_be_visible()  # what is asked is limited to it


def test_the_words_that_are_asked_about_are_those_selected_when_the_button_is_pressed(visit: Visit):
    page = visit().open("/document?doc=lighthouse.pdf")
    line = page.locator(".line").filter(has_text=LINE)
    select(page, line)
    button = page.get_by_role("toolbar", name="Selected text").get_by_role("button", name="Ask about this")
    expect(button).to_be_visible()
    button.evaluate(
        """(button, line) => {
            const words = document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode();
            getSelection().setBaseAndExtent(words, 0, words, 9);
            button.click();
        }""",
        line.element_handle(),
    )
    asked = page.get_by_test_id("stChatInputTextArea")
    expect(asked).to_have_value("About “The tower”: ")


def test_beside_an_answer_the_passage_is_asked_about_compared_and_explained_by_keyboard(visit: Visit):
    visitor = visit()
    page = visitor.open("/chat")
    visitor.ask("How many barrels of oil did the lamp burn?")
    source = page.get_by_role("list", name="Sources").get_by_role("link").first
    expect(source).to_be_visible(timeout=60_000)
    source.click()
    pane = page.locator(".st-key-beside")
    pane.get_by_role("button", name="Find similar").press("Enter")
    found = page.get_by_role("dialog").get_by_role("list", name="Similar passages")
    expect(found.get_by_role("link").first).to_be_visible()
    page.keyboard.press("Escape")
    pane.get_by_role("button", name="Ask about this").press("Enter")
    expect(page.get_by_test_id("stChatInputTextArea")).to_have_value(re.compile("11 barrels"))
    expect(pane.get_by_role("button", name="Why not found?")).to_have_count(0)  # it was
    pane.get_by_role("button", name="Why was this found?").press("Enter")
    expect(page.get_by_role("radio", name="One passage")).to_be_checked()
    expect(page.get_by_text("It is result number")).to_be_visible()


def test_words_of_a_text_without_pages_are_found_and_selected(visit: Visit, app: App):
    page = visit().open("/document?doc=员工手册.md")
    field = page.get_by_role("searchbox", name="Find in the document")
    field.fill("带薪年假")
    field.press("Enter")
    expect(page.get_by_role("document", name="Text of").locator("mark")).to_have_text("带薪年假")
    select(page, page.get_by_role("document", name="Text of").locator("p").filter(has_text="警告一次"))
    page.get_by_role("toolbar").get_by_role("button", name="Why not found?").click()
    expect(page.get_by_text("Enter the question that should have found this passage.")).to_be_visible()
    page.get_by_role("textbox").last.fill("迟到几次记警告？")
    page.get_by_role("textbox").last.press("Enter")
    expect(page.get_by_text("It is result number")).to_be_visible()


def test_words_of_a_sheet_are_found_in_its_cells(visit: Visit):
    page = visit().open("/document?doc=keepers.xlsx")
    field = page.get_by_role("searchbox", name="Find in the document")
    field.fill("strand")
    field.press("Enter")
    expect(page.get_by_role("document", name="Text of").locator(".km").first).to_contain_text("Strand")


def drawing() -> bytes:
    """Return a slide without a title whose drawing has eight short labels, and a sentence below it."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    for number in range(8):
        place = Inches(0.5 + number), Inches(4), Inches(0.9), Inches(0.5)
        slide.shapes.add_textbox(*place).text_frame.text = f"Buoy {number}"
    below = slide.shapes.add_textbox(Inches(1), Inches(6), Inches(8), Inches(1))
    below.text_frame.text = "The buoys are laid from the southern pier to the mouth of the river every spring."
    data = io.BytesIO()
    deck.save(data)
    return data.getvalue()


def test_the_labels_of_a_drawing_on_a_slide_stand_side_by_side(visit: Visit, app: App):
    app.add("buoys.pptx", drawing())
    page = visit().open("/document?doc=buoys.pptx")
    slide = page.get_by_role("document", name="Text of buoys.pptx")
    tops = [slide.get_by_text(f"Buoy {number}", exact=True).bounding_box()["y"] for number in range(8)]
    assert len(set(map(round, tops))) < 4
    sentence = slide.get_by_text("The buoys are laid").bounding_box()
    assert sentence["y"] > max(tops)


def test_hebrew_runs_from_the_right_beside_english_from_the_left(visit: Visit, app: App):
    app.add("lease.md", "# חוזה שכירות\n\nהשכירות היא לשנה אחת.\n\n- סעיף ראשון\n\nThe rent is due monthly.\n".encode())
    text = visit().open("/document?doc=lease.md").get_by_role("document", name="Text of lease.md")
    for words, direction in (("חוזה", "rtl"), ("לשנה", "rtl"), ("ראשון", "rtl"), ("The rent", "ltr")):
        line = text.get_by_text(words).last
        assert line.evaluate("element => getComputedStyle(element).direction") == direction


def test_a_picked_row_of_the_contents_stays_under_the_pointer(visit: Callable[..., Visitor]):
    page = visit().open("/document?doc=lighthouse.pdf")
    for name in ("Building", "The keepers", "The lamp"):
        row = page.get_by_role("treeitem", name=re.compile(name)).first
        before = row.bounding_box()
        row.click()
        expect(row).to_have_attribute("aria-selected", "true")
        expect(row.locator("xpath=..").get_by_role("treeitem")).not_to_have_count(1)  # its passages are shown
        after = row.bounding_box()
        assert before and after and abs(before["y"] - after["y"]) < 2, f"{name}: {before} became {after}"
    expect(page.get_by_role("treeitem", name=re.compile("red granite"))).to_be_visible()  # passages seen before stay
