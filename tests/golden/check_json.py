#!/usr/bin/env python3
"""Checks what every JSON answer promises, whatever it answers.

    check_json.py [FILE...]        standard input without FILE

- each figure that is named exists, and shows the same number as the result that names it
- a number is an integer, or a decimal beside the exact fraction that it stands for
- a published figure, and each claim about it, has a locator and a source that says title, publisher,
  url, day and tier; a given or assumed one says where
- a derived figure has a formula and inputs; nothing derives from itself
- an unknown is null with its reason and status, and whatever rests on it is unknown too
- what is called the sum of its parts is exactly that
- no key is given twice"""
from __future__ import annotations

import decimal
import json
import re
import sys
from fractions import Fraction

SCHEMA = "ullage/result/1"
KINDS = {"published", "given", "assumed", "derived"}
TIERS = {"primary", "quoted", "secondary"}
STATUSES = {"unpublished", "unsupported"}
VERDICTS = {"fits", "does-not-fit", "unknown", "lower-bound", "inconclusive"}
LEVELS = {"note", "warning", "error"}
SUM = "sum of its parts"
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
# The decimal beside an exact fraction is a rounded copy of it for programs without fractions.
TOLERANCE = Fraction(1, 10**12)


class Fault(Exception):
    """One broken promise."""


def number_of(holder: dict, where: str) -> Fraction | None:
    """The exact number of a result or figure, or None where it is said to be unknown."""
    if "value" not in holder:
        raise Fault(f"{where}: no value")
    value = holder["value"]
    if value is None:
        if not holder.get("unknown"):
            raise Fault(f"{where}: null without `unknown`, its reason")
        if holder.get("status") not in STATUSES:
            raise Fault(f"{where}: null with the status {holder.get('status')!r}")
        return None
    if isinstance(value, bool) or not isinstance(value, (int, decimal.Decimal)):
        raise Fault(f"{where}: {value!r} is no number")
    exact = holder.get("exact")
    if isinstance(value, int) and exact is None:
        return Fraction(value)
    if not isinstance(exact, str) or not re.fullmatch(r"-?\d+/\d+", exact):
        raise Fault(f"{where}: {value} without an exact fraction beside it")
    fraction = Fraction(exact)
    if abs(fraction - Fraction(value)) > TOLERANCE * abs(fraction):
        raise Fault(f"{where}: {value} is not near {exact}")
    return fraction


def check_source(sources: dict, name: object, where: str) -> None:
    if not isinstance(name, str) or name not in sources:
        raise Fault(f"{where}: no source {name!r}")
    source = sources[name]
    for key in ("title", "publisher", "url"):
        if not source.get(key):
            raise Fault(f"source {name}: no {key}")
    if not DAY.fullmatch(str(source.get("checked"))):
        raise Fault(f"source {name}: checked on {source.get('checked')!r}, which is no day")
    if source.get("tier") not in TIERS:
        raise Fault(f"source {name}: the tier {source.get('tier')!r}")


class Answer:
    """A parsed answer; each check_… adds what is wrong to `faults`."""

    def __init__(self, answer: dict):
        self.answer = answer
        self.faults: list[str] = []
        self.figures = self.table("figures")
        self.sources = self.table("sources")

    def table(self, name: str) -> dict:
        found = self.answer.get(name)
        if not isinstance(found, dict):
            self.faults.append(f"no object {name!r}")
            return {}
        return found

    def trying(self, check, *operands) -> None:
        try:
            check(*operands)
        except Fault as fault:
            self.faults.append(str(fault))

    def check(self) -> list[str]:
        self.trying(self.check_head)
        for name in self.figures:
            self.trying(self.check_figure, name)
        self.trying(self.check_cycles)
        rows = self.answer.get("rows")
        if not isinstance(rows, list):
            self.faults.append("no array 'rows'")
            rows = []
        for index, row in enumerate(rows):
            self.trying(self.check_row, row, f"row {index}")
        return self.faults

    def check_head(self) -> None:
        if self.answer.get("schema") != SCHEMA:
            raise Fault(f"the schema {self.answer.get('schema')!r} is not {SCHEMA}")
        if not self.answer.get("command"):
            raise Fault("no command")
        tool = self.answer.get("tool") or {}
        catalogue = tool.get("catalogue") or {}
        if not tool.get("version") or not catalogue.get("version"):
            raise Fault("no version of the tool or of its catalogue")
        if not re.fullmatch(r"sha256:[0-9a-f]{64}", str(catalogue.get("digest"))):
            raise Fault(f"the catalogue's digest is {catalogue.get('digest')!r}")

    def figure(self, name: object, where: str) -> dict:
        if not isinstance(name, str) or name not in self.figures:
            raise Fault(f"{where}: no figure {name!r}")
        return self.figures[name]

    def check_figure(self, name: str) -> None:
        figure = self.figures[name]
        where = f"figure {name} ({figure.get('name')})"
        value = number_of(figure, where)
        kind = figure.get("kind")
        if not figure.get("name") or not figure.get("unit") or kind not in KINDS:
            raise Fault(f"{where}: no name, no unit or the kind {kind!r}")
        if kind == "published" and value is not None:
            if not figure.get("locator"):
                raise Fault(f"{where}: published without a locator")
            check_source(self.sources, figure.get("source"), where)
        if kind in ("given", "assumed") and not figure.get("where"):
            raise Fault(f"{where}: {kind}, but not where")
        for claim in figure.get("claims") or []:
            for source in [claim.get("source"), *(claim.get("also") or [])]:
                check_source(self.sources, source, f"{where}, a claim")
            if not claim.get("locator"):
                raise Fault(f"{where}: a claim without a locator")
        if kind == "derived":
            self.check_derived(figure, value, where)

    def check_derived(self, figure: dict, value: Fraction | None, where: str) -> None:
        formula, inputs = figure.get("formula"), figure.get("inputs")
        if not formula or not isinstance(inputs, list):
            raise Fault(f"{where}: derived without formula or inputs")
        is_sum = formula == SUM
        if not inputs and not (is_sum and value == 0):
            raise Fault(f"{where}: derived from nothing")
        parts = [number_of(self.figure(name, where), f"figure {name}") for name in inputs]
        if None in parts:
            if value is not None:
                raise Fault(f"{where}: a number, although {inputs[parts.index(None)]} is unknown")
        elif is_sum and sum(parts) != value:
            raise Fault(f"{where}: the parts add up to {sum(parts)}, it says {value}")

    def check_cycles(self) -> None:
        done: set[str] = set()
        for start in self.figures:
            path: list[str] = []
            stack = [(start, False)]
            while stack:
                name, leaving = stack.pop()
                if leaving:
                    done.add(path.pop())
                elif name in path:
                    raise Fault(f"figure {name} derives from itself: {' <- '.join(path)}")
                elif name not in done and name in self.figures:
                    path.append(name)
                    stack.append((name, True))
                    stack += [(each, False) for each in self.figures[name].get("inputs") or []]

    def check_row(self, row: dict, where: str) -> None:
        if "verdict" in row and row["verdict"] not in VERDICTS:
            raise Fault(f"{where}: the verdict {row['verdict']!r}")
        for name, result in (row.get("results") or {}).items():
            self.trying(self.check_result, result, f"{where}, {name}")
        for note in row.get("notes") or []:
            if not note.get("code") or not note.get("text") or note.get("level") not in LEVELS:
                self.faults.append(f"{where}: a note without code, text or level: {note}")

    def check_result(self, result: dict, where: str) -> None:
        figure = self.figure(result.get("figure"), where)
        if number_of(result, where) != number_of(figure, f"figure {result['figure']}"):
            raise Fault(f"{where}: {result['value']}, its figure says {figure['value']}")
        if result.get("unit") != figure.get("unit"):
            raise Fault(f"{where}: in {result.get('unit')}, its figure in {figure.get('unit')}")


def _unique(pairs: list) -> dict:
    found: dict = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} twice in one object")
        found[key] = value
    return found


def _refuse(token: str):
    raise ValueError(f"the bare token {token}")


def faults_of_text(text: str) -> list[str]:
    """What is wrong with this answer; nothing where all promises hold."""
    try:
        answer = json.loads(text, parse_float=decimal.Decimal, parse_constant=_refuse, object_pairs_hook=_unique)
    except ValueError as fault:
        return [f"not JSON: {fault}"]
    if not isinstance(answer, dict):
        return ["not one object"]
    try:
        return Answer(answer).check()
    except (AttributeError, TypeError) as fault:
        return [f"an object of another shape: {fault}"]


def main() -> int:
    failed = False
    for name in sys.argv[1:] or ["-"]:
        text = sys.stdin.read() if name == "-" else open(name, encoding="utf-8").read()
        for fault in faults_of_text(text):
            print(f"{name}: {fault}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
