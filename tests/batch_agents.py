"""Scenarios whose agents fail by the digest of the run's id: the tests of batches run them, in this process and in others."""
import hashlib
import os

import gatekit

# Built here, so that no key stands whole in a file.
KEY = "gh" + "p_" + "Ab3Cd5Ef7Gh9Ij1Kl3Mn5Op7Qr9St1Uv3Wx5"
TEMPLATE = gatekit.Template("answer", {"must_include": ["refund"], "packs": ["secrets"]})


def number(step, of):
    """A number below `of` that the run's id decides."""
    return int(hashlib.sha256(f"{step.name} {step.sample}".encode()).hexdigest(), 16) % of


def unsteady(step):
    """Passes mostly, and fails in every way there is."""
    way = number(step, 40)
    if way == 0:
        raise ValueError(f"no answer to {step.inputs['days']}")
    if way == 1:
        raise ConnectionError("503")
    if way == 2:
        return {"output": "A refund, and the answer is cut", "finish_reason": "length"}
    if way == 3:
        return None
    if way == 4:
        return "Nothing to be said."
    if way == 5:
        return f"Your refund has the key {KEY}."
    return step.finish(f"A refund within {step.inputs['days']} days.", model=f"m-{way % 2}")


def steady(step):
    """Passes always."""
    return f"A refund within {step.inputs['days']} days, number {step.sample}."


async def waiting(step):
    """As `unsteady`, asynchronous."""
    return unsteady(step)


def traced(step):
    """Writes down that it began; its answers are of very different lengths."""
    with open(os.path.join(os.environ["GATEKIT_TEST_TRACE"]), "ab", buffering=0) as trace:
        trace.write(f"{step.sample}\n".encode())
    return "A refund. " + f"{step.sample} " * (number(step, 7) ** 4)


SURROUNDINGS = {"inputs": {"days": 14}, "template": TEMPLATE, "transient": [ConnectionError], "max_failure_rate": "10%"}
UNSTEADY = gatekit.Scenario("unsteady", unsteady, **SURROUNDINGS)
STEADY = gatekit.Scenario("steady", steady, **SURROUNDINGS)
WAITING = gatekit.Scenario("unsteady", waiting, **SURROUNDINGS)
TRACED = gatekit.Scenario("traced", traced, **SURROUNDINGS)
FAILING = gatekit.Scenario("failing", lambda step: "No.", inputs={}, template=TEMPLATE, max_failure_rate="1%")
UNCHECKED = gatekit.Scenario("unchecked", steady, inputs={"days": 14})


def make_talker(client, tools, feedback=()):
    """An agent of a conversation: it looks the order up, and says what it was told."""

    def respond(text):
        found = tools["find"](order=text.split()[-1])
        return f"refund of {found['order']}" + "".join(f", {words}" for words in feedback)

    return respond


def find(order):
    """The tool of `make_talker`."""
    return {"order": order}


TALK = gatekit.Scenario("talk", make_talker, ["my order 41"], checks=[{"must_include": ["refund"]}], invariants=["every_call_answered"], tools={"find": find})


def replayed(step):
    """An agent for the jobs of a log: it repeats what it was told, and learns nothing."""
    return f"refund {step.inputs['question']} {'; '.join(step.feedback)}"
