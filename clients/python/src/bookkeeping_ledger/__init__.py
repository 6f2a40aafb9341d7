"""A client of the Bookkeeping Ledger API."""

from .api_generated import Account, Category, CategorySet, CategorySets, Source, Transaction, TransactionInput
from .errors import Issue, LedgerError
from .ledger import Ledger
from .pence import pence
from .push_entries import PushError, PushResult
from .retries import Pause
from .write import Outcome

__all__ = [
    "Account",
    "Category",
    "CategorySet",
    "CategorySets",
    "Issue",
    "Ledger",
    "LedgerError",
    "Outcome",
    "Pause",
    "PushError",
    "PushResult",
    "Source",
    "Transaction",
    "TransactionInput",
    "pence",
]
