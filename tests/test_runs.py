"""Scenarios of steps and conversations: whatever an agent does, a run of it is a sample and a verdict."""
import asyncio
import multiprocessing
import pickle
import unittest

import gatekit
from gatekit import CaseError, Matcher, Rubric, Scenario, Template, Workflow, WorkflowRun, WorkflowStep, run_scenario, run_scenario_async
from gatekit.runs.batch import Batch, Memory

from . import batch_agents

RUBRIC = {"must_include": ["refund"]}


class Down(Exception):
    """A provider's failure."""


def step(agent, **more):
    """A scenario of a step with one check."""
    return Scenario("s", agent, **{"inputs": {"x": [1]}, "checks": [RUBRIC], **more})


def raising(error):
    def agent(given):
        raise error

    return agent


class Group(Exception):
    """What a group of exceptions looks like on every Python."""

    def __init__(self, exceptions):
        super().__init__("several")
        self.exceptions = tuple(exceptions)


class Wordless(Exception):
    """An exception that cannot say what it is."""

    def __str__(self):
        raise RuntimeError("no")


@gatekit.invariant("runs_test_talks_once")
def talks_once(conversation):
    """There is one turn."""
    return gatekit.InvariantResult("runs_test_talks_once", len(conversation.turns) == 1)


class Outcomes(unittest.TestCase):
    def test_what_an_agent_gives(self):
        for given, status in (
            ("a refund", "passed"),
            ("nothing", "check_failed"),
            ({"refund": 1}, "passed"),
            (["refund"], "passed"),
            ({"output": "refund", "usage": {"input_tokens": 1}}, "passed"),
            ({"output": "refund", "finish_reason": "length"}, "inconclusive"),
            ({"error": "it broke"}, "error"),
            (None, "error"),
            ("", "error"),
            ("  \n", "error"),
            ({1: 2}, "error"),
            ({"output": {1: 2}}, "error"),
            (float("nan"), "error"),
            (object(), "error"),
            ({"output": "refund", "status": "transient"}, "error"),
            ({"output": "refund", "status": "diverged"}, "error"),
            (gatekit.Sample("refund"), "passed"),
        ):
            with self.subTest(given=given):
                self.assertEqual(run_scenario(step(lambda _: given)).status, status)

    def test_what_an_agent_raises(self):
        for error, status in (
            (ValueError("x"), "error"),
            (SystemExit(0), "error"),
            (StopIteration(), "error"),
            (RecursionError(), "error"),
            (MemoryError(), "error"),
            (TimeoutError("too long"), "error"),
            (BaseException("bare"), "error"),
            (Wordless(), "error"),
            (gatekit.CaseError("its own"), "error"),
            (gatekit.Divergence("its own"), "error"),
            (Down("503"), "transient"),
            (RuntimeError("429 rate limit exceeded"), "transient"),
            (RuntimeError("rate"), "error"),
        ):
            with self.subTest(error=type(error).__name__):
                run = run_scenario(step(raising(error), transient=[Down, "rate limit"]))
                self.assertEqual((run.status, run.sample.status), (status, status))
                self.assertTrue(run.sample.error.startswith(type(error).__name__))

    def test_a_group_is_transient_where_all_that_it_holds_is(self):
        for inside, status in (
            ([Down("503")], "transient"),
            ([Down("503"), RuntimeError("rate limit")], "transient"),
            ([Down("503"), KeyError("id")], "error"),
            ([Down("503"), Group([Down("503"), Group([KeyError("id")])])], "error"),
            ([Down("503")] * 99 + [KeyError("id")] * 1000, "error"),
            ([], "error"),
        ):
            run = run_scenario(step(raising(Group(inside)), transient=[Down, "rate limit"]))
            self.assertEqual(run.status, status, inside[:3])
            self.assertTrue(run.sample.error.startswith("Group: several" + ("; Down: 503" if inside else "")), run.sample.error)
        itself = Group([])
        itself.exceptions = (itself,)
        self.assertEqual(run_scenario(step(raising(itself), transient=[Down])).status, "error")
        self.assertEqual(run_scenario(step(raising(itself), transient=[Group])).status, "transient")

    def test_a_timeout_is_transient_where_it_is_declared(self):
        self.assertEqual(run_scenario(step(raising(TimeoutError()), transient=[TimeoutError])).status, "transient")

    def test_ctrl_c_ends_the_run(self):
        with self.assertRaises(KeyboardInterrupt):
            run_scenario(step(raising(KeyboardInterrupt())))

    def test_a_long_error_is_cut_and_still_recognised(self):
        run = run_scenario(step(raising(RuntimeError("x" * 100000 + " rate limit")), transient=["rate limit"]))
        self.assertEqual((run.status, len(run.sample.error)), ("transient", 10000))

    def test_the_runner_says_whose_sample_it_is(self):
        agent = {"output": "refund", "case": "other", "sample": "9", "attempt": 7, "case_verdict": "rejected", "label": "approved", "source_job_id": "j"}
        run = run_scenario(step(lambda _: agent), feedback="shorter", sample="run-0001")
        self.assertEqual(run.sample.fields, {"case": "s", "sample": "run-0001", "feedback": ["shorter"], "output": "refund"})

    def test_finish(self):
        def both(given):
            given.finish("refund")
            return "something else"

        def twice(given):
            given.finish("refund")
            given.finish("refund")

        def strange(given):
            given.finish("refund", sauces=["a"])

        def claiming(given):
            given.finish("refund", case_verdict="rejected")

        for agent in (both, twice, strange, claiming):
            self.assertEqual(run_scenario(step(agent)).status, "error", agent.__name__)
        self.assertIn("did you mean 'sources'", run_scenario(step(strange)).sample.error)
        run = run_scenario(step(lambda given: given.finish("refund", sources=["a"], usage={"input_tokens": 3}) and None))
        self.assertEqual((run.status, run.sample.fields["sources"], run.sample.fields["usage"]), ("passed", ["a"], {"input_tokens": 3}))

    def test_what_a_step_is_given_is_its_own(self):
        def spoils(given):
            given.inputs["x"].append(2)
            return f"refund {given.inputs['x']} {given.requirements} {given.feedback} {given.sample} {given.template.name}"

        scenario = step(spoils, requirements="be brief", feedback=["one"], template=Template("t", "not_refusal"))
        for _ in range(2):
            run = run_scenario(scenario, feedback=["two"], sample="7")
            self.assertEqual(run.sample.output, "refund [1, 2] ('be brief',) ('one', 'two') 7 t")

    def test_calls_of_tools_are_messages_and_a_log(self):
        def agent(given):
            given.prompt("first")
            given.response("answered")
            given.tools["find"](order="41")
            given.client(messages=[{"role": "user", "content": given.prompt("second")}])
            return "refund"

        def client(messages):
            return {"text": "hm", "usage": {"input_tokens": 5}}

        run = run_scenario(step(agent, tools={"find": batch_agents.find}, client=client, checks=[RUBRIC, "every_call_answered"]))
        self.assertEqual(run.status, "passed")
        self.assertEqual([entry["kind"] for entry in run.log], ["prompt", "tool", "prompt", "model"])
        self.assertEqual(run.log[0], {"kind": "prompt", "prompt": "first", "response": "answered"})
        self.assertEqual(run.sample.fields["usage"], {"input_tokens": 5})
        self.assertEqual([message["role"] for message in run.sample.fields["messages"]], ["user", "assistant", "assistant"])

    def test_a_secret_in_the_arguments_of_a_call_is_seen(self):
        def agent(given):
            given.tools["find"](order=batch_agents.KEY)
            return "refund"

        def talker(client, tools):
            return lambda text: str(tools["find"](order=batch_agents.KEY) and "a refund")

        self.assertEqual(run_scenario(step(agent, tools={"find": batch_agents.find})).sample.fields["messages"][1]["tool_calls"][0]["arguments"]["order"], batch_agents.KEY)
        scenario = Scenario("s", talker, ["hi"], checks=[RUBRIC, "no_secrets"], tools={"find": batch_agents.find})
        self.assertEqual(run_scenario(scenario).status, "check_failed")

    def test_a_conversation(self):
        run = run_scenario(batch_agents.TALK)
        self.assertEqual((run.status, run.sample.text), ("passed", "refund of 41"))
        self.assertEqual(run_scenario(batch_agents.TALK, feedback="sooner").sample.text, "refund of 41, sooner")
        deaf = batch_agents.TALK.changed(agent=lambda client, tools: lambda text: "refund")
        self.assertEqual(run_scenario(deaf).status, "passed")
        with self.assertRaisesRegex(CaseError, "takes no feedback"):
            run_scenario(deaf, feedback="sooner")
        crashing = batch_agents.TALK.changed(agent=lambda client, tools: lambda text: tools["find"]())
        self.assertEqual(run_scenario(crashing).status, "error")

    def test_checks_of_every_kind(self):
        checks = [RUBRIC, {"packs": ["refusals"]}, Rubric(must_exclude=["x1"]), Matcher("contains", value="a"), {"type": "regex", "value": "r"}, "no_secrets", talks_once]
        scenario = Scenario("s", lambda client, tools: lambda text: "a refund", ["hi"], checks=checks, invariants=[talks_once], template=Template("t", *checks))
        run = run_scenario(scenario)
        self.assertEqual(run.status, "passed", str(run))
        self.assertIn("t.checks[4]", [finding.rule for finding in run.verdict.findings])


class Asynchronous(unittest.TestCase):
    def test_async_agents(self):
        async def agent(given):
            await asyncio.sleep(0)
            if given.sample == "2":
                raise Down("503")
            if given.sample == "3":
                raise SystemExit(3)
            if given.sample == "4":
                raise asyncio.TimeoutError
            return "refund"

        async def all_of_them():
            scenario = step(agent, transient=[Down])
            return await asyncio.gather(*(run_scenario_async(scenario, sample=str(number)) for number in range(1, 5)))

        self.assertEqual([run.status for run in asyncio.run(all_of_them())], ["passed", "transient", "error", "error"])

    def test_a_plain_agent_may_be_awaited_too(self):
        self.assertEqual(asyncio.run(run_scenario_async(step(lambda _: "refund"))).status, "passed")

    def test_an_async_agent_of_a_conversation(self):
        async def make(client, tools):
            async def respond(text):
                await asyncio.sleep(0)
                return "refund"

            return respond

        scenario = Scenario("s", make, ["a", "b"], checks=[RUBRIC])
        self.assertEqual(asyncio.run(run_scenario_async(scenario)).status, "passed")

    def test_cancelling_is_not_the_agents_failure(self):
        async def agent(given):
            await asyncio.sleep(60)

        async def limited():
            return await asyncio.wait_for(run_scenario_async(step(agent)), 0.01)

        with self.assertRaises(asyncio.TimeoutError):
            asyncio.run(limited())

    def test_without_an_event_loop_it_says_so(self):
        async def agent(given):
            return "refund"

        with self.assertRaisesRegex(CaseError, "run_scenario_async"):
            run_scenario(step(agent))


class Declared(unittest.TestCase):
    def test_what_cannot_be_meant(self):
        good = {"inputs": 1, "checks": [RUBRIC]}
        for change, words in (
            ({"turns": ["a"]}, "exclude each other"),
            ({"inputs": None}, "a step has inputs"),
            ({"inputs": {1: 2}}, "a key of an object"),
            ({"inputs": float("nan")}, "NaN"),
            ({"checks": RUBRIC}, "checks are a list"),
            ({"checks": [{"must_inclde": ["x"]}]}, "a matcher has no \"type\""),
            ({"checks": ["contians"]}, "did you mean 'contains'"),
            ({"checks": [len]}, "register it"),
            ({"checks": [7]}, "a check is"),
            ({"template": "t"}, "Template"),
            ({"requirements": [""]}, "say something"),
            ({"requirements": {"a": 1}}, "a text or a list"),
            ({"feedback": ["  "]}, "say something"),
            ({"feedback": "\u200b"}, "say something"),
            ({"transient": "rate limit"}, "a list"),
            ({"transient": [Exception]}, "agent's own faults"),
            ({"transient": [ValueError]}, "agent's own faults"),
            ({"transient": [KeyboardInterrupt]}, "agent's own faults"),
            ({"transient": [LookupError]}, "agent's own faults"),
            ({"transient": ["Error"]}, "agent's own"),
            ({"transient": [7]}, "exception class"),
            ({"max_failure_rate": 5}, "between 0 and 1"),
            ({"max_failure_rate": "0", "confidence": 0.95}, "confidence|rate of 0"),
            ({"min_judged": 0}, "from 1 on"),
            ({"case_verdict": "aproved"}, "approved, rejected"),
            ({"reasoning": "keap"}, "keep"),
        ):
            with self.subTest(change=change), self.assertRaisesRegex(CaseError, words):
                Scenario("s", lambda given: "x", **{**good, **change})
        with self.assertRaisesRegex(CaseError, "no checks"):
            Template("t")
        with self.assertRaisesRegex(CaseError, "no checks"):
            run_scenario(batch_agents.UNCHECKED)
        with self.assertRaisesRegex(CaseError, "feedback"):
            run_scenario(batch_agents.STEADY, feedback=" ")

    def test_it_does_not_change(self):
        with self.assertRaises(AttributeError):
            batch_agents.STEADY.name = "x"
        self.assertEqual(batch_agents.STEADY.changed(name="other").changed(name="steady"), batch_agents.STEADY)

    def test_pickled(self):
        for scenario in (batch_agents.UNSTEADY, batch_agents.TALK, batch_agents.WAITING):
            again = pickle.loads(pickle.dumps(scenario))
            self.assertEqual((again, hash(again), again.judging, again.thresholds), (scenario, hash(scenario), scenario.judging, scenario.thresholds))
        run = run_scenario(batch_agents.UNSTEADY, sample="run-0001")
        self.assertEqual(pickle.loads(pickle.dumps(run)), run)
        self.assertEqual(pickle.loads(pickle.dumps(batch_agents.TEMPLATE)), batch_agents.TEMPLATE)

    def test_in_a_process_of_its_own(self):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            there = pool.starmap(run_scenario, [(batch_agents.UNSTEADY, None, f"run-{number:04d}") for number in range(1, 31)])
        here = [run_scenario(batch_agents.UNSTEADY, sample=f"run-{number:04d}") for number in range(1, 31)]
        self.assertEqual(there, here)
        self.assertGreater(len({run.status for run in here}), 2)


class Given(unittest.TestCase):
    """What an agent was given is what `values_from_source` looks into."""

    CHECK = {"type": "values_from_source", "from": "input"}

    def of(self, price, answer, **more):
        return Scenario("s", lambda given: answer, inputs={"notes": f"NOK {price} each"}, checks=[self.CHECK], **more)

    def test_a_step_is_held_to_its_inputs(self):
        for answer, status in (("It is NOK 18,400.", "passed"), ("It is NOK 19,000.", "check_failed"), ("No price.", "check_failed")):
            made = self.of("18,400", answer)
            self.assertEqual((run_scenario(made).status, made.judge([answer]).counts[status]), (status, 1))
            self.assertEqual(pickle.loads(pickle.dumps(made.judging)), made.judging)

    def test_a_conversation_is_held_to_what_the_user_says(self):
        for reply, status in (("Order 4183, then.", "passed"), ("Order 4184, then.", "check_failed")):
            made = Scenario("s", lambda client, tools, reply=reply: lambda text: reply, turns=["Order 4183 please"], checks=[self.CHECK])
            self.assertEqual(run_scenario(made).status, status)

    def test_jobs_of_one_batch_are_each_held_to_their_own(self):
        jobs = [self.of(price, "It is NOK 18,400.", source_job_id=id, case_verdict="approved") for id, price in (("J1", "18,400"), ("J2", "19,000"))]
        memory = Memory()
        for _ in range(2):  # as it is run, and as it is read again
            batch = Batch(jobs, 2, [memory])
            batch.read()
            for _ in batch.steps(memory.add, curtail=False):
                self.fail("nothing is to be awaited")
            report = batch.report()
            self.assertEqual(report.cases[0].statuses, {f"{id}/run-000{n}": status for id, status in (("J1", "passed"), ("J2", "check_failed")) for n in (1, 2)})
        other = Batch(jobs[:1], 2, [memory])
        other.read()
        self.assertEqual({name: status for name, status in other.report().cases[0].statuses.items() if name[:2] == "J2"}, dict.fromkeys(["J2/run-0001", "J2/run-0002"], "inconclusive"))

    def test_a_step_of_a_workflow_is_held_to_what_it_needs(self):
        first = WorkflowStep("first", lambda step: {"price": 900}, checks=[{"type": "json_field", "field": "price", "op": "exists", "value": True}])
        for answer, status in (("It is NOK 900 for 7 days.", "passed"), ("It is NOK 901.", "check_failed")):
            second = WorkflowStep("second", lambda step, answer=answer: answer, needs=["first"], checks=[self.CHECK])
            run = WorkflowRun(Workflow("w", [first, second], inputs={"notes": "7 days"}), operator="ida")
            run.advance()
            self.assertEqual(run.advance().verdict.status, status)


if __name__ == "__main__":
    unittest.main()
