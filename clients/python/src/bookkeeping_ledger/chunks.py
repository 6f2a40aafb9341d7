"""Cuts entries into requests that the API accepts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from .api_generated import TransactionInput

ENTRIES_MAX = 500
BYTES_MAX = 5 * 1024 * 1024


@dataclass(frozen=True)
class EncodedEntry:
    """An entry as it is sent."""

    json: bytes
    external_ref: str | None


def encoded(entry: TransactionInput, index: int) -> EncodedEntry:
    """Return the entry as it is sent. Raises TypeError, also if the amount is not an integer."""
    amount = entry.get("amountPence", 0)
    if not isinstance(amount, int) or isinstance(amount, bool):
        raise TypeError(f"entries[{index}]: amountPence must be an int, not {type(amount).__name__}")
    text = json.dumps(entry, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # A surrogate without its pair has no UTF-8. The service refuses the text, and says so.
    return EncodedEntry(text.encode("utf-8", "backslashreplace"), entry.get("externalRef"))


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


def body_of(chunk: Sequence[EncodedEntry]) -> bytes:
    """Return the body of the request."""
    return b"[" + b",".join(entry.json for entry in chunk) + b"]"
