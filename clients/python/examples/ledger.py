"""Push a CSV file to the books, list entries, list sources.

    export LEDGER_URL=https://ledger.example LEDGER_API_KEY=ledger_live_...
    python3 ledger.py sources
    python3 ledger.py push entries.csv --source ID > outcomes.csv
    python3 ledger.py list --source ID --from 2026-04-06 > books.csv

The CSV file has a header with the columns date, amount, in pounds, and type, and optionally category, description and reference.
A column whose name begins with "note" is not read, and any other one is refused. The type of each row is income or expense. An
amount has no sign: a minus may be money out or money back. A row without a reference gets one that is derived from its content, so pushing a file again creates
nothing twice.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import os
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta

from bookkeeping_ledger import Issue, Ledger, LedgerError, PushError, PushResult, TransactionInput

PENCE_MAX = 2**53 - 1
COLUMNS = {"date", "amount", "type", "category", "description", "reference"}
# A line in a text that begins like a row: a quote has swallowed it.
ROW = re.compile(r"[\r\n]\W*[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]")
# An amount and the cell after it.
THOUSANDS = re.compile(r"^£?[0-9]{1,3}\t[0-9]{3}\.[0-9]{2}(\t|$)")
MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
NO_PAYMENT = re.compile(
    rf"^(grand |sub-?)?totals?(:?$|:? (for|of|in|out|income|rents?|expenses?|[0-9q]|{MONTHS}))"
    r"|\b(opening|closing|starting|ending) balance\b|\bbalance (brought|carried|[bc]/)",
    re.IGNORECASE,
)


def pence_of(text: str) -> int:
    """Whole pence of an amount in pounds, from its digits: no float is involved."""
    match = re.fullmatch(r"£?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]{1,2}))?", text.strip())
    if not match:
        raise ValueError(f'"{text}" is not an amount in pounds without a sign and with at most two decimals')
    pence = int(match[1].replace(",", "") + (match[2] or "").ljust(2, "0"))
    if not 0 < pence <= PENCE_MAX:
        raise ValueError(f'the amount "{text}" is zero or too large')
    return pence


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
    text = text_of(path)
    decimals: list[int] = []
    rows = rows_of(text)
    line, header = next(rows, (0, []))
    names = columns_of(header)
    for line, row in rows:
        if not any(row):
            continue
        try:
            if len(row) < len(names) or any(row[len(names) :]):
                raise ValueError(
                    f"{len(row)} cells, and {len(names)} columns: put a text with a comma in quotes"
                )
            if any(ROW.search(value) for value in row):
                raise ValueError(
                    "a quoted text has lines that look like rows: double a quote that is part of it"
                )
            if THOUSANDS.search("\t".join(row[names.index("amount") :])):
                raise ValueError("a comma seems to cut the amount in two: put it in quotes")
            cell = dict(zip(names, row, strict=False))
            entry = entry_of(cell, date_format)
            decimals.append(len(cell["amount"].partition(".")[2]))
        except ValueError as problem:
            problems.append(f"line {line}: {problem}")
            continue
        reference = cell.get("reference") or derived_reference(entry, seen)
        entry["externalRef"] = reference
        first = references.setdefault(reference, line)
        if first != line:
            problems.append(f"line {line}: line {first} has the same reference {reference}")
        lines.append(line)
        entries.append(entry)
    is_ended = text.endswith(("\n", "\r")) or names[-1] != "amount"
    if not is_ended and decimals[1:] and decimals[-1] < min(decimals[:-1]):
        problems.append(f"line {line}: the file seems to be cut within the amount: download it again")
    if problems:
        raise ValueError("Nothing was sent:\n" + "\n".join(problems))
    return lines, entries


def text_of(path: str) -> str:
    """Raises ValueError for bytes that are not UTF-8."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ValueError(f"line {line} has a broken character: save the file as UTF-8") from None


def rows_of(text: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row, and the line on which it ends. Raises ValueError for a quote that is not doubled."""
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in rows:
            yield rows.line_num, [cell.strip() for cell in row]
    except csv.Error as error:
        raise ValueError(f"line {rows.line_num}: {error}") from None


def columns_of(header: list[str]) -> list[str]:
    """Raises ValueError for a column that is missing, repeated or unknown: it may change the meaning of the amount."""
    names = ",".join(header).lower().rstrip(",").split(",")
    if not {"date", "amount", "type"} <= set(names):
        raise ValueError("the first line must name the columns date, amount and type")
    for name in names:
        if name not in COLUMNS and not name.startswith("note"):
            raise ValueError(
                f'the column "{name}" is not known: remove it, or let its name begin with "note"'
            )
        if names.count(name) > 1:
            raise ValueError(f'two columns are called "{name}"')
    return names


def entry_of(cell: dict[str, str], date_format: str) -> TransactionInput:
    """Raises ValueError about what is wrong with the row."""
    day = datetime.strptime(cell["date"], date_format).date()
    if day.year < 2000 or day > date.today() + timedelta(days=7):
        raise ValueError(f"the date {day} is before 2000 or more than a week ahead")
    if NO_PAYMENT.search(cell.get("description", "")):
        raise ValueError(f'"{cell["description"]}" seems to be a total or a balance: remove the row')
    pence = pence_of(cell["amount"])
    kind = cell.get("type", "").lower()
    if kind not in ("income", "expense"):
        raise ValueError(f'type "{kind}" must be income or expense')
    entry: TransactionInput = {
        "date": day.isoformat(),
        "type": "expense" if kind == "expense" else "income",
        "amountPence": pence,
    }
    if cell.get("category"):
        entry["category"] = cell["category"]
    if cell.get("description"):
        entry["description"] = cell["description"]
    return entry


def unformula(text: str | None) -> str:
    """A spreadsheet would execute a text that begins like a formula."""
    return f"'{text}" if re.match(r"'*[=+\-@\t\r\n]", text or "") else text or ""


def push(ledger: Ledger, args: argparse.Namespace) -> None:
    """Print the outcome of each row."""
    lines, entries = read_csv(args.file, args.date_format)
    try:
        print_outcomes(ledger.push(args.source, entries), lines, entries)
    except PushError as error:
        print_outcomes(error.result, lines, entries)
        issues = [f"{where(issue, lines)}: {issue.message}" for issue in error.issues]
        hint = [f"accepted categories: {', '.join(error.valid_categories)}"] if error.valid_categories else []
        left = f"{error.result.remaining} entries are not confirmed. Push the file again later: nothing is created twice."
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
    # The names of `ledger pull`, so that `ledger push` knows the entries by their ids.
    out.writerow(["date", "type", "category", "amount", "description", "externalRef", "id"])
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
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader, such as `head`, has enough: end with the status of SIGPIPE.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + 13
    except (LedgerError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        for issue in getattr(error, "issues", ()):
            print(f"{issue.path}: {issue.message}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
