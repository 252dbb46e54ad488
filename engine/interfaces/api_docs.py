"""The page ``/api/docs``: Swagger UI from this server; it works offline, and nothing is fetched from elsewhere."""

from pathlib import Path

from fastapi import FastAPI, HTTPException, Request
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import FileResponse, HTMLResponse

FOLDER = Path(__file__).resolve().parents[2] / "static" / "swagger-ui"
# Kept packed: a quarter of the size in the project and on the wire.
FILES = {"swagger-ui-bundle.js": "text/javascript", "swagger-ui.css": "text/css"}


def add_docs(app: FastAPI) -> None:
    """Add the page of an app's routes, and its script and style, below ``/docs``."""

    @app.get("/docs", include_in_schema=False)
    def docs(request: Request) -> HTMLResponse:
        root = request.scope.get("root_path", "").rstrip("/")
        return get_swagger_ui_html(
            openapi_url=f"{root}{app.openapi_url}",
            title=f"{app.title} API",
            swagger_js_url=f"{root}/docs/swagger-ui-bundle.js",
            swagger_css_url=f"{root}/docs/swagger-ui.css",
            swagger_favicon_url="/app/static/mark.svg",
            swagger_ui_parameters={"validatorUrl": "none"},  # its badge is a picture from elsewhere
        )

    @app.get("/docs/{name}", include_in_schema=False)
    def part(name: str) -> FileResponse:
        if name not in FILES:
            raise HTTPException(404)
        headers = {"content-encoding": "gzip", "cache-control": "public, max-age=86400"}
        return FileResponse(FOLDER / f"{name}.gz", media_type=FILES[name], headers=headers)
