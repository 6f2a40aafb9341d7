"""Push 1,200 entries to the source in SOURCE, and print how many were created. Run it again after any failure."""

import os

from bookkeeping_ledger import Ledger, PushError, TransactionInput

ledger = Ledger(os.environ["LEDGER_URL"], os.environ["LEDGER_API_KEY"])
entries: list[TransactionInput] = [
    {
        "date": "2026-04-06",
        "type": "income",
        "amountPence": 100 + number,
        "externalRef": f"python-{number}",
    }
    for number in range(1200)
]
try:
    result = ledger.push(os.environ["SOURCE"], entries)
    print(f"{result.created} created, {result.deduplicated} already in the books")
except PushError as error:
    raise SystemExit(f"{error} {error.result.remaining} entries are left: run the program again.") from None
