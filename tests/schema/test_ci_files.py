#!/usr/bin/env python3
"""action.yml, ci/gitlab.yml and .pre-commit-hooks.yaml do what docs/ci.md says, run as their hosts run them.

    test_ci_files.py --ullage PROGRAM --to-json PROGRAM

Each runs in a fresh repository with a plan that fits, then one that cannot; building the program is passed over."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PLAN = """apiVersion: v1
kind: Pod
metadata: {{name: chat}}
spec:
  nodeSelector: {{nvidia.com/gpu.product: NVIDIA-L40S}}
  containers:
    - name: server
      image: vllm/vllm-openai:v0.10.0
      args: [--model, Qwen/Qwen3-8B, --max-model-len, "{length}"]
      resources: {{limits: {{nvidia.com/gpu: 1}}}}
"""
options = argparse.Namespace()


def tree_of(path: pathlib.Path) -> object:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(path, pathlib.Path(folder) / "file.yaml")
        done = subprocess.run([options.to_json, folder], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.split("\t", 1)[1])


class CiFiles(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.top = pathlib.Path(made.name)
        self.repository = self.top / "repository"
        (self.repository / "deploy").mkdir(parents=True)
        (self.top / "ullage").mkdir()
        (self.top / "ullage" / "ullage").symlink_to(pathlib.Path(options.ullage).resolve())

    def write(self, length: int) -> None:
        (self.repository / "deploy" / "chat.yaml").write_text(PLAN.format(length=length))

    def run_script(self, script: str, **environment: str) -> subprocess.CompletedProcess:
        path = f"{self.top / 'ullage'}:{os.environ['PATH']}"
        return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], capture_output=True, text=True,
                              cwd=self.repository, env={"PATH": path, "ULLAGE_TODAY": "2026-12-01", **environment})

    def test_the_action_annotates_and_fails(self):
        action = tree_of(PROJECT / "action.yml")
        self.assertEqual(action["runs"]["using"], "composite")
        step = action["runs"]["steps"][-1]
        values = {"PLANS": "deploy", "FAIL_ON": action["inputs"]["fail-on"]["default"],
                  "ALLOW": action["inputs"]["allow-inconclusive"]["default"], "ARGUMENTS": ""}
        # Inputs reach the script through its variables only.
        self.assertEqual(set(step["env"]), set(values))
        self.assertNotIn("${{", step["run"])
        summary = self.top / "summary.md"
        for length, status in ((8192, 0), (40960 * 8, 1)):
            with self.subTest(length):
                summary.write_text("")
                self.write(length)
                done = self.run_script(step["run"], RUNNER_TEMP=str(self.top), GITHUB_STEP_SUMMARY=str(summary), **values)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn("chat", summary.read_text())
        self.assertRegex(done.stdout, r"(?m)^::error file=deploy/chat\.yaml,line=9,col=\d+,title=kv-single-sequence::")

    def test_the_gitlab_job_reports_and_fails(self):
        job = tree_of(PROJECT / "ci" / "gitlab.yml")["ullage-check"]
        self.assertEqual(job["variables"], {"PLANS": "deploy"})
        for length, status in ((8192, 0), (40960 * 8, 1)):
            with self.subTest(length):
                self.write(length)
                done = self.run_script("\n".join(job["script"]), PLANS="deploy")
                self.assertEqual(done.returncode, status, done.stderr)
                reports = job["artifacts"]["reports"]
                quality = json.loads((self.repository / reports["codequality"]).read_text())
                self.assertIn("<testsuites", (self.repository / reports["junit"]).read_text())
        self.assertEqual([one["location"]["path"] for one in quality if one["severity"] == "major"], ["deploy/chat.yaml"])

    def test_the_hook_takes_changed_files(self):
        (hook,) = tree_of(PROJECT / ".pre-commit-hooks.yaml")
        self.assertEqual((hook["id"], hook["language"]), ("ullage-check", "system"))
        self.assertTrue(hook["require_serial"])
        (self.repository / "unrelated.json").write_text("{}")
        for length, status in ((8192, 0), (40960 * 8, 1)):
            with self.subTest(length):
                self.write(length)
                done = self.run_script(f"{hook['entry']} deploy/chat.yaml unrelated.json")
                self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(self.run_script(f"{hook['entry']} unrelated.json").returncode, 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--ullage", required=True)
    parser.add_argument("--to-json", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
