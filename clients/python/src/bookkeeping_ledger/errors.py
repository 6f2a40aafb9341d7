"""Errors of the library. `code` is the API's error code, or one of the library's own."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime, timezone
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urljoin

from .responses import fault_of


@dataclass(frozen=True)
class Issue:
    """One fault of the request."""

    path: str
    """JSON pointer: into the query, or into the entries passed to `push`, as `/3/amountPence`."""
    message: str
    index: int | None = None
    """The index of the entry passed to `push`."""


class LedgerError(Exception):
    """A request failed.

    code: of the API; `unreachable` if the service could not be reached, or did not respond in time;
        `unexpected_response` if the response does not come from this API; `unknown_outcome` if a write failed after an
        attempt without a readable response, and its entries may be stored; `callback_failed` if `on_progress` or `on_pause` of a push
        raised an error, which is the cause. The API may add codes: treat unknown ones by `status`.
    status: of HTTP; None without a response.
    valid_categories: with `invalid_category`: the keys accepted for the first of the issues.
    retry_after_seconds: until the request can succeed, with `rate_limited`, `daily_cap` and 503.
    remaining: with `daily_cap`: how many entries fit now.
    index: with `daily_cap`: the position of the first entry that does not fit now. The entries before it fit.
    request_id: identifies the request in the service's logs.
    idempotency_key: with `unknown_outcome`: of the request, if some of its entries have no `externalRef`. The same entries
        under it are stored once, for 24 hours.
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
        index: int | None = None,
        request_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.issues = issues
        self.valid_categories = valid_categories
        self.retry_after_seconds = retry_after_seconds
        self.remaining = remaining
        self.index = index
        self.request_id = request_id
        self.idempotency_key = idempotency_key


class ConnectError(OSError):
    """There was no connection, so nothing was sent."""


def may_be_stored(failure: LedgerError) -> bool:
    """Return whether the entries of an attempt may be stored. They are not if it was never sent, or if the service refused it."""
    if isinstance(failure.__cause__, ConnectError):
        return False
    return failure.code in ("unreachable", "unexpected_response") or (failure.status or 0) >= 500


RETRY_AFTER_S_MAX = 24 * 60 * 60
"""The service asks for a day at most, the window of its daily cap."""


def error_of(base_url: str, status: int, headers: Message, body: bytes) -> LedgerError:
    """Return the error of a response that is not a success."""
    if 300 <= status < 400:
        return _redirect_error(base_url, status, headers.get("Location"))
    request_id = headers.get("X-Request-Id")
    seconds = _seconds_of(headers.get("Retry-After", ""))
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        data = None
    if fault_of(data, "Error") is not None:
        failure = foreign_response(base_url, f"status {status}", status, request_id)
        failure.retry_after_seconds = seconds
        return failure
    error: dict[str, Any] = data["error"]
    return LedgerError(
        error["code"],
        error["message"],
        status=status,
        issues=tuple(Issue(each["path"], each["message"]) for each in error.get("issues", ())),
        valid_categories=tuple(error.get("validCategories", ())),
        retry_after_seconds=_bounded(error.get("retryAfterSeconds"), seconds),
        remaining=error.get("remaining"),
        index=error.get("index"),
        request_id=request_id,
    )


def _seconds_of(retry_after: str) -> float | None:
    """Return the seconds of the header: a number, or an HTTP date."""
    if re.fullmatch(r"[0-9]+", retry_after):
        return _bounded(float(retry_after))
    try:
        date = parsedate_to_datetime(retry_after)
    except (TypeError, ValueError, OverflowError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=timezone.utc)
    return _bounded(max(0.0, (date - datetime.now(timezone.utc)).total_seconds()))


def _bounded(seconds: object, otherwise: float | None = None) -> float | None:
    """Return the seconds, a day at most, or the other value if they are not a number of seconds."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not seconds >= 0:
        return otherwise
    return min(seconds, RETRY_AFTER_S_MAX)


def foreign_response(
    base_url: str, reason: str, status: int | None = None, request_id: str | None = None
) -> LedgerError:
    """Return the error of a response that does not come from this API."""
    advice = _advice_for(status or 200)
    message = f"The response of {base_url} ({reason}) is not one of the Bookkeeping Ledger API: {advice}."
    return LedgerError("unexpected_response", message, status=status, request_id=request_id)


REFUSED = "a proxy or firewall on the way refused the request"
ADVICE = {
    401: REFUSED,
    403: REFUSED,
    407: "a proxy on the way asks for a user name and a password: HTTPS_PROXY has them before the host",
    408: "a proxy on the way did not get the request in time",
    413: "a proxy on the way accepts no request of this size: its limit must be 5 MiB or more",
    429: REFUSED,
}


def _advice_for(status: int) -> str:
    if status >= 500:
        return "a proxy on the way cannot reach the service"
    return ADVICE.get(status, "check the URL, and whether a proxy on the way changes responses")


class KeyExpired(Exception):
    """A request without a readable response is not sent again: the service may have forgotten its Idempotency-Key."""

    def __init__(self) -> None:
        super().__init__(
            "It is too late for another attempt: the service may have forgotten the Idempotency-Key."
        )


def unknown_outcome(failure: BaseException, idempotency_key: str | None) -> LedgerError:
    """Return the error of a write that failed after an attempt without a readable response.

    failure: the last one.
    idempotency_key: of the request; None if each of its entries has a reference.
    """
    last = str(failure) or type(failure).__name__
    repeat = (
        "Send them again: each has an externalRef, so none is stored twice."
        if idempotency_key is None
        else f"Send the same entries again within 24 hours of the first attempt, with the Idempotency-Key {idempotency_key}, "
        "so that none is stored twice."
    )
    too_late = "Look for them in the books, and send only the missing ones."
    way = too_late if isinstance(failure, KeyExpired) else repeat
    message = (
        f"{last if last.endswith(('.', '?', '!')) else f'{last}.'} The entries of this request may be stored, because an "
        f"attempt got no readable response. {way}"
    )
    details = failure if isinstance(failure, LedgerError) else LedgerError("", "")
    return LedgerError(
        "unknown_outcome",
        message,
        status=details.status,
        issues=details.issues,
        valid_categories=details.valid_categories,
        retry_after_seconds=details.retry_after_seconds,
        remaining=details.remaining,
        request_id=details.request_id,
        idempotency_key=idempotency_key,
    )


def _redirect_error(base_url: str, status: int, location: str | None) -> LedgerError:
    """Return the error of a redirect. It shows only the origin of the target."""
    absolute = urljoin(base_url, location or "")
    origin = re.match(r"(https?://)(?:[^/?#]*@)?([A-Za-z0-9.:\[\]-]+)(?=[/?#]|$)", absolute)
    target = "".join(origin.groups()) if location is not None and origin else "another address"
    message = (
        f"The service redirects to {target}, and no redirect is followed: the key and the entries would go there. "
        "If that is the service, use its URL."
    )
    return LedgerError("unexpected_response", message, status=status)
