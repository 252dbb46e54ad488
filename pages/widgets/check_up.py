"""What ``dropqa doctor`` checks, on the page: it goes on in the background, and what it finds stays until the next."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import streamlit as st

from engine.doctor import steps
from engine.errors import DropQAError
from engine.model import Check
from pages.widgets.buttons import button
from pages.widgets.fragments import fragment
from pages.widgets.messages import said
from pages.widgets.services import library
from pages.widgets.texts import t

if TYPE_CHECKING:
    from engine.library import Library

EARLY = "The checks ended early; the log of the app has the details."
_DEEP = "settings.health.deep"


@dataclass
class CheckUp:
    """The checks of one library: what they have found so far, how far they are (0 to 1), what kept them from ending."""

    library: Library
    found: Sequence[Check] = ()
    done: float = 1.0
    problem: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self, deep: bool) -> None:
        """Begin anew, unless it is under way."""
        with self._lock:
            if self.done < 1:
                return
            self.found, self.done, self.problem = (), 0.0, EARLY
        threading.Thread(target=self._run, args=(deep,), name="check-up", daemon=True).start()

    def _run(self, deep: bool) -> None:
        try:
            waiting = steps(self.library, deep)
            for number, step in enumerate(waiting, 1):
                self.found = [*self.found, *step()]
                self.done = min(number / len(waiting), 0.99)
            self.problem = ""
        except DropQAError as error:
            self.problem = str(error)
        finally:  # nobody may wait for what has ended
            self.done = 1.0


@st.cache_resource(show_spinner=False)
def _check_up(folder: str) -> CheckUp:
    return CheckUp(library())


def show() -> None:
    """Draw the checks: the button that runs them, how far they are, what they found and what to do."""
    with st.container(border=True):
        st.subheader(t("settings.health"), anchor=False)
        st.caption(t("settings.health.help"))
        now = _check_up(str(library().folder))
        with st.container(horizontal=True, vertical_alignment="center"):
            under_way = now.done < 1
            button(
                t("settings.health.run"), "settings.health", "stethoscope",
                lambda: now.start(bool(st.session_state.get(_DEEP))), type="secondary", disabled=under_way,
            )  # fmt: skip
            st.checkbox(t("settings.health.deep"), key=_DEEP, disabled=under_way)
        fragment(_found, run_every="1s" if under_way else None)(now, under_way)


def _found(now: CheckUp, under_way: bool) -> None:
    """Draw what is found so far; a page that was drawn while it was ``under_way`` is drawn anew at its end."""
    ended, found = now.done >= 1, now.found
    if not ended:
        st.progress(now.done, t("settings.health.running"))
    elif under_way:
        st.rerun()
    if ended and found and not now.problem:
        bad = sum(not check.ok for check in found)
        summary = "settings.health.bad" if bad else "settings.health.good"
        st.markdown(f"**{t(summary, **({'bad': bad} if bad else {}), count=len(found))}**")
    for check in sorted(found, key=lambda one: one.ok):
        mark = ":green[:material/check_circle:]" if check.ok else ":orange[:material/error:]"
        fix = f"  \n{said(check.fix)}" if check.fix and not check.ok else ""
        st.markdown(f"{mark} **{said(check.name)}** · {said(check.detail)}{fix}")
    if ended and now.problem:
        st.error(said(now.problem), icon=":material/error:")
