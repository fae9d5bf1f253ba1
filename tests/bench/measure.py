"""Processor time of whole programs, and the samples that the benches judge."""
import atexit
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Modules are compiled once, by the run that is not counted, outside of the tree.
_CACHE = tempfile.mkdtemp()
atexit.register(shutil.rmtree, _CACHE, True)
SURROUNDINGS = {**os.environ, "PYTHONPYCACHEPREFIX": _CACHE, "PYTHONDONTWRITEBYTECODE": ""}
WORDS = (
    "your order is on its way and we will let you know as soon as it arrives please keep the box because you may need it "
    "to send the item back if it does not fit our team checks every parcel by hand which takes a little while but it helps"
).split()
RULES = {
    "id": "bench",
    "rubric": {
        "must_include": ["refund", "14 days", "shipping"],
        "must_exclude": ["I cannot assist", "I'm unable to help", "wire transfer"],
    },
}
# A case file with most of what YAML has, for readers of YAML.
CASE = """\
# Refund summaries: what every answer must say.
id: refund-summary
description: The agent sums up the refund policy for one order
created_at: "2024-05-02"
updated_at: "2024-06-11"
update_reason: shipping is paid by the shop now
level: 3
tags: [refund, policy, "tier-3"]
input:
  question: What happens to my order?
  order: {id: A-1007, total: 49.90, items: [{sku: "0042", count: 2}]}
rubric:
  must_include:
    - refund
    - [14 days, 14-day, fourteen days]
    - shipping  # who pays
  must_exclude:
    - I cannot assist
    - 'I''m unable to help'
  packs: [secrets, refusals]
matchers:
  - type: json_field
    field: intent
    op: eq
    value: refund
  - type: json_field
    field: confidence
    op: gte
    value: 0.8
  - type: normalized_text_equal
    field: summary
    expected: |
      The item can be sent back within 14 days.
      We pay the shipping.
  - type: not_regex
    value: "(?i)wire\\\\s+transfer"
gate:
  max_failure_rate: 0.01
  min_judged: 20
reasoning: strip
"""


def answer(rng, length):
    """An answer of about so many characters that passes the rules; facts stand at random places."""
    words = []
    while sum(len(word) + 1 for word in words) < length - 40:
        words.append(rng.choice(WORDS))
    for fact in ("Refund", "14 days", "shipping."):
        words.insert(rng.randrange(len(words) + 1), fact)
    return " ".join(words).capitalize()


def write_set(folder, samples, length, failing=0.01):
    """A folder with one case and so many samples, a share of which drops a fact. Returns the sample file's path."""
    rng = random.Random(7)
    answers = [answer(rng, length) for _ in range(min(samples, 500))]
    with open(os.path.join(folder, "case.json"), "w", encoding="utf-8") as case:
        json.dump(RULES, case)
    path = os.path.join(folder, "runs.jsonl")
    with open(path, "w", encoding="utf-8") as lines:
        for number in range(samples):
            text = answers[number % len(answers)]
            if rng.random() < failing:
                text = text.replace("14 days", "114 days")
            lines.write(json.dumps({"case": "bench", "sample": f"run-{number:07d}", "output": text}) + "\n")
    return path


def processor_time(command, runs=5):
    """The median of the user and system seconds of a command over some runs, after one that is not counted; and its peak memory in kB."""
    import resource

    times = []
    for run in range(runs + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=ROOT, env=SURROUNDINGS, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if run:
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times)


def quickest(function, argument, runs=7, seconds=0.2):
    """The fewest processor seconds that one call took, on the average of a run of many."""
    calls = best = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        function(argument)
        calls += 1
    for _ in range(runs):
        start = time.process_time()
        for _ in range(calls):
            function(argument)
        taken = (time.process_time() - start) / calls
        best = min(best or taken, taken)
    return best


def peak_memory(command):
    """The peak memory of a command in kB, as the operating system counts it."""
    return cost(command)[1]


def cost(command):
    """The user and system seconds of one run of a command, and its peak memory in kB."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN); print(used.ru_utime + used.ru_stime, used.ru_maxrss)"
    )
    seconds, peak = subprocess.run([sys.executable, "-c", code, *command], cwd=ROOT, env=SURROUNDINGS, capture_output=True, text=True, check=True).stdout.split()
    return float(seconds), int(peak)


def gatekit(*words):
    """The command line of the package in this Python."""
    return [sys.executable, "-m", "gatekit", *words]


def script(name, *words):
    """The command line of a script of this folder."""
    return [sys.executable, os.path.join(ROOT, "tests", "bench", name), *words]
