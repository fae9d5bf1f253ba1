"""Overrides and reviews: what a person decides about one output, and about no other."""
import hashlib
import json
import tempfile
import unittest

from .running import call, write

NEAR = json.dumps({"id": "near", "matchers": [{"type": "text_similarity", "golden_text": "hello", "threshold": 1}]})
TONE = json.dumps({"id": "tone", "matchers": [{"type": "human_review", "criteria": "kind"}]})
FAR = {"case": "near", "sample": "a", "output": "good day"}
KIND = {"case": "tone", "sample": "a", "output": "as you wish"}


def sha256(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def override(**more):
    return {"case": "near", "matcher": "matchers[0]", "output_sha256": sha256("good day"), "approved_by": "ann", "ticket": "T-1", "reason": "means the same", **more}


def review(**more):
    return {"case": "tone", "matcher": "matchers[0]", "output_sha256": "sha256:" + sha256("as you wish"), "decision": "approved", "reviewed_by": "bob", "reason": "kind enough", **more}


class Decisions(unittest.TestCase):
    def report(self, *samples, overrides=(), reviews=()):
        lines = {"runs.jsonl": samples, "overrides.jsonl": overrides, "reviews.jsonl": reviews}
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"near.json": NEAR, "tone.json": TONE, **{name: "\n".join(map(json.dumps, each)) for name, each in lines.items()}})
            cases = {sample["case"] for sample in samples}
            code, out, err = call(".", "--format", "json", *(word for case in sorted(cases) for word in ("--id", case)), cwd=folder)
        self.assertEqual(err, b"")
        return json.loads(out)

    def test_a_failure_of_tier_4_waits_for_a_person(self):
        report = self.report(FAR)
        self.assertEqual(report["exit_code"], 1)
        self.assertTrue(report["cases"][0]["samples"][0]["findings"][0]["review_required"])

    def test_an_override_leaves_a_trace(self):
        report = self.report(FAR, overrides=[override()])
        self.assertEqual((report["exit_code"], report["errors"]), (0, []))
        self.assertEqual(report["overrides"], ["near, matchers[0]: overridden by ann (T-1): means the same"])

    def test_another_output_is_not_overridden(self):
        report = self.report({**FAR, "output": "good day!"}, overrides=[override()])
        self.assertEqual(report["exit_code"], 4)
        self.assertEqual(report["counts"]["check_failed"], 1)
        self.assertIn("met no failure", report["errors"][0]["message"])

    def test_an_override_without_a_trace_is_none(self):
        for bad in (override(ticket=""), override(reason=" "), override(approvedby="x"), {"case": "near"}, 5):
            report = self.report(FAR, overrides=[bad])
            self.assertEqual((report["exit_code"], report["counts"]["check_failed"], report["errors"][0]["line"]), (4, 1, 1), bad)

    def test_only_tier_4_is_overridden(self):
        report = self.report(KIND, overrides=[override(case="tone", output_sha256=sha256("as you wish"))])
        self.assertEqual((report["exit_code"], report["counts"]["review"]), (4, 1))

    def test_neither_a_veto_nor_a_combination_is_overridden(self):
        for rule in (
            {"type": "all_of", "matchers": [{"type": "text_similarity", "golden_text": "hello", "threshold": 0.1}, {"type": "contains", "value": "zzz"}]},
            {"type": "text_similarity", "golden_text": "hello", "threshold": 1, "veto": True},
        ):
            with tempfile.TemporaryDirectory() as folder:
                case = json.dumps({"id": "near", "matchers": [rule]})
                write(folder, {"near.json": case, "runs.jsonl": json.dumps({**FAR, "output": "hello you"}), "overrides.jsonl": json.dumps(override(output_sha256=sha256("hello you")))})
                code, out, _ = call(".", "--format", "json", cwd=folder)
            self.assertEqual((code, json.loads(out)["counts"]["check_failed"]), (4, 1), rule)

    def test_decisions_on_no_case_are_errors(self):
        for name, each in (("overrides", override(case="typo")), ("reviews", review(case="typo"))):
            report = self.report(FAR, **{name: [each]})
            self.assertTrue(any("a case that there is not" in error["message"] for error in report["errors"]), name)

    def test_reviews(self):
        self.assertEqual(self.report(KIND)["exit_code"], 2)
        self.assertEqual(self.report(KIND, reviews=[review()])["exit_code"], 0)
        rejected = self.report(KIND, reviews=[review(decision="rejected", reason="cold")])
        self.assertEqual((rejected["exit_code"], rejected["cases"][0]["samples"][0]["findings"][0]["reason"]), (1, "rejected by bob: cold"))
        self.assertEqual(self.report({**KIND, "output": "as you like"}, reviews=[review()])["exit_code"], 2)
        self.assertEqual(self.report(KIND, reviews=[review(decision="aproved")])["exit_code"], 4)
        self.assertEqual(self.report(KIND, reviews=[review(), review(decision="rejected")])["exit_code"], 4)


if __name__ == "__main__":
    unittest.main()
