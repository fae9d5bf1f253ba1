"""A ledger of a million runs, and what it takes to gate them: run as a script in a process of its own, `ledgers.py judge|floor LEDGER KIND`."""
import json
import os
import sys

# What the runs give, and what they are held to: texts of 600 characters held to a pattern, the same held to a fact as well, and facts with their sources as JSON.
KINDS = {
    "a pattern": [{"type": "regex", "value": "within 14 days"}],
    "a fact and a pattern": [{"must_include": ["refund"]}, {"type": "regex", "value": "[0-9]+ days"}],
    "three fields": [
        {"type": "json_field", "field": "revenue.value", "op": "gt", "value": 0},
        {"type": "json_field", "field": "facts[*].url", "op": "matches", "value": "^https://"},
        {"type": "json_field", "field": "confidence", "op": "in", "value": ["high", "medium"]},
    ],
}
ANSWER = "Your order is on its way and will arrive on day {}. You get a full refund within {} days; please keep the box, you may need it to send the item back. "
PADDING = "Our team checks every parcel by hand, which takes a little while, but it helps us to find out what went wrong and to do better. " * 3
FACTS = ("employees", "founded", "offices", "customers", "growth")


def scenario(kind):
    """The scenario that the runs are of; its agent is never called."""
    import gatekit

    return gatekit.Scenario("bench", agent=len, inputs={"days": 14}, checks=KINDS[kind], max_failure_rate="2%")


def output(kind, number):
    """What a run gave; one in a hundred fails."""
    fails = number % 100 == 0
    if kind != "three fields":
        return ANSWER.format(number % 300, "some" if fails else 14) + PADDING
    page = "https://www.example.com/investors/annual-report-2025"
    facts = [{"name": name, "value": number % 977 + place, "url": page, "quote": f"In the year the number was {number % 977 + place}."} for place, name in enumerate(FACTS)]
    return {"company": "Northwind", "revenue": {"value": None if fails else 12.5, "currency": "EUR", "url": page}, "facts": facts, "confidence": "high", "missing": []}


def write(folder, count, kind):
    """Write a ledger of so many runs."""
    with open(os.path.join(folder, "runs.jsonl"), "w", encoding="utf-8") as lines:
        for number in range(1, count + 1):
            usage = {"input_tokens": 900 + number % 50, "output_tokens": 40}
            sample = {"case": "bench", "sample": f"run-{number:07d}", "output": output(kind, number), "model": "m-1", "usage": usage}
            lines.write(json.dumps(sample) + "\n")


def judge(folder, kind):
    """Gate a ledger."""
    from gatekit.runs.batch import Batch
    from gatekit.runs.ledger import Ledger

    batch = Batch([scenario(kind)], 1, [Ledger(folder)])
    batch.read()
    summary = batch.report().summary
    print(summary.samples, summary.outcome, file=sys.stderr)


def floor(folder, kind):
    """Only read the lines of a ledger."""
    with open(os.path.join(folder, "runs.jsonl"), encoding="utf-8") as lines:
        for line in lines:
            json.loads(line)


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    {"judge": judge, "floor": floor}[sys.argv[1]](*sys.argv[2:])
