"""A small OIDC provider: it asks who one is, believes it, and signs what it says (authorization code with PKCE)."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

USERS = ("ann@example.org", "bob@example.com", "eve@elsewhere.example")
CLIENT, SECRET = "dropqa", "client secret"


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class OidcProvider:
    """Serves on this machine while it is entered; ``metadata`` is the address that a client is given."""

    def __init__(self) -> None:
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self._codes: dict[str, dict[str, str]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.metadata = f"{self.url}/.well-known/openid-configuration"

    def __enter__(self) -> OidcProvider:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def configuration(self) -> dict[str, Any]:
        return {
            "issuer": self.url, "authorization_endpoint": f"{self.url}/authorize", "jwks_uri": f"{self.url}/keys",
            "token_endpoint": f"{self.url}/token", "response_types_supported": ["code"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }  # fmt: skip

    def keys(self) -> dict[str, Any]:
        public = self._key.public_key().public_numbers()
        n, e = (value.to_bytes((value.bit_length() + 7) // 8, "big") for value in (public.n, public.e))
        key = {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "1", "n": _encoded(n), "e": _encoded(e)}
        return {"keys": [key]}

    def choose(self, asked: dict[str, str]) -> str:
        """Return a page with a link for each user."""
        rows = []
        for user in USERS:
            code = secrets.token_urlsafe(16)
            self._codes[code] = asked | {"user": user}
            address = f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"
            rows.append(f"<li><a href='{address}'>{user}</a></li>")
        return f"<!doctype html><title>Who are you?</title><ul>{''.join(rows)}</ul>"

    def token(self, given: dict[str, str]) -> dict[str, Any] | None:
        """Return the tokens for a code, None when the code or its proof is wrong."""
        asked = self._codes.pop(given.get("code", ""), None)
        proof = _encoded(hashlib.sha256(given.get("code_verifier", "").encode()).digest())
        if asked is None or asked.get("code_challenge") != proof:
            return None
        now = int(time.time())
        claims = {
            "iss": self.url, "aud": CLIENT, "sub": f"id of {asked['user']}", "email": asked["user"],
            "email_verified": True, "iat": now, "exp": now + 600, "nonce": asked.get("nonce", ""),
        }  # fmt: skip
        head = {"alg": "RS256", "typ": "JWT", "kid": "1"}
        said = ".".join(_encoded(json.dumps(part).encode()) for part in (head, claims))
        signed = self._key.sign(said.encode(), padding.PKCS1v15(), hashes.SHA256())
        return {
            "access_token": secrets.token_urlsafe(8), "token_type": "Bearer", "expires_in": 600,
            "id_token": f"{said}.{_encoded(signed)}",
        }  # fmt: skip

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
                if parts.path == "/authorize":
                    self._send("text/html", provider.choose(asked))
                else:
                    told = provider.keys() if parts.path == "/keys" else provider.configuration()
                    self._send("application/json", json.dumps(told))

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"])).decode()
                told = provider.token({name: values[0] for name, values in parse_qs(body).items()})
                self._send("application/json", json.dumps(told or {"error": "invalid_grant"}), 200 if told else 400)

            def _send(self, kind: str, text: str, status: int = 200) -> None:
                data = text.encode()
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        return Handler
