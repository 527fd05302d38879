#!/usr/bin/env python3
"""The golden runner passes what holds, fails what does not, and rewrites only what changed. A shell
script stands in for the program."""
import contextlib
import io
import os
import pathlib
import tempfile
import unittest
import unittest.mock

import case_file
import expectation
import run

PROGRAM = r"""#!/bin/sh
case "$1" in
  echo) shift; printf '%s\n' "$@" ;;
  cat) shift; cat "$@" ;;
  fail) echo "error: no" >&2; exit "$2" ;;
  environment) env | grep -v '^_=\|^PWD=\|^OLDPWD=' | sed 's|/tmp/[^:]*/|TMP/|g' | sort ;;
  raw) printf "$2" ;;
  fit) echo '{}' ;;
esac
"""


class Wildcards(unittest.TestCase):
    def test_matches(self):
        for patterns, lines, expected in (
                (["a", "b"], ["a", "b"], True), (["a"], ["a", "b"], False), ([], [], True), ([], ["a"], False),
                (["…"], [], True), (["…"], ["a", "b"], True), (["a", "…"], ["a"], True), (["…", "b"], ["a"], False),
                (["a", "…", "c"], ["a", "b", "b", "c"], True), (["a", "…", "a"], ["a"], False),
                (["…", "b", "c", "…"], ["a", "b", "b", "c"], True), (["…", "c", "b", "…"], ["b", "c", "c"], False),
                (["x <…> z"], ["x y z"], True), (["x <…>"], ["x "], False), (["<…>.<…>"], ["1.2"], True),
                (["a.c"], ["abc"], False), (["\\…"], ["…"], True), (["\\…"], ["x"], False)):
            self.assertEqual(expectation.matches(patterns, lines), expected, f"{patterns} against {lines}")

    def test_merge_keeps_wildcards_that_have_their_place(self):
        for patterns, lines, expected in (
                (["v <…>", "1"], ["v 7", "2"], ["v <…>", "2"]),
                (["a", "…", "z"], ["b", "c", "d", "z"], ["b", "…", "z"]),
                (["a", "…", "m", "…", "z"], ["a", "k", "m", "n", "y"], ["a", "…", "m", "…", "y"]),
                (["a", "…", "z"], ["b"], ["b"]),
                (["a"], ["…"], ["\\…"])):
            merged = expectation.merge(patterns, lines)
            self.assertEqual(merged, expected)
            self.assertTrue(expectation.matches(merged, lines))


class Runner(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.root.name)
        self.program = self.folder / "program"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)

    def tearDown(self):
        self.root.cleanup()

    def run_case(self, text: str, *flags: str, name: str = "x.case"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        printed = io.StringIO()
        words = ["--ullage", str(self.program), *flags, str(path)]
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()), \
                unittest.mock.patch.dict(os.environ, {"SECRET": "1"}):
            status = run.main(words)
        return status, printed.getvalue(), path.read_text(encoding="utf-8")

    def passes(self, text: str, *flags: str, name: str = "x.case"):
        status, printed, after = self.run_case(text, *flags, name=name)
        self.assertEqual(status, 0, printed)
        self.assertEqual(after, text)

    def fails(self, text: str, words: str, *flags: str, name: str = "x.case"):
        status, printed, _ = self.run_case(text, *flags, name=name)
        self.assertEqual(status, 1, printed)
        self.assertIn(words, printed)

    def test_output_status_and_files(self):
        self.passes("# why\n\nfile a/b.txt: <<END\none\n\ntwo\nEND\n\n$ ullage cat a/b.txt\none\n\ntwo\n\n"
                    "$ ullage fail 3\nstderr:\nerror: no\nexit: 3\n")

    def test_stdin_and_shell(self):
        self.passes("# why\n$ ullage cat -\nstdin: <<END\nx\nEND\nx\n\n$ ullage echo a | tr a b\nb\n")

    def test_continued_commands(self):
        self.passes("# why\n$ ullage echo a \\\n    b\na\nb\n")

    def test_escapes(self):
        self.passes("# why\n$ ullage echo '$ x' 'exit: 1' '\\y' …\n\\$ x\n\\exit: 1\n\\\\y\n\\…\n")

    def test_environment_is_scrubbed(self):
        self.passes("# why\ntoday: 2026-12-01\n$ ullage environment\nHOME=TMP/home\nLC_ALL=C.UTF-8\nNO_COLOR=1\n"
                    "PATH=TMP/bin:/usr/bin:/bin\nULLAGE_TODAY=2026-12-01\n")

    def test_failures_are_shown_as_a_difference(self):
        self.fails("# why\n$ ullage echo a\nb\n", "-b\n+a")
        self.fails("# why\n$ ullage fail 1\nexit: 1\n", "+error: no")
        self.fails("# why\n$ ullage fail 1\nstderr:\nerror: no\n", "exit 1, expected 0")
        self.fails("# why\n$ ullage raw a\na\n", "does not end with a newline")
        self.fails("# why\n$ ullage raw 'a\\n\\n'\na\n", "ends with a blank line")

    def test_answers_are_checked_as_json(self):
        self.fails("# why\n$ ullage fit x\n{}\n", "JSON: no object 'figures'")

    def test_files_that_are_no_cases(self):
        self.fails("$ ullage echo a\na\n", "x.case:1: a case begins with its reason")
        self.fails("# why\n", "no command")
        self.fails("# why\nfile a: <<END\n", "x.case:2: no line 'END'")
        self.fails("# why\nwhat\n", "x.case:2: neither")
        self.fails("# why\n$ ullage fail 1\nexit: 1\nmore\n", "output after `exit:`")

    def test_update(self):
        text = "# why\n$ ullage echo a\nold\n\n$ ullage echo 'v 1' 'exit: 1'\nv <…>\n\n$ ullage fail 2\nx\n"
        status, printed, after = self.run_case(text, "--update")
        self.assertEqual(status, 0, printed)
        self.assertEqual(after, "# why\n$ ullage echo a\na\n\n$ ullage echo 'v 1' 'exit: 1'\nv <…>\n\\exit: 1\n\n"
                                "$ ullage fail 2\nstderr:\nerror: no\nexit: 2\n")
        self.passes(after)

    def test_documents(self):
        text = ("# Title\n\n```sh\nullage never run\n```\n\n```yaml file=in.txt\nhello\n```\n\n```console\n"
                "$ git clone there\nCloning\n$ build/release/ullage cat in.txt\nhello\n\n$ ullage fail 3\nerror: no\n"
                "$ echo $?\n3\n```\n\n```console skip\n$ ullage echo no\nyes\n```\n")
        self.passes(text, "--docs", name="x.md")
        self.fails(text.replace("\n3\n", "\n4\n"), "exit 3, expected 4", "--docs", name="x.md")
        self.fails("```console\n$ ullage fail 1\nerror: no\n```\n", "`$ echo $?`", "--docs", name="x.md")
        changed = text.replace("\nhello\n\n$", "\nhowdy\n\n$")
        _, _, after = self.run_case(changed, "--docs", "--update", name="x.md")
        self.assertEqual(after, text)

    def test_commands_that_run_the_program(self):
        for command, runs in (("ullage fit", True), ("cat x | ullage batch -", True), ("A=1 ullage fit", True),
                              ("git clone https://example.org/ullage x", False), ("scripts/run.sh", False)):
            self.assertEqual(bool(case_file.RUNS_ULLAGE.search(command)), runs, command)


if __name__ == "__main__":
    unittest.main()
