#!/usr/bin/env python3
"""What `check` and `lock` write for machines keeps the form that its readers require.

    test_check_outputs.py --ullage PROGRAM

SARIF is held against sarif.schema.json, which says in our own words what the standard requires; JUnit against the
elements, attributes and counts that readers of test reports take; the lock and plans against docs/schema."""
import argparse
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from validate import Validator

HERE = pathlib.Path(__file__).resolve().parent
SCHEMAS = HERE.parents[1] / "docs" / "schema"
TIGHT = """schema: ullage/plan/1
name: "tight <&> \\u2028"
model: 70B
weights: bf16
hardware: {on: h100-sxm, count: 1}
working_memory: 0GB
reserve: 10%
"""
ACCEPTED = TIGHT + "waivers:\n  - {rule: weights-over-budget, reason: \"a second <node> comes\", expires: 2099-01-01}\n"
EXPIRED = TIGHT + "waivers:\n  - {rule: weights-over-budget, reason: late, expires: 2020-01-01}\n"
INLINE = TIGHT.replace("hardware:", "# ullage: ignore=weights-over-budget the node has two\nhardware:")
OPEN = "apiVersion: v1\nkind: Pod\nmetadata: {name: open}\nspec:\n  containers:\n  - {name: a, image: vllm/vllm-openai, args: [--model, Qwen/Qwen3-8B]}\n"
BROKEN = "a: [1\n"
FILES = {"tight.yaml": TIGHT, "accepted.yaml": ACCEPTED, "expired.yaml": EXPIRED, "inline.yaml": INLINE, "open.yaml": OPEN,
         "two of one.yaml": OPEN + "---\n" + OPEN, "broken #1.yaml": BROKEN}
options = argparse.Namespace()


def schema(path: pathlib.Path) -> Validator:
    return Validator(json.loads(path.read_text(encoding="utf-8")))


def junit_faults(text: str) -> list[str]:
    """What is wrong with a JUnit report: testsuites > testsuite > testcase > failure, error or skipped."""
    faults: list[str] = []
    root = ElementTree.fromstring(text)
    if root.tag != "testsuites":
        return [f"the root is {root.tag}"]

    def counted(element: ElementTree.Element) -> None:
        cases = list(element.iter("testcase"))
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            count = sum(case.find(tag) is not None for case in cases)
            if element.get(name) != str(count):
                faults.append(f"{element.tag} says {name}={element.get(name)}, has {count}")
        if element.get("tests") != str(len(cases)):
            faults.append(f"{element.tag} says tests={element.get('tests')}, has {len(cases)}")

    counted(root)
    for suite in root:
        if suite.tag != "testsuite" or not suite.get("name"):
            faults.append(f"{suite.tag} without a name, or no testsuite")
        counted(suite)
        for case in suite:
            if case.tag != "testcase" or not case.get("name") or not case.get("classname"):
                faults.append(f"{case.tag} without name and classname, or no testcase")
            if not case.get("line", "1").isdigit():
                faults.append(f"a line that is no number: {case.get('line')}")
            if len(case) > 1:
                faults.append("a test case has two outcomes")
            for outcome in case:
                if outcome.tag not in ("failure", "error", "skipped") or not outcome.get("message"):
                    faults.append(f"{outcome.tag} is no outcome, or has no message")
    return faults


class CheckOutputs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        for name, text in FILES.items():
            (pathlib.Path(self.folder.name) / name).write_text(text, encoding="utf-8")

    def run_check(self, *words: str, status: int = 2) -> str:
        done = subprocess.run([options.ullage, "check", ".", *words], capture_output=True, text=True, cwd=self.folder.name,
                              env={"ULLAGE_TODAY": "2026-12-01"})
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    def test_sarif_is_what_the_standard_requires(self):
        check = schema(HERE / "sarif.schema.json")
        log = json.loads(self.run_check("-o", "sarif"))
        self.assertEqual(check.faults(log), [])
        run = log["runs"][0]
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        self.assertEqual(len(rules), len(set(rules)))
        prints = [result["partialFingerprints"]["ullage/v1"] for result in run["results"]]
        self.assertEqual(len(prints), len(set(prints)))
        for result in run["results"]:
            self.assertEqual(rules[result["ruleIndex"]], result["ruleId"])
        uris = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]}
        self.assertIn("broken%20%231.yaml", uris)
        self.assertFalse([uri for uri in uris if uri.startswith("/") or ":" in uri])
        suppressed = {result["suppressions"][0]["kind"]: result for result in run["results"] if "suppressions" in result}
        self.assertEqual(sorted(suppressed), ["external", "inSource"])
        self.assertEqual(suppressed["external"]["suppressions"][0]["justification"], "a second <node> comes")
        self.assertIn("waiver-expired", [result["ruleId"] for result in run["results"]])

    def test_broken_sarif_is_refused(self):
        check = schema(HERE / "sarif.schema.json")
        whole = json.loads(self.run_check("-o", "sarif"))
        breaks = {
            "no version": lambda log: log.pop("version"),
            "no driver": lambda log: log["runs"][0]["tool"].pop("driver"),
            "a result without a message": lambda log: log["runs"][0]["results"][0].pop("message"),
            "a level of no kind": lambda log: log["runs"][0]["results"][0].update(level="fatal"),
            "a line of nought": lambda log: log["runs"][0]["results"][0]["locations"][0]["physicalLocation"].update(
                region={"startLine": 0}),
            "a blank in a URI": lambda log: log["runs"][0]["results"][0]["locations"][0]["physicalLocation"].update(
                artifactLocation={"uri": "a b.yaml"}),
            "a suppression of no kind": lambda log: log["runs"][0]["results"][0].update(suppressions=[{}]),
        }
        for name, damage in breaks.items():
            with self.subTest(name):
                broken = copy.deepcopy(whole)
                damage(broken)
                self.assertNotEqual(check.faults(broken), [])

    def test_prints_outlive_edits(self):
        before = json.loads(self.run_check("-o", "sarif"))["runs"][0]["results"]
        tight = pathlib.Path(self.folder.name) / "tight.yaml"
        tight.write_text("# a remark\n\n" + TIGHT.replace("70B", "80B"), encoding="utf-8")
        after = json.loads(self.run_check("-o", "sarif"))["runs"][0]["results"]
        of = lambda results: [result["partialFingerprints"]["ullage/v1"] for result in results
                              if result["ruleId"] == "weights-over-budget"]
        self.assertEqual(of(before), of(after))

    def test_junit_is_what_readers_take(self):
        text = self.run_check("-o", "junit")
        self.assertEqual(junit_faults(text), [])
        root = ElementTree.fromstring(text)
        self.assertGreater(int(root.get("failures")), 3)
        self.assertGreater(int(root.get("skipped")), 2)
        self.assertIn("tight.yaml, tight <&> \\u2028 (ullage)", [suite.get("name") for suite in root])

    def test_broken_junit_is_refused(self):
        text = self.run_check("-o", "junit")
        for old, new in (("<testsuites ", "<suites "), (' tests="', ' tests="1'), ('classname="', 'class="'),
                         ("<failure ", "<fault "), ('failures="', 'failures="9')):
            with self.subTest(old):
                broken = text.replace(old, new).replace("</testsuites>", "</suites>" if "suites " == new[1:] else "</testsuites>")
                self.assertNotEqual(junit_faults(broken), [])

    def test_code_quality_is_what_gitlab_takes(self):
        found = json.loads(self.run_check("-o", "gitlab"))
        self.assertGreater(len(found), 5)
        self.assertEqual(len({one["fingerprint"] for one in found}), len(found))
        for one in found:
            self.assertEqual(sorted(one), ["check_name", "description", "fingerprint", "location", "severity"])
            self.assertIn(one["severity"], ("info", "minor", "major", "critical", "blocker"))
            self.assertFalse(one["location"]["path"].startswith(("./", "/")))
            self.assertGreaterEqual(one["location"]["lines"]["begin"], 1)

    def test_annotations_are_single_lines(self):
        for line in self.run_check("-o", "github").splitlines():
            self.assertRegex(line, r"^::(error|warning|notice) file=[^:]*,line=\d+(,col=\d+)?,title=[a-z-]+::.+$|"
                                   r"^::(error|warning|notice) file=[^:]*,title=[a-z-]+::.+$")

    def test_the_lock_keeps_its_schema(self):
        (pathlib.Path(self.folder.name) / "broken #1.yaml").unlink()
        done = subprocess.run([options.ullage, "lock", "."], capture_output=True, text=True, cwd=self.folder.name, env={})
        self.assertIn(done.returncode, (0, 1, 3), done.stderr)
        lock = json.loads((pathlib.Path(self.folder.name) / "ullage.lock").read_text(encoding="utf-8"))
        check = schema(SCHEMAS / "lock.schema.json")
        self.assertEqual(check.faults(lock), [])
        breaks = {
            "no figures": lambda one: one.pop("figures"),
            "a figure that is no number": lambda one: one["figures"].update(weights_floor="140 GB"),
            "a digest of no kind": lambda one: one["device"].update(digest="md5:0"),
            "an unknown key": lambda one: one.update(note="x"),
        }
        place = next(i for i, one in enumerate(lock["workloads"]) if "device" in one)
        for name, damage in breaks.items():
            with self.subTest(name):
                broken = copy.deepcopy(lock)
                damage(broken["workloads"][place])
                self.assertNotEqual(check.faults(broken), [])

    def test_a_plan_of_init_keeps_its_schema(self):
        done = subprocess.run([options.ullage, "check", "--init", "--model", "llama-3.1-8b", "--on", "h100-sxm"],
                              capture_output=True, text=True, env={})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("schema: ullage/plan/1\n"))
        again = subprocess.run([options.ullage, "check", "-", "-o", "json"], input=done.stdout, capture_output=True, text=True,
                               env={})
        self.assertIn(again.returncode, (0, 1), again.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--ullage", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
