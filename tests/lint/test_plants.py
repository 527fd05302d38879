#!/usr/bin/env python3
"""`ullage lint` is silent on data/ (no error, no warning), and finds each fault that is planted in a copy, by rule
and line.

    test_plants.py --ullage PROGRAM

A plant replaces one text of one file, once; the finding must stand at the line on which `at` first occurs behind
the planted text's start, or at the planted line itself."""
from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
H100 = "hardware/nvidia/nvidia-h100-sxm5-80gb.yaml"
TRAINIUM2 = "hardware/aws/trainium2.yaml"
TRN2 = "hardware/aws/trn2.48xlarge.yaml"
SOURCES = "hardware/sources.yaml"
LLAMA = "models/meta-llama/llama-3.1-8b.yaml"
FORMATS = "models/formats.yaml"
options = argparse.Namespace()


@dataclasses.dataclass
class Plant:
    rule: str
    file: str
    old: str
    new: str
    at: str  # the planted file's line that holds this text (first one) is where the finding must stand
    level: str = "error"


PLANTS = (
    Plant("syntax", TRAINIUM2, "aliases: [", "aliases: [[", "figures:"),
    Plant("duplicate-key", TRAINIUM2, "kind: chip\n", "kind: chip\nkind: chip  # again\n", "kind: chip  # again"),
    Plant("missing-key", TRAINIUM2, "vendor: AWS\n", "", "schema: ullage"),
    Plant("unknown-key", TRAINIUM2, "vendor: AWS\n", "vendor: AWS\nvender: AWS\n", "vender"),
    Plant("unknown-key", TRAINIUM2, "  dense_fp32:\n", "  dense_fp23:\n", "dense_fp23"),
    Plant("wrong-type", TRAINIUM2, "families: [neuron, neuroncore-v3]", "families: neuron", "families: neuron"),
    Plant("out-of-range", TRAINIUM2, "value: documented", "value: rumoured", "rumoured"),
    Plant("out-of-range", TRAINIUM2, "version: 2026-11-30", "version: 2026-13-30", "2026-13-30"),
    Plant("unit", TRN2, "value: 46.4 TB/s", "value: 46.4 TBs", "46.4 TBs"),
    Plant("unit", TRN2, "value: 46.4 TB/s", "value: 46.4 TFLOPS", "46.4 TFLOPS"),
    Plant("unit", TRN2, "value: 2048 GiB", "value: 2048 G", "2048 G,"),
    Plant("unsourced", TRN2, ", source: neuron-trn2-arch, locator: L95}", ", locator: L95}", "locator: L95"),
    Plant("unsourced", TRN2, ", source: neuron-trn2-arch, locator: L95}", ", source: neuron-trn2-arch}", "46.4 TB/s"),
    Plant("unsourced", TRN2, "    source: notes-trn2-price-performance\n", "", "text: >-"),
    Plant("unsourced", SOURCES, "    url: https://achoenix.github.io/optical_io/nvidia_system.html\n", "",
          "title: NVIDIA system table (optical I/O notes)"),
    Plant("unsourced", SOURCES, "    revision: 2025-10-04\n    checked: 2026-11-30\n    tier: secondary\n",
          "    revision: 2025-10-04\n    tier: secondary\n", "title: NVIDIA system table (optical I/O notes)"),
    Plant("reference", TRN2, "source: neuron-trn2-arch, locator: L95", "source: neuron-trn2-arc, locator: L95",
          "neuron-trn2-arc,"),
    Plant("reference", TRN2, "chip: trainium2\n", "chip: trainium22\n", "trainium22"),
    Plant("reference", TRN2, "chip: trainium2\n", "chip: trn2.48xlarge\n", "chip: trn2.48xlarge"),
    Plant("reference", TRN2, "chip: trainium2\n", "chip: trainium2:lnc2\n", "chip: trainium2:lnc2"),
    Plant("unsourced", TRN2, "source: neuron-trn2-arch, locator: L95", "source: [], locator: L95", "source: []"),
    Plant("out-of-range", TRN2, "source: neuron-trn2-arch, locator: L95", "source: neuron-trn2-arch, locator: ' '",
          "locator: ' '"),
    Plant("out-of-range", TRAINIUM2, "aliases: [", "aliases: [all, ", "aliases: ["),
    Plant("zero-figure", TRN2, "value: 46.4 TB/s, printed: \"46.4\"", "value: 0 TB/s, printed: \"0\"", "0 TB/s"),
    Plant("reference", LLAMA, "    value: bf16\n", "    value: bf61\n", "value: bf61"),
    Plant("conflict", TRN2, "        pinned: the Neuron page, whose chip figure the driver confirms\n",
          "        relation: other-page\n", "- value: 1536 GiB"),
    Plant("conflict", TRN2, "        relation: different-scope\n        note: 512 GiB a chip",
          "        pinned: as well\n        note: 512 GiB a chip", "- value: 1536 GiB"),
    Plant("name-clash", TRAINIUM2, "aliases: [", "aliases: [nvidia-h100-sxm5-80gb, ", "aliases: ["),
    Plant("name-clash", TRN2, "aliases: [", "aliases: [trn2, ", "aliases: ["),
    Plant("sparse-ratio", H100, "  sparse_fp8:\n    value: ", "  sparse_fp8:\n    value: 9", "sparse_fp8:"),
    Plant("aggregate", TRN2, "value: 46.4 TB/s, printed: \"46.4\"", "value: 64.4 TB/s, printed: \"64.4\"", "64.4 TB/s",
          "warning"),
    Plant("printed-differs", TRN2, "value: 46.4 TB/s", "value: 64.4 TB/s", "64.4 TB/s", "warning"),
    Plant("stored-bits", FORMATS, "stored_bits: 4097/512", "stored_bits: 4097/510", "4097/510", "note"),
    Plant("unused-source", SOURCES, "\n  achoenix:\n", "\n  nobody-cites-me:\n    title: x\n    publisher: x\n"
          "    url: https://example.org\n    revision: x\n    checked: 2026-11-30\n    tier: primary\n\n  achoenix:\n",
          "nobody-cites-me", "note"),
    Plant("duplicate-key", SOURCES, "\n  achoenix:\n", "\n  a6000-code: {}\n\n  achoenix:\n", "a6000-code: {}"),
    Plant("unknown-group", LLAMA, "architecture:\n", "statements:\n  - text: x\n    source: hf-config-llama-3.1-8b\n"
          "    locator: x\n    applies_to: [grasshopper]\narchitecture:\n", "grasshopper", "note"),
    Plant("card-incomplete", LLAMA, "  licence:\n", "  copying:\n", "schema: ullage", "note"),
    Plant("partition-exceeds-chip", H100, "value: 9.75 GiB, printed: \"9.75\"", "value: 97.5 GiB, printed: \"97.5\"",
          "97.5 GiB"),
    Plant("partition-exceeds-chip", TRAINIUM2, "        value: 1\n        derivation: LNC 1 leaves",
          "        value: 2\n        derivation: LNC 1 leaves", "value: 2"),
    Plant("name-clash", TRAINIUM2, "    aliases: [core]\n", "    aliases: [core, lnc2]\n", "aliases: [core, lnc2]"),
    Plant("duplicate-key", TRAINIUM2, "  lnc1:\n", "  lnc2:  # again\n    kind: mig\n  lnc1:\n", "lnc2:  # again"),
    Plant("missing-key", TRAINIUM2, "    kind: logical-core\n    name: AWS Trainium2, logical core at LNC 1\n",
          "    name: AWS Trainium2, logical core at LNC 1\n", "    name: AWS"),
    Plant("unknown-key", TRAINIUM2, "      tensor_parallel_degrees:\n", "      tensor_degrees:\n", "tensor_degrees"),
    Plant("unsourced", TRAINIUM2, "        values: [1, 4, 8, 16]\n        printed: 1, 4, 8 or 16\n"
          "        source: flyte-neuron-counts\n",
          "        values: [1, 4, 8, 16]\n        printed: 1, 4, 8 or 16\n", "values: [1, 4, 8"),
    Plant("not-a-count", TRN2, "chips: {value: 16, printed: \"16\"", "chips: {value: 15.5, printed: \"15.5\"", "15.5"),
    Plant("not-a-count", TRN2, "value: 192, printed: \"192\"", "value: 0, printed: \"0\"", "value: 0"),
)


class Plants(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        # The files that are damaged and what stands beside them; the program knows the rest.
        for name in ("hardware/aws", H100, SOURCES, LLAMA, FORMATS, "models/sources.yaml"):
            target = self.folder / "data" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if "." not in name else shutil.copy)(PROJECT / "data" / name, target)

    def lint(self, *words: str) -> tuple[int, list[dict]]:
        done = subprocess.run([options.ullage, "lint", "data", "-o", "json", *words], cwd=self.folder,
                              capture_output=True, text=True, env={"ULLAGE_TODAY": "2026-12-01"})
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.returncode, [note for row in json.loads(done.stdout)["rows"] for note in row["notes"]]

    def found(self, notes: list[dict], plant: Plant, line: int) -> bool:
        return any(note["code"] == plant.rule and note["level"] == plant.level and note["line"] == line
                   and note["file"] == f"data/{plant.file}" for note in notes)

    def test_the_catalogue_is_clean(self):
        shutil.rmtree(self.folder / "data")
        shutil.copytree(PROJECT / "data", self.folder / "data")
        status, notes = self.lint("--fail-on", "warning", "--max-age", "400d")
        self.assertEqual([note for note in notes if note["level"] != "note"], [])
        self.assertEqual(status, 0)

    def test_each_planted_fault_is_found(self):
        _, before = self.lint()
        for plant in PLANTS:
            with self.subTest(f"{plant.rule}: {plant.file}: {plant.new.strip()[:40]}"):
                path = self.folder / "data" / plant.file
                whole = path.read_text(encoding="utf-8")
                self.assertIn(plant.old, whole)
                planted = whole.replace(plant.old, plant.new, 1)
                start = whole.index(plant.old)
                line = self.line_of(planted, plant.at, start)
                self.assertFalse(self.found(before, plant, line))
                path.write_text(planted, encoding="utf-8")
                status, notes = self.lint()
                path.write_text(whole, encoding="utf-8")
                self.assertTrue(self.found(notes, plant, line),
                                [note for note in notes if note not in before] or "nothing new was found")
                self.assertEqual(status, 1 if plant.level == "error" else 0)

    @staticmethod
    def line_of(text: str, mark: str, start: int) -> int:
        """The line of the mark: its first occurrence near the plant, else its first at all."""
        near = text.find(mark, max(0, start - 200))
        place = text.find(mark) if mark.startswith("schema") or near < 0 else near
        assert place >= 0, mark
        return text.count("\n", 0, place) + 1

    def test_a_second_file_of_an_entry(self):
        shutil.copy(self.folder / "data" / TRN2, self.folder / "data/hardware/aws/zzz.yaml")
        status, notes = self.lint()
        rules = {note["code"] for note in notes if note["file"].endswith("zzz.yaml")} - {"aggregate"}  # TRN2's own
        self.assertEqual((status, rules), (1, {"duplicate-entry", "file-name"}))

    def test_a_second_source_of_an_id(self):
        extra = self.folder / "data/zzz.yaml"
        extra.write_text("schema: ullage/sources/1\nsources:\n  achoenix: {title: x, publisher: x, revision: x,\n"
                         "    url: https://example.org, checked: 2026-11-30, tier: primary}\n", encoding="utf-8")
        status, notes = self.lint()
        self.assertEqual(status, 1)
        self.assertIn(("duplicate-source", "data/zzz.yaml", 3),
                      [(note["code"], note["file"], note["line"]) for note in notes])

    def test_sources_grow_stale(self):
        status, notes = self.lint("--max-age", "90", "--today", "2027-03-01")
        stale = [note for note in notes if note["code"] == "stale-source"]
        self.assertGreater(len(stale), 200)
        self.assertTrue(all(note["level"] == "warning" for note in stale))
        self.assertEqual(status, 0)
        self.assertEqual(self.lint("--max-age", "90", "--today", "2027-03-01", "--fail-on", "warning")[0], 1)
        _, notes = self.lint("--max-age", "90", "--today", "2027-02-28")
        self.assertEqual([note for note in notes if note["code"] == "stale-source"], [])

    def test_all_faults_are_collected_in_file_order(self):
        for plant in (PLANTS[3], PLANTS[4], next(p for p in PLANTS if p.file == LLAMA), PLANTS[8]):
            path = self.folder / "data" / plant.file
            path.write_text(path.read_text(encoding="utf-8").replace(plant.old, plant.new, 1), encoding="utf-8")
        _, notes = self.lint()
        places = [(note["file"], note["line"], note["column"]) for note in notes]
        self.assertEqual(places, sorted(places))
        errors = [note["file"] for note in notes if note["level"] == "error"]
        # A format that does not exist is a fault of the reference, and leaves the card uncounted.
        self.assertEqual(errors, [f"data/{TRAINIUM2}"] * 2 + [f"data/{TRN2}"] + [f"data/{LLAMA}"] * 2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--ullage", required=True)
    options, rest = parser.parse_known_args()
    options.ullage = str(pathlib.Path(options.ullage).resolve())
    unittest.main(argv=[sys.argv[0], *rest])
