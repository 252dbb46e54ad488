from pages.widgets.shell import guard; guard()  # noqa: I001  # fmt: skip

import streamlit as st

from pages.widgets import document_list, uploads
from pages.widgets.services import library
from pages.widgets.texts import t

documents = library().documents()

if documents:
    st.title(t("documents.title"), anchor=False)
    st.caption(document_list.summary(documents))
else:
    with st.container(horizontal_alignment="center", gap="small"):
        st.space("medium")
        st.markdown("![](app/static/hero.svg)", width="content")
        st.title(t("documents.empty.title"), anchor=False, text_alignment="center")
        st.caption(t("documents.empty.text"), text_alignment="center", width=560)

around = st.container(horizontal_alignment="left" if documents else "center")
with around.container(width="stretch" if documents else 640):
    uploads.drop_zone()
    uploads.progress()

if documents:
    document_list.show(documents)
