from pages.widgets.shell import guard; guard()  # noqa: I001  # fmt: skip

import streamlit as st

from pages.widgets import lab, trial
from pages.widgets.buttons import link_to
from pages.widgets.empty_state import empty_state, questions_to_begin_with, to_documents
from pages.widgets.services import library
from pages.widgets.texts import t

st.title(t("lab.title"), anchor=False)
st.caption(t("lab.subtitle"))
if not library().documents():
    with empty_state(t("lab.empty.title"), t("lab.empty.library")):
        to_documents()
    st.stop()

here = lab.asked()
lab.question_form(here)
if not here.question:
    if here.node_id:
        st.caption(f":material/search_off: {t('why.ask_first')}")
    questions_to_begin_with("lab.example", lambda question: lab.go(lab.Asked(question)))
    st.stop()

with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    st.toggle(t("lab.settings"), key="lab.settings", persist_state="session")
    trial.state()
    st.space("stretch")
    link_to("evaluation", t("lab.to_evaluation"), "fact_check")

with trial.beside():
    inspection = lab.searched(here, changed=True)
    lab.strip(inspection)
    lab.choose_view(here)
    views = {"scores": lab.scores, "views": lab.side_by_side, "why": lab.why, "understood": lab.understood}
    views[here.view](here, inspection)
