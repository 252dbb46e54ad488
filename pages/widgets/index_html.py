"""The HTML that every page's address begins with: Streamlit's own, told what it would otherwise find out by failing.

Streamlit's script looks for its server below the page's address first (``/chat/_stcore/health``), which is answered
404, and only then at the root. Here it is told where the root is, and the tab has this app's name and icon from the
first moment.
"""

import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route
from streamlit.file_util import get_static_dir

from pages.widgets.places import PAGES

_ROOT = """<script>
    {{
      const root = location.pathname.match({pattern})
      if (root) window.__streamlit = {{ BACKEND_BASE_URL: location.origin + (root[1] || "/") }}
    }}
    </script>"""
_NOSCRIPT = "<noscript><p>DropQA needs JavaScript.</p><p lang='zh'>DropQA 需要启用 JavaScript。</p></noscript>"


def index_html(template: str) -> str:
    """Return Streamlit's ``index.html`` with this app's name, icon and root; its language the page tells."""
    names = "|".join(PAGES)
    script = _ROOT.format(pattern=f"/^(.*)\\/(?:{names})\\/?$/")
    changes = (
        (r"<head>", f"<head>\n    {script}"),
        (r"<title>.*?</title>", "<title>DropQA</title>"),
        (r'href="\./favicon\.png"', 'href="./app/static/mark.svg"'),
        (r"(?s)<noscript>.*?</noscript>", _NOSCRIPT),
    )
    for pattern, new in changes:
        template = re.sub(pattern, lambda _, new=new: new, template, count=1)  # type: ignore[misc]
    return template


def page_routes() -> list[Route]:
    """Return the routes of the bare address and of every page."""
    page = index_html((Path(get_static_dir()) / "index.html").read_text("utf-8"))

    async def show(_: Request) -> HTMLResponse:
        return HTMLResponse(page, headers={"cache-control": "no-cache"})

    return [Route(path, show) for path in ("/", *(f"/{name}" for name in PAGES))]
