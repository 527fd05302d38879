"""Compares output with expected lines that may hold wildcards, and merges new output into them.

A line `…` matches any number of lines, `<…>` inside a line any text, a line `\\…` the character."""
from __future__ import annotations

import re

ANY_LINES = "…"
ANY_TEXT = "<…>"


def line_matches(pattern: str, line: str) -> bool:
    if pattern == "\\…":
        return line == "…"
    if ANY_TEXT not in pattern:
        return pattern == line
    return re.fullmatch(".+".join(map(re.escape, pattern.split(ANY_TEXT))), line) is not None


def _stretches(patterns: list[str]) -> list[list[str]]:
    """The runs of lines between the `…` lines; the first and the last may be empty."""
    runs: list[list[str]] = [[]]
    for pattern in patterns:
        if pattern == ANY_LINES:
            runs.append([])
        else:
            runs[-1].append(pattern)
    return runs


def _score(run: list[str], lines: list[str], at: int) -> int:
    return sum(line_matches(pattern, line) for pattern, line in zip(run, lines[at:at + len(run)]))


def matches(patterns: list[str], lines: list[str]) -> bool:
    runs = _stretches(patterns)
    if len(runs) == 1:
        return len(patterns) == len(lines) and _score(patterns, lines, 0) == len(patterns)
    first, *middle, last = runs
    at, end = len(first), len(lines) - len(last)
    if at > end or _score(first, lines, 0) < len(first) or _score(last, lines, end) < len(last):
        return False
    for run in middle:
        while at + len(run) <= end and _score(run, lines, at) < len(run):
            at += 1
        if at + len(run) > end:
            return False
        at += len(run)
    return True


def merge(patterns: list[str], lines: list[str]) -> list[str]:
    """Expected lines for the new output that keep each wildcard which still has its place."""
    if matches(patterns, lines):
        return patterns
    runs = _stretches(patterns)
    if len(runs) == 1:
        return _merge_run(patterns, lines)
    places, end = [], 0
    for index, run in enumerate(runs):
        room = range(end, len(lines) - sum(map(len, runs[index:])) + 1)
        if not room:
            return _merge_run([p for p in patterns if p != ANY_LINES], lines)
        if index == 0:
            at = 0
        elif index == len(runs) - 1:
            at = len(lines) - len(run)
        else:
            at = max(room, key=lambda start: _score(run, lines, start))
        places.append((at, run))
        end = at + len(run)
    merged: list[str] = []
    for index, (at, run) in enumerate(places):
        merged += ([ANY_LINES] if index else []) + _merge_run(run, lines[at:at + len(run)])
    return merged


def _merge_run(patterns: list[str], lines: list[str]) -> list[str]:
    """The lines, each replaced by the next pattern with wildcards that matches it."""
    merged, rest = [], [p for p in patterns if ANY_TEXT in p]
    for line in lines:
        place = next((i for i, pattern in enumerate(rest) if line_matches(pattern, line)), None)
        merged.append(line if place is None else rest[place])
        if line == ANY_LINES:
            merged[-1] = "\\…"
        if place is not None:
            rest = rest[place + 1:]
    return merged
