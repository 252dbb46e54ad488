"""The client of OpenAI-compatible endpoints, which sends a key to the address that it belongs to and nowhere else.

And what its errors mean for the user. That a prompt does not fit into a model's context is said in many wordings:
OpenAI and vLLM ("maximum context length is 8192 tokens"), llama.cpp ("exceeds the available context size (8192
tokens)"), llama-cpp-python ("exceed context window of 8192"), LM Studio ("context length of only 4096 tokens").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from engine.errors import ContextExceededError, ProviderBusyError, ProviderError, ProviderUnavailableError
from engine.providers.endpoint_address import without_secret

if TYPE_CHECKING:
    import openai

_EXCEEDS = re.compile(r"context[ _](?:length|size|window)|prompt is too long", re.IGNORECASE)
_LIMIT = re.compile(r"context[ _](?:length|size|window)\D{0,20}(\d[\d,]+)|> ?(\d[\d,]+)", re.IGNORECASE)
_LONGEST_TOLD = 200


def open_client(base: str | None, key: str, *, timeout: float, retries: int = 0) -> Any:
    """Return an ``openai.OpenAI`` that follows no redirect: one would carry the key to whoever is named there.

    ``base`` None is OpenAI's own address; ``timeout`` is in seconds. A redirect ends in an ``APIStatusError``. What
    cannot be had is asked for again, ``retries`` times, but not what took too long: it would take longer.
    """
    import httpx2  # with which openai speaks
    import openai

    class Once(openai.DefaultHttpxClient):
        def send(self, request: httpx2.Request, **how: Any) -> httpx2.Response:
            try:
                return super().send(request, **how)
            except httpx2.TimeoutException as error:
                raise openai.APITimeoutError(request=request) from error

    client = Once(follow_redirects=False, timeout=timeout)
    return openai.OpenAI(api_key=key, base_url=base, timeout=timeout, max_retries=retries, http_client=client)


def translated(error: Exception, where: str, model: str, *, what: str, timeout: float, key: str) -> ProviderError:
    """Return our error for one of the client's, with a message for the user.

    ``where`` names the endpoint at the beginning of a sentence, ``what`` it is to give; ``key`` is never told.
    """
    import openai

    if isinstance(error, openai.APITimeoutError):
        return ProviderBusyError(f"{where} did not answer within {timeout:g} s.")
    if isinstance(error, openai.APIConnectionError):
        return ProviderUnavailableError(f"{where} cannot be reached. Check the address and that it runs.")
    if isinstance(error, openai.APIStatusError):
        return _refused(error, where, model, what, key)
    return ProviderError(f"{where} answered with something that is no {what}: {brief(str(error), key)}")


def _refused(error: openai.APIStatusError, where: str, model: str, what: str, key: str) -> ProviderError:
    """Return our error for a status that is no success."""
    status = error.status_code
    if 300 <= status < 400:
        return ProviderUnavailableError(
            f"{where} sends elsewhere, which is not followed so that the key stays with this address. "
            "Enter the address that it really has."
        )
    if status in (401, 403):
        return ProviderUnavailableError(f"{where} refused the API key ({status}). Check the key.")
    if status == 404:
        named = f"has no model “{model}”, or no {what} at this address" if model else f"has no {what}"
        return ProviderUnavailableError(
            f"{where} {named} (404). Check the model's name, and the address: it usually ends in /v1."
        )
    if status == 429:
        if error.code == "insufficient_quota":
            return ProviderUnavailableError(f"{where} says that the account's quota is used up.")
        return ProviderBusyError(f"{where} is overloaded (429). Try again in a while.")
    if _EXCEEDS.search(error.message):
        return _too_long(where, error.message)
    kind = ProviderBusyError if status >= 500 else ProviderError
    return kind(f"{where} answered with error {status}: {brief(error.message, key)}")


def _too_long(where: str, message: str) -> ContextExceededError:
    limit = _LIMIT.search(message)
    return ContextExceededError(
        f"{where} says that the prompt is too long for the model. Choose a model with a longer context, or less "
        "evidence for an answer in the settings.",
        int((limit[1] or limit[2]).replace(",", "")) if limit else None,
    )


def brief(message: str, key: str) -> str:
    """Return the beginning of what an endpoint says, without the key should it repeat that."""
    line = without_secret(" ".join(message.split()), key.strip())
    return line if len(line) <= _LONGEST_TOLD else line[:_LONGEST_TOLD] + "…"
