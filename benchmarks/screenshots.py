"""Make the pictures of the README: ``uv run benchmarks/screenshots.py [--out static/pictures]``.

Starts the app over a library in a temporary folder, adds a few documents, asks a question and follows a
citation in Chromium (see ``tests/browser``).
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from sample_report import write_report

QUESTION = "What limits the growth of the storage segment?"
HANDBOOK = """# 员工手册

## 第一章 考勤

员工每天上午九点上班，下午六点下班。迟到三次记警告一次。

## 第二章 年假

入职满一年的员工每年享有十五天带薪年假，未休完的年假可以结转到次年三月底。

## 第三章 差旅

出差须提前三天提交申请。住宿标准为每晚五百元，超出部分由部门负责人审批。
"""
GUIDE = """# Turbine service guide

## Before the visit

Check the wind forecast. Work in the nacelle stops at fourteen metres a second.

## Gearbox

Change the oil every 36 months or 20,000 hours, whichever comes first. Take a sample before draining.

| Part | Interval | Hours |
| --- | --- | --- |
| Oil filter | 12 months | 2 |
| Brake pads | 24 months | 5 |
"""


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("static/pictures"))
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import ARGUMENTS, chromium_path
    from tests.browser.visitor import App

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        app = App(Path(folder) / "library")
        app.start()
        try:
            report = Path(folder) / "report.pdf"
            write_report(report)
            app.add("员工手册.md", HANDBOOK.encode())
            app.add("turbine-service-guide.md", GUIDE.encode())
            app.add("northlight-annual-report-2025.pdf", report.read_bytes())
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
            for scheme in ("light", "dark"):
                _tour(browser, app, out, scheme)
            browser.close()
        finally:
            app.stop()


def _tour(browser: Any, app: Any, out: Path, scheme: str) -> None:
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, locale="en-US", color_scheme=scheme
    )
    page = context.new_page()

    def take(name: str) -> None:
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(1200)
        page.screenshot(path=out / (f"{name}.png" if scheme == "light" else f"{name}-{scheme}.png"))

    page.goto(f"{app.url}/documents")
    page.get_by_role("link", name="northlight-annual-report-2025.pdf", exact=True).wait_for()
    page.get_by_text("Preparing search by meaning").wait_for(state="hidden", timeout=120_000)
    take("documents")
    page.goto(f"{app.url}/dashboard")
    page.get_by_text("Changed last").wait_for()
    take("overview")
    page.goto(f"{app.url}/chat")
    page.get_by_test_id("stChatInputTextArea").fill(QUESTION)
    page.get_by_test_id("stChatInputTextArea").press("Enter")
    page.get_by_text("Sources", exact=True).wait_for(timeout=60_000)
    take("chat")
    page.get_by_test_id("stChatMessage").get_by_role("listitem").get_by_role("link").first.click()
    page.locator(".box.active").first.wait_for()
    take("document")
    context.close()


if __name__ == "__main__":
    main()
