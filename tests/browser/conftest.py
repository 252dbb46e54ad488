"""A real Chromium on a real server: ``dropqa app`` in its own process, over a library in a temporary folder."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, expect, sync_playwright

from tests.browser.visitor import (
    HANDBOOK,
    HOSTILE,
    TARIFFS,
    WAIT_MS,
    App,
    Visitor,
    almanac,
    keepers,
    lighthouse,
    scan,
)

ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


def chromium_path() -> str:
    """Return where Chromium is; skip without one on a user's machine, fail in CI."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    found = found or shutil.which("google-chrome")
    if not found:
        message = (
            "Chromium is not installed (Debian: apt-get install chromium), so the browser tests cannot run"
        )
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    chromium_path()
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    expect.set_options(timeout=WAIT_MS)
    opened = playwright.chromium.launch(executable_path=chromium_path(), headless=True, args=ARGUMENTS)
    yield opened
    opened.close()


@pytest.fixture(scope="package")
def app(tmp_path_factory: pytest.TempPathFactory, playwright: Playwright) -> Iterator[App]:
    """The app with seven documents in it, one of them in two versions."""
    running = App(tmp_path_factory.mktemp("browser") / "library")
    running.start()
    try:
        running.add("lighthouse.pdf", lighthouse())
        running.add("员工手册.md", HANDBOOK.encode())
        running.add("visitors.md", HOSTILE.encode())
        running.add("almanac.md", almanac().encode())
        running.add("keepers.xlsx", keepers())
        for text in TARIFFS:
            running.add("tariff.md", text.encode())
        running.add("fog horn.png", scan())  # its text is there when it is looked for, last of all
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="package")
def spare() -> dict[str, list[BrowserContext]]:
    """Browsers that a test has left, by their settings: another one reads the scripts of the app compiled already."""
    return {}


@pytest.fixture
def visits(browser: Browser, spare: dict[str, list[BrowserContext]]) -> Iterator[Callable[..., Visitor]]:
    """Open browsers on an app with cookies of their own; at the end nothing may have gone wrong in any of them."""
    visitors: list[tuple[str, Visitor]] = []

    def opened(app: App, **options: Any) -> Visitor:
        settings = {
            "viewport": {"width": 1280, "height": 800},
            "locale": "en-US",
            "color_scheme": "light",
        } | options
        kind = json.dumps(settings, sort_keys=True)
        context = spare[kind].pop() if spare.get(kind) else browser.new_context(**settings)
        visitor = Visitor(app, context.new_page())
        visitor.watch(visitor.page)
        context.on("page", visitor.watch)
        visitors.append((kind, visitor))
        return visitor

    yield opened
    problems = [problem for _, visitor in visitors for problem in visitor.problems]
    for kind, visitor in visitors:
        context = visitor.page.context
        context.remove_listener("page", visitor.watch)
        forget(context, visitor.app)
        spare.setdefault(kind, []).append(context)
    assert not problems, "\n".join(problems)


@pytest.fixture
def visit(app: App, visits: Callable[..., Visitor]) -> Callable[..., Visitor]:
    """The same on the app with seven documents in it, or on what a module calls ``app``."""
    return partial(visits, app)


def forget(context: BrowserContext, app: App) -> None:
    """Make a browser forget everything about an app but what it has loaded."""
    for page in context.pages:
        page.close()
    blank = context.new_page()
    told = {"origin": app.url, "storageTypes": "cookies,local_storage,indexeddb,service_workers"}
    context.new_cdp_session(blank).send("Storage.clearDataForOrigin", told)
    blank.close()
    context.clear_cookies()
