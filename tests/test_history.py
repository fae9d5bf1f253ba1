"""Job logs: what a job's first attempt saw is selected by time, and what people decided decides what gates."""
import json
import os
import pickle
import random
import tempfile
import unittest

import gatekit
from gatekit import CaseError, Job, read_jobs, replay_corpus, scenario_from_job
from gatekit.runs.batch import Batch, Memory

from . import batch_agents
from .running import ROOT, call, write

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "history")
HERE = "tests.batch_agents:"


def data(name):
    with open(os.path.join(DATA, name), encoding="utf-8") as file:
        return json.load(file)


def line(job, minute, event, **more):
    return json.dumps({"job": job, "at": f"2026-03-01T10:{minute:02d}:00Z", "event": event, **more})


def jobs(*decisions):
    """A log of jobs that were asked and decided on, `(id, minute, decision)`."""
    lines = []
    for number, (job, minute, decision) in enumerate(decisions):
        lines += [line(job, 0, "inputs", value={"question": f"q{number}"}), line(job, 1, "claimed", step="draft"), line(job, 2, "output", step="draft", value="x")]
        reason = {"reason": "too long"} if decision == "rejected" else {}
        if decision:
            lines.append(line(job, minute, "decided", step="draft", decision=decision, by="ada", **reason))
    return "\n".join(lines) + "\n"


class History(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def log(self, content):
        write(self.folder.name, {"x.jobs.jsonl": content})
        return os.path.join(self.folder.name, "x.jobs.jsonl")

    def test_what_the_first_attempt_saw(self):
        rng = random.Random(2)
        for row in data("jobs.json"):
            with self.subTest(row["about"]):
                path = self.log("".join(json.dumps(one) + "\n" for one in row["log"]))
                for job in (read_jobs(path).job("J"), row["log"]):
                    made = scenario_from_job(job, len, step=row["step"], template=batch_agents.TEMPLATE)
                    self.assertEqual((made.inputs, made.case_verdict, list(made.feedback)), (row["inputs"], row["verdict"], row["feedback"]))
                    self.assertEqual((made.name, made.source_job_id), (row["step"], "J"))
                times = [one["at"] for one in row["log"]]
                if len(set(times)) == len(times) and "instant" not in row["about"]:
                    mixed = rng.sample(row["log"], len(row["log"]))
                    self.assertEqual(scenario_from_job(mixed, len, step=row["step"]).inputs, row["inputs"])

    def test_requirements_come_from_the_claim(self):
        [row] = [row for row in data("jobs.json") if row["about"].startswith("needs")]
        self.assertEqual(scenario_from_job(row["log"], len).requirements, ("be brief",))

    def test_lines_that_cannot_be_meant(self):
        good = jobs(("J1", 3, "approved"))
        for given, words in data("refused.json"):
            log = read_jobs(self.log(f"{given}\n{good}"))
            self.assertEqual([(os.path.basename(error.file), error.line) for error in log.errors], [("x.jobs.jsonl", 1)], given)
            self.assertIn(words if given.endswith("}") or given == "[1]" else "", log.errors[0].message)
            self.assertEqual(len(log.job("J1").transitions), 4)

    def test_jobs_that_cannot_be_rebuilt(self):
        content = jobs(("J1", 3, "approved"))
        content += line("J2", 5, "decided", step="draft", decision="approved", by="ada") + "\n"
        content += line("J3", 1, "claimed", step="draft", needs=["research"]) + "\n" + line("J3", 5, "decided", step="draft", decision="approved", by="ada") + "\n"
        content += line("J4", 0, "inputs", value={"a": 1}) + "\n" + line("J4", 0, "output", step="a", value=1) + "\n"
        content += line("J4", 1, "claimed", step="draft") + "\n" + line("J4", 5, "decided", step="draft", decision="approved", by="ada") + "\n"
        corpus = replay_corpus(self.log(content), batch_agents.replayed, template=batch_agents.TEMPLATE)
        self.assertEqual([one.source_job_id for one in corpus], ["J1"])
        told = [(error.line, error.message) for error in corpus.errors]
        for (number, message), (wanted, words) in zip(told, ((5, "was never claimed"), (7, "which it needs"), (11, "of one name"))):
            self.assertEqual(number, wanted)
            self.assertIn(words, message)
        self.assertEqual(len(told), 3)

    def test_which_step(self):
        given = [json.loads(line("J", 1, "claimed", step=step)) for step in ("one", "two")]
        with self.assertRaisesRegex(CaseError, "'one', 'two': name one"):
            scenario_from_job(given, len)
        with self.assertRaisesRegex(CaseError, "did you mean 'two'"):
            scenario_from_job(given, len, step="twoo")
        with self.assertRaisesRegex(CaseError, "never claimed"):
            scenario_from_job([json.loads(line("J", 1, "output", step="one", value=1))], len)
        with self.assertRaisesRegex(CaseError, "of one job"):
            scenario_from_job([*given, json.loads(line("K", 1, "claimed", step="one"))], len)
        with self.assertRaisesRegex(CaseError, "at least one"):
            Job.from_transitions([])
        with self.assertRaisesRegex(CaseError, "did you mean 'J'"):
            read_jobs(self.log(jobs(("J", 3, "approved")))).job("j")

    def test_a_corpus_is_newest_first(self):
        log = self.log(jobs(("A", 10, "approved"), ("B", 30, "rejected"), ("C", 20, "approved"), ("D", 0, None), ("E", 30, "approved")))
        corpus = replay_corpus(log, batch_agents.replayed, template=batch_agents.TEMPLATE)
        self.assertEqual([one.source_job_id for one in corpus], ["B", "E", "C", "A"])
        self.assertEqual([list(one.feedback) for one in corpus], [["too long"], [], [], []])
        self.assertEqual(len(corpus), 4)
        self.assertEqual(pickle.loads(pickle.dumps(corpus)), corpus)
        self.assertEqual(len(replay_corpus(log, {"draft": len}, template={"draft": batch_agents.TEMPLATE})), 4)
        self.assertEqual(len(replay_corpus(log, {"darft": len}).errors), 4)
        self.assertIn("did you mean 'draft'", replay_corpus(log, len, step="darft").errors[0].message)

    def test_only_approved_jobs_gate(self):
        def bad_for_rejected(step):
            return "no" if step.feedback else "refund"

        log = self.log(jobs(("A", 10, "approved"), ("B", 30, "rejected"), ("C", 20, "approved")))
        memory = Memory()
        batch = Batch(list(replay_corpus(log, bad_for_rejected, template=batch_agents.TEMPLATE)), 2, [memory])
        batch.read()
        for _ in batch.steps(memory.add):
            pass
        report = batch.report()
        self.assertEqual((report.outcome, report.counts["samples"], report.counts["passed"], report.counts["excluded"]), ("pass", 6, 4, 2))
        self.assertEqual(report.cases[0].excluded, {"B/run-0001", "B/run-0002"})
        self.assertEqual(report.cases[0].statuses["B/run-0001"], "check_failed")
        self.assertEqual([verdict.status for verdict in report.cases[0].verdicts], ["check_failed", "check_failed"])
        [sample] = [one for one, _, _ in memory.entries() if one["sample"] == "B/run-0002"]
        self.assertEqual((sample["source_job_id"], sample["case_verdict"], sample["feedback"]), ("B", "rejected", ["too long"]))

    def test_nothing_approved_is_no_pass(self):
        words = ("batch", "--corpus", self.log(jobs(("B", 30, "rejected"))), "--agent", HERE + "replayed", "--template", HERE + "TEMPLATE")
        code, out, _ = call(*words, cwd=ROOT)
        self.assertEqual(code, 2)
        self.assertIn(b"excluded:       1 (of rejected jobs, not in the rate)", out)

    def test_on_the_command_line(self):
        path = self.log(jobs(("A", 10, "approved"), ("B", 30, "rejected"), ("C", 20, "approved")) + "{\n")
        words = ("--corpus", path, "--template", HERE + "TEMPLATE")
        ledger = os.path.join(self.folder.name, "l")
        code, out, err = call("batch", *words, "--agent", HERE + "replayed", "-n", "3", "--ledger", ledger, cwd=ROOT)
        self.assertEqual((code, err), (4, b""))
        self.assertIn(b"x.jobs.jsonl:13", out)
        self.assertIn(b"passed:         6\n", out)
        self.assertIn(b"B/run-0001: passed, excluded: a person rejected that job", out)
        self.assertEqual(call("merge", ledger, *words, "-n", "3", cwd=ROOT), (code, out, err))

    def test_a_set_passes_over_the_logs_in_its_folder(self):
        self.log("{")
        write(self.folder.name, {"c.json": '{"id": "c", "rubric": {"must_include": ["a"]}, "samples": ["a"]}'})
        self.assertEqual(call(self.folder.name)[0], 0)

    def test_an_empty_log(self):
        code, _, err = call("batch", "--corpus", self.log(""), "--agent", HERE + "replayed", "--template", HERE + "TEMPLATE", cwd=ROOT)
        self.assertEqual(code, 4)
        self.assertIn(b"no person decided", err)

    def test_every_sample_with_that_verdict_is_excluded(self):
        gate = gatekit.Gate(gatekit.Rubric(must_include=["a"]))
        report = gate.judge([{"output": "a"}, {"output": "b", "case_verdict": "rejected"}, {"output": "a", "case_verdict": "approved"}])
        self.assertEqual((report.outcome, report.counts["excluded"], report.counts["passed"], str(report.rate)), ("pass", 1, 2, "0"))


if __name__ == "__main__":
    unittest.main()
