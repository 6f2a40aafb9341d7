"""Creates any number of entries, one request after the other.

Every request has an Idempotency-Key, so it is safe to repeat: one whose response was lost is sent again until its outcome
is known.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from .chunks import ENTRIES_MAX, Entry, chunk_at, encoded_entries
from .connection import Connection
from .errors import Issue, LedgerError, unknown_outcome
from .retries import Limits, OnPause, Pause, wait
from .write import Outcome, Write, send_write, write_of

Value = TypeVar("Value")


@dataclass(frozen=True)
class PushResult:
    """The result of a push."""

    outcomes: tuple[Outcome, ...]
    """One for each sent entry, in order."""
    total: int
    """Entries that were passed in."""
    unknown: int = 0
    """With `unknown_outcome`: how many of the remaining entries, from the first on, may be stored. The others were not
    sent, or were refused."""

    @property
    def created(self) -> int:
        """Entries that were created."""
        return sum(outcome.status == "created" for outcome in self.outcomes)

    @property
    def deduplicated(self) -> int:
        """Entries that are known or in conflict."""
        return len(self.outcomes) - self.created

    @property
    def remaining(self) -> int:
        """Entries without an outcome."""
        return self.total - len(self.outcomes)


class PushError(LedgerError):
    """A push failed. `result` has the outcomes before the failure; `issues` and `index` count the entries that were passed in."""

    def __init__(self, error: LedgerError, issues: tuple[Issue, ...], result: PushResult) -> None:
        super().__init__(
            error.code,
            error.message,
            status=error.status,
            issues=issues,
            valid_categories=error.valid_categories,
            retry_after_seconds=error.retry_after_seconds,
            remaining=error.remaining,
            index=None if error.index is None else len(result.outcomes) + error.index,
            request_id=error.request_id,
            idempotency_key=error.idempotency_key,
        )
        self.result = result


OnProgress = Callable[[PushResult], None]


def push_entries(
    connection: Connection,
    source_id: str,
    entries: Iterable[Entry],
    *,
    cap_timeout_s: float,
    retry_timeout_s: float,
    limits: Limits,
    idempotency_key: str | None,
    on_progress: OnProgress | None,
    on_pause: OnPause | None,
) -> PushResult:
    """See Ledger.push."""
    report_progress, report_pause = _guarded("on_progress", on_progress), _guarded("on_pause", on_pause)

    def send(write: Write) -> list[Outcome]:
        return send_write(
            connection,
            source_id,
            write,
            retry_timeout_s=retry_timeout_s,
            limits=limits,
            on_pause=report_pause,
        )

    return _Push(send, entries, idempotency_key, cap_timeout_s, report_progress, report_pause).run()


class _Push:
    """One call of `push_entries`."""

    def __init__(
        self,
        send: Callable[[Write], list[Outcome]],
        entries: Iterable[Entry],
        idempotency_key: str | None,
        cap_timeout_s: float,
        report_progress: OnProgress,
        report_pause: OnPause,
    ) -> None:
        self._send = send
        self._cap_timeout_s = cap_timeout_s
        self._report_progress = report_progress
        self._report_pause = report_pause
        # Before anything is sent: an entry that has no JSON must not stop a push in its middle.
        self._pending = encoded_entries(entries)
        self._outcomes: list[Outcome] = []
        # The running request, and how long it has waited at the daily cap.
        self._write: Write | None = None
        self._cap_wait_s = 0.0
        self._entries_max = ENTRIES_MAX
        if idempotency_key is None:
            return
        chunk = chunk_at(self._pending, 0)
        self._write = Write(chunk, idempotency_key, is_key_needed=True, is_unanswered=True)
        if len(chunk) != len(self._pending) or not chunk:
            raise ValueError("idempotency_key is for the entries of one request")

    def run(self) -> PushResult:
        """Send all entries. Raises PushError."""
        try:
            while len(self._outcomes) < len(self._pending):
                self._send_next()
        except (Exception, KeyboardInterrupt) as error:
            failure = self._failure(error)
            if failure is None:
                raise
            if isinstance(error, KeyboardInterrupt):
                raise error from failure
            raise failure from error
        return self._result()

    def _send_next(self) -> None:
        write = self._write or write_of(chunk_at(self._pending, len(self._outcomes), self._entries_max))
        self._write = write
        try:
            self._outcomes += self._send(write)
        except LedgerError as error:
            if error.code != "daily_cap":
                raise
            self._at_daily_cap(write, error)
            return
        self._write = None
        self._entries_max = ENTRIES_MAX
        self._cap_wait_s = 0.0
        self._report_progress(self._result())

    def _at_daily_cap(self, write: Write, error: LedgerError) -> None:
        """Prepare to send the entries that fit, or wait. Raises the error if the push ends."""
        if not write.is_unanswered:
            self._write = None
            index = error.index or 0
            if 0 < index < len(write.entries):
                # The entries before the first one that does not fit are sent alone.
                self._entries_max = index
                return
        seconds = 60.0 if error.retry_after_seconds is None else error.retry_after_seconds
        if not 0 < self._cap_timeout_s >= self._cap_wait_s + seconds:
            raise error
        self._cap_wait_s += seconds
        # This refusal shows that no attempt was stored before it.
        write.sent_at = time.time() + seconds
        wait(Pause("daily_cap", seconds), self._report_pause)

    def _failure(self, error: BaseException) -> PushError | None:
        """Return the error of the push; None for an error that is not of a request, if no outcome is unknown."""
        write = self._write
        is_unknown = write is not None and write.is_unanswered
        key = write.idempotency_key if write and write.is_key_needed else None
        failure = unknown_outcome(error, key) if is_unknown else error
        if not isinstance(failure, LedgerError):
            return None
        result = self._result(unknown=len(write.entries) if write and is_unknown else 0)
        return PushError(failure, _own_issues(len(self._outcomes), failure.issues), result)

    def _result(self, unknown: int = 0) -> PushResult:
        return PushResult(tuple(self._outcomes), len(self._pending), unknown)


def _guarded(name: str, callback: Callable[[Value], None] | None) -> Callable[[Value], None]:
    """Return a callback whose error does not lose the outcomes so far."""

    def call(value: Value) -> None:
        try:
            if callback is not None:
                callback(value)
        except Exception as error:
            raise LedgerError("callback_failed", f"{name} failed: {error}") from error

    return call


def _own_issues(start: int, issues: tuple[Issue, ...]) -> tuple[Issue, ...]:
    """Return the issues with paths that count from the first entry of the push, not of the request."""

    def own(issue: Issue) -> Issue:
        match = re.fullmatch(r"/([0-9]+)(/.*)?", issue.path, re.DOTALL)
        if match is None:
            return issue
        index = start + int(match[1])
        return replace(issue, path=f"/{index}{match[2] or ''}", index=index)

    return tuple(own(issue) for issue in issues)
