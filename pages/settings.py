from pages.widgets.shell import guard; guard()  # noqa: I001  # fmt: skip

import streamlit as st

from pages.widgets import access, check_up, setting_groups
from pages.widgets.services import library
from pages.widgets.texts import t

st.title(t("settings.title"), anchor=False)
if not access.manages():
    text = "access.read_only" if access.read_only() else "access.owners_only"
    st.caption(f":material/visibility: {t(text)}")
else:
    groups = {
        "model": setting_groups.model, "reading": setting_groups.reading, "search": setting_groups.search,
        "answers": setting_groups.answering,
    }  # fmt: skip
    tabs = st.tabs([*(t(f"set.tab.{name}") for name in groups), t("settings.library")], key="settings.tab")
    for tab, draw in zip(tabs, groups.values(), strict=False):
        with tab:
            draw()
    with tabs[-1]:
        with st.container(border=True):
            st.subheader(t("settings.library"), anchor=False)
            st.caption(t("settings.library.folder"))
            st.code(str(library().folder), language=None)
        setting_groups.sharing()
        check_up.show()
