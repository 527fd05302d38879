#!/usr/bin/env python3
"""Validates JSON against the schemas of docs/schema: the keywords that they use, and no others.

    validate.py SCHEMA FILE...        - is standard input

A keyword that this program does not know is a fault of the schema, so that none is passed over in silence.
Prints FILE: /pointer: fault, and last 'N passed, N failed'. Exit 1 with any fault."""
from __future__ import annotations

import json
import re
import sys

TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
SILENT = {"$schema", "$defs", "title", "description", "then", "else", "minContains", "maxContains"}


def same(a: object, b: object) -> bool:
    return isinstance(a, bool) == isinstance(b, bool) and a == b


class Validator:
    def __init__(self, schema: dict):
        self.root = schema

    def faults(self, value: object) -> list[str]:
        return self.check(value, self.root, "")

    def holds(self, value: object, schema: object) -> bool:
        return not self.check(value, schema, "")

    def check(self, value: object, schema: object, at: str) -> list[str]:
        if isinstance(schema, bool):
            return [] if schema else [f"{at or '/'}: not allowed"]
        faults: list[str] = []
        for keyword, argument in schema.items():
            if keyword in SILENT:
                continue
            method = getattr(self, "check_" + keyword.lstrip("$"), None)
            if method is None:
                raise ValueError(f"the schema uses {keyword}, which validate.py does not know")
            faults += method(value, argument, schema, at)
        return faults

    def check_ref(self, value, reference, _schema, at):
        target = self.root
        for part in reference.removeprefix("#/").split("/"):
            target = target[part]
        return self.check(value, target, at)

    def check_type(self, value, types, _schema, at):
        names = [types] if isinstance(types, str) else types
        if any(TYPES[name](value) for name in names):
            return []
        return [f"{at or '/'}: {value!r:.60} is no {' or '.join(names)}"]

    def check_const(self, value, constant, _schema, at):
        return [] if same(value, constant) else [f"{at or '/'}: {value!r:.60} is not {constant!r}"]

    def check_enum(self, value, allowed, _schema, at):
        if any(same(value, one) for one in allowed):
            return []
        return [f"{at or '/'}: {value!r:.60} is none of {', '.join(map(str, allowed))}"]

    def check_pattern(self, value, pattern, _schema, at):
        if not isinstance(value, str) or re.search(pattern, value):
            return []
        return [f"{at or '/'}: {value!r:.60} does not match {pattern}"]

    def check_minLength(self, value, least, _schema, at):
        return [f"{at or '/'}: is empty"] if isinstance(value, str) and len(value) < least else []

    def check_minimum(self, value, least, _schema, at):
        return [f"{at or '/'}: {value} is below {least}"] if TYPES["number"](value) and value < least else []

    def check_minItems(self, value, least, _schema, at):
        if isinstance(value, list) and len(value) < least:
            return [f"{at or '/'}: {len(value)} items, fewer than {least}"]
        return []

    def check_required(self, value, names, _schema, at):
        if not isinstance(value, dict):
            return []
        return [f"{at or '/'}: no {name}" for name in names if name not in value]

    def check_properties(self, value, properties, _schema, at):
        if not isinstance(value, dict):
            return []
        return [fault for name, schema in properties.items() if name in value
                for fault in self.check(value[name], schema, f"{at}/{name}")]

    def check_additionalProperties(self, value, rest, schema, at):
        if not isinstance(value, dict):
            return []
        known = schema.get("properties", {})
        return [fault for name in value if name not in known
                for fault in self.check(value[name], rest, f"{at}/{name}")]

    def check_propertyNames(self, value, schema, _parent, at):
        if not isinstance(value, dict):
            return []
        return [fault for name in value for fault in self.check(name, schema, f"{at}/{name}")]

    def check_items(self, value, schema, _parent, at):
        if not isinstance(value, list):
            return []
        return [fault for i, item in enumerate(value) for fault in self.check(item, schema, f"{at}/{i}")]

    def check_contains(self, value, schema, parent, at):
        if not isinstance(value, list):
            return []
        count = sum(self.holds(item, schema) for item in value)
        least, most = parent.get("minContains", 1), parent.get("maxContains", len(value))
        return [] if least <= count <= most else [f"{at or '/'}: {count} items are as one of them must be"]

    def check_allOf(self, value, schemas, _parent, at):
        return [fault for schema in schemas for fault in self.check(value, schema, at)]

    def check_anyOf(self, value, schemas, _parent, at):
        if any(self.holds(value, schema) for schema in schemas):
            return []
        return [f"{at or '/'}: is none of the {len(schemas)} allowed forms"]

    def check_oneOf(self, value, schemas, _parent, at):
        results = [self.check(value, schema, at) for schema in schemas]
        count = sum(not faults for faults in results)
        if count == 1:
            return []
        nearest = min(results, key=len) if count == 0 else []
        return [f"{at or '/'}: is {count} of the {len(schemas)} forms, not one"] + nearest

    def check_not(self, value, schema, _parent, at):
        return [f"{at or '/'}: has what it must not have"] if self.holds(value, schema) else []

    def check_if(self, value, condition, parent, at):
        return self.check(value, parent.get("then" if self.holds(value, condition) else "else", True), at)


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    with open(sys.argv[1], encoding="utf-8") as schema:
        validator = Validator(json.load(schema))
    failed = 0
    for name in sys.argv[2:]:
        with (sys.stdin if name == "-" else open(name, encoding="utf-8")) as file:
            faults = validator.faults(json.load(file))
        failed += bool(faults)
        print("\n".join(f"{name}: {fault}" for fault in faults), end="\n" if faults else "")
    print(f"{len(sys.argv) - 2 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
