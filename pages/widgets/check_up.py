"""What ``dropqa doctor`` checks, on the page: it goes on in the background, and what it finds stays until the next."""

from collections.abc import Callable, Sequence

import streamlit as st

from engine.doctor import steps
from engine.library import Library
from engine.model import Check
from pages.widgets.background import Background
from pages.widgets.buttons import button
from pages.widgets.fragments import follow
from pages.widgets.services import library
from pages.widgets.texts import said, t

_DEEP, _LAST = "settings.health.deep", "settings.health.last"


def check_up(checked: Library, deep: bool) -> Background[Sequence[Check]]:
    """Begin to check a library; ``deep`` reads everything that is stored."""

    def work(report: Callable[[int, int], None]) -> Sequence[Check]:
        found: list[Check] = []
        waiting = steps(checked, deep)
        for number, step in enumerate(waiting, 1):
            found += step()
            report(number, len(waiting))
        return sorted(found, key=lambda one: one.ok)

    return Background(work)


def show() -> None:
    """Draw the checks: the button that runs them, how far they are, what they found and what to do."""
    last: Background[Sequence[Check]] | None = st.session_state.get(_LAST)
    under_way = last is not None and not last.ended()
    with st.container(border=True):
        st.subheader(t("settings.health"), anchor=False)
        st.caption(t("settings.health.help"))
        with st.container(horizontal=True, vertical_alignment="center"):
            look = {"type": "secondary", "disabled": under_way}
            button(t("settings.health.run"), "settings.health", "stethoscope", _start, **look)
            st.checkbox(t("settings.health.deep"), key=_DEEP, disabled=under_way)
        if last is not None and under_way:
            follow(last.ended, lambda: st.progress(last.share, t("settings.health.running")), "1s")
        elif last is not None:
            _found(last.found or (), last.problem)


def _start() -> None:
    st.session_state[_LAST] = check_up(library(), bool(st.session_state.get(_DEEP)))


def _found(found: Sequence[Check], problem: str) -> None:
    if problem:
        st.error(said(problem), icon=":material/error:")
    else:
        bad = sum(not check.ok for check in found)
        summary = "settings.health.bad" if bad else "settings.health.good"
        st.markdown(f"**{t(summary, **({'bad': bad} if bad else {}), count=len(found))}**")
    for check in found:
        mark = ":green[:material/check_circle:]" if check.ok else ":orange[:material/error:]"
        fix = f"  \n{said(check.fix)}" if check.fix and not check.ok else ""
        st.markdown(f"{mark} **{said(check.name)}** · {said(check.detail)}{fix}")
