"""The types of the API, generated from its OpenAPI description by datamodel-codegen. Do not edit."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict
from bookkeeping_ledger.not_required import NotRequired


class AccountCapabilities(TypedDict):
    readBookkeeping: bool
    writeBookkeeping: bool
    hmrcSubmission: bool
    """Always false: filing is done in the app."""


class Account(TypedDict):
    """The account a key belongs to, and the rights of the key."""

    accountId: str
    """The account the key belongs to."""
    plan: str
    """The plan of the account. Known: `free`, `pro`, `expat`, `firm`. Others may be added."""
    capabilities: AccountCapabilities
    note: NotRequired[str]
    """Text for a person."""


class Source(TypedDict):
    """An income source, set up in the app."""

    id: str
    """Passed as `{id}` to the transactions endpoints."""
    name: str
    type: str
    """The kind of income source. Known: `uk-property`, `foreign-property`, `self-employment`. Others may be added."""
    countryCode: str | None
    """ISO 3166-1 alpha-2 for overseas property, otherwise null."""
    role: Literal["owner", "sharer"]
    sharePercent: float
    """The account holder's share of a jointly held property, as a percentage."""
    transactionCount: int
    """Ledger entries currently recorded against the source."""


class SourceList(TypedDict):
    sources: list[Source]


class Category(TypedDict):
    key: str
    """Accepted in a transaction's `category`."""
    label: str


class CategorySet(TypedDict):
    """The categories of one source type."""

    income: list[Category]
    expense: list[Category]


CategorySets = TypedDict(
    "CategorySets",
    {
        "uk-property": CategorySet,
        "foreign-property": CategorySet,
        "self-employment": CategorySet,
    },
)


Categories: TypeAlias = CategorySets | CategorySet
"""The category sets by source type; with `sourceType` that one set."""


class Transaction(TypedDict):
    """A ledger entry as it is stored."""

    id: str
    """Given by the service."""
    date: str
    type: Literal["income", "expense"]
    category: str | None
    """Null while the entry waits in the review queue."""
    amountPence: int
    """Whole pence."""
    description: str | None
    externalRef: str | None


class TransactionInput(TypedDict):
    """A ledger entry to create."""

    date: str
    """The day of the transaction. A real day from 0001-01-01 to 9999-12-31."""
    type: Literal["income", "expense"]
    amountPence: int
    """Whole pence, written as an integer: 450.00 pounds is 45000."""
    category: NotRequired[str]
    """A key valid for the source's type and the entry's type. Without it the entry goes to the review queue. Any text without U+0000 and without unpaired surrogates."""
    description: NotRequired[str]
    """What the transaction was for. Any text without U+0000 and without unpaired surrogates."""
    externalRef: NotRequired[str]
    """The client's own id. An entry whose externalRef is already in the books is not created again. Any text without U+0000 and without unpaired surrogates."""


TransactionInputs: TypeAlias = list[TransactionInput]


CreateRequest: TypeAlias = TransactionInput | TransactionInputs
"""One entry, or several."""


class TransactionList(TypedDict):
    transactions: list[Transaction]
    nextCursor: str | None
    """Passed as `cursor` to read the next page; null on the last page."""


class EntryReference(TypedDict):
    id: str
    """The entry's id."""
    externalRef: str | None


class Conflict(TypedDict):
    index: int
    """Position of the sent entry."""
    externalRef: str
    id: str
    """The stored entry, which stands unchanged."""
    fields: list[str]
    """Where the sent entry differs from the stored one."""


class CreateResult(TypedDict):
    """The outcome of each entry: created + deduplicated is the number sent."""

    created: int
    """Entries newly created."""
    deduplicated: int
    """Entries matched by externalRef."""
    transactions: list[EntryReference]
    """The newly created entries."""
    existing: list[EntryReference]
    """The matched entries, with their stored ids."""
    conflicts: NotRequired[list[Conflict]]
    """Matched entries whose stored content differs from the sent entry. Only present when there are any."""


class Issue(TypedDict):
    path: str
    """JSON pointer to the fault: into the body, or to the query parameter."""
    message: str
    """The fault, and how to correct it."""


class ErrorError(TypedDict):
    code: str
    """Stable, for programs. If you do not know a code, use the status. Known: `missing_key`, `invalid_key`, `upgrade_required`, `read_only_key`, `not_found`, `source_not_found`, `method_not_allowed`, `invalid_request`, `invalid_json`, `invalid_idempotency_key`, `request_timeout`, `payload_too_large`, `unsupported_encoding`, `invalid_query`, `invalid_source_type`, `empty_body`, `too_many`, `idempotency_key_reused`, `invalid_transaction`, `invalid_category`, `rate_limited`, `daily_cap`, `server_error`. Others may be added."""
    message: str
    """For people."""
    issues: NotRequired[list[Issue]]
    """The faults and their places: with invalid_transaction, invalid_query and invalid_category."""
    validCategories: NotRequired[list[str]]
    """The accepted keys: with invalid_category."""
    limit: NotRequired[int]
    """Entries in 24 hours: with daily_cap."""
    remaining: NotRequired[int]
    """Entries that fit now: with daily_cap."""
    index: NotRequired[int]
    """The position of the first entry that does not fit now: with daily_cap. The entries before it fit."""
    retryAfterSeconds: NotRequired[int]
    """Until this request fits: with daily_cap."""


class Error(TypedDict):
    """Every failure has this shape."""

    error: ErrorError
