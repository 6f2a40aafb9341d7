"""Cuts entries into requests that the API accepts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import cast

from .api_generated import TransactionInput

Entry = TransactionInput | Mapping[str, object]
"""An entry of the API; the day may also be a `date`. Only the service checks a dict that is no `TransactionInput`."""

ENTRIES_MAX = 500
BYTES_MAX = 5 * 1024 * 1024


@dataclass(frozen=True)
class EncodedEntry:
    """An entry in its encoded form."""

    json: bytes
    external_ref: str | None


def encoded_entries(entries: Iterable[Entry]) -> list[EncodedEntry]:
    """Return the encoded entries. Raises TypeError, which names the entry."""
    if isinstance(entries, (str, bytes, Mapping)) or not isinstance(entries, Iterable):
        raise TypeError(
            f"entries must be a list or another iterable of entries, not {type(entries).__name__}"
        )
    return [_encoded(entry, index) for index, entry in enumerate(entries)]


def _encoded(entry: Entry, index: int) -> EncodedEntry:
    if not isinstance(entry, Mapping):
        raise TypeError(f"entries[{index}] must be a dict, not {type(entry).__name__}")
    amount = entry.get("amountPence", 0)
    if not isinstance(amount, int) or isinstance(amount, bool):
        name = type(amount).__name__
        raise TypeError(f"entries[{index}]: amountPence must be an int, not {name}: pence('450.00') is 45000")
    try:
        text = json.dumps(
            dict(entry), ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=day_of
        )
    except (TypeError, ValueError) as error:
        raise TypeError(f"entries[{index}] has no JSON: {error}") from error
    reference = entry.get("externalRef")
    # As the response has it.
    sent = day_of(reference) if isinstance(reference, date) else cast("str | None", reference)
    # An unpaired surrogate has no UTF-8. The service refuses the text with an issue.
    return EncodedEntry(text.encode("utf-8", "backslashreplace"), sent)


def day_of(value: object) -> str:
    """Return the day of a date, or of a date with the time 00:00, as pandas has it."""
    if isinstance(value, datetime):
        if value.time() != time(0):
            raise TypeError(f"{value!r} has a time: send its day, .date()")
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{value!r} is of the type {type(value).__name__}")


def chunk_at(
    entries: Sequence[EncodedEntry], start: int, entries_max: int = ENTRIES_MAX
) -> Sequence[EncodedEntry]:
    """Return the entries of the request that begins at `start`: as many as fit, at least one."""
    size = len(b"[]")
    end = start
    while end < len(entries) and end - start < entries_max:
        size += len(entries[end].json) + len(b",")
        if size > BYTES_MAX and end > start:
            break
        end += 1
    return entries[start:end]


def body_of(entries: Sequence[EncodedEntry]) -> bytes:
    """Return the body of the request."""
    return b"[" + b",".join(entry.json for entry in entries) + b"]"
