"""Workflows: where a run stands, what may be decided when, and that a run goes on from any line of its record."""
import json
import os
import pickle
import unittest

from gatekit import CaseError, GatekitError, Workflow, WorkflowRun, WorkflowStep
from gatekit.runs.fixture import Fixture, play
from gatekit.runs.progress import DECISIONS, Progress

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "workflows")


def rows(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def answer(step):
    """An agent: it says what it was given, and what was said of it before."""
    return {"of": step.name, "given": sorted(step.inputs), "told": list(step.feedback)}


class Places:
    """An agent whose attempts go as they are listed: words it gives, or an exception that it raises."""

    def __init__(self, *attempts):
        self.attempts = list(attempts)

    def __call__(self, step):
        given = self.attempts.pop(0)
        if isinstance(given, BaseException):
            raise given
        return given


def step(name, *attempts, **settings):
    return WorkflowStep(name, Places(*attempts), **{"checks": [{"must_include": ["fine"]}], "transient": ["outage"], **settings})


class TestProgress(unittest.TestCase):
    def test_rows(self):
        """Each row tells a run what happened, and says where it stands then."""
        known = {"approval": False, "max_rejections": 3, "needs": []}
        for row in rows("progress.jsonl"):
            with self.subTest(row["why"]):
                progress = Progress(tuple(type("Step", (), {**known, **given}) for given in row["steps"]))
                for told in row["told"]:
                    self.tell(progress, told)
                self.stands(progress, row)
                for name, reasons in row.get("feedback", {}).items():
                    self.assertEqual(list(progress.feedback(name)), reasons)
                for name, count in row.get("attempts", {}).items():
                    self.assertEqual(progress.attempt(name), count)
                if "refused" in row:
                    told, words = row["refused"]
                    with self.assertRaises(CaseError) as caught:
                        self.tell(progress, told)
                    self.assertEqual(caught.exception.message, words)
                    self.stands(progress, row)

    def tell(self, progress, told):
        word, _, rest = told.partition(" ")
        if word == "answer":
            progress.answered(rest)
        else:
            progress.decided(word, rest or None, "why not" if word == "rejected" else None)

    def stands(self, progress, row):
        self.assertEqual((progress.state, progress.step, " ".join(progress.states.values())), (row["state"], row["step"], row["states"]))

    def test_every_state_of_a_run_is_met(self):
        self.assertEqual({row["state"] for row in rows("progress.jsonl")}, set(DECISIONS))


class TestWorkflow(unittest.TestCase):
    def refused(self, words, make):
        with self.assertRaises(CaseError) as caught:
            make()
        self.assertIn(words, str(caught.exception))

    def test_what_cannot_be_meant(self):
        fine = {"checks": [{"must_include": ["x"]}]}
        a = WorkflowStep("a", answer, **fine)

        def needy(name, *needs):
            return WorkflowStep(name, answer, needs=needs, **fine)

        for words, make in (
            ("a step has a name", lambda: WorkflowStep(" ", answer, **fine)),
            ("has no checks", lambda: WorkflowStep("a", answer)),
            ("needs are a list", lambda: WorkflowStep("a", answer, needs="b", **fine)),
            ("needs names a step twice", lambda: WorkflowStep("a", answer, needs=["b", "b"], **fine)),
            ("approval is true or false", lambda: WorkflowStep("a", answer, approval="yes", **fine)),
            ("max_rejections is a whole number from 0 to 1000", lambda: WorkflowStep("a", answer, max_rejections=True, **fine)),
            ("the agent of a scenario is a function", lambda: WorkflowStep("a", "answer", **fine)),
            ("a workflow has a name", lambda: Workflow("", [a])),
            ("at least one", lambda: Workflow("w", [])),
            ("steps[0]: a step of a workflow is a WorkflowStep, not a dict", lambda: Workflow("w", [{"name": "a"}])),
            ("steps[1].name: two steps are called 'a'", lambda: Workflow("w", [a, a])),
            ("steps[1].needs[0]: the step 'b' needs 'A', and no step before it is called so: did you mean", lambda: Workflow("w", [a, needy("b", "A")])),
            ("a step needs steps that stand before it", lambda: Workflow("w", [needy("b", "later"), needy("later")])),
            ("inputs.a: 'a' is a step", lambda: Workflow("w", [a], inputs={"a": 1})),
            ("the inputs of a workflow are empty", lambda: Workflow("w", [a], inputs={})),
            ("not a text", lambda: Workflow("w", [a], inputs="question")),
            ("max_failure_rate", lambda: Workflow("w", [a], max_failure_rate=5)),
            ("operator is a name", lambda: WorkflowRun(Workflow("w", [a], inputs={"q": 1}), operator=" ")),
            ("run is a name", lambda: WorkflowRun(Workflow("w", [a], inputs={"q": 1}), run="", operator="ida")),
            ("has no inputs of its own", lambda: WorkflowRun(Workflow("w", [a]), operator="ida")),
            ("has no step 'aa'", lambda: Workflow("w", [a]).step("aa")),
        ):
            with self.subTest(words):
                self.refused(words, make)

    def test_it_does_not_change_and_goes_to_other_processes(self):
        workflow = Workflow("w", [WorkflowStep("a", answer, checks=[{"must_include": ["x"]}], approval=True)], inputs={"q": [1]}, max_failure_rate="1%")
        again = pickle.loads(pickle.dumps(workflow))
        self.assertEqual(again, workflow)
        self.assertEqual(hash(again), hash(workflow))
        self.assertEqual(again.thresholds, workflow.thresholds)
        with self.assertRaises(AttributeError):
            workflow.name = "v"

    def test_a_step_is_given_the_inputs_and_what_it_needs(self):
        fine = {"checks": [{"type": "is_json"}]}
        steps = [WorkflowStep("a", answer, **fine), WorkflowStep("b", answer, **fine), WorkflowStep("c", answer, needs=["b"], **fine)]
        run = WorkflowRun(Workflow("w", steps, inputs={"question": "?", "more": 1}), operator="ida")
        play(run, Fixture())
        given = [answers[0].sample.output for answers in run.answers.values()]
        self.assertEqual([one["given"] for one in given], [["more", "question"], ["more", "question"], ["b", "more", "question"]])
        self.assertEqual([one["of"] for one in given], ["w.a", "w.b", "w.c"])

    def test_a_rejection_is_the_feedback_of_the_next_attempt(self):
        run = WorkflowRun(Workflow("w", [WorkflowStep("a", answer, checks=[{"type": "is_json"}], approval=True)], inputs={"q": 1}), operator="ida")
        told = []
        for reason in ("too long", "too short", None):
            told.append(run.advance().sample.output["told"])
            if reason:
                run.reject(reason)
        self.assertEqual(told, [[], ["too long"], ["too long", "too short"]])
        self.assertEqual(run.answer.sample.feedback, ["too long", "too short"])
        for blank in ("", " ", "\u200b", None):
            with self.assertRaises(CaseError):
                run.reject(blank)
        self.assertEqual(run.state, "deciding")


class TestRuns(unittest.TestCase):
    def verdict(self, *steps, fixture=None):
        self.run_ = WorkflowRun(Workflow("w", list(steps), inputs={"q": 1}), operator="ida")
        play(self.run_, fixture or Fixture())
        return self.run_.verdict

    def test_what_a_run_comes_to(self):
        for words, status, steps in (
            ("all pass", "passed", [step("a", "fine"), step("b", "fine")]),
            ("held", "check_failed", [step("a", "bad"), step("b", "fine")]),
            ("crashed", "error", [step("a", "fine"), step("b", ValueError("no"))]),
            ("an outage", "transient", [step("a", "fine"), step("b", ValueError("outage"))]),
            ("empty", "error", [step("a", "")]),
            ("rejected by its checks, and mended", "passed", [step("a", "bad", "fine", approval=True)]),
            ("rejected until it may be no more", "check_failed", [step("a", "bad", "bad", max_rejections=1, approval=True)]),
            ("it leaks", "check_failed", [step("a", "fine", checks=[{"forbidden_prefix": ["fin"]}])]),
        ):
            with self.subTest(words):
                self.assertEqual(self.verdict(*steps).status, status)

    def test_an_approval_makes_no_pass(self):
        verdict = self.verdict(step("a", "bad", approval=True), step("b", "fine", needs=["a"]), fixture=Fixture(decisions={"a": (None,)}))
        self.assertEqual((self.run_.state, verdict.status), ("submitted", "check_failed"))
        self.assertIn("a.must_include[0]: missing required: 'fine'", str(verdict))

    def test_what_waits_for_a_person_is_settled_by_a_person_alone(self):
        both = [{"must_include": ["fine"]}, {"type": "human_review", "criteria": "the tone"}]
        for given, scripted, status in (("fine", False, "passed"), ("fine", True, "review"), ("bad", False, "check_failed"), ("bad", True, "check_failed")):
            with self.subTest(given=given, scripted=scripted):
                lines = []
                workflow = Workflow("w", [step("a", given, checks=both, approval=True)], inputs={"q": 1})
                run = WorkflowRun(workflow, operator="ida", record=lines.append, scripted=scripted)
                run.advance()
                self.assertEqual(run.answer.verdict.status, "review" if given == "fine" else "check_failed")
                run.approve()
                run.submit()
                again = WorkflowRun(workflow, operator="bob", past=lines, scripted=not scripted)  # who goes on with it does not matter
                self.assertEqual((run.verdict.status, again.verdict), (status, run.verdict))
                reasons = [finding.reason for finding in run.verdict.findings if finding.type == "human_review"]
                self.assertEqual(reasons, ["a person decides: 'the tone'" if scripted else "approved by ida: a person decides: 'the tone'"])

    def test_a_script_hands_on_what_waits_for_a_person(self):
        waiting = step("a", "fine", checks=[{"type": "human_review", "criteria": "the tone"}], approval=True)
        play(run := WorkflowRun(Workflow("w", [waiting], inputs={"q": 1}), operator="script", scripted=True), Fixture())
        self.assertEqual((run.state, run.verdict.status, len(run.answers["a"])), ("submitted", "review", 1))

    def test_nobody_would_decide(self):
        with self.assertRaisesRegex(CaseError, "approval=True"):
            step("a", "fine", checks=[{"type": "human_review", "criteria": "the tone"}])

    def test_a_rejection_counts_no_more_once_it_is_mended(self):
        verdict = self.verdict(step("a", "fine", "fine", approval=True), fixture=Fixture(decisions={"a": ("not yet", None)}))
        self.assertEqual((verdict.status, len(self.run_.answers["a"])), ("passed", 2))

    def test_a_veto_stays_one(self):
        self.assertTrue(self.verdict(step("a", "fine", checks=[{"forbidden_prefix": ["fin"]}])).vetoed)

    def test_what_was_not_submitted_is_no_pass(self):
        run = WorkflowRun(Workflow("w", [step("a", "fine"), step("b", "fine")], inputs={"q": 1}), operator="ida")
        said = []
        while run.state == "running":
            said.append(str(run.verdict))
            run.advance()
        said.append(str(run.verdict))
        reasons = ("it is running at 'a'", "it is running at 'b'", "all steps are accepted")
        self.assertEqual(said, [f"w 1: inconclusive\n  workflow: the run was not submitted: {words}" for words in reasons])
        run.submit()
        self.assertEqual(run.verdict.status, "passed")

    def test_no_secret_of_a_reason_or_an_output_is_shown(self):
        token = "gho" + "_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
        verdict = self.verdict(step("a", token, "bad", approval=True, max_rejections=0), fixture=Fixture(decisions={"a": (f"it shows {token}",)}))
        self.assertNotIn(token[4:12], str(verdict))
        self.assertIn("[secret 1: github token, 40 characters]", str(verdict))


class TestRecord(unittest.TestCase):
    """A run is worked out again from any beginning of its record, and goes on to the same end."""

    def workflow(self):
        return Workflow(
            "w",
            [
                step("a", *self.attempts["a"], approval=True),
                step("b", *self.attempts["b"], needs=["a"]),
                step("c", *self.attempts["c"], needs=["b"], approval=True),
            ],
            inputs={"q": 1},
        )

    def lines(self, past=()):
        """The record of a run by a busy operator, going on from a part of it."""
        self.attempts = {"a": ["fine 1", "fine 2", "fine 3"], "b": [ValueError("outage"), "fine 4", "fine 5"], "c": ["bad", "fine 6", "fine 7"]}
        for line in past:
            if "decision" not in line:
                self.attempts[line["case"][2:]].pop(0)
        made = list(past)
        run = WorkflowRun(self.workflow(), run="7", operator="ida", record=made.append, past=past)
        approve = ("approve",)
        decisions = [("reject", "no"), approve, ("retry",), ("reject", "bad"), approve, ("reject", "again", "a"), approve, approve, ("submit",)]
        while run.state != "submitted":
            if run.state == "running":
                run.advance()
            else:
                name, *given = decisions[len(run.decisions) - 1]
                getattr(run, name)(*given)
        self.assertEqual(run.verdict.status, "passed")
        return made

    def test_it_goes_on_from_every_line(self):
        whole = self.lines()
        self.assertEqual(len(whole), 19)
        for count in range(len(whole) + 1):
            with self.subTest(count):
                self.assertEqual(self.lines(whole[:count]), whole)

    def test_the_order_of_the_lines_is_in_them(self):
        whole = self.lines()
        self.assertEqual(self.lines(whole[::-1])[::-1], whole)

    def test_a_record_with_a_gap_is_refused(self):
        whole = self.lines()
        for place in range(len(whole) - 1):
            with self.subTest(place), self.assertRaises(GatekitError):
                self.lines(whole[:place] + whole[place + 1 :])

    def test_a_record_that_was_changed_is_refused(self):
        whole = self.lines()
        for place, change in (
            (0, {"number": 1}),
            (2, {"number": 0}),
            (2, {"number": -1}),
            (2, {"step": "b"}),
            (2, {"step": "d"}),
            (2, {"attempt": 2}),
            (2, {"decision": "submitted"}),
            (2, {"decision": "refused"}),
            (2, {"reason": ""}),
            (2, {"reason": "something else"}),  # the answer after it was given what it said
            (2, {"by": "ida"}),
            (2, {"output_sha256": "ab"}),
            (2, {"output_sha256": None}),
            (1, {"output": "fine 9"}),  # it was decided on, and was another
            (2, {"operator": 1}),
            (3, {"attempt": 5}),
            (3, {"attempt": 1}),
            (3, {"feedback": "nothing of the kind"}),
        ):
            changed = [dict(line) for line in whole]
            changed[place].update(change)
            with self.subTest((place, change)), self.assertRaises(GatekitError):
                self.lines(changed)

    def test_other_inputs_are_refused(self):
        whole = self.lines()
        self.attempts = {"a": [], "b": [], "c": []}
        with self.assertRaises(GatekitError) as caught:
            WorkflowRun(self.workflow(), {"q": 2}, "7", operator="ida", past=whole)
        self.assertIn("was begun with other inputs", str(caught.exception))

    def test_every_decision_is_attributed(self):
        decisions = [line for line in self.lines() if "decision" in line]
        self.assertEqual({line["operator"] for line in decisions}, {"ida"})
        self.assertEqual([line["number"] for line in decisions], list(range(10)))
        self.assertEqual([line["reason"] for line in decisions if line["decision"] == "rejected"], ["no", "bad", "again"])


class TestFixture(unittest.TestCase):
    def test_what_cannot_be_meant(self):
        workflow = Workflow("w", [step("a", approval=True), step("b")])
        for words, mapping in (
            ("decision", {"decision": {}}),
            ("a fixture that is empty says nothing", {}),
            ("decisions.a[1]: it is approved before", {"decisions": {"a": ["approve", {"reject": "late"}]}}),
            ("decisions.a[4]: the run ends with rejection 4 (max_rejections is 3)", {"decisions": {"a": [{"reject": "no"}] * 4 + ["approve"]}}),
            ("operator is a name", {"operator": " "}),
            ("inputs: the inputs of a workflow are empty", {"inputs": {}}),
            ("inputs.a: 'a' is a step", {"inputs": {"a": 1}}),
            ("decisions map", {"decisions": {}}),
            ("decisions.c: the workflow 'w' has no step 'c'", {"decisions": {"c": ["approve"]}}),
            ("decisions.b: the step 'b' asks for no approval", {"decisions": {"b": ["approve"]}}),
            ("decisions.a: what is decided on a step is a list", {"decisions": {"a": "approve"}}),
            ("decisions.a: what is decided on a step is a list", {"decisions": {"a": []}}),
            ("decisions.a[1]: a decision is `approve` or {reject: REASON}, not 'aprove': did you mean approve?", {"decisions": {"a": ["approve", "aprove"]}}),
            ("decisions.a[0]: a rejection has a reason: {reject: REASON}", {"decisions": {"a": ["reject"]}}),
            ("decisions.a[0].reject: a rejection has a reason, as text", {"decisions": {"a": [{"reject": ""}]}}),
            ("decisions.a[0]: a decision is `approve` or {reject: REASON}, not a number", {"decisions": {"a": [1]}}),
        ):
            with self.subTest(words), self.assertRaises(CaseError) as caught:
                Fixture.from_dict(mapping, workflow)
            self.assertIn(words, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
