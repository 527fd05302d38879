#!/usr/bin/env python3
"""Checks the rules about files that no compiler checks.

    check_layers.py [PROJECT]

- rooms include only what docs/architecture.md allows them (its table is read, so page and check agree),
  and their CMake files link only that
- each heavy header is included by one .cpp
- no floating point outside src/report, no stream output outside src/cli and the main.cpp of a program
- each file of src says first, in a comment, what it answers; none is longer than 600 lines; no work is
  left lying in comments

Prints file:line: fault, and last 'N files, N faults'. Exit 1 with any fault."""
from __future__ import annotations

import pathlib
import re
import sys

ROW = re.compile(r"\| `(\w+)` \|.*\| ([^|]*) \|")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
# A header that costs seconds a file (docs/architecture.md): where its one includer lives.
HEAVY = {"CLI/": "cli", "nlohmann/": "document", "yaml-cpp/": "document", "boost/": "exact"}
FLOATING = re.compile(r"\b(?:double|float)\b")
OUTPUT = re.compile(r"\bstd::(?:cout|cerr|clog|print|puts|fputs|putchar)\b|\bfmt::print\b"
                    r"|\b(?:printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|perror)\s*\(")
OUTPUT_HEADERS = {"iostream", "print", "fmt/color.h"}
UNFINISHED = re.compile(r"\b(?:" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")) + r")\b")
LITERALS = re.compile(
    r'R"(?P<mark>[^()\s\\]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)
LONGEST = 600


def allowed_uses(page: str) -> dict[str, set[str]]:
    """The table of rooms: `| `room` | holds | `other` `other` |` a row."""
    return {found[1]: set(re.findall(r"`(\w+)`", found[2])) for found in map(ROW.fullmatch, page.splitlines()) if found}


def unordered(uses: dict[str, set[str]]) -> list[str]:
    """Faults of the table itself: a row may name only rooms of rows above it."""
    faults, above = [], set()
    for room, used in uses.items():
        faults += [f"`{room}` may use `{name}`, which stands not above it" for name in sorted(used - above)]
        above.add(room)
    return faults


def code_of(text: str) -> str:
    """The text with comments and literals blanked, line by line as before; includes keep their names."""
    def blank(found: re.Match) -> str:
        line = text[text.rfind("\n", 0, found.start()) + 1:found.start()]
        if re.fullmatch(r"\s*#\s*include\s*", line):
            return found[0]
        if found[0][:1] == "'" and re.search(r"[0-9a-fA-F]$", line):
            return found[0]  # digit separators: 4'000'000
        return re.sub(r"[^\n]", " ", found[0])
    return LITERALS.sub(blank, text)


class Checker:
    def __init__(self, project: pathlib.Path):
        self.project = project
        self.faults: list[str] = []
        self.files = 0
        page = project / "docs" / "architecture.md"
        self.uses = allowed_uses(page.read_text(encoding="utf-8"))
        self.heavy: dict[str, list[str]] = {}
        for fault in unordered(self.uses) or ([] if self.uses else ["no table of rooms"]):
            self.faults.append(f"docs/architecture.md: {fault}")

    def fault(self, path: pathlib.Path, line: int, text: str) -> None:
        self.faults.append(f"{path.relative_to(self.project)}:{line}: {text}")

    def check(self) -> None:
        for path in self.sources("src"):
            self.check_source(path)
        for folder in ("src", "include", "tests", "cmake", "scripts"):
            for path in self.sources(folder):
                self.check_text(path)
        for path in sorted((self.project / "src").glob("*/CMakeLists.txt")):
            self.check_links(path)
        for header, includers in self.heavy.items():
            if len(includers) > 1:
                self.faults.append(f"<{header}…> is included by {', '.join(includers)}: one .cpp is the rule")

    def sources(self, folder: str) -> list[pathlib.Path]:
        suffixes = {".cpp", ".hpp"} if folder == "src" else {".cpp", ".hpp", ".py", ".sh"}
        return sorted(path for path in (self.project / folder).rglob("*") if path.suffix in suffixes)

    def check_text(self, path: pathlib.Path) -> None:
        self.files += 1
        lines = path.read_text(encoding="utf-8").splitlines()
        if len(lines) > LONGEST:
            self.fault(path, LONGEST + 1, f"{len(lines)} lines: more than {LONGEST} are two subjects")
        for number, line in enumerate(lines, 1):
            if found := UNFINISHED.search(line):
                self.fault(path, number, f"{found[0]}: finish it, or say in an issue what is left")

    def check_source(self, path: pathlib.Path) -> None:
        text = path.read_text(encoding="utf-8")
        if not text.startswith("// "):
            self.fault(path, 1, "begins without the comment that says what the file answers")
        parts = path.relative_to(self.project / "src").parts
        room = parts[0] if len(parts) > 1 else None
        speaks = room in (None, "cli") or path.name == "main.cpp"
        if room is not None and room not in self.uses:
            self.fault(path, 1, f"the room `{room}` is not in the table of docs/architecture.md")
            return
        for number, line in enumerate(code_of(text).splitlines(), 1):
            if found := INCLUDE.match(line):
                self.check_include(path, number, room, found[1], found[2])
                if found[2] in OUTPUT_HEADERS and not speaks:
                    self.fault(path, number, f"<{found[2]}>: only cli writes to streams")
            elif not speaks and (found := OUTPUT.search(line)):
                self.fault(path, number, f"{found[0].strip(' (')}: only cli writes to streams")
            if room != "report" and FLOATING.search(line) and "= delete" not in line:
                self.fault(path, number, "floating point: numbers are exact outside report")

    def check_include(self, path: pathlib.Path, number: int, room: str | None, own: str | None,
                      system: str | None) -> None:
        for prefix, home in HEAVY.items():
            if (own or system or "").startswith(prefix):
                if path.suffix != ".cpp" or room != home:
                    self.fault(path, number, f"<{prefix}…> belongs into one .cpp of {home}")
                name = str(path.relative_to(self.project))
                if name not in self.heavy.setdefault(prefix, []):
                    self.heavy[prefix].append(name)
        if own is None or room is None:
            return
        target = own.split("/")[0]
        if "/" not in own:
            self.fault(path, number, f'"{own}": write the room too, "{room}/{own}"')
        elif target != room and target in self.uses and target not in self.uses[room]:
            self.fault(path, number, f"`{room}` may not use `{target}`")

    def check_links(self, path: pathlib.Path) -> None:
        room = path.parent.name
        text = re.sub(r"#[^\n]*", "", path.read_text(encoding="utf-8"))
        for uses in re.findall(r"ullage_room\(.*?\bUSES\b([^)]*)\)", text, re.S):
            for name in re.split(r"\b(?:PACKAGES|SOURCES)\b", uses)[0].split():
                # `catalog_data`, the embedded entries, is a part of the room `catalog`.
                if name.split("_")[0] not in self.uses.get(room, set()):
                    self.fault(path, 1, f"`{room}` may not link `{name}`")


def main() -> int:
    project = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    checker = Checker(project if len(sys.argv) > 1 else project.parents[2])
    checker.check()
    print("\n".join(checker.faults + [f"{checker.files} files, {len(checker.faults)} faults"]))
    return 1 if checker.faults else 0


if __name__ == "__main__":
    sys.exit(main())
