#!/usr/bin/env python3
"""Every file of data/ and the JSON of several commands keep the schemas of docs/schema; what breaks a rule does not.

    test_schemas.py --ullage PROGRAM --to-json PROGRAM"""
import argparse
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from validate import Validator

PROJECT = pathlib.Path(__file__).resolve().parents[2]
BY_SCHEMA = {f"ullage/{name}/1": name for name in ("hardware", "model", "sources", "formats", "labels", "result")}
COMMANDS = (
    ["fit", "glm-5.3-flash", "--on", "trainium2"],
    ["fit", "llama-3.1-70b", "--on", "h100-sxm", "--devices", "4"],
    ["weights", "llama-3.1-8b"],
    ["show", "trainium2"],
    ["show", "trn2-ultraserver"],
    ["show", "llama-3.1-8b"],
    ["show", "h100-sxm:1g.10gb"],
    ["show", "tpu-v5e:2x4"],
    ["list", "hardware"],
    ["list", "partitions"],
    ["list", "models"],
    ["list", "hardware", "--columns", "id,dense_bf16,tdp"],
    ["sources"],
    ["sources", "neuron-lnc"],
    ["diff", "trainium2@2024-12-03", "trainium2"],
    ["lint"],
    ["lint", "--rules"],
)
options = argparse.Namespace()


def validator(name: str) -> Validator:
    return Validator(json.loads((PROJECT / "docs" / "schema" / f"{name}.schema.json").read_text(encoding="utf-8")))


def documents(folder: pathlib.Path) -> dict:
    done = subprocess.run([options.to_json, folder], capture_output=True, text=True, check=True)
    return {name: json.loads(text) for name, text in (line.split("\t", 1) for line in done.stdout.splitlines())}


class Schemas(unittest.TestCase):
    def test_every_data_file_keeps_its_schema(self):
        validators = {schema: validator(name) for schema, name in BY_SCHEMA.items()}
        found = documents(PROJECT / "data")
        self.assertGreater(len(found), 150)
        for name, document in found.items():
            with self.subTest(name):
                self.assertEqual(validators[document["schema"]].faults(document), [])

    def test_the_output_of_commands_keeps_its_schema(self):
        check = validator("result")
        for words in COMMANDS:
            with self.subTest(" ".join(words)):
                done = subprocess.run([options.ullage, *words, "-o", "json"], capture_output=True, text=True, env={})
                self.assertIn(done.returncode, (0, 1, 3), done.stderr)
                self.assertEqual(check.faults(json.loads(done.stdout)), [])

    def test_an_imported_card_keeps_its_schema(self):
        config = {"model_type": "llama", "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 4,
                  "intermediate_size": 16, "vocab_size": 10, "torch_dtype": "bfloat16"}
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "config.json").write_text(json.dumps(config))
            done = subprocess.run([options.ullage, "import", folder, "--id", "tiny"], capture_output=True, text=True,
                                  check=True, env={"ULLAGE_TODAY": "2026-12-01"})
            (pathlib.Path(folder) / "tiny.yaml").write_text(done.stdout)
            (card,) = documents(pathlib.Path(folder)).values()
        self.assertEqual(validator("model").faults(card), [])
        del next(iter(card["sources"].values()))["revision"]
        self.assertNotEqual(validator("model").faults(card), [])

    def test_broken_entries_are_refused(self):
        whole = documents(PROJECT / "data" / "hardware" / "aws")[
            str(PROJECT / "data" / "hardware" / "aws" / "trainium2.yaml")]
        check = validator("hardware")
        breaks = {
            "no source": lambda e: e["figures"]["dense_fp8"]["claims"][0].pop("source"),
            "no locator": lambda e: e["figures"]["dense_fp8"]["claims"][0].pop("locator"),
            "no pin": lambda e: [claim.pop("pinned", None) for claim in e["figures"]["dense_fp8"]["claims"]],
            "two pins": lambda e: [claim.update(pinned="x") for claim in e["figures"]["dense_fp8"]["claims"]],
            "an unknown key": lambda e: e.update(vender="AWS"),
            "an unknown figure": lambda e: e["figures"].update(dense_fp7=e["figures"]["dense_fp8"]),
            "no version": lambda e: e.pop("version"),
            "a version that is no date": lambda e: e.update(version="2026"),
            "a status of no kind": lambda e: e["status"].update(value="rumoured"),
            "a kind of no kind": lambda e: e.update(kind="card"),
            "a chip of a chip": lambda e: e.update(chip="trainium1"),
            "an instance without its chip": lambda e: e.update(kind="instance"),
            "an unknown without a status": lambda e: e["figures"]["tdp"].pop("status"),
            "an attribute without a source": lambda e: e["attributes"]["core_version"].pop("source"),
            "a statement without a locator": lambda e: e["statements"][0].pop("locator"),
            "a partition of no kind": lambda e: e["partitions"]["lnc1"].pop("kind"),
            "a partition without memory": lambda e: e["partitions"]["lnc1"]["figures"].pop("memory_capacity"),
            "a slice without chips": lambda e: e["partitions"]["lnc1"].update(kind="slice"),
            "a partition with an odd name": lambda e: e["partitions"].update({"LNC 1": e["partitions"]["lnc1"]}),
            "software without support": lambda e: e["software"]["nxd-inference"].pop("support"),
            "an unknown list": lambda e: e["software"]["nxd-inference"]["lists"].update(degrees={}),
            "a list without a source": lambda e: e["software"]["kubernetes"]["lists"]["chip_counts"].pop("source"),
        }
        self.assertEqual(check.faults(whole), [])
        for name, damage in breaks.items():
            with self.subTest(name):
                broken = copy.deepcopy(whole)
                damage(broken)
                self.assertNotEqual(check.faults(broken), [])

    def test_broken_results_are_refused(self):
        done = subprocess.run([options.ullage, "show", "trainium2", "-o", "json"], capture_output=True, text=True)
        whole = json.loads(done.stdout)
        check = validator("result")
        figure = next(iter(whole["figures"]))
        breaks = {
            "another schema": lambda a: a.update(schema="ullage/result/2"),
            "no digest": lambda a: a["tool"]["catalogue"].pop("digest"),
            "a published figure without a source": lambda a: a["figures"][figure].update(source=None),
            "an unknown without a reason": lambda a: a["rows"][0]["results"]["tdp"].pop("unknown"),
            "a number as text": lambda a: a["figures"][figure].update(value="1"),
            "a source without a day": lambda a: next(iter(a["sources"].values())).pop("checked"),
        }
        for name, damage in breaks.items():
            with self.subTest(name):
                broken = copy.deepcopy(whole)
                damage(broken)
                self.assertNotEqual(check.faults(broken), [])

    def test_the_schemas_know_the_figures_of_the_program(self):
        done = subprocess.run([options.ullage, "help", "figures"], capture_output=True, text=True, check=True)
        for name, part in zip(("hardware", "model"), done.stdout.split("\n\n")):
            schema = json.loads((PROJECT / "docs" / "schema" / f"{name}.schema.json").read_text(encoding="utf-8"))
            self.assertEqual(list(schema["properties"]["figures"]["properties"]),
                             [line.split()[0] for line in part.splitlines()[1:]], name)
        software = json.loads((PROJECT / "docs/schema/hardware.schema.json").read_text(encoding="utf-8"))["$defs"]["software"]
        for name, part in zip(("figures", "lists"), done.stdout.split("\n\n")[2:]):
            self.assertEqual(list(software["properties"][name]["properties"]),
                             [line.split()[0] for line in part.splitlines()[1:]], name)

    def test_a_keyword_that_is_not_known_is_a_fault(self):
        with self.assertRaises(ValueError):
            Validator({"multipleOf": 2}).faults(4)

    def test_yaml_that_is_broken_is_no_document(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "a.yaml").write_text("a: [1\n")
            self.assertNotEqual(subprocess.run([options.to_json, folder], capture_output=True).returncode, 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--ullage", required=True)
    parser.add_argument("--to-json", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
