"""The ladder of commands on examples/intel, byte for byte: one step, a batch of it, the whole workflow, and a person at a terminal."""
import json
import os
import tempfile
import unittest

from .running import ROOT, call, write
from .terminal import AVAILABLE, END, INTERRUPT, Terminal

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "ladder")
INTEL = "examples.intel.workflow:intel"
FIXTURE = "examples/intel/offer.fixture.yaml"
ASKS = "approve, or reject REASON: "
REVIEWS = "submit, or reject STEP REASON: "


def stored(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def kept(folder):
    """The lines of a ledger, by the file that they stand in."""
    lines = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            lines[name] = [json.loads(line) for line in file]
    return lines


def decisions(folder):
    """The decisions in the ledger that is kept in a folder, in their order."""
    lines = [line for lines in kept(os.path.join(folder, "kept")).values() for line in lines if "decision" in line]
    return sorted((line["number"], line["decision"], line["operator"], line.get("step"), line.get("reason")) for line in lines)


class TestStep(unittest.TestCase):
    def test_each_scenario(self):
        for name in ("synthesize.grounded", "synthesize.missing_revenue", "synthesize.after_rejection", "draft_offer.price_from_notes"):
            with self.subTest(name):
                code, out, err = call("step", "--scenario", f"examples.intel.scenarios:{name}")
                self.assertEqual((code, out.decode(), err), (0, stored(f"step-{name}.txt"), b""))

    def test_prompts(self):
        code, out, err = call("step", "--scenario", "examples.intel.scenarios:synthesize.missing_revenue", "--show-prompt")
        self.assertEqual((code, out.decode(), err), (0, stored("step-prompts.txt"), b""))

    def test_a_rejection_is_learned_from(self):
        """Without the feedback the preliminary figure is taken, and the check fails."""
        words = ("step", "--scenario", "examples.intel.scenarios:synthesize.preliminary")
        code, out, _ = call(*words)
        self.assertEqual(code, 1)
        self.assertIn("[fail] checks[0]", out.decode())
        self.assertEqual(call(*words, "--feedback", "the revenue figure was wrong last time")[0], 0)

    def test_through_a_pipe(self):
        words = ("step", "--scenario", "examples.intel.scenarios:synthesize.preliminary", "--interactive")
        code, out, err = call(*words, stdin=b"reject the revenue figure was wrong last time\napprove\n")
        self.assertEqual((code, out.decode(), err), (0, stored("step-pipe.txt"), b""))

    def test_it_ends_with_the_input_and_after_three_rejections(self):
        words = ("step", "--scenario", "examples.intel.scenarios:synthesize.preliminary", "--interactive")
        for typed, attempts in ((b"", 1), (b"reject a", 2), (b"reject a\nreject\nb\nreject c\nreject d\n", 4)):
            code, out, _ = call(*words, stdin=typed)
            self.assertEqual((code, out.decode().count("attempt ")), (1, attempts), typed)

    def test_usage(self):
        for words, says in (
            ((), "name a scenario"),
            (("--scenario", "examples.intel.scenarios:synthesize.grouded"), "did you mean synthesize.grounded?"),
            (("--scenario", "examples.intel.scenarios"), "a scenario is MODULE:NAME"),
            (("--scenari", "x"), "did you mean --scenario?"),
        ):
            with self.subTest(words):
                code, out, err = call("step", *words)
                self.assertEqual((code, out), (4, b""))
                self.assertIn(says, err.decode())


    def test_a_job_of_a_log(self):
        """What its first attempt saw, and not what came later; the reason of a rejection is feedback."""
        words = ("step", "--agent", "examples.intel.agents:synthesize", "--template", "examples.intel.scenarios:SYNTHESIZE", "--step", "synthesize", "--job")
        for job, says in (
            ("HTI-1", "approved by a person in job HTI-1\noutput:"),
            ("HTI-2", "rejected by a person in job HTI-2\nfeedback: the revenue figure was wrong last time\noutput:"),
            ("HTI-3", "revenue.value is null, and no source mentions"),
        ):
            code, out, err = call(*words, f"examples/intel/history.jobs.jsonl:{job}")
            self.assertEqual((code, err), (0, b""), job)
            self.assertIn(says, out.decode())
        for more, says in (
            (("examples/intel/history.jobs.jsonl:HTI-9",), "the log has no job 'HTI-9': did you mean 'HTI-1'?"),
            (("examples/intel/history.jobs.jsonl",), "--job is JOBS.jsonl:ID"),
            (("missing.jobs.jsonl:HTI-1",), "it is not there"),
            (("examples/intel/history.jobs.jsonl:HTI-1", "--scenario", "x:y"), "name a scenario or a job"),
            (("examples/intel/history.jobs.jsonl:HTI-1", "--template", "x:y"), "--template is given twice"),
        ):
            code, out, err = call(*words, *more)
            self.assertEqual((code, out), (4, b""), more)
            self.assertIn(says, err.decode())
        self.assertIn("--step goes with --job", call("step", "--scenario", "x:y", "--step", "z")[2].decode())

    def test_a_log_that_is_broken_elsewhere(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(ROOT, "examples", "intel", "history.jobs.jsonl"), encoding="utf-8") as file:
                write(folder, {"slip.jobs.jsonl": '{"job": "HTI-1", "event": "claimd"}\n' + file.read()})
            words = ("--agent", "examples.intel.agents:draft_offer", "--template", "examples.intel.scenarios:DRAFT_OFFER", "--step", "draft_offer")
            code, out, err = call("step", "--job", os.path.join(folder, "slip.jobs.jsonl") + ":HTI-1", *words)
        self.assertEqual(code, 4)
        self.assertIn("verdict: passed", out.decode())
        self.assertIn("slip.jobs.jsonl:1: ", err.decode())

    def test_what_is_shown_holds_no_secret_and_does_not_act(self):
        token = "gho" + "_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
        module = f"""
import gatekit
TOKEN = "{token[:6]}" + "{token[6:]}"
async def ask(messages, model):
    return "\\x1b[31m::error::" + TOKEN
def look(name):
    raise KeyError(TOKEN)
async def agent(step):
    print("aside")
    step.prompt("by hand " + TOKEN)
    try:
        step.tools["look"](name=TOKEN)
    except KeyError:
        pass
    return await step.client(messages=[{{"role": "user", "content": "a\\n\\n  b " + TOKEN}}], model="m")
leaks = gatekit.Scenario("leaks", agent, inputs={{"q": 1}}, client=ask, tools={{"look": look}}, checks=[{{"packs": ["secrets"]}}])
"""
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"leaking_agent.py": module})
            code, out, err = call("step", "--scenario", "leaking_agent:leaks", "--show-prompt", cwd=folder)
        said = out.decode()
        self.assertEqual((code, err), (1, b"aside\n"))
        self.assertNotIn(token[4:12], said)
        self.assertNotIn("\x1b", said)
        self.assertEqual(said, stored("step-leaks.txt"))


class TestBatch(unittest.TestCase):
    def test_each_scenario(self):
        """Each keeps its promise in 100 runs, though three of them slip or meet a provider that is down once."""
        for name, transient, failed in (
            ("synthesize.grounded", 1, 0),
            ("synthesize.missing_revenue", 0, 1),
            ("synthesize.after_rejection", 0, 0),
            ("draft_offer.price_from_notes", 0, 1),
        ):
            with self.subTest(name):
                code, out, err = call("batch", f"examples.intel.scenarios:{name}", "-n", "100", "--no-curtail")
                self.assertEqual((code, out.decode(), err), (0, stored(f"batch-{name}.txt"), b""))
                self.assertEqual((out.count(b": transient\n"), out.count(b": check_failed\n")), (transient, failed))

    def test_history(self):
        """The approved jobs gate; the rejected one is run with what was said of it, shown, and excluded."""
        words = ("--agent", "examples.intel.agents:synthesize", "--template", "examples.intel.scenarios:SYNTHESIZE", "--step", "synthesize")
        code, out, err = call("batch", "--corpus", "examples/intel/history.jobs.jsonl", *words, "-n", "2")
        self.assertEqual((code, out.decode(), err), (0, stored("batch-history.txt"), b""))


class TestWorkflow(unittest.TestCase):
    def test_many_runs(self):
        for form, count in (("text", "100"), ("json", "9")):
            with self.subTest(form):
                code, out, err = call("workflow", INTEL, "-n", count, "--fixture", FIXTURE, "--format", form)
                self.assertEqual((code, out.decode(), err), (0, stored(f"workflow.{form}"), b""))

    def test_from_a_ledger(self):
        """What is kept is not run again, whole or in part; and the report is the same."""
        words = ("workflow", INTEL, "-n", "2", "--fixture", FIXTURE)
        code, plain, _ = call(*words)
        with tempfile.TemporaryDirectory() as folder:
            ledger = os.path.join(folder, "kept")
            for _ in range(2):
                self.assertEqual(call(*words, "--ledger", ledger), (code, plain, b""))
            [(name, lines)] = kept(ledger).items()
            self.assertEqual(name, "workflow.jsonl")
            path = os.path.join(ledger, name)
            with open(path, "rb") as file:
                whole = file.read()
            for size in range(0, len(whole), 997):
                with open(path, "wb") as file:
                    file.write(whole[:size])
                self.assertEqual(call(*words, "--ledger", ledger)[:2], (code, plain), size)
                self.assertEqual(kept(ledger)[name], lines)

    def test_usage(self):
        for words, says in (
            ((), "name a workflow"),
            (("examples.intel.workflow:intle",), "did you mean intel?"),
            ((INTEL, "-n", "0"), "-n is a whole number from 1"),
            ((INTEL, "-n", "ten"), "-n is a whole number from 1"),
            ((INTEL, "--fixture", "missing.yaml"), "it is not there"),
            ((INTEL, "--max-failure-rate", "5"), "max_failure_rate"),
        ):
            with self.subTest(words):
                code, out, err = call("workflow", *words)
                self.assertEqual((code, out), (4, b""))
                self.assertIn(says, err.decode())

    def test_a_fixture_that_cannot_be_meant(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"slip.fixture.yaml": "decisions:\n  synthesize:\n    - approve\n    - rejct: why\n"})
            code, _, err = call("workflow", INTEL, "--fixture", os.path.join(folder, "slip.fixture.yaml"))
            self.assertEqual(code, 4)
            self.assertIn("slip.fixture.yaml:4:", err.decode())
            self.assertIn("did you mean reject?", err.decode())


class TestOperate(unittest.TestCase):
    def operate(self, folder, *words, stdin=b"", operator="ida"):
        return call("operate", INTEL, "--operator", operator, "--ledger", os.path.join(folder, "kept"), *words, stdin=stdin)

    def test_through_a_pipe(self):
        with tempfile.TemporaryDirectory() as folder:
            typed = b"reject the revenue figure was wrong last time\napprove\napprove\nsubmit\n"
            code, out, err = self.operate(folder, stdin=typed)
            self.assertEqual((code, out.decode(), err), (0, stored("operate-pipe.txt"), b""))
            self.assertEqual(
                decisions(folder),
                [
                    (0, "begun", "ida", None, None),
                    (1, "rejected", "ida", "synthesize", "the revenue figure was wrong last time"),
                    (2, "approved", "ida", "synthesize", None),
                    (3, "approved", "ida", "draft_offer", None),
                    (4, "submitted", "ida", None, None),
                ],
            )

    def test_it_goes_on_after_every_line(self):
        """One answer a time, each by another process's reading of the ledger: as if all came at once."""
        with tempfile.TemporaryDirectory() as folder:
            for typed in (b"", b"reject no", b"approve", b"approve", b"reject draft_offer no", b"approve"):
                self.assertEqual(self.operate(folder, stdin=typed)[0], 2, typed)
            for typed in (b"submit", b""):
                self.assertEqual(self.operate(folder, stdin=typed)[0], 0, typed)
            made = [decision for _, decision, *_ in decisions(folder)]
            self.assertEqual(made, "begun rejected approved approved rejected approved submitted".split())

    def test_two_operators(self):
        with tempfile.TemporaryDirectory() as folder:
            self.operate(folder, stdin=b"approve\n")
            self.assertEqual(self.operate(folder, stdin=b"approve\nsubmit\n", operator="Ben Å")[0], 0)
            files = kept(os.path.join(folder, "kept"))
            self.assertEqual([name.partition("-")[0] for name in files], ["ben", "ida.jsonl"])
            self.assertEqual([who for _, _, who, *_ in decisions(folder)], ["ida", "ida", "Ben Å", "Ben Å"])

    def test_two_operators_at_once(self):
        """Both decide on the same output, and none sees the other: the ledger tells, and nothing is taken for right."""
        with tempfile.TemporaryDirectory() as folder:
            self.operate(folder, stdin=b"")
            ledger = os.path.join(folder, "kept")
            about = {"workflow": "intel", "run": "1", "number": 1, "step": "synthesize", "attempt": 1, "output_sha256": "ab"}
            theirs = {"ben": {"decision": "approved"}, "eve": {"decision": "rejected", "reason": "no"}}
            write(ledger, {f"{who}.jsonl": json.dumps({**about, **decided, "operator": who}) + "\n" for who, decided in theirs.items()})
            code, out, err = self.operate(folder, stdin=b"approve\n")
            self.assertEqual((code, out), (4, b""))
            self.assertIn("kept/eve.jsonl:1: decision 1 of the run '1' is there with other words: ", err.decode())
            self.assertIn("kept/ben.jsonl:1 has it too", err.decode())

    def test_a_ledger_that_cannot_be_meant(self):
        begun = {"decision": "begun", "workflow": "intel", "run": "1", "number": 0, "operator": "ida", "inputs": "sha256:0"}
        for line, says in (
            ({**begun, "decision": "begin"}, "did you mean begun?"),
            ({**begun, "number": True}, "'number' of what was begun is a whole number"),
            ({**begun, "operater": "x"}, "has no member 'operater': did you mean 'operator'?"),
            ({**begun, "run": ""}, "'run' of what was begun is text"),
            (begun, "was begun with other inputs"),
            ({**begun, "decision": "submitted", "number": 1}, "'inputs'"),
            ({"case": "intel.synthesize", "sample": "1", "output": "x"}, '"attempt"'),
            ({"case": "intel.synthesize", "sample": "1", "output": "x", "attempt": 1}, "the run never came to it"),
            ({"case": "intel.synthesize", "sampel": "1", "output": "x"}, "did you mean 'sample'?"),
        ):
            with self.subTest(says), tempfile.TemporaryDirectory() as folder:
                write(folder, {"kept/x.jsonl": json.dumps(line) + "\n"})
                code, out, err = self.operate(folder)
                self.assertEqual((code, out), (4, b""))
                self.assertIn(says, err.decode())

    def test_what_is_typed_does_not_act(self):
        """Escape sequences, half a character, a line without end, a secret, a blank reason: each is escaped, hidden or asked for again."""
        token = "gho" + "_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
        typed = b"\x1b[31mapprove\napp\xffrove\n" + b"a" * 20001 + f"\n{token}\n".encode()
        typed += "approve \u200b!\nsubmit\nretry\nreject\n\n \n\u200b\n::error::no\n".encode()
        with tempfile.TemporaryDirectory() as folder:
            code, out, err = self.operate(folder, stdin=typed)
        said = out.decode()
        self.assertEqual((code, err), (2, b""))
        self.assertNotIn("\x1b", said)
        self.assertNotIn(token[4:12], said)
        self.assertFalse([line for line in said.splitlines() if line.startswith("::")])
        for words in (
            "there is no '\\x1b[31mapprove'",
            "the line is not UTF-8",
            "more than 10000 bytes",
            "there is no '[secret 1: github token, 40 characters]'",
            "approve stands by itself: nothing is done",
            "it cannot be submitted now",
            "it cannot be retried now",
            "feedback: ::error::no",
        ):
            self.assertIn(words, said)
        self.assertEqual(said.count("a rejection has a reason"), 3)

    def test_what_cannot_be_handed_on_is_retried(self):
        """A crash, an outage, and a step without approval whose checks fail: each stops the run, and can be retried."""
        module = """
import gatekit
def agent(step):
    if step.attempt == 1:
        raise ValueError("boom")
    if step.attempt == 2:
        raise OSError("down for a while")
    return "bad" if step.attempt == 3 else "fine"
steps = [gatekit.WorkflowStep("only", agent, checks=[{"must_include": ["fine"]}], transient=["down for a while"])]
flow = gatekit.Workflow("flow", steps, inputs={"q": 1})
"""
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"stopping_agent.py": module})
            words = ("operate", "stopping_agent:flow", "--operator", "ida", "--ledger", "kept")
            said = []
            for typed in (b"approve\n", b"retry\n", b"retry\n", b"retry\nsubmit\n"):
                code, out, _ = call(*words, cwd=folder, stdin=typed)
                said.append((code, [line for line in out.decode().splitlines() if line.startswith(("run 1 of flow: ", "verdict: ", "it cannot"))]))
            made = [decision for _, decision, *_ in decisions(folder)]
        stopped = "run 1 of flow: stopped; what was decided is kept, and the same command goes on from here"
        self.assertEqual(made, "begun retried retried retried submitted".split())
        cannot = "it cannot be approved now: the run is stopped at 'only', and waits to be retried: nothing is done"
        self.assertEqual(said[0], (1, ["verdict: error", cannot, stopped, "verdict: error"]))
        self.assertEqual(said[1], (2, ["verdict: error", "verdict: transient", stopped, "verdict: transient"]))
        self.assertEqual(said[2], (1, ["verdict: transient", "verdict: check_failed", stopped, "verdict: check_failed"]))
        self.assertEqual(said[3], (0, ["verdict: check_failed", "run 1 of flow: submitted", "verdict: passed"]))

    def test_nobody_answers_for_ever(self):
        with tempfile.TemporaryDirectory() as folder:
            code, out, _ = self.operate(folder, stdin=b"y\n" * 1000)
        self.assertEqual(code, 2)
        self.assertIn("100 lines were no answer", out.decode())
        self.assertLess(out.count(b"there is no 'y'"), 101)

    def test_usage(self):
        for words, says in (
            ((), "name a workflow"),
            ((INTEL, "--ledger", "x"), "say who decides"),
            ((INTEL, "--operator", "\u200b", "--ledger", "x"), "say who decides"),
            ((INTEL, "--operator", "ida"), "name the folder"),
            ((INTEL, "--operator", "ida", "--ledger", "README.md"), "a ledger is a folder"),
        ):
            with self.subTest(words):
                code, out, err = call("operate", *words)
                self.assertEqual((code, out), (4, b""))
                self.assertIn(says, err.decode())


@unittest.skipUnless(AVAILABLE, "there is no pseudo-terminal here")
class TestTerminal(unittest.TestCase):
    """What stood on the screen, with what was typed."""

    def operate(self, folder, operator="ida"):
        return Terminal("operate", INTEL, "--operator", operator, "--ledger", os.path.join(folder, "kept"), cwd=ROOT)

    def test_step(self):
        with Terminal("step", "--scenario", "examples.intel.scenarios:synthesize.preliminary", "--interactive") as terminal:
            terminal.wait("approve, or reject REASON (3 left): ")
            terminal.type("reject")
            terminal.wait("the reason: ")
            terminal.type("")
            terminal.wait("the reason: ")
            terminal.type("the revenue figure was wrong last time")
            terminal.wait("approve, or reject REASON (2 left): ")
            terminal.type("aprove")
            terminal.wait("approve, or reject REASON (2 left): ")
            terminal.type("approve")
            self.assertEqual((terminal.end(), terminal.seen), (0, stored("step-terminal.txt")))

    def test_operate(self):
        """Ida rejects, approves and is interrupted; Ben goes on, sends the offer back once and submits."""
        with tempfile.TemporaryDirectory() as folder:
            with self.operate(folder) as terminal:
                terminal.answer(ASKS, "reject the revenue figure was wrong last time", "approve")
                terminal.wait(ASKS)
                terminal.type(INTERRUPT)
                self.assertEqual((terminal.end(), terminal.seen), (2, stored("operate-terminal-1.txt")))
            with self.operate(folder, "ben") as terminal:
                terminal.answer(ASKS, "approve")
                terminal.answer(REVIEWS, "reject draft_offer say that we mount them")
                terminal.answer(ASKS, "approve")
                terminal.answer(REVIEWS, "submit")
                self.assertEqual((terminal.end(), terminal.seen), (0, stored("operate-terminal-2.txt")))
            made = decisions(folder)
        self.assertEqual([(decision, who) for _, decision, who, *_ in made][3:], [(decision, "ben") for decision in ("approved", "rejected", "approved", "submitted")])

    def test_many_runs_interrupted(self):
        """The runs that came to their end are reported and kept; the same command makes the others, and no answer is there twice."""
        with tempfile.TemporaryDirectory() as folder:
            ledger = os.path.join(folder, "kept")
            words = ("workflow", INTEL, "-n", "300", "--fixture", FIXTURE, "--ledger", ledger)
            with Terminal(*words) as terminal:
                while not os.path.isdir(ledger) or len(os.listdir(ledger)) < 1 or os.path.getsize(os.path.join(ledger, "workflow.jsonl")) < 9000:
                    terminal.pause()
                terminal.type(INTERRUPT)
                self.assertEqual(terminal.end(), 4)
                self.assertRegex(terminal.seen, r"error: interrupted, [0-9]+ of 300 runs are missing: the same command goes on from the ledger")
            words = (*words[:3], "6", *words[4:])
            self.assertEqual(call(*words), call(*words[:-2]))
            lines = kept(ledger)["workflow.jsonl"]
            answers = [(line["case"], line["sample"], line["attempt"]) for line in lines if "decision" not in line]
            self.assertEqual(len(answers), len(set(answers)))

    def test_the_end_of_the_input(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.operate(folder) as terminal:
                terminal.wait(ASKS)
                terminal.type(END)
                self.assertEqual(terminal.end(), 2)
                self.assertIn("the same command goes on from here", terminal.seen)
            self.assertEqual(len(kept(os.path.join(folder, "kept"))["ida.jsonl"]), 2)


if __name__ == "__main__":
    unittest.main()
