#!/usr/bin/env python3
"""Each rule of check_layers.py catches its offender, in a project made for it, and nothing else."""
import pathlib
import tempfile
import unittest

import check_layers

PAGE = """
| room | holds | may use |
| --- | --- | --- |
| `base` | ground | nothing |
| `exact` | numbers | `base` |
| `document` | trees | `base` `exact` |
| `report` | pages | `base` |
| `cli` | words | `base` `exact` `document` `report` |
"""


class CheckLayers(unittest.TestCase):
    def faults(self, files: dict[str, str], page: str = PAGE) -> list[str]:
        with tempfile.TemporaryDirectory() as root:
            project = pathlib.Path(root).resolve()
            for name, text in {"docs/architecture.md": page, **files}.items():
                (project / name).parent.mkdir(parents=True, exist_ok=True)
                (project / name).write_text(text)
            checker = check_layers.Checker(project)
            checker.check()
            return checker.faults

    def clean(self, name: str, text: str) -> None:
        self.assertEqual(self.faults({name: "// Why.\n" + text}), [])

    def caught(self, name: str, text: str, words: str) -> None:
        faults = self.faults({name: "// Why.\n" + text})
        self.assertEqual(len(faults), 1, faults)
        self.assertIn(words, faults[0])
        self.assertTrue(faults[0].startswith(f"{name}:2: "), faults)

    def test_direction(self):
        self.clean("src/exact/a.cpp", '#include "base/b.hpp"\n#include "exact/c.hpp"\n#include <vector>\n')
        self.caught("src/exact/a.cpp", '#include "document/b.hpp"\n', "`exact` may not use `document`")
        self.caught("src/report/a.cpp", '#include "exact/b.hpp"\n', "`report` may not use `exact`")
        self.caught("src/exact/a.cpp", '#include "c.hpp"\n', "write the room too")
        self.clean("src/main.cpp", '#include "document/b.hpp"\n#include <iostream>\n')

    def test_rooms_are_in_the_table(self):
        faults = self.faults({"src/shed/a.cpp": "// Why.\n"})
        self.assertIn("`shed` is not in the table", faults[0])

    def test_the_table_goes_one_way(self):
        self.assertIn("stands not above it", self.faults({}, PAGE.replace("nothing", "`cli`"))[0])
        self.assertIn("no table", self.faults({}, "# Architecture\n")[0])

    def test_links(self):
        links = "ullage_room(exact SOURCES a.cpp # USES cli\n  USES base {} PACKAGES Boost::headers)\n"
        self.assertEqual(self.faults({"src/exact/CMakeLists.txt": links.format("base_data")}), [])
        self.assertIn("may not link `cli`", self.faults({"src/exact/CMakeLists.txt": links.format("cli")})[0])

    def test_heavy_headers(self):
        self.clean("src/exact/big.cpp", "#include <boost/multiprecision/cpp_int.hpp>\n")
        self.caught("src/exact/big.hpp", "#include <boost/multiprecision/cpp_int.hpp>\n", "one .cpp of exact")
        self.caught("src/base/a.cpp", '#include "nlohmann/json.hpp"\n', "one .cpp of document")
        twice = self.faults({f"src/cli/{name}.cpp": "// Why.\n#include <CLI/CLI.hpp>\n" for name in "ab"})
        self.assertEqual(twice, ["<CLI/…> is included by src/cli/a.cpp, src/cli/b.cpp: one .cpp is the rule"])

    def test_floating_point(self):
        self.caught("src/exact/a.cpp", "double x = 1;\n", "floating point")
        self.caught("src/exact/a.cpp", "auto y = f<float>();\n", "floating point")
        self.clean("src/report/a.cpp", "double x = 1;\n")
        self.clean("src/exact/a.cpp", 'Rational(double) = delete;\n// a double\n/* float\n float */ auto s = "double";\n'
                   "auto r = R\"x(float)\" double)x\"; int doubled = 4'000; char c = '\"'; float_t_like();\n")
        self.caught("src/exact/a.cpp", "int n = 4'000'000; double x; char c = 'x';\n", "floating point")

    def test_output(self):
        for text in ("std::cout << 1;\n", 'fmt::print("x");\n', 'printf("x");\n', "std::puts(x);\n"):
            self.caught("src/base/a.cpp", text, "only cli writes")
            self.clean("src/cli/a.cpp", text)
            self.clean("src/base/tool/main.cpp", text)
        self.caught("src/base/a.cpp", "#include <iostream>\n", "only cli writes")
        self.clean("src/base/a.cpp", 'std::snprintf(a, 1, "x"); output.puts_line();\n')

    def test_length_first_comment_and_leftovers(self):
        self.assertIn("more than 600", self.faults({"src/base/a.cpp": "// Why.\n" * 601})[0])
        self.assertEqual(self.faults({"src/base/a.cpp": "// Why.\n" * 600}), [])
        self.assertIn("begins without", self.faults({"src/base/a.cpp": "int x;\n"})[0])
        self.assertIn("finish it", self.faults({"tests/a.py": "# TO" + "DO later\n"})[0])


if __name__ == "__main__":
    unittest.main()
