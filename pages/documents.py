from pages.widgets.shell import guard; guard()  # noqa: I001  # fmt: skip

import streamlit as st

from pages.widgets import collections, document_list, uploads
from pages.widgets.empty_state import empty_state
from pages.widgets.services import contents, library
from pages.widgets.texts import t

shown = contents()
documents = library().documents()

if documents:
    with st.container():  # one element, as the empty state is
        st.title(t("documents.title"), anchor=False)
        pages, nodes = sum(one.pages or 0 for one in documents), sum(map(document_list.passages, documents))
        st.caption(t("documents.summary", count=len(documents), pages=pages, nodes=nodes))
else:
    with empty_state(t("documents.empty.title"), t("documents.empty.text"), heads_page=True):
        pass

around = st.container(horizontal_alignment="left" if documents else "center")
with around.container(width="stretch" if documents else 640):
    uploads.drop_zone()
    uploads.watch(uploads.work, shown)
    collections.folders()
    collections.show()

if documents:
    document_list.show(documents)
