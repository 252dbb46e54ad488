from pages.widgets.shell import guard; guard()  # noqa: I001  # fmt: skip

from functools import partial

import streamlit as st

from pages.widgets import names, topic_overview, topic_view
from pages.widgets.messages import there
from pages.widgets.services import library
from pages.widgets.texts import t

reference = st.query_params.get("topic", "")
topic = there(partial(library().topics.get, reference), t("topics.gone")) if reference else None
if topic is not None:
    topic_view.show(topic)
elif name := st.query_params.get("name", ""):
    names.show(name)
else:
    st.title(t("topics.title"), anchor=False)
    topic_overview.show()
