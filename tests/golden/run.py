#!/usr/bin/env python3
"""Runs the commands of .case files, or with --docs of Markdown files, and compares what they print.

    run.py --ullage build/release/ullage [--update] [--jobs N] [--docs] [PATH...]

PATH is a file or a folder; default: this folder, with --docs the project's README.md and docs/.
Standard library only. README.md beside this file describes the format."""
from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import difflib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import case_file
import check_json
import expectation

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
TIMEOUT_SECONDS = 300
# What instrumented builds need to find their way home; everything else of the caller's is dropped.
PASSED_ON = ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LLVM_PROFILE_FILE")
# Commands that answer with figures: each is also asked for JSON, and that is checked.
ANSWERS = {"fit", "weights", "kv", "train", "flops", "compare", "layouts", "show", "check"}
SHELL_WORDS = re.compile(r"[|;&<>$`()*?#\n]")


@dataclasses.dataclass
class Outcome:
    """How one step went: texts of what is wrong, and the expectation that would hold."""
    step: case_file.Step
    faults: list[str]
    fresh: case_file.Step


@dataclasses.dataclass
class Printed:
    stdout: str
    stderr: str
    exit: int


class Sandbox:
    """A fresh folder with a scrubbed environment in which the commands of one file run."""

    def __init__(self, root: pathlib.Path, binary: pathlib.Path, today: str):
        self.folder = root / "work"
        for name in ("work", "home", "bin"):
            (root / name).mkdir()
        (root / "bin" / "ullage").symlink_to(binary)
        self.environment = {"PATH": f"{root / 'bin'}:/usr/bin:/bin", "HOME": str(root / "home"),
                            "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
        self.environment |= {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        if today:
            self.environment["ULLAGE_TODAY"] = today

    def put(self, put: case_file.Put) -> None:
        target = self.folder / put.name
        target.parent.mkdir(parents=True, exist_ok=True)
        if put.copied_from is None:
            target.write_text(put.text, encoding="utf-8")
        elif put.copied_from.is_dir():
            shutil.copytree(put.copied_from, target)
        else:
            shutil.copyfile(put.copied_from, target)

    def run(self, command: str, stdin: str) -> Printed:
        done = subprocess.run(["/bin/sh", "-c", command], input=stdin.encode(), capture_output=True,
                              timeout=TIMEOUT_SECONDS, cwd=self.folder, env=self.environment)
        return Printed(done.stdout.decode(errors="backslashreplace"),
                       done.stderr.decode(errors="backslashreplace"), done.returncode)


def lines_of(text: str, stream: str, faults: list[str]) -> list[str]:
    """The lines of a stream; notes text that does not end with exactly one newline."""
    if text and not text.endswith("\n"):
        faults.append(f"{stream} does not end with a newline")
    if text.endswith("\n\n") or text == "\n":
        faults.append(f"{stream} ends with a blank line")
    return case_file.without_trailing_blanks(text.split("\n"))


def difference(name: str, expected: list[str], found: list[str]) -> str:
    lines = difflib.unified_diff(expected, found, f"{name} expected", f"{name} found", lineterm="", n=2)
    return "\n".join(lines)


def compare(step: case_file.Step, printed: Printed) -> Outcome:
    faults: list[str] = []
    stdout = lines_of(printed.stdout, "stdout", faults)
    stderr = lines_of(printed.stderr, "stderr", faults)
    streams = {"stdout": stdout + stderr} if step.combined else {"stdout": stdout, "stderr": stderr}
    fresh = dataclasses.replace(step, exit=printed.exit)
    for name, found in streams.items():
        expected = getattr(step, name)
        merged = expectation.merge(expected, found)
        setattr(fresh, name, merged)
        if merged != expected:
            faults.append(difference(name, expected, merged))
    if printed.exit != step.exit:
        faults.append(f"exit {printed.exit}, expected {step.exit}")
        if step.combined:
            faults.append("a document shows a status that is not 0 with `$ echo $?` on the next line")
    return Outcome(step, faults, fresh)


def json_faults(step: case_file.Step, printed: Printed, sandbox: Sandbox) -> list[str]:
    """What is wrong with the JSON of this answer, asked for anew where the step prints text."""
    if SHELL_WORDS.search(step.command):
        return []
    words = shlex.split(step.command)
    if len(words) < 2 or words[0] != "ullage" or words[1] not in ANSWERS or "--help" in words:
        return []
    formats = [word for word in words if word.startswith(("-o", "--output"))]
    if not formats:
        shown, printed = printed, sandbox.run(step.command + " -o json", step.stdin)
        if printed.exit != shown.exit:
            return [f"exit {shown.exit}, but {printed.exit} with -o json"]
    elif not re.search(r"(-o|--output)[ =]?json(\s|$)", step.command) or "--output-file" in step.command:
        return []
    if printed.exit == 2 and not printed.stdout:
        return []
    return [f"JSON: {fault}" for fault in check_json.faults_of_text(printed.stdout)]


def run_script(script: case_file.Script, binary: pathlib.Path) -> list[Outcome]:
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="ullage-golden-") as root:
        sandbox = Sandbox(pathlib.Path(root), binary, script.today)
        for action in script.actions:
            if isinstance(action, case_file.Put):
                sandbox.put(action)
                continue
            try:
                printed = sandbox.run(action.command, action.stdin)
                outcome = compare(action, printed)
                outcome.faults += json_faults(action, printed, sandbox)
            except subprocess.TimeoutExpired:
                outcome = Outcome(action, [f"no answer in {TIMEOUT_SECONDS} s"], action)
            outcomes.append(outcome)
    return outcomes


def read_all(paths: list[pathlib.Path], documents: bool) -> tuple[list[case_file.Script], list[str]]:
    """The scripts of these files and folders, and what could not be read."""
    scripts, faults = [], []
    for path in paths:
        found = sorted(path.rglob("*.md" if documents else "*.case")) if path.is_dir() else [path]
        for file in found:
            try:
                script = case_file.read_document(file) if documents else case_file.read_case(file)
                if script.steps():
                    scripts.append(script)
            except (case_file.FormatError, OSError, UnicodeDecodeError, ValueError) as fault:
                faults.append(str(fault) if isinstance(fault, case_file.FormatError) else f"{file}: {fault}")
    return scripts, faults


def arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ullage", required=True, type=pathlib.Path, help="the built program")
    parser.add_argument("--docs", action="store_true", help="run the ```console blocks of Markdown files")
    parser.add_argument("--update", action="store_true", help="write what is printed as the expectation")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("paths", nargs="*", type=pathlib.Path)
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    options = arguments(words)
    binary = options.ullage.resolve()
    if not os.access(binary, os.X_OK):
        print(f"{options.ullage}: no such program; build it first", file=sys.stderr)
        return 2
    paths = options.paths or ([PROJECT / "README.md", PROJECT / "docs"] if options.docs else [HERE])
    scripts, unreadable = read_all(paths, options.docs)
    for fault in unreadable:
        print(fault)
    passed, failed = 0, len(unreadable)
    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
        for script, outcomes in zip(scripts, pool.map(lambda each: run_script(each, binary), scripts)):
            changed = {}
            for outcome in outcomes:
                if outcome.fresh != outcome.step and options.update:
                    changed[outcome.step.line] = outcome.fresh
                    outcome.faults = [fault for fault in outcome.faults if fault.startswith("JSON:")]
                passed += not outcome.faults
                failed += bool(outcome.faults)
                if outcome.faults:
                    print(f"{script.path}:{outcome.step.line}: $ {outcome.step.command}")
                    print("\n".join(outcome.faults))
            if changed:
                case_file.rewrite(script, changed)
                print(f"{script.path}: rewritten ({len(changed)} of {len(outcomes)} commands)", file=sys.stderr)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
