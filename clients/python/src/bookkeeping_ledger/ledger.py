"""The client of the Bookkeeping Ledger API."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from types import TracebackType
from typing import Any, cast, overload
from urllib.parse import quote, urlencode

from .api_generated import Account, CategorySet, CategorySets, Source, Transaction
from .chunks import Entry, day_of
from .connection import Connection
from .push_entries import OnProgress, PushResult, push_entries
from .retries import Limits, OnPause, with_retries

PAGE_SIZE = 200


class Ledger:
    """An account's books. Every method raises LedgerError if a request fails."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        insecure: bool = False,
        retry_timeout_s: float = 30,
        on_pause: OnPause | None = None,
        attempt_timeout_s: float = 60,
        response_bytes_max: int = 16 * 1024 * 1024,
        pause_s_max: float = 300,
        limit_timeout_s: float = 900,
    ) -> None:
        """Connect to nothing yet.

        base_url: of the service, for example `https://ledger.example`.
        insecure: True allows `http` to another machine.
        retry_timeout_s: how long reads try a service that fails or cannot be reached again.
        on_pause: called when a request waits, before it is repeated.
        attempt_timeout_s: how long one attempt at a request may take, with its response.
        response_bytes_max: the largest response that is read, decompressed. The largest of the service have less than
            2 MiB.
        pause_s_max: the longest single wait at the minute limit. A longer one is not begun: the error is
            `rate_limited`. The service asks for a minute at most.
        limit_timeout_s: all waits of one request at the minute limit, since other programs may use the same key.
        Raises ValueError if base_url or api_key is malformed, or base_url is not encrypted.
        """
        self._connection = Connection(base_url, api_key, insecure, attempt_timeout_s, response_bytes_max)
        self._limits = Limits(pause_s_max, limit_timeout_s)
        self._retry_timeout_s = retry_timeout_s
        self._on_pause = on_pause

    def __repr__(self) -> str:
        """Return the address, without the key."""
        return f"Ledger({self._connection.base_url!r})"

    def close(self) -> None:
        """Close the connection to the service, which otherwise stays open for the next request."""
        self._connection.close()

    # Python 3.10 has no `Self`.
    def __enter__(self) -> Ledger:  # noqa: PYI034
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def me(self) -> Account:
        """Return the account of the key."""
        return cast(Account, self._read("Account", "/me"))

    def sources(self) -> list[Source]:
        """Return the account's income sources, oldest first."""
        return cast(list[Source], self._read("SourceList", "/sources")["sources"])

    @overload
    def categories(self, source_type: None = None) -> CategorySets: ...
    @overload
    def categories(self, source_type: str) -> CategorySet: ...
    def categories(self, source_type: str | None = None) -> CategorySets | CategorySet:
        """Return the categories of every source type, or of one."""
        if source_type is None:
            return cast(CategorySets, self._read("CategorySets", "/categories"))
        path = f"/categories?{_query(sourceType=source_type)}"
        return cast(CategorySet, self._read("CategorySet", path))

    def transactions(
        self, source_id: str, from_: str | date | None = None, to: str | date | None = None
    ) -> Iterator[Transaction]:
        """Yield every entry of a source, newest date first. Reads a page when the previous one is used up.

        from_, to: days, as `YYYY-MM-DD` or a `datetime.date`, both inclusive.
        """
        path = f"/sources/{quote(source_id, safe='')}/transactions"
        cursor: str | None = None
        while True:
            query = _query(limit=PAGE_SIZE, **{"from": from_, "to": to, "cursor": cursor})
            page = self._read("TransactionList", f"{path}?{query}")
            yield from page["transactions"]
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def push(
        self,
        source_id: str,
        entries: Iterable[Entry],
        *,
        wait: bool = False,
        cap_timeout_s: float = 48 * 60 * 60,
        retry_timeout_s: float = 300,
        idempotency_key: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> PushResult:
        """Create any number of entries, in requests of at most 500. Safe to repeat for entries with an `externalRef`.

        wait: at the daily cap: False raises PushError with the code `daily_cap`; True waits. At the minute limit, a
            push always waits.
        cap_timeout_s: how long one request may wait at the daily cap, in all. A longer wait is not begun: the push
            ends as without `wait`.
        retry_timeout_s: how long a service that fails or cannot be reached is tried again.
        idempotency_key: from the error of an earlier push with `unknown_outcome`: sends the same entries, at most one
            request of them, under its key.
        on_progress: called with the result so far, after each request that has outcomes.
        entries: dicts with the names of the API. The day is a text, `YYYY-MM-DD`, or a `datetime.date`; the amount an int
            of pence.
        Raises PushError, which has the outcomes so far; it is the cause of a KeyboardInterrupt that leaves the outcome of a
        request unknown. Raises TypeError with the index of the entry, before anything is
        sent, if an amount is not an int, or an entry has no JSON.
        """
        return push_entries(
            self._connection,
            source_id,
            entries,
            cap_timeout_s=cap_timeout_s if wait else 0,
            retry_timeout_s=retry_timeout_s,
            limits=self._limits,
            idempotency_key=idempotency_key,
            on_progress=on_progress,
            on_pause=self._on_pause,
        )

    def _read(self, schema: str, path: str) -> dict[str, Any]:
        return with_retries(
            lambda: self._connection.request(schema, f"/api/v1{path}"),
            retry_timeout_s=self._retry_timeout_s,
            limits=self._limits,
            on_pause=self._on_pause,
        )


def _query(**parameters: object) -> str:
    given = {
        name: day_of(value) if isinstance(value, date) else value
        for name, value in parameters.items()
        if value is not None
    }
    return urlencode(given, quote_via=quote)
