"""Requests to the API: JSON over urllib, with failures as LedgerError."""

from __future__ import annotations

import gzip
import json
import re
import ssl
import zlib
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPHandler, HTTPRedirectHandler, HTTPSHandler, ProxyHandler, Request, build_opener

from .errors import ConnectError, LedgerError, error_of, foreign_response

ATTEMPT_S_MAX = 60
"""The longest silence of the service within one attempt at a request."""


class Connection:
    """The address of the service, and the key, which appears in requests only."""

    def __init__(self, base_url: str, api_key: str, insecure: bool) -> None:
        """Raise ValueError if one of them is malformed, or others could read the key on its way."""
        _require_connection(base_url, api_key, insecure)
        self.base_url = base_url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {api_key}"}
        # A redirect would send the key and the entries to another service.
        handlers = [_NoRedirect(), _Http(), _Https()]
        if not base_url.startswith("https:"):
            # A proxy could read a request without encryption.
            handlers.append(ProxyHandler({}))
        self._open = build_opener(*handlers).open

    def request(
        self,
        path: str,
        members: tuple[str, ...],
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """Run one attempt: GET, or POST if there is a body.

        Returns the response, which has `members`. Raises LedgerError.
        """
        json_type = {} if body is None else {"Content-Type": "application/json"}
        request = Request(f"{self.base_url}{path}", body, {**self._headers, **json_type, **(headers or {})})
        try:
            try:
                with self._open(request, timeout=ATTEMPT_S_MAX) as response:
                    return self._parsed(_content(response), members, response)
            except HTTPError as response:
                with response:
                    failure = error_of(self.base_url, response.code, response.headers, _content(response))
        # UnicodeError: a host name that cannot exist, such as `a..b`.
        except (OSError, HTTPException, UnicodeError, EOFError, zlib.error) as error:
            cause = error.reason if isinstance(error, URLError) else error
            reason = str(cause) or type(cause).__name__
            text = f"{self.base_url} cannot be reached: {reason.rstrip('.')}."
            raise LedgerError("unreachable", text) from (cause if isinstance(cause, Exception) else error)
        raise failure

    def _parsed(self, text: bytes, members: tuple[str, ...], response: HTTPResponse) -> dict[str, Any]:
        try:
            data = json.loads(text) if text else None
        except (ValueError, RecursionError):
            raise foreign_response(self.base_url, "not JSON") from None
        if not isinstance(data, dict) or not all(member in data for member in members):
            status, request_id = response.status, response.headers.get("X-Request-Id")
            raise foreign_response(self.base_url, f"status {status}", status, request_id)
        return data


def _content(response: HTTPResponse | HTTPError) -> bytes:
    """Return the body. A proxy may compress it although nobody has asked for that."""
    body = response.read()
    encoding = response.headers.get("Content-Encoding", "").lower()
    if encoding in ("gzip", "x-gzip"):
        return gzip.decompress(body)
    return zlib.decompress(body) if encoding == "deflate" else body


class _Connection(HTTPConnection):
    def connect(self) -> None:
        try:
            super().connect()
        # UnicodeError: a host name that cannot exist, such as `a..b`.
        except (OSError, UnicodeError) as error:
            raise ConnectError(str(error) or type(error).__name__) from error


class _SecureConnection(_Connection, HTTPSConnection):
    pass


class _Http(HTTPHandler):
    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(_Connection, req)


class _Https(HTTPSHandler):
    def __init__(self) -> None:
        super().__init__()
        self._tls = ssl.create_default_context()

    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(_SecureConnection, req, context=self._tls)


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> None:
        return None


def _require_connection(base_url: str, api_key: str, insecure: bool) -> None:
    """Errors of http.client about a malformed header or URL would show the key or the password."""
    scheme, _, rest = base_url.partition("://")
    authority = re.split("[/?#]", rest)[0]
    if "@" in authority:
        raise ValueError("base_url must not contain a user name or a password")
    is_ascii = re.fullmatch(r"[\x21-\x7e]+", base_url)
    if (
        scheme not in ("http", "https")
        or not is_ascii
        or not re.fullmatch(r"[^:]+(:[0-9]+)?|\[.+\](:[0-9]+)?", authority)
    ):
        raise ValueError("base_url must be an absolute URL of http or https")
    if not re.fullmatch(r"[\x21-\x7e]+", api_key):
        raise ValueError("api_key must be one word of ASCII characters")
    if scheme == "http" and not insecure and not _is_this_machine(re.sub(":[0-9]+$", "", authority)):
        raise ValueError(
            f"{base_url} is not encrypted, and others could read the API key on its way: use https, or add insecure=True."
        )


def _is_this_machine(host: str) -> bool:
    try:
        return host.lower() == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
