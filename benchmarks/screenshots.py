"""Pictures of every page, in both languages, light and dark: ``uv run benchmarks/screenshots.py [--out DIR]``.

Starts the app over the sample documents in a temporary folder, asks, compares, saves a question, and takes each page
at 1440 px in Chromium (see ``tests/browser``), three of them as a phone shows them, too. ``--readme`` makes only the
pictures of the README, in ``static/pictures``.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "static" / "samples"
PICTURES = ROOT / "static" / "pictures"
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
LOCALES, SCHEMES = ("en-US", "zh-CN"), ("light", "dark")
QUESTIONS = {
    "en-US": "How much revenue does one percent less wind cost?",
    "zh-CN": "入职满一年的员工有几天年假？",
}
VERSIONED = "harbour-tariff.md"
TARIFF = """# Harbour tariff

## Fees

The harbour fee is {fee} euro a day for boats up to {length} metres. Longer boats pay double.

## Berths

There are 12 berths with water. The quay is closed from November to March.

{power}
"""
VERSIONS = (
    TARIFF.format(fee=40, length=12, power=""),
    TARIFF.format(fee=55, length=14, power="## Power\n\nShore power costs 3 euro a day.\n"),
)
QUIET_MS = 900


@dataclass(frozen=True)
class Look:
    """How a picture is taken."""

    locale: str
    scheme: str
    phone: bool = False

    @property
    def mark(self) -> str:
        """What the names of its pictures end with."""
        return "-".join((self.locale[:2], self.scheme, *(["phone"] if self.phone else [])))


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("screenshots"), help="folder (screenshots)")
    parser.add_argument("--readme", action="store_true", help="only the pictures of the README")
    options = parser.parse_args()
    out = PICTURES if options.readme else options.out
    out.mkdir(parents=True, exist_ok=True)
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import ARGUMENTS, chromium_path
    from tests.browser.visitor import App

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        app = App(Path(folder) / "library")
        app.start()
        try:
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
            if not options.readme:
                for scheme in SCHEMES:
                    _first_run(browser, app, out, Look("en-US", scheme))
            _fill(app)
            looks = [Look(locale, scheme) for locale in LOCALES for scheme in SCHEMES]
            for look in looks[:1] if options.readme else looks:
                _tour(browser, app, out, look, readme=options.readme)
            for scheme in () if options.readme else SCHEMES:
                _phone(browser, app, out, Look("zh-CN" if scheme == "dark" else "en-US", scheme, phone=True))
            browser.close()
        finally:
            app.stop()


def _fill(app: Any) -> None:
    for path in sorted(SAMPLES.iterdir()):
        app.add(path.name, path.read_bytes())
    for text in VERSIONS:
        app.add(VERSIONED, text.encode())


def _first_run(browser: Any, app: Any, out: Path, look: Look) -> None:
    page, take = _opened(browser, out, look)
    page.goto(f"{app.url}/dashboard")
    page.get_by_role("heading", level=1).wait_for()
    take("first-run")
    page.context.close()


def _opened(browser: Any, out: Path, look: Look, *, marked: bool = True) -> tuple[Any, Callable[[str], None]]:
    """Return a new page and what takes a picture of it, once it is at rest, under a name (with its look's mark)."""
    context = browser.new_context(
        viewport=PHONE if look.phone else WIDE, locale=look.locale, color_scheme=look.scheme,
        device_scale_factor=2 if look.phone else 1, is_mobile=look.phone, has_touch=look.phone,
    )  # fmt: skip
    page = context.new_page()
    page.set_default_timeout(60_000)

    def take(name: str) -> None:
        page.wait_for_function("document.querySelector('[data-test-script-state=notRunning]')")
        page.wait_for_timeout(QUIET_MS)
        page.screenshot(path=out / (f"{name}-{look.mark}.png" if marked else f"{name}.png"))

    return page, take


def _ask(page: Any, app: Any, question: str) -> None:
    page.goto(f"{app.url}/chat")
    page.get_by_test_id("stChatInputTextArea").fill(question)
    page.get_by_test_id("stChatInputTextArea").press("Enter")
    page.locator("[data-testid=stChatMessage] li a").first.wait_for()


def _tour(browser: Any, app: Any, out: Path, look: Look, *, readme: bool) -> None:
    page, take = _opened(browser, out, look, marked=not readme)

    def see(name: str, address: str, shown: str) -> None:
        page.goto(f"{app.url}/{address}")
        page.locator(shown).first.wait_for()
        take(name)

    question = QUESTIONS[look.locale]
    _ask(page, app, question)
    take("chat")
    page.locator("[data-testid=stChatMessage] li a").first.click()
    page.locator(".box.active, .node.active").first.wait_for()
    take("cited-page")
    see("retrieval-lab", f"retrieval_lab?q={question}", "li.hit")
    see("versions", f"document?doc={VERSIONED}&compare=1..2", "ins")
    if readme:
        page.context.close()
        return
    for view in ("views", "understood", "why"):
        see(f"retrieval-lab-{view}", f"retrieval_lab?q={question}&view={view}", "[data-testid=stRadio]")
    see("overview", "dashboard", "[data-testid=stMetric]")
    see("documents", "documents", "li")
    see("topics", "topics", "a[href*='topic=']")
    page.locator("a[href*='topic=']").first.click()
    page.wait_for_url("**topic=**")
    take("topic")
    see("chat-empty", "chat", "h1")
    see("table", "document?doc=turbine-spare-parts.xlsx", "table")
    see("document", "document?doc=turbine-service-guide.docx", "[role=tree]")
    see("evaluation-empty", "evaluation", "h1")
    _evaluated(page, app, question)
    take("evaluation")
    page.goto(f"{app.url}/settings")
    for number in range(page.get_by_role("tab").count() or 5):
        page.get_by_role("tab").nth(number).click()
        take(f"settings-{number + 1}")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox").first.wait_for()
    page.keyboard.type("storage" if look.locale == "en-US" else "年假")
    page.get_by_role("option").first.wait_for()
    take("search")
    page.context.close()


def _evaluated(page: Any, app: Any, question: str) -> None:
    """Save the first hit of the question as the one to find, and run the set."""
    page.goto(f"{app.url}/retrieval_lab?q={question}")
    page.locator("li.hit input[type=checkbox]").first.check()
    page.locator("[data-testid=stBaseButton-primary]").last.click()
    page.wait_for_timeout(QUIET_MS)
    page.goto(f"{app.url}/evaluation")
    page.locator("[data-testid=stBaseButton-primary]").first.click()
    page.get_by_test_id("stMetric").first.wait_for()
    page.get_by_test_id("stExpander").last.locator("summary").click()


def _phone(browser: Any, app: Any, out: Path, look: Look) -> None:
    page, take = _opened(browser, out, look)
    page.goto(f"{app.url}/dashboard")
    page.get_by_test_id("stMetric").first.wait_for()
    take("overview")
    _ask(page, app, QUESTIONS[look.locale])
    take("chat")
    page.locator("[data-testid=stChatMessage] li a").first.click()
    page.locator(".box.active, .node.active").first.wait_for()
    take("cited-page")
    page.context.close()


if __name__ == "__main__":
    main()
