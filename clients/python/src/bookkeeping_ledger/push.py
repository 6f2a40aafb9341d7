"""Creates any number of entries, one request after the other.

Every request has an Idempotency-Key, so it is safe to repeat: one whose response was lost is sent again until its outcome
is known.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar, cast
from urllib.parse import quote

from .api_generated import CreateResult
from .chunks import ENTRIES_MAX, EncodedEntry, Entry, body_of, chunk_at, encoded_entries
from .connection import Connection
from .errors import Issue, KeyExpired, LedgerError, foreign_response, may_be_stored, unknown_outcome
from .retries import Limits, OnPause, Pause, wait, with_retries

Value = TypeVar("Value")


@dataclass(frozen=True)
class Outcome:
    """The outcome of one entry.

    `known`: an entry with its reference was already stored. `conflict`: as `known`, but the stored entry differs in
    `fields`. The stored entry stays unchanged.
    """

    status: Literal["created", "known", "conflict"]
    id: str
    fields: tuple[str, ...] = ()


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


@dataclass
class _Write:
    """A request of a push."""

    chunk: Sequence[EncodedEntry]
    idempotency_key: str
    """Constant over all attempts: the service recognises a repetition by it, and repeats the outcomes of the first one."""
    is_key_needed: bool
    """Whether a repetition without the key could store entries twice: some have no reference."""
    is_unanswered: bool = False
    """Whether an attempt got no readable response.

    Then the request is only repeated as it is, and only a success settles its outcome: the service may refuse a repetition
    before it looks for the first attempt, or while that still runs.
    """
    sent_at: float = field(default_factory=time.time)
    """When the first attempt was sent that may be stored."""


KEY_S_MAX = 23 * 60 * 60
"""The service remembers a key for 24 hours. A computer may sleep for longer between two attempts."""


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
    # Before anything is sent: an entry that has no JSON must not stop a push in its middle.
    pending = encoded_entries(entries)
    outcomes: list[Outcome] = []
    report_progress, report_pause = _guarded("on_progress", on_progress), _guarded("on_pause", on_pause)
    entries_max = ENTRIES_MAX
    cap_wait_s = 0.0
    write: _Write | None = None
    if idempotency_key is not None:
        write = _Write(chunk_at(pending, 0), idempotency_key, is_key_needed=True, is_unanswered=True)
        if len(write.chunk) != len(pending) or not pending:
            raise ValueError("idempotency_key is for the entries of one request")
    try:
        while len(outcomes) < len(pending):
            write = current = write or _write_of(chunk_at(pending, len(outcomes), entries_max))
            try:
                outcomes += _send(connection, source_id, current, retry_timeout_s, limits, report_pause)
            except LedgerError as error:
                if error.code != "daily_cap":
                    raise
                if not current.is_unanswered:
                    write = None
                index = error.index or 0
                seconds = 60.0 if error.retry_after_seconds is None else error.retry_after_seconds
                if 0 < index < len(current.chunk) and not current.is_unanswered:
                    # The entries before the first one that does not fit are sent alone.
                    entries_max = index
                elif 0 < cap_timeout_s >= cap_wait_s + seconds:
                    cap_wait_s += seconds
                    # This refusal shows that no attempt was stored before it.
                    current.sent_at = time.time() + seconds
                    wait(Pause("daily_cap", seconds), report_pause)
                else:
                    raise
            else:
                write = None
                entries_max = ENTRIES_MAX
                cap_wait_s = 0.0
                report_progress(PushResult(tuple(outcomes), len(pending)))
    except (Exception, KeyboardInterrupt) as error:
        key = write.idempotency_key if write and write.is_key_needed else None
        failure = unknown_outcome(error, key) if write and write.is_unanswered else error
        if not isinstance(failure, LedgerError):
            raise
        unknown = len(write.chunk) if write and write.is_unanswered else 0
        result = PushResult(tuple(outcomes), len(pending), unknown)
        push_error = PushError(failure, _own_issues(len(outcomes), failure.issues), result)
        if isinstance(error, KeyboardInterrupt):
            raise error from push_error
        raise push_error from error
    return PushResult(tuple(outcomes), len(pending))


def _write_of(chunk: Sequence[EncodedEntry]) -> _Write:
    is_key_needed = any(entry.external_ref is None for entry in chunk)
    return _Write(chunk, secrets.token_hex(16), is_key_needed)


def _guarded(name: str, callback: Callable[[Value], None] | None) -> Callable[[Value], None]:
    """Return the callback. Its error does not lose the outcomes so far."""

    def call(value: Value) -> None:
        try:
            if callback is not None:
                callback(value)
        except Exception as error:
            raise LedgerError("callback_failed", f"{name} failed: {error}") from error

    return call


def _send(
    connection: Connection,
    source_id: str,
    write: _Write,
    retry_timeout_s: float,
    limits: Limits,
    on_pause: OnPause | None,
) -> list[Outcome]:
    """Send one request until the service responds."""
    path = f"/api/v1/sources/{quote(source_id, safe='')}/transactions"
    body = body_of(write.chunk)

    def attempt() -> list[Outcome]:
        if not write.is_unanswered:
            write.sent_at = time.time()
        if write.is_key_needed and time.time() - write.sent_at > KEY_S_MAX:
            raise KeyExpired
        was_unanswered, write.is_unanswered = write.is_unanswered, True
        try:
            result = connection.request("CreateResult", path, body, write.idempotency_key)
            try:
                return _outcomes_of(write.chunk, cast(CreateResult, result))
            except (LookupError, ValueError):
                raise foreign_response(connection.base_url, "other entries than were sent") from None
        except LedgerError as error:
            write.is_unanswered = was_unanswered or may_be_stored(error)
            raise

    return with_retries(
        attempt, retry_timeout_s=retry_timeout_s, limits=limits, on_pause=on_pause, is_write=True
    )


def _outcomes_of(chunk: Sequence[EncodedEntry], result: CreateResult) -> list[Outcome]:
    """The response lists created and known entries apart, each in the order of sending."""
    differing = {conflict["index"]: conflict["fields"] for conflict in result.get("conflicts", [])}
    created, known = list(result["transactions"]), list(result["existing"])
    outcomes: list[Outcome] = []
    for index, entry in enumerate(chunk):
        # Of two entries with one reference, the first is created.
        if created and created[0]["externalRef"] == entry.external_ref:
            outcomes.append(Outcome("created", created.pop(0)["id"]))
        else:
            entry_id, fields = known.pop(0)["id"], differing.get(index)
            outcomes.append(
                Outcome("known", entry_id) if fields is None else Outcome("conflict", entry_id, tuple(fields))
            )
    if created or known:
        raise ValueError("more entries than were sent")
    return outcomes


def _own_issues(start: int, issues: tuple[Issue, ...]) -> tuple[Issue, ...]:
    """Issues whose paths count from the first entry of the push, not of the request."""

    def own(issue: Issue) -> Issue:
        match = re.fullmatch(r"/([0-9]+)(/.*)?", issue.path, re.DOTALL)
        if match is None:
            return issue
        index = start + int(match[1])
        return replace(issue, path=f"/{index}{match[2] or ''}", index=index)

    return tuple(own(issue) for issue in issues)
