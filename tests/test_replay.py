"""Recording and replay: what a key is, what a candidate's run comes to, and that a recording holds no secret and no change by hand."""
import array
import asyncio
import collections
import copy
import json
import os
import pathlib
import pickle
import sys
import tempfile
import types
import unittest
import unittest.mock

import gatekit
from gatekit.cli.candidate import finish
from gatekit.ground.canonical import canonical, digest
from gatekit.replay.playing import Run, recorder_for, turns_of
from gatekit.replay.recording import Recording, recorded_sample
from gatekit.replay.regression import regression, reproduction
from gatekit.replay.requests import RequestReader
from gatekit.runs.scenario import scenario_in
from gatekit.replay.scrubbing import Scrubber
from gatekit.text.word_diff import word_diff

from .running import ROOT, call, write

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "replay")
# Built here, so that no key stands whole in a file.
KEY = "gh" + "o_" + "Ab3Cd5Ef7Gh9Ij1Kl3Mn5Op7Qr9St1Uv3Wx5"
HIDDEN = "[secret: github token, 40 characters]"


def data(name):
    with open(os.path.join(DATA, name), encoding="utf-8") as file:
        return json.load(file)


def holds(conversation):
    """Nothing is asked of it."""
    return gatekit.InvariantResult("holds", True)


HOLDS = gatekit.invariant("replay_test_holds")(holds)


def echo(**request):
    """A model that says how many messages it got."""
    return {"content": f"{len(request['messages'])} messages"}


class Talker:
    """An agent that asks the model once a turn."""

    system = "Be brief. Help."
    model = "m-1"
    tool_schemas = [{"name": "find", "parameters": {"id": "string"}}]
    temperature = 0

    def __init__(self, client, tools):
        self.client, self.tools, self.messages = client, tools, []

    def ask(self):
        return self.client(model=self.model, system=self.system, messages=self.messages, tools=self.tool_schemas, temperature=self.temperature)

    def __call__(self, text):
        self.messages.append({"role": "user", "content": text})
        reply = self.ask()["content"]
        self.messages.append({"role": "assistant", "content": reply})
        return reply


def scenario(agent=Talker, turns=("Where is my order?",), client=echo, invariants=(HOLDS,), **more):
    return gatekit.Scenario("test", agent, list(turns), client=client, invariants=list(invariants), **more)


def played(made, recording=None, agent=None, **how):
    run = Run(recorder_for(made, recording, **how))
    finish(run.steps(agent or made.agent, turns_of(made, recording) if recording else made.turns))
    return run


def recorded(made):
    """A scenario's recording, as it is read back from its file."""
    run = played(made)
    if run.crash:
        raise run.crash
    return Recording.from_text(run.recorder.recording(made.name).text())


def refusing(**request):
    """A client that must not be asked."""
    raise RuntimeError("the network was used")


def told(made, agent=None, recording=None, **how):
    """What a candidate comes to on the scenario's recording; nothing real may be asked."""
    recording = recording or recorded(made)
    offline = gatekit.Scenario(made.name, made.agent, made.turns, invariants=made.invariants, client=refusing, tools=made.tools)
    return regression(offline, recording, played(offline, recording, agent), **how)


class Keys(unittest.TestCase):
    def key(self, arguments):
        return RequestReader(Scrubber()).read(arguments).key

    def test_keys(self):
        for row in data("keys.json"):
            keys = [self.key(arguments) for arguments in row.get("same", row.get("differ"))]
            self.assertEqual(len(set(keys)), 1 if "same" in row else len(keys), row["about"])

    def test_a_key_is_the_digest_of_the_four_components(self):
        parts = {"model": "m", "system": None, "messages": [{"role": "user", "content": "é"}], "tools": None}
        self.assertEqual(self.key({"model": "m", "messages": parts["messages"], "seed": 3}), digest(canonical(parts)))

    def test_a_reader_that_remembers_reads_what_a_new_one_does(self):
        reader = RequestReader(Scrubber())
        messages = [{"role": "user", "content": "a"}, {"role": "tool", "content": {"n": 1, "x": [True, 2.5, None]}}]
        request = {"model": "m", "messages": messages, "tools": [{"name": "t", "least": 1}]}
        changes = (
            lambda: messages[1]["content"].update(n=True), lambda: messages[1]["content"].update(n=1), lambda: messages[1]["content"]["x"].__setitem__(0, 1),
            lambda: messages.append({"role": "user", "content": "b"}), lambda: messages.pop(0), lambda: request["tools"][0].update(least=True),
            lambda: request.update(messages=tuple(messages)), lambda: request.update(messages="a"), lambda: request.update(model="n"),
        )
        for number, change in enumerate(changes):
            reader.read(request)
            change()
            self.assertEqual(reader.read(request).key, self.key(request), number)

    def test_what_cannot_be_recorded_is_refused_with_its_place(self):
        with self.assertRaises(gatekit.CaseError) as caught:
            self.key({"messages": [{"role": "user", "content": [{"image": b"raw"}]}]})
        self.assertEqual(caught.exception.path, ("messages", 0, "content", 0, "image"))

    def test_word_diffs(self):
        for row in data("word_diffs.json"):
            self.assertEqual(list(word_diff(row["old"], row["new"])), row["lines"])
        long = word_diff("a " * 3000, "b " * 3000)[0]
        self.assertLess(len(long), 500)


class Outcomes(unittest.TestCase):
    def test_all_hold(self):
        result = told(scenario())
        self.assertEqual((result.exit_code, result.lines[0]), (0, "regress OK (test): 1 invariant(s) held"))

    def test_one_is_violated(self):
        rule = {"type": "absence", "event": {"assistant": "messages"}}
        result = told(scenario(invariants=[HOLDS, rule]))
        self.assertEqual((result.exit_code, result.lines[0]), (1, "regress FAILED (test): 1 of 2 invariant(s) violated"))
        self.assertIn("absence: turn 0", result.lines[1])

    def test_nothing_evaluated_is_no_success(self):
        self.assertEqual(told(scenario(invariants=[])).exit_code, 2)
        self.assertEqual(told(scenario(invariants=[{"type": "budget", "max_total_tokens": 5}])).exit_code, 2, "no usage was recorded")

    def test_a_candidate_that_says_and_does_nothing_counts_against_it(self):
        made = scenario(turns=("One?", "Two?", "Three?"))
        recording = recorded(made)
        for reply, turns in ((None, "turns 0, 1, 2"), (" ", "turns 0, 1, 2")):
            told = regression(made, recording, played(made, recording, lambda client, tools: lambda text: reply))
            self.assertEqual((told.outcome, told.lines[0]), ("fail", f"regress FAILED (test): the candidate said and did nothing on {turns}, 1 invariant(s) not evaluated"))
        quiet = scenario(lambda client, tools: lambda text: "")
        recording = recorded(quiet)
        self.assertEqual(regression(quiet, recording, played(quiet, recording)).outcome, "pass")  # as it was recorded

    def test_what_nothing_is_asked_of_is_no_success(self):
        never = {"type": "confirm_before", "tool": "pay", "confirm": "yes"}
        made = scenario(invariants=(never,))
        recording = recorded(made)
        told = regression(made, recording, played(made, recording))
        self.assertEqual((told.outcome, told.lines[1]), ("inconclusive", "  confirm_before: pay was never called"))
        made = scenario(invariants=(never, {"type": "max_turns", "value": 1}))
        told = regression(made, recording, played(made, recording))
        self.assertEqual((told.outcome, told.lines[1]), ("pass", "  confirm_before: pay was never called: nothing was asked of it"))

    def test_usage_is_summed(self):
        made = scenario(client=lambda **request: {"content": "x", "usage": {"total_tokens": 3}}, turns=["a", "b"], invariants=[{"type": "budget", "max_total_tokens": 5}])
        self.assertEqual(told(made).exit_code, 1, "3 + 3 is above 5")

    def test_an_invariant_that_crashes_is_an_error(self):
        broken = gatekit.invariant("replay_test_broken")(lambda conversation: 1 / 0)
        result = told(scenario(invariants=[broken]))
        self.assertEqual(result.exit_code, 4)
        self.assertIn("replay_test_broken", "\n".join(result.lines))

    def test_an_agent_that_crashes_counts_against_it(self):
        class Crashing(Talker):
            def __call__(self, text):
                raise SystemExit("gone")

        class Odd(Talker):
            def __call__(self, text):
                return 5

        for agent, says in ((Crashing, "SystemExit: gone"), (Odd, "it is text"), (lambda client, tools: None, "it gives a function")):
            result = told(scenario(), agent)
            self.assertEqual((result.exit_code, says in "\n".join(result.lines)), (1, True), result.lines)

    def test_changes_of_a_request(self):
        for row in data("changes.json"):
            class Changed(Talker):
                def ask(self):
                    given = {"model": self.model, "system": self.system, "messages": self.messages, "tools": self.tool_schemas, **row["change"]}
                    return self.client(temperature=0, **given)

            result = told(scenario(), Changed)
            self.assertEqual((result.exit_code, result.lines[0]), (3, "regress DIVERGED (test): 1 invariant(s) not evaluated"), row["about"])
            self.assertRegex(result.lines[1], r"^  turn 0: .*sha256:[0-9a-f]{64}")
            self.assertRegex(result.lines[2], r"^  nearest recorded: model call 0 of turn 0 \(key sha256:[0-9a-f]{64}\)$")
            self.assertEqual([line for line in result.lines if line.startswith("  changed: ")], [f"  changed: {row['component']}"], row["about"])
            if row["line"]:
                self.assertIn("    " + row["line"], result.lines, row["about"])
            self.assertIn("  never made: 1 of 1 recorded calls", result.lines)

    def test_other_settings_are_told_and_no_divergence(self):
        class Warmer(Talker):
            temperature = 1

        result = told(scenario(), Warmer)
        self.assertEqual(result.exit_code, 0)
        self.assertIn("  differs, and is no divergence: turn 0, model call 0: setting temperature: 0 became 1", result.lines)

    def test_a_divergence_that_is_swallowed_is_one(self):
        class Deaf(Talker):
            system = "Another."

            def ask(self):
                try:
                    return super().ask()
                except Exception:
                    return {"content": "All is well."}

        class Stubborn(Deaf):
            def ask(self):
                while True:
                    try:
                        return Talker.ask(self)
                    except Exception:
                        pass

        for agent in (Deaf, Stubborn):
            self.assertEqual(told(scenario(turns=["Where is my order?", "Well?"]), agent).exit_code, 3)

    def test_a_divergence_of_the_agents_own_is_a_crash(self):
        class Liar(Talker):
            def __call__(self, text):
                raise gatekit.Divergence("it was not me")

        self.assertEqual(told(scenario(), Liar).exit_code, 1)

    def test_calls_that_were_never_made_are_told(self):
        class Silent(Talker):
            def __call__(self, text):
                return "2 messages"

        result = told(scenario(), Silent)
        self.assertEqual((result.exit_code, "  never made: model call 0 of turn 0" in result.lines), (0, True))

    def test_a_request_that_is_repeated(self):
        class Repeating(Talker):
            times = 2

            def __call__(self, text):
                self.messages = [{"role": "user", "content": text}]
                return " ".join(self.ask()["content"] for _ in range(self.times))

        answers = iter(["one", "two"])
        made = scenario(Repeating, client=lambda **request: {"content": next(answers)})
        recording = recorded(made)
        self.assertEqual([call["ordinal"] for call in recording.model_calls], [0, 1])
        self.assertEqual(recording.turns, [["Where is my order?", "one two"]])
        self.assertEqual(told(made, recording=recording).exit_code, 0)

        class More(Repeating):
            times = 3

        result = told(made, More, recording)
        self.assertEqual((result.exit_code, "was recorded 2 times, and asked once more" in result.lines[1]), (3, True))

    def test_replay(self):
        made = scenario(turns=["a", "b"])
        recording = recorded(made)
        result = reproduction(recording, played(made, recording))
        self.assertEqual((result.exit_code, result.lines), (0, ("replay OK (test): 2 turns reproduced offline, zero network",)))

        class Other(Talker):
            def __call__(self, text):
                return super().__call__(text) + "!"

        result = reproduction(recording, played(made, recording, Other))
        self.assertEqual((result.exit_code, "    1 [-messages-] {+messages!+}" in result.lines), (3, True), result.lines)

    def test_a_recording_of_other_turns_or_another_scenario(self):
        recording = recorded(scenario())
        with self.assertRaisesRegex(gatekit.GatekitError, "record it again"):
            turns_of(scenario(turns=["Else?"]), recording)
        with self.assertRaisesRegex(gatekit.GatekitError, "not of 'other'"):
            turns_of(gatekit.Scenario("other", Talker, ["Where is my order?"]), recording)


class NoSuchOrder(LookupError):
    """A tool's own; its words are no argument of it."""

    def __init__(self, *, status):
        super().__init__("no order of that id")
        self.status = status


def find(order_id, *, exact=True):
    """Find an order."""
    if order_id == "none":
        raise NoSuchOrder(status=404)
    if order_id == "key":
        return {}["key"]
    if order_id == "file":
        raise FileNotFoundError(2, "No such file")
    return {"id": order_id, "exact": exact}


class Tools(unittest.TestCase):
    def agent(self, *uses, wait=lambda value: value):
        """An agent whose reply is what its uses of the tools gave."""

        def make(client, tools):
            def respond(text):
                said = []
                for use in uses:
                    try:
                        said.append(canonical(use(tools)))
                    except gatekit.Divergence:
                        raise
                    except Exception as error:
                        said.append(f"{type(error).__name__}({error})" + str(getattr(error, "status", "")))
                return " ".join(said)

            return respond

        return make

    def outcome(self, *uses, candidate=None):
        made = scenario(self.agent(*uses), tools={"find": find})
        return told(made, self.agent(*candidate) if candidate else None)

    def test_results_and_failures_come_again(self):
        uses = [lambda tools, id=id: tools["find"](id) for id in ("4183", "none", "key", "file")]
        made = scenario(self.agent(*uses), tools={"find": find})
        recording = recorded(made)
        result = reproduction(recording, played(made, recording))
        self.assertEqual(result.exit_code, 0, result.lines)
        self.assertEqual(recording.turns[0][1], '{"exact": true, "id": "4183"} NoSuchOrder(no order of that id)404 KeyError(\'key\') FileNotFoundError([Errno 2] No such file)')
        self.assertEqual(recording.tool_calls[1]["failed"], {"type": "NoSuchOrder", "message": "no order of that id", "module": __name__, "is": "LookupError", "attributes": {"status": 404}})

    def test_an_argument_by_place_is_one_by_name(self):
        by_place, by_name, as_mapping = (lambda tools: tools["find"]("1"), lambda tools: tools["find"](order_id="1"), lambda tools: tools["find"](**{"order_id": "1"}))
        for candidate in (by_name, as_mapping):
            self.assertEqual(self.outcome(by_place, candidate=[candidate]).exit_code, 0)

    def test_a_call_without_a_recorded_result(self):
        result = self.outcome(lambda tools: tools["find"]("1"), candidate=[lambda tools: tools["find"]("2", exact=False)])
        self.assertEqual(result.exit_code, 3)
        self.assertEqual(result.lines[1:4], (
            '  turn 0: the tool call find({"exact": false, "order_id": "2"}) has no recorded result',
            '  nearest recorded: tool call 0 of turn 0, find({"order_id": "1"})',
            "  changed: argument 'order_id'",
        ))
        self.assertIn("    '1' became '2'", result.lines)
        result = self.outcome(lambda tools: tools["find"]("1"), candidate=[lambda tools: tools["find"]("1")] * 2)
        self.assertIn("was recorded 1 time, and made once more", result.lines[1])
        result = self.outcome(lambda tools: tools["find"]("a " * 5000), candidate=[lambda tools: tools["find"]("a " * 4999 + "b")])
        self.assertEqual((result.exit_code, result.lines[4].endswith("a a a [-a '-] {+b'+}"), max(map(len, result.lines)) < 600), (3, True, True), result.lines)

    def test_the_trajectory(self):
        class Caller(Talker):
            def __call__(self, text):
                self.tools["find"]("0")
                reply = super().__call__(text)
                self.tools["find"]("1")
                self.tools["find"]("none") if text == "b" else self.tools["find"]("2")
                return reply

        class Careful(Caller):
            def __call__(self, text):
                try:
                    return super().__call__(text)
                except NoSuchOrder:
                    return "none"

        run = played(scenario(Careful, ["a", "b"], tools={"find": find}))
        conversation = run.recorder.conversation
        self.assertEqual([turn.user[0].text for turn in conversation.turns], ["a", "b"])
        self.assertEqual([message.text for message in conversation.turns[1].assistant if message.text], ["none"])
        self.assertEqual([(call.arguments["order_id"], call.turn, call.answered, call.failed) for call in conversation.calls],
                         [("0", 0, True, False), ("1", 0, True, False), ("2", 0, True, False), ("0", 1, True, False), ("1", 1, True, False), ("none", 1, True, True)])
        steps = [call.step for call in conversation.calls]
        self.assertTrue(steps[0] < steps[1] == steps[2] < steps[3] < steps[4] == steps[5], steps)

    def test_a_wrapped_tool_looks_like_the_tool(self):
        tool = recorder_for(scenario(tools={"find": find})).tools["find"]
        self.assertEqual((tool.__name__, tool.__doc__, tool.__wrapped__), ("find", find.__doc__, find))


class Asynchronous(unittest.TestCase):
    async def model(self, **request):
        import asyncio

        await asyncio.sleep(0)
        return {"content": f"{len(request['messages'])} messages"}

    @staticmethod
    async def slow(order_id):
        """A tool that is awaited."""
        if order_id == "none":
            raise NoSuchOrder(status=404)
        return order_id

    def test_an_agent_that_awaits(self):
        class Awaiting(Talker):
            async def __call__(self, text):
                import asyncio

                self.messages.append({"role": "user", "content": text})
                both = await asyncio.gather(self.tools["slow"]("1"), self.tools["slow"]("2"), self.tools["slow"]("none"), return_exceptions=True)
                reply = (await self.ask())["content"]
                return f"{reply} {both[:2]} {type(both[2]).__name__}"

        async def make(client, tools):
            return Awaiting(client, tools)

        made = scenario(make, ["a", "b"], self.model, tools={"slow": self.slow})
        recording = recorded(made)
        self.assertEqual(recording.turns[0][1], "1 messages ['1', '2'] NoSuchOrder")
        offline = gatekit.Scenario("test", made.agent, made.turns, connect=refusing, tools=made.tools)
        result = reproduction(recording, played(offline, recording))
        self.assertEqual(result.exit_code, 0, result.lines)

        class Reworded(Awaiting):
            system = "Another."

        self.assertEqual(told(made, Reworded, recording).exit_code, 3)


class Reply:
    """A response as a vendor's library makes it."""

    def __init__(self, **fields):
        self.__dict__.update(fields)

    def model_dump(self):
        return {name: value for name, value in self.__dict__.items()}


class Library:
    """A client as a vendor's library makes it."""

    def __init__(self):
        self.chat = self
        self.completions = self
        self.calls = 0

    def create(self, *, model, messages):
        self.calls += 1
        message = Reply(role="assistant", content=f"answer {self.calls}", tool_calls=None)
        return Reply(choices=[Reply(index=0, message=message)], usage=Reply(total_tokens=4))


def library_agent(client, tools):
    messages = []

    def respond(text):
        messages.append({"role": "user", "content": text})
        message = client.chat.completions.create(model="m", messages=messages).choices[0].message
        messages.append(message)
        return message.content if not message.tool_calls else ""

    return respond


class Clients(unittest.TestCase):
    def test_an_object_with_a_method(self):
        made = gatekit.Scenario("test", library_agent, ["a", "b"], client=Library(), method="chat.completions.create", invariants=[HOLDS])
        recording = recorded(made)
        self.assertEqual((recording.turns[1], recording.usage), (["b", "answer 2"], {"total_tokens": 8}))
        offline = gatekit.Scenario("test", library_agent, ["a", "b"], connect=refusing, method="chat.completions.create")
        self.assertEqual(reproduction(recording, played(offline, recording)).exit_code, 0)

    def test_a_client_that_is_made_when_it_is_needed(self):
        made = []

        def connect():
            made.append(Library())
            return made[-1]

        first = gatekit.Scenario("test", library_agent, ["a"], connect=connect, method=["chat.completions.create"])
        recording = recorded(first)
        self.assertEqual(len(made), 1)
        self.assertEqual(reproduction(recording, played(first, recording)).exit_code, 0)
        self.assertEqual(len(made), 1, "a replay connects to nothing")

    def test_arguments_by_place(self):
        def ask(model, messages):
            return model + str(len(messages))

        def agent(client, tools):
            return lambda text: client("m", [text])

        for how in ({"client": ask}, {"connect": lambda: ask}):
            made = gatekit.Scenario("test", agent, ["a"], **how)
            recording = recorded(made)
            self.assertEqual(recording.model_calls[0]["request"], {"model": "m", "messages": ["a"]})
            offline = gatekit.Scenario("test", agent, ["a"], connect=refusing)
            self.assertEqual(reproduction(recording, played(offline, recording)).exit_code, 0)

    def test_what_would_pass_the_recorder_by_is_no_attribute(self):
        recorder = gatekit.Recorder(Library(), method="chat.completions.create")
        for reach in (lambda: recorder.client.embeddings, lambda: recorder.client.chat.audio):
            with self.assertRaisesRegex(AttributeError, "name it in method="):
                reach()

    def test_stand_ins_of_a_test(self):
        def agent(client, tools):
            async def respond(text):
                answer = client(model="m", messages=[text])
                return (await answer if hasattr(answer, "__await__") else answer)["content"]

            return respond

        for client in (unittest.mock.Mock(return_value={"content": "hi"}), unittest.mock.AsyncMock(return_value={"content": "hi"})):
            made = scenario(agent, client=client)
            recording = recorded(made)
            self.assertEqual(reproduction(recording, played(made, recording)).exit_code, 0)

    def test_clients_and_scenarios_that_cannot_be_meant(self):
        for make in (
            lambda: gatekit.Recorder(Library()), lambda: gatekit.Recorder(Library(), method="chat.create_all"), lambda: gatekit.Recorder(echo, connect=refusing),
            lambda: gatekit.Recorder(echo, ["find"]), lambda: gatekit.Recorder(echo, {"find": 5}), lambda: gatekit.Scenario("", Talker, ["a"]),
            lambda: gatekit.Scenario("a", None, ["a"]), lambda: gatekit.Scenario("a", Talker, "a"), lambda: gatekit.Scenario("a", Talker, []),
            lambda: gatekit.Scenario("a", Talker, [" "]), lambda: gatekit.Scenario("a", Talker, ["a"], invariants=HOLDS),
            lambda: gatekit.Scenario("a", Talker, ["a"], invariants=[{"type": "absense"}]), lambda: gatekit.Scenario("a", Talker, ["a"], case=""),
            lambda: gatekit.Scenario("a", Talker, ["a"], client=echo, connect=echo), lambda: gatekit.Scenario("a", Talker, ["a"], tools=[find]),
            lambda: gatekit.Recorder(Library(), method=5), lambda: gatekit.Recorder(Library(), method=""), lambda: gatekit.Recorder(Library(), method="calls"),
            lambda: gatekit.Recorder(echo).user(None), lambda: gatekit.Recorder(echo).save("a.json", "a name that a case could have"),
        ):
            self.assertRaises(gatekit.CaseError, make)

    def test_a_model_that_fails(self):
        def limited(**request):
            raise TimeoutError("try later")

        class Patient(Talker):
            def ask(self):
                try:
                    return super().ask()
                except TimeoutError as error:
                    return {"content": str(error)}

        made = scenario(Patient, client=limited)
        recording = recorded(made)
        self.assertEqual(recording.turns[0][1], "try later")
        self.assertEqual(told(made, recording=recording).exit_code, 0)

    def test_a_recorder_by_itself(self):
        recorder = gatekit.Recorder(echo, {"find": find})
        respond = Talker(recorder.client, recorder.tools)
        recorder.user("Hello")
        recorder.assistant(respond("Hello"))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.recording.json")
            recorder.save(pathlib.Path(path), "by hand")
            with open(path, encoding="utf-8") as file:
                self.assertEqual(Recording.from_text(file.read()).turns, [["Hello", "1 messages"]])

    def test_an_answer_that_cannot_be_recorded(self):
        made = scenario(client=lambda **request: {"content": object()})
        with self.assertRaisesRegex(gatekit.GatekitError, "response cannot be recorded"):
            played(made).recorder.recording("test")


class Streams(unittest.TestCase):
    words = ("Your ", "order ", "is there.")

    def stream(self, **request):
        for word in self.words:
            yield {"delta": word}

    async def async_stream(self, **request):
        for word in self.words:
            yield Reply(delta=word)

    def agent(self, least):
        class Streaming(Talker):
            def __call__(self, text):
                self.messages.append({"role": "user", "content": text})
                said = ""
                with self.ask() as chunks:
                    for chunk in chunks:
                        said += chunk["delta"]
                        if len(said) >= least:
                            break
                return said

        # A generator is no context manager: the recorder's stream is one.
        return Streaming

    def test_a_stream_comes_again_in_the_same_bits(self):
        made = scenario(self.agent(1000), client=self.stream)
        recording = recorded(made)
        self.assertEqual((recording.turns[0][1], recording.model_calls[0]["stream"], recording.model_calls[0]["ended"]), ("Your order is there.", [{"delta": word} for word in self.words], True))
        self.assertEqual(told(made, recording=recording).exit_code, 0)
        self.assertEqual(told(made, self.agent(3), recording).exit_code, 0, "who reads less needs no more than was recorded")

    def test_reading_on_where_the_recording_ends_is_a_divergence(self):
        made = scenario(self.agent(6), client=self.stream)
        recording = recorded(made)
        self.assertEqual((len(recording.model_calls[0]["stream"]), "ended" in recording.model_calls[0]), (2, False))
        self.assertEqual(told(made, recording=recording).exit_code, 0)
        result = told(made, self.agent(1000), recording)
        self.assertEqual((result.exit_code, "more of a stream" in result.lines[1]), (3, True))

    def test_a_stream_that_breaks(self):
        def breaking(**request):
            yield {"delta": "Your "}
            raise ConnectionResetError("gone")

        class Keeping(Talker):
            def __call__(self, text):
                said = ""
                try:
                    for chunk in self.client(messages=[text]):
                        said += chunk["delta"]
                except ConnectionResetError as error:
                    said += str(error)
                return said

        made = scenario(Keeping, client=breaking)
        recording = recorded(made)
        self.assertEqual(recording.turns[0][1], "Your gone")
        self.assertEqual(reproduction(recording, played(made, recording)).exit_code, 0)

    def test_a_secret_in_pieces(self):
        def leaking(**request):
            for piece in ("the key ", KEY[:9], KEY[9:22], KEY[22:], " is", " yours, ", KEY[:20], KEY[20:]):
                yield {"choices": [{"delta": {"content": piece}}], "id": "x"}

        class Joining(Talker):
            def __call__(self, text):
                return "".join(chunk["choices"][0]["delta"]["content"] for chunk in self.client(messages=[text]))

        made = scenario(Joining, client=leaking)
        run = played(made)
        text = run.recorder.recording("test").text()
        for at in range(4, len(KEY) - 8):
            self.assertNotIn(KEY[at : at + 8], text)
        recording = Recording.from_text(text)
        self.assertEqual(recording.turns[0][1], f"the key {HIDDEN} is yours, {HIDDEN}")
        self.assertEqual(reproduction(recording, played(made, recording)).exit_code, 0)
        document = json.loads(text)
        for place, piece in ((1, KEY[:9]), (2, KEY[9:])):
            document["model_calls"][0]["stream"][place]["choices"][0]["delta"]["content"] = piece
        document["digest"] = digest({name: value for name, value in document.items() if name != "digest"})
        with self.assertRaisesRegex(gatekit.CaseError, "in the pieces of a stream"):
            Recording.from_text(json.dumps(document))

    def test_an_asynchronous_stream(self):
        class Awaiting(Talker):
            async def __call__(self, text):
                said = ""
                async for chunk in self.client(messages=[text]):
                    said += chunk.delta
                return said

        made = scenario(Awaiting, client=self.async_stream)
        recording = recorded(made)
        self.assertEqual(recording.turns[0][1], "Your order is there.")
        self.assertEqual(told(made, recording=recording).exit_code, 0)


class Answer(Reply):
    """An answer with a property, as clients have them beside their data."""

    @property
    def output_text(self):
        return self.output

    @property
    def broken(self):
        raise ValueError("no such part")

    @property
    def model_fields_set(self):
        return {"output"}


class Dated:
    """An object whose data is JSON where it is asked for that."""

    output = b"hi"

    def model_dump(self, *, mode="python", exclude_none=False):
        return {"output": "aGk=" if mode == "json" else self.output}


class Helper:
    """What a client makes its stream in."""

    def __enter__(self):
        return iter("ab")

    def __exit__(self, *error):
        return None


class Declared:
    """A class with declared fields, as attrs makes them."""

    __attrs_attrs__ = (types.SimpleNamespace(name="output"),)

    def __init__(self, output):
        self.output = output


def changed(answer):
    """An agent that changes what it was given."""
    answer.output += "!"
    answer.more = 1
    del answer.more
    return answer.output, hasattr(answer, "more")


# What a tool gives, and what an agent does with it: (what it is, the value, the use).
USES = [
    ("a property", lambda: Answer(output="hi"), lambda answer: answer.output_text),
    ("a property is no data", lambda: Answer(output="hi"), lambda answer: sorted(answer.model_dump())),
    ("a property that fails", lambda: Answer(output="hi"), lambda answer: answer.output),
    ("a copy with its property", lambda: Answer(output="hi"), lambda answer: copy.deepcopy(answer).output_text),
    ("properties of the chunks of a stream", lambda: iter([Reply(output="a"), Answer(output="b"), Answer(output="c")]), lambda stream: [getattr(chunk, "output_text", "") for chunk in stream]),
    ("an attribute that is set", lambda: Reply(output="hi"), changed),
    ("an object's class", lambda: Answer(output=[Reply(text="a"), {"text": "b"}]), lambda answer: (isinstance(answer, Answer), isinstance(answer.output[0], Reply))),
    ("what was no object", lambda: Answer(output=[Reply(text="a"), {"text": "b"}]), lambda answer: (isinstance(answer.output[1], Reply), isinstance(answer.output[1], dict))),
    ("the classes of chunks", lambda: iter([Reply(a=1), Answer(output="b"), {"c": 2}]), lambda stream: [isinstance(chunk, Answer) for chunk in stream]),
    ("a pickle", lambda: Answer(output="hi"), lambda answer: isinstance(pickle.loads(pickle.dumps(answer)), Answer)),
    ("data as JSON", Dated, lambda answer: sorted(answer.model_dump())),
    ("a namespace", lambda: types.SimpleNamespace(output=[types.SimpleNamespace(text="hi")]), lambda answer: answer.output[0].text),
    ("declared fields", lambda: Declared("hi"), lambda answer: answer.output),
    ("a mapping that is no dict", lambda: types.MappingProxyType({"output": "hi"}), lambda answer: answer["output"]),
]
# What is refused: a collection is no stream, since an agent asks it for more than its next item.
REFUSED = [collections.deque([1]), {"a": 1}.keys(), array.array("i", [1]), unittest.mock.MagicMock(), b"bytes", {1}, object()]


def failing(error):
    raise error


class NoWords(Exception):
    """Its words come from what no recording keeps."""

    def __init__(self, about):
        self.about = about

    def __str__(self):
        return f"about {type(self.about).__name__}"


FAILURES = [
    ValueError(), ValueError("a", 1), KeyError(4), OSError(2, "gone"), FileNotFoundError(2, "gone", "a.txt"), ConnectionResetError(104, "reset"), TimeoutError(),
    UnicodeDecodeError("utf-8", b"a", 0, 1, "bad"), json.JSONDecodeError("bad", "[", 1), NoWords(object()), LookupError("x"),
]


class Faithful(unittest.TestCase):
    """An agent meets on replay what it met when it was recorded."""

    def reply(self, tool, use):
        """The agent's words, recorded and on replay."""
        made = scenario(lambda client, tools: lambda text: repr(use(tools["get"]())), tools={"get": tool})
        recording = recorded(made)
        run = played(made, recording)
        self.assertIsNone(run.crash)
        return recording.turns[0][1], run.recorder.turns[0][1]

    def test_answers(self):
        for about, value, use in USES:
            with self.subTest(about):
                before, after = self.reply(value, use)
                self.assertEqual(before, after)

    def test_what_is_refused(self):
        for value in REFUSED:
            with self.subTest(type(value).__name__), self.assertRaisesRegex(gatekit.GatekitError, "the result of the tool 'get' cannot be recorded: a"):
                recorded(scenario(lambda client, tools: lambda text: str(tools["get"]()), tools={"get": lambda value=value: value}))

    def test_the_helper_of_a_stream(self):
        with self.assertRaisesRegex(gatekit.GatekitError, "ask for the stream itself"):
            recorded(scenario(lambda client, tools: lambda text: "".join(client(messages=[text])), client=lambda **request: Helper()))

    def test_failures(self):
        for error in FAILURES:
            def use(get, kind=type(error)):
                try:
                    get()
                except kind as caught:
                    return type(caught).__name__, str(caught), caught.args if all(isinstance(one, (str, int)) for one in error.args) else None, getattr(caught, "errno", None)

            with self.subTest(repr(error)):
                made = scenario(lambda client, tools, use=use: lambda text: repr(use(tools["get"])), tools={"get": lambda error=error: failing(error)})
                recording = recorded(made)
                self.assertEqual(reproduction(recording, played(made, recording)).exit_code, 0)

    def test_a_call_that_moved_to_another_turn(self):
        def calling(*turns):
            """An agent that finds 1, and then 2, each on a turn of its own."""

            def make(client, tools):
                waiting = [[order for order, at in zip("12", turns) if at == turn] for turn in range(3)]

                def respond(text):
                    for order in waiting.pop(0):
                        tools["find"](order)
                    return "ok"

                return respond

            return make

        def replayed(*turns):
            made = scenario(calling(1, 1), ["a", "b", "c"], tools={"find": find})
            recording = recorded(made)
            return reproduction(recording, played(made, recording, calling(*turns)))

        self.assertEqual(len(replayed(1, 1).lines), 1)
        result = replayed(0, 1)
        self.assertEqual((result.exit_code, result.lines[1]), (3, "  tool call 0 of turn 1 was made on turn 0"))
        self.assertEqual(replayed(1, 2).exit_code, 3)

    def test_calls_of_a_turn_in_another_order(self):
        made = scenario(lambda client, tools: lambda text: str([tools["find"](order)["id"] for order in "12"][0]), tools={"find": find})
        other = scenario(lambda client, tools: lambda text: str([tools["find"](order)["id"] for order in "21"][1]), tools={"find": find})
        recording = recorded(made)
        result = reproduction(recording, played(made, recording, other.agent))
        self.assertEqual((result.exit_code, "came in another order" in result.lines[1]), (0, True), result.lines)

    def test_what_was_begun_together_stays_together(self):
        async def ask(**request):
            await asyncio.sleep(0)
            return request["messages"][0]

        async def look(place):
            return place

        def agent(client, tools):
            async def part(place):
                await client(model="m", messages=[f"part {place}"])
                return await tools["look"](place=place)

            async def respond(text):
                return str(await asyncio.gather(*map(part, range(3))))

            return respond

        made = scenario(agent, client=ask, tools={"look": look}, invariants=[{"type": "max_parallel", "value": 2}])
        recording = recorded(made)
        self.assertEqual(played(made, recording).recorder.conversation.given, recording.trajectory)
        self.assertEqual(told(made, recording=recording).exit_code, 1)


class Random(unittest.TestCase):
    def agent(self, rng, log):
        """An agent that does what a generator draws: asks, calls, catches, forgets, repeats; `log` is what it was told."""

        def make(client, tools):
            messages = []

            def respond(text):
                messages.append({"role": "user", "content": text})
                for _ in range(rng.randrange(6)):
                    what = rng.random()
                    try:
                        if what < 0.5:
                            told = client(model=rng.choice("ab"), messages=messages[rng.randrange(2):], temperature=rng.random())["content"]
                        elif what < 0.9:
                            told = canonical(tools["find"](rng.choice(["1", "2", "none", "key", KEY]), exact=rng.random() < 0.5))
                        else:
                            told = str(messages.pop()) if len(messages) > 1 else ""
                    except (NoSuchOrder, KeyError) as error:
                        told = repr(error)
                    log.append(told)
                    messages.append({"role": "assistant", "content": told, "count": rng.choice([0, 1, True, None, 2.5])})
                return log[-1] if log else ""

            return respond

        return make

    def test_what_was_recorded_is_reproduced(self):
        import random

        for seed in range(60):
            turns = [f"turn {number} of {KEY}" for number in range(1 + seed % 3)]
            first, again = [], []
            made = scenario(self.agent(random.Random(seed), first), turns, lambda **request: {"content": f"{len(request['messages'])} {KEY}"}, tools={"find": find})
            recording = recorded(made)
            self.assertNotIn(KEY[6:], recording.text())
            result = reproduction(recording, played(made, recording, self.agent(random.Random(seed), again)))
            self.assertEqual((result.exit_code, result.lines[1:]), (0, ()), seed)
            self.assertEqual(again, [told.replace(KEY, HIDDEN) for told in first])


class Secrets(unittest.TestCase):
    def test_a_recording_holds_none_and_is_replayed_all_the_same(self):
        def key_tool(name):
            return {"name": name, "token": KEY, "password": "tr0ub4dor&3-Horse"}

        class Leaky(Talker):
            system = f"Use the key {KEY} for all calls."

            def __call__(self, text):
                found = self.tools["key"](name="x")
                self.messages.append({"role": "tool", "content": json.dumps(found)})
                self.messages.append({"role": "tool", "content": "it was " + found["password"]})
                self.tools["key"](name=found["token"])
                return super().__call__(text) + " " + found["token"]

        made = scenario(Leaky, [f"my key is {KEY}, keep it"], lambda **request: {"content": "I keep " + KEY}, tools={"key": key_tool})
        run = played(made)
        text = run.recorder.recording("test").text()
        for secret in (KEY, KEY[8:], "tr0ub4dor"):
            self.assertNotIn(secret, text)
        self.assertIn(HIDDEN, text)
        recording = Recording.from_text(text)
        self.assertEqual(recording.turns[0], [f"my key is {HIDDEN}, keep it", f"I keep {HIDDEN} {HIDDEN}"])
        self.assertEqual(told(made, recording=recording).exit_code, 0)

    def test_a_secret_that_later_words_give_away(self):
        word = "Tr0ub4dor" + "99x"

        def agent(client, tools):
            def respond(text):
                client(model="m", messages=[{"role": "user", "content": text}])
                tools["look"](text[-3:])
                return "ok"

            return respond

        made = scenario(agent, [f"Is it {word}, or [secret: a, 3 characters]?", "And now?"], tools={"look": lambda end: {"password": word}})
        recording = recorded(made)
        self.assertNotIn(word, recording.text())
        self.assertEqual(reproduction(recording, played(made, recording)).exit_code, 0)
        for text in ("Is it something else?", f"It is {word}, or [secret: a, 3 characters]?", f"Is it {word}, or [secret: a, 3 characters]!"):
            with self.assertRaisesRegex(gatekit.GatekitError, "record it again"):
                turns_of(scenario(agent, [text, "And now?"]), recording)

    def test_a_password_with_a_quote_in_it(self):
        password = "Tr0ub" '"4dor' "\\xQ\u00e99z"
        for spelt in (password, {"body": json.dumps({"password": password})}, json.dumps({"password": password})):
            value = {"password": password, "arguments": json.dumps({"password": password}), "said": spelt}
            clean = Scrubber().clean(value)
            self.assertNotIn("4dor", json.dumps(clean))
            words = "[secret: password, 16 characters]"
            self.assertEqual((clean["password"], json.loads(clean["arguments"])), (words, {"password": words}))  # the same, so that a replay finds the same call
            self.assertEqual(Scrubber().clean(clean), clean)
        said = {"password": "type 'reset' to get another"}
        self.assertEqual(Scrubber().clean(said), said)

    def test_nothing_is_left_of_secrets_that_run_into_each_other(self):
        scrubber = Scrubber()
        for text in (KEY + KEY, KEY + "x" + KEY, "a" + KEY + "gho_", json.dumps({"a": [KEY + "\n" + KEY]})):
            left = canonical(scrubber.clean({"text": text, KEY: 1}))
            for at in range(4, len(KEY) - 8):
                self.assertNotIn(KEY[at : at + 8], left)

    def test_what_stands_for_a_secret_is_none(self):
        from gatekit.packs.secret_shapes import find_secrets
        from gatekit.packs.secrets import FAMILIES

        for kind in {shape.kind for family in FAMILIES for shape in family.shapes} | {"password", "secret value", "authorization header"}:
            for around in ("%s", '{"api_key": "%s"}', "password = %s", "Authorization: Bearer %s", "https://user:%s@host/x", "token=%s", "the password is %s"):
                self.assertEqual(find_secrets(around % f"[secret: {kind}, 40 characters]"), [], kind)


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        class Long(Talker):
            def __call__(self, text):
                self.tools["find"]("1")
                return super().__call__(text)

        cls.made = scenario(Long, ["a", "b", "c"], tools={"find": find})
        cls.text = recorded(cls.made).text()

    def test_the_same_run_gives_the_same_bytes(self):
        self.assertEqual(recorded(self.made).text(), self.text)
        self.assertEqual(Recording.from_text(self.text).text(), self.text)

    def test_no_message_stands_there_twice(self):
        calls = json.loads(self.text)["model_calls"]
        self.assertEqual([call["request"].get("as_in_call") for call in calls], [None, 0, 1])
        self.assertEqual([len(call["request"].get("messages_added", ())) for call in calls], [0, 2, 2])

    def test_a_changed_file_is_refused(self):
        for old, new in (("1 messages", "2 messages"), ("Be brief.", "Be short."), ('"turn": 1', '"turn": 0'), ('"user": "b"', '"user": "d"'), ("m-1", "m-2"), ('"id": "1"', '"id": "2"')):
            self.assertIn(old, self.text)
            with self.assertRaisesRegex(gatekit.CaseError, "its digest is another"):
                Recording.from_text(self.text.replace(old, new))
        with self.assertRaises(gatekit.GatekitError):
            Recording.from_text(self.text[: len(self.text) // 2])

    def test_a_changed_file_with_a_digest_of_its_own_is_refused(self):
        def sealed(change):
            document = json.loads(self.text)
            change(document)
            document["digest"] = digest({name: value for name, value in document.items() if name != "digest"})
            return json.dumps(document)

        Recording.from_text(sealed(lambda document: None))
        for change, says in (
            (lambda document: document["model_calls"][0]["request"].update(system="Be short."), "key is not that of its request"),
            (lambda document: document["model_calls"][2]["request"]["messages_added"].pop(), "key is not that of its request"),
            (lambda document: document["model_calls"][1]["request"].update(as_in_call=1), "names an earlier call"),
            (lambda document: document["model_calls"][1]["request"].update(as_in_call=True), "names an earlier call"),
            (lambda document: document["model_calls"][1]["request"].update(temperature=1), "no 'temperature'"),
            (lambda document: document["model_calls"][0].update(ordinal=1), "count from 0"),
            (lambda document: document["model_calls"][0].update(turn=3), "one of a turn"),
            (lambda document: document["model_calls"][0].pop("response"), "a response, a stream"),
            (lambda document: document["model_calls"].append(document["model_calls"][0]), "count from 0"),
            (lambda document: document["tool_calls"][0].update(result={"id": "2"}), "trajectory"),
            (lambda document: document["tool_calls"][0].update(arguments=[]), "cannot be an array"),
            (lambda document: document["tool_calls"][1].update(ordinal=7), "count from 0"),
            (lambda document: document["trajectory"].pop(), "trajectory"),
            (lambda document: document["turns"].clear(), "turn"),
            (lambda document: document["turns"][0].update(user=5), "cannot be a number"),
            (lambda document: document.update(judges={}), "did you mean judge"),
            (lambda document: document.update(judge={"source": "a", "of": "b", "scores": {"x": 2}}), "from 0 to 1"),
            (lambda document: document.update(rekeyed=[{}]), "rekeying"),
            (lambda document: document.update(format="gatekit-recording/2"), "no recording that this version reads"),
            (lambda document: document.pop("scenario"), "scenario"),
        ):
            with self.assertRaisesRegex(gatekit.CaseError, says):
                Recording.from_text(sealed(change))

    def test_a_file_with_a_secret_is_refused_without_repeating_it(self):
        with self.assertRaises(gatekit.CaseError) as caught:
            Recording.from_text(self.text.replace("1 messages", KEY))
        self.assertIn("github token", str(caught.exception))
        self.assertNotIn(KEY, str(caught.exception))

    def test_a_small_file_cannot_stand_for_endless_requests(self):
        big = {"request": {"messages": ["x" * 1000000]}, "turn": 0, "key": "", "ordinal": 0, "response": ""}
        small = [{"request": {"as_in_call": place, "messages_added": []}, "turn": 0, "key": "", "ordinal": place, "response": ""} for place in range(400)]
        from gatekit.replay import recording
        from gatekit.replay.requests import Spellings

        key = Spellings().key({"messages": big["request"]["messages"]})
        for call in (big, *small):
            call["key"] = key
        for place, call in enumerate(small):
            call["ordinal"] = place + 1
        with self.assertRaisesRegex(gatekit.CaseError, "too long to be held to their keys"):
            recording._unfolded([big, *small], 1)

    def test_a_sample_of_its_case(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.recording.json")
            for case in (None, "orders"):
                run = played(gatekit.Scenario("test", Talker, ["a"], client=echo, case=case))
                run_recording = run.recorder.recording("test", None, case)
                write(folder, {"a.recording.json": run_recording.text()})
                sample = recorded_sample(path, "a.recording.json")
                self.assertEqual(sample and (sample.case, sample.sample, sample.messages[-1]), case and ("orders", "a", {"role": "assistant", "content": "1 messages"}))


class Registered(unittest.TestCase):
    def test_scenarios_by_name(self):
        module = type(sys)("replay_test_module")

        def one():
            return scenario()

        one.__module__ = "replay_test_module"
        gatekit.scenario("replay_test_one")(one)
        module.two = scenario()
        module.three = lambda: scenario()
        module.four = lambda: 5
        for name in ("replay_test_one", "two", "three"):
            self.assertEqual(scenario_in(module, name).name, "test")
        for name, says in (("four", "no Scenario"), ("replay_test_on", "did you mean replay_test_one"), ("zzz", "no scenario 'zzz'")):
            with self.assertRaisesRegex(gatekit.CaseError, says):
                scenario_in(module, name)
        with self.assertRaisesRegex(gatekit.CaseError, "already"):
            gatekit.scenario("replay_test_one")(holds)
        self.assertIs(gatekit.scenario(one), one)


MODULE = '''
import gatekit

SYSTEM = "Be brief."

def ask(*, model, system, messages, temperature=0):
    return {"content": f"{system} {len(messages)}", "usage": {"total_tokens": 2}}

def agent(client, tools, system=SYSTEM, model="m"):
    messages = []
    def respond(text):
        print("a word of the agent's own")
        messages.append({"role": "user", "content": text})
        reply = client(model=model, system=system, messages=messages)["content"]
        messages.append({"role": "assistant", "content": reply})
        return reply
    return respond

def reworded(client, tools):
    return agent(client, tools, "Be short.")

def longer(client, tools):
    respond = agent(client, tools)
    return lambda text: respond(text) + respond("more")

def crashing(client, tools):
    raise ValueError("no agent")

runs = []

def wandering(client, tools):
    runs.append(1)
    return agent(client, tools, f"Be brief. Run {len(runs)}.")

def idle(client, tools):
    return lambda text: "Be seeing you."

async def slow(conversation):
    return {"tone": 1}

def rude(conversation):
    return {"tone": 0.4, "help": 1}

def kind(conversation):
    return {"tone": 0.5, "help": 1}

def wrong(conversation):
    return {"tone": 1.5}

@gatekit.scenario
def talk():
    return gatekit.Scenario("talk", agent, ["a", "b"], client=ask, invariants=[{"type": "existence", "event": {"assistant": "Be"}}])

wanders = gatekit.Scenario("wanders", wandering, ["a"], client=ask)
idles = gatekit.Scenario("idles", idle, ["a"], client=ask)

@gatekit.scenario
def broken():
    raise RuntimeError("no scenario")
'''


class Commands(unittest.TestCase):
    """The commands, with a user's module; each test has one of its own name, since Python imports a name once."""

    number = 0

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        Commands.number += 1
        self.module = f"replay_test_user_{Commands.number}"
        write(self.folder, {f"{self.module}.py": MODULE.replace("def talk", f"def talk{self.number}").replace("def broken", f"def broken{self.number}")})
        self.path = list(sys.path)
        self.addCleanup(lambda: sys.path.__setitem__(slice(None), self.path))
        self.addCleanup(lambda: sys.modules.pop(self.module, None))

    def start(self, *words, code=0):
        words = [word.replace("USER:talk", f"{self.module}:talk{self.number}").replace("USER:broken", f"{self.module}:broken{self.number}").replace("USER", self.module) for word in words]
        got, out, err = call(*words, cwd=self.folder)
        self.assertEqual(got, code, (out, err))
        self.assertNotIn(b"Traceback", out + err)
        self.assertNotIn(b"a word of", out)
        return (out + b"".join(line for line in err.splitlines(True) if not line.startswith(b"a word of"))).decode()

    def record(self):
        return self.start("record", "USER:talk", "a.recording.json")

    def read(self, name="a.recording.json"):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def test_record_and_replay(self):
        self.assertEqual(self.record(), "recorded a.recording.json (talk): 2 turn(s), 2 model call(s), 0 tool call(s)\n")
        self.assertEqual(self.start("replay", "a.recording.json"), "replay OK (talk): 2 turns reproduced offline, zero network\n")
        self.assertTrue(self.start("regress", "a.recording.json").startswith("regress OK (talk): 1 invariant(s) held\n"))
        self.assertIn("is there already", self.start("record", "USER:talk", "a.recording.json", code=4))
        self.start("record", "USER:talk", "a.recording.json", "--replace")

    def test_what_cannot_be_recorded(self):
        for words, says in (
            (("USER:talk",), "name a scenario and a file"), (("USER:talk", "a.json"), "ends with .recording.json"), (("USER", "a.recording.json"), "MODULE:NAME"),
            (("USER:idles", "a.recording.json"), "there is nothing to replay"), (("USER:talk", "none/a.recording.json"), "the folder of 'none/a.recording.json' is not there"),
            (("USER:talk", ".recording.json"), "begins with a dot"), (("./USER.py:talk", "a.recording.json"), "without its ending: 'replay_test_user"),
            (("USER:tallk", "a.recording.json"), "no scenario"), (("USER:broken", "a.recording.json"), "RuntimeError: no scenario"), (("nowhere:x", "a.recording.json"), "cannot be imported"),
        ):
            self.assertIn(says, self.start("record", *words, code=4))

    def test_a_candidate_that_diverges_and_is_rekeyed(self):
        self.record()
        before = self.read()
        out = self.start("regress", "a.recording.json", "--candidate", "USER:reworded", code=3)
        self.assertIn("    Be [-brief.-] {+short.+}\n", out)
        self.assertIn(json.loads(before)["model_calls"][0]["key"], out)
        for words, says in ((("--date", "2026-01-31"), "--reason"), (("--reason", "same"), "--date"), (("--reason", " ", "--date", "2026-01-31"), "--reason"), (("--reason", "same", "--date", "2026-02-30"), "--date")):
            self.assertIn(says, self.start("rekey", "a.recording.json", "--candidate", "USER:reworded", *words, code=4))
        decided = ("--reason", "only shorter", "--date", "2026-01-31")
        self.assertIn("nothing diverged", self.start("rekey", "a.recording.json", *decided, code=4))
        self.assertIn("more than the wording", self.start("rekey", "a.recording.json", "--candidate", "USER:longer", *decided, code=3))
        self.assertIn("ValueError: no agent", self.start("rekey", "a.recording.json", "--candidate", "USER:crashing", *decided, code=1))
        self.assertIn("the reason holds a secret", self.start("rekey", "a.recording.json", "--candidate", "USER:reworded", "--reason", f"since {KEY}", "--date", "2026-01-31", code=4))
        self.assertEqual(self.read(), before)
        self.assertIn("2 request(s) took over a recorded answer, because: only shorter (2026-01-31)", self.start("rekey", "a.recording.json", "--candidate", "USER:reworded", *decided))
        [first, second] = json.loads(self.read())["rekeyed"]
        self.assertEqual((first["old_key"], first["reason"], first["date"]), (json.loads(before)["model_calls"][0]["key"], "only shorter", "2026-01-31"))
        self.assertEqual(first["changed"], [{"component": "the system prompt", "diff": ["Be [-brief.-] {+short.+}"]}])
        self.start("regress", "a.recording.json", "--candidate", "USER:reworded")
        self.start("regress", "a.recording.json", code=3)

    def test_an_agent_that_asks_otherwise_on_each_run(self):
        self.start("record", f"{self.module}:wanders", "a.recording.json")
        out = self.start("replay", "a.recording.json", code=3)
        self.assertIn("to go on: an agent replays that asks the same on every run", out)

    def test_live(self):
        self.record()
        before = self.read()
        self.assertIn("the folder of", self.start("regress", "a.recording.json", "--policy", "live", "--save", "none/b.recording.json", code=4))
        words = ("regress", "a.recording.json", "--candidate", "USER:reworded", "--policy", "live")
        out = self.start(*words, "--save", "b.recording.json")
        self.assertTrue(out.startswith("regress OK (talk, live): 1 invariant(s) held\n"))
        self.assertIn("live: 2 of 2 calls were answered by the real client or tool", out)
        self.assertIn("is there already", self.start(*words, "--save", "b.recording.json", code=4))
        self.assertIn("is there already", self.start(*words, "--save", "a.recording.json", code=4))
        self.assertEqual(self.read(), before)
        self.assertIn("--policy live", self.start("regress", "a.recording.json", "--save", "c.recording.json", code=4))
        self.assertTrue(self.start("regress", "b.recording.json", "--candidate", "USER:reworded").startswith("regress OK (talk): "))
        self.assertEqual(self.start("replay", "b.recording.json"), "replay OK (talk): 2 turns reproduced offline, zero network\n")

    def test_the_judge_advises(self):
        self.record()
        self.assertIn("judge (advises): no verdict is recorded", self.start("regress", "a.recording.json", "--judge"))
        ungated = self.start("regress", "a.recording.json", "--judge-gate", code=2)
        self.assertTrue(ungated.startswith("regress INCONCLUSIVE (talk): no judge's verdict is on this conversation, 1 invariant(s) held\n"), ungated)
        self.assertIn("judge (gates): no verdict is recorded", ungated)
        self.assertIn("no number from 0 to 1", self.start("judge-record", "a.recording.json", "--judge", "USER:wrong", code=4))
        self.start("judge-record", "a.recording.json", "--judge", "USER:slow")
        self.start("judge-record", "a.recording.json", "--judge", "USER:rude", "--replace")
        self.assertIn("has a judge's verdict already", self.start("judge-record", "a.recording.json", "--judge", "USER:kind", code=4))
        self.assertIn("  judge (advises): help 1.00, tone 0.40 (below); threshold 0.5\n", self.start("regress", "a.recording.json", "--judge"))
        self.assertNotIn("judge", self.start("regress", "a.recording.json"))
        below = self.start("regress", "a.recording.json", "--judge-gate", code=1)
        self.assertTrue(below.startswith("regress FAILED (talk): the judge's scores are below the threshold, 1 invariant(s) held\n"), below)
        self.start("regress", "a.recording.json", "--judge-gate", "--judge-threshold", "0.4")
        self.start("judge-record", "a.recording.json", "--judge", "USER:kind", "--replace")
        self.start("regress", "a.recording.json", "--judge-gate")
        self.assertIn("goes with", self.start("regress", "a.recording.json", "--judge-threshold", "0.4", code=4))
        self.assertIn("from 0 to 1", self.start("regress", "a.recording.json", "--judge", "--judge-threshold", "2", code=4))
        self.assertIn("on another conversation", self.start("regress", "a.recording.json", "--candidate", "USER:longer", "--policy", "live", "--judge"))

    def test_every_reader_refuses_a_secret(self):
        self.record()
        write(self.folder, {"a.recording.json": self.read().replace("Be brief. 1", "Be brief. " + KEY)})
        for words in (("replay",), ("regress",), ("regress", "--policy", "live"), ("judge-record", "--judge", "USER:kind"), ("rekey", "--reason", "a", "--date", "2026-01-31")):
            out = self.start(words[0], "a.recording.json", *words[1:], code=4)
            self.assertIn("a.recording.json: the recording holds a secret (github token)", out)
            self.assertNotIn(KEY[:12], out)

    def test_files_that_are_none(self):
        write(self.folder, {"a.recording.json": '{"format": "gatekit-recording/1"}', "b.recording.json": "[", "c.recording.json": "{}"})
        for name, says in (("a", "a.recording.json: a recording has a"), ("b", "b.recording.json:1"), ("c", "no recording"), ("d", "it is not there")):
            self.assertIn(says, self.start("replay", f"{name}.recording.json", code=4))
        for command in ("replay", "regress", "rekey", "record", "judge-record"):
            self.assertTrue(self.start(command, "--help").startswith(f"usage: python -m gatekit {command} "))
        self.assertIn("name one recording", self.start("replay", code=4))

    def test_a_crash_of_the_candidate(self):
        self.record()
        self.assertIn("the candidate crashed", self.start("regress", "a.recording.json", "--candidate", "USER:crashing", code=1))
        self.assertIn("has no function", self.start("regress", "a.recording.json", "--candidate", "USER:nobody", code=4))


class Examples(unittest.TestCase):
    """The examples, byte for byte: what they print, and that recording them again gives the recordings that are there."""

    def test_what_they_print(self):
        with open(os.path.join(DATA, "..", "examples", "regress.txt"), encoding="utf-8") as file:
            wanted = file.read()
        shown = ""
        for words in [line[2:].split()[3:] for line in wanted.splitlines() if line.startswith("$ ")]:
            code, out, err = call(*words)
            self.assertEqual(err, b"")
            shown += f"$ python -m gatekit {' '.join(words)}\n{out.decode()}exit code {code}\n"
        self.assertEqual(shown, wanted)

    def test_recording_again(self):
        with tempfile.TemporaryDirectory() as folder:
            for source, name in (("examples.support.scenario:support_happy", "support/support_happy"), ("examples.booking.scenario:booking", "booking/booking")):
                path = os.path.join(folder, os.path.basename(name) + ".recording.json")
                self.assertEqual(call("record", source, path)[0], 0)
                with open(path, "rb") as made, open(os.path.join(ROOT, "examples", *f"{name}.recording.json".split("/")), "rb") as stored:
                    self.assertEqual(made.read(), stored.read())


if __name__ == "__main__":
    unittest.main()
