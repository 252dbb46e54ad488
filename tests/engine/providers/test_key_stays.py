"""A model's key reaches the address that it was set up for, and nothing else: no other host, message or text."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from engine.config import AccessSettings, EmbeddingSettings, LlmSettings, RerankSettings, Settings
from engine.errors import AccessError, ProviderError, ProviderUnavailableError
from engine.library import Library
from engine.providers.embedding_endpoint import EndpointEmbedder
from engine.providers.endpoint_address import is_private, shown_address
from engine.providers.llm import Llm, check_llm
from engine.providers.reranking import endpoint_reranker

KEY = "sk-very-secret-key"
ASK = [{"role": "user", "content": "Hello"}]


class Listener:
    """A server that answers everything alike and keeps what it was sent."""

    def __init__(self, status: int, location: str = "", body: bytes = b"{}") -> None:
        self.asked: list[str] = []
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                listener.asked.append(f"{self.path} {self.headers.get('authorization')}")
                self.rfile.read(int(self.headers.get("content-length") or 0))
                self.send_response(status)
                if location:
                    self.send_header("location", location)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET

            def log_message(self, *_: object) -> None:
                """Keep the test's output clean."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def elsewhere() -> Iterator[Listener]:
    """A host of somebody else's."""
    listener = Listener(200)
    yield listener
    listener.close()


@pytest.fixture(params=[301, 302, 303, 307, 308])
def sender(request, elsewhere: Listener) -> Iterator[Listener]:
    """An endpoint that sends everybody to the other host."""
    listener = Listener(request.param, f"{elsewhere.url}/v1/stolen")
    yield listener
    listener.close()


def settings(base: str, model: str = "m") -> LlmSettings:
    return LlmSettings(api_base=f"{base}/v1", api_key=KEY, model=model, retries=0)


def test_no_call_of_a_language_model_follows_a_redirect(sender, elsewhere):
    for model in ("m", ""):  # without a name the endpoint is asked for its models first
        llm = Llm(settings(sender.url, model))
        with pytest.raises(ProviderUnavailableError, match="sends elsewhere"):
            llm.complete(ASK)
        with pytest.raises(ProviderUnavailableError, match="sends elsewhere"):
            list(llm.stream(ASK))
    check = check_llm(settings(sender.url))
    assert not check.ok and "sends elsewhere" in check.detail
    assert sender.asked and not elsewhere.asked


def test_no_call_for_vectors_follows_a_redirect(sender, elsewhere):
    embedder = EndpointEmbedder(EmbeddingSettings(api_base=f"{sender.url}/v1", api_key=KEY, model="e", dimension=8))
    with pytest.raises(ProviderUnavailableError, match="sends elsewhere"):
        embedder.query("Hello")
    assert sender.asked and not elsewhere.asked


def test_no_call_of_a_reranker_follows_a_redirect(sender, elsewhere):
    reranker = endpoint_reranker(RerankSettings(api_base=sender.url, api_key=KEY))
    with pytest.raises(ProviderError):
        reranker.judge("Hello", ["world"])
    assert sender.asked and not elsewhere.asked


@pytest.mark.parametrize("status", [400, 401, 403, 404, 418, 429, 500])
def test_an_endpoint_that_repeats_the_key_does_not_have_it_shown(status):
    body = json.dumps({"error": {"message": f"Bearer {KEY} may not do this"}}).encode()
    echo = Listener(status, body=body)
    with pytest.raises(ProviderError) as error:
        Llm(settings(echo.url)).complete(ASK)
    echo.close()
    assert echo.asked[-1] == f"/v1/chat/completions Bearer {KEY}"
    assert KEY not in str(error.value)


def test_settings_can_be_printed_without_their_keys():
    whole = Settings.model_validate(
        {name: {"api_key": KEY} for name in ("llm", "vision", "embedding", "rerank", "indexing", "summary")}
    )
    assert KEY not in repr(whole) and KEY not in str(whole)
    with pytest.raises(ValueError) as error:
        Settings.model_validate({"llm": {"api_key": [KEY]}})
    assert KEY not in str(error.value)


def test_a_password_in_an_address_is_not_shown():
    llm = Llm(LlmSettings(api_base=f"http://user:{KEY}@127.0.0.1:9/v1", model="m", retries=0))
    with pytest.raises(ProviderUnavailableError, match=r"127\.0\.0\.1:9") as error:
        llm.complete(ASK)
    assert KEY not in str(error.value)
    assert shown_address(f"https://user:{KEY}@host.example/v1") == "host.example"


PRIVATE = [
    "http://localhost:11434/v1", "http://127.0.0.1/v1", "http://[::1]/v1", "http://10.0.0.5/v1", "http://2130706433/v1",
    "http://192.168.1.1/v1", "http://169.254.169.254/latest", "http://[fe80::1]/v1", "http://[::ffff:10.0.0.1]/v1",
    "http://0.0.0.0/v1", "http://user@127.0.0.1/v1",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_of_this_machine_and_its_network_are_known(address):
    assert is_private(address)


@pytest.mark.parametrize("address", ["http://1.1.1.1/v1", "https://[2606:4700::1]/v1", "", "nonsense", "http://"])
def test_public_addresses_and_nonsense_are_not_private(address):
    assert not is_private(address)


@pytest.fixture
def open_with(tmp_path):
    def opened(access: AccessSettings) -> Library:
        chosen = Settings(access=access, llm=LlmSettings(api_base="http://127.0.0.1:9/v1"))
        return Library.open(tmp_path / "library", settings=chosen, background=False)

    return opened


@pytest.mark.parametrize("access", [AccessSettings(oidc=True)])
def test_who_shares_a_library_cannot_point_it_into_its_own_network(open_with, access):
    with open_with(access) as library:
        for section in ("llm", "vision", "embedding", "rerank", "indexing", "summary"):
            with pytest.raises(AccessError, match=r"dropqa\.toml"):
                library.update_settings({f"{section}.api_base": "http://10.0.0.5/v1"})
        with pytest.raises(AccessError, match=r"10\.0\.0\.5"):
            library.check_model(LlmSettings(api_base="http://10.0.0.5/v1"))
        # What whoever runs it has set up can be tested.
        assert not library.check_model(LlmSettings(api_base="http://127.0.0.1:9/v1", model="m")).ok


def test_the_owner_may(open_with):
    with open_with(AccessSettings()) as library:
        library.update_settings({"llm.api_base": "http://127.0.0.1:11434/v1"})
        assert library.settings.llm.api_base == "http://127.0.0.1:11434/v1"


def test_a_key_of_the_environment_does_not_follow_a_new_address(tmp_path, monkeypatch, elsewhere):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with Library.open(tmp_path / "library", background=False) as library:
        assert library.settings.llm.api_key == KEY
        library.update_settings({"llm.api_base": f"{elsewhere.url}/v1", "llm.model": "m"})
        with pytest.raises(ProviderError):
            Llm(library.settings.llm).complete(ASK)
    assert elsewhere.asked and KEY not in " ".join(elsewhere.asked)
