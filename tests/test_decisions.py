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


# The digest of the rule of NEAR, spelt with its keys in order.
RULE = "sha256:" + sha256('{"golden_text": "hello", "threshold": 1, "type": "text_similarity"}')


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
        self.assertEqual(self.report(KIND, reviews=[review()])["reviews"], ["tone, matchers[0]: approved by bob: kind enough"])
        unused = self.report({**KIND, "output": "as you like"}, reviews=[review()])
        self.assertEqual((unused["exit_code"], unused["counts"]["review"], unused["errors"]), (2, 1, []))  # of another output: it may come again
        self.assertEqual(self.report(KIND, reviews=[review(decision="aproved")])["exit_code"], 4)

    def test_of_two_decisions_on_one_output_neither_counts(self):
        report = self.report(KIND, reviews=[review(), review(decision="rejected")])
        self.assertEqual((report["exit_code"], report["counts"]["review"], len(report["errors"])), (4, 1, 1))
        with tempfile.TemporaryDirectory() as folder:
            lines = {"a/overrides.jsonl": json.dumps(override()), "b/overrides.jsonl": json.dumps(override(output_sha256="sha256:" + sha256("good day").upper()))}
            write(folder, {"near.json": NEAR, "runs.jsonl": json.dumps(FAR), **lines})
            code, out, _ = call(".", "--format", "json", cwd=folder)
        report = json.loads(out)
        self.assertEqual((code, report["counts"]["check_failed"], report["errors"][0]["file"]), (4, 1, "b/overrides.jsonl"))

    def test_a_decision_on_a_rule_that_it_cannot_be_about_is_an_error(self):
        for sample, lines, says in (
            (FAR, {"reviews": [review(case="near", output_sha256=sha256("good day"))]}, "waits for no person"),
            (FAR, {"reviews": [review(case="near", output_sha256=sha256("good day"), decision="rejected")]}, "waits for no person"),
            (KIND, {"overrides": [override(case="tone", output_sha256=sha256("as you wish"))]}, "cannot be overridden"),
            (FAR, {"overrides": [override(matcher="matcher[0]")]}, "did you mean 'matchers[0]'?"),
        ):
            report = self.report(sample, **lines)
            self.assertEqual((report["exit_code"], len(report["errors"]), report["errors"][0]["line"]), (4, 1, 1), says)
            self.assertIn(says, report["errors"][0]["message"])

    def test_a_decision_is_about_one_rule(self):
        ours = RULE
        for spelt in (ours, ours[:19], ours[7:].upper()):
            self.assertEqual(self.report(FAR, overrides=[override(rule_sha256=spelt)])["exit_code"], 0)
        report = self.report(FAR, overrides=[override(rule_sha256=sha256("another rule"))])
        self.assertEqual((report["exit_code"], report["counts"]["check_failed"]), (4, 1))
        self.assertIn(f"decide anew, and write {ours[:19]}", report["errors"][0]["message"])
        self.assertEqual(self.report(FAR, overrides=[override(rule_sha256="5")])["counts"]["check_failed"], 1)

    def test_a_decision_does_not_outlive_the_rule_that_was_locked(self):
        trail = {"description": "d", "created_at": "2026-01-01"}
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"near.json": json.dumps({**json.loads(NEAR), **trail}), "runs.jsonl": json.dumps(FAR), "overrides.jsonl": json.dumps(override())})
            self.assertEqual(call("lock", ".", cwd=folder)[0], 0)
            self.assertEqual(call(".", cwd=folder)[0], 0)
            changed = {"id": "near", "matchers": [{"type": "text_similarity", "golden_text": "good night", "threshold": 1}], **trail, "updated_at": "2026-01-02", "update_reason": "r"}
            write(folder, {"near.json": json.dumps(changed)})
            for words in ((".",), ("lint", "."), ("lock", "."), ("near.json", "--samples", "runs.jsonl")):
                code, out, _ = call(*words, cwd=folder)
                self.assertEqual((code != 0, b"another rule than in the lock" in out), (True, True), words)
            anew = "sha256:" + sha256('{"golden_text": "good night", "threshold": 1, "type": "text_similarity"}')
            write(folder, {"overrides.jsonl": json.dumps(override(rule_sha256=anew))})
            self.assertEqual([call(*words, cwd=folder)[0] for words in ((".",), ("lint", "."), ("lock", "."))], [0, 0, 0])

    def test_lint_says_how_a_decision_is_bound_to_its_rule(self):
        with tempfile.TemporaryDirectory() as folder:
            trail = {"description": "d", "created_at": "2026-01-01"}
            write(folder, {"near.json": json.dumps({**json.loads(NEAR), **trail}), "overrides.jsonl": json.dumps(override())})
            code, out, _ = call("lint", ".", cwd=folder)
        self.assertEqual((code, b'hint: overrides.jsonl:1: ' in out, f'add "rule_sha256": "{RULE[:19]}"'.encode() in out), (0, True, True))

    def test_a_review_is_of_the_rule_as_it_stands(self):
        """A negated review waits as any other, and who approves it approves the whole rule."""
        rule = {"type": "not", "matcher": {"type": "human_review", "criteria": "rude"}}
        for decision, code in (("approved", 0), ("rejected", 1)):
            with tempfile.TemporaryDirectory() as folder:
                write(folder, {"tone.json": json.dumps({"id": "tone", "matchers": [rule]}), "runs.jsonl": json.dumps(KIND), "reviews.jsonl": json.dumps(review(decision=decision))})
                self.assertEqual(call(".", cwd=folder)[0], code, decision)

    def test_a_case_by_itself_takes_in_what_lies_beside_it(self):
        """The decisions beside a case file count for it; those about other cases and samples are no errors there."""
        other = override(case="elsewhere")
        with tempfile.TemporaryDirectory() as folder:
            lines = "\n".join(map(json.dumps, (override(), other, override(output_sha256=sha256("never captured")))))
            write(folder, {"set/near.json": NEAR, "set/overrides.jsonl": lines, "runs.jsonl": json.dumps(FAR)})
            code, out, _ = call("set/near.json", "--samples", "runs.jsonl", "--format", "json", cwd=folder)
            self.assertEqual((code, len(json.loads(out)["overrides"])), (0, 1))
            code, out, _ = call("set/near.json", "set/overrides.jsonl", "--samples", "runs.jsonl", "--format", "json", cwd=folder)
            self.assertEqual((code, json.loads(out)["errors"][0]["line"]), (4, 2))


if __name__ == "__main__":
    unittest.main()
