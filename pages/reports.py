from pages.widgets.shell import guard; guard()  # noqa: I001  # fmt: skip

from functools import partial

import streamlit as st

from pages.widgets import report_list, report_view
from pages.widgets.messages import there
from pages.widgets.services import library, owner
from pages.widgets.texts import t

reference = st.query_params.get("report", "")
report = there(partial(library().reports.get, owner(), reference), t("reports.gone")) if reference else None
if report is not None:
    report_view.show(report)
else:
    report_list.show()
