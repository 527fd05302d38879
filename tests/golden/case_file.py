"""Reads and rewrites the two kinds of files that hold commands with their expected output:
`.case` files and Markdown documents. README.md beside this file describes both formats."""
from __future__ import annotations

import dataclasses
import pathlib
import re

HEREDOC = r"<<([A-Za-z_]+)"
FILE = re.compile(rf"file (\S.*): {HEREDOC}")
COPY = re.compile(r"copy (\S.*): (\S.*)")
TODAY = re.compile(r"today: (\d{4}-\d{2}-\d{2})")
STDIN = re.compile(rf"stdin: {HEREDOC}")
EXIT = re.compile(r"exit: (\d+)")
# Lines of expected output that a reader of the file would take for something else get a backslash.
SPECIAL = re.compile(rf"\\.*|\$ .*|stderr:|exit: \d+|(?:stdin|file \S.*): {HEREDOC}")
WILDCARDS = ("…", "\\…")  # any lines; the character itself
# The program in command position: at the start, after a pipe or the like, after an assignment.
RUNS_ULLAGE = re.compile(r"(?:^|[|;&(]\s*|\s*\w+=\S*\s+)ullage(?:\s|$)")


class FormatError(Exception):
    """A file that is not in the format; the text begins with file:line."""


@dataclasses.dataclass
class Put:
    """A file that the following commands find in their folder."""
    name: str
    text: str = ""
    copied_from: pathlib.Path | None = None


@dataclasses.dataclass
class Step:
    """One command and what is expected of it. `first` and `last` are the indices of the lines that
    hold the expectation, which an update replaces."""
    line: int
    command: str
    stdin: str = ""
    stdout: list[str] = dataclasses.field(default_factory=list)
    stderr: list[str] = dataclasses.field(default_factory=list)
    exit: int = 0
    first: int = 0
    last: int = 0
    combined: bool = False  # documents show both streams as a terminal does


@dataclasses.dataclass
class Script:
    """A file's commands and inputs, in their order; all share one folder."""
    path: pathlib.Path
    lines: list[str]
    actions: list[Put | Step]
    today: str = ""

    def steps(self) -> list[Step]:
        return [action for action in self.actions if isinstance(action, Step)]


def plain(line: str) -> str:
    """An expected line of a file without the backslash of an escape."""
    return line[1:] if line.startswith("\\") and line not in WILDCARDS else line


def escaped(line: str) -> str:
    """An expected line as a file has it."""
    return "\\" + line if SPECIAL.fullmatch(line) and line not in WILDCARDS else line


def without_trailing_blanks(lines: list[str]) -> list[str]:
    end = len(lines)
    while end > 0 and not lines[end - 1]:
        end -= 1
    return lines[:end]


class _Reader:
    def __init__(self, path: pathlib.Path):
        self.path = path
        self.lines = path.read_text(encoding="utf-8").split("\n")
        if self.lines[-1] == "":
            self.lines.pop()
        self.at = 0

    def more(self) -> bool:
        return self.at < len(self.lines)

    def here(self) -> str:
        return self.lines[self.at]

    def fault(self, message: str) -> FormatError:
        return FormatError(f"{self.path}:{min(self.at, len(self.lines) - 1) + 1}: {message}")

    def heredoc(self, terminator: str) -> str:
        """The text up to the terminator; stands after it then."""
        opened = self.at
        self.at += 1
        start = self.at
        while self.more() and self.here() != terminator:
            self.at += 1
        if not self.more():
            self.at = opened
            raise self.fault(f"no line {terminator!r} ends this block")
        text = "".join(line + "\n" for line in self.lines[start:self.at])
        self.at += 1
        return text

    def command(self) -> str:
        """The command at `$ `, with its continuation lines as the shell wants them."""
        text = self.here()[2:]
        self.at += 1
        while text.endswith("\\") and self.more():
            text += "\n" + re.sub(r"^> ", "", self.here())
            self.at += 1
        return text

    def output(self, stop) -> list[str]:
        """Expected lines up to one that `stop` knows, without trailing blank lines."""
        start = self.at
        while self.more() and not stop(self.here()):
            self.at += 1
        return [plain(line) for line in without_trailing_blanks(self.lines[start:self.at])]


def read_case(path: pathlib.Path) -> Script:
    reader = _Reader(path)
    reason = []
    while reader.more() and reader.here().startswith("#"):
        reason.append(reader.here().lstrip("# "))
        reader.at += 1
    if not any(reason):
        raise reader.fault("a case begins with its reason: one or more lines `# …`")
    script = Script(path, reader.lines, [])
    while reader.more():
        line = reader.here()
        if found := FILE.fullmatch(line):
            script.actions.append(Put(found[1], reader.heredoc(found[2])))
        elif found := COPY.fullmatch(line):
            script.actions.append(Put(found[1], copied_from=path.parent / found[2]))
            reader.at += 1
        elif found := TODAY.fullmatch(line):
            script.today = found[1]
            reader.at += 1
        elif line.startswith("$ "):
            script.actions.append(_case_step(reader))
        elif not line:
            reader.at += 1
        else:
            raise reader.fault(f"neither `file`, `copy`, `today` nor `$ `: {line!r}")
    if not script.steps():
        raise reader.fault("no command")
    return script


def _case_step(reader: _Reader) -> Step:
    step = Step(line=reader.at + 1, command=reader.command())
    if reader.more() and (found := STDIN.fullmatch(reader.here())):
        step.stdin = reader.heredoc(found[1])
    step.first = reader.at

    def ends(line: str) -> bool:
        return line.startswith("$ ") or FILE.fullmatch(line) is not None

    step.stdout = reader.output(lambda line: ends(line) or line == "stderr:" or EXIT.fullmatch(line))
    if reader.more() and reader.here() == "stderr:":
        reader.at += 1
        step.stderr = reader.output(lambda line: ends(line) or EXIT.fullmatch(line))
    if reader.more() and (found := EXIT.fullmatch(reader.here())):
        step.exit = int(found[1])
        reader.at += 1
        rest = reader.output(ends)
        if rest:
            raise reader.fault(f"output after `exit:`: {rest[0]!r}; the order is stdout, stderr:, exit:")
    step.last = reader.at
    return step


def read_document(path: pathlib.Path) -> Script:
    """The ```console blocks of a Markdown file, and the blocks marked `file=NAME` as inputs. Commands
    that do not run the program are passed over, with their output."""
    reader = _Reader(path)
    script = Script(path, reader.lines, [])
    while reader.more():
        line = reader.here()
        if not line.startswith("```"):
            reader.at += 1
            continue
        words = line[3:].split()
        if words[:1] == ["console"] and "skip" not in words:
            reader.at += 1
            _console(reader, script)
            continue
        text = reader.heredoc("```")
        for word in words:
            if word.startswith("file="):
                script.actions.append(Put(word[len("file="):], text))
    return script


def _console(reader: _Reader, script: Script) -> None:
    opened = reader.at
    while reader.more() and reader.here() != "```":
        if not reader.here().startswith("$ "):
            reader.at += 1
            continue
        line, command = reader.at + 1, reader.command()
        first = reader.at
        shown = reader.output(lambda text: text == "```" or text.startswith("$ "))
        previous = script.actions[-1] if script.actions else None
        command = command.replace("build/release/ullage", "ullage")
        if command == "echo $?" and isinstance(previous, Step) and len(shown) == 1:
            previous.exit = int(shown[0])
        elif RUNS_ULLAGE.search(command):
            script.actions.append(Step(line, command, stdout=shown, first=first, last=reader.at, combined=True))
    if not reader.more():
        reader.at = opened - 1
        raise reader.fault("this ```console block has no end")
    reader.at += 1


def rewrite(script: Script, expectations: dict[int, Step]) -> None:
    """Writes the file anew with other expectations for the steps at these lines."""
    lines = list(script.lines)
    for step in reversed(script.steps()):
        if step.line not in expectations:
            continue
        new = expectations[step.line]
        block = [escaped(line) for line in new.stdout]
        if not step.combined and new.stderr:
            block += ["stderr:"] + [escaped(line) for line in new.stderr]
        if not step.combined and new.exit:
            block.append(f"exit: {new.exit}")
        separated = step.last > step.first and not lines[step.last - 1]
        if separated or (not step.combined and step.last < len(lines)):
            block.append("")
        lines[step.first:step.last] = block
    script.path.write_text("\n".join(lines) + "\n", encoding="utf-8")
