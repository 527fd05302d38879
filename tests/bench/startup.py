#!/usr/bin/env python3
"""Measures start-up: whole processes of the program against an empty one that was linked alike.

    startup.py [--build build/release] [--runs 200] [--check [--ratio R] [--memory MIB]]

Runs are interleaved, so that a busy moment falls on all alike; read the ratios. Peak memory is the largest resident
set that the kernel saw, taken once. No test judges times; --check is for people who hunt a regression: it exits 1 where a median
is more than R times the empty program's, or the peak is above MIB."""
from __future__ import annotations

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import time

COMMANDS = (
    ["--version"],
    ["fit", "glm-5.3-flash", "--on", "trainium2"],
    ["fit", "glm-5.3-flash", "--on", "all"],
)


class Measured:
    """A command with the times and peaks of its runs."""

    def __init__(self, label: str, words: list[str]):
        self.label = label
        self.words = words
        self.milliseconds: list[float] = []

    def run(self, silent: int) -> None:
        begun = time.perf_counter_ns()
        process = os.posix_spawn(self.words[0], self.words, os.environ, file_actions=[
            (os.POSIX_SPAWN_DUP2, silent, 1), (os.POSIX_SPAWN_DUP2, silent, 2)])
        _, status = os.waitpid(process, 0)
        self.milliseconds.append((time.perf_counter_ns() - begun) / 1e6)
        # 1 and 3 are answers too; anything else would measure an error message.
        if os.waitstatus_to_exitcode(status) not in (0, 1, 3):
            raise SystemExit(f"{self.label}: status {os.waitstatus_to_exitcode(status)}; nothing was measured")

    def peak_mib(self, parent: str) -> float:
        done = subprocess.run([parent, *self.words], stdout=subprocess.PIPE, check=True)
        return int(done.stdout) / 1024

    def median(self) -> float:
        return statistics.median(self.milliseconds)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--ratio", type=float, default=3.0)
    parser.add_argument("--memory", type=float, default=32.0)
    return parser.parse_args()


def main() -> int:
    options = arguments()
    programs = [str(options.build / name) for name in ("bench_empty", "ullage", "bench_peak")]
    for program in programs:
        if not os.access(program, os.X_OK):
            print(f"{program}: no such program; build it with `scripts/test.sh`", file=sys.stderr)
            return 2
    empty = Measured("empty program", programs[:1])
    all_measured = [empty] + [Measured("ullage " + " ".join(words), [programs[1], *words]) for words in COMMANDS]
    silent = os.open(os.devnull, os.O_WRONLY)
    for each in all_measured:
        each.run(silent)  # fills the page cache
        each.milliseconds.clear()
    for _ in range(options.runs):
        for each in all_measured:
            each.run(silent)
    worse = False
    print(f"{'median of ' + str(options.runs):44}      ms   ratio   peak MiB")
    for each in all_measured:
        ratio = each.median() / empty.median()
        peak = each.peak_mib(programs[2])
        print(f"{each.label:44} {each.median():7.2f} {ratio:7.2f} {peak:10.1f}")
        worse = worse or (each is not empty and (ratio > options.ratio or peak > options.memory))
    return 1 if options.check and worse else 0


if __name__ == "__main__":
    sys.exit(main())
