from pages.widgets.shell import guard; guard()  # noqa: I001  # fmt: skip

from pages.widgets import topic_overview

topic_overview.show()
