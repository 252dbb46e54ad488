from pages.widgets.shell import guard; guard()  # noqa: I001  # fmt: skip

import streamlit as st

from pages.widgets import evaluation, question_set, trial
from pages.widgets.texts import t

st.title(t("eval.title"), anchor=False)
st.caption(t("eval.subtitle"))

questions = question_set.saved_questions()
if not questions:
    question_set.empty()
    st.stop()

evaluation.actions()
with trial.beside():
    found = evaluation.outcome()
    if found:
        evaluation.figures(found, questions)
    evaluation.history()
    evaluation.questions_list(questions, found)
