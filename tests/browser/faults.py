"""Faults that axe finds on a page."""

import contextlib
import json
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.visitor import WAIT_MS

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text("utf-8")
BACKGROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(15, 18, 24)"}
SHOWN = """background => document.querySelector('[data-test-script-state=notRunning]')
  && getComputedStyle(document.querySelector('.stApp')).backgroundColor === background"""
SERIOUS = """onlyColours => axe.run(document, {
  resultTypes: ['violations'], ...(onlyColours && { runOnly: ['color-contrast'] }),
}).then((result) => result.violations
  .filter((fault) => ['serious', 'critical'].includes(fault.impact))
  .map((fault) => `${fault.id}: ${fault.nodes.slice(0, 3).map((node) => node.html).join('  ')}`))
"""
RETRIES = 2


def assert_no_serious_fault(page: Page, where: str, shown: str = SHOWN) -> None:
    """Have axe look at the page in light, and at its contrasts in the dark, as soon as it is ``shown``.

    Begins with the colours that the page has: each change of them draws it anew.
    """
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(AXE + "; 0")
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    for scheme, background in sorted(BACKGROUNDS.items(), reverse=not dark):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(shown, arg=background)
        faults = page.evaluate(SERIOUS, scheme == "dark")
        for _ in range(RETRIES if faults else 0):  # what is just being drawn has no names yet
            page.wait_for_timeout(400)
            faults = page.evaluate(SERIOUS, scheme == "dark")
        assert not faults, f"{where}, {scheme}: " + "\n".join(faults)


def go(page: Page, address: str) -> None:
    """Go to an address of the app without loading it anew, as its own links do."""
    # An address that changes before the page has been drawn is not noticed.
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    page.evaluate(f"history.pushState(null, '', {json.dumps(address)}); dispatchEvent(new PopStateEvent('popstate'))")


def see(page: Page, address: str, heading: str) -> None:
    """Go to an address and have axe look at it."""
    there = page.get_by_role("heading", name=heading, exact=True).first
    for patience in (10_000, 10_000, WAIT_MS):
        go(page, address)
        # The page may begin to be drawn anew in that moment, for work that ended in the background.
        with contextlib.suppress(AssertionError):
            expect(there).to_be_visible(timeout=patience)
            break
    expect(there).to_be_visible()
    assert_no_serious_fault(page, address)
