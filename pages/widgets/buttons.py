"""Buttons that do something and links that lead to a page, each with a Material icon; what came of it is told."""

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from engine.errors import AccessError, DropQAError, NotFoundError
from engine.export.harmless import plain
from pages.widgets.places import page_file
from pages.widgets.texts import said, t

T = TypeVar("T")
_TOLD = "messages.told"


def button(
    label: str, key: str, icon: str = "", act: Callable[..., Any] | None = None, *args: object, **look: Any
) -> bool:
    """Draw a quiet button that calls ``act`` with ``args``; tell whether it was just pressed.

    ``look`` is what Streamlit's own takes besides, such as another ``type``.
    """
    return st.button(label, key=key, icon=_named(icon), on_click=act, args=args, **{"type": "tertiary"} | look)


def link_to(page: str, label: str, icon: str = "", /, **place: Any) -> None:
    """Draw a link to the page with this name; ``place`` are its query parameters, what is empty is left out."""
    given = {name: value for name, value in place.items() if value}
    st.page_link(page_file(page), label=label, icon=_named(icon), query_params=given)


def _named(icon: str) -> str | None:
    return f":material/{icon}:" if icon else None


def tried(act: Callable[[], object], at: str = "", *, gone: bool = False) -> bool:
    """Do something and tell whether it was done; where it was refused, or failed, say why.

    That is said in a toast, or where :func:`show_problem` draws what went wrong ``at`` a place. With ``gone`` it is as
    good as done where the thing is not there any more: another tab was quicker.
    """
    try:
        act()
    except DropQAError as error:
        if gone and isinstance(error, NotFoundError):
            return True
        if at:
            st.session_state[at] = said(error)
        else:
            st.toast(said(error), icon=":material/error:")
        return False
    return True


def carry_out(act: Callable[[], object]) -> None:
    """Do something and draw the page anew; what went wrong is told here."""
    try:
        act()
    except DropQAError as error:
        st.error(said(error))
    else:
        st.rerun()


def confirm(label: str, key: str, act: Callable[[], object], icon: str = "", *, disabled: bool = False) -> None:
    """Draw the button that does it and closes the dialog, and the one that only closes it; problems are told there."""
    if _chosen(label, key, icon, disabled=disabled):
        carry_out(act)


def _chosen(label: str, key: str, icon: str, *act: Any, **look: Any) -> bool:
    with st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        if button(t("documents.cancel"), f"{key}.not"):
            st.rerun()
        return button(label, key, icon, *act, type="primary", **look)


def ask_to_delete(kind: str, name: str, delete: Callable[[], object]) -> None:
    """Open the dialog that asks before something that has the page's address is deleted.

    ``kind`` is what its texts begin with ("chat", "reports"), ``name`` what it is called.
    """

    @st.dialog(t(f"{kind}.delete.title"))
    def dialog() -> None:
        st.markdown(f"**{plain(name)}**")
        st.caption(t(f"{kind}.delete.text"))
        if _chosen(t(f"{kind}.delete"), f"{kind}.delete.confirm", "delete", tried, delete):
            st.query_params.clear()
            st.rerun()

    dialog()


def there(get: Callable[[], T], gone: str) -> T | None:
    """Return what is there; of what is not, or is somebody else's, say that it is ``gone`` and return None."""
    try:
        return get()
    except (AccessError, NotFoundError):
        st.caption(f":material/info: {gone}")
        return None


def show_problem(at: str) -> None:
    """Draw, once, what :func:`tried` has noted for this place."""
    if told := st.session_state.pop(at, None):
        st.markdown(f":red[:material/error: {told}]")


def tell_next(message: str) -> None:
    """Say in a toast that something is done, once the page is drawn anew: what a rerun follows at once is lost."""
    st.session_state[_TOLD] = message


def tell() -> None:
    """Say what was to be said when the page is drawn anew."""
    if message := st.session_state.pop(_TOLD, None):
        st.toast(message, icon=":material/check:")
