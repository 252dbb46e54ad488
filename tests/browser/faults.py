"""Faults that axe finds on a page."""

from pathlib import Path

from playwright.sync_api import Page

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
    """Have axe look at the page in light, and at its contrasts in the dark, as soon as it is ``shown``."""
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(AXE + "; 0")
    for scheme, background in BACKGROUNDS.items():
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(shown, arg=background)
        faults = page.evaluate(SERIOUS, scheme == "dark")
        for _ in range(RETRIES if faults else 0):  # what is just being drawn has no names yet
            page.wait_for_timeout(400)
            faults = page.evaluate(SERIOUS, scheme == "dark")
        assert not faults, f"{where}, {scheme}: " + "\n".join(faults)
