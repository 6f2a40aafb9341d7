"""Repeats requests that may succeed later: at the minute limit, after 5xx and broken connections, not at the daily cap."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

from .errors import LedgerError

FIRST_PAUSE_S = 0.2
PAUSE_S_MAX = 10.0
UNREADABLE_MAX = 4
"""A response that cannot be read stays so if the address is wrong."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class Pause:
    """Why a request waits, and how long."""

    reason: Literal["minute_limit", "daily_cap", "unavailable"]
    seconds: float


OnPause = Callable[[Pause], None]


@dataclass(frozen=True)
class Limits:
    """How long a request may wait at the minute limit: at once, and in all. A longer wait is not begun."""

    pause_s_max: float
    limit_timeout_s: float


def with_retries(
    attempt: Callable[[], Result],
    *,
    retry_timeout_s: float,
    limits: Limits,
    on_pause: OnPause | None,
    is_write: bool = False,
) -> Result:
    """Return the result of the first attempt that succeeds.

    attempt: must be safe to repeat; raises LedgerError.
    retry_timeout_s: how long a service that fails or cannot be reached is tried again. Waits for the minute limit do
        not count.
    is_write: whether the attempt is repeated after a response that is not of the API too: its outcome is unknown.
    Raises the error of the last attempt.
    """
    gives_up_at = time.monotonic() + retry_timeout_s
    failures = unreadable = 0
    waited_s = 0.0
    while True:
        try:
            return attempt()
        except LedgerError as error:
            reason = _reason_to_retry(error)
            if reason is None and is_write and error.code == "unexpected_response":
                unreadable += 1
                reason = "unavailable" if unreadable < UNREADABLE_MAX else None
            if reason is None:
                raise
            seconds = _pause_s(error, failures if reason == "unavailable" else 0)
            if reason == "minute_limit":
                gives_up_at += seconds
                waited_s += seconds
                if seconds > limits.pause_s_max or waited_s > limits.limit_timeout_s:
                    raise
            elif time.monotonic() + seconds > gives_up_at:
                raise
            else:
                failures += 1
        wait(Pause(reason, seconds), on_pause)


def wait(pause: Pause, on_pause: OnPause | None) -> None:
    """Report the pause, and sleep."""
    if on_pause is not None:
        on_pause(pause)
    time.sleep(pause.seconds)


def _reason_to_retry(error: LedgerError) -> Literal["minute_limit", "unavailable"] | None:
    if error.code == "rate_limited":
        return "minute_limit"
    if error.code in ("unreachable", "request_timeout"):
        return "unavailable"
    # A proxy has limits and timeouts of its own.
    is_of_proxy = error.status in (408, 429) and error.code == "unexpected_response"
    return "unavailable" if is_of_proxy or (error.status or 0) >= 500 else None


def _pause_s(error: LedgerError, failures: int) -> float:
    """Return the pause that the service requests, or a growing one, with jitter so that clients do not retry together."""
    growing = min(FIRST_PAUSE_S * 2.0**failures, PAUSE_S_MAX)
    return max(error.retry_after_seconds or 0.0, growing) + random.random() * growing
