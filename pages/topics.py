from pages.widgets.shell import guard; guard()  # noqa: I001  # fmt: skip

import streamlit as st

from engine.errors import NotFoundError
from pages.widgets import topic_overview, topic_view
from pages.widgets.services import library
from pages.widgets.texts import t

reference = st.query_params.get("topic", "")
topic = None
if reference:
    try:
        topic = library().topics.get(reference)
    except NotFoundError:
        st.caption(f":material/info: {t('topics.gone')}")

if topic is not None:
    topic_view.show(topic)
else:
    st.title(t("topics.title"), anchor=False)
    topic_overview.show()
