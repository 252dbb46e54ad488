"""The last button of a dialog, which does what the dialog is about, and the dialog that asks before a deletion."""

from collections.abc import Callable
from typing import Literal

import streamlit as st

from engine.export.harmless import plain
from pages.widgets.buttons import button
from pages.widgets.messages import carry_out, tried
from pages.widgets.texts import t


def confirm(
    label: str,
    key: str,
    act: Callable[[], object],
    icon: str = "",
    *,
    disabled: bool = False,
    align: Literal["left", "right"] = "right",
) -> None:
    """Draw the button that does it and closes the dialog; what is wrong is told where the button stands."""
    with st.container(horizontal_alignment=align):
        if button(label, key, icon, type="primary", disabled=disabled):
            carry_out(act)


def ask_to_delete(kind: str, name: str, delete: Callable[[], object]) -> None:
    """Open the dialog that asks before something that has the page's address is deleted.

    ``kind`` is what its texts begin with ("chat", "reports"), ``name`` what it is called.
    """

    @st.dialog(t(f"{kind}.delete.title"))
    def dialog() -> None:
        st.markdown(f"**{plain(name)}**")
        st.caption(t(f"{kind}.delete.text"))
        label, key = t(f"{kind}.delete"), f"{kind}.delete.confirm"
        if button(label, key, "delete", tried, delete, type="primary"):
            st.query_params.clear()
            st.rerun()

    dialog()
