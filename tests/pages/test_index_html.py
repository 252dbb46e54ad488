import re
from pathlib import Path

from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.file_util import get_static_dir

from pages.widgets.index_html import index_html, page_routes
from pages.widgets.places import PAGES


def test_every_page_begins_by_telling_where_the_server_is():
    client = TestClient(Starlette(routes=page_routes()))
    for path in ("/", "/chat", "/document"):
        page = client.get(path).text
        assert "<title>DropQA</title>" in page and "BACKEND_BASE_URL" in page
        assert "DropQA 需要启用 JavaScript。" in page
        assert page.index("BACKEND_BASE_URL") < page.index('type="module"')
    assert client.get("/nothing").status_code == 404
    assert {"chat", "dashboard", "retrieval_lab"} <= set(PAGES) and "__init__" not in PAGES


def test_all_of_streamlits_own_page_stays_but_its_name_and_icon():
    template = (Path(get_static_dir()) / "index.html").read_text("utf-8")
    page = index_html(template)
    assert re.findall(r'src="([^"]+)"', page) == re.findall(r'src="([^"]+)"', template)
    assert "Streamlit</title>" not in page and "favicon.png" not in page
