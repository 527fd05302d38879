#!/usr/bin/env python3
"""scripts/count_tests.py counts what programs say, one for each silent one, and never hides a failure."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "count_tests.py"
DOCTEST = "[doctest] test cases:  12 |  {} passed | {} failed | 0 skipped\n[doctest] assertions: 99 | 99 passed | 0 failed |\n"


def case(output: str, inside: str = "") -> str:
    return f"<testcase name='x'>{inside}<system-out>{output}</system-out></testcase>"


class CountTests(unittest.TestCase):
    def check(self, cases: list, line: str, status: int) -> None:
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "tests.xml"
            report.write_text(f"<testsuite>{''.join(cases)}</testsuite>")
            done = subprocess.run([sys.executable, SCRIPT, report], capture_output=True, text=True)
        self.assertEqual((done.stdout, done.returncode), (line + "\n", status), done.stderr)

    def test_programs_that_count(self):
        self.check([case(DOCTEST.format(12, 0)), case("a diff\n30 passed, 0 failed\n"),
                    case("....\nRan 4 tests in 0.1s\n\nOK\n"), case("silent")], "47 passed, 0 failed", 0)

    def test_failures(self):
        failure = "<failure/>"
        self.check([case(DOCTEST.format(10, 2), failure), case("1 passed, 1 failed\n", failure),
                    case("Ran 5 tests in 0.1s\n\nFAILED (failures=1, errors=2)\n", failure),
                    case("Ran 2 tests in 0.1s\n\nFAILED (errors=1)\n", failure)], "14 passed, 7 failed", 1)

    def test_a_crash_is_a_failure_whatever_was_said(self):
        self.check([case(DOCTEST.format(12, 0), "<failure/>"), case("", "<failure/>")], "12 passed, 2 failed", 1)

    def test_skipped_tests_do_not_count(self):
        self.check([case("", "<skipped/>"), case("")], "1 passed, 0 failed", 0)

    def test_no_tests_are_no_success(self):
        self.check([], "0 passed, 0 failed", 1)


if __name__ == "__main__":
    unittest.main()
