"""Verdicts: behaviour as data files."""
import unittest

import gatekit

from . import verdict_cases

FILES = {"facts.jsonl", "bans.jsonl", "json.jsonl", "combinators.jsonl", "statuses.jsonl", "refused.jsonl", "expressions.jsonl", "contract.jsonl", "similarity.jsonl", "conversations.jsonl", "grounding.jsonl"}


class Verdicts(unittest.TestCase):
    def test_the_data_is_there(self):
        found = {}
        for file, _, _ in verdict_cases.read():
            found[file] = found.get(file, 0) + 1
        self.assertEqual(set(found), FILES)
        self.assertTrue(all(count >= 5 for count in found.values()), found)

    def test_each_line(self):
        for file, number, line in verdict_cases.read():
            with self.subTest(file=file, line=number, why=line["why"]):
                self.judge(line)

    def judge(self, line):
        rules = {"id": "case", **line["rules"]}
        if line["status"] == "refused":
            with self.assertRaises(gatekit.CaseError) as caught:
                gatekit.Case.from_dict(rules)
            for words in line["says"]:
                self.assertIn(words, str(caught.exception))
            return
        verdict = gatekit.Case.from_dict(rules).check(line["sample"])
        outcomes = {finding.rule: finding for finding in verdict.findings}
        self.assertEqual(verdict.status, line["status"], str(verdict))
        self.assertEqual(verdict.passed, line["status"] == "passed")
        if "fails" in line:
            failed = {rule: finding.reason for rule, finding in outcomes.items() if finding.outcome == "fail"}
            self.assertEqual(failed, line["fails"])
        for outcome, key in (("unknown", "unknown"), ("pass", "passes")):
            if key in line:
                self.assertEqual(sorted(rule for rule, finding in outcomes.items() if finding.outcome == outcome), sorted(line[key]))


if __name__ == "__main__":
    unittest.main()
