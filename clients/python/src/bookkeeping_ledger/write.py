"""A write: the entries of one POST, under one Idempotency-Key. It is repeated until its outcome is known, within limits."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, cast
from urllib.parse import quote

from .api_generated import CreateResult
from .chunks import EncodedEntry, body_of
from .connection import Connection
from .errors import KeyExpired, LedgerError, foreign_response, may_be_stored
from .retries import Limits, OnPause, with_retries


@dataclass(frozen=True)
class Outcome:
    """The outcome of one entry.

    `known`: an entry with its reference was already stored. `conflict`: as `known`, but the stored entry differs in
    `fields`. The stored entry stays unchanged.
    """

    status: Literal["created", "known", "conflict"]
    id: str
    fields: tuple[str, ...] = ()


@dataclass
class Write:
    """The entries of one POST of a push, and what its attempts have shown."""

    entries: Sequence[EncodedEntry]
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


def write_of(entries: Sequence[EncodedEntry]) -> Write:
    """Return a write with a key of its own."""
    is_key_needed = any(entry.external_ref is None for entry in entries)
    return Write(entries, secrets.token_hex(16), is_key_needed)


def send_write(
    connection: Connection,
    source_id: str,
    write: Write,
    *,
    retry_timeout_s: float,
    limits: Limits,
    on_pause: OnPause | None,
) -> list[Outcome]:
    """Send one write, and again at the minute limit or when the service fails.

    Returns the outcomes of its entries. Raises LedgerError.
    """
    path = f"/api/v1/sources/{quote(source_id, safe='')}/transactions"
    body = body_of(write.entries)

    def attempt() -> list[Outcome]:
        if not write.is_unanswered:
            write.sent_at = time.time()
        if write.is_key_needed and time.time() - write.sent_at > KEY_S_MAX:
            raise KeyExpired
        was_unanswered, write.is_unanswered = write.is_unanswered, True
        try:
            result = connection.request("CreateResult", path, body, write.idempotency_key)
            try:
                return _outcomes_of(write.entries, cast(CreateResult, result))
            except (LookupError, ValueError):
                raise foreign_response(connection.base_url, "other entries than were sent") from None
        except LedgerError as error:
            write.is_unanswered = was_unanswered or may_be_stored(error)
            raise

    return with_retries(
        attempt, retry_timeout_s=retry_timeout_s, limits=limits, on_pause=on_pause, is_write=True
    )


def _outcomes_of(entries: Sequence[EncodedEntry], result: CreateResult) -> list[Outcome]:
    """Return the outcome of each entry. The response lists created and known ones apart, each in the order of sending.

    Raises LookupError or ValueError if the response is about other entries.
    """
    differing = {conflict["index"]: conflict["fields"] for conflict in result.get("conflicts", [])}
    created, known = list(result["transactions"]), list(result["existing"])
    outcomes: list[Outcome] = []
    for index, entry in enumerate(entries):
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
