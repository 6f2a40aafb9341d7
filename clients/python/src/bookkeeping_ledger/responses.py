"""Checks responses by the description: a member that is missing or of another type shows that another service has responded."""

from __future__ import annotations

from typing import Any

from .responses_generated import SCHEMAS

INTEGER_MAX = 2**53 - 1


def fault_of(value: object, name: str) -> str | None:
    """Return the JSON pointer of the first wrong or missing member of a response with this schema; None if there is none."""
    return _fault(value, SCHEMAS[name], "")


def _fault(value: Any, schema: dict[str, Any], path: str) -> str | None:
    if "$ref" in schema:
        return _fault(value, SCHEMAS[schema["$ref"]], path)
    if "anyOf" in schema:
        is_any = any(_fault(value, each, path) is None for each in schema["anyOf"])
        return None if is_any else path
    found = _type_of(value)
    if found != schema["type"] and not (schema["type"] == "number" and found == "integer"):
        return path
    if "enum" in schema and value not in schema["enum"]:
        return path
    items = enumerate(value) if "items" in schema else ()
    for index, item in items:
        fault = _fault(item, schema["items"], f"{path}/{index}")
        if fault is not None:
            return fault
    for member, of in schema.get("properties", {}).items():
        if member in value:
            fault = _fault(value[member], of, f"{path}/{member}")
        else:
            fault = f"{path}/{member}" if member in schema.get("required", ()) else None
        if fault is not None:
            return fault
    return None


def _type_of(value: object) -> str:
    """Return the name of the value's type in JSON Schema."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer" if abs(value) <= INTEGER_MAX else "number"
    return {str: "string", float: "number", list: "array", dict: "object", type(None): "null"}[type(value)]
