from pages.widgets.shell import guard; guard()  # noqa: I001  # fmt: skip

import streamlit as st

from pages.widgets import evaluation, question_set, trial
from pages.widgets.buttons import link_to
from pages.widgets.empty_state import empty_state
from pages.widgets.texts import t

st.title(t("eval.title"), anchor=False)
st.caption(t("eval.subtitle"))

questions = question_set.saved_questions()
if not questions:
    with (
        empty_state(t("eval.empty.title"), t("eval.empty.text")),
        st.container(horizontal=True, horizontal_alignment="center", gap="small"),
    ):
        for name, icon in (("chat", "forum"), ("retrieval_lab", "biotech")):
            link_to(name, t(f"nav.{name}"), icon)
    st.stop()

evaluation.actions()
with trial.beside():
    found = evaluation.outcome()
    if found:
        evaluation.figures(found, questions)
    evaluation.history()
    evaluation.questions_list(questions, found)
