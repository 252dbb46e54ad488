"""The menu on a narrow screen, where it lies over the page: it closes once something in it is chosen.

Streamlit leaves it open and remembers that for the next visit.
"""

from __future__ import annotations

from pages.widgets.frontend import component

_component = component("narrow_menu", "<span hidden></span>")


def close_after_choice() -> None:
    """Have the browser close the menu after a choice, and on arrival. On a wide screen it stays as it is."""
    _component(data={}, key="narrow_menu")
