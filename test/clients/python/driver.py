"""Runs one step for each line of standard input, and writes what it reports as a line of JSON: a call of the package, or a program."""

import contextlib
import io
import json
import os
import re
import sys
import traceback

from bookkeeping_ledger import Ledger, LedgerError, PushError


def main() -> None:
    """Run the steps. What a step raises is reported, and the next one runs."""
    for line in sys.stdin:
        step = json.loads(line)
        try:
            report = printed(step) if "program" in step else called(step)
        except Exception:
            report = {"raised": traceback.format_exc()}
        print(json.dumps(report), flush=True)


def printed(step: dict) -> dict:
    """Return what a program prints."""
    os.environ["LEDGER_URL"] = step["url"]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(step["program"], {"__name__": "program"})
    return {"out": out.getvalue()}


def called(call: dict) -> dict:
    """Return the report of a call."""
    pauses, progress = [], []
    ledger = Ledger(
        call["url"],
        call["apiKey"],
        retry_timeout_s=call["retryTimeoutMs"] / 1000,
        on_pause=lambda pause: pauses.append([pause.reason, pause.seconds]),
        **options_of(call, "attemptTimeoutMs", "responseBytesMax", "pauseMsMax", "limitTimeoutMs"),
    )
    report = {"pauses": pauses}
    try:
        if call["method"] == "push":
            result = ledger.push(
                call["source"],
                call["entries"],
                wait=call["wait"],
                idempotency_key=call.get("idempotencyKey"),
                retry_timeout_s=call["retryTimeoutMs"] / 1000,
                on_progress=lambda result: progress.append(len(result.outcomes)),
                **options_of(call, "capTimeoutMs"),
            )
            report |= {"progress": progress, "push": result_of(result)}
        elif call["method"] == "transactions":
            report["value"] = []
            for entry in ledger.transactions(call["source"], call.get("from"), call.get("to")):
                report["value"].append(entry)
        else:
            report["value"] = getattr(ledger, call["method"])(*call.get("arguments", []))
    except PushError as error:
        report |= {"progress": progress, "push": result_of(error.result), "error": error_of(error)}
    except LedgerError as error:
        report["error"] = error_of(error)
    return report


def options_of(call: dict, *names: str) -> dict:
    """Return the options of these names, as Python has them: `pauseMsMax` is `pause_s_max`, in seconds."""
    options = {}
    for name in names:
        if name in call:
            snake = re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name).replace("_ms", "_s")
            options[snake] = call[name] / 1000 if "Ms" in name else call[name]
    return options


def result_of(result) -> dict:
    """Return the members of a result."""
    outcomes = [[outcome.status, outcome.id, *outcome.fields] for outcome in result.outcomes]
    numbers = {name: getattr(result, name) for name in ("created", "deduplicated", "remaining", "unknown")}
    return {"outcomes": outcomes, **numbers}


def error_of(error: LedgerError) -> dict:
    """Return the members of an error that it has."""
    members = {
        "code": error.code,
        "status": error.status,
        "message": error.message,
        "validCategories": list(error.valid_categories),
        "retryAfterSeconds": error.retry_after_seconds,
        "remaining": error.remaining,
        "requestId": error.request_id,
        "idempotencyKey": error.idempotency_key,
        "issues": [
            {name: value for name, value in vars(issue).items() if value is not None} for issue in error.issues
        ],
    }
    return {name: value for name, value in members.items() if value not in (None, [])}


main()
