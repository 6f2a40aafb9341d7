"""HTTP over connections that stay open. Each exchange is bounded in time and bytes."""

from __future__ import annotations

import io
import os
import selectors
import socket
import ssl
import time
import weakref
import zlib
from base64 import b64encode
from collections.abc import Mapping
from functools import partial
from http.client import HTTPConnection, HTTPMessage, HTTPResponse, HTTPSConnection, IncompleteRead
from typing import Any, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from .errors import ConnectError

IDLE_S_MAX = 4.0
"""Servers close idle connections after 5 s or more, and a request on its way then has an unknown outcome."""
PIECE = 64 * 1024


class Response(NamedTuple):
    """A response that was read."""

    status: int
    headers: HTTPMessage
    body: bytes | None
    """Decompressed; None if it is too large."""


class Transport:
    """The connections to a service: one, or one for each thread that uses it at the same time."""

    def __init__(self, base_url: str) -> None:
        """Connect to nothing yet."""
        self._url = urlsplit(base_url)
        self._proxy = _proxy_for(self._url)
        self._tls = ssl.create_default_context() if self._url.scheme == "https" else None
        self._idle: list[_Connection] = []
        weakref.finalize(self, _close_all, self._idle)

    def close(self) -> None:
        """Close the connections that are open."""
        _close_all(self._idle)

    def exchange(
        self, path: str, body: bytes | None, headers: Mapping[str, str], *, timeout_s: float, bytes_max: int
    ) -> Response:
        """Send a request, GET or, with a body, POST, and return its response.

        Raises ConnectError if nothing was sent; OSError, HTTPException, EOFError or zlib.error if there is no whole response.
        """
        deadline = time.monotonic() + timeout_s
        connection = self._idle_connection() or self._new_connection()
        try:
            connection.start(deadline)
            method = "GET" if body is None else "POST"
            connection.http.request(method, f"{self._url.path}{path}", body, dict(headers))
            response = connection.http.getresponse()
            content = _content(response, bytes_max)
        except BaseException:
            connection.http.close()
            raise
        if response.isclosed() and connection.http.sock is not None:
            connection.idle_since = time.monotonic()
            self._idle.append(connection)
        else:
            connection.http.close()
            response.close()
        return Response(response.status, response.headers, content)

    def _idle_connection(self) -> _Connection | None:
        # Threads share the list: taking one off it is atomic.
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:
                return None
            if connection.is_usable():
                return connection
            connection.http.close()
        return None

    def _new_connection(self) -> _Connection:
        host, port = self._url.hostname or "", self._url.port
        if self._tls is None:
            return _Connection(HTTPConnection(host, port))
        if self._proxy is None:
            return _Connection(HTTPSConnection(host, port, context=self._tls))
        https = HTTPSConnection(self._proxy.hostname or "", self._proxy.port or 80, context=self._tls)
        https.set_tunnel(host, port or 443, _proxy_headers(self._proxy))
        return _Connection(https)


class _Connection:
    """A connection, and the process that made it: a fork must not use it."""

    def __init__(self, http: HTTPConnection) -> None:
        self.http = http
        self.idle_since = 0.0
        self._pid = os.getpid()

    def is_usable(self) -> bool:
        """Return whether it is open. A server that has closed it, or has sent something unasked, makes it readable."""
        is_fresh = time.monotonic() - self.idle_since < IDLE_S_MAX
        if self._pid != os.getpid() or not is_fresh or self.http.sock is None:
            return False
        with selectors.DefaultSelector() as selector:
            selector.register(self.http.sock, selectors.EVENT_READ)
            return not selector.select(0)

    def start(self, deadline: float) -> None:
        """Begin an exchange that ends at the deadline. Connect if there is no connection."""
        self.http.response_class = partial(_Response, deadline=deadline)  # type: ignore[assignment]
        self.http.timeout = _left(deadline)
        if self.http.sock is None:
            try:
                self.http.connect()
            # UnicodeError: a host name that cannot exist, such as `a..b`.
            except (OSError, UnicodeError) as error:
                raise ConnectError(str(error) or type(error).__name__) from error
        self.http.sock.settimeout(_left(deadline))


class _Response(HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, deadline: float, **named: Any) -> None:
        super().__init__(sock, *args, **named)
        self.fp.close()
        self.fp = io.BufferedReader(_BytesUntil(deadline, sock))

    def begin(self) -> None:
        super().begin()
        # Interim responses, such as 103 Early Hints, precede the response.
        while 100 <= self.status < 200 and self.status != 101:
            self.headers = None  # type: ignore[assignment]
            super().begin()


class _BytesUntil(io.RawIOBase):
    """The bytes that a socket receives until a deadline. A timeout of the socket alone begins anew with each byte."""

    def __init__(self, deadline: float, sock: socket.socket) -> None:
        super().__init__()
        self._deadline = deadline
        self._sock = sock
        self._file = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(_left(self._deadline))
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()


def _left(deadline: float) -> float:
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError("timed out")
    return seconds


def _content(response: HTTPResponse, bytes_max: int) -> bytes | None:
    """Return the body; None if it is too large. The service compresses large pages, and a proxy may compress anything."""
    encoding = response.headers.get("Content-Encoding", "").lower()
    compressed = {"gzip": 16 + zlib.MAX_WBITS, "x-gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}
    decoder = zlib.decompressobj(compressed[encoding]) if encoding in compressed else None
    body = bytearray()
    is_empty = True
    while piece := response.read(PIECE):
        is_empty = False
        # A small piece may have a large content.
        body += decoder.decompress(piece, bytes_max - len(body) + 1) if decoder else piece
        if len(body) > bytes_max:
            return None
    if response.length:
        raise IncompleteRead(b"", response.length)
    if decoder and not decoder.eof and not is_empty:
        raise EOFError("the compressed response is cut off")
    return bytes(body)


def _proxy_for(url: SplitResult) -> SplitResult | None:
    """Return the proxy of the environment. It could read a request without encryption, so there is none for `http`."""
    proxy = getproxies().get("https")
    if url.scheme != "https" or not proxy or proxy_bypass(url.netloc):
        return None
    return urlsplit(proxy if "://" in proxy else f"//{proxy}")


def _proxy_headers(proxy: SplitResult) -> dict[str, str]:
    if proxy.username is None:
        return {}
    credentials = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {b64encode(credentials.encode()).decode()}"}


def _close_all(idle: list[_Connection]) -> None:
    while idle:
        idle.pop().http.close()
