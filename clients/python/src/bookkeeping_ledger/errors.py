"""Errors of the library. `code` is the API's error code, or one of the library's own."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from email.message import Message
from typing import Any
from urllib.parse import urljoin


@dataclass(frozen=True)
class Issue:
    """One fault of the request."""

    path: str
    """JSON pointer: into the query, or into the entries passed to `push`, as `/3/amountPence`."""
    message: str
    index: int | None = None
    """Of the entry passed to `push`."""


class LedgerError(Exception):
    """A request failed.

    code: of the API; `unreachable` if the service could not be reached, or did not respond in time;
        `unexpected_response` if the response does not come from this API. The API may add codes: treat unknown
        ones by `status`.
    status: of HTTP; None without a response.
    valid_categories: with `invalid_category`: the keys accepted for the first of the issues.
    retry_after_seconds: until the request can succeed, with `rate_limited`, `daily_cap` and 503.
    remaining: with `daily_cap`: how many entries fit now.
    request_id: identifies the request in the service's logs.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        issues: tuple[Issue, ...] = (),
        valid_categories: tuple[str, ...] = (),
        retry_after_seconds: float | None = None,
        remaining: int | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.issues = issues
        self.valid_categories = valid_categories
        self.retry_after_seconds = retry_after_seconds
        self.remaining = remaining
        self.request_id = request_id


def error_of(base_url: str, status: int, headers: Message, body: bytes) -> LedgerError:
    """Return the error of a response that is not a success."""
    if 300 <= status < 400:
        return _redirect_error(base_url, status, headers.get("Location"))
    request_id = headers.get("X-Request-Id")
    retry_after = headers.get("Retry-After", "")
    seconds = float(retry_after) if re.fullmatch(r"[0-9]+", retry_after) else None
    try:
        error: dict[str, Any] = json.loads(body)["error"]
        code, message = error["code"], error["message"]
        if not isinstance(code, str) or not isinstance(message, str):
            raise TypeError("not an error of the API")
        issues = tuple(Issue(each["path"], each["message"]) for each in error.get("issues", ()))
        return LedgerError(
            code,
            message,
            status=status,
            issues=issues,
            valid_categories=tuple(error.get("validCategories", ())),
            retry_after_seconds=error.get("retryAfterSeconds", seconds),
            remaining=error.get("remaining"),
            request_id=request_id,
        )
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        failure = foreign_response(base_url, f"status {status}", status, request_id)
        failure.retry_after_seconds = seconds
        return failure


def foreign_response(
    base_url: str, what: str, status: int | None = None, request_id: str | None = None
) -> LedgerError:
    """Return the error of a response that does not come from this API."""
    message = f"The response of {base_url} ({what}) is not one of the Bookkeeping Ledger API: check the URL."
    return LedgerError("unexpected_response", message, status=status, request_id=request_id)


def _redirect_error(base_url: str, status: int, location: str | None) -> LedgerError:
    """Of the target, only the origin is shown."""
    absolute = urljoin(base_url, location or "")
    origin = re.match(r"(https?://)(?:[^/?#]*@)?([A-Za-z0-9.:\[\]-]+)(?=[/?#]|$)", absolute)
    target = "".join(origin.groups()) if location is not None and origin else "another address"
    message = (
        f"The service redirects to {target}, and no redirect is followed: the key and the entries would go there. "
        "If that is the service, use its URL."
    )
    return LedgerError("unexpected_response", message, status=status)
