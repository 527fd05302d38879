#!/usr/bin/env python3
"""The JSON checker finds each kind of broken promise, and nothing in a sound answer."""
import json
import unittest

import check_json


def sound() -> dict:
    """An answer in which every promise holds: two parts, one published, one an exact third."""
    return {
        "schema": "ullage/result/1",
        "tool": {"version": "0.1.0", "catalogue": {"version": "2026-11-30", "digest": "sha256:" + "a" * 64}},
        "command": "fit",
        "rows": [{
            "model": "m", "device": "d", "verdict": "lower-bound",
            "results": {"total": {"value": 10, "unit": "B", "figure": "f3"},
                        "missing": {"value": None, "unknown": "nobody prints it", "status": "unpublished",
                                    "unit": "W", "figure": "f4"}},
            "notes": [{"code": "arithmetic-lower-bound", "level": "note", "text": "perfect sharding"}],
        }],
        "figures": {
            "f1": {"name": "one", "value": 0.33333333333333331, "exact": "1/3", "unit": "B", "kind": "given",
                   "where": "--size 1/3B"},
            "f2": {"name": "two", "value": 9.6666666666666661, "exact": "29/3", "unit": "B", "kind": "published",
                   "source": "page", "locator": "L1"},
            "f3": {"name": "both", "value": 10, "unit": "B", "kind": "derived",
                   "formula": "sum of its parts", "inputs": ["f1", "f2"]},
            "f4": {"name": "power", "value": None, "unknown": "nobody prints it", "status": "unpublished",
                   "unit": "W", "kind": "published"},
            "f5": {"name": "energy", "value": None, "unknown": "nobody prints it", "status": "unpublished",
                   "unit": "W", "kind": "derived", "formula": "power × 2", "inputs": ["f4"]},
        },
        "sources": {"page": {"title": "A page", "publisher": "P", "url": "https://example.org",
                             "revision": "1", "checked": "2026-11-30", "tier": "primary"}},
    }


class CheckJson(unittest.TestCase):
    def faults(self, change) -> list:
        answer = sound()
        change(answer)
        return check_json.faults_of_text(json.dumps(answer))

    def refuses(self, change, words: str) -> None:
        faults = self.faults(change)
        self.assertTrue(any(words in fault for fault in faults), f"{words!r} not in {faults}")

    def test_a_sound_answer_has_no_faults(self):
        self.assertEqual(self.faults(lambda answer: None), [])

    def test_parts_that_do_not_sum(self):
        self.refuses(lambda a: a["figures"]["f1"].update(value=1, exact=None), "the parts add up to 32/3")

    def test_a_sum_of_nothing_is_zero_only(self):
        self.refuses(lambda a: a["figures"]["f3"].update(inputs=[]), "derived from nothing")

    def test_published_needs_source_and_locator(self):
        self.refuses(lambda a: a["figures"]["f2"].pop("locator"), "without a locator")
        self.refuses(lambda a: a["figures"]["f2"].update(source="pages"), "no source 'pages'")
        self.refuses(lambda a: a["figures"]["f2"].update(source=None), "no source None")

    def test_each_claim_needs_its_source(self):
        def with_claim(**claim):
            return lambda a: a["figures"]["f2"].update(claims=[claim])
        self.assertEqual(self.faults(with_claim(source="page", also=["page"], locator="L2")), [])
        self.refuses(with_claim(source="gone", locator="L2"), "no source 'gone'")
        self.refuses(with_claim(source="page", also=["gone"], locator="L2"), "no source 'gone'")
        self.refuses(with_claim(source="page"), "a claim without a locator")

    def test_given_and_assumed_say_where(self):
        self.refuses(lambda a: a["figures"]["f1"].pop("where"), "given, but not where")

    def test_sources_say_where_and_when(self):
        for key in ("title", "url", "publisher"):
            self.refuses(lambda a: a["sources"]["page"].pop(key), f"no {key}")
        self.refuses(lambda a: a["sources"]["page"].update(checked="yesterday"), "no day")
        self.refuses(lambda a: a["sources"]["page"].update(tier="best"), "tier 'best'")

    def test_an_unknown_says_why(self):
        self.refuses(lambda a: a["figures"]["f4"].pop("unknown"), "null without `unknown`")
        self.refuses(lambda a: a["figures"]["f4"].update(status="lost"), "status 'lost'")

    def test_an_unknown_is_not_computed_with(self):
        self.refuses(lambda a: a["figures"]["f5"].update(value=3), "although f4 is unknown")

    def test_figures_that_are_named_exist(self):
        self.refuses(lambda a: a["figures"]["f3"].update(inputs=["f1", "f9"]), "no figure 'f9'")
        self.refuses(lambda a: a["rows"][0]["results"]["total"].update(figure="f9"), "no figure 'f9'")

    def test_a_result_shows_its_figure(self):
        self.refuses(lambda a: a["rows"][0]["results"]["total"].update(value=11), "its figure says 10")
        self.refuses(lambda a: a["rows"][0]["results"]["total"].update(unit="GB"), "its figure in B")

    def test_fractions_stand_beside_decimals(self):
        self.refuses(lambda a: a["figures"]["f1"].pop("exact"), "without an exact fraction")
        self.refuses(lambda a: a["figures"]["f1"].update(exact="1/4"), "not near")
        self.refuses(lambda a: a["figures"]["f1"].update(value="1"), "no number")

    def test_cycles(self):
        def change(answer):
            answer["figures"]["f5"]["inputs"] = ["f6"]
            answer["figures"]["f6"] = {**answer["figures"]["f5"], "inputs": ["f5"]}
        self.refuses(change, "derives from itself")

    def test_head_rows_and_notes(self):
        self.refuses(lambda a: a.update(schema="ullage/result/2"), "the schema")
        self.refuses(lambda a: a["tool"]["catalogue"].update(digest="sha256:x"), "digest")
        self.refuses(lambda a: a.pop("rows"), "no array 'rows'")
        self.refuses(lambda a: a["rows"][0].update(verdict="maybe"), "the verdict 'maybe'")
        self.refuses(lambda a: a["rows"][0]["notes"][0].pop("code"), "a note without code")

    def test_text_that_is_no_answer(self):
        for text, words in (("", "not JSON"), ("[]", "not one object"), ("{} {}", "not JSON"),
                            ('{"a": 1, "a": 1}', "'a' twice"), ('{"a": NaN}', "bare token NaN"),
                            ('{"figures": {"f1": 3}, "sources": {}, "rows": []}', "another shape")):
            faults = check_json.faults_of_text(text)
            self.assertTrue(any(words in fault for fault in faults), f"{text}: {faults}")


if __name__ == "__main__":
    unittest.main()
