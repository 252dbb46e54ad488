"""A real Chromium on a real server: ``dropqa app`` in its own process, over a library in a temporary folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

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

# The first three are pages of the address bar, which nobody sees here and every window would load. The others are
# those that Playwright turns off itself: of two such lists Chromium keeps the last.
FEATURES_OFF = (
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying",
    "OptimizationHints", "PaintHolding", "PreconnectToSearch", "ThirdPartyStoragePartitioning",
)  # fmt: skip
# A page is seen for seconds: compiling its scripts once more, for speed, takes longer than it saves.
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--js-flags=--no-opt --no-maglev",
    f"--disable-features={','.join(FEATURES_OFF)}",
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
        message = "Chromium is not installed (Debian: apt-get install chromium), so the browser tests cannot run"
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


@pytest.fixture
def visit(app: App, browser: Browser) -> Iterator[Callable[..., Visitor]]:
    """Open browsers with cookies of their own; at the end nothing may have gone wrong in any of them."""
    visitors: list[Visitor] = []

    def opened(**options: Any) -> Visitor:
        settings = {
            "viewport": {"width": 1280, "height": 800},
            "locale": "en-US",
            "color_scheme": "light",
        } | options
        context = browser.new_context(**settings)
        visitor = Visitor(app, context.new_page())
        visitor.watch(visitor.page)
        context.on("page", visitor.watch)
        visitors.append(visitor)
        return visitor

    yield opened
    problems = [problem for visitor in visitors for problem in visitor.problems]
    for visitor in visitors:
        visitor.page.context.close()
    assert not problems, "\n".join(problems)
