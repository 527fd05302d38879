#!/usr/bin/env python3
"""Counts the tests of a ctest report (--output-junit): `N passed, N failed`.

    count_tests.py REPORT.xml

A program that counts its own tests (doctest, unittest, `N passed, N failed`) stands for that many, any other
for one. A program that failed without counting a failure (a crash) is one failure. Tests that were skipped are
said on standard error."""
import re
import sys
import xml.etree.ElementTree

COUNTS = (
    re.compile(r"^\[doctest\] test cases:\s*\d+ \|\s*(\d+) passed \|\s*(\d+) failed", re.M),
    re.compile(r"^(\d+) passed, (\d+) failed$", re.M),
)
UNITTEST = re.compile(r"^Ran (\d+) tests? in .*\n\n(?:OK|FAILED \((?:failures=(\d+))?(?:, )?(?:errors=(\d+))?)", re.M)


def counts_of(output: str) -> tuple[int, int]:
    """Passed and failed as the program says; (0, 0) where it says nothing."""
    for pattern in COUNTS:
        if found := pattern.findall(output):
            return int(found[-1][0]), int(found[-1][1])
    if found := UNITTEST.search(output):
        failed = int(found[2] or 0) + int(found[3] or 0)
        return int(found[1]) - failed, failed
    return 0, 0


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    passed = failed = skipped = 0
    for case in xml.etree.ElementTree.parse(sys.argv[1]).getroot().iter("testcase"):
        if case.find("skipped") is not None:
            skipped += 1
            continue
        good, bad = counts_of(case.findtext("system-out") or "")
        if case.find("failure") is not None:
            bad = max(bad, 1)
        elif good + bad == 0:
            good = 1
        passed += good
        failed += bad
    if skipped:
        print(f"{skipped} skipped", file=sys.stderr)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
