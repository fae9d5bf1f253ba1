"""gatekit in the tests of a user: how a failure reads, and that a test over a folder is never empty."""
import importlib.util
import io
import json
import os
import pickle
import tempfile
import unittest

import gatekit
from gatekit import Case, CaseError, Gate, GateFailed, GatekitError, Rubric
from gatekit.ground.record import Record

from .running import ROOT, run, write

TOKEN = "gho" + "_16C7e42F292c6912E7710c838347Ae178B4a"
GATE = Gate(Rubric(must_include=["refund", "14 days"], packs=["secrets"]))
WRONG = f"Shipping is free: {TOKEN}"
CASE = Case.from_dict({"id": "refund-summary", "rubric": {"must_include": ["refund", "14 days"]}})
SET = {
    "a.json": '{"id": "a", "rubric": {"must_include": ["yes"]}, "samples": ["yes", "no"]}',
    "b.yaml": "id: b\nrubric: {must_include: [yes please], packs: [secrets]}\n",
    "old.yaml": "id: old\ndeprecated: true\nrubric: {must_include: [x]}\n",
    "runs/one.jsonl": '{"case": "b", "sample": "r2", "output": "yes please"}\n{"case": "a", "sample": "r1", "output": "yes"}\n{"case": "old", "sample": "r1", "output": "y"}\n',
    "runs/two.jsonl": '{"case": "b", "sample": "r1", "output": "no"}\n',
}


def line(**fields):
    return json.dumps(fields) + "\n"


class Reading(unittest.TestCase):
    def failure(self, function, *values):
        with self.assertRaises(GateFailed) as caught:
            function(*values)
        return caught.exception

    def test_the_traceback_leaves_the_test_by_one_frame_that_pytest_hides(self):
        def run_it(requires):
            try:
                requires()
            except GateFailed as failed:
                frames = []
                trace = failed.__traceback__.tb_next.tb_next  # past this function, and what it was given
                while trace is not None:
                    frames.append(trace.tb_frame)
                    trace = trace.tb_next
                return frames
            self.fail("it passed")

        verdict, report = GATE.check(WRONG), GATE.judge([WRONG])
        for requires in (lambda: GATE.require(WRONG), lambda: CASE.require("no"), lambda: verdict.require(), lambda: report.require()):
            [frame] = run_it(requires)
            self.assertEqual((frame.f_code.co_name, frame.f_locals["__tracebackhide__"]), ("require", True))

    def test_unittest_shows_what_broke(self):
        class Own(unittest.TestCase):
            def test_gate(self):
                GATE.require(WRONG)

            def test_all(self):
                for case in (CASE,):
                    with self.subTest(case.id):
                        case.require("no")

        stream = io.StringIO()
        result = unittest.TextTestRunner(stream).run(unittest.defaultTestLoader.loadTestsFromTestCase(Own))
        self.assertEqual((len(result.failures), len(result.errors)), (2, 0))
        told = stream.getvalue()
        self.assertIn("[refund-summary]\n", told)
        self.assertIn("\ngatekit.GateFailed: refund-summary: check_failed\n  must_include[0]: missing required: 'refund'\n", told)
        self.assertIn("\ngatekit.GateFailed: check_failed\n  must_include[0]: missing required: 'refund'\n", told)
        self.assertIn("Shipping is free: >>[secret 1: github token, 40 characters]<<", told)
        self.assertFalse(any(TOKEN[start : start + 8] in told for start in range(len(TOKEN) - 7)))
        self.assertNotIn("Finding(", told)

    @unittest.skipUnless(importlib.util.find_spec("pytest"), "pytest is not installed")
    def test_pytest_shows_what_broke(self):
        tests = {
            "require": "GATE.require(answer())",
            "report": "GATE.judge([answer()]).require()",
            "verdict": "verdict = GATE.check(answer())\n    assert verdict.passed",
            "truth": "verdict = GATE.check(answer())\n    assert verdict, verdict",
            "from": "try:\n        GATE.require(answer())\n    except gatekit.GateFailed as failed:\n        raise LookupError('so') from failed",
            "match": "with pytest.raises(gatekit.GateFailed, match=\"missing required: 'refund'\"):\n        GATE.require(answer())",
        }
        code = f"import gatekit\nimport pytest\nGATE = gatekit.Gate(gatekit.Rubric(must_include=['refund'], packs=['secrets']))\ndef answer():\n    return 'gho' + {WRONG!r}[-37:]\n"
        code += "".join(f"def test_{name}():\n    {body}\n" for name, body in tests.items())
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"test_it.py": code, "pytest.ini": "[pytest]\naddopts = -p no:cacheprovider --color=no\n"})
            alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
            status, out, _ = run("-vv", "--tb=short", cwd=folder, env=alone, module="pytest")
        told = out.decode()
        self.assertEqual(status, 1)
        self.assertIn("5 failed, 1 passed", told)
        self.assertIn("\n    GATE.require(answer())\nE   gatekit.GateFailed: check_failed\nE     must_include[0]: missing required: 'refund'\n", told)
        self.assertIn("\n    GATE.judge([answer()]).require()\nE   gatekit.GateFailed: fail: 0 of 1 samples passed: a rule with a veto failed\n", told)
        self.assertIn("where False = Verdict(check_failed: missing required: 'refund'; secret present: github token, 40 characters).passed", told)
        self.assertIn("E   LookupError: so\n", told)
        self.assertNotIn("gatekit/judging", told.replace("\\", "/"))
        self.assertNotIn("Finding(", told)
        self.assertNotIn(TOKEN[:12], told.replace(code, ""))

    def test_a_failure_is_an_ordinary_exception(self):
        for failed in (self.failure(GATE.require, WRONG), self.failure(CASE.require, "no"), self.failure(GATE.judge([WRONG]).require)):
            again = pickle.loads(pickle.dumps(failed))
            self.assertEqual((type(again), str(again)), (GateFailed, str(failed)))
            with self.assertRaises(LookupError) as caught:
                raise LookupError("so") from again
            self.assertIs(caught.exception.__cause__, again)

    def test_errors_go_by_their_public_name(self):
        for kind in (GatekitError, CaseError, GateFailed):
            self.assertEqual((kind.__module__, kind.__name__), ("gatekit", kind.__name__))
            self.assertIs(type(pickle.loads(pickle.dumps(kind("so")))), kind)

    def test_a_case_names_itself(self):
        self.assertTrue(str(self.failure(CASE.require, {"output": "no", "sample": "r1"})).startswith("refund-summary r1: check_failed\n"))
        hidden = Case.from_dict({"id": TOKEN, "rubric": {"must_include": ["x"]}})
        self.assertTrue(str(self.failure(hidden.require, "no")).startswith("[secret 1: github token, 40 characters]: check_failed\n"))

    def test_a_verdict_is_shown_on_one_bounded_line(self):
        self.assertEqual(repr(GATE.check("a refund within 14 days")), "Verdict(passed)")
        self.assertEqual(repr(CASE.check({"output": "refund", "case": "refund-summary", "sample": "r1"})), "Verdict(refund-summary/r1: check_failed: missing required: '14 days')")
        many = Gate(Rubric(must_include=[f"fact {number}" for number in range(200)]))
        self.assertEqual(repr(many.check("none")), "Verdict(check_failed: " + "; ".join(f"missing required: 'fact {n}'" for n in range(5)) + "; and 195 more)")
        acting = repr(Gate(Rubric(must_include=["x"])).check({"output": "no", "sample": "a\n::error::b\x1b[2J"}))
        self.assertNotIn("\n", acting)
        self.assertNotIn("\x1b", acting)

    def test_a_verdict_has_an_id(self):
        self.assertEqual(GATE.check("x").id, "")
        self.assertEqual(GATE.check({"output": "x", "case": "a", "sample": "b"}).id, "a/b")


class Reports(unittest.TestCase):
    def told(self, report):
        with self.assertRaises(GateFailed) as caught:
            report.require()
        return str(caught.exception).split("\n")

    def test_a_report_that_passed_says_nothing(self):
        self.assertIsNone(GATE.judge(["a refund within 14 days"]).require())
        self.assertIsNone(Gate(Rubric(must_include=["x"]), max_failure_rate="50%").judge(["x", "y"]).require())

    def test_it_tells_what_broke_first(self):
        lines = self.told(CASE.judge(["a refund within 14 days", "refund"]))
        self.assertEqual(
            lines, ["fail: 1 of 2 samples passed: failure rate 50.0%, above 0.0%", "  2: check_failed", "    must_include[1]: missing required: '14 days'"]
        )

    def test_nothing_judged_is_no_pass(self):
        self.assertEqual(self.told(GATE.judge([])), ["inconclusive: 0 of 0 samples passed: there were no samples"])
        self.assertEqual(self.told(GATE.judge([{"error": "503", "status": "transient"}]))[1:], ["  1: transient", "    status: 503"])

    def test_what_cannot_be_read_is_told(self):
        first, *rest = self.told(GATE.judge([{"output": "x", "sampel": "r1"}]))
        self.assertTrue(first.startswith("error: 0 of 0 samples passed: 1 error: samples[0]: "), first)
        self.assertEqual([line[:19] for line in rest], ["  error: samples[0]"])

    def test_a_large_run_is_told_in_part(self):
        lines = self.told(CASE.judge(["refund"] * 1500))
        self.assertEqual(len(lines), 1 + 2 * 20 + 1)
        self.assertEqual(lines[-1], "  and 1480 more samples")

    def test_of_several_cases_those_that_did_not_pass_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, SET)
            report = gatekit.judge(folder)
        lines = self.told(report)
        self.assertEqual(lines[:3], ["fail: 3 of 5 samples passed, 2 of 2 cases did not", "  a: fail: failure rate 33.33% (1 of 3), above 0.0%", "  b: fail: failure rate 50.0%, above 0.0%"])
        self.assertEqual(lines[3::2], ["  a 2: check_failed", "  b r1: check_failed"])
        self.assertEqual(repr(report), "Report(fail: 3 of 5 samples passed, 2 of 2 cases did not)")
        self.assertIn("statuses=", Record.__repr__(report))


class Captured(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def verdicts(self, files):
        write(self.folder, files)
        return gatekit.verdicts(self.folder)

    def refused(self, files, words):
        with self.assertRaises(GatekitError) as caught:
            self.verdicts(files)
        self.assertIn(words, str(caught.exception))

    def test_samples_of_all_files_in_order(self):
        self.assertEqual(
            [(verdict.id, verdict.passed) for verdict in self.verdicts(SET)], [("a/1", True), ("a/2", False), ("a/r1", True), ("b/r2", True), ("b/r1", False)]
        )

    def test_they_are_those_that_the_report_counts(self):
        for name in ("golden", "refund"):
            path = os.path.join(ROOT, "examples", name)
            counted = {(case.id, sample): status for case in gatekit.judge(path).cases if case.deprecated is None for sample, status in case.statuses.items()}
            self.assertEqual({(verdict.case, verdict.sample): verdict.status for verdict in gatekit.verdicts(path)}, counted)
            self.assertTrue(counted)

    def test_decisions_and_vectors_are_taken_in(self):
        """Those of the examples are: without them a similarity has nothing to compare, and an override has nothing to say."""
        met = self.verdicts({
            "s.yaml": "id: s\nmatchers: [{type: text_similarity, golden_text: hello there, threshold: 0.9}, {type: human_review, criteria: [kind]}]\nsamples: [good day]\n",
        })
        self.assertEqual([verdict.status for verdict in met], ["check_failed"])
        decided = {"case": "s", "output_sha256": met[0].output_sha256, "reason": "fine"}
        met = self.verdicts({
            "overrides.jsonl": line(**decided, matcher="matchers[0]", approved_by="ann", ticket="QA-7"),
            "reviews.jsonl": line(**decided, matcher="matchers[1]", decision="approved", reviewed_by="bob"),
        })
        self.assertEqual([verdict.status for verdict in met], ["passed"])
        self.refused({"s.yaml": "id: s\nmatchers: [{type: contains, value: good}]\nsamples: [good day]\n"}, "cannot be overridden")

    def test_retries_and_rejected_jobs(self):
        leak = {"case": "b", "sample": "r4", "output": f"yes please {TOKEN}"}
        more = [{"case": "b", "sample": "r2", "attempt": 2, "output": "no"}, {"case": "b", "sample": "r3", "case_verdict": "rejected", "output": "no"}]
        more += [{**leak, "attempt": 2}, {**leak, "output": "yes please"}]
        met = [(verdict.id, verdict.status) for verdict in self.verdicts({**SET, "runs/three.jsonl": "".join(line(**fields) for fields in more)}) if verdict.case == "b"]
        self.assertEqual(met, [("b/r2", "passed"), ("b/r4", "passed"), ("b/r4", "check_failed"), ("b/r1", "check_failed")])

    def test_an_empty_run_is_never_green(self):
        self.refused({}, "there is no case that gates below ")
        self.refused({"old.yaml": SET["old.yaml"]}, "there is no case that gates below ")
        self.refused({"b.yaml": SET["b.yaml"]}, "b.yaml: the case 'b' has no captured sample that counts")
        self.refused({"r.jsonl": line(case="b", sample="r1", case_verdict="rejected", output="yes please")}, "the case 'b' has no captured sample that counts")
        with self.assertRaises(GatekitError):
            gatekit.verdicts()

    def test_what_is_broken_is_refused_in_words(self):
        for words, files in {
            "runs/x.jsonl:1:": {"runs/x.jsonl": '{"case": "b"\n'},
            "there is no case 'bb'": {"runs/x.jsonl": line(case="bb", sample="r9", output="x")},
            "the sample 'r2' is there twice": {"runs/x.jsonl": line(case="b", sample="r2", output="x")},
            "the sample has no id": {"runs/x.jsonl": line(case="b", output="x")},
            "c.json": {"runs/x.jsonl": "", "c.json": '{"id": "c", "rubrik": {}}'},
        }.items():
            with self.subTest(words):
                self.refused({**SET, **files}, words)

    def test_cases_that_gate(self):
        write(self.folder, SET)
        self.assertEqual([case.id for case in gatekit.load(self.folder)], ["a", "b", "old"])
        self.assertEqual([case.id for case in gatekit.load(self.folder, deprecated=False)], ["a", "b"])
        for wrong in ("no", None, 0):
            with self.assertRaisesRegex(gatekit.CaseError, "deprecated is True or False"):
                list(gatekit.load(self.folder, deprecated=wrong))
        with self.assertRaises(GatekitError) as caught:
            list(gatekit.load(os.path.join(self.folder, "old.yaml"), deprecated=False))
        self.assertIn("there is no case that gates below ", str(caught.exception))
        with self.assertRaises(GatekitError) as caught:
            list(gatekit.load())
        self.assertIn("no path at all", str(caught.exception))

    def test_a_test_of_its_own_for_each(self):
        write(self.folder, SET)
        suite = unittest.TestSuite(unittest.FunctionTestCase(verdict.require, description=verdict.id) for verdict in gatekit.verdicts(self.folder))
        result = unittest.TestResult()
        suite.run(result)
        self.assertEqual((result.testsRun, result.errors), (5, []))
        self.assertEqual([test.shortDescription() for test, _ in result.failures], ["a/2", "b/r1"])


if __name__ == "__main__":
    unittest.main()
