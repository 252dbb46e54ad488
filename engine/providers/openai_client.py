"""The client of OpenAI-compatible endpoints, which sends a key to the address that it belongs to and nowhere else."""

from __future__ import annotations

from typing import Any


def open_client(base: str | None, key: str, *, timeout: float, retries: int = 0) -> Any:
    """Return an ``openai.OpenAI`` that follows no redirect: one would carry the key to whoever is named there.

    ``base`` None is OpenAI's own address; ``timeout`` is in seconds. A redirect ends in an ``APIStatusError``.
    """
    import openai

    return openai.OpenAI(
        api_key=key,
        base_url=base,
        timeout=timeout,
        max_retries=retries,
        http_client=openai.DefaultHttpxClient(follow_redirects=False, timeout=timeout),
    )


def is_redirect(error: Exception) -> bool:
    """Tell whether an error of the client is an endpoint's wish to be asked elsewhere."""
    return 300 <= getattr(error, "status_code", 0) < 400
