"""Amounts in pounds as whole pence, without rounding."""

from __future__ import annotations

import re
from decimal import Decimal


def pence(pounds: str | int | Decimal) -> int:
    """Return an amount of pounds in pence: `pence("450.00")` is 45000.

    pounds: digits, and at most two decimals; of a text, also "£" before and "," between thousands.
    Raises ValueError for another text, a sign, or a fraction of a penny. Raises TypeError for a float, which is not exact.
    """
    if isinstance(pounds, bool) or not isinstance(pounds, (str, int, Decimal)):
        raise TypeError(f"pounds must be a str, an int or a Decimal, not {type(pounds).__name__}")
    text = format(pounds, "f") if isinstance(pounds, Decimal) else str(pounds).strip()
    match = re.fullmatch(r"£?([0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.([0-9]{1,2})0*)?", text, re.ASCII)
    if match is None:
        raise ValueError(f"{text!r} is not an amount in pounds with at most two decimals, such as 450.00")
    return int(match[1].replace(",", "")) * 100 + int((match[2] or "").ljust(2, "0"))
