"""Whether the page may be drawn anew: a dialog that is open would be closed by it, and only the browser knows of it."""

from __future__ import annotations

from pages.widgets.frontend import component

_component = component("idle_page", "<span hidden></span>")


def idle_page() -> bool:
    """Return True once the browser says that the page is drawn and no dialog is open; the fragment runs again then."""
    return bool(_component(data={}, key="idle_page", on_idle_change=lambda: None).idle)
