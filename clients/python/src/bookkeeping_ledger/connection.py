"""Requests to the API: one attempt each, with failures as LedgerError."""

from __future__ import annotations

import json
import re
import zlib
from http.client import HTTPException
from ipaddress import ip_address
from typing import Any, cast

from .errors import ConnectError, LedgerError, error_of, foreign_response
from .responses import fault_of
from .transport import Transport

VERSION = "1.0.0"


class Connection:
    """The address of the service, and the key, which appears in requests only."""

    def __init__(
        self, base_url: str, api_key: str, insecure: bool, attempt_timeout_s: float, response_bytes_max: int
    ) -> None:
        """Raise ValueError if an argument is malformed, or others could read the key on its way."""
        _require_connection(base_url, api_key, insecure)
        self.base_url = base_url.rstrip("/")
        self._headers = {
            # http.client would ask for no compression.
            "Accept-Encoding": "gzip",
            "Authorization": f"Bearer {api_key}",
            "User-Agent": f"bookkeeping-ledger-python/{VERSION}",
        }
        self._attempt_timeout_s = attempt_timeout_s
        self._response_bytes_max = response_bytes_max
        self._transport = Transport(self.base_url)

    def close(self) -> None:
        """Close the connection to the service. The next request opens another one."""
        self._transport.close()

    def request(
        self, schema: str, path: str, body: bytes | None = None, idempotency_key: str | None = None
    ) -> dict[str, Any]:
        """Run one attempt: GET, or POST if there is a body.

        schema: the name of the response's schema.
        Raises LedgerError.
        """
        headers = dict(self._headers)
        if body is not None:
            headers["Content-Type"] = "application/json"
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        bytes_max = self._response_bytes_max
        try:
            # No redirect is followed: the key and the entries would go to another service.
            response = self._transport.exchange(
                path, body, headers, timeout_s=self._attempt_timeout_s, bytes_max=bytes_max
            )
        except (OSError, HTTPException, EOFError, zlib.error) as error:
            raise self._unreachable(error) from error
        status, request_id = response.status, response.headers.get("X-Request-Id")
        if response.body is None:
            raise foreign_response(self.base_url, f"more than {bytes_max} bytes", status, request_id)
        if not 200 <= status < 300:
            raise error_of(self.base_url, status, response.headers, response.body)
        try:
            data = json.loads(response.body) if response.body else None
        except (ValueError, RecursionError):
            raise foreign_response(self.base_url, "not JSON", status, request_id) from None
        fault = fault_of(data, schema)
        if fault is not None:
            place = f", {fault} is missing or wrong" if fault else ""
            raise foreign_response(self.base_url, f"status {status}{place}", status, request_id)
        return cast(dict[str, Any], data)

    def _unreachable(self, error: Exception) -> LedgerError:
        tunnel = re.match("Tunnel connection failed: ([0-9]{3})", str(error))
        if isinstance(error, ConnectError) and tunnel:
            return foreign_response(self.base_url, f"status {tunnel[1]}", int(tunnel[1]))
        reason = str(error) or type(error).__name__
        return LedgerError("unreachable", f"{self.base_url} cannot be reached: {reason.rstrip('.')}.")


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
