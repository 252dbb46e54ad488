from pages.widgets.shell import guard; guard()  # noqa: I001  # fmt: skip

import streamlit as st

from pages.widgets import job_strip, overview, uploads
from pages.widgets.empty_state import empty_state
from pages.widgets.services import contents, library
from pages.widgets.texts import t

shown = contents()  # before anything else is read, so that nothing that comes meanwhile is missed
documents = library().documents()

if documents:
    st.title(t("dashboard.title"), anchor=False)
    overview.ask()
    overview.figures(documents)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        overview.recent(documents)
    with right:
        overview.work(shown)
        overview.topics()
        overview.for_you(documents)
else:
    with empty_state(t("dashboard.first.title"), t("dashboard.first.text"), heads_page=True):
        with st.container(width=640):
            uploads.drop_zone()
            job_strip.watch(uploads.work, shown)
        overview.samples()
