from pages.widgets.shell import guard; guard()  # noqa: I001  # fmt: skip

import streamlit as st

from pages.widgets import model_form
from pages.widgets.sanitize import plain
from pages.widgets.services import library
from pages.widgets.texts import t

status = library().status()
st.title(t("settings.title"), anchor=False)

with st.container(border=True):
    st.subheader(t("settings.model"), anchor=False)
    model_form.show()

with st.container(border=True):
    st.subheader(t("settings.embedding"), anchor=False)
    figures = {
        "done": status.embedded,
        "total": status.retrievable,
        "model": plain((status.embedder or "").partition("@")[0]),
    }
    if not status.documents:
        st.caption(t("settings.embedding.none"))
    elif status.embedder is None:
        st.caption(t("settings.embedding.off"))
    else:
        complete = status.embedded >= status.retrievable
        st.caption(t("settings.embedding.done" if complete else "settings.embedding.some", **figures))
        if not complete:
            st.progress(status.embedded / status.retrievable)
    for message in status.missing:
        st.warning(plain(message), title=t("settings.missing"), icon=":material/warning:")

with st.container(border=True):
    st.subheader(t("settings.health"), anchor=False)
    st.caption(t("settings.health.help"))
    if st.button(t("settings.health.run"), key="settings.health", icon=":material/stethoscope:"):
        with st.spinner(t("settings.health.running")):
            checks = library().doctor()
        bad = sum(not check.ok for check in checks)
        told = (
            t("settings.health.bad", bad=bad, count=len(checks))
            if bad
            else t("settings.health.good", count=len(checks))
        )
        st.markdown(f"**{told}**")
        for check in checks:
            mark = ":green[:material/check_circle:]" if check.ok else ":orange[:material/error:]"
            fix = f"  \n{plain(check.fix)}" if check.fix and not check.ok else ""
            st.markdown(f"{mark} **{plain(check.name)}** · {plain(check.detail)}{fix}")

with st.container(border=True):
    st.subheader(t("settings.library"), anchor=False)
    st.caption(t("settings.library.folder"))
    st.code(status.folder, language=None)
