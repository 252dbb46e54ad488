"""The checks of the library, on request."""

from __future__ import annotations

import streamlit as st

from pages.widgets.messages import said
from pages.widgets.services import library
from pages.widgets.texts import t


def show() -> None:
    """Draw the button that runs the checks, and what they found."""
    with st.container(border=True):
        st.subheader(t("settings.health"), anchor=False)
        st.caption(t("settings.health.help"))
        if not st.button(t("settings.health.run"), key="settings.health", icon=":material/stethoscope:"):
            return
        with st.spinner(t("settings.health.running")):
            checks = library().doctor()
        bad = sum(not check.ok for check in checks)
        summary = "settings.health.bad" if bad else "settings.health.good"
        st.markdown(f"**{t(summary, **({'bad': bad} if bad else {}), count=len(checks))}**")
        for check in checks:
            mark = ":green[:material/check_circle:]" if check.ok else ":orange[:material/error:]"
            fix = f"  \n{said(check.fix)}" if check.fix and not check.ok else ""
            st.markdown(f"{mark} **{said(check.name)}** · {said(check.detail)}{fix}")
