#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bookkeeping Ledger API in Python: push a CSV file, list entries, list sources. Python 3.9 or newer, standard library only.

    export LEDGER_URL=https://ledger.example LEDGER_API_KEY=ledger_live_...
    python3 ledger.py sources
    python3 ledger.py push entries.csv --source ID > outcomes.csv
    python3 ledger.py list --source ID --from 2026-04-06 > books.csv

The CSV file has a header with the columns date and amount, in pounds, and optionally type, category, description and reference.
Without a type, a positive amount is income and a negative one expense. A row without a reference gets one that is derived from its
content, so pushing a file again creates nothing twice. Programs can import Ledger and read_csv.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import random
import re
import sys
import time
import unicodedata
from collections import Counter
from datetime import datetime
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

ENTRIES_MAX = 500
PAGE_MAX = 200
REQUEST_S_MAX = 60
PENCE_MAX = 2**53 - 1


class LedgerError(Exception):
    """A refused or failed request. `body` is the API's error object; its code is None without a response of the API."""

    def __init__(self, message: str, status: int | None = None, body: dict | None = None):
        super().__init__(message)
        self.status = status
        self.body = body or {}
        self.code = self.body.get("code")


class NoRedirect(HTTPRedirectHandler):
    """A redirect would send the key to another host."""

    def redirect_request(self, *_):
        return None


class Ledger:
    def __init__(self, url: str, key: str, retry_s: float = 300):
        """retry_s: how long a service that fails or cannot be reached is tried again."""
        url = re.sub(r"(/api/v1)?/*$", "", url)
        if not re.fullmatch(r"https://[^/@]+|http://(localhost|127\.0\.0\.1)(:\d+)?", url):
            raise LedgerError("LEDGER_URL must be https:// and a host name, or http://localhost")
        if not re.fullmatch(r"[\x21-\x7e]+", key):
            raise LedgerError("LEDGER_API_KEY must be one word")
        self.url, self.retry_s = url, retry_s
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self._open = build_opener(NoRedirect).open

    def sources(self) -> list[dict]:
        return self._request("/sources")["sources"]

    def entries(self, source: str, **query: str):
        """Yields every entry, newest first. query: `from` and `to`, dates as YYYY-MM-DD."""
        path = f"/sources/{quote(source, safe='')}/transactions"
        cursor: dict = {}
        while True:
            page = self._request(f"{path}?{urlencode({'limit': PAGE_MAX, **query, **cursor})}")
            yield from page["transactions"]
            if page["nextCursor"] is None:
                return
            cursor = {"cursor": page["nextCursor"]}

    def push(self, source: str, entries: list[dict]):
        """Yields (index, status, id, fields that differ) for each entry. Each entry needs an externalRef, each another one."""
        start, size = 0, ENTRIES_MAX
        while start < len(entries):
            batch = entries[start : start + size]
            try:
                result = self._request(f"/sources/{quote(source, safe='')}/transactions", batch)
            except LedgerError as error:
                error.start = start
                if error.code != "daily_cap" or len(batch) == 1:
                    raise
                # Known entries always fit, so a smaller batch may succeed.
                size = min(error.body.get("remaining") or len(batch), (len(batch) + 1) // 2)
                continue
            created = {each["externalRef"]: each["id"] for each in result["transactions"]}
            known = {each["externalRef"]: each["id"] for each in result["existing"]}
            differing = {each["index"]: each["fields"] for each in result.get("conflicts", [])}
            for index, entry in enumerate(batch):
                ref = entry["externalRef"]
                status = "created" if ref in created else "conflict" if index in differing else "known"
                yield start + index, status, created.get(ref) or known[ref], differing.get(index, [])
            start += len(batch)

    def _request(self, path: str, body: list | None = None) -> dict:
        """Sent again after 429, 5xx and broken connections: every entry has a reference, so this creates nothing twice."""
        data = None if body is None else json.dumps(body).encode()
        gives_up_at, pause_s = time.monotonic() + self.retry_s, 0.2
        while True:
            try:
                request = Request(f"{self.url}/api/v1{path}", data, self._headers)
                with self._open(request, timeout=REQUEST_S_MAX) as response:
                    return json.load(response)
            except HTTPError as response:
                error = error_of(response)
                seconds = response.headers.get("Retry-After", "")
                wait_s = float(seconds) if seconds.isdigit() else 0.0
            except ValueError:
                raise LedgerError("The response is not one of the API: check LEDGER_URL") from None
            except (OSError, HTTPException) as reason:
                error, wait_s = LedgerError(f"The service cannot be reached: {reason}"), 0.0
            is_limited = error.code == "rate_limited"
            if not is_limited and error.status is not None and error.status != 408 and error.status < 500:
                raise error
            wait_s = max(wait_s, pause_s) + random.random() * pause_s
            if is_limited:
                gives_up_at += wait_s
            elif time.monotonic() + wait_s > gives_up_at:
                raise error
            else:
                pause_s = min(pause_s * 2, 10)
            time.sleep(wait_s)


def error_of(response: HTTPError) -> LedgerError:
    try:
        body = json.load(response)["error"]
        return LedgerError(body["message"], response.code, body)
    except (ValueError, KeyError, TypeError, OSError, HTTPException):
        text = f"The response with status {response.code} is not one of the API: check LEDGER_URL"
        return LedgerError(text, response.code)


def pence_of(text: str) -> int:
    """Whole pence of an amount in pounds, from its digits: no float is involved."""
    match = re.fullmatch(r"([-(]?)£?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]{1,2}))?(\)?)", text.strip())
    if not match or (match[1] == "(") != (match[4] == ")"):
        raise ValueError(f'"{text}" is not an amount in pounds with at most two decimals')
    pence = int(match[2].replace(",", "") + (match[3] or "").ljust(2, "0"))
    if not 0 < pence <= PENCE_MAX:
        raise ValueError(f'the amount "{text}" is zero or too large')
    return -pence if match[1] else pence


def derived_reference(entry: dict, seen: Counter) -> str:
    """Version 1 of derived references, as the command `ledger push` makes them: one file has the same references in both."""

    def normal(text: str) -> str:
        spaces = "[\x00-\x20\x7f-\xa0\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
        return re.sub("^ | $", "", re.sub(spaces, " ", unicodedata.normalize("NFC", text)))

    fields = [entry["date"], entry["type"], str(entry["amountPence"]), normal(entry.get("description", ""))]
    content = "\x1f".join(["imp1", "", *fields])
    seen[content] += 1
    return "imp1-" + hashlib.sha256(f"{content}\x1f{seen[content]}".encode()).hexdigest()[:32]


def read_csv(path: str, date_format: str = "%Y-%m-%d") -> tuple[list[int], list[dict]]:
    """The line and the entry of each row. Raises LedgerError that names every row with a problem."""
    lines, entries, problems, seen, references = [], [], [], Counter(), {}
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file, strict=True)
        rows.fieldnames = [name.strip().lower() for name in rows.fieldnames or []]
        if not {"date", "amount"} <= set(rows.fieldnames):
            raise LedgerError(f"{path}: the first line must name the columns date and amount")
        for row in rows:
            cell = {name: value.strip() for name, value in row.items() if name and isinstance(value, str)}
            if not any(cell.values()):
                continue
            try:
                entry = entry_of(cell, date_format)
            except ValueError as problem:
                problems.append(f"line {rows.line_num}: {problem}")
                continue
            entry["externalRef"] = cell.get("reference") or derived_reference(entry, seen)
            first = references.setdefault(entry["externalRef"], rows.line_num)
            if first != rows.line_num:
                problems.append(f"line {rows.line_num}: line {first} has the same reference {entry['externalRef']}")
            lines.append(rows.line_num)
            entries.append(entry)
    if problems:
        raise LedgerError("Nothing was sent:\n" + "\n".join(problems))
    return lines, entries


def entry_of(cell: dict, date_format: str) -> dict:
    """Raises ValueError about what is wrong with the row."""
    day = datetime.strptime(cell.get("date", ""), date_format).date().isoformat()
    pence = pence_of(cell.get("amount", ""))
    kind = cell.get("type", "").lower()
    if kind not in ("", "income", "expense"):
        raise ValueError(f'type "{kind}" must be income or expense, or empty')
    if kind and pence < 0:
        raise ValueError("the sign of the amount and the type both say what it is: leave one of them out")
    optional = {name: cell[name] for name in ("category", "description") if cell.get(name)}
    return {"date": day, "type": kind or ("expense" if pence < 0 else "income"), "amountPence": abs(pence), **optional}


def unformula(text: str | None) -> str:
    """A spreadsheet would execute a text that begins like a formula."""
    return f"'{text}" if text and text[0] in "=+-@\t\r" else text or ""


def push(ledger: Ledger, args: argparse.Namespace) -> None:
    lines, entries = read_csv(args.file, args.date_format)
    out = csv.writer(sys.stdout)
    out.writerow(["line", "status", "id", "reference", "differs"])
    counts: Counter = Counter()
    try:
        for index, status, entry_id, fields in ledger.push(args.source, entries):
            counts[status] += 1
            out.writerow([lines[index], status, entry_id, unformula(entries[index]["externalRef"]), " ".join(fields)])
    except LedgerError as error:
        issues = [f"{where(issue['path'], lines, error.start)}: {issue['message']}" for issue in error.body.get("issues", [])]
        accepted = error.body.get("validCategories")
        hint = [f"accepted categories: {', '.join(accepted)}"] if accepted else []
        left = f"{len(entries) - sum(counts.values())} entries were not sent. Push the file again later: nothing is created twice."
        raise LedgerError("\n".join([str(error), *issues, *hint, left])) from None
    finally:
        print(", ".join(f"{counts[each]} {each}" for each in ("created", "known", "conflict")), file=sys.stderr)


def where(path: str, lines: list[int], start: int) -> str:
    _, index, *field = path.split("/")
    return f"line {lines[start + int(index)]} {'/'.join(field)}".rstrip() if index.isdigit() else path


def list_entries(ledger: Ledger, args: argparse.Namespace) -> None:
    query = {name: value for name, value in (("from", args.since), ("to", args.to)) if value}
    out = csv.writer(sys.stdout)
    out.writerow(["date", "type", "category", "amount", "description", "reference", "id"])
    for each in ledger.entries(args.source, **query):
        amount = f"{each['amountPence'] // 100}.{each['amountPence'] % 100:02}"
        texts = [unformula(each[name]) for name in ("description", "externalRef")]
        out.writerow([each["date"], each["type"], each["category"] or "", amount, *texts, each["id"]])


def list_sources(ledger: Ledger, _: argparse.Namespace) -> None:
    for source in ledger.sources():
        print(source["id"], source["type"], source["name"], sep="\t")


def main() -> int:
    parser = argparse.ArgumentParser(description="Push entries to the Bookkeeping Ledger API, and list them.")
    commands = parser.add_subparsers(required=True)
    commands.add_parser("sources", help="list the sources of the account").set_defaults(run=list_sources)
    pushing = commands.add_parser("push", help="push a CSV file, and print the outcome of each row as CSV")
    pushing.add_argument("file")
    pushing.add_argument("--date-format", default="%Y-%m-%d", help="as strptime of Python has it, such as %%d/%%m/%%Y")
    pushing.set_defaults(run=push)
    listing = commands.add_parser("list", help="print the entries of a source as CSV, newest first")
    listing.add_argument("--from", dest="since", metavar="DATE")
    listing.add_argument("--to", metavar="DATE")
    listing.set_defaults(run=list_entries)
    for each in (pushing, listing):
        each.add_argument("--source", required=True, metavar="ID")
    args = parser.parse_args()
    try:
        ledger = Ledger(os.environ.get("LEDGER_URL", ""), os.environ.get("LEDGER_API_KEY", ""))
        args.run(ledger, args)
    except (LedgerError, OSError, UnicodeError, csv.Error) as error:
        print(f"error: {error}", file=sys.stderr)
        for issue in getattr(error, "body", {}).get("issues", []):
            print(f"{issue['path']}: {issue['message']}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
