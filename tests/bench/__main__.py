"""`python -m tests.bench [NAME...]`: prints the figures; with names, only those."""
import json
import os
import sys
import tempfile
import time

from .measure import CASE, answer, cost, gatekit, peak_memory, processor_time, quickest, script, write_set
from .tool_call import ARGUMENTS, SCHEMA


def whole_program():
    """10,000 samples of 600 characters with 6 checks, against one pattern a needle and against `in` alone."""
    with tempfile.TemporaryDirectory() as folder:
        path = write_set(folder, 10000, 600)
        plain = processor_time(script("plain_script.py", path))
        floor = processor_time(script("in_script.py", path))
        ours = processor_time(gatekit(folder))
    print(f"whole program, 10,000 samples: {ours / plain:.2f} of the plain script's processor time ({floor / plain:.2f} for a script that only asks `in`)")


def start_up():
    """One sample, against the start of Python with the four modules."""
    with tempfile.TemporaryDirectory() as folder:
        write_set(folder, 1, 600, 0)
        bare = processor_time([sys.executable, "-I", "-c", "import re, json, hashlib, unicodedata"], 15)
        ours = processor_time(gatekit(folder), 15)
    print(f"start-up with one sample: {ours / bare:.2f} of python -I -c 'import re, json, hashlib, unicodedata'")


def samples_linear():
    """Time for ten times the samples."""
    times = []
    for count in (2000, 20000, 200000):
        with tempfile.TemporaryDirectory() as folder:
            write_set(folder, count, 600)
            times.append(processor_time(gatekit(folder), 1) / count)
    print("microseconds a sample at 2,000, 20,000 and 200,000 samples: " + ", ".join(f"{1e6 * each:.1f}" for each in times))


def length_linear():
    """Time for ten times the length of one output: plain, with Markdown, and not ASCII."""
    import random

    import gatekit as package

    gate = package.Gate(package.Rubric(must_include=["refund", "14 days", "shipping"], must_exclude=["I cannot assist"], packs=["secrets", "refusals"]))
    for name, change in (
        ("plain", lambda text: text),
        ("Markdown", lambda text: text.replace(" and ", " **and** ").replace("box", "`box_1`")),
        ("typographic", lambda text: text.replace("does not", "doesn\u2019t").replace(" by ", " \u2014 ")),
    ):
        row = []
        for length in (1000, 10000, 100000, 1000000, 10000000):
            # Words are made once and repeated: to write 10 MB of fresh ones would take longer than to judge them.
            text = change((answer(random.Random(3), 1000) + " ") * (length // 1000))
            start = time.process_time()
            gate.check(text)
            row.append(f"{1e9 * (time.process_time() - start) / len(text):.1f}")
        print(f"nanoseconds a character from 1 kB to 10 MB, {name}: " + ", ".join(row))


def memory():
    """Peak memory for ten times the samples."""
    peaks = []
    for count in (1000, 100000, 400000):
        with tempfile.TemporaryDirectory() as folder:
            write_set(folder, count, 600)
            peaks.append((count, peak_memory(gatekit(folder))))
    (few, low), (_, _), (many, high) = peaks
    shown = ", ".join(f"{peak / 1024:.0f} MB at {count}" for count, peak in peaks)
    print(f"peak memory: {shown}; {1024 * (high - low) / (many - few):.0f} bytes a sample")


def yaml():
    """A case file of 40 lines, against the loaders of PyYAML, where it is installed."""
    try:
        import yaml as pyyaml
    except ImportError:
        print("yaml: skipped, PyYAML is not installed")
        return
    import gatekit as package

    loaders = {"pure Python": pyyaml.SafeLoader, "C": getattr(pyyaml, "CSafeLoader", None)}
    ours = quickest(package.read_yaml, CASE)
    if package.read_yaml(CASE) != pyyaml.safe_load(CASE):
        raise SystemExit("yaml: the two read the case file differently")
    ratios = [f"{quickest(lambda _: pyyaml.load(CASE, loader), None) / ours:.1f} times PyYAML's {name} loader" for name, loader in loaders.items() if loader]
    print(f"a YAML case of {CASE.count(chr(10))} lines in {1e6 * ours:.0f} microseconds: " + ", ".join(ratios))


def json_schema():
    """A tool call held to its schema, against jsonschema and fastjsonschema, where they are installed."""
    from gatekit import JsonSchema

    schema = {"$schema": "http://json-schema.org/draft-07/schema#", **SCHEMA}
    ours = quickest(JsonSchema(schema).is_valid, ARGUMENTS)
    print(f"JSON Schema: {1e6 * ours:.1f} microseconds a tool call")
    try:
        import jsonschema
    except ImportError:
        print("JSON Schema: jsonschema is not installed, and not compared with")
    else:
        theirs = quickest(jsonschema.Draft7Validator(schema).is_valid, ARGUMENTS)
        print(f"JSON Schema: {theirs / ours:.1f} times as fast as jsonschema")
    try:
        import fastjsonschema
    except ImportError:
        print("JSON Schema: fastjsonschema is not installed, and not compared with")
    else:
        theirs = quickest(fastjsonschema.compile(schema), ARGUMENTS)
        print(f"JSON Schema: {theirs / ours:.2f} times as fast as fastjsonschema")


def invariants():
    """1,000 conversations of 40 messages held to 10 invariants, against reading them as JSON."""
    from gatekit.data.conversation import Conversation
    from gatekit.invariants.results import read_invariants, results

    from .conversations import RULES, conversations

    texts = conversations(1000, 40)
    read = quickest(lambda _: [json.loads(text) for text in texts], None, 3)
    given = [json.loads(text) for text in texts]
    rules = read_invariants(RULES)
    parsed = quickest(lambda _: [len(Conversation.from_messages(messages).turns) for messages in given], None, 3)
    judged = quickest(lambda _: [len(results(rules, Conversation.from_messages(messages))) for messages in given], None, 3)
    size = sum(map(len, texts)) / len(texts)
    print(
        f"1,000 conversations of 40 messages ({size:.0f} characters each), {len(rules)} invariants: {judged:.2f} s, {judged / read:.0f} times json.loads of them; "
        f"{1000 * parsed:.0f} microseconds a conversation to read it, {1e6 * (judged - parsed) / 1000 / len(rules):.0f} an invariant"
    )


def replay():
    """What a replay adds to a model call of 20 messages and 8 tools, the recorder's own start included, against a bare digest of the same requests."""
    from gatekit import Recorder

    from .replayed import agent, ask, seconds_a_call

    recorder = Recorder(ask)
    recorder.user("x")
    recorder.assistant(agent(recorder.client, {})("x"))
    ours, plain = seconds_a_call(recorder.recording("bench"))
    print(f"replay: {1e6 * ours:.0f} microseconds a model call, {ours / plain:.2f} of json.dumps and sha256 of its request alone")


def evidence():
    """The exact decision on a million samples where it is hardest, against the same tail summed in floats by its definition, from 0 to k."""
    import math

    from gatekit.ground.exact import Exact
    from gatekit.judging.evidence import shows_at_most

    def floats(failures, samples, chance):
        whole, hit, missed = math.lgamma(samples + 1), math.log(chance), math.log1p(-chance)
        return math.fsum(math.exp(whole - math.lgamma(i + 1) - math.lgamma(samples - i + 1) + i * hit + (samples - i) * missed) for i in range(failures + 1))

    for failures, rate in ((9836, Exact(1, 100)), (499177, Exact(1, 2))):
        ours = quickest(lambda _: shows_at_most(failures, 10**6, rate, Exact(95, 100)), None, 3)
        plain = quickest(lambda _: floats(failures, 10**6, rate.numerator / rate.denominator), None, 3)
        print(f"evidence, {failures} failures of 1,000,000 held to {rate}: {1000 * ours:.1f} ms, {ours / plain:.3f} of the sum of its {failures + 1} terms in floats")


def ledger():
    """A million runs gated from a ledger, against json.loads of the same lines; the memory that a run takes; and the time with other rules."""
    from .ledgers import KINDS, write

    peaks = {}
    for kind, count in [(next(iter(KINDS)), 1000000), *((kind, 100000) for kind in KINDS)]:
        with tempfile.TemporaryDirectory() as folder:
            write(folder, count, kind)
            ours, plain = (processor_time(script("ledgers.py", what, folder, kind), 1) for what in ("judge", "floor"))
            print(f"ledger, {count:,} runs held to {kind}: {1e6 * ours / count:.1f} microseconds a run, {ours / plain:.2f} of json.loads of the same lines alone")
            if kind == next(iter(KINDS)):
                peaks[count] = 1024 * peak_memory(script("ledgers.py", "judge", folder, kind))
    (many, high), (few, low) = peaks.items()
    print(f"ledger: {(high - low) / (many - few):.0f} bytes a run")


def reports():
    """Each format of a report against the judging of its samples: processor time of both by itself and in the whole command, peak memory, and size."""
    from gatekit.golden.case import Case
    from gatekit.judging.report import Report
    from gatekit.reports.catalogue import FORMATS, Style, renderer

    from . import reported

    def taken(function):
        start = time.process_time()
        return function(), time.process_time() - start

    for words, cases in (
        ("100,000 samples, 1 in 100 fails", reported.mostly_passing(100000)),
        ("100,000 samples in 100 cases, half fail", reported.half_failing(100000)),
        ("10,000 samples in 10 cases, half fail", reported.half_failing(10000)),
        ("2,000 conversations of 40 messages, all fail", reported.talking(2000)),
    ):
        report, judging = taken(lambda: Report(tuple(one for case, samples in cases for one in Case.from_dict(case).judge(samples).cases)))
        alone = {form: min(taken(lambda: renderer(form)(report, Style()))[1] for _ in range(3)) for form in FORMATS}
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as out:
            reported.write(folder, cases)
            del cases, report
            plain, peak = map(min, zip(cost(gatekit(folder)), cost(gatekit(folder))))
            print(f"reports on {words}: judged in {judging:.1f} s, the whole command takes {plain:.1f} s and {peak / 1024:.0f} MB")
            for form in FORMATS:
                file = os.path.join(out, form)
                seconds, high = cost(gatekit(folder, "--report", f"{form}={file}"))
                shares = f"{alone[form] / judging:.3f} of judging, {seconds / plain:.2f} of the whole command, {high / peak:.2f} of its memory"
                print(f"  {form + ':':<9} {shares}, {os.path.getsize(file) / 1e6:.2f} MB")


BENCHES = {bench.__name__: bench for bench in (whole_program, start_up, samples_linear, length_linear, memory, yaml, json_schema, invariants, replay, evidence, ledger, reports)}

if __name__ == "__main__":
    for name in sys.argv[1:] or BENCHES:
        BENCHES[name]()
