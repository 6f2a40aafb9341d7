"""Push a CSV file to the books, list entries, list sources.

    export LEDGER_URL=https://ledger.example LEDGER_API_KEY=ledger_live_...
    python3 ledger.py sources
    python3 ledger.py push entries.csv --source ID > outcomes.csv
    python3 ledger.py list --source ID --from 2026-04-06 > books.csv

The CSV file has a header with the columns date and amount, in pounds, and optionally type, category, description and reference.
Without a type, a positive amount is income and a negative one expense. A row without a reference gets one that is derived from
its content, so pushing a file again creates nothing twice.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import os
import re
import sys
import unicodedata
from collections import Counter
from datetime import datetime

from bookkeeping_ledger import Issue, Ledger, LedgerError, PushError, PushResult, TransactionInput

PENCE_MAX = 2**53 - 1


def pence_of(text: str) -> int:
    """Whole pence of an amount in pounds, from its digits: no float is involved."""
    match = re.fullmatch(r"([-(]?)£?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]{1,2}))?(\)?)", text.strip())
    if not match or (match[1] == "(") != (match[4] == ")"):
        raise ValueError(f'"{text}" is not an amount in pounds with at most two decimals')
    pence = int(match[2].replace(",", "") + (match[3] or "").ljust(2, "0"))
    if not 0 < pence <= PENCE_MAX:
        raise ValueError(f'the amount "{text}" is zero or too large')
    return -pence if match[1] else pence


def derived_reference(entry: TransactionInput, seen: Counter[str]) -> str:
    """Version 1 of derived references, as the command `ledger push` makes them: a file has the same references in both."""

    def normal(text: str) -> str:
        spaces = "[\x00-\x20\x7f-\xa0\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
        return re.sub("^ | $", "", re.sub(spaces, " ", unicodedata.normalize("NFC", text)))

    fields = [entry["date"], entry["type"], str(entry["amountPence"]), normal(entry.get("description", ""))]
    content = "\x1f".join(["imp1", "", *fields])
    seen[content] += 1
    return "imp1-" + hashlib.sha256(f"{content}\x1f{seen[content]}".encode()).hexdigest()[:32]


def read_csv(path: str, date_format: str) -> tuple[list[int], list[TransactionInput]]:
    """The line and the entry of each row. Raises ValueError that names every row with a problem."""
    lines: list[int] = []
    entries: list[TransactionInput] = []
    problems: list[str] = []
    seen: Counter[str] = Counter()
    references: dict[str, int] = {}
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file, strict=True)
        rows.fieldnames = [name.strip().lower() for name in rows.fieldnames or []]
        if not {"date", "amount"} <= set(rows.fieldnames):
            raise ValueError(f"{path}: the first line must name the columns date and amount")
        for row in rows:
            cell = {name: value.strip() for name, value in row.items() if name and isinstance(value, str)}
            if not any(cell.values()):
                continue
            try:
                entry = entry_of(cell, date_format)
            except ValueError as problem:
                problems.append(f"line {rows.line_num}: {problem}")
                continue
            reference = cell.get("reference") or derived_reference(entry, seen)
            entry["externalRef"] = reference
            first = references.setdefault(reference, rows.line_num)
            if first != rows.line_num:
                problems.append(f"line {rows.line_num}: line {first} has the same reference {reference}")
            lines.append(rows.line_num)
            entries.append(entry)
    if problems:
        raise ValueError("Nothing was sent:\n" + "\n".join(problems))
    return lines, entries


def entry_of(cell: dict[str, str], date_format: str) -> TransactionInput:
    """Raises ValueError about what is wrong with the row."""
    day = datetime.strptime(cell.get("date", ""), date_format).date().isoformat()
    pence = pence_of(cell.get("amount", ""))
    kind = cell.get("type", "").lower()
    if kind not in ("", "income", "expense"):
        raise ValueError(f'type "{kind}" must be income or expense, or empty')
    if kind and pence < 0:
        raise ValueError("the sign of the amount and the type both say what it is: leave one of them out")
    is_expense = kind == "expense" or pence < 0
    entry: TransactionInput = {
        "date": day,
        "type": "expense" if is_expense else "income",
        "amountPence": abs(pence),
    }
    if cell.get("category"):
        entry["category"] = cell["category"]
    if cell.get("description"):
        entry["description"] = cell["description"]
    return entry


def unformula(text: str | None) -> str:
    """A spreadsheet would execute a text that begins like a formula."""
    return f"'{text}" if text and text[0] in "=+-@\t\r" else text or ""


def push(ledger: Ledger, args: argparse.Namespace) -> None:
    """Print the outcome of each row."""
    lines, entries = read_csv(args.file, args.date_format)
    try:
        print_outcomes(ledger.push(args.source, entries), lines, entries)
    except PushError as error:
        print_outcomes(error.result, lines, entries)
        issues = [f"{where(issue, lines)}: {issue.message}" for issue in error.issues]
        hint = [f"accepted categories: {', '.join(error.valid_categories)}"] if error.valid_categories else []
        left = f"{error.result.remaining} entries were not sent. Push the file again later: nothing is created twice."
        raise ValueError("\n".join([error.message, *issues, *hint, left])) from None


def print_outcomes(result: PushResult, lines: list[int], entries: list[TransactionInput]) -> None:
    """Print the outcomes as CSV, and their numbers."""
    out = csv.writer(sys.stdout)
    out.writerow(["line", "status", "id", "reference", "differs"])
    for line, entry, outcome in zip(lines, entries, result.outcomes, strict=False):
        reference = unformula(entry["externalRef"])
        out.writerow([line, outcome.status, outcome.id, reference, " ".join(outcome.fields)])
    counts = Counter(outcome.status for outcome in result.outcomes)
    print(
        f"{counts['created']} created, {counts['known']} known, {counts['conflict']} conflict",
        file=sys.stderr,
    )


def where(issue: Issue, lines: list[int]) -> str:
    """The line and the field of an issue."""
    if issue.index is None:
        return issue.path
    _, _, *field = issue.path.split("/")
    return f"line {lines[issue.index]} {'/'.join(field)}".rstrip()


def list_entries(ledger: Ledger, args: argparse.Namespace) -> None:
    """Print the entries of a source as CSV."""
    out = csv.writer(sys.stdout)
    out.writerow(["date", "type", "category", "amount", "description", "reference", "id"])
    for each in ledger.transactions(args.source, args.since, args.to):
        amount = f"{each['amountPence'] // 100}.{each['amountPence'] % 100:02}"
        texts = [unformula(each["description"]), unformula(each["externalRef"])]
        out.writerow([each["date"], each["type"], each["category"] or "", amount, *texts, each["id"]])


def list_sources(ledger: Ledger, _: argparse.Namespace) -> None:
    """Print the id, type and name of each source."""
    for source in ledger.sources():
        print(source["id"], source["type"], source["name"], sep="\t")


def ledger_of_environment() -> Ledger:
    """Raises ValueError if LEDGER_URL or LEDGER_API_KEY is malformed."""
    url = re.sub(r"(/api/v1)?/*$", "", os.environ.get("LEDGER_URL", ""))
    if not re.fullmatch(r"https://[^/@]+|http://(localhost|127\.0\.0\.1)(:\d+)?", url):
        raise ValueError("LEDGER_URL must be https:// and a host name, or http://localhost")
    return Ledger(url, os.environ.get("LEDGER_API_KEY", ""))


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Push entries to the Bookkeeping Ledger API, and list them.")
    commands = parser.add_subparsers(required=True)
    commands.add_parser("sources", help="list the sources of the account").set_defaults(run=list_sources)
    pushing = commands.add_parser("push", help="push a CSV file, and print the outcome of each row as CSV")
    pushing.add_argument("file")
    pushing.add_argument(
        "--date-format", default="%Y-%m-%d", help="as strptime of Python has it, such as %%d/%%m/%%Y"
    )
    pushing.set_defaults(run=push)
    listing = commands.add_parser("list", help="print the entries of a source as CSV, newest first")
    listing.add_argument("--from", dest="since", metavar="DATE")
    listing.add_argument("--to", metavar="DATE")
    listing.set_defaults(run=list_entries)
    for each in (pushing, listing):
        each.add_argument("--source", required=True, metavar="ID")
    args = parser.parse_args()
    try:
        args.run(ledger_of_environment(), args)
    except (LedgerError, OSError, ValueError, csv.Error) as error:
        print(f"error: {error}", file=sys.stderr)
        for issue in getattr(error, "issues", ()):
            print(f"{issue.path}: {issue.message}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
