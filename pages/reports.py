from pages.widgets.shell import guard; guard()  # noqa: I001  # fmt: skip

import streamlit as st

from engine.errors import AccessError, NotFoundError
from pages.widgets import report_list, report_view
from pages.widgets.services import library, owner
from pages.widgets.texts import t

report = None
if report_id := st.query_params.get("report", ""):
    try:
        report = library().reports.get(owner(), report_id)
    except (AccessError, NotFoundError):
        st.caption(f":material/info: {t('reports.gone')}")

if report is not None:
    report_view.show(report)
else:
    report_list.show()
