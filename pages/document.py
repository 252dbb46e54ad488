from pages.widgets.shell import guard; guard()  # noqa: I001  # fmt: skip

import streamlit as st

from pages.widgets import access, document_list, reader, summarizing, topic_overview, version_list
from pages.widgets.buttons import link_to
from pages.widgets.empty_state import empty_state
from pages.widgets.services import document_view, library
from pages.widgets.texts import t

place = reader.place()
if place is None:
    st.title(t("nav.document"), anchor=False)
    with empty_state(t("document.none"), t("document.none.text")):
        link_to("documents", t("shell.to_documents"), "folder_open")
    st.stop()

versions = library().versions(place.document.document_id)
view = document_view(place.document.document_id, place.version)
pair = version_list.compared(versions)
reader.header(place, view, versions)
with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    if topics := [topic for topic, _ in library().topics.of_document(place.document.document_id)]:
        topic_overview.links(topics, key="reader.topics", label=t("document.topics"))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
        version_list.button(place, versions)
        summarizing.button(place, view)
        if access.changeable()(place.document):
            document_list.tag_button(place.document)
        if reader.correctable(place):
            reader.of_document(place, view)

if pair is not None:
    version_list.comparison(place, versions, pair)
    st.stop()

left, right = st.columns([4, 7], gap="medium")
with left:
    reader.contents(place, view)
    reader.selected_passage(place, view)
    reader.related(place.document)
with right:
    reader.pages(place, view)
